//! Script commands for levels, such as `level add solid 0 0 2 1`, and the open level as text. Things have the words of the text
//! form of levels.

use glam::Vec2;

use crate::assets::level::text::{color_mut, color_of, read_thing, set_kind_value, thing_line};
use crate::assets::level::thing::{ThingKind, ThingRef};
use crate::assets::level::{FoeKind, Level};
use crate::editor::commands::needs::NO_LEVEL;
use crate::editor::document::edit::{Label, LevelEdit};
use crate::editor::posing::change::Change;
use crate::editor::script::parse::{index, number};
use crate::editor::session::level::{LevelAction, LevelDesk};
use crate::editor::session::selection::Pick;
use crate::editor::state::Editor;
use crate::editor::state::action::{Action, DocumentAction};

/// The action of a `level` command.
pub fn action(editor: &Editor, args: &[&str]) -> Result<Action, String> {
    let pick = |kind: &str, at: &str, pick| {
        let (_, level) = open(editor)?;
        Ok::<_, String>(LevelAction::Pick { things: vec![thing_at(level, kind, at)?], pick })
    };
    Ok(Action::Level(match args {
        ["open", name] => {
            let at = editor.document.levels.iter().position(|level| level.name == *name);
            LevelAction::Open(at.ok_or_else(|| format!("there is no level {name}"))?)
        }
        ["leave"] => LevelAction::Leave,
        ["new"] => LevelAction::New,
        ["rename", name] => LevelAction::Rename((*name).to_owned()),
        ["remove"] => LevelAction::Remove,
        ["add", words @ ..] => LevelAction::Add(read_thing(words)?),
        ["pick", "all"] => LevelAction::PickAll,
        ["pick", "nothing"] => LevelAction::PickNone,
        ["pick", kind, at] => pick(kind, at, Pick::Only)?,
        ["pick-more", kind, at] => pick(kind, at, Pick::Add)?,
        ["move", x, y] => LevelAction::Shift(vector(x, y)?),
        ["duplicate", x, y] => LevelAction::DuplicateBy(vector(x, y)?),
        ["copy"] => LevelAction::Copy,
        ["paste"] => LevelAction::Paste(None),
        ["paste", x, y] => LevelAction::Paste(Some(vector(x, y)?)),
        ["delete"] => LevelAction::Delete,
        ["add-kind"] => LevelAction::AddKind,
        ["remove-kind"] => LevelAction::RemoveKind,
        ["pick-kind", name] => LevelAction::PickKind(kind_named(open(editor)?.1, name)?),
        _ => return edit(editor, args),
    }))
}

/// Commands that make an edit themselves.
fn edit(editor: &Editor, args: &[&str]) -> Result<Action, String> {
    let (desk, open) = open(editor)?;
    let level = desk.level;
    let (label, edit): (Label, LevelEdit) = match args {
        ["set", kind, at, words @ ..] => {
            let thing = read_thing(&[&[*kind], words].concat())?;
            ("Change thing".into(), LevelEdit::SetThings { level, things: vec![(thing_at(open, kind, at)?, thing)] })
        }
        ["color", name, value] => {
            let mut look = open.look;
            *color_mut(&mut look, name)? = color_of(value)?;
            ("Set colours".into(), LevelEdit::SetLook { level, look })
        }
        ["player", name] => ("Set player".into(), LevelEdit::SetPlayer { level, player: (*name).to_owned() }),
        ["kind", what @ ..] => {
            let mut kinds = open.kinds.clone();
            let kind = kinds.get_mut(desk.kind).ok_or("the level has no kinds of foes")?;
            change_kind(kind, what)?;
            ("Change kind of foe".into(), LevelEdit::SetFoeKinds { level, kinds })
        }
        _ => return Err("unknown command or wrong arguments".into()),
    };
    Ok(Action::Document(DocumentAction::Edit { label, change: Change::Edits(vec![edit.into()]) }))
}

fn change_kind(kind: &mut FoeKind, words: &[&str]) -> Result<(), String> {
    match words {
        ["name", name] => {
            kind.name = (*name).to_owned();
            Ok(())
        }
        [name, value @ ..] => set_kind_value(kind, name, value),
        [] => Err("expected a value of the kind".into()),
    }
}

/// The open level.
fn open(editor: &Editor) -> Result<(&LevelDesk, &Level), String> {
    let desk = editor.session.transient.scene.level();
    desk.and_then(|desk| Some((desk, &**editor.document.levels.get(desk.level)?))).ok_or_else(|| NO_LEVEL.to_owned())
}

fn kind_of(word: &str) -> Result<ThingKind, String> {
    let names = || ThingKind::ALL.map(ThingKind::name).join(", ");
    let found = ThingKind::ALL.into_iter().find(|kind| kind.name() == word);
    found.ok_or_else(|| format!("unknown thing {word}: expected {}", names()))
}

fn thing_at(level: &Level, kind: &str, at: &str) -> Result<ThingRef, String> {
    let at = ThingRef { kind: kind_of(kind)?, index: index(at)? };
    match at.index < level.count(at.kind) {
        true => Ok(at),
        false => Err(format!("the level has {} of the things {kind}", level.count(at.kind))),
    }
}

fn kind_named(level: &Level, name: &str) -> Result<usize, String> {
    level.kinds.iter().position(|kind| kind.name == name).ok_or_else(|| format!("there is no kind of foe {name}"))
}

fn vector(x: &str, y: &str) -> Result<Vec2, String> {
    Ok(Vec2::new(number(x)? as f32, number(y)? as f32))
}

/// The fact of a name.
///
/// # Errors
///
/// An unknown kind of thing.
pub fn show(editor: &Editor, what: &[&str]) -> Result<String, String> {
    let joined = |parts: Vec<String>| parts.join(", ");
    let Ok((desk, level)) = open(editor) else {
        return Ok(if *what == ["level"] { "none".to_owned() } else { String::new() });
    };
    Ok(match what {
        ["things", kind] => {
            let kind = kind_of(kind)?;
            let things = level.things().filter(|(at, _)| at.kind == kind);
            let line = |thing| thing_line(&thing).split_once(' ').map(|(_, rest)| rest.to_owned()).unwrap_or_default();
            joined(things.map(|(_, thing)| line(thing)).collect())
        }
        ["picked-things"] => joined(desk.picked.iter().map(ToString::to_string).collect()),
        ["foe-kinds"] => joined(level.kinds.iter().map(|kind| kind.name.clone()).collect()),
        _ => level.name.clone(),
    })
}
