//! The edits of levels.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::editor::document::apply::checked_name;
use crate::editor::document::edit::EditError;
use keypose::assets::level::thing::{Thing, ThingRef};
use keypose::assets::level::{FoeKind, Level, LevelLook};
use keypose::assets::project::{Project, unique_name};

/// An edit of a level. `level` is an index into the project's levels.
#[derive(Clone, Debug, PartialEq)]
pub enum LevelEdit {
    /// Appends a level; a taken name gets a number.
    AddLevel { add: Box<Level> },
    /// A taken or empty name is an error.
    RenameLevel { level: usize, name: String },
    /// The levels after it move up.
    RemoveLevel { level: usize },
    /// Adds things behind the others of their kinds; a single one replaces the old one.
    AddThings { level: usize, things: Vec<Thing> },
    /// Replaces things by others of the same kind.
    SetThings { level: usize, things: Vec<(ThingRef, Thing)> },
    /// Removes things. The spawn point can't be removed.
    RemoveThings { level: usize, things: BTreeSet<ThingRef> },
    /// Replaces the kinds of foes. If there are as many as before, one whose old name is gone has a new name: foes, the goal and kinds that
    /// become it follow. Otherwise it was removed: the goal and other kinds no longer name it.
    SetFoeKinds { level: usize, kinds: Vec<FoeKind> },
    /// The colours of sky, ground and solids.
    SetLook { level: usize, look: LevelLook },
    /// The name of the player's model; empty for the first one.
    SetPlayer { level: usize, player: String },
}

impl LevelEdit {
    /// Applies the edit. If it fails, the project is in an unknown state and must be discarded.
    pub(in crate::editor::document) fn apply(&self, project: &mut Project) -> Result<(), EditError> {
        match self {
            LevelEdit::AddLevel { add } => add_level(project, add),
            LevelEdit::RenameLevel { level, name } => rename(project, *level, name),
            LevelEdit::RemoveLevel { level } => {
                if *level < project.levels.len() {
                    project.levels.remove(*level);
                    Ok(())
                } else {
                    Err(EditError::NoLevel { level: *level })
                }
            }
            LevelEdit::AddThings { level, things } => change(project, *level, |level| {
                for thing in things {
                    add_first_kind(level, thing);
                    level.add_thing(thing.clone());
                }
            }),
            LevelEdit::SetThings { level, things } => change_things(project, *level, |level| level.set_things(things)),
            LevelEdit::RemoveThings { level, things } => {
                change_things(project, *level, |level| level.remove_things(things))
            }
            LevelEdit::SetFoeKinds { level, kinds } => change(project, *level, |level| set_kinds(level, kinds)),
            LevelEdit::SetLook { level, look } => change(project, *level, |level| level.look = *look),
            LevelEdit::SetPlayer { level, player } => change(project, *level, |level| level.player.clone_from(player)),
        }
    }
}

fn add_level(project: &mut Project, level: &Level) -> Result<(), EditError> {
    let name = unique_name(&level.name, |name| project.levels.iter().any(|other| other.name == name));
    project.levels.push(Arc::new(Level { name, ..level.clone() }));
    change(project, project.levels.len() - 1, |_| ())
}

fn rename(project: &mut Project, index: usize, name: &str) -> Result<(), EditError> {
    let is_taken = |name: &str| project.levels.iter().enumerate().any(|(at, other)| at != index && other.name == name);
    let name = checked_name(name, is_taken)?;
    change(project, index, |level| level.name = name)
}

/// Changes a level and checks it.
fn change(project: &mut Project, index: usize, edit: impl FnOnce(&mut Level)) -> Result<(), EditError> {
    change_things(project, index, |level| {
        edit(level);
        true
    })
}

/// Changes a level and checks it. `edit` returns whether all things that it names exist.
fn change_things(project: &mut Project, index: usize, edit: impl FnOnce(&mut Level) -> bool) -> Result<(), EditError> {
    let level = project.levels.get_mut(index).map(Arc::make_mut).ok_or(EditError::NoLevel { level: index })?;
    if !edit(level) {
        return Err(EditError::NoThing { level: level.name.clone() });
    }
    level.check().map_err(|reason| EditError::Level { level: level.name.clone(), reason })
}

/// The first foe of a level brings its kind.
fn add_first_kind(level: &mut Level, thing: &Thing) {
    if let (Thing::Foe(foe), true) = (thing, level.kinds.is_empty()) {
        level.kinds.push(FoeKind { name: foe.kind.clone(), ..FoeKind::default() });
    }
}

fn set_kinds(level: &mut Level, kinds: &[FoeKind]) {
    let before = std::mem::replace(&mut level.kinds, kinds.to_vec());
    let is_named = |name: &String| kinds.iter().any(|kind| kind.name == *name);
    let is_as_long = before.len() == kinds.len();
    for (at, old) in before.iter().enumerate().filter(|(_, old)| !is_named(&old.name)) {
        let new = kinds.get(at).filter(|_| is_as_long).map_or("", |kind| &kind.name);
        let becomes = level.kinds.iter_mut().map(|kind| &mut kind.nature.becomes);
        let after = level.goal.iter_mut().map(|goal| &mut goal.after);
        let of_foes = level.foes.iter_mut().filter(|_| is_as_long).map(|foe| &mut foe.kind);
        let names = becomes.chain(after).chain(of_foes);
        names.filter(|name| **name == old.name).for_each(|name| new.clone_into(name));
    }
}
