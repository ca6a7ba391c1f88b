//! The section about weight: the mass of the active bone, gravity, the balance of the pose, and the jump at the playhead.

use crate::editor::document::Document;
use crate::editor::ops::balance::{chosen_mass, with_mass};
use crate::editor::panels::ui::prelude::*;
use crate::editor::posing::jumps;
use crate::editor::view::balance::{Flight, flight_near, is_shown, motion, stance, stance_text};
use keypose::assets::rig_notes::{GRAVITY, GRAVITY_RANGE};
use keypose_tools::balance::Balance;
use keypose_tools::lengths::length_text;

/// Draws the section, while the viewport shows the balance.
pub fn balance_ui(ui: &Ui<'_>, model: &Model, folds: &mut Folds) {
    if !is_shown(ui.editor.source()) || !folds.section(ui, "balance", "Balance") {
        return;
    }
    let Some((balance, stance)) = stance(ui.editor.source(), ui.view) else { return };
    let form = Form::new(ui, "balance-");
    let tip = "Where the centre of mass is over the support: contacts of the clip, or feet near the ground";
    form.value("Pose", &stance_text(&balance, &stance), tip);
    let flight = motion(ui.editor.source(), ui.view).and_then(|motion| flight_near(&motion, ui.view.time));
    if let Some(flight) = flight {
        flight_ui(&form, &balance, flight);
        widgets::command_buttons(ui, &[Command::FollowArc]);
    }
    if let Some(bone) = ui.session.focus.selection.active_bone() {
        mass_ui(&form, model, &balance, bone);
    }
    let mut gravity = model.rig.gravity();
    let how = Number::new("%.2f", 0.05).within(GRAVITY_RANGE[0], GRAVITY_RANGE[1]).unit("m/s²");
    let tip =
        format!("The gravity of your game. {GRAVITY} m/s² is that of the side-scroller, 9.81 m/s² that of the earth");
    let touch = form.number("Gravity", &tip, how, &mut gravity);
    let chosen = (gravity != GRAVITY).then_some(gravity);
    ui.edit_rig(touch, "Set gravity", || model.rig.with(|rig| rig.gravity = chosen));
}

/// Draws the height of a jump, which changes its duration, and how far it is off its arc.
fn flight_ui(form: &Form<'_>, balance: &Balance, flight: Flight) {
    let (ui, Flight { arc, residual }) = (form.ui, flight);
    let Some(id) = ui.session.focus.clip else { return };
    let range = arc.range;
    let duration = format!("{:.2} s in the air", (range.end - range.start).secs());
    form.value("Flight", &duration, "The time without a contact: at the playhead, or the next one");
    let mut height = arc.height() * balance.scale;
    let how = Number::new("%.2f", 0.01).within(0.0, 50.0).unit("m");
    let tip = "How far the centre of mass rises, at the model's size in the game. The duration of the flight fits it";
    let touch = form.number("Jump height", tip, how, &mut height);
    // All of the change since the drag began.
    let base = ui.editor.gesture.as_ref().map_or(&ui.editor.document, |gesture| &gesture.base);
    let edits = || {
        let arc = base_flight(ui, base, range.start).map_or(arc, |flight| flight.arc);
        jumps::of_height(base, id, balance, &arc, height).unwrap_or_default()
    };
    ui.change(touch, "Set jump height", edits);
    let tip = "The largest distance of the centre of mass from the ballistic arc";
    let ink = if residual * balance.scale > 0.02 { ui.theme.hurt } else { ui.theme.text };
    form.value_in("Off the arc", &length_text(residual * balance.scale), tip, ink);
}

/// The flight of the open clip in another document that starts at a time.
fn base_flight(ui: &Ui<'_>, base: &Document, start: Time) -> Option<Flight> {
    let (id, caches) = (ui.session.focus.clip?, &ui.editor.caches);
    let (slot, model) = (base.clip(id)?, base.models.get(ui.session.focus.model)?);
    let balance = caches.balance.of(model, &caches.root_speeds);
    let motion = caches.balance.motion(&slot.clip, &balance, &model.combat.lanes_of(id));
    motion.flights.iter().find(|flight| flight.arc.range.start == start).copied()
}

fn mass_ui(form: &Form<'_>, model: &Model, balance: &Balance, bone: BoneIndex) {
    let ui = form.ui;
    let mut percent = balance.share(bone) * 100.0;
    let tip =
        "The share of the bone in the mass of the model. Other bones share the rest; the mirror bone gets the same";
    let touch = form.number("Mass", tip, Number::new("%.2f", 0.02).within(0.0, 100.0).unit("%"), &mut percent);
    ui.edit_rig(touch, "Set mass", || with_mass(model, bone, Some(percent)));
    if chosen_mass(model, bone).is_some() {
        let tip = "The mass follows from the volume of the mesh again";
        if form.buttons(&[Button::new("Mass from mesh", "mass-from-mesh", tip)]).is_some() {
            ui.edit_rig(Touch::AT_ONCE, "Reset mass", || with_mass(model, bone, None));
        }
    }
}
