//! A field that shows a colour and opens a picker for it.

use imgui::ColorEditFlags;

use crate::editor::panels::ui::canvas::{Align, Kit, Rect};
use crate::editor::panels::ui::menu;
use crate::editor::panels::ui::sys;
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::Touch;
use crate::render::frame::color::Color;

/// Width of the picker.
const PICKER: f32 = 200.0;

/// The field, with the colour's digits beside it; what was done in its picker. `color` keeps its alpha.
pub fn color_field(kit: &Kit<'_>, id: &str, field: Rect, color: &mut Color) -> Touch {
    let popup = format!("##picker-{id}");
    kit.set_cursor_screen_pos(field.min);
    if kit.invisible_button(format!("##open-{id}"), field.size()) {
        kit.open_popup(&popup);
    }
    kit.item(id);
    let ground = if kit.is_item_hovered() { kit.theme.field_hovered } else { kit.theme.field };
    kit.fill(field, ground, 5.0);
    let swatch = Rect { max: [field.min[0] + field.size()[0] * 0.5, field.max[1]], ..field }.shrunk(3.0);
    kit.fill(swatch, color.with_alpha(1.0).to_array(), 3.0);
    let digits = Rect { min: [swatch.max[0], field.min[1]], max: [field.max[0] - 6.0, field.max[1]] };
    kit.text_in(digits, Align::Right, kit.theme.text, &color.to_hex());
    kit.tip("Click to choose a colour", "");
    sys::place_next_popup(kit.ui, [field.min[0], field.max[1] + 2.0]);
    let _padding = menu::padding(kit);
    let Some(_popup) = kit.begin_popup(&popup) else { return Touch::default() };
    picker(kit, id, color)
}

fn picker(kit: &Kit<'_>, id: &str, color: &mut Color) -> Touch {
    let mut parts = [color.r, color.g, color.b];
    kit.set_next_item_width(PICKER);
    let flags = ColorEditFlags::NO_SIDE_PREVIEW
        | ColorEditFlags::NO_LABEL
        | ColorEditFlags::NO_OPTIONS
        | ColorEditFlags::DISPLAY_RGB
        | ColorEditFlags::DISPLAY_HEX
        | ColorEditFlags::NO_SMALL_PREVIEW;
    let is_changed = kit.color_picker3_config(format!("##colors-{id}"), &mut parts).flags(flags).build();
    let touch = Touch { is_changed, is_reset: false, ..widgets::touch(kit) };
    kit.item(&format!("picker-{id}"));
    let [r, g, b] = parts.map(|part| part.clamp(0.0, 1.0));
    *color = Color { r, g, b, ..*color };
    touch
}
