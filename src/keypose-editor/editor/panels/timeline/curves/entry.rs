//! The time and values of the selected key as number fields.

use crate::editor::ops::curves;
use crate::editor::ops::curves::CurveKey;
use crate::editor::ops::time_text::is_whole;
use crate::editor::panels::timeline::curves::Graph;
use crate::editor::panels::ui::form::quantity;
use crate::editor::panels::ui::prelude::*;
use crate::editor::posing::key_times::{Grid, KeyTimes, KeysChange};
use keypose::assets::euler_order::EulerOrder;

/// Width of a number.
const FIELD: f32 = 72.0;

/// Draws the fields if exactly one key is selected.
pub fn entry_ui(ui: &Ui<'_>, graph: &Graph<'_>) {
    let keys = &ui.session.focus.selection.keys;
    let (Some(&key), 1) = (keys.first(), keys.len()) else { return };
    let mut lines = graph.lines.iter().filter(|line| (line.of.bone, line.of.channel) == (key.bone, key.channel));
    let Some(line) = lines.next() else { return };
    let Some(there) = line.of.key(key.keyframe) else { return };
    let width = FIELD * 4.0 + 70.0;
    let place = graph.area.inset(6.0, 5.0).right(width).top(widgets::FIELD + 4.0);
    ui.fill(place, faded(ui.theme.bar, 0.94), 5.0);
    let mut fields = place.trim_left(8.0);
    ui.text_in(fields.cut_left(56.0, 0.0), Align::Left, ui.theme.quiet, key.channel.name());
    fields = fields.trim_top(2.0);
    time_field(ui, graph, there.time, fields.cut_left(FIELD, 1.0));
    for axis in 0..key.channel.axes() {
        value_field(ui, graph.id, key, *there, line.of.reading.order, axis, fields.cut_left(FIELD, 1.0));
    }
}

/// Draws the field of the key's time, in frames.
fn time_field(ui: &Ui<'_>, graph: &Graph<'_>, time: Time, field: Rect) {
    let rate = graph.clip.frame_rate;
    let mut frame = rate.frames_in(time) as f32;
    let how = Number::new(if is_whole(frame) { "%.0f" } else { "%.2f" }, 0.1).within(0.0, 1e7).unit("f");
    let how = Number { measure: Measure::Frames(rate), ..how };
    let touch = quantity(ui, field, "curve-time", &mut frame, how);
    number_field::number_tip(ui, "Frame of the key");
    ui.gesture(touch, "Move key", || {
        let wanted = Time::from_secs(f64::from(frame) / rate.fps());
        let times = KeyTimes::Shift(wanted - time_before(ui, graph.id).unwrap_or(time));
        let grid = if is_whole(frame) { None } else { Some(Grid::Free) };
        Change::Keys(KeysChange { grid, ..KeysChange::new(times) })
    });
}

/// Draws the field of the key's value on an axis.
fn value_field(ui: &Ui<'_>, clip: ClipId, key: KeyRef, there: CurveKey, order: EulerOrder, axis: usize, field: Rect) {
    let mut shown = there.shown;
    let how = Number { edge: Some(ui.theme.axes[axis]), ..Number::of_channel(key.channel) };
    let touch = quantity(ui, field, &format!("curve-value{axis}"), &mut shown[axis], how);
    number_field::number_tip(ui, &format!("{} {} of the key", key.channel.name(), ["x", "y", "z"][axis]));
    ui.gesture(touch, "Set key value", || {
        if key.channel == Channel::Rotation {
            ui.send(BoneAction::NoteAngles { time: there.time, angles: vec![(key.bone, shown)] });
        }
        let values = vec![(key, curves::value(key.channel, shown, order))];
        Change::Edits(vec![KeyEdit::SetValues { clip, values }.into()])
    });
}

/// The key's time when its drag began.
fn time_before(ui: &Ui<'_>, id: ClipId) -> Option<Time> {
    let gesture = ui.editor.gesture.as_ref()?;
    let key = gesture.place.selection.keys.first()?;
    Some(gesture.base.clip(id)?.clip.start_of(key.keyframe))
}
