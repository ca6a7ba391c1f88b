//! Gestures: edits in progress. Each preview is the whole change since the base document, so nothing drifts and a
//! cancel is free. Everything here is pure: events go in, and values that `update` applies come out.

use crate::editor::document::Document;
use crate::editor::document::edit::Label;
use crate::editor::gesture::duration::DurationEntry;
use crate::editor::gesture::keys::KeyDrag;
use crate::editor::gesture::level::LevelDrag;
use crate::editor::gesture::limits::LimitDrag;
use crate::editor::gesture::paint::PaintDrag;
use crate::editor::gesture::path::PathDrag;
use crate::editor::gesture::poses::PoseDrag;
use crate::editor::gesture::rig::RigDrag;
use crate::editor::gesture::slide::SlideDrag;
use crate::editor::gesture::transform::TransformDrag;
use crate::editor::posing::change::Change;
use crate::editor::session::Session;
use crate::editor::session::place::Place;
use crate::editor::session::pointer::{ModalKey, PointerEvent, PointerKind};
use crate::editor::session::tool::TransformKind;
use keypose::assets::model::Model;

pub mod body;
pub mod duration;
pub mod gizmo;
pub mod ik;
pub mod keys;
pub mod level;
pub mod limits;
pub mod paint;
pub mod path;
pub mod pick;
pub mod poses;
pub mod rig;
pub mod screen;
pub mod slide;
pub mod transform;
pub mod typed;
pub mod viewport;

/// An open gesture.
#[derive(Clone, Debug)]
pub struct Gesture {
    /// The name of its undo step.
    pub label: Label,
    /// The document before the gesture. Every preview is applied to it.
    pub base: Document,
    /// Where the user was when it began.
    pub place: Place,
    /// Turns events into previews.
    pub driver: Driver,
}

/// The driver of a gesture.
#[derive(Clone, Debug)]
pub enum Driver {
    /// A widget of a panel. It previews, commits and cancels with actions.
    Widget,
    /// A transform of bones in the viewport.
    Transform(Box<TransformDrag>),
    /// A blend of the pose with its neighbouring keyframes, or a delay of a chain of bones.
    Slide(SlideDrag),
    /// A stroke that a bone follows.
    Path(Box<PathDrag>),
    /// A drag of keys on the timeline.
    Keys(KeyDrag),
    /// A duration that is typed over the pose strip.
    Duration(DurationEntry),
    /// A reduction of clips to few poses.
    Poses(PoseDrag),
    /// A drag of things of a level.
    Level(Box<LevelDrag>),
    /// A drag of joints.
    Rig(Box<RigDrag>),
    /// A stroke of weights.
    Paint(Box<PaintDrag>),
    /// A drag of the handle of a joint limit.
    Limit(Box<LimitDrag>),
}

/// The result of an event that an open gesture received. `update` applies it.
#[derive(Clone, Debug, PartialEq)]
pub enum Drag {
    /// The gesture does not use such events; the viewport responds as if no gesture were open.
    Pass,
    /// Nothing changes.
    Ignore,
    /// Replaces the preview.
    Preview(Change),
    /// Replaces the preview; this and later IK drags rotate `joints` joints.
    SetJoints {
        /// From 1 to [`crate::editor::ops::limb::MAX_JOINTS`].
        joints: usize,
        preview: Change,
    },
    /// Makes the preview an undo step.
    Commit,
    /// Restores the base document.
    Cancel,
    /// Cancels, then starts another transform at the mouse.
    Restart(TransformKind),
    /// Shows why the gesture can't end yet.
    Refuse(String),
}

impl Gesture {
    /// Whether key strokes and clicks go to the gesture until it ends. Gestures of widgets end with their widget.
    pub fn takes_keys(&self) -> bool {
        match &self.driver {
            Driver::Widget => false,
            Driver::Keys(drag) => drag.is_modal,
            Driver::Transform(_)
            | Driver::Slide(_)
            | Driver::Path(_)
            | Driver::Duration(_)
            | Driver::Poses(_)
            | Driver::Level(_)
            | Driver::Rig(_)
            | Driver::Paint(_)
            | Driver::Limit(_) => true,
        }
    }

    /// The status line of a drag in the viewport: "Rotate 35.0°".
    pub fn status(&self) -> Option<String> {
        match &self.driver {
            Driver::Transform(drag) => Some(drag.status()),
            Driver::Slide(drag) => Some(drag.status()),
            Driver::Path(drag) => Some(drag.status()),
            Driver::Poses(drag) => drag.status(),
            Driver::Level(drag) => Some(drag.status()),
            Driver::Rig(drag) => Some(drag.status()),
            Driver::Paint(drag) => Some(drag.status()),
            Driver::Limit(drag) => Some(drag.status()),
            Driver::Widget | Driver::Keys(_) | Driver::Duration(_) => None,
        }
    }

    /// The transform that drives it.
    pub fn transform(&self) -> Option<&TransformDrag> {
        if let Driver::Transform(drag) = &self.driver { Some(drag) } else { None }
    }

    /// The stroke of weights that drives it.
    pub fn paint(&self) -> Option<&PaintDrag> {
        if let Driver::Paint(drag) = &self.driver { Some(drag) } else { None }
    }

    /// The path that is drawn.
    pub fn path(&self) -> Option<&PathDrag> {
        if let Driver::Path(drag) = &self.driver { Some(drag) } else { None }
    }

    /// The drag of keys that drives it.
    pub fn keys(&self) -> Option<&KeyDrag> {
        if let Driver::Keys(drag) = &self.driver { Some(drag) } else { None }
    }

    /// The duration that is being typed.
    pub fn duration(&self) -> Option<&DurationEntry> {
        if let Driver::Duration(entry) = &self.driver { Some(entry) } else { None }
    }

    /// The reduction to poses that drives it.
    pub fn poses(&self) -> Option<&PoseDrag> {
        if let Driver::Poses(drag) = &self.driver { Some(drag) } else { None }
    }

    /// Handles the mouse over the viewport.
    pub fn pointer(&mut self, session: &Session, event: &PointerEvent) -> Drag {
        match &mut self.driver {
            Driver::Widget | Driver::Keys(_) | Driver::Duration(_) | Driver::Poses(_) => Drag::Pass,
            Driver::Transform(drag) => drag.pointer(session, event),
            Driver::Slide(drag) => drag.pointer(event),
            Driver::Path(drag) => drag.pointer(session, event),
            Driver::Level(drag) => drag.pointer(session, event),
            Driver::Rig(drag) => drag.pointer(&self.base, session, event),
            Driver::Paint(drag) => drag.pointer(session, event),
            Driver::Limit(drag) => drag.pointer(model_of(&self.base, session), session, event),
        }
    }

    /// Handles a key of the keyboard.
    pub fn key(&mut self, session: &Session, key: ModalKey) -> Drag {
        match &mut self.driver {
            Driver::Widget => Drag::Ignore,
            Driver::Transform(drag) => drag.key(session, key),
            Driver::Slide(drag) => drag.key(key),
            Driver::Path(drag) => drag.key(key),
            Driver::Poses(drag) => drag.key(key),
            Driver::Level(drag) => drag.key(key),
            Driver::Rig(drag) => drag.key(&self.base, session, key),
            Driver::Paint(drag) => drag.key(key),
            Driver::Limit(drag) => drag.key(model_of(&self.base, session), key),
            Driver::Keys(drag) => drag.key(&self.base, session, key),
            Driver::Duration(entry) => entry.key(&self.base, session.focus.clip, key),
        }
    }
}

/// The active model of a document.
fn model_of<'d>(document: &'d Document, session: &Session) -> Option<&'d Model> {
    document.models.get(session.focus.model).map(|model| &**model)
}

/// The result of a mouse event in a drag; `None` for a move. A modal drag ends with a click, another one when the button is released.
fn end(kind: PointerKind, is_modal: bool) -> Option<Drag> {
    match (kind, is_modal) {
        (PointerKind::Moved, _) => None,
        (PointerKind::Pressed | PointerKind::DoubleClicked, true) | (PointerKind::Released, false) => {
            Some(Drag::Commit)
        }
        (PointerKind::Pressed | PointerKind::DoubleClicked, false)
        | (PointerKind::Released, true)
        | (PointerKind::Exited | PointerKind::MenuClicked, _) => Some(Drag::Ignore),
    }
}
