//! The inspector in the level mode: the open level, the selected thing as numbers, all things, colours and kinds of foes.

use glam::Vec2;

use crate::assets::level::thing::{Thing, ThingRef};
use crate::assets::level::{Decor, DecorShape, FoeKind, FoePlace, Level, LevelLook, Rect as Area};
use crate::editor::document::edit::{Edit, LevelEdit};
use crate::editor::panels::inspector::command_row;
use crate::editor::panels::ui::Ui;
use crate::editor::panels::ui::color_field::color_field;
use crate::editor::panels::ui::fold::Folds;
use crate::editor::panels::ui::frame::Align;
use crate::editor::panels::ui::menu;
use crate::editor::panels::ui::name_field::{NameButton, NameText};
use crate::editor::panels::ui::number_field::Number;
use crate::editor::panels::ui::rows;
use crate::editor::panels::ui::theme::faded;
use crate::editor::panels::ui::widgets::{self, Touch};
use crate::editor::panels::window::layout;
use crate::editor::posing::change::Change;
use crate::editor::session::command::Command;
use crate::editor::session::level::{LevelAction, LevelDesk};
use crate::editor::session::selection::Pick;
use crate::render::frame::color::Color;

/// The sections of the level mode.
#[derive(Debug, Default)]
pub(super) struct LevelSections {
    naming: NameButton<(usize, Option<usize>)>,
}

/// Metres to a centimetre.
const METRES: Number = Number::new("%.2f", 0.02);

impl LevelSections {
    /// Draws the panel for the open level.
    pub fn ui(&mut self, ui: &Ui<'_>, desk: &LevelDesk, folds: &mut Folds) {
        let Some(level) = ui.document.levels.get(desk.level) else { return };
        layout::title(ui, &level.name, "level");
        layout::scrolled(ui, "##level", 0.0, || {
            if folds.section(ui, "thing", "Selection") {
                selection_ui(ui, desk, level);
            }
            if folds.section(ui, "level", "Level") {
                self.level_ui(ui, desk, level);
            }
            if folds.section(ui, "kinds", "Kinds of foes") {
                self.kinds_ui(ui, desk, level);
            }
            if folds.section(ui, "colors", "Colours") {
                colors_ui(ui, desk, level);
            }
            if folds.section(ui, "things", &format!("Things · {}", level.things().count())) {
                things_ui(ui, desk, level);
            }
        });
    }

    fn level_ui(&mut self, ui: &Ui<'_>, desk: &LevelDesk, level: &Level) {
        if ui.document.levels.len() > 1 {
            let names = ui.document.levels.iter().map(|level| level.name.as_str());
            if let Some(at) = chosen(ui, "Open", &level.name, names) {
                ui.send(LevelAction::Open(at));
            }
        }
        rows::labelled(ui, "Name", rows::LABEL, [320.0, widgets::FIELD], |field| {
            let name = NameText { text: &level.name, ..NameText::default() };
            if let Some(name) = self.naming.ui(ui, ("level-name", (desk.level, None)), name, field) {
                ui.send(LevelAction::Rename(name));
            }
        });
        let models = || ui.document.models.iter().map(|model| model.name.as_str());
        let player = if level.player.is_empty() { "first model" } else { &level.player };
        if let Some(at) = chosen(ui, "Player", player, models()) {
            let player = models().nth(at).unwrap_or_default().to_owned();
            ui.edit("Set player", vec![LevelEdit::SetPlayer { level: desk.level, player }.into()]);
        }
        widgets::command_buttons(ui, &[Command::NewLevel, Command::RemoveLevel]);
    }

    fn kinds_ui(&mut self, ui: &Ui<'_>, desk: &LevelDesk, level: &Level) {
        for (at, kind) in level.kinds.iter().enumerate() {
            let touch = widgets::row(ui, &format!("kind{at}"), at == desk.kind);
            let row = touch.rect.inset(6.0, 0.0);
            let count = level.foes.iter().filter(|foe| foe.kind == kind.name).count();
            ui.text_in(row.trim_right(40.0), Align::Left, ui.theme.text, &kind.name);
            ui.text_in(row, Align::Right, ui.theme.quiet, &count.to_string());
            if touch.is_clicked {
                ui.send(LevelAction::PickKind(at));
            }
        }
        if let Some(kind) = level.kinds.get(desk.kind) {
            self.kind_ui(ui, desk, level, kind);
        }
        command_row(ui, "kinds", &[("Add", Command::AddFoeKind), ("Remove", Command::RemoveFoeKind)]);
    }

    fn kind_ui(&mut self, ui: &Ui<'_>, desk: &LevelDesk, level: &Level, kind: &FoeKind) {
        let edits = |change: &dyn Fn(&mut FoeKind)| -> Vec<Edit> {
            let mut kinds = level.kinds.clone();
            kinds.iter_mut().skip(desk.kind).take(1).for_each(change);
            vec![LevelEdit::SetFoeKinds { level: desk.level, kinds }.into()]
        };
        rows::labelled(ui, "Name", rows::LABEL, [320.0, widgets::FIELD], |field| {
            let name = NameText { text: &kind.name, ..NameText::default() };
            let entered = self.naming.ui(ui, ("kind-name", (desk.level, Some(desk.kind))), name, field);
            if let Some(name) = entered {
                ui.edit("Rename kind of foe", edits(&|kind| kind.name.clone_from(&name)));
            }
        });
        let models = || ui.document.models.iter().map(|model| model.name.as_str());
        let shown = if kind.model.is_empty() { "the player's" } else { &kind.model };
        if let Some(at) = chosen(ui, "Model", shown, models()) {
            let model = models().nth(at).unwrap_or_default();
            ui.edit("Set model of foe", edits(&|kind| model.clone_into(&mut kind.model)));
        }
        let number = |label: &str, value: f32, how: Number, tip: &str, with: fn(&mut FoeKind, f32)| {
            let mut values = [value];
            if let Some((_, touch)) = rows::numbers(ui, label, &mut values, how, [tip]) {
                ui.gesture(touch, "Set kind of foe", || Change::Edits(edits(&|kind| with(kind, values[0]))));
            }
        };
        let upto = |most: f32, speed: f32| Number { range: [0.0, most], ..Number::new("%.2f", speed) };
        let whole = |most: f32| Number { range: [0.0, most], ..Number::new("%.0f", 0.5) };
        let size = Number { range: [0.2, 5.0], ..Number::new("%.2f", 0.01) };
        number("Size", kind.size, size, "Relative to the player", |kind, value| kind.size = value);
        let tip = "Damage that it doesn't survive; 0 is a training dummy";
        number("Health", f32::from(kind.health), whole(65_535.0), tip, |kind, value| kind.health = value as u16);
        number("Patrol", kind.patrol, upto(1000.0, 0.05), "Metres to each side", |kind, value| kind.patrol = value);
        let tip = "Metres from which it sees the player";
        number("Notice", kind.notice, upto(1000.0, 0.05), tip, |kind, value| kind.notice = value);
        number("Reach", kind.reach, upto(100.0, 0.02), "Metres from which it attacks", |kind, value| {
            kind.reach = value
        });
        let tip = "Ticks between attacks";
        number("Pause", f32::from(kind.pause), whole(65_535.0), tip, |kind, value| kind.pause = value as u16);
        let tip = "Speed on patrol, relative to the player's walk";
        number("Speed", kind.speed, upto(5.0, 0.01), tip, |kind, value| kind.speed = value);
        let tip = "Speed in a chase, relative to the player's walk";
        number("Chase", kind.chase, upto(5.0, 0.01), tip, |kind, value| kind.chase = value);
        nature_ui(ui, level, kind, &edits);
    }
}

/// Makes the edits of a change of a kind of foe.
type KindEdits<'a> = &'a dyn Fn(&dyn Fn(&mut FoeKind)) -> Vec<Edit>;

/// Draws what only some kinds of foes do.
fn nature_ui(ui: &Ui<'_>, level: &Level, kind: &FoeKind, edits: KindEdits<'_>) {
    let number = |label: &str, value: f32, how: Number, tip: &str, with: fn(&mut FoeKind, f32)| {
        let mut values = [value];
        if let Some((_, touch)) = rows::numbers(ui, label, &mut values, how, [tip]) {
            ui.gesture(touch, "Set kind of foe", || Change::Edits(edits(&|kind| with(kind, values[0]))));
        }
    };
    let tip = "Hits of less damage stop nothing that it does";
    number(
        "Poise",
        f32::from(kind.nature.poise),
        Number { range: [0.0, 65_535.0], ..Number::new("%.0f", 0.5) },
        tip,
        |kind, value| kind.nature.poise = value as u16,
    );
    let words = |is: bool, [no, yes]: [&'static str; 2]| if is { yes } else { no };
    let ways = ["walk", "fly"];
    if let Some(at) = chosen(ui, "Moves", words(kind.nature.flies, ways), ways.into_iter()) {
        ui.edit("Set kind of foe", edits(&|kind| kind.nature.flies = at == 1));
    }
    let blows = ["attack", "stab"];
    if let Some(at) = chosen(ui, "Strikes", words(kind.nature.stabs, blows), blows.into_iter()) {
        ui.edit("Set kind of foe", edits(&|kind| kind.nature.stabs = at == 1));
    }
    let names = || std::iter::once("nothing").chain(level.kinds.iter().map(|kind| kind.name.as_str()));
    let shown = if kind.nature.becomes.is_empty() { "nothing" } else { &kind.nature.becomes };
    if let Some(at) = chosen(ui, "Becomes", shown, names()) {
        let name = if at == 0 { "" } else { names().nth(at).unwrap_or_default() };
        ui.edit("Set kind of foe", edits(&|kind| name.clone_into(&mut kind.nature.becomes)));
    }
    let tip = "Part of its health below which it becomes that kind";
    number(
        "Below",
        kind.nature.below,
        Number { range: [0.0, 1.0], ..Number::new("%.2f", 0.01) },
        tip,
        |kind, value| kind.nature.below = value,
    );
}

/// Draws a labelled list of names to choose from. Returns the index of a newly chosen one.
fn chosen<'a>(ui: &Ui<'_>, label: &str, shown: &str, names: impl Iterator<Item = &'a str>) -> Option<usize> {
    rows::row(ui, label, widgets::FIELD, |field| {
        let _list = widgets::dropdown(ui, label, shown, ui.theme.text, field.width())?;
        let mut taken = None;
        for (at, name) in names.enumerate() {
            let is_chosen = menu::choice(ui, &format!("{name}##{label}{at}"), name == shown);
            ui.item(&format!("{label}-{name}"));
            if is_chosen && name != shown {
                taken = Some(at);
            }
        }
        taken
    })
}

/// Draws the selected thing as numbers, or how many there are.
fn selection_ui(ui: &Ui<'_>, desk: &LevelDesk, level: &Level) {
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
            gesture(touch, sized);
        }
    }
    match thing {
        Thing::Decor(decor) => {
            decor_ui(ui, decor, &gesture, &|decor| ui.edit("Change thing", change(Thing::Decor(decor))))
        }
        Thing::Foe(foe) => foe_ui(ui, level, foe, &|foe| ui.edit("Change thing", change(Thing::Foe(foe)))),
        Thing::Spawn(_)
        | Thing::Goal(_)
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
    if let Some(shape) = rows::choices(ui, "Shape", &shapes, decor.shape) {
        set(Decor { shape, ..*decor });
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

fn of_bytes(color: [u8; 3]) -> Color {
    let [r, g, b] = color.map(|part| f32::from(part) / 255.0);
    Color { r, g, b, a: 1.0 }
}

fn to_bytes(color: Color) -> [u8; 3] {
    [color.r, color.g, color.b].map(|part| (part * 255.0).round() as u8)
}

fn colors_ui(ui: &Ui<'_>, desk: &LevelDesk, level: &Level) {
    type Part = fn(&mut LevelLook) -> &mut [u8; 3];
    let parts: [(&str, Part); 5] = [
        ("Sky", |look| &mut look.sky_top),
        ("Horizon", |look| &mut look.sky_bottom),
        ("Solids", |look| &mut look.solid),
        ("Ground", |look| &mut look.ground),
        ("Wood", |look| &mut look.wood),
    ];
    for (label, part) in parts {
        let mut look = level.look;
        let mut color = of_bytes(*part(&mut look));
        let touch = rows::row(ui, label, widgets::FIELD, |field| color_field(ui, label, field, &mut color));
        ui.gesture(touch, "Set colours", || {
            *part(&mut look) = to_bytes(color);
            Change::Edits(vec![LevelEdit::SetLook { level: desk.level, look }.into()])
        });
    }
}

/// Draws all things as a list. Decor comes last, because there is much of it.
fn things_ui(ui: &Ui<'_>, desk: &LevelDesk, level: &Level) {
    for (at, thing) in level.things() {
        let is_selected = desk.picked.contains(&at);
        let id = format!("{}{}", at.kind.name(), at.index);
        let touch = widgets::row(ui, &id, is_selected);
        if touch.is_clicked {
            let pick = if ui.held().ctrl || ui.held().shift { Pick::Toggle } else { Pick::Only };
            ui.send(LevelAction::Pick { things: vec![at], pick });
        }
        if touch.is_double_clicked {
            ui.send(LevelAction::Frame { is_all: false });
        }
        if !ui.is_rect_visible(touch.rect.min, touch.rect.max) {
            continue;
        }
        let row = touch.rect.inset(6.0, 0.0);
        let ink = if is_selected { ui.theme.text } else { faded(ui.theme.text, 0.85) };
        let name = match &thing {
            Thing::Foe(foe) => foe.kind.clone(),
            Thing::Decor(decor) => format!("{} {}", decor.shape.name(), at.index + 1),
            _ => at.to_string(),
        };
        ui.text_in(row.trim_right(84.0), Align::Left, ink, &name);
        let place = thing.place();
        ui.text_in(row, Align::Right, ui.theme.quiet, &format!("{:.1}, {:.1}", place.x, place.y));
    }
}
