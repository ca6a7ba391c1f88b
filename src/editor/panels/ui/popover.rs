//! What the popovers over the picture are made of: titles, lines that are on or off, and the buttons that open them.

use lucide_icons::Icon;

use crate::editor::panels::ui::canvas::{Align, Kit, Rect, icon};
use crate::editor::panels::ui::menu;
use crate::editor::panels::ui::sys;

/// Height of a line.
pub const LINE: f32 = 23.0;
/// Width of the part of a button that opens its popover.
const OPENER: f32 = 24.0;

/// A small title above lines.
pub fn title(kit: &Kit<'_>, text: &str) {
    let _font = kit.with_font(kit.fonts.small_bold);
    kit.text_colored(kit.theme.quiet, text.to_uppercase());
}

/// A line that is on or off, with its key at the right.
pub struct Line<'a> {
    /// Its sign.
    pub sign: Icon,
    /// What it switches.
    pub name: &'a str,
    /// Its key, or nothing.
    pub key: String,
    /// It is on.
    pub is_on: bool,
    /// False where it changes nothing now, since something above it is off: it is dim.
    pub counts: bool,
}

impl Line<'_> {
    /// Draws it, so wide; a test finds it under the name behind `group`. True where it was clicked.
    pub fn draw(&self, kit: &Kit<'_>, group: &str, width: f32) -> bool {
        let is_pressed = kit.invisible_button(format!("##line-{}", self.name), [width, LINE]);
        let rect = kit.item(&format!("{group}-{}", self.name));
        if self.is_on && self.counts {
            kit.fill(rect, kit.theme.row, 5.0);
        } else if kit.is_item_hovered() {
            kit.fill(rect, kit.theme.row_hovered, 5.0);
        }
        let ink = match (self.is_on, self.counts) {
            (_, false) => kit.theme.dim,
            (true, _) => kit.theme.accent,
            _ => kit.theme.text,
        };
        let at = |x: f32, width: f32| Rect::at([rect.min[0] + x, rect.min[1]], [width, LINE]);
        kit.text_in(at(6.0, 18.0), Align::Center, ink, &icon(self.sign));
        kit.text_in(at(32.0, width - 40.0), Align::Left, ink, self.name);
        kit.text_in(at(32.0, width - 40.0), Align::Right, kit.theme.quiet, &self.key);
        is_pressed
    }
}

/// A button of two parts: a text that switches something, and a sign that opens a popover about it.
pub struct SplitButton<'a> {
    /// For tests, and to tell popovers apart.
    pub id: &'a str,
    /// What it switches.
    pub text: &'a str,
    /// It is on.
    pub is_on: bool,
    /// What the tooltip says of the text.
    pub tip: &'a str,
    /// The key that switches it.
    pub key: String,
}

impl SplitButton<'_> {
    /// How wide it is.
    pub fn width(kit: &Kit<'_>, text: &str) -> f32 {
        kit.calc_text_size(text)[0] + 18.0 + OPENER
    }

    /// Draws it; whether the text was pressed. `contents` is drawn while the popover is open.
    pub fn draw(&self, kit: &Kit<'_>, rect: Rect, contents: impl FnOnce()) -> bool {
        let middle = rect.max[0] - OPENER;
        let (text, opener) = (Rect { max: [middle, rect.max[1]], ..rect }, Rect { min: [middle, rect.min[1]], ..rect });
        kit.set_cursor_screen_pos(text.min);
        let is_pressed = kit.invisible_button(format!("##{}", self.id), text.size());
        kit.item(self.id);
        if kit.is_item_hovered() {
            kit.fill(text, kit.theme.field_hovered, 5.0);
        }
        let inner = Rect { min: [text.min[0] + 10.0, text.min[1]], ..text };
        kit.text_in(inner, Align::Left, if self.is_on { kit.theme.accent } else { kit.theme.quiet }, self.text);
        kit.tip(self.tip, &self.key);
        kit.set_cursor_screen_pos(opener.min);
        let popover = format!("##popover-{}", self.id);
        if kit.invisible_button(format!("##open-{}", self.id), opener.size()) {
            kit.open_popup(&popover);
        }
        kit.item(&format!("open-{}", self.id));
        if kit.is_item_hovered() {
            kit.fill(opener, kit.theme.field_hovered, 5.0);
        }
        kit.text_in(opener, Align::Center, kit.theme.quiet, &icon(Icon::ChevronDown));
        sys::place_next_popup(kit.ui, [rect.min[0], rect.max[1] + 4.0]);
        let _padding = menu::padding(kit);
        if let Some(_popup) = kit.begin_popup(&popover) {
            let _spacing = kit.push_style_var(imgui::StyleVar::ItemSpacing([8.0, 3.0]));
            contents();
        }
        is_pressed
    }
}
