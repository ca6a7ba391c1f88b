//! The program on Windows: its commands, names of files, and unsaved work after kills. Empty on other systems. tools/test-windows runs it
//! under Wine; `window.py` beside it tests the window and the installer.
#![cfg(windows)]

mod commands;
#[path = "../support/editor_kit/mod.rs"]
mod editor_kit;
#[path = "../support/folder.rs"]
mod folder;
#[path = "../program/kill.rs"]
mod kill;
mod names;
#[path = "../program/process.rs"]
mod process;
#[path = "../program/recorder.rs"]
mod recorder;
#[path = "../support/root.rs"]
mod root;

use std::path::PathBuf;

use folder::Folder;
use process::{done, keypose, ran};

/// A folder of a test.
struct Desk(Folder);

impl Desk {
    fn new(name: &str) -> Desk {
        Desk(Folder::new(name))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// The output of a command that must succeed.
    fn ok(&self, arguments: &[&str]) -> String {
        done(keypose(&self.0).args(arguments)).replace("\r\n", "\n")
    }

    /// The error of a command that must fail, which is one sentence.
    fn error(&self, arguments: &[&str]) -> String {
        let (code, _, text) = ran(keypose(&self.0).args(arguments));
        assert_eq!(code, 1, "{arguments:?}: {text}");
        assert_eq!(text.lines().count(), 1, "{arguments:?}: {text}");
        text.trim().to_owned()
    }
}
