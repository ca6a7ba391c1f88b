//! A group of narrow keyframes as one block: its count, and a band with a tick for each keyframe.

use std::ops::Range;

use crate::editor::panels::timeline::blocks::{Blocks, block_ground, draw_thumbnail, kind_color, on_edge};
use crate::editor::panels::timeline::groups::{Item, TICK};
use crate::editor::panels::ui::prelude::*;

/// Height of the band.
const BAND: f32 = 10.0;

impl Blocks<'_> {
    pub fn draw_group(&self, ui: &Ui<'_>, item: &Item, is_hovered: bool) {
        let (theme, rect) = (ui.theme, self.rect(item));
        let selection = &ui.session.focus.selection.keyframes;
        let selected = selection.range(item.keyframes.clone()).count();
        let is_whole = selected == item.keyframes.len();
        let ground = block_ground(ui, is_whole, is_hovered);
        ui.fill(rect, ground, 5.0);
        let (upper, band) = (rect.trim_bottom(BAND), rect.bottom(BAND).inset(1.0, 1.0));
        if let Some(image) = (self.thumbnail)(item.keyframes.start) {
            draw_thumbnail(ui, upper, image);
        }
        ui.fill(band, mixed(ground, theme.ground, 0.6), 3.0);
        self.ticks(ui, item, band);
        let outline = if is_whole { theme.selected } else { faded(theme.selected, 0.6) };
        if selected > 0 {
            ui.outline(rect, outline, 5.0, if is_whole { 1.5 } else { 1.0 });
        }
        draw_figures(ui, item, upper, selected > 0);
        ui.mark(|| format!("{} in group{}: {selected} selected", item.keyframes.len(), item.keyframes.start), rect);
    }

    /// Draws the band: ticks of keyframes where there is room; above them, the selected ones and the one at the playhead as marks.
    fn ticks(&self, ui: &Ui<'_>, item: &Item, band: Rect) {
        let x = |time: Time| self.layout.scale.x(time).round();
        for left in item.ticks.iter().map(|tick| x(*tick)) {
            ui.line([left, band.min[1] + 2.0], [left, band.max[1] - 2.0], ui.theme.dim, 1.0);
        }
        for (time, kind) in &item.marked {
            let left = x(*time).min(band.max[0] - TICK);
            if let Some(color) = kind_color(ui, *kind) {
                ui.fill(band.with_x(left, left + TICK), color, 1.0);
            }
        }
        let selected = ui.session.focus.selection.keyframes.range(item.keyframes.clone());
        let containing = ui.view.containing.filter(|at| item.keyframes.contains(at));
        let marks = selected.map(|at| (*at, ui.theme.selected)).chain(containing.map(|at| (at, ui.theme.text)));
        for (at, color) in marks {
            let start = self.layout.clip.start_of(at);
            let (left, right) = (x(start), x(start + self.layout.clip.keyframes[at].duration));
            let left = left.min(band.max[0] - TICK);
            ui.fill(band.with_x(left, (right - 1.0).max(left + TICK)), color, 1.0);
        }
    }

    /// The tooltip of a group.
    pub fn group_tip(&self, item: &Item) -> String {
        let Range { start, end } = item.keyframes;
        let frames = self.layout.clip.frame_rate.frames_in(item.end - item.start);
        format!("Keyframes {} to {end}: {frames:.0} frames", start + 1)
    }
}

/// Draws the numbers of a group's keyframes above and their count below, as far as there is room.
fn draw_figures(ui: &Ui<'_>, item: &Item, upper: Rect, has_selected: bool) {
    let theme = ui.theme;
    let inner = upper.inset(5.0, 3.0);
    let _font = ui.with_font(if has_selected { ui.fonts.small_bold } else { ui.fonts.small });
    let fits = |text: &&String| ui.calc_text_size(text)[0] <= inner.width();
    let first = item.keyframes.start + 1;
    let numbers = [format!("{first}–{}", item.keyframes.end), first.to_string()];
    if let Some(numbers) = numbers.iter().find(fits) {
        let color = if has_selected { theme.selected } else { theme.text };
        on_edge(ui, upper, inner.top(16.0), Align::Left, color, numbers);
    }
    let count = item.keyframes.len();
    let counts = [format!("{count} keyframes"), format!("×{count}")];
    if let Some(count) = counts.iter().find(fits) {
        on_edge(ui, upper, inner.bottom(16.0), Align::Right, theme.text, count);
    }
}
