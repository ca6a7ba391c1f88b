//! Text in several styles that flows into lines, with links.

use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::window::manual::markdown::{Span, Style};

/// Height of a line.
const LINE: f32 = 21.0;

/// Where text is drawn: its left edge, its right edge and the top of its first line, on the screen.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// The left edge.
    pub left: f32,
    /// The right edge.
    pub right: f32,
    pub top: f32,
}

/// Draws pieces of text. Returns the height, and the link that was clicked.
pub fn flow<'a>(ui: &Ui<'_>, column: Column, spans: &'a [Span]) -> (f32, Option<&'a str>) {
    let (mut x, mut y) = (column.left, column.top);
    let mut clicked = None;
    for span in spans {
        let _font = (span.style == Style::Bold).then(|| ui.with_font(ui.fonts.bold));
        let space = ui.calc_text_size(" ")[0];
        for piece in span.text.split_inclusive(' ') {
            let word = piece.trim_end();
            let width = ui.calc_text_size(word)[0];
            if x > column.left && x + width > column.right {
                (x, y) = (column.left, y + LINE);
            }
            let rect = Rect::at([x, y], [width, LINE]);
            if !word.is_empty() && draw_word(ui, span, rect, word) {
                clicked = span.link.as_deref();
            }
            x += width + if piece.ends_with(' ') { space } else { 0.0 };
        }
    }
    (y + LINE - column.top, clicked)
}

/// Draws a word. Returns whether it belongs to a link and was clicked.
fn draw_word(ui: &Ui<'_>, span: &Span, rect: Rect, word: &str) -> bool {
    let is_link = span.link.is_some();
    let is_over = is_link && ui.is_window_hovered() && rect.contains(ui.io().mouse_pos);
    let color = match span.style {
        _ if is_link => ui.theme.link,
        Style::Code => ui.theme.draft,
        Style::Bold => ui.theme.text,
        Style::Plain | Style::Italic => faded(ui.theme.text, 0.86),
    };
    ui.draw().add_text([rect.min[0], rect.min[1] + 1.0], color, word);
    if let Some(link) = &span.link {
        ui.mark(|| format!("link {link}"), rect);
    }
    if is_over {
        ui.set_mouse_cursor(Some(imgui::MouseCursor::Hand));
        ui.fill(rect.bottom(1.0), ui.theme.link, 0.0);
    }
    is_over && ui.is_mouse_clicked(MouseButton::Left)
}
