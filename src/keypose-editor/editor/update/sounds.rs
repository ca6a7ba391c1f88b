//! Actions on the sounds of the archive.

use std::sync::Arc;

use crate::editor::commands::needs;
use crate::editor::document::edit::{Edit, SoundEdit};
use crate::editor::session::sounds::SoundAction;
use crate::editor::state::Editor;
use crate::editor::state::effect::{Effect, PathPurpose};
use crate::editor::update::{info, step, step_all, transaction};
use keypose::assets::project::unique_name;
use keypose::assets::sound::Sound;

/// Handles an action on sounds.
pub fn act(editor: &mut Editor, action: SoundAction) {
    match action {
        SoundAction::Add(paths) if paths.is_empty() => editor.effects.push(Effect::AskPath(PathPurpose::Sounds)),
        SoundAction::Add(paths) => editor.effects.push(Effect::ReadSounds(paths)),
        SoundAction::Read(sounds) => read(editor, sounds),
        SoundAction::Pick(name) => editor.session.focus.sound = name,
        action => {
            let Some(sound) = editor.sound().cloned() else {
                return info(editor, needs::NO_SOUND);
            };
            change(editor, &sound, action);
        }
    }
}

/// Adds sounds that were read, in one undo step, and picks the last one.
fn read(editor: &mut Editor, sounds: Vec<Arc<Sound>>) {
    let Some(last) = sounds.last() else { return };
    transaction::commit(editor);
    let label = if sounds.len() == 1 { "Add sound" } else { "Add sounds" };
    let others = &sounds[..sounds.len() - 1];
    let is_taken =
        |name: &str| editor.document.sound_named(name).is_some() || others.iter().any(|other| other.name == name);
    let picked = unique_name(&last.name, is_taken);
    let edits: Vec<Edit> = sounds.into_iter().map(|add| SoundEdit::AddSound { add }.into()).collect();
    step_all(editor, label, edits);
    editor.session.focus.sound = picked;
}

/// Plays, renames or removes the active sound.
fn change(editor: &mut Editor, sound: &Arc<Sound>, action: SoundAction) {
    let of = sound.name.clone();
    match action {
        SoundAction::Play => editor.effects.push(Effect::PlaySound(sound.clone())),
        SoundAction::Rename(name) => {
            let name = name.trim().to_owned();
            step(editor, "Rename sound", SoundEdit::RenameSound { sound: of, name: name.clone() });
            if editor.document.sound_named(&name).is_some() {
                editor.session.focus.sound = name;
            }
        }
        SoundAction::Remove => step(editor, "Remove sound", SoundEdit::RemoveSound { sound: of }),
        SoundAction::Add(_) | SoundAction::Read(_) | SoundAction::Pick(_) => {}
    }
}
