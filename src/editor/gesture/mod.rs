//! Gestures: an edit that is being made. Each preview is the whole change since the base, so nothing drifts and cancel
//! is free. The mouse and keys over the viewport are pure state machines: pixels and rays in, previews out.

use crate::editor::document::Document;
use crate::editor::document::edit::Label;
use crate::editor::session::place::Place;

pub mod gizmo;
pub mod keys;
pub mod pick;
pub mod reach;
pub mod slide;
pub mod transform;
pub mod typed;
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
    /// The mix with the neighbours that drives it, where one does.
    pub slide: Option<slide::Slide>,
    /// The keys in hand on the time line, where some are.
    pub keys: Option<keys::KeysInHand>,
    /// The duration that is being typed, where one is.
    pub typed: Option<typed::TypedDuration>,
}

impl Gesture {
    /// True where the mouse and the keys drive it without a widget: it ends by a click, Enter or Esc.
    pub fn is_driven(&self) -> bool {
        let has_keys = self.keys.as_ref().is_some_and(|keys| keys.is_modal);
        self.transform.is_some() || self.slide.is_some() || self.typed.is_some() || has_keys
    }

    /// One line that says what a driven gesture does.
    pub fn text(&self) -> Option<String> {
        let transform = self.transform.as_ref().map(transform::Transforming::text);
        transform.or_else(|| self.slide.as_ref().map(slide::Slide::text))
    }
}
