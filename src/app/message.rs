//! What other threads tell the event loop: a path that was picked, a file that was read, a save that ended.

use std::path::PathBuf;
use std::sync::Arc;

use crate::app::files::Opened;
use crate::app::progress::Progress;
use crate::app::watch::Change;
use crate::assets::character::Character;
use crate::assets::texture::Texture;
use crate::editor::document::Document;
use crate::editor::state::effect::{Ask, ImagePlace};
use crate::game::reload::NewData;

/// What a file was read for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// To be the document.
    Open,
    /// To be added to the document.
    Import,
}

/// A message to the event loop.
#[derive(Debug)]
pub enum Message {
    /// The file dialog was closed; `None` where it was cancelled or there is no dialog on this machine.
    Picked {
        /// What was asked for.
        ask: Ask,
        /// The answer.
        path: Option<PathBuf>,
    },
    /// A file was read.
    Read {
        /// Which; an archive, then the patches over it.
        files: Vec<PathBuf>,
        /// What for.
        reading: Reading,
        /// Whether it is still wanted.
        progress: Progress,
        /// What it holds, or why it could not be read.
        opened: Result<Box<Opened>, String>,
    },
    /// An image was read.
    Image {
        /// What for.
        place: ImagePlace,
        /// Whether it is still wanted.
        progress: Progress,
        /// It, or why it could not be read.
        read: Result<Arc<Texture>, String>,
    },
    /// A film or a picture was written, or not.
    Exported {
        /// Where to.
        path: PathBuf,
        /// Whether it is still wanted.
        progress: Progress,
        /// Why it was not.
        done: Result<(), String>,
    },
    /// Those of the recent files that are not there.
    Missing(Vec<PathBuf>),
    /// Something is new in follow mode: a pose for the game, or another number of games that follow the editor.
    Followed,
    /// The files of the game that runs changed.
    Changed {
        /// What they hold now.
        change: Change,
        /// What was made of that for the game.
        next: Option<NewData>,
    },
    /// The document was written, or not.
    Written {
        /// Where to.
        path: PathBuf,
        /// What was written.
        document: Document,
        /// Its models as they were baked for it.
        characters: Vec<Arc<Character>>,
        /// What it lies over where it is a patch.
        below: Vec<PathBuf>,
        /// Why it was not.
        done: Result<(), String>,
    },
}
