//! Long work off the window's thread: reading files and writing them. Each ends with a message to the event loop.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use winit::event_loop::EventLoopProxy;

use crate::app::film::{self, RenderJob};
use crate::app::message::{Message, Reading};
use crate::app::progress::Progress;
use crate::app::recorder::{self, SharedJournal};
use crate::app::{files, layers, save};
use crate::assets::character::Character;
use crate::editor::document::Document;
use crate::editor::state::effect::ImagePlace;
use crate::wad;

/// Reads a file, or an archive and the patches over it; the answer comes as [`Message::Read`].
pub fn read(files: Vec<PathBuf>, reading: Reading, progress: Progress, proxy: &EventLoopProxy<Message>) {
    let proxy = proxy.clone();
    std::thread::spawn(move || {
        let opened = match files.as_slice() {
            [file] => files::open_with_progress(file, None, &progress),
            files => layers::open(files),
        };
        let opened = opened.map(Box::new);
        // The event loop may have ended meanwhile; then nobody waits for the answer.
        let _ = proxy.send_event(Message::Read { files, reading, progress, opened });
    });
}

/// Reads and decodes an image; the answer comes as [`Message::Image`].
pub fn read_image(path: PathBuf, place: ImagePlace, progress: Progress, proxy: &EventLoopProxy<Message>) {
    let proxy = proxy.clone();
    std::thread::spawn(move || {
        let read = files::image(&path, &place.purpose).map(Arc::new);
        let _ = proxy.send_event(Message::Image { place, progress, read });
    });
}

/// Bakes what `known` lacks, encodes a document and writes it atomically; the answer comes as [`Message::Written`]. The
/// document is a value of its own: editing goes on meanwhile. With archives `below`, only what differs from them is
/// written.
pub fn write(
    path: PathBuf,
    below: Vec<PathBuf>,
    document: Document,
    journal: SharedJournal,
    known: Vec<Arc<Character>>,
    proxy: &EventLoopProxy<Message>,
) {
    let proxy = proxy.clone();
    std::thread::spawn(move || {
        let characters = Character::bake_all(&document.models, &known);
        let done = save(&path, &below, &document, &characters, &journal);
        let _ = proxy.send_event(Message::Written { path, document, below, characters, done });
    });
}

/// Encodes a document and writes it atomically, here and now. What is not in `characters` is baked for it.
pub fn save(
    path: &Path,
    below: &[PathBuf],
    document: &Document,
    characters: &[Arc<Character>],
    journal: &SharedJournal,
) -> Result<(), String> {
    if !below.is_empty() {
        let bytes = layers::encode_over(below, path, document, characters)?;
        return recorder::save_patch(journal, path, below, &bytes);
    }
    let bytes = wad::encode(document.project(), characters).map_err(|error| format!("{}: {error}", path.display()))?;
    recorder::save_with_journal(journal, path, &bytes)
}

/// Draws a film or a picture and writes it, whole or not at all; the answer comes as [`Message::Exported`].
pub fn export(order: RenderJob, path: PathBuf, progress: Progress, proxy: &EventLoopProxy<Message>) {
    let proxy = proxy.clone();
    std::thread::spawn(move || {
        let bytes = film::make(&order, &progress).and_then(|bytes| progress.reach(1.0).map(|()| bytes));
        let written = |bytes: Vec<u8>| {
            let shown = path.display();
            let said = |error| format!("{shown}: it could not be written: {error}{}", save::advice(&error));
            save::replace(&path, &bytes).map_err(said)
        };
        let done = bytes.and_then(written);
        let _ = proxy.send_event(Message::Exported { path, progress, done });
    });
}

/// Looks which files are not there: a disk that sleeps, or a network, may take its time. The answer comes as
/// [`Message::Missing`].
pub fn find_missing(files: Vec<PathBuf>, proxy: &EventLoopProxy<Message>) {
    let proxy = proxy.clone();
    std::thread::spawn(move || {
        let missing = files.into_iter().filter(|file| !file.is_file()).collect();
        let _ = proxy.send_event(Message::Missing(missing));
    });
}
