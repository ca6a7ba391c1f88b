//! The line between two methods of skinning in the viewport, with their names on both sides.

use crate::editor::panels::ui::prelude::*;

/// Space between the line and the names.
const GAP: f32 = 8.0;
/// Height of the buttons above.
const BAR: f32 = 44.0;
/// Height of the buttons and the axis ball, at the right of them.
const BALL: f32 = 110.0;

/// Draws both, if two methods are compared: the names below the buttons, or below the axis ball in a narrow viewport.
pub fn skinning_split_ui(ui: &Ui<'_>, area: Rect) {
    let (Some(model), true) = (ui.model(), ui.session.is_on(Switch::SkinningSplit)) else { return };
    let x = area.center()[0];
    ui.line([x, area.min[1] + BAR - 4.0], [x, area.max[1]], faded(ui.theme.text, 0.5), 1.0);
    let [left, right] = model.skinning.compared().map(|method| method.label());
    let room = area.size()[0] / 2.0 - 2.0 * GAP;
    let wide = |label: &str| (ui.calc_text_size(label)[0] + 16.0).min(room);
    let top = area.min[1] + if room < wide(right) + BALL { BALL } else { BAR };
    for (label, start) in [(left, x - GAP - wide(left)), (right, x + GAP)] {
        let card = Rect::at([start, top], [wide(label), 22.0]);
        ui.fill(card, faded(ui.theme.bar, 0.82), 6.0);
        ui.mark(|| format!("split-{label}"), card);
        ui.text_in(card, Align::Center, ui.theme.text, label);
    }
}
