//! What is selected, and what can be changed about it: the bone's transform, the keyframe, the meshes.

use glam::Vec3;
use lucide_icons::Icon;

use crate::anim::skeleton::BoneIndex;
use crate::anim::transform::Transform;
use crate::assets::model::{Model, Visibility};
use crate::editor::document::edit::Edit;
use crate::editor::panels::ui::actions::Out;
use crate::editor::panels::ui::canvas::{Align, Kit, Rect, icon};
use crate::editor::panels::ui::seen::{Seen, bone_name};
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::{Number, Tone};
use crate::editor::panels::window::layout;
use crate::editor::posing::change::Change;
use crate::editor::posing::mixing::Mix;
use crate::editor::session::command::Command;

mod keyframe;
mod transform;

pub use keyframe::ease_name;
use keyframe::keyframe_ui;
use transform::{rotation, scale, translation};

/// Width of the labels before the fields.
const LABEL: f32 = 64.0;
/// Width of the labels of mixes: two of them stand in a row.
const MIX_LABEL: f32 = 78.0;

/// What the panel keeps for itself.
#[derive(Debug, Default)]
pub struct InspectorLocal {
    /// The angles as they were typed or dragged, in degrees: they stay while the rotation is what they say.
    angles: Option<(BoneIndex, Vec3)>,
    /// The mix whose field is dragged, in percent.
    mix: Option<(Mix, f32)>,
}

/// The panel's contents.
pub fn inspector_ui(kit: &Kit<'_>, seen: &Seen<'_>, local: &mut InspectorLocal, out: &mut Out) {
    let Some(model) = seen.model() else {
        layout::title(kit, "Inspector", "");
        return widgets::empty(kit, "Nothing is open.", "What is selected shows its values here.");
    };
    layout::scrolled(kit, "##inspector", 0.0, || {
        match seen.session.focus.selection.active_bone() {
            Some(bone) => bone_ui(kit, seen, model, bone, local, out),
            None => {
                layout::title(kit, &model.name, "model");
                widgets::empty(kit, "No bone is selected.", "Click one in the picture or in the list of bones.");
            }
        }
        keyframe_ui(kit, seen, out);
        meshes_ui(kit, seen, model, out);
    });
}

fn bone_ui(kit: &Kit<'_>, seen: &Seen<'_>, model: &Model, bone: BoneIndex, local: &mut InspectorLocal, out: &mut Out) {
    let others = seen.session.focus.selection.bones.len() - 1;
    let what = if others == 0 { format!("bone {bone}") } else { format!("bone {bone}, +{others}") };
    layout::title(kit, bone_name(&model.skeleton, bone), &what);
    kit.section("Transform · local");
    let transform = seen.view.local.get(usize::from(bone));
    let rest = model.skeleton.get(bone).map_or(Transform::IDENTITY, |bone| bone.rest);
    translation(kit, seen, bone, &transform, &rest, out);
    rotation(kit, seen, bone, &transform, &rest, local, out);
    scale(kit, seen, bone, &transform, &rest, out);
    kit.dummy([0.0, 4.0]);
    pose_buttons(kit, seen, out);
    mix_ui(kit, seen, local, out);
}

fn pose_buttons(kit: &Kit<'_>, seen: &Seen<'_>, out: &mut Out) {
    let keys = [("Key pose", Command::KeyPose), ("Key bone", Command::KeySelected), ("Reset", Command::ClearAll)];
    let copies = [("Copy", Command::Copy), ("Paste", Command::Paste), ("Mirror", Command::PasteMirrored)];
    command_row(kit, seen, "keys", &keys, out);
    command_row(kit, seen, "copies", &copies, out);
}

/// The pose and its neighbours in time: one field each, dragged or typed in percent.
fn mix_ui(kit: &Kit<'_>, seen: &Seen<'_>, local: &mut InspectorLocal, out: &mut Out) {
    if seen.clip().is_none_or(|clip| clip.keyframes.len() < 2) {
        return;
    }
    kit.section("Between keyframes");
    let rows = [
        (Mix::Breakdown, "Between", "0 % is the keyframe before, 100 % the one after", Command::Breakdown),
        (Mix::Push, "Push", "Away from the way between the two", Command::Push),
        (Mix::Relax, "Relax", "Back to the way between the two", Command::Relax),
        (
            Mix::Neighbour,
            "Towards",
            "To the right the keyframe after, to the left the one before",
            Command::TowardsNeighbour,
        ),
    ];
    let width = ((kit.content_region_avail()[0] - 2.0 * MIX_LABEL - 4.0) / 2.0).floor();
    for (at, (mix, label, what, command)) in rows.into_iter().enumerate() {
        let top = kit.cursor_screen_pos();
        let left = top[0] + if at % 2 == 0 { 0.0 } else { MIX_LABEL + width + 4.0 };
        kit.text_in(Rect::at([left, top[1]], [MIX_LABEL, widgets::FIELD]), Align::Left, kit.theme.quiet, label);
        kit.set_cursor_screen_pos([left + MIX_LABEL, top[1]]);
        let idle = if mix == Mix::Breakdown { 50.0 } else { 0.0 };
        let mut percent = local.mix.filter(|(of, _)| *of == mix).map_or(idle, |(_, percent)| percent);
        let range = [mix.range().start() * 100.0, mix.range().end() * 100.0];
        let touch = widgets::number(
            kit,
            &format!("mix-{label}"),
            width,
            &mut percent,
            Number { range, ..Number::new("%.0f", 0.5) },
        );
        kit.tip(what, &format!("%, drag, double click types   {}", seen.key_of(command)));
        out.gesture(touch, mix.name(), || Change::Mix(mix, percent / 100.0));
        if touch.is_changed {
            local.mix = Some((mix, percent));
        }
        if touch.is_ended {
            local.mix = None;
        }
        kit.set_cursor_screen_pos([top[0], if at % 2 == 0 { top[1] } else { top[1] + widgets::FIELD + 4.0 }]);
    }
    kit.dummy([0.0, 0.0]);
}

fn command_row(kit: &Kit<'_>, seen: &Seen<'_>, id: &str, buttons: &[(&str, Command)], out: &mut Out) {
    row_of_buttons(kit, buttons.len(), |at, size| {
        let (name, command) = buttons[at];
        let tone = if seen.can_run(command) { Tone::Plain } else { Tone::Off };
        if widgets::button(kit, &format!("{name}##{id}{at}"), size, tone) {
            out.run(command);
        }
        kit.tip(command.label(), &seen.key_of(command));
    });
}

/// Buttons of the same width in one row.
fn row_of_buttons(kit: &Kit<'_>, count: usize, mut button: impl FnMut(usize, [f32; 2])) {
    let top = kit.cursor_screen_pos();
    let width = (kit.content_region_avail()[0] - 4.0 * (count as f32 - 1.0)) / count as f32;
    for at in 0..count {
        kit.set_cursor_screen_pos([top[0] + at as f32 * (width + 4.0), top[1]]);
        button(at, [width.floor(), widgets::FIELD]);
    }
    kit.set_cursor_screen_pos([top[0], top[1] + widgets::FIELD + 4.0]);
    kit.dummy([0.0, 0.0]);
}

fn meshes_ui(kit: &Kit<'_>, seen: &Seen<'_>, model: &Model, out: &mut Out) {
    if model.meshes.is_empty() {
        return;
    }
    kit.section("Meshes");
    for (at, slot) in model.meshes.iter().enumerate() {
        let touch = widgets::row(kit, &format!("mesh{at}"), false);
        if !kit.is_rect_visible(touch.rect.min, touch.rect.max) {
            continue;
        }
        let is_shown = slot.visibility == Visibility::Shown;
        let color = if is_shown { kit.theme.text } else { kit.theme.dim };
        let eye = Rect::at([touch.rect.min[0] + 4.0, touch.rect.min[1]], [20.0, widgets::ROW]);
        kit.text_in(eye, Align::Center, kit.theme.quiet, &icon(if is_shown { Icon::Eye } else { Icon::EyeOff }));
        let vertices = format!("{}", slot.mesh.positions.len());
        let right = Rect {
            min: [touch.rect.max[0] - 60.0, touch.rect.min[1]],
            max: [touch.rect.max[0] - 6.0, touch.rect.max[1]],
        };
        kit.text_in(right, Align::Right, kit.theme.quiet, &vertices);
        let name = Rect { min: [eye.max[0] + 6.0, touch.rect.min[1]], max: [right.min[0], touch.rect.max[1]] };
        kit.text_in(name, Align::Left, color, &slot.mesh.name);
        if touch.is_clicked {
            let visibility = if is_shown { Visibility::Hidden } else { Visibility::Shown };
            let label = if is_shown { "Hide mesh" } else { "Show mesh" };
            out.edit(label, vec![Edit::SetVisibility { model: seen.session.focus.model, mesh: at, visibility }]);
        }
    }
}
