//! Parts of the forms of states, transitions and layers: applying a change, and the names that are offered.

use crate::editor::ops::machine_edit::MachineEdit;
use crate::editor::panels::machine::{edit, gesture};
use crate::editor::panels::ui::prelude::*;
use keypose::anim::machine::parts::{MachineParts, Value};
use keypose::assets::machine::Graph;

/// A duration in ticks of 1/60 s, of a value in seconds.
pub const TICKS: Number = Number::new("%.0f", 0.1).within(0.0, 3600.0).unit("ticks").per(60.0);

/// The shown name of a state without a clip.
pub const NO_CLIP: Option<&str> = Some("rest pose");

/// Does what the touch of a field asks for.
pub fn apply(ui: &Ui<'_>, graph: &Graph, touch: Touch, wanted: MachineEdit) {
    if touch == Touch::AT_ONCE {
        edit(ui, wanted);
    } else {
        gesture(ui, graph, touch, &wanted);
    }
}

/// The names of a model's clips.
pub fn clips(model: &Model) -> impl Iterator<Item = &str> {
    model.clips.iter().map(|slot| slot.clip.name.as_str())
}

/// The names of the number parameters.
pub fn numbers(parts: &MachineParts) -> impl Iterator<Item = &str> {
    let numbers = parts.parameters.iter().filter(|it| matches!(it.value, Value::Number(_)));
    numbers.map(|parameter| parameter.name.as_str())
}
