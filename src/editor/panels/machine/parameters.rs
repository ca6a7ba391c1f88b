//! The parameters, each with the slider, switch or button that sets it in the preview.

use imgui::{MouseButton, StyleVar};
use lucide_icons::Icon;

use crate::anim::machine::parts::{Condition, MachineParts, Motion, ParameterDef, Value};
use crate::assets::default_machine::GAME_PARAMETERS;
use crate::assets::machine::Graph;
use crate::editor::ops::machine_edit::MachineEdit;
use crate::editor::panels::machine::naming::{Named, Naming, naming_ui};
use crate::editor::panels::ui::actions::Out;
use crate::editor::panels::ui::canvas::{Align, Kit, Rect, icon};
use crate::editor::panels::ui::menu;
use crate::editor::panels::ui::seen::Seen;
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::{FIELD, Tone};
use crate::editor::panels::window::layout;
use crate::editor::session::command::Command;
use crate::editor::session::machine::{MachineAction, Shown};

/// Width of a name.
const NAME: f32 = 92.0;

/// The column's contents.
pub fn parameters_ui(kit: &Kit<'_>, seen: &Seen<'_>, graph: &Graph, naming: &mut Option<Naming>, out: &mut Out) {
    let rect = layout::title(kit, "Parameters", "");
    kit.set_cursor_screen_pos([rect.max[0] - 62.0, rect.min[1] + 1.0]);
    let menu_id = "##add-parameter-menu";
    if widgets::button(kit, &format!("{}  Add##add-parameter", icon(Icon::Plus)), [62.0, 22.0], Tone::Bare) {
        kit.open_popup(menu_id);
    }
    add_menu(kit, graph, menu_id, out);
    kit.set_cursor_screen_pos([rect.min[0], rect.max[1] + 2.0]);
    let is_on = seen.session.focus.machine.preview.is_some();
    let (text, tone) = if is_on { ("Stop the preview", Tone::Plain) } else { ("Preview", Tone::On) };
    if widgets::button(kit, &format!("{text}##preview-machine"), [rect.size()[0], 24.0], tone) {
        out.run(Command::PreviewMachine);
    }
    kit.tip("The model plays through the machine; nothing of it is saved", &seen.key_of(Command::PreviewMachine));
    kit.dummy([0.0, 4.0]);
    layout::scrolled(kit, "##parameters", 0.0, || {
        if graph.def.parts().parameters.is_empty() {
            widgets::empty(kit, "No parameters yet.", "The game sets them; conditions and blends look at them.");
        }
        for parameter in &graph.def.parts().parameters {
            row(kit, seen, graph.def.parts(), parameter, naming, out);
        }
    });
}

fn row(
    kit: &Kit<'_>,
    seen: &Seen<'_>,
    parts: &MachineParts,
    parameter: &ParameterDef,
    naming: &mut Option<Naming>,
    out: &mut Out,
) {
    let name = parameter.name.as_str();
    let _id = kit.push_id(name);
    let top = kit.cursor_screen_pos();
    let width = kit.content_region_avail()[0];
    if naming_ui(kit, naming, Named::Parameter, name, width, out) {
        return kit.dummy([0.0, 3.0]);
    }
    if kit.invisible_button("##name", [NAME, FIELD]) || kit.is_item_clicked_with_button(MouseButton::Right) {
        kit.open_popup("##parameter-menu");
    }
    let place = kit.item(&format!("parameter-{name}"));
    let known = GAME_PARAMETERS.iter().find(|(known, ..)| *known == name).map(|(.., meaning)| *meaning);
    kit.tip(known.unwrap_or("The game does not set this one"), "");
    let ink = if known.is_some() { kit.theme.text } else { kit.theme.quiet };
    kit.text_in(place, Align::Left, ink, name);
    context_menu(kit, seen, parameter, naming, out);
    kit.set_cursor_screen_pos([top[0] + NAME + 4.0, top[1]]);
    value(kit, seen, parts, parameter, width - NAME - 4.0, out);
    kit.set_cursor_screen_pos([top[0], top[1] + FIELD + 4.0]);
    kit.dummy([0.0, 0.0]);
}

/// Sets the parameter of the preview; the first touch turns it on.
fn value(kit: &Kit<'_>, seen: &Seen<'_>, parts: &MachineParts, parameter: &ParameterDef, width: f32, out: &mut Out) {
    let name = parameter.name.as_str();
    let preview = seen.session.focus.machine.preview.as_ref();
    let shown = preview.and_then(|preview| preview.value(name));
    let mut set = |action: MachineAction| {
        if preview.is_none() {
            out.push(MachineAction::Preview(Shown::On));
        }
        out.push(action);
    };
    match parameter.value {
        Value::Number(first) => {
            let mut number = shown.unwrap_or(first);
            let [low, high] = range(parts, name);
            kit.set_next_item_width(width - 48.0);
            let _height = kit.push_style_var(StyleVar::FramePadding([6.0, (FIELD - kit.text_line_height()) / 2.0]));
            if kit.slider_config("##value", low, high).display_format("").build(&mut number) {
                set(MachineAction::Set(name.to_owned(), number));
            }
            let slider = kit.item(&format!("set-{name}"));
            let at_right = Rect::at([slider.max[0], slider.min[1]], [48.0, FIELD]);
            kit.text_in(at_right, Align::Right, kit.theme.text, &widgets::formatted("%.2f", number));
        }
        Value::Switch(first) => {
            let is_on = shown.map_or(first, |value| value != 0.0);
            let (text, tone) = if is_on { ("on", Tone::On) } else { ("off", Tone::Plain) };
            if widgets::button(kit, &format!("{text}##set-{name}"), [width, FIELD], tone) {
                set(MachineAction::Set(name.to_owned(), if is_on { 0.0 } else { 1.0 }));
            }
        }
        Value::Trigger => {
            if widgets::button(kit, &format!("Fire##set-{name}"), [width, FIELD], Tone::Plain) {
                set(MachineAction::Fire(name.to_owned()));
            }
        }
    }
}

/// What the machine compares the parameter with, and a little more.
fn range(parts: &MachineParts, name: &str) -> [f32; 2] {
    let compared = parts.transitions.iter().flat_map(|it| &it.conditions).filter_map(|condition| match condition {
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
    // A value that goes either way is compared with 0: rising and falling.
    let low = if high <= 1.0 && low >= 0.0 { -1.0 } else { low };
    let room = 0.2 * (high - low);
    [if low < 0.0 { low - room } else { 0.0 }, high + room]
}

fn context_menu(kit: &Kit<'_>, seen: &Seen<'_>, parameter: &ParameterDef, naming: &mut Option<Naming>, out: &mut Out) {
    let name = parameter.name.as_str();
    let _padding = menu::padding(kit);
    let Some(_menu) = kit.begin_popup("##parameter-menu") else { return };
    if menu::item(kit, "Rename", "") {
        *naming = Some(Naming::new(Named::Parameter, name));
    }
    let preview = seen.session.focus.machine.preview.as_ref();
    let value = preview.and_then(|preview| preview.value(name)).and_then(|value| match parameter.value {
        Value::Number(_) => Some(Value::Number(value)),
        Value::Switch(_) => Some(Value::Switch(value != 0.0)),
        Value::Trigger => None,
    });
    if let Some(value) = value
        && menu::item(kit, "Begin with this value", "")
    {
        super::edit(out, MachineEdit::SetParameter { name: name.to_owned(), value });
    }
    if menu::item(kit, "Delete", "") {
        super::edit(out, MachineEdit::DeleteParameter(name.to_owned()));
    }
}

/// Those that the game sets first, then new ones of each kind.
fn add_menu(kit: &Kit<'_>, graph: &Graph, id: &str, out: &mut Out) {
    let _padding = menu::padding(kit);
    let Some(_menu) = kit.begin_popup(id) else { return };
    let mut add = |name: &str, value| super::edit(out, MachineEdit::AddParameter(ParameterDef::new(name, value)));
    let lacking = GAME_PARAMETERS.iter().filter(|(name, ..)| graph.def.parameter(name).is_none());
    let lacking: Vec<_> = lacking.collect();
    for (name, value, meaning) in &lacking {
        if menu::item(kit, name, meaning) {
            add(name, *value);
        }
    }
    if !lacking.is_empty() {
        menu::separator(kit);
    }
    let own = [("number", Value::Number(0.0)), ("switch", Value::Switch(false)), ("trigger", Value::Trigger)];
    for (name, value) in own {
        if menu::item(kit, &format!("A {name} of your own"), "") {
            add(name, value);
        }
    }
}
