//! Long work off the window's thread: reading files and writing them. Each ends with a message to the event loop.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use winit::event_loop::EventLoopProxy;

use crate::app::files;
use crate::app::recorder::{self, SharedJournal};
use crate::app::wake::{Reading, Wake};
use crate::assets::character::Character;
use crate::editor::document::Document;
use crate::wad;

/// Reads a file; the answer comes as [`Wake::Read`].
pub fn read(path: PathBuf, reading: Reading, proxy: &EventLoopProxy<Wake>) {
    let proxy = proxy.clone();
    std::thread::spawn(move || {
        let opened = files::open(&path).map(Box::new);
        // The event loop may have ended meanwhile; then nobody waits for the answer.
        let _ = proxy.send_event(Wake::Read { path, reading, opened });
    });
}

/// Bakes what `known` lacks, encodes a document and writes it atomically; the answer comes as [`Wake::Written`]. The
/// document is a value of its own: editing goes on meanwhile.
pub fn write(
    path: PathBuf,
    document: Document,
    journal: SharedJournal,
    known: Vec<Arc<Character>>,
    proxy: &EventLoopProxy<Wake>,
) {
    let proxy = proxy.clone();
    std::thread::spawn(move || {
        let characters = Character::bake_all(&document.models, &known);
        let bytes = wad::encode(document.project(), &characters);
        let bytes = bytes.map_err(|error| format!("{}: {error}", path.display()));
        let done = bytes.and_then(|bytes| recorder::save_with_journal(&journal, &path, &bytes));
        let _ = proxy.send_event(Wake::Written { path, document, characters, done });
    });
}

/// The bytes of a document's archive, everything baked.
pub fn encode(document: &Document) -> Result<Vec<u8>, wad::WadError> {
    wad::encode(document.project(), &[])
}

/// The demo archive: beside the program, or where it was built.
pub fn demo() -> Option<PathBuf> {
    let beside = std::env::current_exe().ok().and_then(|program| Some(program.parent()?.join("data/demo.wad")));
    let built = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/demo.wad");
    beside.into_iter().chain([built]).find(|path| path.is_file())
}
