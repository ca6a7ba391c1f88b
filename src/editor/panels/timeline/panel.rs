//! The panel of time as a whole: transport, ruler and events above, one of the three views below, and the playhead that
//! runs through all of it.

use std::sync::Arc;

use imgui::TextureId;

use crate::anim::clip::Clip;
use crate::anim::time::Time;
use crate::assets::id::ClipId;
use crate::editor::panels::timeline::curves::{CurvesLocal, curves_ui};
use crate::editor::panels::timeline::events;
use crate::editor::panels::timeline::events::EventsLocal;
use crate::editor::panels::timeline::hand;
use crate::editor::panels::timeline::hand::HandLocal;
use crate::editor::panels::timeline::ruler;
use crate::editor::panels::timeline::scale::{Scale, Zoom};
use crate::editor::panels::timeline::sheet::{SheetLocal, sheet_ui};
use crate::editor::panels::timeline::strip::{StripLocal, strip_ui};
use crate::editor::panels::timeline::tools;
use crate::editor::panels::timeline::transport;
use crate::editor::panels::ui::actions::Out;
use crate::editor::panels::ui::canvas::{Kit, Rect};
use crate::editor::panels::ui::seen::Seen;
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::Tone;
use crate::editor::session::Session;
use crate::editor::session::command::Command;
use crate::editor::session::timing::TimeView;
use crate::editor::session::transient::Request;
use crate::editor::state::action::PlaybackAction;

/// What the panel keeps for itself.
#[derive(Debug, Default)]
pub struct TimeLocal {
    zoom: Zoom,
    strip: StripLocal,
    sheet: SheetLocal,
    curves: CurvesLocal,
    events: EventsLocal,
    hand: HandLocal,
    shown: Option<ClipId>,
}

/// The picture of a keyframe of the open clip.
pub type Thumbnail<'a> = &'a dyn Fn(usize) -> Option<TextureId>;

impl TimeLocal {
    /// Whatever is dragged without a gesture is let go, and nothing becomes of it. True where something was.
    pub fn let_go(&mut self) -> bool {
        let is_box = self.sheet.let_go() | self.curves.let_go();
        self.strip.let_go() | is_box
    }

    /// True while a field is about to open in which a name or a filter is typed.
    pub fn awaits_text(&self, session: &Session) -> bool {
        session.focus.timing.naming.is_some() || session.transient.requests.contains(&Request::FocusRowFilter)
    }

    /// The keyframe of the strip that is under the mouse.
    pub fn hovered_keyframe(&self) -> Option<usize> {
        self.strip.hovered
    }
}

/// How the clip lies on the screen in this frame.
pub struct Laid<'a> {
    /// The clip.
    pub clip: &'a Arc<Clip>,
    /// Its id.
    pub id: ClipId,
    /// Its time line.
    pub scale: Scale,
    /// Where the names of rows begin.
    pub left: f32,
    /// Under ruler and events, right of the names.
    pub area: Rect,
}

/// Width of the column with the names of rows.
fn names_width(view: TimeView) -> f32 {
    if view == TimeView::Strip { 84.0 } else { 206.0 }
}

/// The panel's contents.
pub fn time_ui(kit: &Kit<'_>, seen: &Seen<'_>, local: &mut TimeLocal, thumbnail: Thumbnail<'_>, out: &mut Out) {
    transport::transport_ui(kit, seen, out);
    let Some((clip, id)) = seen.clip().zip(seen.session.focus.clip) else {
        return no_clip(kit, seen, out);
    };
    if local.shown != Some(id) {
        let sheet = std::mem::take(&mut local.sheet).for_another_clip();
        *local = TimeLocal { shown: Some(id), sheet, ..TimeLocal::default() };
    }
    let view = seen.session.focus.timing.view;
    let (top, size) = (kit.cursor_screen_pos(), kit.content_region_avail());
    let names = names_width(view);
    let all = Rect::at([top[0] + names, top[1]], [(size[0] - names).max(60.0), size[1]]);
    let shown = shown_length(clip);
    fit(seen, clip, local, shown);
    let held = local.strip.held.or(local.hand.held);
    let scale = held.unwrap_or_else(|| local.zoom.scale(all.min[0], all.size()[0], shown));
    wheel(kit, local, view, &scale, all, shown);
    let ruler_area = Rect { min: all.min, max: [all.max[0], all.min[1] + ruler::HEIGHT] };
    if view != TimeView::Strip {
        let place = Rect::at(top, [names - 8.0, ruler::HEIGHT]);
        tools::tools_ui(kit, seen, place, out);
    }
    ruler::ruler_ui(kit, seen, ruler_area, &scale, clip, shown, out);
    let mut area = Rect { min: [all.min[0], ruler_area.max[1] + 3.0], max: all.max };
    if events::has_events(seen, clip) {
        let lane = Rect { min: area.min, max: [area.max[0], area.min[1] + events::HEIGHT] };
        events::events_ui(kit, seen, clip, id, &scale, lane, top[0], &mut local.events, out);
        area.min[1] = lane.max[1] + 3.0;
    }
    let laid = Laid { clip, id, scale, left: top[0], area };
    match view {
        TimeView::Strip => strip_ui(kit, seen, &laid, &mut local.strip, thumbnail, out),
        TimeView::Sheet => sheet_ui(kit, seen, &laid, &mut local.sheet, out),
        TimeView::Curves => curves_ui(kit, seen, &laid, &mut local.curves, out),
    }
    playhead(kit, seen, &scale, ruler_area, all.max[1]);
    hand::hand_ui(kit, seen, &laid, &mut local.hand, out);
}

/// The clip and some room behind it, where its next keyframe can go.
fn shown_length(clip: &Clip) -> Time {
    let length = clip.length();
    length + (length / 10).max(clip.frame_rate.frame() * 4)
}

/// The selected keys into view where that was asked for, all of the clip where none is selected.
fn fit(seen: &Seen<'_>, clip: &Clip, local: &mut TimeLocal, shown: Time) {
    if !seen.requested(Request::FitTimeline) {
        return;
    }
    local.curves.fit();
    let keys = &seen.session.focus.selection.keys;
    let (first, last) = (keys.first(), keys.last());
    let times = first.zip(last).map(|(first, last)| (clip.start_of(first.keyframe), clip.start_of(last.keyframe)));
    let (from, to) = times.filter(|(from, to)| from < to).unwrap_or((Time::ZERO, shown));
    local.zoom.show(from, to, shown);
}

fn no_clip(kit: &Kit<'_>, seen: &Seen<'_>, out: &mut Out) {
    if seen.model().is_none() {
        return widgets::empty(kit, "The keyframes of a clip stand here.", "Open a model with Ctrl+O.");
    }
    widgets::empty(kit, "No clip is open: this is the rest pose.", "Open one in the list of clips, or make a new one.");
    kit.dummy([0.0, 4.0]);
    if widgets::button(kit, "New clip##strip-new-clip", [110.0, 26.0], Tone::On) {
        out.run(Command::NewClip);
    }
    kit.tip("New clip", &seen.key_of(Command::NewClip));
}

/// The wheel zooms about the mouse, with Shift it scrolls. Over rows it scrolls them and zooms with Ctrl.
fn wheel(kit: &Kit<'_>, local: &mut TimeLocal, view: TimeView, scale: &Scale, area: Rect, length: Time) {
    let io = kit.io();
    let is_over =
        area.contains(io.mouse_pos) && kit.is_window_hovered_with_flags(imgui::WindowHoveredFlags::CHILD_WINDOWS);
    if io.mouse_wheel == 0.0 || !is_over || (view != TimeView::Strip && io.key_alt) {
        return;
    }
    let is_over_rows = view == TimeView::Sheet && io.mouse_pos[1] > area.min[1] + ruler::HEIGHT;
    if io.key_shift {
        local.zoom.scroll(-f64::from(io.mouse_wheel) * 60.0 / scale.points_per_sec, length);
    } else if io.key_ctrl || !is_over_rows {
        local.zoom.zoom_at(scale, io.mouse_pos[0], 1.2_f64.powf(f64::from(io.mouse_wheel)), area.min[0], length);
    }
}

/// A flag on the ruler and a line through everything: orange while a draft is in hand.
fn playhead(kit: &Kit<'_>, seen: &Seen<'_>, scale: &Scale, ruler: Rect, bottom: f32) {
    let x = scale.x(seen.session.focus.playhead.time).round();
    if x < ruler.min[0] - 6.0 || x > ruler.max[0] + 6.0 {
        return;
    }
    let color = if seen.draft().is_some() { kit.theme.draft } else { kit.theme.accent };
    kit.line([x + 0.5, ruler.min[1] + 4.0], [x + 0.5, bottom], color, 1.5);
    let (top, wide) = (ruler.min[1] + 1.0, 6.0);
    let flag = vec![
        [x - wide, top],
        [x + wide + 1.0, top],
        [x + wide + 1.0, top + 9.0],
        [x + 0.5, top + 16.0],
        [x - wide, top + 9.0],
    ];
    kit.draw().add_polyline(flag, color).filled(true).build();
}

/// Whether the mouse may take something: not while keys are in hand until a click.
pub fn is_free(seen: &Seen<'_>) -> bool {
    !seen.editor.gesture.as_ref().is_some_and(|gesture| gesture.takes_keys())
}

/// The time under the mouse, as the gestures take it.
pub fn point(kit: &Kit<'_>, scale: &Scale) -> crate::editor::session::timing::TimePoint {
    let [x, y] = kit.io().mouse_pos;
    crate::editor::session::timing::TimePoint { time: scale.time(x), y, held: kit.held() }
}

/// Goes to a time on the grid.
pub fn seek(clip: &Clip, time: Time, out: &mut Out) {
    out.push(PlaybackAction::Seek(clip.frame_rate.snap(time).max(Time::ZERO)));
}
