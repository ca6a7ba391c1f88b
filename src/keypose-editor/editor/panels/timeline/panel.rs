//! The timeline panel: transport, ruler and events above, one of the three views below, and the playhead across all.

use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use crate::editor::panels::timeline::curves::CurveEditor;
use crate::editor::panels::timeline::duration_field;
use crate::editor::panels::timeline::events;
use crate::editor::panels::timeline::events::EventLane;
use crate::editor::panels::timeline::film;
use crate::editor::panels::timeline::filter_bar::filter_bar_ui;
use crate::editor::panels::timeline::frame_data;
use crate::editor::panels::timeline::groups::Item;
use crate::editor::panels::timeline::key_drag::KeyDrag;
use crate::editor::panels::timeline::lane_menu;
use crate::editor::panels::timeline::lanes::{self, KeyLanes};
use crate::editor::panels::timeline::range_lanes;
use crate::editor::panels::timeline::range_lanes::RangeLanes;
use crate::editor::panels::timeline::ruler;
use crate::editor::panels::timeline::scale::{Scale, Zoom};
use crate::editor::panels::timeline::sheet::DopeSheet;
use crate::editor::panels::timeline::splitter::Splitter;
use crate::editor::panels::timeline::strip::PoseStrip;
use crate::editor::panels::timeline::transport;
use crate::editor::panels::ui::prelude::*;
use crate::editor::session::Session;
use crate::editor::session::timing::TimeView;
use crate::editor::session::transient::Request;

#[derive(Debug, Default)]
pub struct TimelinePanel {
    zoom: Zoom,
    strip: PoseStrip,
    sheet: DopeSheet,
    curves: CurveEditor,
    events: EventLane,
    ranges: RangeLanes,
    lanes: KeyLanes,
    key_drag: KeyDrag,
    /// Between the dope sheet and the curves.
    splitter: Splitter,
    /// The rows that the wheel scrolls, because they have no room.
    scrolled: Option<Rect>,
    shown: Option<ClipId>,
    /// The scale of the last frame.
    last_scale: Option<Scale>,
}

/// The thumbnail of a keyframe of the active clip.
pub type Thumbnail<'a> = &'a dyn Fn(usize) -> Option<TextureId>;

impl TimelinePanel {
    /// Cancels a drag that is not a gesture. Returns whether there was one.
    pub fn cancel(&mut self) -> bool {
        let is_box = self.sheet.cancel() | self.curves.cancel();
        self.strip.cancel() | is_box
    }

    /// Whether a field for a name or a filter is about to open.
    pub fn awaits_text(&self, session: &Session) -> bool {
        session.focus.timing.naming.is_some() || session.transient.requests.contains(&Request::FocusRowFilter)
    }

    /// The keyframes of the strip under the mouse: one, or a group of them.
    pub fn hovered_keyframes(&self) -> Range<usize> {
        self.strip.hovered.clone()
    }

    pub fn ui(&mut self, ui: &Ui<'_>, thumbnail: Thumbnail<'_>) {
        transport::transport_ui(ui);
        let Some((clip, id)) = ui.clip().zip(ui.session.focus.clip) else {
            return no_clip(ui);
        };
        if self.shown != Some(id) {
            let (sheet, splitter) = (std::mem::take(&mut self.sheet).for_another_clip(), self.splitter);
            *self = TimelinePanel { shown: Some(id), sheet, splitter, ..TimelinePanel::default() };
        }
        let view = ui.session.focus.timing.view;
        let mut layout = self.layout(ui, clip, id);
        self.wheel(ui, view, &layout);
        let ruler = layout.area.cut_top(ruler::HEIGHT, 3.0);
        if view != TimeView::Strip {
            filter_bar_ui(ui, layout.names(ruler));
            duration_field::confirm_by_mouse(ui);
        }
        ruler::ruler_ui(ui, &layout, ruler);
        match view {
            TimeView::Strip => self.strip_ui(ui, &mut layout, thumbnail),
            TimeView::Sheet | TimeView::Curves => self.keys_ui(ui, &mut layout, view),
        }
        playhead(ui, &layout, ruler);
        if view != TimeView::Strip {
            duration_field::duration_field_ui(ui, &layout, ruler);
        }
        self.key_drag.ui(ui, &layout);
    }

    /// Draws the frame data, the film and the poses; below them all lanes, which scroll.
    fn strip_ui(&mut self, ui: &Ui<'_>, layout: &mut ClipLayout<'_>, thumbnail: Thumbnail<'_>) {
        if frame_data::is_shown(ui, layout) {
            let bar = layout.area.cut_top(frame_data::HEIGHT, 2.0);
            frame_data::frame_data_ui(ui, layout, bar);
        }
        film::film_ui(ui, layout);
        let items = self.strip.ui(ui, layout, thumbnail);
        self.lanes_ui(ui, layout, items);
        if let Some((from, to)) = self.strip.wanted_times.take() {
            self.zoom.show(from, to, layout.shown);
        }
    }

    /// Draws the lanes of events, ranges and keys in the rest of the panel.
    fn lanes_ui(&mut self, ui: &Ui<'_>, layout: &ClipLayout<'_>, items: Rc<[Item]>) {
        ui.set_cursor_screen_pos([layout.left, layout.area.min[1]]);
        let visible = layout.area.with_x(layout.left, layout.area.max[0]);
        let mut height = 0.0;
        widgets::scrolled(ui, "##lanes", 0.0, || {
            let (top, width) = (ui.cursor_screen_pos(), ui.content_region_avail()[0]);
            let area = Rect { min: [layout.area.min[0], top[1]], max: [layout.left + width, f32::MAX] };
            let mut rows = ClipLayout { area, ..*layout };
            let lane = rows.area.cut_top(events::HEIGHT, 3.0);
            self.events.ui(ui, &rows, lane);
            self.range_lanes(ui, &mut rows);
            lane_menu::ui(ui);
            let keys = rows.area.cut_top(lanes::height(layout.clip), 0.0);
            self.lanes.ui(ui, &rows, &items, keys);
            height = keys.max[1] - top[1];
            playhead_line(ui, &rows, top[1], keys.max[1]);
            ui.set_cursor_screen_pos(top);
            ui.dummy([1.0, height]);
        });
        self.scrolled = (height > visible.height() + 1.0).then_some(visible);
    }

    /// Draws the dope sheet, and in the view of the curves these below it.
    fn keys_ui(&mut self, ui: &Ui<'_>, layout: &mut ClipLayout<'_>, view: TimeView) {
        if !layout.clip.events.is_empty() {
            let lane = layout.area.cut_top(events::HEIGHT, 3.0);
            self.events.ui(ui, layout, lane);
        }
        if view == TimeView::Sheet {
            self.range_lanes(ui, layout);
        }
        lane_menu::ui(ui);
        let (sheet, curves) = match view {
            TimeView::Curves => self.splitter.ui(ui, layout.area.with_x(layout.left, layout.area.max[0])),
            TimeView::Strip | TimeView::Sheet => (Some(layout.area), None),
        };
        self.scrolled = sheet;
        if let Some(sheet) = sheet {
            self.sheet.ui(ui, &layout.with_rows(sheet));
        }
        if let Some(curves) = curves {
            self.curves.ui(ui, &layout.with_rows(curves));
        }
    }

    /// Draws the lanes of ranges that the clip has.
    fn range_lanes(&mut self, ui: &Ui<'_>, layout: &mut ClipLayout<'_>) {
        let (lanes, used) = range_lanes::used(ui, layout);
        for lane in used {
            let area = layout.area.cut_top(range_lanes::height(&lanes, lane), 2.0);
            self.ranges.ui(ui, layout, &lanes, lane, area);
        }
        self.ranges.drag(ui, layout);
    }

    /// The layout in the rest of the window. Its scale is fixed during drags.
    fn layout<'a>(&mut self, ui: &Ui<'_>, clip: &'a Arc<Clip>, id: ClipId) -> ClipLayout<'a> {
        let names = if ui.session.focus.timing.view == TimeView::Strip { 92.0 } else { 206.0 };
        let ([left, top], size) = (ui.cursor_screen_pos(), ui.content_region_avail());
        let area = Rect::at([left + names, top], [(size[0] - names).max(60.0), size[1]]);
        let shown = shown_length(clip);
        self.fit(ui, clip, shown);
        // The clip has a typed duration before the strip sees that one is typed.
        let typed = ui.editor.typed().and(self.last_scale);
        let fixed = self.strip.fixed_scale.or(self.key_drag.fixed_scale).or(typed);
        let scale = fixed.unwrap_or_else(|| self.zoom.scale(area.min[0], area.width(), shown).on_whole_points());
        self.last_scale = Some(scale);
        ClipLayout { clip, id, scale, shown, left, area }
    }

    /// Fits the selected keys, or the whole clip, if requested.
    fn fit(&mut self, ui: &Ui<'_>, clip: &Clip, shown: Time) {
        if !ui.requested(Request::FitTimeline) {
            return;
        }
        self.curves.fit();
        self.strip.fixed_scale = None;
        let keys = &ui.session.focus.selection.keys;
        let (first, last) = (keys.first(), keys.last());
        let times = first.zip(last).map(|(first, last)| (clip.start_of(first.keyframe), clip.start_of(last.keyframe)));
        let (from, to) = times.filter(|(from, to)| from < to).unwrap_or((Time::ZERO, shown));
        self.zoom.show(from, to, shown);
    }

    /// Handles the wheel: zooms around the mouse, scrolls with Shift. Over rows it scrolls them, and zooms with Ctrl.
    fn wheel(&mut self, ui: &Ui<'_>, view: TimeView, layout: &ClipLayout<'_>) {
        let (io, area) = (ui.io(), layout.area);
        let scale = &self.zoom.scale(area.min[0], area.width(), layout.shown);
        let wheel = f64::from(io.mouse_wheel);
        let is_over =
            area.contains(io.mouse_pos) && ui.is_window_hovered_with_flags(imgui::WindowHoveredFlags::CHILD_WINDOWS);
        if wheel == 0.0 || !is_over || (view != TimeView::Strip && io.key_alt) {
            return;
        }
        let is_over_rows = self.scrolled.is_some_and(|rows| rows.contains(io.mouse_pos));
        if io.key_shift || io.key_ctrl || !is_over_rows {
            self.strip.fixed_scale = None;
        }
        if io.key_shift {
            self.zoom.scroll(-wheel * 60.0 / scale.points_per_sec, layout.shown);
        } else if io.key_ctrl || !is_over_rows {
            self.zoom.zoom_at(scale, io.mouse_pos[0], 1.2_f64.powf(wheel), area.min[0], layout.shown);
        }
    }
}

/// The active clip and its place on the screen in this frame.
pub struct ClipLayout<'a> {
    pub clip: &'a Arc<Clip>,
    pub id: ClipId,
    pub scale: Scale,
    /// The displayed duration: longer than the clip.
    pub shown: Time,
    /// The left edge of the row names.
    pub left: f32,
    /// The area below ruler and events, right of the row names.
    pub area: Rect,
}

impl ClipLayout<'_> {
    /// The layout with other rows, from the left edge of their names.
    fn with_rows(&self, rows: Rect) -> Self {
        ClipLayout { area: rows.with_x(self.area.min[0], rows.max[0]), ..*self }
    }

    /// The place for the name of a row.
    pub fn names(&self, row: Rect) -> Rect {
        row.with_x(self.left, self.area.min[0] - 8.0)
    }

    /// Draws the name and the ground of a lane.
    pub fn lane_ui(&self, ui: &Ui<'_>, lane: Rect, name: &str) {
        ui.text_in(self.names(lane), Align::Left, ui.theme.quiet, name);
        ui.fill(lane, faded(ui.theme.ground, 0.55), 4.0);
    }

    /// The time under the mouse, within the clip and on a whole frame.
    pub fn frame_under_mouse(&self, ui: &Ui<'_>) -> Time {
        let time = self.clip.frame_rate.snap(self.scale.time(ui.io().mouse_pos[0]));
        time.clamp(Time::ZERO, self.clip.length())
    }
}

/// The displayed duration: the clip and some room for its next keyframe.
fn shown_length(clip: &Clip) -> Time {
    let length = clip.length();
    length + (length / 10).max(clip.frame_rate.frame() * 4)
}

fn no_clip(ui: &Ui<'_>) {
    if ui.model().is_none() {
        return widgets::empty(ui, "No model open.", "Press Ctrl+O to open a model.");
    }
    widgets::empty(ui, "No clip open.", "Choose one, or press N for a new clip.");
    ui.dummy([0.0, 4.0]);
    widgets::command_button(ui, ui.here([110.0, 26.0]), "New clip##strip-new-clip", Tone::On, Command::NewClip);
}

/// Draws the playhead: a flag on the ruler and a line, orange if there is a draft.
fn playhead(ui: &Ui<'_>, layout: &ClipLayout<'_>, ruler: Rect) {
    let Some((x, color)) = playhead_line(ui, layout, ruler.min[1] + 4.0, layout.area.max[1]) else { return };
    let (top, wide) = (ruler.min[1] + 1.0, 6.0);
    let flag = vec![
        [x - wide, top],
        [x + wide + 1.0, top],
        [x + wide + 1.0, top + 9.0],
        [x + 0.5, top + 16.0],
        [x - wide, top + 9.0],
    ];
    ui.draw().add_polyline(flag, color).filled(true).build();
}

/// Draws the line of the playhead. Rows that scroll draw it again, because they cover what is behind them. Returns its place and its
/// colour if it is visible.
pub fn playhead_line(ui: &Ui<'_>, layout: &ClipLayout<'_>, top: f32, bottom: f32) -> Option<(f32, Color)> {
    let x = layout.scale.x(ui.session.focus.playhead.time).round();
    if x < layout.area.min[0] - 6.0 || x > layout.area.max[0] + 6.0 {
        return None;
    }
    let color = if ui.draft().is_some() { ui.theme.draft } else { ui.theme.accent };
    ui.line([x + 0.5, top], [x + 0.5, bottom], color, 1.5);
    Some((x, color))
}
