//! The sections of the rig panel about painted weights: the brush, and problems.

use std::sync::Arc;

use crate::editor::panels::ui::prelude::*;
use crate::editor::session::paint::{BrushSettings, PaintAction};
use crate::editor::session::rig::{RigAction, RigDesk};
use crate::editor::view::weight_problems::Listed;
use keypose_tools::rig::paint::Action as Brush;
use keypose_tools::rig::problems::Kind;

/// Draws the settings of the brush.
pub fn brush_ui(ui: &Ui<'_>, desk: &RigDesk) {
    let form = Form::new(ui, "paint-");
    let mut brush = desk.paint.brush;
    let all = [
        (Brush::Add, "Add"),
        (Brush::Subtract, "Subtract"),
        (Brush::Replace, "Replace"),
        (Brush::Smooth, "Smooth"),
        (Brush::Gradient, "Gradient"),
    ];
    form.menu("Brush", &all, &mut brush.action);
    let radius = Number::new("%.0f", 1.0).within(1.0, BrushSettings::MAX_RADIUS);
    let key = |command: Command, tip: &str| format!("{tip} ({} or the mouse wheel)", ui.key_of(command));
    form.number("Radius", &key(Command::BrushRadius, "In points. Ctrl+wheel"), radius, &mut brush.radius);
    let unit = Number::new("%.2f", 0.01).within(0.0, 1.0);
    form.number(
        "Strength",
        &key(Command::BrushStrength, "Most that a stroke changes. Shift+wheel"),
        unit,
        &mut brush.strength,
    );
    if matches!(brush.action, Brush::Replace | Brush::Gradient) {
        form.number("Weight", "The weight to paint; a gradient falls from it to 0", unit, &mut brush.weight);
    }
    let faces = [(true, "Front", "Vertices that face away stay"), (false, "All", "Vertices on both sides")];
    form.choice("Faces", &faces, &mut brush.is_front_only);
    if brush != desk.paint.brush {
        ui.send(RigAction::Paint(PaintAction::Set(brush)));
    }
    let sides = [(true, "Both", "The other side follows, by names and places"), (false, "One", "Paint one side")];
    let mut is_mirrored = desk.is_mirrored;
    if form.choice("Sides", &sides, &mut is_mirrored).is_changed {
        ui.send(RigAction::ToggleMirror);
    }
    let poses =
        [(false, "Bind", "Paint in the bind pose"), (true, "Clip", "Paint in the pose of the clip at the playhead")];
    let mut is_posed = desk.paint.is_posed;
    if form.choice("Pose", &poses, &mut is_posed).is_changed {
        ui.send(RigAction::Paint(PaintAction::TogglePose));
    }
    let names: Vec<&str> = desk.paint.locked.iter().map(String::as_str).collect();
    let text = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    form.value("Locked", &text, "Bones whose weights painting keeps");
    let lock = if ui.is_on(Command::LockWeights) { "Unlock bone" } else { "Lock bone" };
    let buttons = [
        Button::new(lock, "lock", "Painting keeps the weights of the selected bones")
            .enabled(ui.can_run(Command::LockWeights)),
        Button::new("Unlock all", "unlock", "").enabled(!names.is_empty()),
    ];
    match form.buttons(&buttons) {
        Some(0) => ui.run(Command::LockWeights),
        Some(_) => ui.send(RigAction::Paint(PaintAction::UnlockAll)),
        None => {}
    }
}

/// Draws the problems of the weights; a click on one shows its vertices.
pub fn problems_ui(ui: &Ui<'_>, desk: &RigDesk, model: &Arc<Model>) {
    let found = ui.editor.caches.weight_problems.of(model, desk.weights.influences);
    let quiet = |text: &str| ui.text_in(ui.take_line(20.0), Align::Left, ui.theme.quiet, text);
    match found.as_deref() {
        None => quiet("Looking for problems…"),
        Some(Err(reason)) => quiet(&reason.to_string()),
        Some(Ok(all)) if all.is_empty() => quiet("No problems found."),
        Some(Ok(all)) => all.iter().enumerate().for_each(|(at, listed)| problem(ui, desk, model, (at, listed))),
    }
}

fn problem(ui: &Ui<'_>, desk: &RigDesk, model: &Model, (at, listed): (usize, &Listed)) {
    let vertices = counted(listed.vertices.len(), "vertex");
    let bone = if let Kind::Leak(bone) = listed.kind { Some(bone) } else { None };
    let text = match listed.kind {
        Kind::NoWeight => format!("{vertices} without weight"),
        Kind::TooMany => format!("{vertices} with more than {}", counted(desk.weights.influences, "bone")),
        Kind::Leak(bone) => format!("{vertices} far from {}", bone_name(&model.skeleton, bone)),
        Kind::Asymmetric => format!("{vertices} unlike the other side"),
    };
    let touch = widgets::row(ui, &format!("problem-{at}"), desk.marked == listed.vertices);
    ui.dot([touch.rect.min[0] + 8.0, touch.rect.center()[1]], 3.5, ui.theme.hurt);
    let line = touch.rect.trim_left(18.0).trim_right(4.0);
    ui.text_in(line, Align::Left, ui.theme.text, &ui.fitted(&text, line.width()));
    ui.tip("Click to show them", "");
    if touch.is_clicked {
        ui.send(RigAction::ShowVertices { bone, vertices: listed.vertices.clone() });
    }
}
