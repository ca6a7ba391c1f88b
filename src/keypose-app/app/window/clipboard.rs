//! The system's clipboard: for text fields, and for copied poses, keys and things of levels, whose last copy is also kept in a file.

use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::time::Duration;

use keypose_editor::editor::posing::clipboard_text;

use crate::app::files::{folders, regular_files, save};

/// The clipboard of text fields, opened on first use. Without a system clipboard, text is kept inside of the program.
#[derive(Default)]
pub struct Clipboard {
    system: Option<arboard::Clipboard>,
    own: String,
}

impl Clipboard {
    fn system(&mut self) -> Option<&mut arboard::Clipboard> {
        if self.system.is_none() {
            self.system = arboard::Clipboard::new().ok();
        }
        self.system.as_mut()
    }
}

impl imgui::ClipboardBackend for Clipboard {
    fn get(&mut self) -> Option<String> {
        let text = self.system().and_then(|system| system.get_text().ok());
        Some(text.unwrap_or_else(|| self.own.clone()))
    }

    fn set(&mut self, value: &str) {
        self.own = value.to_owned();
        if let Some(system) = self.system() {
            // On errors, the program's own copy still has the text.
            let _ = system.set_text(value);
        }
    }
}

/// Maximum wait for the program that owns the system's clipboard.
const MAX_WAIT: Duration = Duration::from_millis(300);

/// Maximum size of the file in bytes. A larger one was not written by this program.
const MAX_FILE: u64 = 256 << 20;

/// The clipboard of poses and keys. A copy goes to the system's clipboard and to a file, so that it can be pasted in
/// another window, after foreign text was copied, and in a later run.
pub struct PoseClipboard {
    system: Clipboard,
    file: Option<PathBuf>,
}

impl PoseClipboard {
    /// With the file in this user's folder for application state.
    pub fn new() -> PoseClipboard {
        PoseClipboard {
            system: Clipboard::default(),
            file: folders::state().map(|folder| folder.join("clipboard.txt")),
        }
    }

    /// Stores a copy. Without system clipboard or file, the other one has it; without both, the editor itself.
    pub fn copy(&mut self, text: &str) {
        imgui::ClipboardBackend::set(&mut self.system, text);
        if let Some(file) = &self.file {
            let _ = file.parent().map(std::fs::create_dir_all);
            let _ = save::replace(file, text.as_bytes());
        }
    }

    /// The last copy: what the system's clipboard has, or the file if that is text of another program.
    pub fn last(&self) -> Option<String> {
        system_text().filter(|text| clipboard_text::is_ours(text)).or_else(|| read(self.file.as_deref()?))
    }
}

/// The text of the system's clipboard. Read by a thread, because its owner may not answer.
fn system_text() -> Option<String> {
    let (sender, receiver) = channel();
    let read = move || {
        let text = arboard::Clipboard::new().and_then(|mut system| system.get_text());
        // The receiver is gone if it took too long.
        let _ = sender.send(text.ok());
    };
    std::thread::Builder::new().name("clipboard".into()).spawn(read).ok()?;
    receiver.recv_timeout(MAX_WAIT).ok()?
}

fn read(file: &Path) -> Option<String> {
    String::from_utf8(regular_files::read(file, MAX_FILE).ok()?).ok()
}
