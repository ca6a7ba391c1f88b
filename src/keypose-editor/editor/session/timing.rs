//! The state of the timeline panel: view, filter, key drags. Not saved.

use crate::editor::document::edit::KeyRef;
use crate::editor::ops::choice::choice;
use std::collections::BTreeSet;

use glam::Vec3;

use crate::editor::document::edit::Original;
use crate::editor::ops::curves::CurveId;
use crate::editor::session::shortcuts::Modifiers;
use keypose::anim::time::Time;
use keypose::assets::combat::LaneKind;
use keypose::assets::euler_order::EulerOrder;

choice! {
    /// A view of the timeline panel.
    #[derive(Default)]
    pub enum TimeView {
        /// Keyframes as blocks.
        #[default]
        Strip = "Pose strip",
        /// Keys as marks, one row per bone and channel.
        Sheet = "Dope sheet",
        /// Values over time.
        Curves = "Curves",
    }
}

impl TimeView {
    /// The curves from the dope sheet, else the dope sheet.
    pub fn toggled(self) -> TimeView {
        if self == TimeView::Sheet { TimeView::Curves } else { TimeView::Sheet }
    }
}

/// The state of the timeline panel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Timing {
    /// The active view.
    pub view: TimeView,
    /// Shows only bones whose names contain this, ignoring case.
    pub filter: String,
    /// Whether the next drag draws a selection box, even if it starts on a key.
    pub is_boxing: bool,
    /// The curves in which keys were selected: a drag changes their values.
    pub curves: BTreeSet<CurveId>,
    /// The event whose name is being edited.
    pub naming: Option<usize>,
}

/// The mouse over the timeline.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TimePoint {
    /// The time under it, not snapped.
    pub time: Time,
    /// The vertical position in points, downwards, from any origin; only differences count.
    pub y: f32,
    /// The modifiers: Ctrl inverts snapping, Shift is precise.
    pub held: Modifiers,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum KeyDragKind {
    /// Moves the keys.
    Move,
    /// Moves the keys and all that follow (ripple).
    Ripple,
    /// Scales the keys about a time.
    Scale {
        /// The fixed time.
        about: Time,
    },
}

/// A value that changes with the vertical movement of the mouse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DraggedValue {
    pub key: KeyRef,
    /// The axis of the displayed value: 0 to 2.
    pub axis: usize,
    /// The change per point upwards.
    pub per_point: f32,
    /// The three displayed numbers, and the order of angles.
    pub shown: (Vec3, EulerOrder),
}

#[derive(Clone, Debug, PartialEq)]
pub struct KeyDragStart {
    pub kind: KeyDragKind,
    /// Whether copies move and the originals stay.
    pub original: Original,
    /// Whether it lasts until a click or Enter, else until the button is released.
    pub is_modal: bool,
    /// Values that change with the vertical movement; `None` if the panel decides.
    pub dragged_values: Option<Vec<DraggedValue>>,
    /// The position of the mouse, if known.
    pub from: Option<TimePoint>,
}

impl KeyDragStart {
    /// The selected keys follow the mouse until a click or Enter.
    pub fn modal(kind: KeyDragKind) -> KeyDragStart {
        KeyDragStart { kind, original: Original::Moves, is_modal: true, dragged_values: None, from: None }
    }
}

/// An action of the timeline panel.
#[derive(Clone, Debug, PartialEq)]
pub enum TimeAction {
    /// Shows a view.
    Show(TimeView),
    /// Sets the filter.
    Filter(String),
    /// Whether the next drag draws a selection box.
    SetBoxSelect(bool),
    StartKeyDrag(KeyDragStart),
    /// Starts typing the duration of keyframes, beginning with the typed character, if any.
    TypeDuration {
        /// Indices in the active clip.
        keyframes: Vec<usize>,
        /// A digit.
        first: Option<char>,
    },
    MouseMoved(TimePoint),
    /// Values that the running key drag changes.
    DragValues(Vec<DraggedValue>),
    /// The curves in which keys are selected.
    PickCurves(BTreeSet<CurveId>),
    /// Selects an event.
    PickEvent(Option<usize>),
    /// Starts or ends editing an event's name.
    RenameEvent(Option<usize>),
    /// Selects a range of a lane.
    PickRange(Option<(LaneKind, usize)>),
    /// Adds a range to a lane at the playhead: a hit with a volume on the active bone.
    AddRange(LaneKind),
    /// Selects all keys of the visible rows.
    SelectAll,
    /// Deselects keys, keyframes and events.
    SelectNone,
    /// Adds an event at the playhead and starts naming it.
    AddEvent,
    /// Gives the filter the keyboard focus.
    FocusFilter,
    /// Asks the panel to fit the keys into its view.
    Fit,
}
