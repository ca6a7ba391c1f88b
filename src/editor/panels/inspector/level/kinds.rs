//! The kinds of foes of a level: a list, and the values of the chosen one.

use crate::assets::level::{FoeKind, Level};
use crate::editor::document::edit::{Edit, LevelEdit};
use crate::editor::panels::inspector::command_row;
use crate::editor::panels::inspector::level::{Naming, chosen};
use crate::editor::panels::ui::Ui;
use crate::editor::panels::ui::frame::Align;
use crate::editor::panels::ui::name_field::NameText;
use crate::editor::panels::ui::number_field::Number;
use crate::editor::panels::ui::rows;
use crate::editor::panels::ui::widgets;
use crate::editor::posing::change::Change;
use crate::editor::session::command::Command;
use crate::editor::session::level::{LevelAction, LevelDesk};

/// Draws the list of kinds, and the chosen one.
pub fn draw(ui: &Ui<'_>, naming: &mut Naming, desk: &LevelDesk, level: &Level) {
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
        kind_ui(ui, naming, desk, level, kind);
    }
    command_row(ui, "kinds", &[("Add", Command::AddFoeKind), ("Remove", Command::RemoveFoeKind)]);
}

fn kind_ui(ui: &Ui<'_>, naming: &mut Naming, desk: &LevelDesk, level: &Level, kind: &FoeKind) {
    let edits = |change: &dyn Fn(&mut FoeKind)| -> Vec<Edit> {
        let mut kinds = level.kinds.clone();
        kinds.iter_mut().skip(desk.kind).take(1).for_each(change);
        vec![LevelEdit::SetFoeKinds { level: desk.level, kinds }.into()]
    };
    rows::labelled(ui, "Name", rows::LABEL, [320.0, widgets::FIELD], |field| {
        let name = NameText { text: &kind.name, ..NameText::default() };
        let entered = naming.ui(ui, ("kind-name", (desk.level, Some(desk.kind))), name, field);
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
    number("Reach", kind.reach, upto(100.0, 0.02), "Metres from which it attacks", |kind, value| kind.reach = value);
    let tip = "Ticks between attacks";
    number("Pause", f32::from(kind.pause), whole(65_535.0), tip, |kind, value| kind.pause = value as u16);
    let tip = "Speed on patrol, relative to the player's walk";
    number("Speed", kind.speed, upto(5.0, 0.01), tip, |kind, value| kind.speed = value);
    let tip = "Speed in a chase, relative to the player's walk";
    number("Chase", kind.chase, upto(5.0, 0.01), tip, |kind, value| kind.chase = value);
    nature_ui(ui, level, kind, &edits);
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
    let sides = [(FoeKind::FOE, "foe"), (FoeKind::DUMMY, "dummy"), (FoeKind::FOE | FoeKind::DUMMY, "foe and dummy")];
    let own = format!("bits {}", kind.mask);
    let shown = sides.iter().find(|(mask, _)| *mask == kind.mask).map_or(own.as_str(), |(_, name)| name);
    if let Some((mask, _)) =
        chosen(ui, "Hit as", shown, sides.iter().map(|(_, name)| *name)).and_then(|at| sides.get(at))
    {
        ui.edit("Set kind of foe", edits(&|kind| kind.mask = *mask));
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
