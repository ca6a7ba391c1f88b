//! The bar of the blend preview at the lower edge of the viewport: two clips and a weight.

use crate::editor::panels::ui::form::{menu_in, quantity};
use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::view::mode_bar::lower_bar;
use crate::editor::session::blend::{Blend, BlendAction};

/// Draws the bar. Returns whether the mouse is over it.
pub fn blend_bar(ui: &Ui<'_>, blend: &Blend, area: Rect) -> bool {
    let bar = lower_bar(ui, area, 640.0);
    let mut rest = bar;
    let close = rest.cut_right(FIELD, GAP);
    let width = (rest.width() * 0.28).floor();
    clip_choice(ui, blend, 0, rest.cut_left(width, 2.0 * GAP));
    clip_choice(ui, blend, 1, rest.cut_right(width, 2.0 * GAP));
    weight_number(ui, blend, rest.cut_right(46.0, GAP));
    weight_slider(ui, blend, rest);
    if widgets::icon_button_at(ui, close, "leave-blend", Icon::X, Tone::Bare) {
        ui.send(ViewAction::Leave);
    }
    ui.tip("Leave the blend preview", &ui.key_of(Command::BlendPreview));
    bar.contains(ui.io().mouse_pos)
}

fn clip_choice(ui: &Ui<'_>, blend: &Blend, at: usize, place: Rect) {
    let Some(model) = ui.model() else { return };
    let all: Vec<_> = model.clips.iter().map(|slot| (slot.id, slot.clip.name.as_str())).collect();
    let mut clips = blend.clips;
    if menu_in(ui, place, &format!("blend{at}"), &all, &mut clips[at]).is_changed {
        ui.send(BlendAction::Clips(clips));
    }
}

fn weight_number(ui: &Ui<'_>, blend: &Blend, rect: Rect) {
    let mut weight = blend.weight;
    if quantity(ui, rect, "blend-percent", &mut weight, Number::percent()).is_changed {
        ui.send(BlendAction::Weight(weight));
    }
    number_field::number_tip(ui, "Blend weight");
}

fn weight_slider(ui: &Ui<'_>, blend: &Blend, rect: Rect) {
    let mut weight = blend.weight;
    if rect.width() >= 24.0 && widgets::slider(ui, rect, "blend-weight", 0.0, 1.0, &mut weight) {
        ui.send(BlendAction::Weight(weight));
    }
    ui.tip("Blend weight", "");
}
