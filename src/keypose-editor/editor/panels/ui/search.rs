//! Search fields.

use imgui::WindowHoveredFlags;

use crate::editor::panels::ui::prelude::*;

/// Draws a search field with a button that clears it. Returns whether the text changed.
pub fn field(ui: &Ui<'_>, id: &str, hint: &str, text: &mut String) -> bool {
    field_in(ui, id, hint, ui.content_region_avail()[0], text)
}

/// The number of entries from which a list has a search field.
pub const MANY: usize = 11;

/// Draws a search field above a list of many entries. Returns what is searched, which is empty without the field.
pub fn above_list(ui: &Ui<'_>, id: &str, count: usize, what: &str) -> String {
    if count < MANY {
        ui.kept.searches.borrow_mut().remove(id);
        return String::new();
    }
    let mut text = ui.kept.searches.borrow().get(id).cloned().unwrap_or_default();
    if field(ui, id, &format!("Search {count} {what}"), &mut text) {
        ui.kept.searches.borrow_mut().insert(id.to_owned(), text.clone());
    }
    ui.dummy([0.0, 2.0]);
    text
}

/// Draws a search field at the top of a list that just opened: what is typed finds entries. Returns what is searched.
pub fn in_open_list(ui: &Ui<'_>, id: &str, count: usize) -> String {
    ui.expect_text();
    if ui.is_window_appearing() {
        ui.kept.searches.borrow_mut().remove(id);
        widgets::focus_next(ui);
    }
    let mut text = ui.kept.searches.borrow().get(id).cloned().unwrap_or_default();
    let width = ui.room().max(200.0);
    if field_in(ui, id, &format!("Search {count}"), width, &mut text) {
        ui.kept.searches.borrow_mut().insert(id.to_owned(), text.clone());
    }
    text
}

/// Draws a search field of a width. Returns whether the text changed.
pub fn field_in(ui: &Ui<'_>, id: &str, hint: &str, width: f32, text: &mut String) -> bool {
    ui.set_next_item_width(width);
    let is_changed = {
        let _height = ui.push_style_var(StyleVar::FramePadding([8.0, (FIELD - ui.text_line_height()) / 2.0]));
        ui.input_text(format!("##{id}"), text).hint(hint).build()
    };
    let rect = ui.item(id);
    if text.is_empty() {
        return is_changed;
    }
    let cross = rect.right(FIELD);
    // Also while the field has the keyboard.
    let flags = WindowHoveredFlags::ALLOW_WHEN_BLOCKED_BY_ACTIVE_ITEM;
    let is_over = cross.contains(ui.io().mouse_pos) && ui.is_window_hovered_with_flags(flags);
    let color = if is_over { ui.theme.text } else { ui.theme.dim };
    ui.text_in(cross, Align::Center, color, &icon(Icon::X));
    if is_over {
        ui.set_mouse_cursor(Some(imgui::MouseCursor::Arrow));
        if ui.is_mouse_clicked(MouseButton::Left) {
            // An active field would restore its text.
            sys::release_active(ui.imgui);
            text.clear();
            return true;
        }
    }
    is_changed
}

/// Draws a search field with a button at its right, which has its label if there is room. Returns whether the button
/// was pressed.
pub fn field_and_button(ui: &Ui<'_>, id: &str, hint: &str, text: &mut String, sign: Icon, button: Button<'_>) -> bool {
    let (top, width) = (ui.cursor_screen_pos(), ui.content_region_avail()[0]);
    let full = format!("{}  {}", icon(sign), button.text);
    let is_wide = width >= 236.0;
    let button_width = if is_wide { ui.calc_text_size(&full)[0] + 20.0 } else { FIELD + 3.0 };
    field_in(ui, id, hint, (width - button_width - 4.0).max(8.0), text);
    let after = ui.cursor_screen_pos();
    let rect = Rect::at([top[0] + width - button_width, top[1]], [button_width, FIELD]);
    let shown = if is_wide { full } else { icon(sign) };
    let is_pressed = widgets::button_at(ui, rect, &format!("{shown}##{}", button.id), button.tone);
    ui.set_cursor_screen_pos(after);
    is_pressed
}
