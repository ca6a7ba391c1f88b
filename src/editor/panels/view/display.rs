//! How the model shows: the button over the picture, and what it opens. Every line is a command of the catalogue.

use lucide_icons::Icon;

use crate::editor::commands::command_of_shading;
use crate::editor::panels::ui::actions::Out;
use crate::editor::panels::ui::canvas::{Align, Kit, Rect, icon};
use crate::editor::panels::ui::menu;
use crate::editor::panels::ui::popover::{LINE, Line, title};
use crate::editor::panels::ui::seen::Seen;
use crate::editor::panels::ui::sys;
use crate::editor::session::command::Command;
use crate::editor::session::display::{Shading, ShownPose};
use crate::editor::session::switch::Switch;
use crate::editor::state::action::ViewAction;

/// Width of a column.
const COLUMN: f32 = 216.0;

/// What is drawn with the model.
const OVERLAYS: [(Icon, &str, Command); 8] = [
    (Icon::Layers, "All overlays", Command::ToggleOverlays),
    (Icon::Bone, "Bones", Command::ToggleSkeleton),
    (Icon::Tag, "Bone names", Command::ToggleBoneNames),
    (Icon::Axis3d, "Bone axes", Command::ToggleBoneAxes),
    (Icon::Grid3x3, "Grid", Command::ToggleGrid),
    (Icon::Ghost, "Ghosts", Command::ToggleOnionSkin),
    (Icon::Route, "Motion trails", Command::ToggleTrails),
    (Icon::Info, "Stats", Command::ToggleStats),
];

/// The sign of a shading.
fn sign_of(shading: Shading) -> Icon {
    match shading {
        Shading::Lit => Icon::Sun,
        Shading::Flat => Icon::Palette,
        Shading::Wireframe => Icon::Waypoints,
        Shading::XRay => Icon::ScanEye,
        Shading::Weights => Icon::Thermometer,
        Shading::BoneColors => Icon::Rainbow,
        Shading::Normals => Icon::Compass,
    }
}

fn button_text(seen: &Seen<'_>) -> String {
    let display = seen.session.workspace.display;
    let pose = if display.pose == ShownPose::Clip { "" } else { display.pose.name() };
    let between = if pose.is_empty() { "" } else { " · " };
    format!("{}  {}{between}{pose}", icon(sign_of(display.shading)), display.shading.name())
}

/// How wide the button is.
pub fn button_width(kit: &Kit<'_>, seen: &Seen<'_>) -> f32 {
    kit.calc_text_size(button_text(seen))[0] + 40.0
}

/// The button, named after what the surface shows, and its popover.
pub fn display_button(kit: &Kit<'_>, seen: &Seen<'_>, rect: Rect, out: &mut Out) {
    let is_pressed = kit.invisible_button("##display", rect.size());
    kit.item("display");
    if kit.is_item_hovered() {
        kit.fill(rect, kit.theme.field_hovered, 5.0);
    }
    let inner = Rect { min: [rect.min[0] + 10.0, rect.min[1]], max: [rect.max[0] - 8.0, rect.max[1]] };
    let is_usual = seen.session.workspace.display == Default::default() && seen.session.is_on(Switch::Overlays);
    kit.text_in(inner, Align::Left, if is_usual { kit.theme.text } else { kit.theme.accent }, &button_text(seen));
    kit.text_in(inner, Align::Right, kit.theme.quiet, &icon(Icon::ChevronDown));
    kit.tip("Shading, pose and overlays", "");
    if is_pressed {
        kit.open_popup("##display-popover");
    }
    sys::place_next_popup(kit.ui, [rect.min[0], rect.max[1] + 4.0]);
    let _padding = menu::padding(kit);
    let Some(_popup) = kit.begin_popup("##display-popover") else { return };
    let _spacing = kit.push_style_var(imgui::StyleVar::ItemSpacing([8.0, 2.0]));
    kit.group(|| {
        title(kit, "Shading");
        for shading in Shading::ALL {
            let command = command_of_shading(shading);
            let is_on = seen.session.workspace.display.shading == shading;
            let line =
                Line { sign: sign_of(shading), name: shading.name(), key: seen.key_of(command), is_on, counts: true };
            if line.draw(kit, "display", COLUMN) {
                out.push(ViewAction::SetShading(shading));
            }
        }
    });
    kit.same_line_with_spacing(0.0, 12.0);
    kit.group(|| {
        title(kit, "Overlays");
        for (sign, name, command) in OVERLAYS {
            let is_on = command.is_on(seen.editor).unwrap_or(false);
            let counts = command == Command::ToggleOverlays || seen.session.is_on(Switch::Overlays);
            if (Line { sign, name, key: seen.key_of(command), is_on, counts }).draw(kit, "display", COLUMN) {
                out.run(command);
            }
        }
    });
    pose_line(kit, seen, out);
}

/// In which pose the model stands: three beside each other.
fn pose_line(kit: &Kit<'_>, seen: &Seen<'_>, out: &mut Out) {
    kit.dummy([0.0, 4.0]);
    title(kit, "Pose");
    let wide = (2.0 * COLUMN + 12.0 - 16.0) / 3.0;
    for (at, pose) in ShownPose::ALL.into_iter().enumerate() {
        if at > 0 {
            kit.same_line_with_spacing(0.0, 8.0);
        }
        let is_on = seen.session.workspace.display.pose == pose;
        let is_pressed = kit.invisible_button(format!("##pose-{at}"), [wide, LINE + 2.0]);
        let rect = kit.item(&format!("display-{}", pose.name()));
        let ground = match (is_on, kit.is_item_hovered()) {
            (true, _) => kit.theme.row,
            (_, true) => kit.theme.field_hovered,
            _ => kit.theme.field,
        };
        kit.fill(rect, ground, 5.0);
        kit.text_in(rect, Align::Center, if is_on { kit.theme.accent } else { kit.theme.text }, pose.name());
        if is_pressed {
            out.push(ViewAction::ShowPose(pose));
        }
    }
}
