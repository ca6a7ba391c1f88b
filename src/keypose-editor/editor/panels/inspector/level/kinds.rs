//! A kind of foe as numbers and choices.

use crate::editor::document::edit::LevelEdit;
use crate::editor::panels::inspector::level::LevelNaming;
use crate::editor::panels::ui::prelude::*;
use crate::editor::session::level::LevelDesk;
use keypose::assets::level::{FoeKind, Level};

/// Draws the values of a kind.
pub fn draw(ui: &Ui<'_>, naming: &mut LevelNaming, desk: &LevelDesk, level: &Level, at: usize) {
    let form = Form::new(ui, "kind-");
    if let Some(kind) = level.kinds.get(at) {
        let apply = |touch, step, with: FoeKind| {
            ui.change(touch, step, || {
                let mut kinds = level.kinds.clone();
                kinds[at] = with;
                vec![LevelEdit::SetFoeKinds { level: desk.level, kinds }.into()]
            });
        };
        let of = form.of(kind, "Set kind of foe", &apply);
        let name = NameText { text: &kind.name, ..NameText::default() };
        let place = (desk.level, Some(at));
        of.step("Rename kind of foe").text("Name", name, naming, place, |kind, name| kind.name = name);
        let models = ui.document.models.iter().map(|model| model.name.as_str());
        of.step("Set model of foe").name_of("Model", Some("as the player"), models, |kind| &mut kind.model);
        values_ui(&of);
        nature_ui(&of, level);
    }
}

fn values_ui(form: &FormOf<'_, FoeKind>) {
    let upto = |max: f32, speed: f32| Number::new("%.2f", speed).within(0.0, max);
    let whole = Number { speed: 0.5, ..Number::whole(65_535.0) };
    let size = Number::new("%.2f", 0.01).within(0.2, 5.0);
    form.number("Size", "Relative to the player", size, |kind| &mut kind.size);
    form.number("Health", "Health; 0 makes a training dummy", whole, |kind| &mut kind.health);
    form.number("Patrol", "Distance of the patrol to each side, in metres", upto(1000.0, 0.05), |kind| {
        &mut kind.patrol
    });
    let tip = "Distance in metres at which the foe sees the player";
    form.number("Notice", tip, upto(1000.0, 0.05), |kind| &mut kind.notice);
    form.number("Reach", "Distance in metres at which the foe attacks", upto(100.0, 0.02), |kind| &mut kind.reach);
    form.number("Pause", "Ticks between attacks", whole, |kind| &mut kind.pause);
    let tip = "Speed on patrol, relative to the player's walk";
    form.number("Speed", tip, upto(5.0, 0.01), |kind| &mut kind.speed);
    form.number("Chase", "Speed in a chase, relative to the player's walk", upto(5.0, 0.01), |kind| &mut kind.chase);
}

/// Draws what only some kinds of foes do.
fn nature_ui(form: &FormOf<'_, FoeKind>, level: &Level) {
    let whole = Number { speed: 0.5, ..Number::whole(65_535.0) };
    form.number("Poise", "Hits of less damage don't interrupt the foe", whole, |kind| &mut kind.nature.poise);
    form.menu("Moves", &[(false, "walk"), (true, "fly")], |kind| &mut kind.nature.flies);
    form.menu("Strikes", &[(false, "attack"), (true, "stab")], |kind| &mut kind.nature.stabs);
    let sides = [(FoeKind::FOE, "foe"), (FoeKind::DUMMY, "dummy"), (FoeKind::FOE | FoeKind::DUMMY, "foe and dummy")];
    form.menu("Hit as", &sides, |kind| &mut kind.mask);
    let kinds = level.kinds.iter().map(|kind| kind.name.as_str());
    form.name_of("Becomes", Some("nothing"), kinds, |kind| &mut kind.nature.becomes);
    let tip = "Fraction of its health below which the foe becomes that kind";
    form.number("Below", tip, Number::new("%.2f", 0.01).within(0.0, 1.0), |kind| &mut kind.nature.below);
}
