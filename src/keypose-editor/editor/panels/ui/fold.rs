//! Sections of a panel that fold.

use std::collections::BTreeSet;

use lucide_icons::Icon;

use crate::editor::panels::ui::Ui;
use crate::editor::panels::ui::surface::{Align, icon};
use crate::editor::panels::ui::sys;

/// Height of a section's title.
const HIGH: f32 = 18.0;

/// Which sections of a panel are folded.
#[derive(Debug, Default)]
pub struct Folds {
    closed: BTreeSet<&'static str>,
}

impl Folds {
    /// Draws the title of a section, which folds and unfolds it when clicked. Returns whether the section is open.
    pub fn section(&mut self, ui: &Ui<'_>, id: &'static str, title: &str) -> bool {
        ui.dummy([0.0, 5.0]);
        let rect = ui.here([ui.room().max(8.0), HIGH]);
        let is_pressed = sys::ground_button(ui.imgui, &format!("##fold-{id}"), rect.size());
        ui.item(&format!("fold-{id}"));
        ui.mark(|| format!("section: {title}"), rect);
        if is_pressed && !self.closed.remove(id) {
            self.closed.insert(id);
        }
        let is_open = !self.closed.contains(id);
        let ink = if ui.is_item_hovered() { ui.theme.text } else { ui.theme.quiet };
        let _font = ui.with_font(ui.fonts.small_bold);
        let sign = if is_open { Icon::ChevronDown } else { Icon::ChevronRight };
        ui.text_in(rect.left(17.0), Align::Left, ui.theme.dim, &icon(sign));
        ui.text_in(rect.trim_left(17.0), Align::Left, ink, &title.to_uppercase());
        is_open
    }
}
