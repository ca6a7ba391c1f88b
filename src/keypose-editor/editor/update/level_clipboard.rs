//! Copying and pasting things of levels. The clipboard has the text form of a level with the copied things and the kinds of their foes, so
//! it can be pasted in another level, in another window, or into the text of a level.

use std::sync::Arc;

use glam::Vec2;

use crate::editor::document::edit::{Edit, LevelEdit};
use crate::editor::gesture::level::moved;
use crate::editor::ops::sentence::counted;
use crate::editor::state::Editor;
use crate::editor::state::effect::Effect;
use crate::editor::update::levels::{pick_added, required};
use crate::editor::update::{info, step_all};
use keypose::assets::level::thing::Thing;
use keypose::assets::level::{FoeKind, Level, text};

/// The offset in metres, to the right and up, of things pasted over their originals.
const ASIDE: f32 = 0.5;
/// The number of offsets that are tried.
const MAX_TRIES: u8 = 100;

/// The name of the level on the clipboard.
const NAME: &str = "clipboard";

/// Copies the selected things except the spawn and the goal, of which a level has one.
pub fn copy(editor: &mut Editor) {
    let Some((desk, open)) = required(editor) else { return };
    let things: Vec<Thing> = desk.picked_things(&open).into_iter().map(|(_, thing)| thing).collect();
    let things: Vec<Thing> = things.into_iter().filter(|thing| !thing.kind().is_single()).collect();
    if things.is_empty() {
        return info(editor, "Nothing to copy: a level has one spawn and one goal.");
    }
    let text = format!("Copied {}.", counted(things.len(), "thing"));
    let mut copied = Level { name: NAME.into(), kinds: kinds_of(&things, &open.kinds), ..Level::default() };
    for thing in things {
        copied.add_thing(thing);
    }
    editor.effects.push(Effect::Copy(text::write(&copied)));
    editor.session.workspace.copied_things = Some(Arc::new(copied));
    info(editor, text);
}

/// The kinds of the foes among things, and the kinds that these turn into, in the order of `all`.
fn kinds_of(things: &[Thing], all: &[FoeKind]) -> Vec<FoeKind> {
    let is_placed =
        |kind: &&FoeKind| things.iter().any(|thing| matches!(thing, Thing::Foe(foe) if foe.kind == kind.name));
    let mut needed: Vec<&str> = all.iter().filter(is_placed).map(|kind| kind.name.as_str()).collect();
    let mut at = 0;
    while let Some(name) = needed.get(at).copied() {
        at += 1;
        let next = all.iter().filter(|kind| kind.name == name).map(|kind| kind.nature.becomes.as_str());
        let next: Vec<&str> = next.filter(|next| !next.is_empty() && !needed.contains(next)).collect();
        needed.extend(next);
    }
    all.iter().filter(|kind| needed.contains(&kind.name.as_str())).cloned().collect()
}

/// Takes the text of a level that another window or an earlier run copied.
///
/// # Errors
///
/// If the text is damaged: the line and the reason, as a sentence.
pub fn arrived(editor: &mut Editor, text: &str) -> Result<(), String> {
    let copied = text::read(text).map_err(|error| format!("The clipboard is damaged: {error}."))?;
    editor.session.workspace.copied_things = Some(Arc::new(copied));
    Ok(())
}

/// Pastes the copied things, moved by an offset; without one, at their places, or beside the originals. Kinds of foes that the
/// level lacks are added. The pasted things are selected.
pub fn paste(editor: &mut Editor, by: Option<Vec2>) {
    let copied = editor.session.workspace.copied_things.clone();
    let Some((desk, open)) = required(editor) else { return };
    let level = desk.level;
    let things: Vec<Thing> = copied.iter().flat_map(|copied| copied.things().map(|(_, thing)| thing)).collect();
    let things: Vec<Thing> = things.into_iter().filter(|thing| !thing.kind().is_single()).collect();
    let (Some(copied), Some(first)) = (copied, things.first()) else {
        return info(editor, "Copy things of a level first.");
    };
    let by = by.unwrap_or_else(|| free_way(&open, first));
    let things: Vec<Thing> = things.iter().map(|thing| moved(thing, by)).collect();
    let is_known = |kind: &&FoeKind| open.kinds.iter().any(|own| own.name == kind.name);
    let kinds = kinds_of(&things, &copied.kinds);
    let missing: Vec<FoeKind> = kinds.iter().filter(|kind| !is_known(kind)).cloned().collect();
    let mut edits: Vec<Edit> = Vec::new();
    if !missing.is_empty() {
        let kinds = open.kinds.iter().cloned().chain(missing).collect();
        edits.push(LevelEdit::SetFoeKinds { level, kinds }.into());
    }
    edits.push(LevelEdit::AddThings { level, things: things.clone() }.into());
    let before = editor.document.clone();
    step_all(editor, "Paste things", edits);
    if before.is_same(&editor.document) {
        return;
    }
    pick_added(editor, &open, &things);
    info(editor, format!("Pasted {}.", counted(things.len(), "thing")));
}

/// The first offset at which a thing isn't on an equal thing.
fn free_way(open: &Level, first: &Thing) -> Vec2 {
    let ways = (0..MAX_TRIES).map(|tried| Vec2::splat(ASIDE * f32::from(tried)));
    let is_free = |by: &Vec2| {
        let there = moved(first, *by);
        open.things().filter(|(at, _)| at.kind == there.kind()).all(|(_, thing)| thing != there)
    };
    ways.into_iter().find(is_free).unwrap_or_default()
}
