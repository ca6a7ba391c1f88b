//! Folders for tests.

#![allow(dead_code)] // Each user needs a part of it.

use std::fs;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// An empty folder that no other test has, even one that asks for the same name.
pub fn folder(name: &str) -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}-{count}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// An empty folder for the files of a test, with one beside it for what programs keep. Both are deleted with it.
pub struct Folder {
    files: PathBuf,
    /// The preferences and unsaved work of programs, which would be found by other tests, or be the developer's.
    pub state: PathBuf,
}

impl Folder {
    pub fn new(name: &str) -> Folder {
        let folder = folder(name);
        let [files, state] = ["files", "state"].map(|part| folder.join(part));
        [&files, &state].into_iter().for_each(|part| fs::create_dir(part).unwrap());
        Folder { files, state }
    }
}

impl Deref for Folder {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.files
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = self.files.parent().map(fs::remove_dir_all);
    }
}
