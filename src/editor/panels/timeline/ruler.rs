//! The frame ruler, on which the playhead is dragged.

use crate::editor::panels::ui::Ui;
use imgui::MouseButton;

use crate::anim::clip::Clip;
use crate::anim::time::{FrameRate, Time};
use crate::editor::panels::timeline::scale::{Scale, ruler_steps};
use crate::editor::panels::ui::frame::Align;
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::sys;
use crate::editor::panels::ui::theme::faded;
use crate::editor::session::command::Command;
use crate::editor::state::action::PlaybackAction;

/// Height of the ruler, in points.
pub const HEIGHT: f32 = 22.0;

/// Half the width in which an end of the loop section is grabbed.
const EDGE: f32 = 6.0;

/// Draws the ruler with the loop section. Scrubbing seeks, on whole frames unless Ctrl is down. The ruler ends at
/// `shown`, behind the clip's end.
pub fn ruler_ui(ui: &Ui<'_>, area: Rect, scale: &Scale, clip: &Clip, shown: Time) {
    ui.set_cursor_screen_pos(area.min);
    sys::ground_button(ui.imgui, "##ruler", area.size());
    ui.item("ruler");
    let is_scrubbed = ui.is_item_active() && ui.is_mouse_down(MouseButton::Left);
    if ui.is_item_hovered() {
        ui.set_mouse_cursor(Some(imgui::MouseCursor::Hand));
    }
    let time = || under_mouse(ui, scale, clip, shown);
    if is_scrubbed {
        ui.send(PlaybackAction::Seek(time()));
    }
    draw(ui, area, scale, clip.frame_rate, clip.length(), shown);
    let Some((from, to)) = ui.session.focus.playhead.loop_section else { return };
    let x = [scale.x(from), scale.x(to)].map(|x| x.clamp(area.min[0], area.max[0]));
    let band = Rect { min: [x[0], area.min[1]], max: [x[1], area.min[1] + 5.0] };
    ui.fill(band, faded(ui.theme.accent, 0.55), 2.0);
    for (end, x) in x.into_iter().enumerate() {
        ui.set_cursor_screen_pos([x - EDGE, area.min[1]]);
        ui.invisible_button(format!("##loop-end{end}"), [EDGE * 2.0, area.size()[1]]);
        ui.item(&format!("loop-end{end}"));
        ui.line([x, area.min[1]], [x, area.max[1] - 6.0], ui.theme.accent, 2.0);
        if ui.is_item_hovered() || ui.is_item_active() {
            ui.set_mouse_cursor(Some(imgui::MouseCursor::ResizeEW));
        }
        if ui.is_item_active() {
            let section = if end == 0 { (time().min(to), to) } else { (from, time().max(from)) };
            if section.0 < section.1 {
                ui.send(PlaybackAction::SetLoopSection(Some(section)));
            }
        }
        ui.tip("The part that plays in a loop", &ui.key_of(Command::ClearLoopSection));
    }
}

fn under_mouse(ui: &Ui<'_>, scale: &Scale, clip: &Clip, shown: Time) -> Time {
    let (rate, length) = (clip.frame_rate, clip.length());
    let time = scale.time(ui.io().mouse_pos[0]).clamp(Time::ZERO, shown);
    // Snaps to the clip's end too, which may be off the grid.
    let is_at_end = (scale.x(time) - scale.x(length)).abs() < 5.0;
    match (ui.io().key_ctrl, is_at_end) {
        (true, _) => time,
        (_, true) => length,
        _ => rate.snap(time).max(Time::ZERO),
    }
}

fn draw(ui: &Ui<'_>, area: Rect, scale: &Scale, rate: FrameRate, length: Time, shown: Time) {
    let (fine, numbered) = ruler_steps(scale, rate, 46.0);
    let first = rate.frames_in(scale.time(area.min[0])).floor().max(0.0) as i64 / fine * fine;
    let last = rate.frames_in(scale.time(area.max[0]).min(shown)).round() as i64;
    let _font = ui.with_font(ui.fonts.small);
    ui.draw().with_clip_rect_intersect(area.min, area.max, || {});
    let mut frame = first;
    while frame <= last {
        let x = scale.x(rate.time_of(frame)).round();
        let has_number = frame % numbered == 0;
        let high = if has_number { 9.0 } else { 5.0 };
        if x >= area.min[0] - 1.0 && x <= area.max[0] + 1.0 {
            let inside = if rate.time_of(frame) <= length { 1.0 } else { 0.4 };
            let color = faded(ui.theme.dim, if has_number { inside } else { 0.6 * inside });
            ui.line([x, area.max[1] - high], [x, area.max[1]], color, 1.0);
            if has_number {
                let text = Rect::at([x + 4.0, area.min[1]], [60.0, HEIGHT - 5.0]);
                ui.text_in(text, Align::Left, faded(ui.theme.quiet, inside), &frame.to_string());
            }
        }
        frame += fine;
    }
}
