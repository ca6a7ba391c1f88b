//! The frame ruler, on which the playhead is dragged.

use crate::editor::panels::timeline::panel::ClipLayout;
use crate::editor::panels::timeline::press::Background;
use crate::editor::panels::timeline::scale::ruler_steps;
use crate::editor::panels::ui::prelude::*;

/// Height of the ruler, in points.
pub const HEIGHT: f32 = 22.0;

/// Half the width in which an end of the loop section is grabbed.
const EDGE: f32 = 6.0;

/// Draws the ruler with the loop section. Scrubbing seeks, with Snap on whole frames; Ctrl does the opposite. The ruler
/// ends at the displayed duration, behind the clip's end.
pub fn ruler_ui(ui: &Ui<'_>, layout: &ClipLayout<'_>, area: Rect) {
    scrub_ui(ui, layout, "ruler", area);
    draw(ui, layout, area);
    layer_keys(ui, layout, area);
    if let Some(section) = ui.session.focus.playhead.loop_section {
        loop_section_ui(ui, layout, area, section);
    }
}

/// An area in which the playhead is dragged.
pub fn scrub_ui(ui: &Ui<'_>, layout: &ClipLayout<'_>, id: &str, area: Rect) {
    let background = Background::ui(ui, id, area);
    if background.is_hovered {
        ui.set_mouse_cursor(Some(MouseCursor::Hand));
    }
    if ui.is_item_active() && ui.is_mouse_down(MouseButton::Left) {
        ui.send(PlaybackAction::Seek(time_under_mouse(ui, layout)));
    }
}

/// Marks the keyframes of the clip's layer.
fn layer_keys(ui: &Ui<'_>, layout: &ClipLayout<'_>, area: Rect) {
    let open = ui.model().zip(ui.session.focus.clip);
    let Some(clip) = open.and_then(|(model, id)| model.clip(model.derived(id)?.how.layer()?.clip)) else { return };
    for (start, _) in clip.starts().zip(clip.keyframes.iter()).filter(|(_, keyframe)| !keyframe.keys.is_empty()) {
        ui.diamond([layout.scale.x(start), area.max[1] - 7.0], 5.0, ui.theme.keyed, true);
    }
}

/// Draws the loop section; its ends can be dragged.
fn loop_section_ui(ui: &Ui<'_>, layout: &ClipLayout<'_>, area: Rect, section: (Time, Time)) {
    let (from, to) = section;
    let ends = [from, to].map(|time| layout.scale.x(time).clamp(area.min[0], area.max[0]));
    ui.fill(area.top(5.0).with_x(ends[0], ends[1]), faded(ui.theme.accent, 0.55), 2.0);
    for (end, x) in ends.into_iter().enumerate() {
        ui.button_in(&format!("loop-end{end}"), area.with_x(x - EDGE, x + EDGE));
        ui.line([x, area.min[1]], [x, area.max[1] - 6.0], ui.theme.accent, 2.0);
        if ui.is_item_hovered() || ui.is_item_active() {
            ui.set_mouse_cursor(Some(MouseCursor::ResizeEW));
        }
        if ui.is_item_active() {
            let time = time_under_mouse(ui, layout);
            let section = if end == 0 { (time.min(to), to) } else { (from, time.max(from)) };
            if section.0 < section.1 {
                ui.send(PlaybackAction::SetLoopSection(Some(section)));
            }
        }
        ui.tip("Loop section", &ui.key_of(Command::ClearLoopSection));
    }
}

/// The time to which a press of the mouse moves the playhead.
fn time_under_mouse(ui: &Ui<'_>, layout: &ClipLayout<'_>) -> Time {
    let (rate, length) = (layout.clip.frame_rate, layout.clip.length());
    let time = layout.scale.time(ui.io().mouse_pos[0]).clamp(Time::ZERO, layout.shown);
    // Snaps to the clip's end too, which may be off the grid.
    let is_at_end = (layout.scale.x(time) - layout.scale.x(length)).abs() < 5.0;
    let is_snapped = ui.session.is_on(Switch::SnapTime) != ui.io().key_ctrl;
    match (is_snapped, is_at_end) {
        (false, _) => time,
        (true, true) => length,
        (true, false) => rate.snap(time).max(Time::ZERO),
    }
}

/// Draws the lines and numbers of the frames; those behind the clip's end are fainter.
fn draw(ui: &Ui<'_>, layout: &ClipLayout<'_>, area: Rect) {
    let (scale, rate, length) = (&layout.scale, layout.clip.frame_rate, layout.clip.length());
    let (fine, numbered) = ruler_steps(scale, rate, 46.0);
    let first = rate.frames_in(scale.time(area.min[0])).floor().max(0.0) as i64 / fine * fine;
    let last = rate.frames_in(scale.time(area.max[0]).min(layout.shown)).round() as i64;
    let _font = ui.with_font(ui.fonts.small);
    for frame in (first..=last).step_by(fine as usize) {
        let x = scale.x(rate.time_of(frame)).round();
        if x < area.min[0] - 1.0 || x > area.max[0] + 1.0 {
            continue;
        }
        let opacity = if rate.time_of(frame) <= length { 1.0 } else { 0.4 };
        let has_number = frame % numbered == 0;
        let (height, color) = if has_number { (9.0, opacity) } else { (5.0, 0.6 * opacity) };
        ui.line([x, area.max[1] - height], [x, area.max[1]], faded(ui.theme.dim, color), 1.0);
        if has_number {
            let text = Rect::at([x + 4.0, area.min[1]], [60.0, HEIGHT - 5.0]);
            ui.text_in(text, Align::Left, faded(ui.theme.quiet, opacity), &frame.to_string());
        }
    }
}
