//! Actions of the rig mode.

use std::collections::BTreeSet;
use std::sync::Arc;

use glam::Vec3;

use crate::editor::commands::needs;
use crate::editor::document::edit::{Edit, ModelEdit};
use crate::editor::gesture::Driver;
use crate::editor::gesture::limits::{LimitDrag, LimitHandle};
use crate::editor::gesture::rig::RigDrag;
use crate::editor::gesture::screen::Screen;
use crate::editor::ops::bone_sides::with_others;
use crate::editor::ops::rigging::{
    BoneEdit, Made, Parts, RigWork, Scope, Solid, Task, bind_heads, bones_with_other_places, clips_of,
    clips_with_other_places,
};
use crate::editor::ops::sentence::listed_or_counted;
use crate::editor::session::Question;
use crate::editor::session::display::{Shading, ShownPose};
use crate::editor::session::rig::{Binding, PendingDelete, RigAction, RigDesk};
use crate::editor::session::scene::{PoseSource, Scene};
use crate::editor::session::selection::{ItemKind, Pick};
use crate::editor::session::transient::Request;
use crate::editor::state::Editor;
use crate::editor::update::{
    error, info, modes, paint, playback, select, step, step_all, templates, transaction, warning,
};
use crate::render::frame::bounds::Aabb;
use keypose::anim::skeleton::BoneIndex;
use keypose_tools::rig::surface::is_bindable;
use keypose_tools::rig::vertex::{VertexRef, place_of};
use keypose_tools::rig::{RigError, unheard};

/// Handles an action of the rig mode.
pub fn act(editor: &mut Editor, action: RigAction) {
    match action {
        RigAction::Toggle => toggle(editor),
        RigAction::ToggleMirror => {
            if let Some(desk) = editor.session.transient.scene.rig_mut() {
                desk.is_mirrored = !desk.is_mirrored;
            }
        }
        RigAction::Add => add(editor),
        RigAction::Extrude => {
            start(editor, |editor, pixel| RigDrag::extruding(&editor.session, &**editor.model()?, pixel))
        }
        RigAction::Move => {
            start(editor, |editor, pixel| RigDrag::moving(&editor.session, &**editor.model()?, pixel, true))
        }
        RigAction::Center => center(editor),
        RigAction::Split => split(editor),
        RigAction::Mirror => edit(editor, BoneEdit::Mirror(selected(editor))),
        RigAction::RequestRename => {
            open(editor);
            editor.session.transient.requests.extend([Request::ShowInspector, Request::NameBone]);
        }
        RigAction::Parent => {
            let mut bones = selected(editor);
            let parent = bones.pop();
            reparent(editor, bones, parent);
        }
        RigAction::Unparent => reparent(editor, selected(editor), None),
        RigAction::Delete => delete(editor),
        RigAction::AnswerDelete { is_confirmed } => {
            let question = editor.session.transient.question.take();
            if is_confirmed && let Some(Question::DeletedBones(pending)) = question {
                edit(editor, BoneEdit::Delete(pending.bones));
            }
        }
        RigAction::Set(weights, has_rigid_parts) => {
            if let Some(desk) = editor.session.transient.scene.rig_mut() {
                (desk.weights, desk.has_rigid_parts) = (weights, has_rigid_parts);
            }
        }
        RigAction::Place(template) => templates::place(editor, template),
        RigAction::MoveMarker { name, to } => templates::move_marker(editor, &name, to),
        RigAction::CancelTemplate => templates::cancel(editor),
        RigAction::MakeRig => templates::make(editor),
        RigAction::PickVertex(at) => pick_vertex(editor, at),
        RigAction::ShowVertices { bone, vertices } => show_vertices(editor, bone, vertices),
        RigAction::Paint(action) => paint::act(editor, action),
        RigAction::Bind(binding) => bind(editor, binding),
        RigAction::Transfer { from, mesh } => transfer(editor, &from, mesh),
        RigAction::Done(work, made) => finish(editor, &work, made),
        RigAction::Edit(BoneEdit::Reparent { bones, parent }) => reparent(editor, bones, parent),
        RigAction::Edit(bones) => edit(editor, bones),
    }
}

fn selected(editor: &Editor) -> Vec<BoneIndex> {
    editor.session.focus.selection.bones.clone()
}

/// Bones, with those of the other side if sides are mirrored.
fn with_sides(editor: &Editor, bones: Vec<BoneIndex>) -> Vec<BoneIndex> {
    match (editor.session.transient.scene.rig(), editor.model()) {
        (Some(desk), Some(model)) if desk.is_mirrored => with_others(&model.skeleton, bones),
        _ => bones,
    }
}

fn toggle(editor: &mut Editor) {
    if editor.session.transient.scene.rig().is_some() {
        transaction::commit(editor);
        editor.session.transient.scene = Scene::Model;
    } else {
        open(editor);
    }
}

/// Opens the mode. Drags of joints need it: they show the bind pose.
pub(super) fn open(editor: &mut Editor) {
    if editor.session.transient.scene.rig().is_some() || editor.model().is_none() {
        return;
    }
    transaction::commit(editor);
    playback::set_playing(editor, false);
    modes::show(editor, PoseSource::Model(ShownPose::Clip));
    editor.session.transient.scene = Scene::Rig(RigDesk::default());
    // Each of the two views is half as wide.
    editor.frame_all();
    let size = editor.session.workspace.viewport;
    editor.session.focus.camera.distance *= (2.0 * size.y / size.x.max(1.0)).max(1.0);
    editor.session.transient.hover = None;
    // Keyframes aren't shown.
    editor.session.focus.selection.kind = ItemKind::Bones;
}

/// Makes one undo step, on both sides if they are mirrored, and selects the bones that it added.
fn edit(editor: &mut Editor, bones: BoneEdit) {
    let names = |editor: &Editor| -> BTreeSet<String> {
        let bones = editor.model().map(|model| model.skeleton.bones()).unwrap_or_default();
        bones.iter().map(|bone| bone.name.clone()).collect()
    };
    let (before, is_rename) = (names(editor), matches!(bones, BoneEdit::Rename { .. }));
    let old = editor.model().filter(|_| matches!(bones, BoneEdit::Reparent { .. } | BoneEdit::Delete(_))).cloned();
    let (label, model) = (bones.label(), editor.session.focus.model);
    let edits = match (editor.session.transient.scene.rig(), editor.model()) {
        (Some(desk), Some(model)) => desk.edits(model, bones),
        _ => vec![bones],
    };
    let edits = edits.into_iter().map(|edit| Edit::from(ModelEdit::EditBones { model, edit }));
    step_all(editor, label, edits.collect());
    let added: Vec<String> = names(editor).difference(&before).cloned().collect();
    if !is_rename {
        pick(editor, &added);
    }
    let moved = old.iter().zip(editor.model()).flat_map(|(old, new)| bones_with_other_places(old, new));
    let moved: Vec<&str> = moved.collect();
    if !moved.is_empty() {
        let moved = listed_or_counted(&moved, "bone");
        warning(editor, format!("The place or shape of {moved} has changed: a parent is scaled unevenly."));
    }
}

/// Gives bones another parent, and names the clips in which they move otherwise now.
fn reparent(editor: &mut Editor, bones: Vec<BoneIndex>, parent: Option<BoneIndex>) {
    let Some(before) = editor.model().cloned() else { return };
    let name = |bone: &BoneIndex| Some(before.skeleton.get(*bone)?.name.clone());
    let names: Vec<String> = with_sides(editor, bones.clone()).iter().filter_map(name).collect();
    edit(editor, BoneEdit::Reparent { bones, parent });
    let Some(after) = editor.model() else { return };
    let clips = clips_with_other_places(&before, after, &names);
    if !clips.is_empty() {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let clips = listed_or_counted(&clips, "clip");
        warning(editor, format!("The motion of {} has changed in {clips}.", listed_or_counted(&names, "bone")));
    }
}

fn pick(editor: &mut Editor, names: &[String]) {
    let Some(model) = editor.model() else { return };
    let mut bones: Vec<BoneIndex> = names.iter().filter_map(|name| model.skeleton.find(name)).collect();
    // The first one is the one under the mouse.
    bones.reverse();
    if !bones.is_empty() {
        select::bones(editor, &bones, Pick::Only);
    }
}

/// Starts a drag that ends with a click.
fn start(editor: &mut Editor, drag: impl FnOnce(&Editor, glam::Vec2) -> Option<RigDrag>) {
    open(editor);
    let pixel = editor.session.transient.pointer.pixel;
    match drag(editor, pixel) {
        Some(drag) => begin(editor, drag),
        None => info(editor, "Select a bone first."),
    }
}

/// Opens the gesture of a drag.
fn begin(editor: &mut Editor, drag: RigDrag) {
    let (change, added) = (drag.change(), drag.added());
    transaction::begin_with(editor, drag.label(), Driver::Rig(Box::new(drag)));
    transaction::preview(editor, &change);
    pick(editor, &added);
}

/// Starts to drag the joint on which the mouse was pressed.
pub fn grab(editor: &mut Editor, joint: BoneIndex, pixel: glam::Vec2) {
    editor.session.transient.pointer.press = None;
    if !editor.session.focus.selection.has_bone(joint) {
        select::bones(editor, &[joint], Pick::Only);
    } else {
        editor.session.focus.selection.make_active(joint);
    }
    let Some(model) = editor.model().cloned() else { return };
    if let Some(drag) = RigDrag::moving(&editor.session, &model, pixel, false) {
        begin(editor, drag);
    }
}

/// Starts to drag a handle of the active bone's joint limit.
pub fn grab_limit(editor: &mut Editor, handle: LimitHandle) {
    editor.session.transient.pointer.press = None;
    if let Some(drag) = LimitDrag::new(&editor.session, &editor.view(), handle) {
        transaction::begin_with(editor, "Set joint limit".into(), Driver::Limit(Box::new(drag)));
    }
}

/// Adds a root where the mouse is, in the middle of the model's depth.
fn add(editor: &mut Editor) {
    open(editor);
    let Some(model) = editor.model().cloned() else { return };
    let bounds = editor.caches.bounds(&model).posed(&editor.view().pose);
    let near = if bounds.is_empty() { Vec3::ZERO } else { bounds.center() };
    let drag = RigDrag::adding(&editor.session, &model, near, editor.session.transient.pointer.pixel);
    begin(editor, drag);
}

/// Moves the selected joints to the middle of the mesh in front of or behind them.
fn center(editor: &mut Editor) {
    open(editor);
    let Some(model) = editor.model().cloned() else { return };
    let (screen, heads, solid) = (Screen::of(&editor.session), bind_heads(&model), Solid::of(&model));
    let place = |bone: BoneIndex| {
        let pixel = screen.pixel(*heads.get(usize::from(bone))?)?;
        Some((bone, solid.middle(&screen.ray(pixel))?))
    };
    let moved: Vec<(BoneIndex, Vec3)> = selected(editor).into_iter().filter_map(place).collect();
    if moved.is_empty() {
        return info(editor, "No mesh is in front of the selected joints in this view.");
    }
    edit(editor, BoneEdit::Move(moved));
}

/// Divides the bone between two selected joints, or up to its only child.
fn split(editor: &mut Editor) {
    let Some(model) = editor.model().cloned() else { return };
    let skeleton = &model.skeleton;
    let (bone, child) = match selected(editor)[..] {
        [a, b] if skeleton.parent(b) == Some(a) => (a, b),
        [a, b] if skeleton.parent(a) == Some(b) => (b, a),
        [bone] => {
            let children: Vec<BoneIndex> = skeleton.children(bone).collect();
            match children[..] {
                [child] => (bone, child),
                [] => return info(editor, "The bone has no child: it ends nowhere. Extrude one first."),
                _ => return info(editor, "The bone has several children: select the one to split towards, too."),
            }
        }
        _ => return info(editor, "Select a bone, or a bone and its child."),
    };
    edit(editor, BoneEdit::Split { bone, child, parts: 2 });
}

fn delete(editor: &mut Editor) {
    transaction::commit(editor);
    let bones = with_sides(editor, selected(editor));
    let Some(model) = editor.model() else { return info(editor, needs::NO_MODEL) };
    let clips = clips_of(model, &bones);
    if clips.is_empty() {
        return edit(editor, BoneEdit::Delete(bones));
    }
    let names: Vec<&str> = bones.iter().filter_map(|bone| Some(&*model.skeleton.get(*bone)?.name)).collect();
    let named = listed_or_counted(&names, "bone");
    let pending = Box::new(PendingDelete { bones, named, clips });
    editor.session.transient.question = Some(Question::DeletedBones(pending));
}

/// Shows the weights of a vertex.
pub fn pick_vertex(editor: &mut Editor, at: VertexRef) {
    editor.session.transient.pointer.press = None;
    if let Scene::Rig(desk) = &mut editor.session.transient.scene {
        (desk.vertex, desk.marked) = (Some(at), Vec::new());
    }
}

/// Selects a bone, shows the weights, and frames vertices.
fn show_vertices(editor: &mut Editor, bone: Option<BoneIndex>, vertices: Vec<VertexRef>) {
    open(editor);
    let Some(model) = editor.model().cloned() else { return };
    if let Some(bone) = bone {
        select::bones(editor, &[bone], Pick::Only);
    }
    if editor.session.workspace.display.shading != Shading::BoneColors {
        editor.session.workspace.display.shade(Shading::Weights);
    }
    let all = editor.caches.bounds(&model).posed(&editor.view().pose).radius();
    let bounds = Aabb::of(vertices.iter().filter_map(|at| place_of(&model, *at)));
    editor.frame(&bounds, all * 0.2);
    if let Some(desk) = editor.session.transient.scene.rig_mut() {
        (desk.vertex, desk.marked) = (vertices.first().copied(), vertices);
    }
}

/// Computes weights, in one undo step.
fn bind(editor: &mut Editor, binding: Binding) {
    transaction::commit(editor);
    let desk = editor.session.transient.scene.rig().cloned().unwrap_or_default();
    let Some(model) = editor.model().cloned() else { return info(editor, needs::NO_MODEL) };
    let parts = match binding {
        Binding::Rigid => Parts::Rigid,
        _ if desk.has_rigid_parts => Parts::Proposed,
        _ => Parts::Smooth,
    };
    if let Binding::Mesh(mesh) = binding
        && !is_bindable(&model, mesh)
    {
        return info(editor, "One bone moves all of the mesh, as it does with what is held.");
    }
    let scope = match binding {
        Binding::Automatic | Binding::Rigid => Scope::All,
        Binding::Bones => Scope::Bones(selected(editor)),
        Binding::Mesh(mesh) => Scope::Mesh(mesh),
    };
    work(editor, RigWork { model, options: desk.weights, task: Task::Bind(parts, scope) });
}

/// Takes weights of a model, in one undo step.
fn transfer(editor: &mut Editor, from: &str, mesh: Option<usize>) {
    transaction::commit(editor);
    let options = editor.session.transient.scene.rig().map(|desk| desk.weights).unwrap_or_default();
    let Some(model) = editor.model().cloned() else { return info(editor, needs::NO_MODEL) };
    let Some(from) = editor.document.models.iter().find(|other| other.name == from).cloned() else {
        return error(editor, format!("There is no model \"{from}\"."));
    };
    if from.name == model.name && mesh.is_none() {
        return info(editor, "Click a mesh first: it takes the weights of the others.");
    }
    if !model.is_skinned()
        && let Some(reason) = templates::refusal(&model)
    {
        return info(editor, reason);
    }
    work(editor, RigWork { model, options, task: Task::Transfer { from, mesh } });
}

/// Does work, or leaves it to the app if it takes long.
pub(super) fn work(editor: &mut Editor, work: RigWork) {
    if work.is_long() && editor.caches.rig_work.is_on() {
        return editor.caches.rig_work.leave(Some(work));
    }
    let made = work.run(&mut unheard);
    finish(editor, &work, made);
}

/// Puts the model that was made into the document, in one undo step, or shows markers.
fn finish(editor: &mut Editor, work: &RigWork, made: Result<Made, RigError>) {
    transaction::commit(editor);
    let Some(model) = editor.document.models.iter().position(|model| Arc::ptr_eq(model, &work.model)) else {
        let name = &work.model.name;
        return info(editor, format!("{name}: it was changed meanwhile, so what was computed for it is not used."));
    };
    match made {
        Ok(Made::Markers(placing)) if model == editor.session.focus.model => templates::placed(editor, placing),
        Ok(Made::Markers(_)) => {
            let name = &work.model.name;
            info(editor, format!("{name}: another model was opened meanwhile, so its markers are not used."));
        }
        Ok(Made::Model(with)) => {
            step(editor, work.label(), ModelEdit::Replace { model, with });
            if matches!(work.task, Task::Make(..)) {
                templates::cancel(editor);
            }
        }
        // The notice of the cancelled job says so.
        Err(RigError::Cancelled) => {}
        Err(reason) => error(editor, format!("{}: {reason}", work.model.name)),
    }
}
