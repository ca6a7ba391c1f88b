//! A place in the document that undo returns to.

use crate::editor::session::machine::Picked;
use crate::editor::session::selection::Selection;
use keypose::anim::time::Time;
use keypose::assets::id::ClipId;
use keypose::assets::level::thing::ThingRef;

/// The active items of the user, stored with each undo step, so that undo shows the changed item.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Place {
    pub model: usize,
    pub clip: Option<ClipId>,
    pub time: Time,
    pub loop_section: Option<(Time, Time)>,
    pub selection: Selection,
    /// The index of the open level and its selected things, the active one last.
    pub things: Option<(usize, Vec<ThingRef>)>,
    /// The selected item of the state machine.
    pub machine: Picked,
}
