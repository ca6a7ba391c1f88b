//! The bar of the preview of a retargeted clip: which clip of which model, and the buttons that add it.

use std::sync::Arc;

use crate::editor::panels::ui::form::menu_in;
use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::view::mode_bar::lower_bar;
use crate::editor::session::retargeting::{RetargetAction, Retargeting};
use keypose::assets::model::ClipSlot;

/// Draws the bar. Returns whether the mouse is over it.
pub fn retarget_bar(ui: &Ui<'_>, shown: &Retargeting, area: Rect) -> bool {
    let bar = lower_bar(ui, area, 656.0);
    let mut rest = bar;
    let close = rest.cut_right(FIELD, GAP);
    let (all, add) = (rest.cut_right(112.0, GAP), rest.cut_right(58.0, GAP));
    let map = rest.cut_right(92.0, GAP);
    clip_choice(ui, shown, rest);
    if widgets::button_at(ui, add, "Add##retarget-Add", Tone::On) {
        ui.send(RetargetAction::Add);
    }
    if widgets::button_at(ui, all, "Add all clips##retarget-Add all clips", Tone::Plain) {
        ui.send(RetargetAction::AddAll);
    }
    ui.tip(&format!("Add all clips of {}; each follows its source", shown.models[0].name), "");
    widgets::command_button(ui, map, "Bone map…##retarget-map", Tone::Plain, Command::BoneMap);
    if widgets::icon_button_at(ui, close, "leave-retarget", Icon::X, Tone::Bare) {
        ui.send(ViewAction::Leave);
    }
    ui.tip("Leave the preview", &ui.key_of(Command::RetargetedClip));
    bar.contains(ui.io().mouse_pos)
}

/// Draws the list of the clips of other models.
fn clip_choice(ui: &Ui<'_>, shown: &Retargeting, place: Rect) {
    let others = ui.document.models.iter().enumerate().filter(|(at, _)| *at != ui.session.focus.model);
    let clips = others.flat_map(|(_, model)| model.clips.iter().map(move |slot| (model, slot)));
    let named = |(model, slot): (&Arc<Model>, &ClipSlot)| (slot.id, format!("{} of {}", slot.clip.name, model.name));
    let named: Vec<_> = clips.map(named).collect();
    let all: Vec<_> = named.iter().map(|(id, name)| (*id, name.as_str())).collect();
    let mut source = shown.source;
    if menu_in(ui, place, "retarget-clip", &all, &mut source).is_changed {
        ui.send(RetargetAction::Show(source));
    }
}
