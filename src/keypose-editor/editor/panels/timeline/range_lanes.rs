//! Lanes of ranges under the events: what hits, what can't be hit, cancels. Ranges are selected, moved and resized at whole
//! ticks. Ranges of a lane that overlap are drawn below each other. A clip without ranges has no lanes.

use crate::editor::panels::timeline::lane_menu;
use crate::editor::panels::timeline::panel::ClipLayout;
use crate::editor::panels::timeline::press::{Background, LaneDrag};
use crate::editor::panels::ui::prelude::*;
use keypose::assets::combat::{CancelWhen, LaneKind, Lanes, Range};

/// Height of a lane with one row.
pub const HEIGHT: f32 = 18.0;
/// Height of each further row.
const ROW: f32 = 14.0;
/// How near its ends a range is resized, in points.
const GRIP: f32 = 5.0;

/// The part of a range that a drag moves.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Part {
    Start,
    Whole,
    End,
}

/// A range being dragged, and the lanes before.
#[derive(Debug)]
struct Dragged {
    lane: LaneKind,
    at: usize,
    part: Part,
    lanes: Lanes,
}

/// The state of the mouse between frames.
#[derive(Debug, Default)]
pub struct RangeLanes {
    drag: LaneDrag<Dragged>,
}

/// The lanes of the open clip that have ranges.
pub fn used(ui: &Ui<'_>, layout: &ClipLayout<'_>) -> (Lanes, Vec<LaneKind>) {
    let lanes = ui.model().map(|model| model.combat.lanes_of(layout.id)).unwrap_or_default();
    let used = LaneKind::ALL.into_iter().filter(|lane| !lanes.ranges(*lane).is_empty()).collect();
    (lanes, used)
}

/// The height of a lane: overlapping ranges get rows of their own.
pub fn height(lanes: &Lanes, lane: LaneKind) -> f32 {
    let last_row = rows(&lanes.ranges(lane)).into_iter().max().unwrap_or(0);
    HEIGHT + last_row as f32 * ROW
}

/// The row of each range: the first one in which nothing before it overlaps it. The ranges are sorted by start.
fn rows(ranges: &[Range]) -> Vec<usize> {
    let mut ends: Vec<Time> = Vec::new();
    let row_of = |range: &Range| {
        let row = ends.iter().position(|end| *end <= range.start).unwrap_or(ends.len());
        ends.resize(ends.len().max(row + 1), Time::ZERO);
        ends[row] = range.end;
        row
    };
    ranges.iter().map(row_of).collect()
}

impl RangeLanes {
    pub fn ui(&mut self, ui: &Ui<'_>, layout: &ClipLayout<'_>, lanes: &Lanes, lane: LaneKind, area: Rect) {
        layout.lane_ui(ui, area, lane.name());
        let ground = Background::ui(ui, &format!("{} lane", lane.name().to_lowercase()), area);
        lane_menu::ground_ui(ui, layout, &ground);
        let ranges = lanes.ranges(lane);
        let rows = rows(&ranges);
        let last_row = rows.iter().copied().max().unwrap_or(0);
        for (at, (range, &row)) in ranges.iter().zip(&rows).enumerate() {
            let [left, right] = [range.start, range.end].map(|time| layout.scale.x(time));
            let top = area.min[1] + 1.0 + row as f32 * ROW;
            let height = if last_row == 0 { HEIGHT - 2.0 } else { ROW - 1.0 };
            let rect = Rect::at([left, top], [(right - left).max(4.0), height]);
            if rect.max[0] >= area.min[0] && rect.min[0] <= area.max[0] {
                self.range_ui(ui, lanes, (lane, at), rect);
            }
        }
    }

    fn range_ui(&mut self, ui: &Ui<'_>, lanes: &Lanes, range: (LaneKind, usize), rect: Rect) {
        let (lane, at) = range;
        let background = Background::ui(ui, &format!("{}{at}", lane.name().to_lowercase()), rect);
        let is_selected = ui.session.focus.selection.range == Some(range);
        let color = color(ui, lane);
        ui.fill(rect, faded(color, if is_selected || background.is_hovered { 0.75 } else { 0.5 }), 3.0);
        if is_selected {
            ui.outline(rect, ui.theme.selected, 3.0, 1.5);
        }
        let text = rect.trim_left(5.0).trim_right(3.0);
        if text.width() > 16.0 {
            ui.text_in_font(ui.fonts.small, text, Align::Left, ui.theme.text, &label(lanes, lane, at));
        }
        let mouse = ui.io().mouse_pos[0];
        if background.is_pressed && !ui.is_gesture_driven() {
            ui.send(TimeAction::PickRange(Some(range)));
            let part = if mouse > rect.max[0] - GRIP {
                Part::End
            } else if mouse < rect.min[0] + GRIP {
                Part::Start
            } else {
                Part::Whole
            };
            if ui.is_mouse_down(MouseButton::Left) {
                self.drag.start(ui, Dragged { lane, at, part, lanes: lanes.clone() });
            }
        }
        if background.is_hovered && !self.drag.is_open() {
            let ticks = lanes.ranges(lane)[at].ticks();
            let text = format!("{}: ticks {} to {}", lane.name(), ticks.start, ticks.end.max(ticks.start + 1) - 1);
            ui.tip(&text, "drag, or drag its ends");
        }
    }

    /// Continues a drag. Called once a frame.
    pub fn drag(&mut self, ui: &Ui<'_>, layout: &ClipLayout<'_>) {
        self.drag.step(ui, "Move range", |dragged, by| dragged.preview(ui, layout, layout.scale.span(by)));
    }
}

impl Dragged {
    /// Previews the range moved or resized by a duration, at whole ticks.
    fn preview(&self, ui: &Ui<'_>, layout: &ClipLayout<'_>, by: Time) {
        let mut lanes = self.lanes.clone();
        let Some(range) = lanes.range_mut(self.lane, self.at) else { return };
        *range = moved(*range, self.part, by, layout.clip.length());
        let place = lanes.sort_following(self.lane, self.at);
        let edit = ClipEdit::SetLanes { clip: layout.id, lanes: Box::new(lanes) };
        ui.send(DocumentAction::Preview(Change::Edits(vec![edit.into()])));
        ui.send(TimeAction::PickRange(place.map(|at| (self.lane, at))));
    }
}

/// The range with one end, or as a whole, moved to the nearest tick. It stays in the clip and keeps at least one tick.
fn moved(range: Range, part: Part, by: Time, length: Time) -> Range {
    let snapped = |time: Time| Time::TICK * (time.0 + Time::TICK.0 / 2).div_euclid(Time::TICK.0);
    let last = snapped(length);
    match part {
        Part::Start => {
            let start = snapped(range.start + by).clamp(Time::ZERO, (range.end - Time::TICK).max(Time::ZERO));
            Range { start, ..range }
        }
        Part::End => Range { end: snapped(range.end + by).min(last).max(range.start + Time::TICK), ..range },
        Part::Whole => {
            let size = range.end - range.start;
            let start = snapped(range.start + by).min(last - size).max(Time::ZERO);
            Range { start, end: start + size }
        }
    }
}

fn color(ui: &Ui<'_>, lane: LaneKind) -> [f32; 4] {
    match lane {
        LaneKind::Hits => ui.theme.hit,
        LaneKind::Hurts => ui.theme.hurt,
        LaneKind::Cancels => ui.theme.cancel,
        LaneKind::Invulnerable => ui.theme.event,
        LaneKind::Contacts => ui.theme.contact,
    }
}

/// The contents of a range in a few words.
fn label(lanes: &Lanes, lane: LaneKind, at: usize) -> String {
    match lane {
        LaneKind::Hits => lanes.hits.get(at).map_or_else(String::new, |hit| match hit.volumes.first() {
            Some(volume) => format!("{}, {} damage", volume.bone, hit.strike.damage),
            None => "no volume".to_owned(),
        }),
        LaneKind::Hurts => lanes.hurts.get(at).map_or_else(String::new, |hurt| match &hurt.replaced {
            Some(_) => hurt.volume.clone(),
            None => format!("{} off", hurt.volume),
        }),
        LaneKind::Cancels => lanes.cancels.get(at).map_or_else(String::new, |cancel| {
            let into = if cancel.into.is_empty() { "anything".to_owned() } else { cancel.into.join(", ") };
            match cancel.when {
                CancelWhen::Always => into,
                when => format!("{into} {}", when.name()),
            }
        }),
        LaneKind::Invulnerable => String::new(),
        LaneKind::Contacts => lanes.contacts.get(at).map_or_else(String::new, |contact| contact.bone.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_that_overlap_are_in_different_rows() {
        let of = |ranges: &[(i64, i64)]| rows(&ranges.iter().map(|&(a, b)| Range::of_ticks(a, b)).collect::<Vec<_>>());
        assert_eq!(of(&[]), [] as [usize; 0]);
        assert_eq!(of(&[(0, 4), (4, 8)]), [0, 0]);
        assert_eq!(of(&[(10, 28), (10, 28), (18, 28)]), [0, 1, 2]);
        assert_eq!(of(&[(0, 10), (2, 4), (4, 6), (9, 12), (10, 11)]), [0, 1, 1, 1, 0]);
    }

    #[test]
    fn a_dragged_range_stays_in_the_clip_at_whole_ticks() {
        let (range, length) = (Range::of_ticks(4, 8), Time::TICK * 20);
        let by = |quarters: i64| Time(Time::TICK.0 * quarters / 4);
        let cases = [
            (Part::Whole, 9, (6, 10)),
            (Part::Whole, -400, (0, 4)),
            (Part::Whole, 400, (16, 20)),
            (Part::Start, 5, (5, 8)),
            (Part::Start, 400, (7, 8)),
            (Part::Start, -400, (0, 8)),
            (Part::End, -400, (4, 5)),
            (Part::End, 400, (4, 20)),
        ];
        for (part, quarters, (first, end)) in cases {
            assert_eq!(moved(range, part, by(quarters), length), Range::of_ticks(first, end), "{part:?} {quarters}");
        }
    }
}
