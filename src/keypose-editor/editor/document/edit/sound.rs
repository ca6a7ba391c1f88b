//! The edits of sounds.

use std::sync::Arc;

use crate::editor::document::apply::{checked_name, rename_in_events};
use crate::editor::document::edit::EditError;
use keypose::assets::clip_event::What;
use keypose::assets::project::{Project, unique_name};
use keypose::assets::sound::{Sound, SoundRepeat};

/// An edit of a sound. Sounds are referred to by name: they are sorted by it.
#[derive(Clone, Debug, PartialEq)]
pub enum SoundEdit {
    /// Adds a sound; a taken name gets a number.
    AddSound { add: Arc<Sound> },
    /// A taken or empty name is an error. Events that name the sound follow.
    RenameSound { sound: String, name: String },
    /// Events that name the sound stay.
    RemoveSound { sound: String },
    /// Factor of the amplitude, 0 to [`MAX_VOLUME`](keypose::assets::sound::MAX_VOLUME).
    SetVolume { sound: String, volume: f32 },
    /// The behaviour at the end of the sound.
    SetRepeat { sound: String, repeat: SoundRepeat },
}

impl SoundEdit {
    /// Applies the edit. If it fails, the project is in an unknown state and must be discarded.
    pub(in crate::editor::document) fn apply(&self, project: &mut Project) -> Result<(), EditError> {
        match self {
            SoundEdit::AddSound { add } => {
                let name = unique_name(&add.name, |name| project.sound_named(name).is_some());
                put(project, Sound { name, ..Sound::clone(add) })
            }
            SoundEdit::RenameSound { sound, name } => {
                let name = checked_name(name, |name| name != sound && project.sound_named(name).is_some())?;
                for model in &mut project.models {
                    rename_in_events(model, What::Sound, [sound, &name]);
                }
                change(project, sound, |sound| sound.name = name)
            }
            SoundEdit::RemoveSound { sound } => take(project, sound).map(drop),
            SoundEdit::SetVolume { sound, volume } => change(project, sound, |sound| sound.volume = *volume),
            SoundEdit::SetRepeat { sound, repeat } => change(project, sound, |sound| sound.repeat = *repeat),
        }
    }
}

fn change(project: &mut Project, name: &str, edit: impl FnOnce(&mut Sound)) -> Result<(), EditError> {
    let mut sound = Arc::unwrap_or_clone(take(project, name)?);
    edit(&mut sound);
    put(project, sound)
}

fn take(project: &mut Project, name: &str) -> Result<Arc<Sound>, EditError> {
    let at = project.sounds.iter().position(|sound| sound.name == name);
    let at = at.ok_or_else(|| EditError::NoSound { sound: name.to_owned() })?;
    Ok(project.sounds.remove(at))
}

/// Adds a valid sound at its place in the order of names.
fn put(project: &mut Project, sound: Sound) -> Result<(), EditError> {
    sound.check().map_err(|reason| EditError::Sound { sound: sound.name.clone(), reason })?;
    let at = project.sounds.partition_point(|other| other.name < sound.name);
    project.sounds.insert(at, Arc::new(sound));
    Ok(())
}
