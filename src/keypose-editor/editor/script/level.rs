//! Script commands for levels, and the open level as text. Things have the words of the text form of levels.

use crate::editor::commands::needs::NO_LEVEL;
use crate::editor::document::edit::LevelEdit;
use crate::editor::script::args::Args;
use crate::editor::script::table::{Fact, Outcome, Step, Verb, act, edit};
use crate::editor::session::level::{LevelAction, LevelDesk};
use crate::editor::session::selection::Pick;
use keypose::assets::level::text::{color_mut, color_of, read_thing, set_kind_value, thing_line};
use keypose::assets::level::thing::{ThingKind, ThingRef};
use keypose::assets::level::{FoeKind, Level};

/// The commands.
pub const VERBS: &[Verb] = &[
    ("level open LEVEL", |a| {
        let names = a.editor.document.levels.iter().map(|level| level.name.as_str());
        act(LevelAction::Open(a.among(0, "level", names)?))
    }),
    ("level leave", |a| match a.editor.session.transient.scene.level() {
        Some(_) => act(LevelAction::Toggle),
        None => Ok(Step::Act(Vec::new())),
    }),
    ("level new", |_| act(LevelAction::New)),
    ("level rename NAME", |a| act(LevelAction::Rename(a.text(0)))),
    ("level remove", |_| act(LevelAction::Remove)),
    ("level add THING…", |a| act(LevelAction::Add(read_thing(a.rest(0))?))),
    ("level set KIND NUMBER THING…", |a| {
        let (desk, open) = open(a)?;
        let thing = read_thing(&[&[a.word(0)], a.rest(2)].concat())?;
        edit("Change thing", LevelEdit::SetThings { level: desk.level, things: vec![(thing_at(a, open)?, thing)] })
    }),
    ("level pick all", |_| act(LevelAction::PickAll)),
    ("level pick nothing", |_| act(LevelAction::PickNone)),
    ("level pick KIND NUMBER", |a| pick(a, Pick::Only)),
    ("level pick-more KIND NUMBER", |a| pick(a, Pick::Add)),
    ("level move X Y", |a| act(LevelAction::Shift(a.vec2(0)?))),
    ("level duplicate X Y", |a| act(LevelAction::DuplicateBy(a.vec2(0)?))),
    ("level copy", |_| act(LevelAction::Copy)),
    ("level paste", |_| act(LevelAction::Paste(None))),
    ("level paste X Y", |a| act(LevelAction::Paste(Some(a.vec2(0)?)))),
    ("level delete", |_| act(LevelAction::Delete)),
    ("level color NAME HEX", |a| {
        let (desk, open) = open(a)?;
        let mut look = open.look;
        *color_mut(&mut look, a.word(0))? = color_of(a.word(1))?;
        edit("Set colours", LevelEdit::SetLook { level: desk.level, look })
    }),
    ("level player MODEL", |a| edit("Set player", LevelEdit::SetPlayer { level: open(a)?.0.level, player: a.text(0) })),
    ("level add-kind", |_| act(LevelAction::AddKind)),
    ("level remove-kind", |_| act(LevelAction::RemoveKind)),
    ("level pick-kind NAME", |a| {
        let names = open(a)?.1.kinds.iter().map(|kind| kind.name.as_str());
        act(LevelAction::PickKind(a.among(0, "kind of foe", names)?))
    }),
    ("level kind VALUE AMOUNT", |a| {
        let (desk, open) = open(a)?;
        let mut kinds: Vec<FoeKind> = open.kinds.clone();
        let kind = kinds.get_mut(desk.kind).ok_or("the level has no kinds of foes")?;
        match a.word(0) {
            "name" => kind.name = a.text(1),
            name => set_kind_value(kind, name, a.rest(1))?,
        }
        edit("Change kind of foe", LevelEdit::SetFoeKinds { level: desk.level, kinds })
    }),
];

/// The facts: empty if no level is open.
pub const FACTS: &[Fact] = &[
    ("level", |a| Ok(open(a).map_or_else(|_| "none".to_owned(), |(_, level)| level.name.clone()))),
    ("things KIND", |a| {
        let Ok((_, level)) = open(a) else { return Ok(String::new()) };
        let kind = a.named(0, &ThingKind::ALL, ThingKind::name)?;
        let things = level.things().filter(|(at, _)| at.kind == kind);
        let line = |thing| thing_line(&thing).split_once(' ').map(|(_, rest)| rest.to_owned()).unwrap_or_default();
        Ok(things.map(|(_, thing)| line(thing)).collect::<Vec<_>>().join(", "))
    }),
    ("picked-things", |a| {
        let things = open(a).map(|(desk, _)| desk.picked.iter().map(ToString::to_string).collect::<Vec<_>>());
        Ok(things.unwrap_or_default().join(", "))
    }),
    ("foe-kinds", |a| {
        let kinds = open(a).map(|(_, level)| level.kinds.iter().map(|kind| kind.name.clone()).collect::<Vec<_>>());
        Ok(kinds.unwrap_or_default().join(", "))
    }),
];

fn open<'a>(a: &Args<'a>) -> Result<(&'a LevelDesk, &'a Level), String> {
    let desk = a.editor.session.transient.scene.level();
    desk.and_then(|desk| Some((desk, &**a.editor.document.levels.get(desk.level)?))).ok_or_else(|| NO_LEVEL.to_owned())
}

fn pick(a: &Args<'_>, pick: Pick) -> Outcome {
    act(LevelAction::Pick { things: vec![thing_at(a, open(a)?.1)?], pick })
}

/// The thing whose kind and number the first two arguments are.
fn thing_at(a: &Args<'_>, level: &Level) -> Result<ThingRef, String> {
    let at = ThingRef { kind: a.named(0, &ThingKind::ALL, ThingKind::name)?, index: a.index(1)? };
    let count = level.count(at.kind);
    if at.index < count { Ok(at) } else { Err(format!("the level has {count} of the things {}", a.word(0))) }
}
