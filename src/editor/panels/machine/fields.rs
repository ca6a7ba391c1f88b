//! Fields of states and transitions: labelled rows, numbers, and dropdowns of clips and parameters.

use crate::anim::machine::parts::{MachineParts, Value};
use crate::assets::machine::Graph;
use crate::assets::model::Model;
use crate::editor::ops::machine_edit::MachineEdit;
use crate::editor::panels::machine::gesture;
use crate::editor::panels::ui::Ui;
use crate::editor::panels::ui::menu;
use crate::editor::panels::ui::number_field;
use crate::editor::panels::ui::number_field::Number;
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::rows;
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::FIELD;

/// Width of the labels before fields.
const LABEL: f32 = 84.0;

/// Draws a label; `body` gets the rectangle beside it.
pub fn labelled<R>(ui: &Ui<'_>, label: &str, body: impl FnOnce(Rect) -> R) -> R {
    rows::labelled(ui, label, LABEL, [f32::MAX, FIELD], body)
}

/// Draws a number in a rectangle; `edit` is the edit that sets it.
pub fn number(
    ui: &Ui<'_>,
    graph: &Graph,
    (id, rect): (&str, Rect),
    (mut value, how): (f32, Number),
    edit: impl FnOnce(f32) -> MachineEdit,
) {
    ui.set_cursor_screen_pos(rect.min);
    let touch = number_field::number(ui, id, rect.width(), &mut value, how);
    gesture(ui, graph, touch, &edit(value));
}

/// Draws a labelled number with a tooltip; `edit` is the edit that sets it.
pub fn number_row(
    ui: &Ui<'_>,
    graph: &Graph,
    (label, id, tip): (&str, &str, &str),
    number_of: (f32, Number),
    edit: impl FnOnce(f32) -> MachineEdit,
) {
    labelled(ui, label, |field| {
        number(ui, graph, (id, field), number_of, edit);
        number_field::number_tip(ui, tip);
    });
}

/// Draws a labelled dropdown of choices. Returns a newly chosen one.
pub fn choice_row<T: Copy + PartialEq>(ui: &Ui<'_>, label: &str, all: &[(T, &str)], chosen: T) -> Option<T> {
    let text = all.iter().find(|(value, _)| *value == chosen).map_or("", |(_, text)| *text);
    labelled(ui, label, |field| {
        let _list = widgets::dropdown(ui, label, text, ui.theme.text, field.width())?;
        let mut picked = None;
        for (value, text) in all {
            if menu::choice(ui, text, *value == chosen) {
                picked = Some(*value);
            }
        }
        picked.filter(|picked| *picked != chosen)
    })
}

/// Draws a dropdown of clips. Returns a newly chosen one.
pub fn clip_picker(ui: &Ui<'_>, model: &Model, id: &str, now: &str, rect: Rect) -> Option<String> {
    let is_gone = !now.is_empty() && model.clip_named(now).is_none();
    let text = match (now, is_gone) {
        ("", _) => "rest pose".to_owned(),
        (clip, true) => format!("{clip} (gone)"),
        (clip, false) => clip.to_owned(),
    };
    let ink = if is_gone { ui.theme.hit } else { ui.theme.text };
    ui.set_cursor_screen_pos(rect.min);
    let _list = widgets::dropdown(ui, id, &text, ink, rect.width())?;
    let mut chosen = menu::choice(ui, "rest pose##none", now.is_empty()).then(String::new);
    for slot in &model.clips {
        let name = slot.clip.name.as_str();
        if menu::choice(ui, &format!("{name}##clip{}", slot.id.0), name == now) {
            chosen = Some(name.to_owned());
        }
    }
    chosen.filter(|chosen| chosen != now)
}

/// Draws a dropdown of number parameters. Returns a newly chosen one; `none` is the entry for no parameter.
pub fn number_picker(
    ui: &Ui<'_>,
    parts: &MachineParts,
    (id, now): (&str, &str),
    none: Option<&str>,
    rect: Rect,
) -> Option<String> {
    let text = if now.is_empty() { none.unwrap_or_default() } else { now };
    ui.set_cursor_screen_pos(rect.min);
    let _list = widgets::dropdown(ui, id, text, ui.theme.text, rect.width())?;
    let mut chosen = none.filter(|none| menu::choice(ui, none, now.is_empty())).map(|_| String::new());
    for parameter in parts.parameters.iter().filter(|it| matches!(it.value, Value::Number(_))) {
        if menu::choice(ui, &parameter.name, parameter.name == now) {
            chosen = Some(parameter.name.clone());
        }
    }
    chosen.filter(|chosen| chosen != now)
}
