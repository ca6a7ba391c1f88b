//! A place in the document that undo returns to.

use crate::anim::time::Time;
use crate::assets::id::ClipId;
use crate::editor::session::selection::Selection;

/// Where the user was: travels with the steps, so that undo shows what it does.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs)]
pub struct Place {
    pub model: usize,
    pub clip: Option<ClipId>,
    pub time: Time,
    pub selection: Selection,
}
