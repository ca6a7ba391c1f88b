//! The section with the layers of the open clip: the last one first, down to the clip under all of them.

use crate::editor::document::edit::Edit;
use crate::editor::ops::layered::layers_of;
use crate::editor::panels::ui::prelude::*;
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
    }
    widgets::command_buttons(ui, &[Command::AddLayer, Command::UnlockClip]);
}
