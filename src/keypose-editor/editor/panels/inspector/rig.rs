//! The inspector in the rig mode: the active bone with its parent, joint and length, and what can be done with the selected bones.

use std::sync::Arc;

use glam::Vec3;

use crate::editor::document::edit::Edit;
use crate::editor::ops::rigging::{BoneEdit, bind_heads};
use crate::editor::panels::inspector::joint::joint_ui;
use crate::editor::panels::inspector::paint::{brush_ui, problems_ui};
use crate::editor::panels::ui::prelude::*;
use crate::editor::session::rig::{RigAction, RigDesk};
use crate::editor::session::transient::Request;
use keypose_tools::rig::template::TEMPLATES;
use keypose_tools::rig::vertex::{VertexRef, place_of, weights_of, with_weight};

/// The inspector in the rig mode.
#[derive(Debug, Default)]
pub struct RigSections {
    naming: Naming<BoneIndex>,
}

impl RigSections {
    /// Draws the panel for a model.
    pub fn ui(&mut self, ui: &Ui<'_>, desk: &RigDesk, model: &Arc<Model>, folds: &mut Folds) {
        widgets::scrolled(ui, "##rig", 0.0, || {
            let active = ui.session.focus.selection.active_bone();
            match active.and_then(|bone| Some((bone, model.skeleton.get(bone)?))) {
                Some((bone, of)) => {
                    let others = ui.session.focus.selection.bones.len() - 1;
                    let what = if others == 0 { "bone".to_owned() } else { format!("bone, +{others}") };
                    widgets::title(ui, &of.name, &what);
                    if !desk.paint.is_on {
                        self.bone_ui(ui, desk, model, bone);
                        joint_ui(ui, model, bone, folds);
                    }
                }
                None => {
                    widgets::title(ui, &model.name, &counted(model.skeleton.len(), "bone"));
                    let hint = match desk.paint.is_on {
                        true => "Ctrl+Shift+click selects the bone to paint.".to_owned(),
                        false => format!("Click a joint, or press {} to add a bone.", ui.key_of(Command::AddBone)),
                    };
                    widgets::empty(ui, "No bone selected.", &hint);
                }
            }
            if desk.paint.is_on && folds.section(ui, "rig-paint", "Paint") {
                brush_ui(ui, desk);
            }
            if !desk.paint.is_on && model.clips.is_empty() && folds.section(ui, "rig-template", "Template") {
                template_ui(ui, desk);
            }
            if !desk.paint.is_on && folds.section(ui, "rig-edit", "Bones") {
                let form = Form::new(ui, "rig-");
                let sides =
                    [(true, "Both", "Edits of one side also change the other"), (false, "One", "Edit one side")];
                let mut is_mirrored = desk.is_mirrored;
                if form.choice("Sides", &sides, &mut is_mirrored).is_changed {
                    ui.send(RigAction::ToggleMirror);
                }
                form.commands("make", &[("Extrude", Command::ExtrudeBone), ("Split", Command::SplitBone)]);
                form.commands("place", &[("Center in mesh", Command::CenterJoints), ("Mirror", Command::MirrorBones)]);
                form.commands("end", &[("Add root", Command::AddBone), ("Delete", Command::DeleteBones)]);
            }
            if let Some(at) = desk.vertex.filter(|at| place_of(model, *at).is_some())
                && folds.section(ui, "rig-vertex", &format!("Vertex {}", at.vertex))
            {
                vertex_ui(ui, model, at);
            }
            if folds.section(ui, "rig-problems", "Problems") {
                problems_ui(ui, desk, model);
            }
            if folds.section(ui, "rig-weights", "Weights") {
                weights_ui(ui, desk);
            }
        });
    }

    /// Draws the fields of the active bone.
    fn bone_ui(&mut self, ui: &Ui<'_>, desk: &RigDesk, model: &Arc<Model>, bone: BoneIndex) {
        let form = Form::new(ui, "bone-");
        let skeleton = &model.skeleton;
        // Names as they are in the file: "mixamorig:Hips".
        let name_of = |bone| skeleton.get(bone).map_or("", |bone| bone.name.as_str());
        let name = name_of(bone);
        if ui.requested(Request::NameBone) {
            self.naming.start(ui, bone, name);
        }
        let text =
            NameText { text: name, tip: "Rename the bone; clips, groups and volumes follow", ..NameText::default() };
        if let Some(name) = form.text("Name", text, &mut self.naming, bone) {
            ui.send(RigAction::Edit(BoneEdit::Rename { bone, name }));
        }
        let parent_name = |bone| skeleton.parent(bone).map_or("", name_of).to_owned();
        let mut parent = parent_name(bone);
        let others = skeleton.indices().filter(|other| !skeleton.is_below(*other, bone));
        let others = others.map(name_of);
        if form.name_of("Parent", Some("none"), others, &mut parent).is_changed {
            let parent = skeleton.find(&parent);
            ui.send(RigAction::Edit(BoneEdit::Reparent { bones: vec![bone], parent }));
        }
        let heads = bind_heads(model);
        let head = heads[usize::from(bone)];
        let moved = |bone: BoneIndex, to: Vec3| -> Vec<Edit> {
            let edit = |edit| Edit::from(ModelEdit::EditBones { model: ui.session.focus.model, edit });
            desk.edits(model, BoneEdit::Move(vec![(bone, to)])).into_iter().map(edit).collect()
        };
        let apply = |touch, step, at: Vec3| ui.change(touch, step, || moved(bone, at));
        let how = Number { measure: Measure::Length, ..Number::new("%.3f", 0.002) };
        let tips = ["X of the joint in the model", "Y of the joint in the model", "Z of the joint in the model"];
        form.of(&head, "Move joints", &apply).numbers("Joint", tips, how, |head| head.as_mut().each_mut());
        let children: Vec<BoneIndex> = skeleton.children(bone).collect();
        if let [child] = children[..] {
            let mut length = head.distance(heads[usize::from(child)]);
            let how = how.within(0.0, f32::MAX);
            let touch = form.number("Length", "Distance to the joint of its child", how, &mut length);
            ui.change(touch, "Set length", || {
                // A length of 0 has no direction: that of before the drag stays.
                let base = ui.base_model().map_or_else(|| heads.clone(), |base| bind_heads(base));
                let along = base[usize::from(child)] - base[usize::from(bone)];
                moved(child, head + along.try_normalize().unwrap_or(Vec3::Y) * length)
            });
        }
    }
}

/// Draws the settings of automatic weights, and the buttons that compute them.
fn weights_ui(ui: &Ui<'_>, desk: &RigDesk) {
    let form = Form::new(ui, "weights-");
    let (mut weights, mut has_rigid_parts) = (desk.weights, desk.has_rigid_parts);
    let whole = |low, high| Number::new("%.0f", 0.05).within(low, high);
    form.number("Influences", "Maximum number of bones that move a vertex", whole(1.0, 8.0), &mut weights.influences);
    let falloff = Number::new("%.1f", 0.02).within(1.0, 16.0);
    form.number("Falloff", "Higher: bones reach less far beyond the nearest one", falloff, &mut weights.falloff);
    let tip = "How often weights are averaged with their neighbours";
    form.number("Smoothing", tip, whole(0.0, 100.0), &mut weights.smoothing);
    let parts = [(true, "Found", "Parts that don't bend, such as armour, follow one bone"), (false, "None", "")];
    form.choice("Rigid parts", &parts, &mut has_rigid_parts);
    if (weights, has_rigid_parts) != (desk.weights, desk.has_rigid_parts) {
        ui.send(RigAction::Set(weights, has_rigid_parts));
    }
    form.commands("bind", &[("Automatic", Command::BindMeshes), ("Rigid", Command::BindRigid)]);
    form.commands("bind-part", &[("Bones only", Command::BindBones), ("Mesh only", Command::BindMesh)]);
    form.commands("paint", &[("Paint", Command::PaintWeights), ("Transfer…", Command::TransferWeights)]);
}

/// Draws the bones that move a vertex with their weights, and the active bone, if it is none of them.
fn vertex_ui(ui: &Ui<'_>, model: &Arc<Model>, at: VertexRef) {
    let form = Form::new(ui, "vertex-").with_long_labels();
    let now = weights_of(model, at);
    let weights = ui.base_model().map_or_else(|| now.clone(), |base| weights_of(base, at));
    let mut rows = weights.clone();
    let active = ui.session.focus.selection.active_bone();
    rows.extend(active.filter(|bone| rows.iter().all(|(other, _)| other != bone)).map(|bone| (bone, 0.0)));
    for (bone, _) in rows {
        let mut weight = now.iter().find(|(other, _)| *other == bone).map_or(0.0, |(_, weight)| *weight);
        let how = Number::new("%.3f", 0.005).within(0.0, 1.0);
        let touch = form.number(bone_name(&model.skeleton, bone), "The other weights share the rest", how, &mut weight);
        ui.change(touch, "Set weight", || {
            let weights = with_weight(&weights, bone, weight);
            vec![ModelEdit::SetWeights { model: ui.session.focus.model, at, weights }.into()]
        });
    }
}

/// Draws the choice of a template, and what its markers become.
fn template_ui(ui: &Ui<'_>, desk: &RigDesk) {
    let form = Form::new(ui, "template-");
    let mut all: Vec<(&'static str, &str)> = TEMPLATES.iter().map(|template| (template.name, template.title)).collect();
    all.insert(0, ("", "none"));
    let now = desk.placing.as_ref().map_or("", |placing| placing.template.name);
    let mut chosen = now;
    if form.menu("Template", &all, &mut chosen).is_changed && chosen != now {
        ui.send(if chosen.is_empty() { RigAction::CancelTemplate } else { RigAction::Place(chosen) });
    }
    let Some(placing) = &desk.placing else {
        return form.commands("template", &[("Humanoid", Command::PlaceTemplate)]);
    };
    form.value_in("Markers", &format!("{} placed", placing.markers.len()), "", ui.theme.text);
    form.value_in("Bones", &placing.template.bone_count().to_string(), "", ui.theme.text);
    for note in &placing.notes {
        let line = ui.take_line(20.0);
        ui.text_in(line, Align::Left, ui.theme.draft, note);
    }
    let again = [
        Button::new("Place again", "again", "Markers where the mesh proposes them"),
        Button::new("Cancel", "cancel", ""),
    ];
    match form.buttons(&again) {
        Some(0) => ui.send(RigAction::Place(placing.template.name)),
        Some(_) => ui.send(RigAction::CancelTemplate),
        None => {}
    }
    form.commands("template", &[("Make rig", Command::MakeRig)]);
}
