//! The ruler of frames above the keyframes: lines, numbers, and the place where the playhead is taken and dragged.

use imgui::MouseButton;

use crate::anim::clip::Clip;
use crate::anim::time::{FrameRate, Time};
use crate::editor::panels::timeline::scale::{Scale, ruler_steps};
use crate::editor::panels::ui::actions::Out;
use crate::editor::panels::ui::canvas::{Align, Kit, Rect};
use crate::editor::panels::ui::seen::Seen;
use crate::editor::panels::ui::sys;
use crate::editor::panels::ui::theme::faded;
use crate::editor::session::command::Command;
use crate::editor::state::action::PlaybackAction;

/// Height of the ruler, in points.
pub const HEIGHT: f32 = 22.0;

/// Half the width in which an end of the loop section is taken.
const EDGE: f32 = 6.0;

/// Draws the ruler with the loop section; scrubbing it seeks, on the frames unless Ctrl is down. It goes on behind the
/// clip's end, as far as is shown.
pub fn ruler_ui(kit: &Kit<'_>, seen: &Seen<'_>, area: Rect, scale: &Scale, clip: &Clip, shown: Time, out: &mut Out) {
    kit.set_cursor_screen_pos(area.min);
    sys::ground_button(kit.ui, "##ruler", area.size());
    kit.item("ruler");
    let is_scrubbed = kit.is_item_active() && kit.is_mouse_down(MouseButton::Left);
    if kit.is_item_hovered() {
        kit.set_mouse_cursor(Some(imgui::MouseCursor::Hand));
    }
    let time = || under_mouse(kit, scale, clip, shown);
    if is_scrubbed {
        out.push(PlaybackAction::Seek(time()));
    }
    draw(kit, area, scale, clip.frame_rate, clip.length(), shown);
    let Some((from, to)) = seen.session.focus.playhead.loop_section else { return };
    let x = [scale.x(from), scale.x(to)].map(|x| x.clamp(area.min[0], area.max[0]));
    let band = Rect { min: [x[0], area.min[1]], max: [x[1], area.min[1] + 5.0] };
    kit.fill(band, faded(kit.theme.accent, 0.55), 2.0);
    for (end, x) in x.into_iter().enumerate() {
        kit.set_cursor_screen_pos([x - EDGE, area.min[1]]);
        kit.invisible_button(format!("##loop-end{end}"), [EDGE * 2.0, area.size()[1]]);
        kit.item(&format!("loop-end{end}"));
        kit.line([x, area.min[1]], [x, area.max[1] - 6.0], kit.theme.accent, 2.0);
        if kit.is_item_hovered() || kit.is_item_active() {
            kit.set_mouse_cursor(Some(imgui::MouseCursor::ResizeEW));
        }
        if kit.is_item_active() {
            let section = if end == 0 { (time().min(to), to) } else { (from, time().max(from)) };
            if section.0 < section.1 {
                out.push(PlaybackAction::SetLoopSection(Some(section)));
            }
        }
        kit.tip("The part that plays in a loop", &seen.key_of(Command::ClearLoopSection));
    }
}

fn under_mouse(kit: &Kit<'_>, scale: &Scale, clip: &Clip, shown: Time) -> Time {
    let (rate, length) = (clip.frame_rate, clip.length());
    let time = scale.time(kit.io().mouse_pos[0]).clamp(Time::ZERO, shown);
    // The end need not lie on the grid; near it the playhead goes there.
    let is_at_end = (scale.x(time) - scale.x(length)).abs() < 5.0;
    match (kit.io().key_ctrl, is_at_end) {
        (true, _) => time,
        (_, true) => length,
        _ => rate.snap(time).max(Time::ZERO),
    }
}

fn draw(kit: &Kit<'_>, area: Rect, scale: &Scale, rate: FrameRate, length: Time, shown: Time) {
    let (fine, numbered) = ruler_steps(scale, rate, 46.0);
    let first = rate.frames_in(scale.time(area.min[0])).floor().max(0.0) as i64 / fine * fine;
    let last = rate.frames_in(scale.time(area.max[0]).min(shown)).round() as i64;
    let _font = kit.with_font(kit.fonts.small);
    kit.draw().with_clip_rect_intersect(area.min, area.max, || {});
    let mut frame = first;
    while frame <= last {
        let x = scale.x(rate.time_of(frame)).round();
        let has_number = frame % numbered == 0;
        let high = if has_number { 9.0 } else { 5.0 };
        if x >= area.min[0] - 1.0 && x <= area.max[0] + 1.0 {
            let inside = if rate.time_of(frame) <= length { 1.0 } else { 0.4 };
            let color = faded(kit.theme.dim, if has_number { inside } else { 0.6 * inside });
            kit.line([x, area.max[1] - high], [x, area.max[1]], color, 1.0);
            if has_number {
                let text = Rect::at([x + 4.0, area.min[1]], [60.0, HEIGHT - 5.0]);
                kit.text_in(text, Align::Left, faded(kit.theme.quiet, inside), &frame.to_string());
            }
        }
        frame += fine;
    }
}
