//! What the panel of time shows and has in hand: views, rows, the keys that are moved. Not saved.

use crate::editor::document::edit::KeyRef;
use std::collections::BTreeSet;

use crate::anim::time::Time;
use crate::editor::document::edit::Original;
use crate::editor::ops::curves::CurveId;
use crate::editor::session::shortcuts::Modifiers;

/// How the clip is laid out in time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimeView {
    /// Keyframes as blocks.
    #[default]
    Strip,
    /// Keys as marks, a row for each bone and channel.
    Sheet,
    /// Values over time.
    Curves,
}

impl TimeView {
    /// All, in the order in which they are shown.
    pub const ALL: [TimeView; 3] = [TimeView::Strip, TimeView::Sheet, TimeView::Curves];

    /// The curves from the dope sheet, else the dope sheet.
    pub fn toggled(self) -> TimeView {
        if self == TimeView::Sheet { TimeView::Curves } else { TimeView::Sheet }
    }

    /// The word for panels.
    pub fn name(self) -> &'static str {
        match self {
            TimeView::Strip => "Strip",
            TimeView::Sheet => "Dope sheet",
            TimeView::Curves => "Curves",
        }
    }
}

/// What the panel of time shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Timing {
    /// Which of its views.
    pub view: TimeView,
    /// Only bones with this in their names, in any case.
    pub filter: String,
    /// The next drag draws a box, also where it starts on a key.
    pub is_boxing: bool,
    /// The curves in which keys were picked: what goes up and down with them.
    pub curves: BTreeSet<CurveId>,
    /// The event whose name is being typed.
    pub naming: Option<usize>,
}

/// The mouse over the time line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TimePoint {
    /// The time under it, not snapped.
    pub time: Time,
    /// Points down from wherever; only differences count.
    pub y: f32,
    /// What is held: Ctrl snaps the other way, Shift is fine.
    pub held: Modifiers,
}

/// What the mouse does with the keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Grip {
    /// They go along.
    Move,
    /// They go along, and all that follows them.
    Ripple,
    /// They spread from a time, or come nearer to it.
    Scale {
        /// What stays where it is.
        about: Time,
    },
}

/// A value that goes up and down with the mouse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lifted {
    /// Whose.
    pub key: KeyRef,
    /// Which of the numbers that are shown: 0 to 2.
    pub axis: usize,
    /// What a point up adds.
    pub per_point: f32,
}

/// How the selected keys are taken in hand.
#[derive(Clone, Debug, PartialEq)]
pub struct TakeKeys {
    /// What the mouse does with them.
    pub grip: Grip,
    /// Whether copies go and the originals stay.
    pub original: Original,
    /// Until a click or Enter; else until the button is let go.
    pub is_modal: bool,
    /// Values that go up and down with the mouse; `None`: the panel says which.
    pub lifted: Option<Vec<Lifted>>,
    /// Where the mouse is; else it starts where it is first seen.
    pub from: Option<TimePoint>,
}

impl TakeKeys {
    /// The selected keys follow the mouse until a click or Enter.
    pub fn modal(grip: Grip) -> TakeKeys {
        TakeKeys { grip, original: Original::Moves, is_modal: true, lifted: None, from: None }
    }
}

/// What was done in the panel of time.
#[derive(Clone, Debug, PartialEq)]
pub enum TimeAction {
    /// Another view.
    Show(TimeView),
    /// Other rows.
    Filter(String),
    /// Whether the next drag draws a box.
    Boxing(bool),
    /// Keys are taken in hand.
    Take(TakeKeys),
    /// The duration of these keyframes is typed from now on, beginning with the character that was struck, where one was.
    TypeDuration {
        /// Places in the open clip.
        keyframes: Vec<usize>,
        /// A digit.
        first: Option<char>,
    },
    /// The mouse moved, with or without keys in hand.
    Point(TimePoint),
    /// These values go up and down with the keys in hand.
    Lift(Vec<Lifted>),
    /// The curves in which keys are picked.
    PickCurves(BTreeSet<CurveId>),
    /// An event is selected.
    PickEvent(Option<usize>),
    /// An event's name is typed, or none is any more.
    Naming(Option<usize>),
    /// Selects all keys of the visible rows.
    SelectAll,
    /// Deselects keys, keyframes and events.
    SelectNone,
    /// Adds an event at the playhead and starts naming it.
    AddEvent,
    /// Gives the filter the keyboard focus.
    FocusFilter,
    /// Fits the keys into the view.
    Fit,
}
