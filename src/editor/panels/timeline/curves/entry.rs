//! The time and values of the selected key as number fields.

use crate::editor::panels::ui::Ui;
use glam::Vec3;

use crate::anim::key::Channel;
use crate::anim::time::Time;
use crate::assets::id::ClipId;
use crate::editor::document::edit::KeyEdit;
use crate::editor::ops::curves;
use crate::editor::panels::timeline::curves::Graph;
use crate::editor::panels::ui::frame::Align;
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::theme::faded;
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::Number;
use crate::editor::posing::change::Change;
use crate::editor::posing::key_times::{Grid, KeyTimes, KeysChange};

/// Width of a number.
const FIELD: f32 = 72.0;

/// Draws the fields if exactly one key is selected.
pub fn entry_ui(ui: &Ui<'_>, graph: &Graph<'_>, id: ClipId) {
    let keys = &ui.session.focus.selection.keys;
    let (Some(&key), 1) = (keys.first(), keys.len()) else { return };
    let mut lines = graph.lines.iter().filter(|line| (line.of.bone, line.of.channel) == (key.bone, key.channel));
    let Some(there) = lines.next().and_then(|line| line.of.key(key.keyframe)) else { return };
    let width = FIELD * 4.0 + 70.0;
    let place = Rect::at([graph.area.max[0] - width - 6.0, graph.area.min[1] + 5.0], [width, widgets::FIELD + 4.0]);
    ui.fill(place, faded(ui.theme.bar, 0.94), 5.0);
    let label = Rect::at([place.min[0] + 8.0, place.min[1]], [56.0, place.size()[1]]);
    ui.text_in(label, Align::Left, ui.theme.quiet, key.channel.name());
    let x = |at: usize| place.min[0] + 64.0 + at as f32 * (FIELD + 1.0);
    let y = place.min[1] + 2.0;

    ui.set_cursor_screen_pos([x(0), y]);
    let mut frame = graph.clip.frame_rate.frames_in(there.time) as f32;
    let format = if (frames_off(frame)) < 0.01 { "%.0f" } else { "%.2f" };
    let how = Number { range: [0.0, 1e7], unit: "f", ..Number::new(format, 0.1) };
    let touch = widgets::number(ui, "curve-time", FIELD, &mut frame, how);
    ui.tip("Frame of the key", "drag, double-click to type");
    let before = key_before(ui, id);
    ui.gesture(touch, "Move key", || {
        let wanted = Time::from_secs(f64::from(frame) / graph.clip.frame_rate.fps());
        let times = KeyTimes::Shift(wanted - before.unwrap_or(there.time));
        let grid = if frames_off(frame) < 0.01 { None } else { Some(Grid::Free) };
        Change::Keys(KeysChange { grid, ..KeysChange::new(times) })
    });
    let is_rotation = key.channel == Channel::Rotation;
    let how = if is_rotation { Number::new("%.1f", 0.5) } else { Number::new("%.3f", 0.005) };
    for axis in 0..3 {
        ui.set_cursor_screen_pos([x(axis + 1), y]);
        let mut shown: Vec3 = there.shown;
        let how = Number { edge: Some(ui.theme.axes[axis]), unit: if is_rotation { "°" } else { "" }, ..how };
        let touch = widgets::number(ui, &format!("curve-value{axis}"), FIELD, &mut shown[axis], how);
        ui.tip(&format!("{} {} of the key", key.channel.name(), ["x", "y", "z"][axis]), "drag, double-click to type");
        ui.gesture(touch, "Set key value", || {
            let values = vec![(key, curves::value(key.channel, shown))];
            Change::Edits(vec![KeyEdit::SetValues { clip: id, values }.into()])
        });
    }
}

/// Distance from a whole frame.
fn frames_off(frame: f32) -> f32 {
    (frame - frame.round()).abs()
}

/// The key's time when its drag began.
fn key_before(ui: &Ui<'_>, id: ClipId) -> Option<Time> {
    let gesture = ui.editor.gesture.as_ref()?;
    let key = gesture.place.selection.keys.first()?;
    Some(gesture.base.clip(id)?.clip.start_of(key.keyframe))
}
