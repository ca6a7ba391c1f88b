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

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder of a test, for files and for what the program keeps itself.
struct Desk(PathBuf);

impl Desk {
    fn new(name: &str) -> Desk {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Desk(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Runs a command in the folder.
    fn keypose(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_keypose"));
        command.args(arguments).current_dir(&self.0);
        command.env("LOCALAPPDATA", self.path("local")).env("APPDATA", self.path("roaming")).output().unwrap()
    }

    /// The output of a command that must succeed.
    fn ok(&self, arguments: &[&str]) -> String {
        let output = self.keypose(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().replace("\r\n", "\n")
    }

    /// The error of a command that must fail, which is one sentence.
    fn error(&self, arguments: &[&str]) -> String {
        let output = self.keypose(arguments);
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {text}");
        assert_eq!(text.lines().count(), 1, "{arguments:?}: {text}");
        text.trim().to_owned()
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let _ = fs::remove_dir_all(&self.0);
        }
    }
}
