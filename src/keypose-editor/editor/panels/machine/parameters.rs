//! The parameters, each with a slider, switch or button that sets it in the preview.

use crate::editor::ops::machine_edit::MachineEdit;
use crate::editor::panels::machine::naming::{MachineItem, naming_ui};
use crate::editor::panels::ui::form::quantity;
use crate::editor::panels::ui::prelude::*;
use crate::editor::session::machine::MachineAction;
use keypose::anim::machine::parts::{Condition, MachineParts, Motion, ParameterDef, Value};
use keypose::assets::default_machine::GAME_PARAMETERS;
use keypose::assets::machine::Graph;

/// Minimum and maximum width of the names.
const NAME: f32 = 92.0;
const MAX_NAME: f32 = 130.0;

/// Draws the column.
pub fn parameters_ui(ui: &Ui<'_>, graph: &Graph, naming: &mut Naming<MachineItem>) {
    let title = widgets::title(ui, "Parameters", "");
    let after = ui.cursor_screen_pos();
    let (place, label) = (title.right(62.0).inset(0.0, 1.0), format!("{}  Add##add-parameter", icon(Icon::Plus)));
    menu::button(ui, place, &label, Tone::Bare, "", "", || add_entries(ui, graph));
    ui.set_cursor_screen_pos(after);
    let is_on = ui.session.transient.pose.machine().is_some();
    let (label, tone) = if is_on { ("Stop preview", Tone::Plain) } else { ("Preview", Tone::On) };
    let (place, label) = (ui.here([title.width(), 24.0]), format!("{label}##preview-machine"));
    let tip = "Play the state machine in the viewport, without changing the document";
    widgets::command_button_about(ui, place, &label, tone, Command::PreviewMachine, tip);
    ui.dummy([0.0, 4.0]);
    widgets::scrolled(ui, "##parameters", 0.0, || {
        if graph.def.parts().parameters.is_empty() {
            widgets::empty(ui, "No parameters.", "Set by the game; read by conditions and blends.");
        }
        for parameter in &graph.def.parts().parameters {
            row(ui, graph.def.parts(), parameter, naming);
        }
    });
}

fn row(ui: &Ui<'_>, parts: &MachineParts, parameter: &ParameterDef, naming: &mut Naming<MachineItem>) {
    let name = parameter.name.as_str();
    let _id = ui.push_id(name);
    if naming_ui(ui, naming, MachineItem::Parameter(name.to_owned())) {
        return ui.dummy([0.0, 3.0]);
    }
    let mut line = ui.here([ui.room(), FIELD]);
    let after = [line.min[0], line.max[1] + GAP];
    let wide = parts.parameters.iter().map(|parameter| ui.calc_text_size(&parameter.name)[0]).fold(NAME, f32::max);
    let place = line.cut_left(wide.min(MAX_NAME), GAP);
    if ui.button_in(&format!("parameter-{name}"), place) || ui.is_item_clicked_with_button(MouseButton::Right) {
        ui.open_popup("##parameter-menu");
    }
    let known = GAME_PARAMETERS.iter().find(|(known, ..)| *known == name).map(|(.., meaning)| *meaning);
    let meaning = known.unwrap_or("Not set by the game");
    let is_cut = ui.calc_text_size(name)[0] > place.width();
    ui.tip(&if is_cut { format!("{name}: {meaning}") } else { meaning.to_owned() }, "");
    let ink = if known.is_some() { ui.theme.text } else { ui.theme.quiet };
    ui.text_in(place, Align::Left, ink, name);
    context_menu(ui, parameter, naming);
    value(ui, parts, parameter, line);
    ui.end_at(after);
}

/// Draws the control that sets the parameter in the preview.
fn value(ui: &Ui<'_>, parts: &MachineParts, parameter: &ParameterDef, mut place: Rect) {
    let name = parameter.name.as_str();
    let shown = ui.session.transient.pose.machine().and_then(|preview| preview.value(name));
    let set = |value: f32| ui.send(MachineAction::Set(name.to_owned(), value));
    match parameter.value {
        Value::Number(first) => {
            let mut number = shown.unwrap_or(first);
            let [low, high] = range(parts, name);
            let field = place.cut_right(46.0, 2.0);
            if widgets::slider(ui, place, &format!("set-{name}"), low, high, &mut number) {
                set(number);
            }
            let how = Number::new("%.2f", (high - low) * 0.004);
            let touch = quantity(ui, field, &format!("number-{name}"), &mut number, how);
            number_field::number_tip(ui, name);
            if touch.is_changed {
                set(number);
            }
        }
        Value::Switch(first) => {
            let is_on = shown.map_or(first, |value| value != 0.0);
            let (text, tone) = if is_on { ("on", Tone::On) } else { ("off", Tone::Plain) };
            if widgets::button_at(ui, place, &format!("{text}##set-{}", name.replace("##", "# #")), tone) {
                set(if is_on { 0.0 } else { 1.0 });
            }
        }
        Value::Trigger => {
            if widgets::button_at(ui, place, &format!("Fire##set-{name}"), Tone::Plain) {
                set(1.0);
            }
        }
    }
}

/// The range of a parameter's slider: the values that conditions and blends use, and a margin.
fn range(parts: &MachineParts, name: &str) -> [f32; 2] {
    let of_layers = parts.layers.iter().flat_map(|it| &it.conditions);
    let of_transitions = parts.transitions.iter().flat_map(|it| &it.conditions);
    let compared = of_transitions.chain(of_layers).filter_map(|condition| match condition {
        Condition::Above { parameter, value } | Condition::Below { parameter, value } if parameter == name => {
            Some(*value)
        }
        _ => None,
    });
    let blended = parts.states.iter().flat_map(|state| match &state.motion {
        Motion::Line(line) if line.parameter == name => line.points.iter().map(|point| point.at).collect(),
        Motion::Plane(plane) => {
            let axis = plane.parameters.iter().position(|parameter| parameter == name);
            axis.map(|axis| plane.points.iter().map(|point| point.at[axis]).collect()).unwrap_or_default()
        }
        _ => Vec::new(),
    });
    let (low, high) = compared.chain(blended).fold((0.0_f32, 1.0_f32), |(low, high), it| (low.min(it), high.max(it)));
    // A parameter that is only compared with 0 has a sign, such as a rising or falling speed.
    let low = if high <= 1.0 && low >= 0.0 { -1.0 } else { low };
    let room = 0.2 * (high - low);
    [if low < 0.0 { low - room } else { 0.0 }, high + room]
}

fn context_menu(ui: &Ui<'_>, parameter: &ParameterDef, naming: &mut Naming<MachineItem>) {
    let name = parameter.name.as_str();
    let Some(_menu) = menu::popup(ui, "##parameter-menu") else { return };
    if menu::item(ui, "Rename", "") {
        naming.start(ui, MachineItem::Parameter(name.to_owned()), name);
    }
    let preview = ui.session.transient.pose.machine();
    let value = preview.and_then(|preview| preview.value(name)).and_then(|value| match parameter.value {
        Value::Number(_) => Some(Value::Number(value)),
        Value::Switch(_) => Some(Value::Switch(value != 0.0)),
        Value::Trigger => None,
    });
    if let Some(value) = value
        && menu::item(ui, "Use as initial value", "")
    {
        super::edit(ui, MachineEdit::SetParameter { name: name.to_owned(), value });
    }
    if menu::item(ui, "Delete", "") {
        super::edit(ui, MachineEdit::DeleteParameter(name.to_owned()));
    }
}

/// Offers the game's parameters first, then new ones of each type.
fn add_entries(ui: &Ui<'_>, graph: &Graph) {
    let add = |name: &str, value| super::edit(ui, MachineEdit::AddParameter(ParameterDef::new(name, value)));
    let lacking = GAME_PARAMETERS.iter().filter(|(name, ..)| graph.def.parameter(name).is_none());
    let lacking: Vec<_> = lacking.collect();
    for (name, value, meaning) in &lacking {
        if menu::item(ui, name, meaning) {
            add(name, *value);
        }
    }
    if !lacking.is_empty() {
        menu::separator(ui);
    }
    let own = [("number", Value::Number(0.0)), ("switch", Value::Switch(false)), ("trigger", Value::Trigger)];
    for (name, value) in own {
        if menu::item(ui, &format!("New {name}"), "") {
            add(name, value);
        }
    }
}
