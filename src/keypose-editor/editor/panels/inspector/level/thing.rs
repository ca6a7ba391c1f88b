//! The selected thing of a level as numbers and choices.

use crate::editor::document::edit::LevelEdit;
use crate::editor::panels::ui::prelude::*;
use crate::editor::session::level::LevelDesk;
use keypose::assets::level::mover::Mover;
use keypose::assets::level::slope::{Slope, SlopeEnd};
use keypose::assets::level::thing::{Thing, ThingRef};
use keypose::assets::level::{Decor, DecorShape, FoePlace, Goal, Level, Rect as Area};

/// Metres to a centimetre.
const METRES: Number = Number::new("%.2f", 0.02);

/// Draws the selected thing as numbers, or the number of selected things.
pub fn draw(ui: &Ui<'_>, desk: &LevelDesk, level: &Level) {
    let form = Form::new(ui, "");
    let only = if desk.picked.len() == 1 { desk.active } else { None };
    match only.and_then(|at| Some((at, level.thing(at)?))) {
        Some((at, thing)) => thing_ui(&form, desk, level, at, &thing),
        None if desk.picked.is_empty() => {
            let hint = "Click a thing in the viewport, or draw one with the tools.";
            return widgets::empty(ui, "Nothing selected.", hint);
        }
        None => {
            widgets::title(ui, &format!("{} things selected", desk.picked.len()), "");
        }
    }
    form.commands("things", &[("Duplicate", Command::Duplicate), ("Delete", Command::Delete)]);
}

fn thing_ui(form: &Form<'_>, desk: &LevelDesk, level: &Level, at: ThingRef, thing: &Thing) {
    let ui = form.ui;
    let (name, kind) = match thing {
        Thing::Foe(foe) => (format!("{} {}", foe.kind, at.index + 1), at.kind.name()),
        _ => (at.to_string(), ""),
    };
    widgets::title(ui, &name, kind);
    let apply = |touch, step, thing: Thing| {
        ui.change(touch, step, || vec![LevelEdit::SetThings { level: desk.level, things: vec![(at, thing)] }.into()]);
    };
    let of = form.of(thing, "Change thing", &apply);
    of.field(|form, thing| {
        let mut place = thing.place();
        let tips = ["Left edge, or the middle of the feet", "Bottom"];
        let touch = form.numbers("Place", tips, METRES, place.as_mut().each_mut());
        *thing = thing.clone().at(place);
        touch
    });
    if thing.rect().is_some() {
        of.field(size_ui);
    }
    match thing {
        Thing::Decor(decor) => {
            decor_ui(&form.of(decor, "Change thing", &|a, b, decor| apply(a, b, Thing::Decor(decor))))
        }
        Thing::Foe(foe) => foe_ui(&form.of(foe, "Change thing", &|a, b, foe| apply(a, b, Thing::Foe(foe))), level),
        Thing::Slope(slope) => {
            slope_ui(&form.of(slope, "Change thing", &|a, b, slope| apply(a, b, Thing::Slope(slope))))
        }
        Thing::Mover(mover) => {
            mover_ui(&form.of(mover, "Change thing", &|a, b, mover: Mover| apply(a, b, Thing::Mover(mover.slowed()))));
        }
        Thing::Goal(goal) => {
            goal_ui(&form.of(goal, "Change thing", &|a, b, goal| apply(a, b, Thing::Goal(goal))), level)
        }
        Thing::Spawn(_)
        | Thing::Checkpoint(_)
        | Thing::Solid(_)
        | Thing::Platform(_)
        | Thing::Ladder(_)
        | Thing::Spikes(_)
        | Thing::Coin(_) => {}
    }
}

fn size_ui(form: &Form<'_>, thing: &mut Thing) -> Touch {
    let Some(rect) = thing.rect_mut() else { return Touch::default() };
    let mut size = rect.size();
    let how = METRES.within(0.01, 100_000.0);
    let touch = form.numbers("Size", ["Width", "Height"], how, size.as_mut().each_mut());
    *rect = Area { max: rect.min + size, ..*rect };
    if let Thing::Slope(slope) = thing {
        *slope = slope.walkable(SlopeEnd::Bottom);
    }
    touch
}

fn decor_ui(form: &FormOf<'_, Decor>) {
    let tips = ["Z of the centre; negative is behind the plane of play", "Extent along z"];
    form.field(|form, decor| {
        let touch = form.numbers("Depth", tips, METRES, [&mut decor.z, &mut decor.depth]);
        decor.depth = decor.depth.max(0.01);
        touch
    });
    let shapes = [
        (DecorShape::Box, "Box"),
        (DecorShape::Pyramid, "Pyramid"),
        (DecorShape::Round, "Round"),
        (DecorShape::Water, "Water"),
        (DecorShape::Banner, "Banner"),
        (DecorShape::Grass, "Grass"),
        (DecorShape::Flame, "Flame"),
        (DecorShape::Birds, "Birds"),
    ];
    form.menu("Shape", &shapes, |decor| &mut decor.shape);
    form.color("Colour", |decor| &mut decor.color);
}

fn foe_ui(form: &FormOf<'_, FoePlace>, level: &Level) {
    form.name_of("Kind", None, level.kinds.iter().map(|kind| kind.name.as_str()), |foe| &mut foe.kind);
    let sides = [(true, "Left", "Faces left"), (false, "Right", "Faces right")];
    form.choice("Looks", &sides, |foe| &mut foe.faces_left);
}

fn slope_ui(form: &FormOf<'_, Slope>) {
    let sides = [(true, "Left", "The left end is the high one"), (false, "Right", "The right end is the high one")];
    form.choice("Rises", &sides, |slope| &mut slope.rises_left);
}

fn mover_ui(form: &FormOf<'_, Mover>) {
    form.numbers("Path", ["To the right", "Up"], METRES, |mover| mover.way.as_mut().each_mut());
    let how = Number::new("%.1f", 0.05).within(0.0, 60.0);
    form.field(|form, mover| {
        let tips = ["From end to end", "Pause at each end"];
        let touch = form.numbers("Seconds", tips, how, [&mut mover.secs, &mut mover.pause]);
        mover.secs = mover.secs.max(Mover::SECS[0]);
        touch
    });
}

/// Draws which foes keep a goal closed.
fn goal_ui(form: &FormOf<'_, Goal>, level: &Level) {
    let kinds = level.kinds.iter().map(|kind| kind.name.as_str());
    form.name_of("Opens after", Some("always open"), kinds, |goal| &mut goal.after);
}
