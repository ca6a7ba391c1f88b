//! The frame data of an attack above the strip: startup, active and recovery with their ticks, and the advantage behind them.

use crate::editor::panels::timeline::panel::ClipLayout;
use crate::editor::panels::ui::prelude::*;
use crate::editor::view::frame_data::frame_data;
use keypose::assets::combat::frame_data::FrameData;

/// Height of the bar.
pub const HEIGHT: f32 = 16.0;

/// Whether the open clip has hits, so that it has frame data.
pub fn is_shown(ui: &Ui<'_>, layout: &ClipLayout<'_>) -> bool {
    ui.model().and_then(|model| model.combat.lanes.get(&layout.id)).is_some_and(|lanes| !lanes.hits.is_empty())
}

/// Draws the bar, empty while the clip is being baked.
pub fn frame_data_ui(ui: &Ui<'_>, layout: &ClipLayout<'_>, bar: Rect) {
    ui.text_in_font(ui.fonts.small, layout.names(bar), Align::Left, ui.theme.quiet, "Frame data");
    let data = ui.model().and_then(|model| frame_data(&ui.editor.caches, model, layout.id));
    let Some(data) = data else { return };
    let Some(startup) = data.startup else { return };
    let theme = ui.theme;
    let parts = [
        ("startup", 0, startup, mixed(theme.accent, theme.field, 0.72)),
        ("active", startup, data.total - data.recovery, mixed(theme.hit, theme.panel, 0.45)),
        ("recovery", data.total - data.recovery, data.total, mixed(theme.field, theme.dim, 0.25)),
    ];
    sys::clipped(ui.imgui, bar, || {
        for (word, from, to, color) in parts {
            let ticks = if word == "active" { data.active } else { to - from };
            let [left, right] = [from, to].map(|tick| layout.scale.x(Time::TICK * tick).round());
            part_ui(ui, bar.with_x(left, right - 1.0), &format!("{word} {ticks}"), color);
        }
        advantage_ui(ui, layout, bar, &data);
    });
    ui.set_cursor_screen_pos(bar.min);
    ui.invisible_button("##frame-data", bar.size());
    ui.item("frame-data");
    ui.tip("Frame data in ticks of the game, 1/60 s", "");
}

/// Draws a part with its word and figure, as far as there is room.
fn part_ui(ui: &Ui<'_>, part: Rect, text: &str, color: Color) {
    if part.width() < 1.0 {
        return;
    }
    ui.fill(part, color, 2.0);
    let _font = ui.with_font(ui.fonts.small);
    let inner = part.inset(6.0, 0.0);
    let figure = text.rsplit(' ').next().unwrap_or_default();
    if let Some(text) = [text, figure].into_iter().find(|text| ui.calc_text_size(text)[0] <= inner.width()) {
        ui.text_in(inner, Align::Left, ui.theme.text, text);
        ui.mark(|| format!("frame data: {text}"), part);
    }
}

/// Draws the advantage behind the clip's end, or at the right edge if the end is beyond it.
fn advantage_ui(ui: &Ui<'_>, layout: &ClipLayout<'_>, bar: Rect, data: &FrameData) {
    let figures = [("on hit", data.on_hit), ("on block", data.on_block)];
    let figures = figures.into_iter().filter_map(|(word, ticks)| Some((word, ticks?)));
    let figures: Vec<(&str, String, i64)> = figures.map(|(word, ticks)| (word, signed(ticks), ticks)).collect();
    let _font = ui.with_font(ui.fonts.small);
    let wide = |text: &str| ui.calc_text_size(text)[0];
    let width: f32 = figures.iter().map(|(word, figure, _)| wide(word) + wide(figure) + 18.0).sum();
    let left = (layout.scale.x(layout.clip.length()) + 10.0).min(bar.max[0] - width);
    let mut rest = bar.with_x(left, bar.max[0]);
    ui.fill(rest.left(width).trim_left(-4.0), faded(ui.theme.panel, 0.85), 0.0);
    for (word, figure, ticks) in figures {
        ui.text_in(rest.cut_left(wide(word), 6.0), Align::Left, ui.theme.quiet, word);
        let color = if ticks < 0 { ui.theme.hit } else { ui.theme.keyed };
        ui.text_in(rest.cut_left(wide(&figure), 12.0), Align::Left, color, &figure);
    }
}

/// A number with its sign: "+5", "−5".
fn signed(number: i64) -> String {
    if number < 0 { format!("−{}", -number) } else { format!("+{number}") }
}
