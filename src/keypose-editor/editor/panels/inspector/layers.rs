//! The section with the layers of the open clip: the last one first, down to the clip under all of them.

use crate::editor::document::edit::Edit;
use crate::editor::ops::layered::{self, layers_of};
use crate::editor::panels::inspector::transform::KEY;
use crate::editor::panels::ui::form::quantity;
use crate::editor::panels::ui::key_mark;
use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::ui::widgets::KEY_MARK;
use crate::editor::posing::layer_weight;
use keypose::assets::clip_notes::{ClipLayer, Derivation, LayerBlend};

/// Draws the section, if the clip has a layer.
pub(super) fn layers_ui(ui: &Ui<'_>, model: &Model, folds: &mut Folds) {
    let Some(open) = ui.session.focus.clip else { return };
    let (layers, _) = layers_of(model, open);
    if layers.is_empty() || !folds.section(ui, "layers", "Layers") {
        return;
    }
    let edit = |(clip, layer): (ClipId, ClipLayer)| -> Edit {
        ClipEdit::SetDerived { clip, how: Derivation::Layered(layer) }.into()
    };
    for (at, &(clip, layer)) in layers.iter().enumerate() {
        let name = model.clip(layer.clip).map_or("", |clip| &clip.name);
        let is_solo = layers.iter().all(|(_, other)| other.is_muted != (other.clip == layer.clip));
        let prefix = format!("layer{at}-");
        let form = Form::new(ui, &prefix);
        let mute = if layer.is_muted { "Muted" } else { "Mute" };
        let tone = |is_on: bool| if is_on { Tone::On } else { Tone::Plain };
        let buttons = [
            Button { tone: Tone::Plain, ..Button::new(name, "open", "Open the layer's own clip") },
            Button { tone: tone(layer.is_muted), ..Button::new(mute, "mute", "Play without this layer") },
            Button { tone: tone(is_solo), ..Button::new("Solo", "solo", "Mute all other layers, or none") },
        ];
        let shown = if layers.len() > 1 { 3 } else { 2 };
        match form.buttons(&buttons[..shown]) {
            Some(0) => ui.send(SelectAction::Clip(Some(layer.clip))),
            Some(1) => ui.edit("Mute layer", vec![edit((clip, ClipLayer { is_muted: !layer.is_muted, ..layer }))]),
            Some(_) => {
                let muted = |other: &ClipLayer| !is_solo && other.clip != layer.clip;
                let all =
                    layers.iter().map(|(clip, other)| edit((*clip, ClipLayer { is_muted: muted(other), ..*other })));
                ui.edit("Solo layer", all.collect());
            }
            None => {}
        }
        let mut blend = layer.blend;
        let blends = [
            (LayerBlend::Add, "Add", "Adds its difference from the rest pose"),
            (LayerBlend::Replace, "Replace", "Blends to its own pose"),
        ];
        if form.choice("Blend", &blends, &mut blend).is_changed {
            ui.edit("Set layer blend", vec![edit((clip, ClipLayer { blend, ..layer }))]);
        }
        let mut percent = layer.percent as f32;
        let how = Number::percent().per(1.0).within(1.0, 200.0);
        let touch = form.number("Weight", "How much the layer changes its source", how, &mut percent);
        let percent = percent.round().clamp(1.0, 200.0) as u32;
        ui.change(touch, "Set layer weight", || vec![edit((clip, ClipLayer { percent, ..layer }))]);
        if clip == open && !layer.is_muted {
            keyed_weight_ui(ui, &form, open);
        }
        bones_ui(ui, model, &form, layer.clip);
    }
    widgets::command_buttons(ui, &[Command::AddLayer, Command::FlattenLayers]);
}

/// Draws the weight at the playhead, which is keyed when it is changed, with its key mark.
fn keyed_weight_ui(ui: &Ui<'_>, form: &Form<'_>, open: ClipId) {
    let mut percent = layer_weight::shown(ui.view) * 100.0;
    form.row("Keyed", |row| {
        let touch = quantity(ui, row.trim_right(KEY), "layer-keyed-weight", &mut percent, Number::percent().per(1.0));
        number_field::number_tip(ui, "The share of the weight at the playhead; changing it keys the layer");
        ui.change(touch, "Key layer weight", || {
            let Some(model) = ui.base_model() else { return Vec::new() };
            let Some(slot) = model.clips.iter().find(|slot| slot.id == open) else { return Vec::new() };
            let (at, ease) = (ui.session.focus.model, ui.session.workspace.new_ease);
            layer_weight::edits((at, model), slot, ui.session.focus.playhead.time, ease, percent / 100.0)
        });
        let found = ui.model().and_then(|model| layered::layer_weight(&model.skeleton));
        if let Some((scalar, at)) = found {
            key_mark::button(ui, row.right(KEY_MARK), "layer-keyed", &[scalar.bone], Channel::Scalar(at));
        }
    });
}

/// Draws the bones to which a layer is limited, and the buttons that limit it and clear that.
fn bones_ui(ui: &Ui<'_>, model: &Model, form: &Form<'_>, clip: ClipId) {
    let (mask, selected) = (model.mask(clip), &ui.session.focus.selection.bones);
    let text = match mask {
        [] => "all".to_owned(),
        [one] => one.clone(),
        many => format!("{} bones", many.len()),
    };
    form.row("Bones", |row| ui.text_in(row, Align::Left, ui.theme.text, &text));
    ui.tip(&if mask.is_empty() { "The layer changes all bones that it keys".to_owned() } else { mask.join(", ") }, "");
    let buttons = [
        Button::new("Limit to selection", "limit", "Limit the layer to the selected bones; its other keys are kept")
            .enabled(!selected.is_empty()),
        Button::new("Clear limit", "clear-limit", "Let the layer change all bones that it keys"),
    ];
    let set = |bones: Vec<String>, label| ui.edit(label, vec![ClipEdit::SetMask { clip, bones }.into()]);
    let names = || selected.iter().filter_map(|bone| Some(model.skeleton.get(*bone)?.name.clone())).collect();
    match form.buttons(&buttons[..if mask.is_empty() { 1 } else { 2 }]) {
        Some(0) => set(names(), "Limit layer"),
        Some(_) => set(Vec::new(), "Clear layer limit"),
        None => {}
    }
}
