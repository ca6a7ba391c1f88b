//! The conditions of a transition or a layer: parameters and what they are compared with.

use crate::editor::panels::ui::form::{pick_in, quantity};
use crate::editor::panels::ui::prelude::*;
use keypose::anim::machine::parts::{Condition, MachineParts, Value};

/// Draws a list of conditions: rows that change and delete one, and a list that adds one.
pub fn conditions_ui(form: &Form<'_>, parts: &MachineParts, conditions: &mut Vec<Condition>) -> Touch {
    let ui = form.ui;
    let (mut touched, mut dropped) = (Touch::default(), None);
    for (index, condition) in conditions.iter_mut().enumerate() {
        let _id = ui.push_id_usize(index);
        let touch = form.line(|mut row| {
            let cross = row.cut_right(FIELD, GAP);
            if widgets::icon_button_at(ui, cross, &format!("drop-condition{index}"), Icon::X, Tone::Bare) {
                dropped = Some(index);
            }
            condition_ui(ui, parts, index, condition, row)
        });
        touched = if touch == Touch::default() { touched } else { touch };
    }
    let added = form.line(|row| parameter_in(ui, row, "add-condition", "Add condition", ui.theme.quiet, parts));
    conditions.extend(added.clone());
    if let Some(index) = dropped {
        conditions.remove(index);
    }
    if added.is_some() || dropped.is_some() { Touch::AT_ONCE } else { touched }
}

/// Draws the parameter and the comparison of a condition.
fn condition_ui(ui: &Ui<'_>, parts: &MachineParts, index: usize, condition: &mut Condition, mut row: Rect) -> Touch {
    let name = row.cut_left(row.width() * 0.45, GAP);
    let now = condition.parameter().to_owned();
    if let Some(chosen) = parameter_in(ui, name, &format!("parameter{index}"), &now, ui.theme.text, parts) {
        *condition = chosen;
        return Touch::AT_ONCE;
    }
    test(ui, index, condition, row)
}

/// Draws the choice of a parameter. Returns the condition that a chosen one starts with.
fn parameter_in(ui: &Ui<'_>, place: Rect, id: &str, now: &str, ink: Color, parts: &MachineParts) -> Option<Condition> {
    let names = parts.parameters.iter().map(|parameter| parameter.name.as_str());
    let chosen = &parts.parameters[pick_in(ui, place, id, now, ink, names)?];
    let parameter = chosen.name.clone();
    Some(match chosen.value {
        Value::Number(_) => Condition::Above { parameter, value: 0.0 },
        Value::Switch(_) => Condition::On { parameter },
        Value::Trigger => Condition::Fired { parameter },
    })
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
