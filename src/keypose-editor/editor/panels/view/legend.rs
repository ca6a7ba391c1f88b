//! The legend of a shading, as a card.

use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::ui::surface::Surface;
use crate::editor::view::legend::{Bones, Key, Legend};
use crate::render::frame::color::Color;

/// Draws the legend of the viewport's shading, if it has one, with its lower right corner at a point. Returns its place.
pub fn legend(ui: &Ui<'_>, model: &Model, corner: [f32; 2]) -> Option<Rect> {
    let selection = &ui.session.focus.selection;
    let name = |bone| bone_name(&model.skeleton, bone).to_string();
    let bones = Bones { active: selection.active_bone(), colored: &selection.bones, name: &name };
    Some(draw(ui, &Legend::of(ui.session.workspace.display.shading, bones)?, corner))
}

/// Height of a line.
const LINE: f32 = 17.0;
/// Number of colours in a scale.
const STEPS: usize = 32;

/// Draws a legend with its lower right corner at a point. Returns its place.
fn draw(surface: &Surface<'_>, Legend { title, key }: &Legend, [right, bottom]: [f32; 2]) -> Rect {
    let (names, lines): (&[(Color, String)], usize) = match key {
        Key::Scale(..) => (&[], 1),
        Key::Colors(colors) => (colors, colors.len()),
    };
    let width = |text: &str| surface.calc_text_size(text)[0];
    let wide = names.iter().map(|(_, name)| width(name) + 18.0).fold(width(title), f32::max) + 20.0;
    let size = [wide.max(168.0), 30.0 + lines as f32 * LINE];
    let card = Rect::at([right - size[0], bottom - size[1]], size);
    surface.fill(card, faded(surface.theme.bar, 0.82), 6.0);
    surface.mark(|| "legend".into(), card);
    let line = |y: f32| card.trim_top(y).top(16.0).inset(10.0, 0.0);
    surface.text_in(line(5.0), Align::Left, surface.theme.text, title);
    match key {
        Key::Scale(color, ends) => scale(surface, line(25.0), *color, ends),
        Key::Colors(colors) => {
            for (at, (color, name)) in colors.iter().enumerate() {
                let row = line(25.0 + at as f32 * LINE);
                let dot = Rect::at([row.min[0], row.center()[1] - 5.0], [10.0; 2]);
                surface.fill(dot, color.to_array(), 3.0);
                surface.text_in(row.trim_left(18.0), Align::Left, surface.theme.quiet, name);
            }
        }
    }
    card
}

fn scale(surface: &Surface<'_>, row: Rect, color: fn(f32) -> Color, [low, high]: &[&str; 2]) {
    surface.text_in(row, Align::Left, surface.theme.quiet, low);
    surface.text_in(row, Align::Right, surface.theme.quiet, high);
    let [from, to] =
        [row.min[0] + surface.calc_text_size(low)[0] + 6.0, row.max[0] - surface.calc_text_size(high)[0] - 6.0];
    let (y, step) = (row.center()[1], (to - from) / STEPS as f32);
    for at in 0..STEPS {
        let left = from + at as f32 * step;
        let color = color((at as f32 + 0.5) / STEPS as f32).to_array();
        surface.fill(Rect { min: [left, y - 4.0], max: [left + step + 0.5, y + 4.0] }, color, 0.0);
    }
}
