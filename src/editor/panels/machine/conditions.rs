//! The conditions of a transition or a layer: parameters and what they are compared with.

use lucide_icons::Icon;

use crate::anim::machine::parts::{Condition, MachineParts, Value};
use crate::assets::machine::Graph;
use crate::editor::ops::machine_edit::MachineEdit;
use crate::editor::panels::machine::{edit, gesture};
use crate::editor::panels::ui::Ui;
use crate::editor::panels::ui::frame::Align;
use crate::editor::panels::ui::menu;
use crate::editor::panels::ui::number_field;
use crate::editor::panels::ui::number_field::Number;
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::rows;
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::{FIELD, Tone, Touch};

/// Draws a list of conditions; `edit_of` is the edit that sets another one.
pub fn conditions_ui(
    ui: &Ui<'_>,
    graph: &Graph,
    conditions: &[Condition],
    edit_of: impl Fn(Vec<Condition>) -> MachineEdit,
) {
    let parts = graph.def.parts();
    let mut wanted = None;
    for (index, condition) in conditions.iter().enumerate() {
        let _id = ui.push_id_usize(index);
        wanted = condition_row(ui, parts, index, condition).map(|edit| (index, edit)).or(wanted);
    }
    let mut changed = conditions.to_vec();
    match wanted {
        Some((index, ConditionEdit::Set(condition))) => changed[index] = condition,
        Some((index, ConditionEdit::Drag(touch, condition))) => {
            changed[index] = condition;
            gesture(ui, graph, touch, &edit_of(changed));
            changed = conditions.to_vec();
        }
        Some((index, ConditionEdit::Delete)) => drop(changed.remove(index)),
        None => {}
    }
    let width = ui.content_region_avail()[0];
    if let Some(_list) = widgets::dropdown(ui, "add-condition", "Add condition", ui.theme.quiet, width) {
        for parameter in &parts.parameters {
            if menu::item(ui, &parameter.name, "") {
                changed.push(first_of(&parameter.name, parameter.value));
            }
        }
    }
    ui.dummy([0.0, rows::GAP]);
    if changed != conditions {
        edit(ui, edit_of(changed));
    }
}

/// What the user did to the row of a condition.
enum ConditionEdit {
    Set(Condition),
    /// Its number is dragged or typed: one undo step when the touch ends.
    Drag(Touch, Condition),
    Delete,
}

/// Draws a condition: its parameter, its comparison and a delete button.
fn condition_row(ui: &Ui<'_>, parts: &MachineParts, index: usize, condition: &Condition) -> Option<ConditionEdit> {
    let mut rest = Rect::at(ui.cursor_screen_pos(), [ui.content_region_avail()[0], FIELD]);
    let (left, below) = (rest.min[0], rest.max[1] + rows::GAP);
    let name = rest.cut_left(rest.width() * 0.42, rows::GAP);
    let cross = rest.cut_right(22.0, rows::GAP);
    let id = format!("parameter{index}");
    let mut wanted = None;
    if let Some(_list) = widgets::dropdown(ui, &id, condition.parameter(), ui.theme.text, name.width()) {
        for parameter in &parts.parameters {
            if menu::choice(ui, &parameter.name, parameter.name == condition.parameter()) {
                wanted = Some(first_of(&parameter.name, parameter.value));
            }
        }
    }
    let wanted = test(ui, index, condition, rest).or(wanted.map(ConditionEdit::Set));
    let is_dropped = widgets::icon_button_at(ui, cross, &format!("drop-condition{index}"), Icon::X, Tone::Bare);
    ui.end_at([left, below]);
    if is_dropped { Some(ConditionEdit::Delete) } else { wanted }
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

/// Draws the comparison of a condition. Returns what the user did to it.
fn test(ui: &Ui<'_>, index: usize, condition: &Condition, mut rect: Rect) -> Option<ConditionEdit> {
    let set = ConditionEdit::Set;
    let parameter = condition.parameter().to_owned();
    let button = |text: &str, rect| widgets::button_at(ui, rect, &format!("{text}##test{index}"), Tone::Plain);
    match *condition {
        Condition::On { .. } => button("is on", rect).then_some(set(Condition::Off { parameter })),
        Condition::Off { .. } => button("is off", rect).then_some(set(Condition::On { parameter })),
        Condition::Fired { .. } => {
            ui.text_in(rect, Align::Center, ui.theme.quiet, "is fired");
            None
        }
        Condition::Above { mut value, .. } | Condition::Below { mut value, .. } => {
            let is_above = matches!(condition, Condition::Above { .. });
            let is_flipped = button(if is_above { "above" } else { "below" }, rect.cut_left(56.0, rows::GAP));
            ui.set_cursor_screen_pos(rect.min);
            let how = Number::new("%.2f", 0.01);
            let touch = number_field::number(ui, &format!("than{index}"), rect.width(), &mut value, how);
            let changed = match is_above != is_flipped {
                true => Condition::Above { parameter, value },
                false => Condition::Below { parameter, value },
            };
            number_field::number_tip(ui, "The number that the parameter is compared with");
            match (is_flipped, touch == Touch::default()) {
                (true, _) => Some(set(changed)),
                (false, false) => Some(ConditionEdit::Drag(touch, changed)),
                (false, true) => None,
            }
        }
    }
}
