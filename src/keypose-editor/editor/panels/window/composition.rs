//! Text that an input method composes, such as the syllables of a Chinese word: it is shown at the caret until it is
//! committed. Dear ImGui only knows committed text.

use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::surface::Surface;
use crate::editor::panels::ui::sys;

/// An event of an input method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Composing {
    /// The method shows another text, or none, with the bytes of the part that is converted.
    Changed(String, Option<(usize, usize)>),
    Committed(String),
    /// The method is switched off.
    Ended,
}

impl Composing {
    /// Whether text is being composed after it.
    pub fn continues(&self) -> bool {
        matches!(self, Composing::Changed(text, _) if !text.is_empty())
    }
}

/// The text that is being composed; empty if there is none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Composition {
    text: String,
    /// The bytes of the part that is converted. Empty at the caret of the text.
    converted: Option<(usize, usize)>,
}

/// Space right of the text.
const MARGIN: f32 = 3.0;

impl Composition {
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Follows the input method. Returns the text that it types.
    pub fn follow(&mut self, change: Composing) -> Option<String> {
        let (text, converted, typed) = match change {
            Composing::Changed(text, converted) => (text, converted, None),
            Composing::Committed(typed) => (String::new(), None, Some(typed)),
            Composing::Ended => (String::new(), None, None),
        };
        *self = Composition { text, converted };
        typed
    }

    /// Draws the text over the panels, at the caret of the text field that has the keyboard. Call it after the panels.
    pub fn draw(&self, surface: &Surface<'_>) {
        if self.text.is_empty() {
            return;
        }
        let Some((at, height)) = sys::caret(surface.imgui) else { return };
        let width = surface.calc_text_size(&self.text)[0];
        // Right of the caret, unless the window ends there.
        let left = (at[0] + 2.0).min(surface.io().display_size[0] - width - MARGIN).max(0.0);
        let rect = Rect::at([left, at[1]], [width, height]);
        surface.mark(|| format!("composition: {}", self.text), rect);
        let draw = surface.imgui.get_foreground_draw_list();
        let ground = Rect { max: [rect.max[0] + MARGIN, rect.max[1] + 1.0], ..rect };
        draw.add_rect(ground.min, ground.max, surface.theme.field).filled(true).rounding(3.0).build();
        draw.add_text(rect.min, surface.theme.text, &self.text);
        let line = |from: f32, to: f32, thickness: f32, color| {
            let y = rect.max[1] + 0.5;
            draw.add_line([from, y], [to, y], color).thickness(thickness).build();
        };
        line(rect.min[0], rect.max[0], 1.0, surface.theme.quiet);
        if let Some([from, to]) = self.converted.and_then(|part| self.bounds(surface, part)) {
            if to - from < 1.0 {
                draw.add_line([left + from, rect.min[1]], [left + from, rect.max[1]], surface.theme.text).build()
            } else {
                line(left + from, left + to, 2.0, surface.theme.accent)
            }
        }
    }

    /// Where a part begins and ends, from the left of the text; `None` if it is not between characters.
    fn bounds(&self, surface: &Surface<'_>, (from, to): (usize, usize)) -> Option<[f32; 2]> {
        let end = |bytes: usize| Some(surface.calc_text_size(self.text.get(..bytes)?)[0]);
        Some([end(from)?, end(to)?])
    }
}
