//! The bar of the blend preview at the lower edge of the viewport: two clips and a weight.

use crate::editor::ops::amount::Measure;
use imgui::{SliderFlags, StyleColor, StyleVar};

use crate::assets::id::ClipId;
use crate::editor::panels::ui::prelude::*;
use crate::editor::session::blend::{Blend, BlendAction};

/// Height of the bar.
const HIGH: f32 = 36.0;

/// Draws the bar. Returns whether the mouse is over it.
pub fn blend_bar(ui: &Ui<'_>, blend: &Blend, area: Rect) -> bool {
    let wide = (area.size()[0] - 24.0).min(640.0);
    let bar = Rect::at([area.center()[0] - wide / 2.0, area.max[1] - HIGH - 10.0], [wide, HIGH]);
    ui.fill(bar, faded(ui.theme.bar, 0.95), 8.0);
    let (top, close, number) = (bar.min[1] + (HIGH - FIELD) / 2.0, 30.0, 46.0);
    let choice = ((wide - close - number) * 0.28).floor();
    for (at, x) in [bar.min[0] + 8.0, bar.max[0] - close - choice].into_iter().enumerate() {
        ui.set_cursor_screen_pos([x, top]);
        clip_choice(ui, blend, at, choice);
    }
    let slider =
        Rect { min: [bar.min[0] + 8.0 + choice + 8.0, top], max: [bar.max[0] - close - choice - number, top + FIELD] };
    weight_slider(ui, blend, slider);
    let figure = Rect { min: [slider.max[0], top], max: [slider.max[0] + number - 6.0, top + FIELD] };
    weight_number(ui, blend, figure);
    ui.set_cursor_screen_pos([bar.max[0] - close + 2.0, top]);
    if widgets::icon_button(ui, "leave-blend", Icon::X, [24.0, FIELD], Tone::Bare) {
        ui.send(BlendAction::Leave);
    }
    ui.tip("Leave the blend preview", &ui.key_of(Command::BlendPreview));
    bar.contains(ui.io().mouse_pos)
}

fn clip_choice(ui: &Ui<'_>, blend: &Blend, at: usize, wide: f32) {
    let Some(model) = ui.model() else { return };
    let name = |id: ClipId| model.clip(id).map_or("", |clip| clip.name.as_str());
    let now = blend.clips[at];
    let Some(_menu) = widgets::dropdown(ui, &format!("blend{at}"), name(now), ui.theme.text, wide) else { return };
    for slot in &model.clips {
        if menu::choice(ui, &format!("{}##blend{at}-{}", slot.clip.name, slot.id.0), slot.id == now) {
            let mut clips = blend.clips;
            clips[at] = slot.id;
            ui.send(BlendAction::Clips(clips));
        }
    }
}

fn weight_number(ui: &Ui<'_>, blend: &Blend, rect: Rect) {
    let mut percent = blend.weight * 100.0;
    ui.set_cursor_screen_pos(rect.min);
    let how = Number { range: [0.0, 100.0], unit: "%", measure: Measure::Percent, ..Number::new("%.0f", 0.4) };
    if number_field::number(ui, "blend-percent", rect.width(), &mut percent, how).is_changed {
        ui.send(BlendAction::Weight(percent / 100.0));
    }
    number_field::number_tip(ui, "Blend weight");
}

fn weight_slider(ui: &Ui<'_>, blend: &Blend, rect: Rect) {
    if rect.size()[0] < 24.0 {
        return;
    }
    let mut weight = blend.weight;
    ui.set_cursor_screen_pos(rect.min);
    ui.set_next_item_width(rect.size()[0]);
    let _height = ui.push_style_var(StyleVar::FramePadding([6.0, (FIELD - ui.text_line_height()) / 2.0]));
    let _hidden = ui.push_style_color(StyleColor::Text, [0.0; 4]);
    let is_moved = ui
        .slider_config("##blend-weight", 0.0, 1.0)
        .display_format("%.2f")
        .flags(SliderFlags::NO_INPUT)
        .build(&mut weight);
    drop(_hidden);
    ui.item("blend-weight");
    if is_moved {
        ui.send(BlendAction::Weight(weight));
    }
    ui.tip("Blend weight", "");
}
