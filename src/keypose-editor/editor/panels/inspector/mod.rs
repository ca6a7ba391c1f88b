//! The inspector: the transform of the selected bones, the keyframe, the clip and the meshes.

use crate::editor::panels::model::clip_check::no_problems;
use crate::editor::panels::model::findings::FindingLines;
use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::view::stats::Stats;
use crate::editor::posing::mixing::Mix;
use crate::editor::view::bone_list;
use crate::editor::view::checks::Checks;
use keypose::anim::bake::SampleFormat;
use keypose::anim::skin::method::Method;
use keypose::assets::model::Visibility;
use keypose_tools::clip_check::Group;

mod attack;
mod balance;
mod clip;
mod delay;
mod joint;
mod key;
mod keyframe;
mod layers;
mod level;
mod paint;
mod rig;
mod rotation;
pub mod scalars;
mod sockets;
mod springs;
mod transform;
mod volumes;

use attack::AttackSection;
use balance::balance_ui;
use clip::clip_ui;
use delay::delay_ui;
use joint::joint_ui;
use key::KeySection;
use keyframe::keyframe_ui;
pub use keyframe::{ease_name, set_ease};
use layers::layers_ui;
use level::LevelSections;
use rig::RigSections;
use rotation::RotationRows;
use scalars::ScalarRows;
use sockets::SocketsSection;
use springs::springs_ui;
use transform::transform_ui;
use volumes::VolumesSection;

#[derive(Debug, Default)]
pub struct InspectorPanel {
    rotations: RotationRows,
    scalars: ScalarRows,
    /// The mix whose field is being dragged, and its fraction.
    mix: Option<(Mix, f32)>,
    key: KeySection,
    attack: AttackSection,
    volumes: VolumesSection,
    sockets: SocketsSection,
    level: LevelSections,
    rig: RigSections,
    folds: Folds,
    findings: FindingLines,
    /// Whether it was drawn in this frame.
    pub is_shown: bool,
}

impl InspectorPanel {
    pub fn ui(&mut self, ui: &Ui<'_>, checks: &Checks) {
        self.is_shown = true;
        if let Some(desk) = ui.session.transient.scene.level() {
            return self.level.ui(ui, desk, &mut self.folds);
        }
        let Some(model) = ui.model() else {
            return widgets::empty(ui, "No model open.", "Open a model with Ctrl+O to see its properties.");
        };
        if let Some(desk) = ui.session.transient.scene.rig() {
            return self.rig.ui(ui, desk, model, &mut self.folds);
        }
        widgets::scrolled(ui, "##inspector", 0.0, || {
            match ui.session.focus.selection.active_bone() {
                Some(bone) => self.bone_ui(ui, model, bone),
                None => {
                    widgets::title(ui, &model.name, "model");
                    widgets::empty(ui, "No bone selected.", "Click a bone in the viewport or in the bone list.");
                }
            }
            self.attack.ui(ui, model, &mut self.folds);
            self.volumes.range_ui(ui, model, &mut self.folds);
            let has_values = !model.skeleton.scalars().is_empty();
            if has_values {
                self.scalars.ui(ui, model, &mut self.folds);
            }
            layers_ui(ui, model, &mut self.folds);
            keyframe_ui(ui, &mut self.folds);
            self.key.ui(ui, model, &mut self.folds);
            // Findings ask for something to be done, so they come before figures.
            self.check_ui(ui, checks);
            clip_ui(ui, model, &mut self.folds);
            balance_ui(ui, model, &mut self.folds);
            // It is set once, and what is keyed many times comes before it.
            if let Some(bone) = ui.session.focus.selection.active_bone() {
                joint_ui(ui, model, bone, &mut self.folds);
                springs_ui(ui, model, bone, &mut self.volumes, &mut self.folds);
            }
            self.volumes.hurt_ui(ui, model, &mut self.folds);
            self.sockets.ui(ui, model, &mut self.folds);
            self.meshes_ui(ui, model);
            if !has_values {
                self.scalars.ui(ui, model, &mut self.folds);
            }
            if ui.session.focus.selection.bones.is_empty() && self.folds.section(ui, "model", "Model") {
                widgets::command_buttons(ui, &[Command::RenameModel, Command::SetRestPose, Command::RemoveModel]);
                skinning_ui(ui, model);
                samples_ui(ui, model);
                figures_ui(ui, &Stats::of(model));
            }
        });
    }

    /// Draws what the clip check found in the open clip, hints included.
    fn check_ui(&mut self, ui: &Ui<'_>, checks: &Checks) {
        let Some(id) = ui.session.focus.clip else { return };
        if !self.folds.section(ui, "check", "Clip check") {
            return;
        }
        match checks.of(id) {
            None => ui.text_colored(ui.theme.quiet, "Checking…"),
            Some(checked) if checked.groups.is_empty() => no_problems(ui, 1),
            Some(checked) => {
                let groups: Vec<&Group> = checked.groups.iter().collect();
                self.findings.ui(ui, "open-finding", checked, &groups);
            }
        }
    }

    fn bone_ui(&mut self, ui: &Ui<'_>, model: &Model, bone: BoneIndex) {
        let others = ui.session.focus.selection.bones.len() - 1;
        let kind = if bone_list::is_mesh_node(model, bone) { "mesh node" } else { "bone" };
        let what = if others == 0 { format!("{kind} {bone}") } else { format!("{kind} {bone}, +{others}") };
        let full = model.skeleton.get(bone).map_or("", |bone| &bone.name);
        widgets::title(ui, full, &what);
        if self.folds.section(ui, "transform", "Transform · local") {
            transform_ui(ui, &model.skeleton, &ui.session.focus.selection.bones, &mut self.rotations);
            delay_ui(ui, &ui.session.focus.selection.bones);
            ui.dummy([0.0, GAP]);
            pose_buttons(ui);
        }
        self.mix_ui(ui);
    }

    /// Draws the mixes of the pose with its neighbouring keyframes, in percent, two in a row.
    fn mix_ui(&mut self, ui: &Ui<'_>) {
        let is_shown = ui.clip().is_some_and(|clip| clip.keyframes.len() >= 2);
        if !is_shown || !self.folds.section(ui, "mix", "Between keyframes") {
            return;
        }
        let pairs = Form::new(ui, "mix-").in_columns(2);
        for (mix, label, tip, command) in MIXES {
            let idle = if mix == Mix::Breakdown { 0.5 } else { 0.0 };
            let mut fraction = self.mix.map_or(idle, |(of, fraction)| if of == mix { fraction } else { idle });
            let how = Number::percent().unit("").within(mix.range().start() * 100.0, mix.range().end() * 100.0);
            let touch = pairs.number(label, &format!("{tip}   {}", ui.key_of(command)), how, &mut fraction);
            if touch.is_changed {
                self.mix = Some((mix, fraction));
            }
            if touch.is_ended {
                self.mix = None;
            }
            ui.gesture(touch, mix.name(), || Change::Mix(mix, fraction));
        }
    }

    fn meshes_ui(&mut self, ui: &Ui<'_>, model: &Model) {
        if model.meshes.is_empty() || !self.folds.section(ui, "meshes", "Meshes") {
            return;
        }
        for (at, slot) in model.meshes.iter().enumerate() {
            let is_shown = slot.visibility == Visibility::Shown;
            let (id, eye, vertices) =
                (format!("mesh{at}"), format!("mesh-eye{at}"), slot.mesh.positions.len().to_string());
            let eye = if is_shown { Sign::new(&eye, Icon::Eye, "Hide") } else { Sign::new(&eye, Icon::EyeOff, "Show") };
            let item = Item::new(&id, &slot.mesh.name, &vertices, false);
            let touch = Item { is_dim: !is_shown, signs: [Some(eye), None], ..item }.draw(ui);
            if touch.is_clicked || touch.sign.is_some() {
                let visibility = if is_shown { Visibility::Hidden } else { Visibility::Shown };
                let label = if is_shown { "Hide mesh" } else { "Show mesh" };
                let model = ui.session.focus.model;
                ui.edit(label, vec![ModelEdit::SetVisibility { model, mesh: at, visibility }.into()]);
            }
        }
    }
}

fn pose_buttons(ui: &Ui<'_>) {
    let keys = [("Key pose", Command::KeyPose), ("Key bone", Command::KeySelected), ("Reset", Command::ClearAll)];
    let copies = [("Copy", Command::CopyPose), ("Paste", Command::PastePose), ("Mirror", Command::PastePoseMirrored)];
    let form = Form::new(ui, "");
    form.commands("keys", &keys);
    form.commands("copies", &copies);
}

/// The mixes with their labels, tooltips and commands.
const MIXES: [(Mix, &str, &str, Command); 4] = [
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

/// Draws the choice of how the bones of a model move its vertices.
fn skinning_ui(ui: &Ui<'_>, model: &Model) {
    let methods = [
        (Method::Linear, "Blend", "Linear: blend matrices; twisted joints lose volume"),
        (Method::Dual, "Dual", "Blend dual quaternions: twisted joints keep their volume"),
        (Method::Rigid, "Rigid", "Each vertex follows its strongest bone"),
        (Method::Interpolated, "Mixed", "Linear, with matrices interpolated between keyframes, here and in the game"),
    ];
    let mut skinning = model.skinning;
    if Form::new(ui, "").choice("Skinning", &methods, &mut skinning).is_changed {
        ui.edit("Set skinning", vec![ModelEdit::SetSkinning { model: ui.session.focus.model, skinning }.into()]);
    }
}

/// Draws the choice of how the baked clips of a model are stored.
fn samples_ui(ui: &Ui<'_>, model: &Model) {
    let formats = [
        (SampleFormat::F32, "32 bits: twice the memory, a quarter less time to sample"),
        (SampleFormat::Quantized, "16 bits"),
        (SampleFormat::Packed, "As few bits as the error bound allows: half the memory, up to three times the time"),
    ];
    let formats = formats.map(|(format, tip)| (format, format.label(), tip));
    let mut samples = model.samples;
    if Form::new(ui, "").choice("Samples", &formats, &mut samples).is_changed {
        ui.edit("Set samples", vec![ModelEdit::SetSamples { model: ui.session.focus.model, samples }.into()]);
    }
}

/// Draws the statistics of a model.
fn figures_ui(ui: &Ui<'_>, stats: &Stats) {
    for (name, value) in stats.rows() {
        let row = ui.take_line(20.0);
        ui.text_in(row, Align::Left, ui.theme.quiet, name);
        ui.text_in(row.trim_right(2.0), Align::Right, ui.theme.text, &value);
    }
}
