//! The timeline panel: transport, ruler and events above, one of the three views below, and the playhead across all.

use crate::editor::panels::ui::Ui;
use std::sync::Arc;

use imgui::TextureId;

use crate::anim::clip::Clip;
use crate::anim::time::Time;
use crate::assets::id::ClipId;
use crate::editor::panels::timeline::curves::CurveEditor;
use crate::editor::panels::timeline::events;
use crate::editor::panels::timeline::events::EventLane;
use crate::editor::panels::timeline::hand::KeyDrag;
use crate::editor::panels::timeline::ruler;
use crate::editor::panels::timeline::scale::{Scale, Zoom};
use crate::editor::panels::timeline::sheet::DopeSheet;
use crate::editor::panels::timeline::strip::PoseStrip;
use crate::editor::panels::timeline::tools::row_tools_ui;
use crate::editor::panels::timeline::transport;
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::Tone;
use crate::editor::session::Session;
use crate::editor::session::command::Command;
use crate::editor::session::timing::TimeView;
use crate::editor::session::transient::Request;
use crate::editor::state::action::PlaybackAction;

/// The panel.
#[derive(Debug, Default)]
pub struct TimelinePanel {
    zoom: Zoom,
    strip: PoseStrip,
    sheet: DopeSheet,
    curves: CurveEditor,
    events: EventLane,
    hand: KeyDrag,
    shown: Option<ClipId>,
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

    /// The keyframe of the strip under the mouse.
    pub fn hovered_keyframe(&self) -> Option<usize> {
        self.strip.hovered
    }
}

/// The layout of the clip in this frame.
pub struct Laid<'a> {
    /// The clip.
    pub clip: &'a Arc<Clip>,
    /// Its id.
    pub id: ClipId,
    /// Its time scale.
    pub scale: Scale,
    /// The left edge of the row names.
    pub left: f32,
    /// The area below ruler and events, right of the row names.
    pub area: Rect,
}

/// Width of the row names.
fn names_width(view: TimeView) -> f32 {
    if view == TimeView::Strip { 84.0 } else { 206.0 }
}

impl TimelinePanel {
    /// Draws the panel.
    pub fn ui(&mut self, ui: &Ui<'_>, thumbnail: Thumbnail<'_>) {
        transport::transport_ui(ui);
        let Some((clip, id)) = ui.clip().zip(ui.session.focus.clip) else {
            return no_clip(ui);
        };
        if self.shown != Some(id) {
            let sheet = std::mem::take(&mut self.sheet).for_another_clip();
            *self = TimelinePanel { shown: Some(id), sheet, ..TimelinePanel::default() };
        }
        let view = ui.session.focus.timing.view;
        let (top, size) = (ui.cursor_screen_pos(), ui.content_region_avail());
        let names = names_width(view);
        let all = Rect::at([top[0] + names, top[1]], [(size[0] - names).max(60.0), size[1]]);
        let shown = shown_length(clip);
        self.fit(ui, clip, shown);
        let held = self.strip.held.or(self.hand.held);
        let scale = held.unwrap_or_else(|| self.zoom.scale(all.min[0], all.size()[0], shown));
        self.wheel(ui, view, &scale, all, shown);
        let ruler_area = all.top(ruler::HEIGHT);
        if view != TimeView::Strip {
            let place = Rect::at(top, [names - 8.0, ruler::HEIGHT]);
            row_tools_ui(ui, place);
        }
        ruler::ruler_ui(ui, ruler_area, &scale, clip, shown);
        let mut area = all.with_y(ruler_area.max[1] + 3.0, all.max[1]);
        if events::has_events(ui, clip) {
            let lane = area.top(events::HEIGHT);
            self.events.ui(ui, clip, id, &scale, lane, top[0]);
            area.min[1] = lane.max[1] + 3.0;
        }
        let laid = Laid { clip, id, scale, left: top[0], area };
        match view {
            TimeView::Strip => self.strip.ui(ui, &laid, thumbnail),
            TimeView::Sheet => self.sheet.ui(ui, &laid),
            TimeView::Curves => self.curves.ui(ui, &laid),
        }
        playhead(ui, &scale, ruler_area, all.max[1]);
        self.hand.ui(ui, &laid);
    }
}

/// The displayed duration: the clip and some room for its next keyframe.
fn shown_length(clip: &Clip) -> Time {
    let length = clip.length();
    length + (length / 10).max(clip.frame_rate.frame() * 4)
}

impl TimelinePanel {
    /// Fits the selected keys, or the whole clip, if requested.
    fn fit(&mut self, ui: &Ui<'_>, clip: &Clip, shown: Time) {
        if !ui.requested(Request::FitTimeline) {
            return;
        }
        self.curves.fit();
        let keys = &ui.session.focus.selection.keys;
        let (first, last) = (keys.first(), keys.last());
        let times = first.zip(last).map(|(first, last)| (clip.start_of(first.keyframe), clip.start_of(last.keyframe)));
        let (from, to) = times.filter(|(from, to)| from < to).unwrap_or((Time::ZERO, shown));
        self.zoom.show(from, to, shown);
    }
}

fn no_clip(ui: &Ui<'_>) {
    if ui.model().is_none() {
        return widgets::empty(ui, "No model open.", "Press Ctrl+O to open a model.");
    }
    widgets::empty(ui, "No clip open.", "Choose one, or press N for a new clip.");
    ui.dummy([0.0, 4.0]);
    if widgets::button(ui, "New clip##strip-new-clip", [110.0, 26.0], Tone::On) {
        ui.run(Command::NewClip);
    }
    ui.tip("New clip", &ui.key_of(Command::NewClip));
}

impl TimelinePanel {
    /// Handles the wheel: zooms around the mouse, scrolls with Shift. Over rows it scrolls them, and zooms with Ctrl.
    fn wheel(&mut self, ui: &Ui<'_>, view: TimeView, scale: &Scale, area: Rect, length: Time) {
        let io = ui.io();
        let is_over =
            area.contains(io.mouse_pos) && ui.is_window_hovered_with_flags(imgui::WindowHoveredFlags::CHILD_WINDOWS);
        if io.mouse_wheel == 0.0 || !is_over || (view != TimeView::Strip && io.key_alt) {
            return;
        }
        let is_over_rows = view == TimeView::Sheet && io.mouse_pos[1] > area.min[1] + ruler::HEIGHT;
        if io.key_shift {
            self.zoom.scroll(-f64::from(io.mouse_wheel) * 60.0 / scale.points_per_sec, length);
        } else if io.key_ctrl || !is_over_rows {
            self.zoom.zoom_at(scale, io.mouse_pos[0], 1.2_f64.powf(f64::from(io.mouse_wheel)), area.min[0], length);
        }
    }
}

/// Draws the playhead: a flag on the ruler and a line, orange if there is a draft.
fn playhead(ui: &Ui<'_>, scale: &Scale, ruler: Rect, bottom: f32) {
    let x = scale.x(ui.session.focus.playhead.time).round();
    if x < ruler.min[0] - 6.0 || x > ruler.max[0] + 6.0 {
        return;
    }
    let color = if ui.draft().is_some() { ui.theme.draft } else { ui.theme.accent };
    ui.line([x + 0.5, ruler.min[1] + 4.0], [x + 0.5, bottom], color, 1.5);
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

/// Whether the mouse can start a drag: not while a modal gesture runs.
pub fn is_free(ui: &Ui<'_>) -> bool {
    !ui.editor.gesture.as_ref().is_some_and(|gesture| gesture.takes_keys())
}

/// The mouse position for gestures.
pub fn point(ui: &Ui<'_>, scale: &Scale) -> crate::editor::session::timing::TimePoint {
    let [x, y] = ui.io().mouse_pos;
    crate::editor::session::timing::TimePoint { time: scale.time(x), y, held: ui.held() }
}

/// Seeks to a time on the grid.
pub fn seek(clip: &Clip, time: Time, ui: &Ui<'_>) {
    ui.send(PlaybackAction::Seek(clip.frame_rate.snap(time).max(Time::ZERO)));
}
