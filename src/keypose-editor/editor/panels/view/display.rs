//! The display button over the viewport, and its popover of shadings, overlays and poses.

use crate::editor::commands::command_of_shading;
use crate::editor::panels::ui::form;
use crate::editor::panels::ui::popover::{Toggle, title};
use crate::editor::panels::ui::prelude::*;
use crate::editor::session::display::{Shading, ShownPose};

/// Width of a column.
const COLUMN: f32 = 216.0;

const OVERLAYS: [(Icon, &str, Command); 9] = [
    (Icon::Layers, "All overlays", Command::ToggleOverlays),
    (Icon::Bone, "Bones", Command::ToggleSkeleton),
    (Icon::Tag, "Bone names", Command::ToggleBoneNames),
    (Icon::Axis3d, "Bone axes", Command::ToggleBoneAxes),
    (Icon::Grid3x3, "Grid", Command::ToggleGrid),
    (Icon::Ghost, "Ghosts", Command::ToggleGhosts),
    (Icon::Route, "Motion trails", Command::ToggleTrails),
    (Icon::Scale, "Balance", Command::ToggleBalance),
    (Icon::Info, "Stats", Command::ToggleStats),
];

fn sign_of(shading: Shading) -> Icon {
    match shading {
        Shading::Lit => Icon::Sun,
        Shading::Flat => Icon::Palette,
        Shading::Silhouette => Icon::Contrast,
        Shading::Wireframe => Icon::Waypoints,
        Shading::XRay => Icon::ScanEye,
        Shading::Weights => Icon::Thermometer,
        Shading::BoneColors => Icon::Rainbow,
        Shading::Normals => Icon::Compass,
        Shading::NormalLines => Icon::MoveUpRight,
        Shading::UvChecker => Icon::Grid2x2,
        Shading::Overdraw => Icon::Layers2,
        Shading::SkinSpace => Icon::Box,
    }
}

fn button_text(ui: &Ui<'_>) -> String {
    let display = ui.session.workspace.display;
    let shown = ui.session.transient.pose.shown();
    let pose = if shown == ShownPose::Clip { "" } else { shown.name() };
    let between = if pose.is_empty() { "" } else { " · " };
    format!("{}  {}{between}{pose}", icon(sign_of(display.shading)), display.shading.name())
}

pub fn button_width(ui: &Ui<'_>) -> f32 {
    ui.calc_text_size(button_text(ui))[0] + 40.0
}

/// Draws the button, labelled with the shading, and its popover.
pub fn display_button(ui: &Ui<'_>, rect: Rect) {
    let is_pressed = ui.button_in("display", rect);
    if ui.is_item_hovered() {
        ui.fill(rect, ui.theme.field_hovered, 5.0);
    }
    let inner = rect.trim_left(10.0).trim_right(8.0);
    let is_usual = ui.session.workspace.display == Default::default() && ui.session.is_on(Switch::Overlays);
    ui.text_in(inner, Align::Left, if is_usual { ui.theme.text } else { ui.theme.accent }, &button_text(ui));
    ui.text_in(inner, Align::Right, ui.theme.quiet, &icon(Icon::ChevronDown));
    ui.tip("Shading, overlays and pose", "");
    if is_pressed {
        ui.open_popup("##display-popover");
    }
    sys::place_next_popup(ui.imgui, rect, 4.0);
    let Some(_popup) = menu::popup(ui, "##display-popover") else { return };
    let _spacing = ui.push_style_var(imgui::StyleVar::ItemSpacing([8.0, 2.0]));
    ui.group(|| {
        title(ui, "Shading");
        for shading in Shading::ALL {
            let is_on = ui.session.workspace.display.shading == shading;
            let toggle = Toggle::of(ui, sign_of(shading), shading.name(), command_of_shading(shading));
            if (Toggle { is_on, ..toggle }).draw(ui, "display", COLUMN) {
                ui.send(ViewAction::SetShading(shading));
            }
        }
    });
    ui.same_line_with_spacing(0.0, 12.0);
    ui.group(|| {
        title(ui, "Overlays");
        for (sign, name, command) in OVERLAYS {
            let counts = command == Command::ToggleOverlays || ui.session.is_on(Switch::Overlays);
            if (Toggle { counts, ..Toggle::of(ui, sign, name, command) }).draw(ui, "display", COLUMN) {
                ui.run(command);
            }
        }
    });
    pose_line(ui);
}

/// Draws the choice of the displayed pose.
fn pose_line(ui: &Ui<'_>) {
    ui.dummy([0.0, GAP]);
    title(ui, "Pose");
    let now = ui.session.transient.pose.shown();
    let all = ShownPose::ALL.map(|pose| (pose, pose.name(), ""));
    let tone = |pose| if pose == now { Tone::On } else { Tone::Plain };
    let form = Form::of_width(ui, "", 2.0 * COLUMN + 12.0);
    if let Some(pose) = form.line(|row| form::buttons(ui, row, "display", &all, tone)) {
        ui.send(ViewAction::ShowPose(pose));
    }
}
