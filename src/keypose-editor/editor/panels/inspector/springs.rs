//! The section about springs: the chain of the active bone, the wind, and the colliders.

use std::sync::Arc;

use crate::editor::ops::springs::{changed_from, spring_of, with_chain, with_collider};
use crate::editor::panels::inspector::volumes::VolumesSection;
use crate::editor::panels::ui::prelude::*;
use crate::editor::session::selection::VolumePick;
use crate::editor::state::action::VolumeAction;
use keypose::assets::spring_notes::{Spring, SpringTip};

/// Draws the section.
pub fn springs_ui(ui: &Ui<'_>, model: &Arc<Model>, bone: BoneIndex, volumes: &mut VolumesSection, folds: &mut Folds) {
    if !folds.section(ui, "springs", "Springs") {
        return;
    }
    match spring_of(model, bone) {
        Some(spring) => spring_ui(ui, model, bone, spring),
        None => {
            let tip = "The bone and its first children swing behind the pose";
            if Form::new(ui, "").buttons(&[Button::new("Start chain here", "start-chain", tip)]).is_some() {
                ui.edit_rig(Touch::AT_ONCE, "Start spring chain", || with_chain(model, bone));
            }
        }
    }
    if !model.rig.springs.is_empty() {
        wind_ui(ui, model);
    }
    colliders_ui(ui, model, bone, volumes);
    if !model.rig.springs.is_empty() {
        widgets::command_buttons(ui, &[Command::ToggleSprings, Command::ToggleLiveSprings, Command::BakeSprings]);
    }
}

/// The fields of a spring. They change the bones after it in its chain, too.
fn spring_ui(ui: &Ui<'_>, model: &Model, bone: BoneIndex, spring: &Spring) {
    let form = Form::new(ui, "spring-");
    let put = |touch: Touch, change: &dyn Fn(&mut Spring)| {
        ui.edit_rig(touch, "Set spring", || {
            changed_from(model, bone, |spring| {
                change(spring);
                true
            })
        });
    };
    let swing = spring.swing;
    let positive = || Number::new("%.2f", 0.01).within(0.0, 1e6);
    let mut value = swing.stiffness;
    let touch = form.number("Stiffness", "How fast it is pulled back to the pose", positive(), &mut value);
    put(touch, &|spring| spring.swing.stiffness = value);
    let mut drag = swing.drag;
    let touch =
        form.number("Drag", "The speed that it loses in each step, 0 to 1", positive().within(0.0, 1.0), &mut drag);
    put(touch, &|spring| spring.swing.drag = drag);
    let mut gravity = -swing.gravity.y;
    let how = Number::new("%.2f", 0.01).within(-1e6, 1e6);
    let touch = form.number("Gravity", "How fast it is pulled down", how, &mut gravity);
    put(touch, &|spring| spring.swing.gravity.y = -gravity);
    let mut radius = swing.radius;
    let how = Number::new("%.3f", 0.002).within(0.0, 1e6);
    let touch = form.number("Radius", "The thickness of the bone for colliders", how, &mut radius);
    put(touch, &|spring| spring.swing.radius = radius);
    for (at, collider) in model.rig.springs.colliders.iter().enumerate() {
        let mut is_avoided = spring.colliders.contains(&collider.name);
        let choices =
            [(true, "Stay out", "The chain doesn't enter it"), (false, "Ignore", "The chain goes through it")];
        let id = format!("avoid{at}-");
        if Form::new(ui, &id).choice(&collider.name, &choices, &mut is_avoided).is_changed {
            put(Touch::AT_ONCE, &|spring| {
                spring.colliders.retain(|name| *name != collider.name);
                spring.colliders.extend(is_avoided.then(|| collider.name.clone()));
            });
        }
    }
    tip_ui(ui, model, bone, spring);
    let tip = "This bone and those after it in the chain follow the pose again";
    if form.buttons(&[Button::new("End chain before", "end-chain", tip)]).is_some() {
        ui.edit_rig(Touch::AT_ONCE, "Remove spring chain", || changed_from(model, bone, |_| false));
    }
}

/// The length of the last bone of a chain.
fn tip_ui(ui: &Ui<'_>, model: &Model, bone: BoneIndex, spring: &Spring) {
    let SpringTip::Point(point) = spring.tip else { return };
    let mut length = point.length();
    let how = Number::new("%.3f", 0.005).within(1e-3, 1e6);
    let touch = Form::new(ui, "spring-").number("Length", "The length of the last bone of the chain", how, &mut length);
    let longer = || {
        changed_from(model, bone, |spring| {
            spring.tip = SpringTip::Point(point.normalize_or(glam::Vec3::Y) * length);
            true
        })
    };
    ui.edit_rig(touch, "Set spring", longer);
}

fn wind_ui(ui: &Ui<'_>, model: &Model) {
    let mut wind = model.rig.springs.wind.to_array();
    let how = Number::new("%.2f", 0.01).within(-1e6, 1e6);
    let tips = ["Wind along x, on all chains", "Wind along y", "Wind along z"];
    let [x, y, z] = &mut wind;
    let touch = Form::new(ui, "spring-").numbers("Wind", tips, how, [x, y, z]);
    ui.edit_rig(touch, "Set wind", || model.rig.with(|rig| rig.springs.wind = wind.into()));
}

fn colliders_ui(ui: &Ui<'_>, model: &Arc<Model>, bone: BoneIndex, volumes: &mut VolumesSection) {
    let count = model.rig.springs.colliders.len();
    if count > 0 {
        Form::new(ui, "").value("Colliders", &count.to_string(), "Select one to move, rotate and scale it");
    }
    volumes.colliders_ui(ui, model);
    let tip = "A capsule on this bone that chains can stay out of";
    if Form::new(ui, "").buttons(&[Button::new("Add collider", "add-collider", tip)]).is_some()
        && let Some(rig) = with_collider(model, bone)
    {
        let pick = VolumePick::Collider(model.rig.springs.colliders.len());
        ui.edit_rig(Touch::AT_ONCE, "Add collider", || rig);
        ui.send(VolumeAction::Pick(Some(pick)));
    }
}
