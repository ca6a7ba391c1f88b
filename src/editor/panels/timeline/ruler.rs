//! The ruler of frames above the keyframes: lines, numbers, and the place where the playhead is taken and dragged.

use crate::anim::time::{FrameRate, Time};
use crate::editor::panels::kit::{Align, Kit, Rect};
use crate::editor::panels::theme::faded;
use crate::editor::panels::timeline::scale::{Scale, ruler_steps};

/// Height of the ruler, in points.
pub const HEIGHT: f32 = 22.0;

/// Draws the ruler; the time under the mouse while it is scrubbed, snapped to the frames unless Ctrl is down. It goes
/// on behind the clip's end, as far as is shown.
pub fn ruler(kit: &Kit<'_>, area: Rect, scale: &Scale, rate: FrameRate, length: Time, shown: Time) -> Option<Time> {
    kit.set_cursor_screen_pos(area.min);
    kit.invisible_button("##ruler", area.size());
    kit.item("ruler");
    let is_scrubbed = kit.is_item_active();
    draw(kit, area, scale, rate, length, shown);
    if kit.is_item_hovered() {
        kit.set_mouse_cursor(Some(imgui::MouseCursor::Hand));
    }
    is_scrubbed.then(|| {
        let time = scale.time(kit.io().mouse_pos[0]).clamp(Time::ZERO, shown);
        // The end need not lie on the grid; near it the playhead goes there.
        let is_at_end = (scale.x(time) - scale.x(length)).abs() < 5.0;
        match (kit.io().key_ctrl, is_at_end) {
            (true, _) => time,
            (_, true) => length,
            _ => rate.snap(time).max(Time::ZERO),
        }
    })
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
