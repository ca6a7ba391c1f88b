//! Gestures: an edit that is being made. Each preview is the whole change since the base, so nothing drifts and cancel
//! is free. The mouse and keys over the viewport are pure state machines: pixels and rays in, previews out.

use crate::editor::action::Label;
use crate::editor::document::Document;
use crate::editor::history::Place;

pub mod gizmo;
pub mod pick;
pub mod pointer;
pub mod reach;
pub mod transform;
pub mod viewport;

/// An open gesture.
#[derive(Clone, Debug)]
pub struct Gesture {
    /// What the step will be called.
    pub label: Label,
    /// The document as it was: every preview is applied to this one.
    pub base: Document,
    /// Where the user was.
    pub place: Place,
    /// The transform of bones that drives it, where one does.
    pub transform: Option<transform::Transforming>,
}
