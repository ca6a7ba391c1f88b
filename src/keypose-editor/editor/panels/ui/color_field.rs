//! A field that shows a colour and opens a colour picker.

use crate::editor::panels::ui::Ui;
use imgui::ColorEditFlags;

use crate::editor::panels::ui::menu;
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::surface::Align;
use crate::editor::panels::ui::sys;
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::Touch;
use crate::render::frame::color::Color;

/// Width of the picker.
const PICKER: f32 = 200.0;

/// Draws a colour with its hexadecimal digits and returns the touch of its picker. `color` keeps its alpha.
pub fn color_field(ui: &Ui<'_>, id: &str, field: Rect, color: &mut Color) -> Touch {
    let popup = format!("##picker-{id}");
    if ui.button_in(id, field) {
        ui.open_popup(&popup);
    }
    ui.field_ground(field);
    let (mut swatch, hex) = (field.shrunk(3.0), color.to_hex());
    let digits = swatch.cut_right(ui.calc_text_size(&hex)[0] + 4.0, 6.0);
    ui.fill(swatch, color.with_alpha(1.0).to_array(), 3.0);
    ui.text_in(digits, Align::Left, ui.theme.text, &hex);
    ui.tip("Choose a colour", "");
    sys::place_next_popup(ui.imgui, field, 2.0);
    let Some(_popup) = menu::popup(ui, &popup) else { return Touch::default() };
    picker(ui, id, color)
}

fn picker(ui: &Ui<'_>, id: &str, color: &mut Color) -> Touch {
    let mut parts = [color.r, color.g, color.b];
    ui.set_next_item_width(PICKER);
    let flags = ColorEditFlags::NO_SIDE_PREVIEW
        | ColorEditFlags::NO_LABEL
        | ColorEditFlags::NO_OPTIONS
        | ColorEditFlags::DISPLAY_RGB
        | ColorEditFlags::DISPLAY_HEX
        | ColorEditFlags::NO_SMALL_PREVIEW;
    let is_changed = ui.color_picker3_config(format!("##colors-{id}"), &mut parts).flags(flags).build();
    let touch = Touch { is_changed, is_reset: false, ..widgets::touch(ui) };
    ui.item(&format!("picker-{id}"));
    let [r, g, b] = parts.map(|part| part.clamp(0.0, 1.0));
    *color = Color { r, g, b, ..*color };
    touch
}
