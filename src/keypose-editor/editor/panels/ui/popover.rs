//! Parts of the popovers over the viewport: titles, toggles and the buttons that open them.

use crate::editor::panels::ui::prelude::*;

/// Height of a line.
pub const LINE: f32 = FIELD;
/// Width of the part of a split button that opens its popover.
const OPENER: f32 = 24.0;

/// Draws a small title.
pub fn title(ui: &Ui<'_>, text: &str) {
    let _font = ui.with_font(ui.fonts.small_bold);
    ui.text_colored(ui.theme.quiet, text.to_uppercase());
}

/// A toggle with an icon and its key.
pub struct Toggle<'a> {
    pub sign: Icon,
    pub name: &'a str,
    /// The key that switches it, or empty.
    pub key: String,
    pub is_on: bool,
    /// Whether the toggle has an effect now; if not, it is dim.
    pub counts: bool,
}

impl<'a> Toggle<'a> {
    /// The toggle of a command.
    pub fn of(ui: &Ui<'_>, sign: Icon, name: &'a str, command: Command) -> Toggle<'a> {
        Toggle { sign, name, key: ui.key_of(command), is_on: ui.is_on(command), counts: true }
    }

    /// Draws the toggle, `width` points wide. Tests find it as `group`-name. Returns whether it was clicked.
    pub fn draw(&self, ui: &Ui<'_>, group: &str, width: f32) -> bool {
        let is_pressed = ui.invisible_button(format!("##line-{}", self.name), [width, LINE]);
        let rect = ui.item(&format!("{group}-{}", self.name));
        ui.row_ground(rect, self.is_on && self.counts, ui.is_item_hovered());
        let ink = match (self.is_on, self.counts) {
            (_, false) => ui.theme.dim,
            (true, _) => ui.theme.accent,
            _ => ui.theme.text,
        };
        let at = |x: f32, width: f32| Rect::at([rect.min[0] + x, rect.min[1]], [width, LINE]);
        ui.text_in(at(6.0, 18.0), Align::Center, ink, &icon(self.sign));
        ui.text_in(at(32.0, width - 40.0), Align::Left, ink, self.name);
        ui.text_in(at(32.0, width - 40.0), Align::Right, ui.theme.quiet, &self.key);
        is_pressed
    }
}

/// A button of two parts: a text that toggles something, and an arrow that opens its popover.
pub struct SplitButton<'a> {
    pub id: &'a str,
    pub text: &'a str,
    pub is_on: bool,
    pub tip: &'a str,
    /// The key that toggles it.
    pub key: String,
}

impl SplitButton<'_> {
    pub fn width(ui: &Ui<'_>, text: &str) -> f32 {
        ui.calc_text_size(text)[0] + 18.0 + OPENER
    }

    /// Draws the button, and `contents` while the popover is open. Returns whether the text was clicked.
    pub fn draw(&self, ui: &Ui<'_>, rect: Rect, contents: impl FnOnce()) -> bool {
        let middle = rect.max[0] - OPENER;
        let (text, opener) = (rect.with_x(rect.min[0], middle), rect.with_x(middle, rect.max[0]));
        let is_pressed = ui.button_in(self.id, text);
        if ui.is_item_hovered() {
            ui.fill(text, ui.theme.field_hovered, 5.0);
        }
        let inner = text.trim_left(10.0);
        ui.text_in(inner, Align::Left, if self.is_on { ui.theme.accent } else { ui.theme.quiet }, self.text);
        ui.tip(self.tip, &self.key);
        let popover = format!("##popover-{}", self.id);
        if ui.button_in(&format!("open-{}", self.id), opener) {
            ui.open_popup(&popover);
        }
        if ui.is_item_hovered() {
            ui.fill(opener, ui.theme.field_hovered, 5.0);
        }
        ui.text_in(opener, Align::Center, ui.theme.quiet, &icon(Icon::ChevronDown));
        sys::place_next_popup(ui.imgui, rect, 4.0);
        if let Some(_popup) = menu::popup(ui, &popover) {
            let _spacing = ui.push_style_var(imgui::StyleVar::ItemSpacing([8.0, 3.0]));
            contents();
        }
        is_pressed
    }
}
