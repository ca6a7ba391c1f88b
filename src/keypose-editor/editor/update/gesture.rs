//! Applies what gestures return: events go to the open gesture, and its result changes the editor.

use crate::editor::document::Document;
use crate::editor::gesture::body::Footing;
use crate::editor::gesture::keys::KeyDrag;
use crate::editor::gesture::poses::PoseDrag;
use crate::editor::gesture::transform::TransformDrag;
use crate::editor::gesture::viewport::{self, Hovered, ViewportResponse};
use crate::editor::gesture::{Drag, Driver, Gesture};
use crate::editor::session::Session;
use crate::editor::session::pointer::{ModalKey, PointerEvent, PointerKind};
use crate::editor::session::selection::Pick;
use crate::editor::session::tool::{Constraint, Handle, TransformKind};
use crate::editor::state::Editor;
use crate::editor::state::action::GestureAction;
use crate::editor::state::targets;
use crate::editor::update::{info, levels, paint, rig, select, templates, transaction, warning};
use crate::editor::view::View;

/// Handles the mouse and the keys in the viewport.
pub fn act(editor: &mut Editor, action: GestureAction) {
    match action {
        GestureAction::Pointer(event) => pointer(editor, &event),
        GestureAction::Transform(kind) => start_transform(editor, kind),
        GestureAction::Modal(key) => self::key(editor, key),
        GestureAction::BoxSelect => editor.session.transient.pointer.is_boxing = true,
    }
}

/// Handles the mouse over the viewport.
fn pointer(editor: &mut Editor, event: &PointerEvent) {
    if !event.pixel.is_finite() {
        return;
    }
    editor.session.transient.pointer.is_inside = event.kind != PointerKind::Exited;
    if event.kind != PointerKind::Exited {
        editor.session.transient.pointer.pixel = event.pixel;
    }
    match &mut editor.gesture {
        Some(gesture) => {
            let (drag, is_painting) = (gesture.pointer(&editor.session, event), gesture.paint().is_some());
            if drag == Drag::Pass {
                respond(editor, event)
            } else {
                apply(editor, drag)
            }
            if is_painting {
                paint::hover(editor);
            }
        }
        None => respond(editor, event),
    }
}

/// Handles a key of the keyboard while a gesture is open.
pub fn key(editor: &mut Editor, key: ModalKey) {
    drive(editor, |gesture, session| gesture.key(session, key));
}

/// Handles an event of the drag of keys that is open.
pub fn key_drag(editor: &mut Editor, event: impl FnOnce(&mut KeyDrag, &Document, &Session) -> Drag) {
    drive(editor, |gesture, session| {
        if let Driver::Keys(drag) = &mut gesture.driver { event(drag, &gesture.base, session) } else { Drag::Ignore }
    });
}

/// Handles an event of the reduction to poses that is open.
pub fn pose_drag(editor: &mut Editor, event: impl FnOnce(&mut PoseDrag) -> Drag) {
    drive(editor, |gesture, _| if let Driver::Poses(drag) = &mut gesture.driver { event(drag) } else { Drag::Ignore });
}

fn drive(editor: &mut Editor, event: impl FnOnce(&mut Gesture, &Session) -> Drag) {
    let drag = editor.gesture.as_mut().map(|gesture| event(gesture, &editor.session));
    apply(editor, drag.unwrap_or(Drag::Ignore));
}

fn apply(editor: &mut Editor, drag: Drag) {
    match drag {
        Drag::Pass | Drag::Ignore => {}
        Drag::Preview(change) => transaction::preview(editor, &change),
        Drag::SetJoints { joints, preview } => {
            editor.session.workspace.chain_joints = joints;
            transaction::preview(editor, &preview);
        }
        Drag::Commit => {
            transaction::confirm(editor);
            editor.session.transient.pointer.hot = None;
        }
        Drag::Cancel => transaction::cancel(editor),
        Drag::Restart(kind) => {
            transaction::cancel(editor);
            start_transform(editor, kind);
        }
        Drag::Refuse(reason) => warning(editor, reason),
    }
}

/// Starts a transform of the selected bones that ends with a click.
fn start_transform(editor: &mut Editor, kind: TransformKind) {
    start(editor, |view, session, footing| TransformDrag::modal(view, session, kind, footing));
}

/// Refuses to pose bones in a derived clip. Volumes and sockets are the model's.
fn is_refused(editor: &mut Editor) -> bool {
    !editor.session.focus.selection.has_part() && transaction::refuse_derived(editor)
}

fn grab(editor: &mut Editor, handle: Handle) {
    start(editor, |view, session, footing| TransformDrag::of_handle(view, session, handle, footing));
}

/// Starts a transform of the selected bones, volume or socket, or shows why there is none.
fn start(editor: &mut Editor, make: impl FnOnce(&View, &Session, Option<&Footing>) -> Option<TransformDrag>) {
    transaction::show_clip(editor);
    if is_refused(editor) {
        return;
    }
    let view = editor.view();
    let footing = Footing::of(editor.source(), &view);
    match make(&view, &editor.session, footing.as_ref()) {
        Some(drag) => {
            let label = drag.label().into();
            transaction::begin_with(editor, label, Driver::Transform(Box::new(drag)));
        }
        None => info(editor, "Select a bone first."),
    }
}

/// The viewport responds to the mouse.
fn respond(editor: &mut Editor, event: &PointerEvent) {
    if editor.session.transient.scene.level().is_some() {
        return levels::pointer(editor, event);
    }
    if editor.session.transient.scene.rig().is_some_and(|desk| desk.placing.is_some()) {
        return templates::pointer(editor, event);
    }
    if editor.session.transient.scene.rig().is_some_and(|desk| desk.paint.is_on) {
        return paint::pointer(editor, event);
    }
    let response = viewport::respond(&editor.session, &editor.view(), &editor.caches.trees, event);
    let pointer = &mut editor.session.transient.pointer;
    match response {
        ViewportResponse::Ignore => {}
        ViewportResponse::Hover(hovered) => hover(editor, hovered),
        ViewportResponse::Grab(handle) => {
            hover(editor, Hovered { handle: Some(handle), bone: None });
            grab(editor, handle);
        }
        ViewportResponse::Press(hovered, press) => {
            (pointer.is_boxing, pointer.press) = (false, Some(press));
            hover(editor, hovered);
        }
        ViewportResponse::Select { bones, pick } => {
            pointer.press = None;
            select::bones(editor, &bones, pick);
        }
        ViewportResponse::Release => pointer.press = None,
        ViewportResponse::DragLimit(handle) => rig::grab_limit(editor, handle),
        ViewportResponse::PickVertex(at) => rig::pick_vertex(editor, at),
        ViewportResponse::DragJoint(joint, pixel) => {
            rig::grab(editor, joint, pixel);
            // The mouse has moved since.
            self::pointer(editor, event);
        }
        ViewportResponse::DragLimb(bone, pixel) => {
            pointer.press = None;
            if !editor.session.focus.selection.has_bone(bone) {
                select::bones(editor, &[bone], Pick::Only);
            }
            editor.session.transient.pointer.pixel = pixel;
            grab(editor, Handle { kind: TransformKind::Reach, constraint: Constraint::Free });
            // The mouse has moved since.
            self::pointer(editor, event);
        }
        ViewportResponse::SelectChain => select::bones(editor, &targets::chain(editor), Pick::Add),
    }
}

fn hover(editor: &mut Editor, hovered: Hovered) {
    editor.session.transient.pointer.hot = hovered.handle;
    editor.session.transient.hover = hovered.bone;
}
