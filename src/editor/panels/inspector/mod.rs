//! The inspector: the active bone's transform, the keyframe and the meshes.

use crate::editor::panels::ui::Ui;
use glam::Vec3;
use lucide_icons::Icon;

use crate::anim::skeleton::BoneIndex;
use crate::anim::transform::Transform;
use crate::assets::model::{Model, Visibility};
use crate::editor::document::edit::ModelEdit;
use crate::editor::panels::ui::bone_name;
use crate::editor::panels::ui::frame::{Align, icon};
use crate::editor::panels::ui::rect::Rect;
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
/// Width of the labels of mixes, which come two in a row.
const MIX_LABEL: f32 = 78.0;

/// The panel.
#[derive(Debug, Default)]
pub struct InspectorPanel {
    /// The active bone's angles as entered, in degrees. Kept as long as they describe its rotation.
    angles: Option<(BoneIndex, Vec3)>,
    /// The mix whose field is being dragged, and its percentage.
    mix: Option<(Mix, f32)>,
}

impl InspectorPanel {
    /// Draws the panel.
    pub fn ui(&mut self, ui: &Ui<'_>) {
        let Some(model) = ui.model() else {
            layout::title(ui, "Inspector", "");
            return widgets::empty(ui, "No model open.", "Open a model with Ctrl+O to see its properties.");
        };
        layout::scrolled(ui, "##inspector", 0.0, || {
            match ui.session.focus.selection.active_bone() {
                Some(bone) => self.bone_ui(ui, model, bone),
                None => {
                    layout::title(ui, &model.name, "model");
                    widgets::empty(ui, "No bone selected.", "Click a bone in the viewport or in the bone list.");
                }
            }
            keyframe_ui(ui);
            meshes_ui(ui, model);
        });
    }

    fn bone_ui(&mut self, ui: &Ui<'_>, model: &Model, bone: BoneIndex) {
        let others = ui.session.focus.selection.bones.len() - 1;
        let what = if others == 0 { format!("bone {bone}") } else { format!("bone {bone}, +{others}") };
        layout::title(ui, bone_name(&model.skeleton, bone), &what);
        ui.section("Transform · local");
        let transform = ui.view.local.get(usize::from(bone));
        let rest = model.skeleton.get(bone).map_or(Transform::IDENTITY, |bone| bone.rest);
        translation(ui, bone, &transform, &rest);
        rotation(ui, bone, &transform, &rest, self);
        scale(ui, bone, &transform, &rest);
        ui.dummy([0.0, 4.0]);
        pose_buttons(ui);
        self.mix_ui(ui);
    }
}

fn pose_buttons(ui: &Ui<'_>) {
    let keys = [("Key pose", Command::KeyPose), ("Key bone", Command::KeySelected), ("Reset", Command::ClearAll)];
    let copies = [("Copy", Command::Copy), ("Paste", Command::Paste), ("Mirror", Command::PasteMirrored)];
    command_row(ui, "keys", &keys);
    command_row(ui, "copies", &copies);
}

impl InspectorPanel {
    /// Draws the mixes of the pose with its neighbouring keyframes, in percent.
    fn mix_ui(&mut self, ui: &Ui<'_>) {
        if ui.clip().is_none_or(|clip| clip.keyframes.len() < 2) {
            return;
        }
        ui.section("Between keyframes");
        let rows = [
            (
                Mix::Breakdown,
                "Between",
                "Pose between the keyframes: 0 % is the previous one, 100 % the next one",
                Command::Breakdown,
            ),
            (Mix::Push, "Push", "Exaggerate: away from the interpolated pose", Command::Push),
            (Mix::Relax, "Relax", "Relax: towards the interpolated pose", Command::Relax),
            (
                Mix::Neighbour,
                "Towards",
                "Towards the next keyframe (right) or the previous one (left)",
                Command::TowardsNeighbour,
            ),
        ];
        let width = ((ui.content_region_avail()[0] - 2.0 * MIX_LABEL - 4.0) / 2.0).floor();
        for (at, (mix, label, what, command)) in rows.into_iter().enumerate() {
            let top = ui.cursor_screen_pos();
            let left = top[0] + if at % 2 == 0 { 0.0 } else { MIX_LABEL + width + 4.0 };
            ui.text_in(Rect::at([left, top[1]], [MIX_LABEL, widgets::FIELD]), Align::Left, ui.theme.quiet, label);
            ui.set_cursor_screen_pos([left + MIX_LABEL, top[1]]);
            let idle = if mix == Mix::Breakdown { 50.0 } else { 0.0 };
            let mut percent = self.mix.filter(|(of, _)| *of == mix).map_or(idle, |(_, percent)| percent);
            let range = [mix.range().start() * 100.0, mix.range().end() * 100.0];
            let touch = widgets::number(
                ui,
                &format!("mix-{label}"),
                width,
                &mut percent,
                Number { range, ..Number::new("%.0f", 0.5) },
            );
            ui.tip(what, &format!("%, drag, double-click to type   {}", ui.key_of(command)));
            ui.gesture(touch, mix.name(), || Change::Mix(mix, percent / 100.0));
            if touch.is_changed {
                self.mix = Some((mix, percent));
            }
            if touch.is_ended {
                self.mix = None;
            }
            ui.set_cursor_screen_pos([top[0], if at % 2 == 0 { top[1] } else { top[1] + widgets::FIELD + 4.0 }]);
        }
        ui.dummy([0.0, 0.0]);
    }
}

fn command_row(ui: &Ui<'_>, id: &str, buttons: &[(&str, Command)]) {
    row_of_buttons(ui, buttons.len(), |at, size| {
        let (name, command) = buttons[at];
        let tone = if ui.can_run(command) { Tone::Plain } else { Tone::Off };
        if widgets::button(ui, &format!("{name}##{id}{at}"), size, tone) {
            ui.run(command);
        }
        ui.tip_command(command);
    });
}

/// Draws buttons of equal width in a row.
fn row_of_buttons(ui: &Ui<'_>, count: usize, mut button: impl FnMut(usize, [f32; 2])) {
    let top = ui.cursor_screen_pos();
    let width = (ui.content_region_avail()[0] - 4.0 * (count as f32 - 1.0)) / count as f32;
    for at in 0..count {
        ui.set_cursor_screen_pos([top[0] + at as f32 * (width + 4.0), top[1]]);
        button(at, [width.floor(), widgets::FIELD]);
    }
    ui.end_at([top[0], top[1] + widgets::FIELD + 4.0]);
}

fn meshes_ui(ui: &Ui<'_>, model: &Model) {
    if model.meshes.is_empty() {
        return;
    }
    ui.section("Meshes");
    for (at, slot) in model.meshes.iter().enumerate() {
        let touch = widgets::row(ui, &format!("mesh{at}"), false);
        if !ui.is_rect_visible(touch.rect.min, touch.rect.max) {
            continue;
        }
        let is_shown = slot.visibility == Visibility::Shown;
        let color = if is_shown { ui.theme.text } else { ui.theme.dim };
        let eye = Rect::at([touch.rect.min[0] + 4.0, touch.rect.min[1]], [20.0, widgets::ROW]);
        ui.text_in(eye, Align::Center, ui.theme.quiet, &icon(if is_shown { Icon::Eye } else { Icon::EyeOff }));
        let vertices = format!("{}", slot.mesh.positions.len());
        let right = touch.rect.with_x(touch.rect.max[0] - 60.0, touch.rect.max[0] - 6.0);
        ui.text_in(right, Align::Right, ui.theme.quiet, &vertices);
        let name = touch.rect.with_x(eye.max[0] + 6.0, right.min[0]);
        ui.text_in(name, Align::Left, color, &slot.mesh.name);
        if touch.is_clicked {
            let visibility = if is_shown { Visibility::Hidden } else { Visibility::Shown };
            let label = if is_shown { "Hide mesh" } else { "Show mesh" };
            ui.edit(
                label,
                vec![ModelEdit::SetVisibility { model: ui.session.focus.model, mesh: at, visibility }.into()],
            );
        }
    }
}
