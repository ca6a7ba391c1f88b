//! The selected thing of a level as numbers and choices.

use glam::Vec2;

use crate::assets::level::mover::Mover;
use crate::assets::level::slope::{Slope, SlopeEnd};
use crate::assets::level::thing::{Thing, ThingRef};
use crate::assets::level::{Decor, DecorShape, FoePlace, Goal, Level, Rect as Area};
use crate::editor::document::edit::{Edit, LevelEdit};
use crate::editor::panels::inspector::command_row;
use crate::editor::panels::inspector::level::{chosen, of_bytes, to_bytes};
use crate::editor::panels::ui::Ui;
use crate::editor::panels::ui::color_field::color_field;
use crate::editor::panels::ui::number_field::Number;
use crate::editor::panels::ui::rows;
use crate::editor::panels::ui::widgets::{self, Touch};
use crate::editor::posing::change::Change;
use crate::editor::session::command::Command;
use crate::editor::session::level::LevelDesk;

/// Metres to a centimetre.
const METRES: Number = Number::new("%.2f", 0.02);

/// Draws the selected thing as numbers, or how many there are.
pub fn draw(ui: &Ui<'_>, desk: &LevelDesk, level: &Level) {
    let only = desk.active.filter(|_| desk.picked.len() == 1);
    match only.and_then(|at| Some((at, level.thing(at)?))) {
        Some((at, thing)) => thing_ui(ui, desk, level, at, &thing),
        None if desk.picked.is_empty() => {
            return widgets::empty(
                ui,
                "Nothing selected.",
                "Click a thing in the viewport, or draw one with the tools.",
            );
        }
        None => {
            let text = format!("{} things selected", desk.picked.len());
            ui.text_colored(ui.theme.text, text);
            ui.dummy([0.0, 4.0]);
        }
    }
    let buttons = [("Duplicate", Command::DuplicateThings), ("Delete", Command::DeleteThings)];
    command_row(ui, "things", &buttons);
}

fn thing_ui(ui: &Ui<'_>, desk: &LevelDesk, level: &Level, at: ThingRef, thing: &Thing) {
    let change = |thing: Thing| -> Vec<Edit> {
        vec![LevelEdit::SetThings { level: desk.level, things: vec![(at, thing)] }.into()]
    };
    let gesture = |touch: Touch, thing: Thing| ui.gesture(touch, "Change thing", || Change::Edits(change(thing)));
    ui.text_colored(ui.theme.text, at.to_string());
    ui.dummy([0.0, 4.0]);
    let place = thing.place();
    let mut numbers = place.to_array();
    if let Some((_, touch)) =
        rows::numbers(ui, "Place", &mut numbers, METRES, ["Left, or the middle of the feet", "Bottom"])
    {
        gesture(touch, thing.clone().at(Vec2::from(numbers)));
    }
    if let Some(rect) = thing.rect() {
        let mut size = rect.size().to_array();
        let how = Number { range: [0.01, 100_000.0], ..METRES };
        if let Some((_, touch)) = rows::numbers(ui, "Size", &mut size, how, ["Width", "Height"]) {
            let mut sized = thing.clone();
            sized.rect_mut().into_iter().for_each(|rect| *rect = Area { max: rect.min + Vec2::from(size), ..*rect });
            if let Thing::Slope(slope) = &mut sized {
                *slope = slope.walkable(SlopeEnd::Bottom);
            }
            gesture(touch, sized);
        }
    }
    match thing {
        Thing::Decor(decor) => {
            decor_ui(ui, decor, &gesture, &|decor| ui.edit("Change thing", change(Thing::Decor(decor))))
        }
        Thing::Foe(foe) => foe_ui(ui, level, foe, &|foe| ui.edit("Change thing", change(Thing::Foe(foe)))),
        Thing::Slope(slope) => slope_ui(ui, slope, &|slope| ui.edit("Change thing", change(Thing::Slope(slope)))),
        Thing::Mover(mover) => mover_ui(ui, mover, &gesture),
        Thing::Goal(goal) => goal_ui(ui, level, goal, &|goal| ui.edit("Change thing", change(Thing::Goal(goal)))),
        Thing::Spawn(_)
        | Thing::Checkpoint(_)
        | Thing::Solid(_)
        | Thing::Platform(_)
        | Thing::Ladder(_)
        | Thing::Spikes(_)
        | Thing::Coin(_) => {}
    }
}

fn decor_ui(ui: &Ui<'_>, decor: &Decor, gesture: &dyn Fn(Touch, Thing), set: &dyn Fn(Decor)) {
    let mut depths = [decor.z, decor.depth];
    let tips = ["The z of its middle: negative is behind the plane of play", "Extent along z"];
    if let Some((which, touch)) = rows::numbers(ui, "Depth", &mut depths, METRES, tips) {
        let [z, depth] = depths;
        let depth = if which == 1 { depth.max(0.01) } else { decor.depth };
        gesture(touch, Thing::Decor(Decor { z, depth, ..*decor }));
    }
    let shapes = [
        (DecorShape::Box, "Box", "A block"),
        (DecorShape::Pyramid, "Pyramid", "A mountain, a roof, a fir"),
        (DecorShape::Round, "Round", "A treetop, a bush, a cloud"),
    ];
    let moving = [
        (DecorShape::Water, "Water", "With waves; who falls into it splashes"),
        (DecorShape::Banner, "Banner", "Cloth in the wind"),
        (DecorShape::Grass, "Grass", "Blades in the wind"),
        (DecorShape::Flame, "Flame", "A fire"),
        (DecorShape::Birds, "Birds", "A flock that circles in the box"),
    ];
    for (label, choices) in [("Shape", &shapes[..]), ("Moving", &moving)] {
        if let Some(shape) = rows::choices(ui, label, choices, decor.shape) {
            set(Decor { shape, ..*decor });
        }
    }
    let mut color = of_bytes(decor.color);
    let touch = rows::row(ui, "Colour", widgets::FIELD, |field| color_field(ui, "decor", field, &mut color));
    gesture(touch, Thing::Decor(Decor { color: to_bytes(color), ..*decor }));
}

fn foe_ui(ui: &Ui<'_>, level: &Level, foe: &FoePlace, set: &dyn Fn(FoePlace)) {
    if let Some(at) = chosen(ui, "Kind", &foe.kind, level.kinds.iter().map(|kind| kind.name.as_str())) {
        let kind = level.kinds.get(at).map(|kind| kind.name.clone()).unwrap_or_default();
        set(FoePlace { kind, ..foe.clone() });
    }
    let sides = [(true, "Left", "It looks to the left"), (false, "Right", "It looks to the right")];
    if let Some(faces_left) = rows::choices(ui, "Looks", &sides, foe.faces_left) {
        set(FoePlace { faces_left, ..foe.clone() });
    }
}

fn slope_ui(ui: &Ui<'_>, slope: &Slope, set: &dyn Fn(Slope)) {
    let sides = [(true, "Left", "Its left end is the high one"), (false, "Right", "Its right end is the high one")];
    if let Some(rises_left) = rows::choices(ui, "Rises", &sides, slope.rises_left) {
        set(Slope { rises_left, ..*slope });
    }
}

fn mover_ui(ui: &Ui<'_>, mover: &Mover, gesture: &dyn Fn(Touch, Thing)) {
    let mut way = mover.way.to_array();
    if let Some((_, touch)) = rows::numbers(ui, "Way", &mut way, METRES, ["To the right", "Up"]) {
        gesture(touch, Thing::Mover(Mover { way: Vec2::from(way), ..*mover }.slowed()));
    }
    let mut times = [mover.secs, mover.pause];
    let how = Number { range: [0.0, 60.0], ..Number::new("%.1f", 0.05) };
    if let Some((_, touch)) = rows::numbers(ui, "Seconds", &mut times, how, ["Of one way", "At each end"]) {
        let [secs, pause] = times;
        gesture(touch, Thing::Mover(Mover { secs: secs.max(Mover::SECS[0]), pause, ..*mover }.slowed()));
    }
}

/// Draws which foes keep a goal closed.
fn goal_ui(ui: &Ui<'_>, level: &Level, goal: &Goal, set: &dyn Fn(Goal)) {
    const ALWAYS: &str = "always open";
    let names = || std::iter::once(ALWAYS).chain(level.kinds.iter().map(|kind| kind.name.as_str()));
    let shown = if goal.after.is_empty() { ALWAYS } else { &goal.after };
    if let Some(at) = chosen(ui, "Opens after", shown, names()) {
        let after = if at == 0 { "" } else { names().nth(at).unwrap_or_default() };
        set(Goal { after: after.to_owned(), ..goal.clone() });
    }
}
