//! Actions on the sounds of the archive.

use std::path::PathBuf;
use std::sync::Arc;

use keypose::assets::sound::Sound;

/// An action on sounds: on the active sound unless it has a name.
#[derive(Clone, Debug, PartialEq)]
pub enum SoundAction {
    /// Reads WAV files and adds them; without any, asks for paths.
    Add(Vec<PathBuf>),
    /// Files were read (after `Effect::ReadSounds`).
    Read(Vec<Arc<Sound>>),
    /// Makes a sound the active one.
    Pick(String),
    /// Plays the active sound, or ends it.
    Play,
    Rename(String),
    Remove,
}
