//! The mouse over the viewport while no gesture takes it: hovering, picking, box selection, and grabbing the gizmo.

use glam::Vec2;

use crate::editor::gesture::limits::{Gauge, LimitHandle};
use crate::editor::gesture::{gizmo, pick, rig};
use crate::editor::ops::limb::Limb;
use crate::editor::session::Session;
use crate::editor::session::pointer::{PointerEvent, PointerKind, Press};
use crate::editor::session::selection::Pick;
use crate::editor::session::switch::Switch;
use crate::editor::session::tool::{Handle, Tool};
use crate::editor::view::View;
use crate::editor::view::mesh_trees::MeshTrees;
use keypose::anim::skeleton::{BoneIndex, Skeleton};
use keypose_tools::rig::vertex::VertexRef;

/// The handle or bone under the mouse.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hovered {
    /// The handle of the gizmo.
    pub handle: Option<Handle>,
    /// The bone; `None` over a handle.
    pub bone: Option<BoneIndex>,
}

/// The response to a pointer event. `update` applies it.
#[derive(Clone, Debug, PartialEq)]
pub enum ViewportResponse {
    /// Nothing changes.
    Ignore,
    /// Highlights the handle or bone under the mouse.
    Hover(Hovered),
    /// Starts to drag a handle of the gizmo.
    Grab(Handle),
    /// The button went down: a click or a box begins.
    Press(Hovered, Press),
    /// A click or a box ended.
    Select {
        /// The bones under the mouse or in the box.
        bones: Vec<BoneIndex>,
        /// How they change the selection.
        pick: Pick,
    },
    /// A click or a box ended and changes nothing.
    Release,
    /// Selects the chain of the bone that the first click picked.
    SelectChain,
    /// Starts to drag a handle of the active bone's joint limit, in the rig mode.
    DragLimit(LimitHandle),
    /// Shows the weights of a vertex, in the rig mode.
    PickVertex(VertexRef),
    /// Starts to drag the joint on which the button was pressed at that pixel, in the rig mode.
    DragJoint(BoneIndex, Vec2),
    /// Starts to drag the end effector on which the button was pressed at that pixel, with the IK tool.
    DragLimb(BoneIndex, Vec2),
}

/// The response to a pointer event.
pub fn respond(session: &Session, view: &View, trees: &MeshTrees, event: &PointerEvent) -> ViewportResponse {
    match event.kind {
        PointerKind::Moved if session.transient.pointer.press.is_some() => drag(session, view, trees, event.pixel),
        PointerKind::Moved => ViewportResponse::Hover(hovered(session, view, trees, event.pixel)),
        PointerKind::Pressed => press(session, view, trees, event),
        PointerKind::Released => release(session, view, trees, event.pixel),
        PointerKind::DoubleClicked => ViewportResponse::SelectChain,
        PointerKind::MenuClicked => menu(session, view, trees, event.pixel),
        PointerKind::Exited => ViewportResponse::Hover(Hovered::default()),
    }
}

/// In the rig mode, a drag that starts on a joint moves it; with the IK tool, one that starts on a bone with a limb above moves that.
fn drag(session: &Session, view: &View, trees: &MeshTrees, pixel: Vec2) -> ViewportResponse {
    let point = session.workspace.pixels_per_point;
    let pressed = session.transient.pointer.press.filter(|press| press.is_drag(pixel, point));
    let Some(Press { pixel, .. }) = pressed.filter(|press| !press.held.shift && !press.is_box) else {
        return ViewportResponse::Ignore;
    };
    let dragged = if session.transient.scene.rig().is_some() {
        rig::joint(session, view, pixel).map(|joint| ViewportResponse::DragJoint(joint, pixel))
    } else {
        limb_at(session, view, trees, pixel).map(|bone| ViewportResponse::DragLimb(bone, pixel))
    };
    dragged.unwrap_or(ViewportResponse::Ignore)
}

/// The bone at a pixel that the IK tool can drag.
fn limb_at(session: &Session, view: &View, trees: &MeshTrees, pixel: Vec2) -> Option<BoneIndex> {
    if session.workspace.tool != Tool::Reach || !session.is_posable() {
        return None;
    }
    let (model, at) = (view.model.as_deref()?, bone_at(session, view, trees, pixel)?);
    let bone = if session.focus.selection.has_bone(at) { at } else { end_of(&model.skeleton, at) };
    let is_dragged = || Limb::above(model, bone, session.workspace.chain_joints).is_some();
    (session.is_on(Switch::WholeBody) || is_dragged()).then_some(bone)
}

/// The foot of a toe, the hand of a finger: the parent of a bone that is short beside it. Else the bone.
fn end_of(skeleton: &Skeleton, bone: BoneIndex) -> BoneIndex {
    let length = |bone: BoneIndex| skeleton.bones()[usize::from(bone)].rest.translation.length();
    skeleton.parent(bone).filter(|&parent| length(bone) < length(parent) * 0.5).unwrap_or(bone)
}

fn hovered(session: &Session, view: &View, trees: &MeshTrees, pixel: Vec2) -> Hovered {
    let is_rig = session.transient.scene.rig().is_some();
    if let Some(joint) = rig::joint(session, view, pixel).filter(|_| is_rig) {
        return Hovered { handle: None, bone: Some(joint) };
    }
    match gizmo::hit(session, view, pixel).filter(|_| !is_rig) {
        Some(handle) => Hovered { handle: Some(handle), bone: None },
        None => Hovered { handle: None, bone: pick::bone(session, view, trees, pixel) },
    }
}

fn press(session: &Session, view: &View, trees: &MeshTrees, event: &PointerEvent) -> ViewportResponse {
    let has_handles = session.transient.scene.rig().is_some_and(|desk| !desk.paint.is_on);
    let limit = Gauge::of(session, view).filter(|_| has_handles).and_then(|gauge| gauge.hit(session, event.pixel));
    if let Some(handle) = limit {
        return ViewportResponse::DragLimit(handle);
    }
    let hovered = hovered(session, view, trees, event.pixel);
    let is_box = session.transient.pointer.is_boxing;
    match hovered.handle {
        Some(handle) if !is_box => ViewportResponse::Grab(handle),
        _ => ViewportResponse::Press(hovered, Press { pixel: event.pixel, held: event.held, is_box }),
    }
}

/// A click picks the bone, or the bone that moves the mesh there; a drag picks the bones in the box.
fn release(session: &Session, view: &View, trees: &MeshTrees, pixel: Vec2) -> ViewportResponse {
    let Some(press) = session.transient.pointer.press else { return ViewportResponse::Ignore };
    let has_shift = press.held.shift;
    if press.is_drag(pixel, session.workspace.pixels_per_point) {
        let bones = pick::bones_in_box(session, view, press.pixel, pixel);
        return ViewportResponse::Select { bones, pick: if has_shift { Pick::Add } else { Pick::Only } };
    }
    let is_weighing = session.transient.scene.rig().is_some() && session.workspace.display.shading.shows_weights();
    if is_weighing && rig::joint(session, view, pixel).is_none() {
        let ray = session.focus.camera.ray(pixel, session.workspace.viewport);
        if let Some(at) = pick::vertex_of_mesh(view, trees, &ray) {
            return ViewportResponse::PickVertex(at);
        }
    }
    match (bone_at(session, view, trees, pixel), has_shift) {
        (Some(bone), true) => ViewportResponse::Select { bones: vec![bone], pick: Pick::Toggle },
        (None, true) => ViewportResponse::Release,
        (bone, false) => ViewportResponse::Select { bones: bone.into_iter().collect(), pick: Pick::Only },
    }
}

/// The context menu acts on the selection: a bone that is not part of it replaces it.
fn menu(session: &Session, view: &View, trees: &MeshTrees, pixel: Vec2) -> ViewportResponse {
    match bone_at(session, view, trees, pixel).filter(|bone| !session.focus.selection.has_bone(*bone)) {
        Some(bone) => ViewportResponse::Select { bones: vec![bone], pick: Pick::Only },
        None => ViewportResponse::Ignore,
    }
}

fn bone_at(session: &Session, view: &View, trees: &MeshTrees, pixel: Vec2) -> Option<BoneIndex> {
    if session.transient.scene.rig().is_some() {
        // Joints and bones alone: a click beside them deselects.
        return rig::joint(session, view, pixel).or_else(|| pick::bone(session, view, trees, pixel));
    }
    pick::bone(session, view, trees, pixel).or_else(|| pick::bone_of_mesh(session, view, trees, pixel))
}
