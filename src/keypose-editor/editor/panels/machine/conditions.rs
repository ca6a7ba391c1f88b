//! The conditions of a transition or a layer: parameters and what they are compared with.

use crate::editor::panels::ui::form::quantity;
use crate::editor::panels::ui::prelude::*;
use keypose::anim::machine::parts::{Condition, MachineParts, Value};

/// Draws a list of conditions: rows that change and delete one, and a list that adds one.
pub fn conditions_ui(form: &Form<'_>, parts: &MachineParts, conditions: &mut Vec<Condition>) -> Touch {
    let ui = form.ui;
    let (mut touched, mut dropped) = (Touch::default(), None);
    for (index, condition) in conditions.iter_mut().enumerate() {
        let _id = ui.push_id_usize(index);
        let touch = form.line(|mut row| {
            if widgets::icon_button_at(
                ui,
                row.cut_right(FIELD, GAP),
                &format!("drop-condition{index}"),
                Icon::X,
                Tone::Bare,
            ) {
                dropped = Some(index);
            }
            condition_ui(ui, parts, index, condition, row)
        });
        touched = if touch == Touch::default() { touched } else { touch };
    }
    let added = form.line(|row| {
        let _list = widgets::dropdown(ui, "add-condition", "Add condition", ui.theme.quiet, row.width())?;
        parts.parameters.iter().find(|parameter| menu::item(ui, &parameter.name, ""))
    });
    conditions.extend(added.map(|parameter| first_of(&parameter.name, parameter.value)));
    if let Some(index) = dropped {
        conditions.remove(index);
    }
    if added.is_some() || dropped.is_some() { Touch::AT_ONCE } else { touched }
}

/// Draws the parameter and the comparison of a condition.
fn condition_ui(ui: &Ui<'_>, parts: &MachineParts, index: usize, condition: &mut Condition, mut row: Rect) -> Touch {
    let name = row.cut_left(row.width() * 0.45, GAP);
    ui.set_cursor_screen_pos(name.min);
    let list = widgets::dropdown(ui, &format!("parameter{index}"), condition.parameter(), ui.theme.text, name.width());
    if list.is_some() {
        let is_chosen = |name: &str| menu::choice(ui, name, name == condition.parameter());
        if let Some(parameter) = parts.parameters.iter().find(|parameter| is_chosen(&parameter.name)) {
            *condition = first_of(&parameter.name, parameter.value);
            return Touch::AT_ONCE;
        }
    }
    drop(list);
    test(ui, index, condition, row)
}

/// The condition that a parameter starts with.
fn first_of(parameter: &str, value: Value) -> Condition {
    let parameter = parameter.to_owned();
    match value {
        Value::Number(_) => Condition::Above { parameter, value: 0.0 },
        Value::Switch(_) => Condition::On { parameter },
        Value::Trigger => Condition::Fired { parameter },
    }
}

/// Draws the comparison of a condition: a button that turns it round, and the number.
fn test(ui: &Ui<'_>, index: usize, condition: &mut Condition, mut rect: Rect) -> Touch {
    let (text, opposite) = match condition.clone() {
        Condition::On { parameter } => ("is on", Condition::Off { parameter }),
        Condition::Off { parameter } => ("is off", Condition::On { parameter }),
        Condition::Above { parameter, value } => ("above", Condition::Below { parameter, value }),
        Condition::Below { parameter, value } => ("below", Condition::Above { parameter, value }),
        Condition::Fired { .. } => {
            ui.text_in(rect, Align::Center, ui.theme.quiet, "is fired");
            return Touch::default();
        }
    };
    let mut touch = Touch::default();
    let button = match condition {
        Condition::Above { .. } | Condition::Below { .. } => rect.cut_left(56.0, GAP),
        Condition::On { .. } | Condition::Off { .. } | Condition::Fired { .. } => rect,
    };
    if let Condition::Above { value, .. } | Condition::Below { value, .. } = condition {
        touch = quantity(ui, rect, &format!("than{index}"), value, Number::new("%.2f", 0.01));
        number_field::number_tip(ui, "The number that the parameter is compared with");
    }
    if widgets::button_at(ui, button, &format!("{text}##test{index}"), Tone::Plain) {
        *condition = opposite;
        return Touch::AT_ONCE;
    }
    touch
}
