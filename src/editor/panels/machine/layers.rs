//! The layers over the states: their list, and the fields of the picked one.

use lucide_icons::Icon;

use crate::anim::machine::layer_def::{LayerDef, LayerKind};
use crate::assets::machine::Graph;
use crate::assets::model::Model;
use crate::editor::ops::machine_edit::MachineEdit;
use crate::editor::panels::machine::conditions::conditions_ui;
use crate::editor::panels::machine::edit;
use crate::editor::panels::machine::fields::{clip_picker, labelled, number_row};
use crate::editor::panels::machine::naming::{Named, Naming, naming_ui};
use crate::editor::panels::ui::Ui;
use crate::editor::panels::ui::frame::{Align, icon};
use crate::editor::panels::ui::menu;
use crate::editor::panels::ui::number_field::Number;
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::rows;
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::Tone;
use crate::editor::panels::window::layout;
use crate::editor::session::machine::{MachineAction, Picked};

/// Draws the list, the topmost layer first, and a button that adds one.
pub fn list_ui(ui: &Ui<'_>, model: &Model, graph: &Graph) {
    ui.section("Layers");
    for layer in graph.def.parts().layers.iter().rev() {
        let touch = widgets::row(ui, &format!("layer-{}", layer.name), false);
        let inner = touch.rect.trim_left(8.0).trim_right(6.0);
        ui.text_in(inner, Align::Left, ui.theme.text, &layer.name);
        let room = inner.trim_left(ui.calc_text_size(&layer.name)[0] + 10.0);
        let bone = if layer.bone.is_empty() { "all bones" } else { &layer.bone };
        let sign = if layer.kind == LayerKind::Add { "+ " } else { "" };
        ui.text_in(room, Align::Right, ui.theme.quiet, &format!("{sign}{}, {bone}", layer.clip));
        if touch.is_clicked {
            ui.send(MachineAction::Pick(Picked::Layer(layer.name.clone())));
        }
    }
    if widgets::button(ui, &format!("{}  Add layer##add-layer", icon(Icon::Plus)), [140.0, 24.0], Tone::Plain) {
        let open = ui.session.focus.clip.and_then(|id| model.clip(id));
        let clip = open.map(|clip| clip.name.clone()).unwrap_or_default();
        edit(ui, MachineEdit::AddLayer(Box::new(LayerDef::new("layer", clip))));
    }
    ui.tip("Show the open clip over the states, on some bones or added", "");
}

/// Draws the fields of a layer.
pub fn layer_ui(ui: &Ui<'_>, (model, graph): (&Model, &Graph), name: &str, naming: &mut Option<Naming>) {
    let layers = &graph.def.parts().layers;
    let Some(at) = layers.iter().position(|layer| layer.name == name) else { return };
    let layer = &layers[at];
    head(ui, name, naming);
    layout::scrolled(ui, "##layer", 0.0, || {
        ui.section("Motion");
        if let Some(clip) = labelled(ui, "Clip", |field| clip_picker(ui, model, "layer-clip", &layer.clip, field)) {
            set(ui, LayerDef { clip, ..layer.clone() });
        }
        if let Some(bone) = labelled(ui, "From bone", |field| bone_picker(ui, model, &layer.bone, field)) {
            set(ui, LayerDef { bone, ..layer.clone() });
        }
        kind(ui, layer);
        ui.section("Shown while");
        conditions_ui(ui, graph, &layer.conditions, |conditions| edit_of(LayerDef { conditions, ..layer.clone() }));
        ui.section("Playback");
        numbers(ui, graph, layer);
        ui.dummy([0.0, 10.0]);
        order(ui, at, layers);
    });
}

fn edit_of(layer: LayerDef) -> MachineEdit {
    MachineEdit::SetLayer(Box::new(layer))
}

fn set(ui: &Ui<'_>, layer: LayerDef) {
    edit(ui, edit_of(layer));
}

fn head(ui: &Ui<'_>, name: &str, naming: &mut Option<Naming>) {
    let width = ui.content_region_avail()[0];
    if naming_ui(ui, naming, Named::Layer, name, width - 4.0) {
        return;
    }
    let rect = layout::title(ui, name, "");
    let mut buttons = rect.inset(0.0, 1.0);
    let back = buttons.cut_right(90.0, 4.0);
    if widgets::button_at(ui, buttons.right(64.0), "Rename##rename-layer", Tone::Bare) {
        *naming = Some(Naming::new(Named::Layer, name));
    }
    if widgets::button_at(ui, back, "all layers##all-layers", Tone::Bare) {
        ui.send(MachineAction::Pick(Picked::Nothing));
    }
    ui.set_cursor_screen_pos([rect.min[0], rect.max[1] + 2.0]);
}

/// Draws a dropdown of bones. Returns a newly chosen one, or an empty name for all.
fn bone_picker(ui: &Ui<'_>, model: &Model, now: &str, rect: Rect) -> Option<String> {
    let is_gone = !now.is_empty() && model.skeleton.find(now).is_none();
    let text = match (now, is_gone) {
        ("", _) => "all bones".to_owned(),
        (bone, true) => format!("{bone} (gone)"),
        (bone, false) => bone.to_owned(),
    };
    let ink = if is_gone { ui.theme.hit } else { ui.theme.text };
    ui.set_cursor_screen_pos(rect.min);
    let _list = widgets::dropdown(ui, "layer-bone", &text, ink, rect.width())?;
    let mut chosen = menu::choice(ui, "all bones##none", now.is_empty()).then(String::new);
    for (at, bone) in model.skeleton.bones().iter().enumerate() {
        if menu::choice(ui, &format!("{}##bone{at}", bone.name), bone.name == now) {
            chosen = Some(bone.name.clone());
        }
    }
    chosen.filter(|chosen| chosen != now)
}

fn kind(ui: &Ui<'_>, layer: &LayerDef) {
    let kinds = [
        (LayerKind::Replace, "Replace", "The clip replaces the pose of these bones"),
        (LayerKind::Add, "Add", "What the clip changes against its first pose is added"),
    ];
    let tone = |kind| if kind == layer.kind { Tone::On } else { Tone::Plain };
    if let Some(kind) = labelled(ui, "Combined", |field| rows::buttons(ui, field, "layer-kind", &kinds, tone)) {
        set(ui, LayerDef { kind, ..layer.clone() });
    }
}

fn numbers(ui: &Ui<'_>, graph: &Graph, layer: &LayerDef) {
    let how = Number { range: [0.0, 100.0], unit: "×", ..Number::new("%.2f", 0.01) };
    number_row(ui, graph, ("Speed", "layer-speed", "1 is the speed of the clip"), (layer.speed, how), |speed| {
        edit_of(LayerDef { speed, ..layer.clone() })
    });
    let how = Number { range: [0.0, 1.0], ..Number::new("%.2f", 0.01) };
    number_row(ui, graph, ("Weight", "layer-weight", "How much of the clip is shown"), (layer.weight, how), |weight| {
        edit_of(LayerDef { weight, ..layer.clone() })
    });
    let how = Number { range: [0.0, 3600.0], unit: "ticks", ..Number::new("%.0f", 0.1) };
    let about = ("Fade", "layer-fade", "Duration of the fade in and out, in ticks of 1/60 s");
    number_row(ui, graph, about, (layer.fade_secs * 60.0, how), |ticks| {
        edit_of(LayerDef { fade_secs: ticks.round() / 60.0, ..layer.clone() })
    });
}

/// Draws the buttons that reorder layers. Later ones are over earlier ones.
fn order(ui: &Ui<'_>, at: usize, layers: &[LayerDef]) {
    let name = &layers[at].name;
    let tone = |can| if can { Tone::Plain } else { Tone::Off };
    let size = [84.0, 24.0];
    if widgets::button(ui, "Higher##higher", size, tone(at + 1 < layers.len())) {
        edit(ui, MachineEdit::MoveLayer { name: name.clone(), to: at + 1 });
    }
    ui.same_line();
    if widgets::button(ui, "Lower##lower", size, tone(at > 0)) {
        edit(ui, MachineEdit::MoveLayer { name: name.clone(), to: at - 1 });
    }
    ui.same_line();
    if widgets::button(ui, "Delete##delete-layer", size, Tone::Bare) {
        edit(ui, MachineEdit::DeleteLayer(name.clone()));
    }
}
