//! The files that a model refers to. They are read only from the folder of the model, whatever their paths say, unless the
//! user allows others: a model that someone else made must not copy private files to an archive.

use std::fs;
use std::path::{Component, Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64_with_seed;

use keypose_editor::editor::session::preferences::ModelFiles;

use crate::app::files;
use crate::app::files::own_files::folder_of;

/// How the refused file can be read.
const ADVICE: &str = "allow it with --any-files, or in the preferences under \"Model files\"";

/// Access to the files of a model.
pub struct ModelFolder {
    folder: PathBuf,
    allowed: ModelFiles,
    /// The files that were read.
    pub referred: Referred,
}

/// Files that were read because a model refers to them.
#[derive(Default)]
pub struct Referred {
    /// Paths of the files.
    pub files: Vec<PathBuf>,
    /// A digest of their bytes; 0 without files.
    pub digest: u64,
}

impl ModelFolder {
    /// The folder that a model is in.
    pub fn of(model: &Path, allowed: ModelFiles) -> ModelFolder {
        ModelFolder { folder: folder_of(model).to_owned(), allowed, referred: Referred::default() }
    }

    /// Reads a file by its path relative to the folder.
    ///
    /// # Errors
    /// If it can't be read; or if it is outside the folder, by its path or through a link, and that is not allowed.
    pub fn read(&mut self, relative: &str) -> Result<Vec<u8>, String> {
        let path = self.folder.join(relative);
        let bytes = self.read_allowed(relative, &path)?;
        self.referred.digest = xxh3_64_with_seed(&bytes, self.referred.digest);
        self.referred.files.push(path);
        Ok(bytes)
    }

    fn read_allowed(&self, relative: &str, path: &Path) -> Result<Vec<u8>, String> {
        if self.allowed == ModelFiles::Anywhere {
            return files::read(path);
        }
        let outside = || format!("\"{relative}\" is outside the folder of the model and was not read; {ADVICE}");
        if leaves(relative) {
            return Err(outside());
        }
        // A file that is missing is reported as such.
        let Ok(real) = fs::canonicalize(path) else { return files::read(path) };
        let folder = fs::canonicalize(&self.folder).map_err(|error| format!("{}: {error}", self.folder.display()))?;
        if !real.starts_with(folder) {
            return Err(outside());
        }
        files::read(&real)
    }
}

/// Whether a path leaves the folder that it starts in, without regard to links.
fn leaves(relative: &str) -> bool {
    let mut depth = 0_usize;
    for part in Path::new(relative).components() {
        match part {
            Component::Normal(_) => depth += 1,
            Component::CurDir => {}
            Component::ParentDir if depth > 0 => depth -= 1,
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return true,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_leave_the_folder_are_recognised() {
        let inside = ["a.bin", "b/c.png", "./a", "b/../a", "b/c/../../a", "...", "..a/b"];
        let outside = ["../a", "..", "b/../../a", "/etc/passwd", "./../a", "b/../.."];
        assert_eq!(inside.map(leaves), [false; 7]);
        assert_eq!(outside.map(leaves), [true; 6]);
    }
}
