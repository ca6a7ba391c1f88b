//! The layers over the states: their list, and the fields of the picked one.

use crate::editor::ops::machine_edit::MachineEdit;
use crate::editor::panels::machine::conditions::conditions_ui;
use crate::editor::panels::machine::edit;
use crate::editor::panels::machine::fields::{NO_CLIP, TICKS, apply, clips};
use crate::editor::panels::machine::naming::{MachineItem, head_ui};
use crate::editor::panels::ui::prelude::*;
use crate::editor::session::machine::{MachineAction, Picked};
use keypose::anim::machine::layer_def::{LayerDef, LayerKind};
use keypose::assets::machine::Graph;

/// Draws the list, the topmost layer first, and a button that adds one.
pub fn list_ui(ui: &Ui<'_>, model: &Model, graph: &Graph) {
    ui.section("Layers");
    for layer in graph.def.parts().layers.iter().rev() {
        let bone = if layer.bone.is_empty() { "all bones" } else { &layer.bone };
        let sign = if layer.kind == LayerKind::Add { "+ " } else { "" };
        let detail = format!("{sign}{}, {bone}", layer.clip);
        if Item::new(&format!("layer-{}", layer.name), &layer.name, &detail, false).draw(ui).is_clicked {
            ui.send(MachineAction::Pick(Picked::Layer(layer.name.clone())));
        }
    }
    ui.dummy([0.0, GAP]);
    if widgets::button(ui, &format!("{}  Add layer##add-layer", icon(Icon::Plus)), [140.0, 24.0], Tone::Plain) {
        let open = ui.session.focus.clip.and_then(|id| model.clip(id));
        let clip = open.map(|clip| clip.name.clone()).unwrap_or_default();
        edit(ui, MachineEdit::AddLayer(Box::new(LayerDef::new("layer", clip))));
    }
    ui.tip("Add a layer that plays the open clip over the states", "");
}

/// Draws the fields of a layer.
pub fn layer_ui(ui: &Ui<'_>, model: &Model, graph: &Graph, name: &str, naming: &mut Naming<MachineItem>) {
    let layers = &graph.def.parts().layers;
    let Some(at) = layers.iter().position(|layer| layer.name == name) else { return };
    let layer = &layers[at];
    if head_ui(ui, naming, MachineItem::Layer(name.to_owned()), "all layers##all-layers", Tone::Bare) {
        ui.send(MachineAction::Pick(Picked::Nothing));
    }
    widgets::scrolled(ui, "##layer", 0.0, || {
        let apply = |touch, _, layer| apply(ui, graph, touch, MachineEdit::SetLayer(Box::new(layer)));
        let rows = Form::new(ui, "layer-");
        let form = rows.of(layer, "Edit layer", &apply);
        ui.section("Motion");
        form.name_of("Clip", NO_CLIP, clips(model), |layer| &mut layer.clip);
        let bones = model.skeleton.bones().iter().map(|bone| bone.name.as_str());
        form.name_of("From bone", Some("all bones"), bones, |layer| &mut layer.bone);
        let kinds = [
            (LayerKind::Replace, "Replace", "The clip replaces the pose of these bones"),
            (LayerKind::Add, "Add", "Adds the clip's difference from its first pose"),
        ];
        form.choice("Combined", &kinds, |layer| &mut layer.kind);
        ui.section("Shown while");
        form.field(|form, layer| conditions_ui(form, graph.def.parts(), &mut layer.conditions));
        ui.section("Playback");
        let speed = Number::new("%.2f", 0.01).within(0.0, 100.0).unit("×");
        form.number("Speed", "1 is the speed of the clip", speed, |layer| &mut layer.speed);
        let weight = Number::new("%.2f", 0.01).within(0.0, 1.0);
        form.number("Weight", "Weight of the clip", weight, |layer| &mut layer.weight);
        form.field(|form, layer| {
            let tip = "Duration of the fade in and out, in ticks of 1/60 s";
            let touch = form.number("Fade", tip, TICKS, &mut layer.fade_secs);
            layer.fade_secs = (layer.fade_secs * 60.0).round() / 60.0;
            touch
        });
        ui.dummy([0.0, 10.0]);
        order(&rows, at, layers);
    });
}

/// Draws the buttons that reorder layers. Later ones are over earlier ones.
fn order(form: &Form<'_>, at: usize, layers: &[LayerDef]) {
    let name = layers[at].name.clone();
    let buttons = [
        Button::new("Higher", "higher", "Move over the next layer").enabled(at + 1 < layers.len()),
        Button::new("Lower", "lower", "Move below the previous layer").enabled(at > 0),
        Button::new("Delete", "delete", "Delete the layer"),
    ];
    match form.buttons(&buttons) {
        Some(0) => edit(form.ui, MachineEdit::MoveLayer { name, to: at + 1 }),
        Some(1) => edit(form.ui, MachineEdit::MoveLayer { name, to: at - 1 }),
        Some(_) => edit(form.ui, MachineEdit::DeleteLayer(name)),
        None => {}
    }
}
