//! The reference images: a list, and the properties of the picked one.

use crate::editor::ops::amount::Measure;
use crate::editor::panels::ui::Ui;
use crate::editor::panels::ui::number_field::Number;
use std::sync::Arc;

use glam::Vec2;
use lucide_icons::Icon;

use crate::assets::model::{Model, Visibility};
use crate::assets::reference::{Depth, Facing, Lock, Reference};
use crate::editor::document::edit::ModelEdit;
use crate::editor::panels::ui::frame::Align;
use crate::editor::panels::ui::rows;
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::Tone;
use crate::editor::panels::window::layout;
use crate::editor::posing::change::Change;
use crate::editor::session::command::Command;
use crate::editor::state::action::MaterialAction;
use crate::editor::view::references::changed;

/// Width of a row's icon button.
const SIGN: f32 = 22.0;

/// Draws the panel.
pub fn references_ui(ui: &Ui<'_>) {
    let Some(model) = ui.model() else {
        return widgets::empty(ui, "No model open.", "Open a model to add reference images.");
    };
    widgets::command_buttons(ui, &[Command::AddReference]);
    if model.references.is_empty() {
        let hint = "Drop a PNG or JPEG on the window to pose the model by it.";
        return widgets::empty(ui, "No reference images.", hint);
    }
    layout::scrolled(ui, "##references", 0.0, || {
        let at = ui.session.focus.reference.min(model.references.len() - 1);
        for (other, reference) in model.references.iter().enumerate() {
            row_ui(ui, model, (other, reference), other == at);
        }
        ui.dummy([0.0, 4.0]);
        match model.references[at].lock {
            Lock::Open => values_ui(ui, model, at),
            Lock::Locked => widgets::empty(ui, "Locked.", "Click the lock in the list to unlock it."),
        }
    });
}

/// Draws a row with an eye and a lock.
fn row_ui(ui: &Ui<'_>, model: &Model, (at, reference): (usize, &Arc<Reference>), is_picked: bool) {
    let (is_shown, is_locked) = (reference.visibility == Visibility::Shown, reference.lock == Lock::Locked);
    let touch = widgets::row(ui, &format!("reference{at}"), is_picked);
    let after = ui.cursor_screen_pos();
    let mut name = touch.rect.trim_left(4.0).trim_right(2.0);
    let (eye, lock) = (name.cut_left(SIGN, 4.0), name.cut_right(SIGN, 4.0));
    let ink = if is_shown { ui.theme.text } else { ui.theme.dim };
    ui.text_in(name, Align::Left, ink, reference.name());
    let is_eye = widgets::icon_button_at(
        ui,
        eye,
        &format!("eye{at}"),
        if is_shown { Icon::Eye } else { Icon::EyeOff },
        Tone::Bare,
    );
    ui.tip(if is_shown { "Hide" } else { "Show" }, "");
    let is_lock = widgets::icon_button_at(
        ui,
        lock,
        &format!("lock{at}"),
        if is_locked { Icon::Lock } else { Icon::LockOpen },
        Tone::Bare,
    );
    ui.tip(if is_locked { "Unlock" } else { "Lock" }, "");
    ui.set_cursor_screen_pos(after);
    let edits = |change: &dyn Fn(&mut Reference)| changed(ui.session.focus.model, &model.references, at, change);
    if is_eye {
        let visibility = if is_shown { Visibility::Hidden } else { Visibility::Shown };
        ui.edit("Show or hide reference image", edits(&|one| one.visibility = visibility));
    } else if is_lock {
        let lock = if is_locked { Lock::Open } else { Lock::Locked };
        ui.edit("Lock or unlock reference image", edits(&|one| one.lock = lock));
    } else if touch.is_clicked {
        ui.send(MaterialAction::PickReference(at));
    }
}

fn values_ui(ui: &Ui<'_>, model: &Model, at: usize) {
    let reference = &model.references[at];
    let edits = |change: &dyn Fn(&mut Reference)| changed(ui.session.focus.model, &model.references, at, change);
    let facings =
        [(Facing::Front, "Front", "Align with the front view"), (Facing::Side, "Side", "Align with the right view")];
    if let Some(facing) = rows::choices(ui, "Faces", &facings, reference.facing) {
        ui.edit("Set reference image facing", edits(&|one| one.facing = facing));
    }
    let depths =
        [(Depth::Behind, "Behind", "Draw behind the model"), (Depth::Before, "In front", "Draw in front of the model")];
    if let Some(depth) = rows::choices(ui, "Depth", &depths, reference.depth) {
        ui.edit("Set reference image depth", edits(&|one| one.depth = depth));
    }
    let mut opacity = [reference.opacity * 100.0];
    let how =
        Number { range: [0.0, 100.0], unit: "%", measure: Measure::Percent, ..Number::new("%.0f", 0.5).with_reset() };
    if let Some((_, touch)) = rows::numbers(ui, "Opacity", &mut opacity, how, ["Opacity in percent"]) {
        let put = |percent: f32| move |one: &mut Reference| one.opacity = percent / 100.0;
        ui.gesture(touch, "Set reference image opacity", || Change::Edits(edits(&put(opacity[0]))));
        if touch.is_reset {
            ui.edit("Set reference image opacity", edits(&put(50.0)));
        }
    }
    let speed = reference.height * 0.004;
    let mut height = [reference.height];
    let how = Number { range: [1e-3, 1e6], measure: Measure::Length, ..Number::new("%.3f", speed) };
    if let Some((_, touch)) = rows::numbers(ui, "Height", &mut height, how, ["Height in units of the model"]) {
        ui.gesture(touch, "Set reference image size", || Change::Edits(edits(&|one| one.height = height[0])));
    }
    let mut offset = reference.offset.to_array();
    let tips = ["X, from the model's origin", "Y, from the ground to its lower edge"];
    let how = Number { range: [-1e6, 1e6], measure: Measure::Length, ..Number::new("%.3f", speed).with_reset() };
    if let Some((axis, touch)) = rows::numbers(ui, "Offset", &mut offset, how, tips) {
        let put = |offset: [f32; 2]| move |one: &mut Reference| one.offset = Vec2::from_array(offset);
        ui.gesture(touch, "Move reference image", || Change::Edits(edits(&put(offset))));
        if touch.is_reset {
            offset[axis] = 0.0;
            ui.edit("Move reference image", edits(&put(offset)));
        }
    }
    rows::row(ui, "", widgets::FIELD, |field| {
        if widgets::button_at(ui, field.column(0, 2, rows::GAP), "Remove##remove-reference", Tone::Plain) {
            let mut references = model.references.clone();
            references.remove(at);
            ui.edit(
                "Remove reference image",
                vec![ModelEdit::SetReferences { model: ui.session.focus.model, references }.into()],
            );
        }
        ui.tip("Remove the reference image", "");
    });
}
