//! The files that the user gave to the page. It knows their names, but no folders.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use keypose::assets::bytes::Bytes;

/// Files by their names, and the pick or drop that each came with.
#[derive(Clone, Debug, Default)]
pub struct GivenFiles {
    files: BTreeMap<PathBuf, (u32, Bytes)>,
    /// The number of picks and drops.
    picks: u32,
}

impl GivenFiles {
    /// Keeps a file of a pick or drop.
    pub fn keep(&mut self, name: &str, bytes: Vec<u8>) {
        self.files.insert(name.into(), (self.picks, Bytes::new(bytes)));
    }

    /// Further files are those of another pick or drop.
    pub fn end_pick(&mut self) {
        self.picks += 1;
    }

    /// A file of any pick or drop.
    pub fn get(&self, path: &Path) -> Result<Bytes, String> {
        let missing = || format!("{}: no such file on this page; open it again", path.display());
        self.files.get(path).map(|(_, bytes)| bytes.clone()).ok_or_else(missing)
    }

    /// A file that a model refers to, which was picked or dropped together with it. Of two that differ in their folders only, the page has
    /// one: the first in `asked` gets it.
    pub fn beside(
        &self,
        model: &Path,
        relative: &str,
        asked: &mut BTreeMap<PathBuf, String>,
    ) -> Result<Vec<u8>, String> {
        let name = Path::new(relative).file_name().ok_or("not a file")?;
        let of_model = self.files.get(model).map(|(pick, _)| *pick);
        let found = self.files.get(Path::new(name)).filter(|(pick, _)| Some(*pick) == of_model);
        let missing = || format!("{relative}: not on this page; open it together with {}", model.display());
        let (_, bytes) = found.ok_or_else(missing)?;
        let first = asked.entry(name.into()).or_insert_with(|| relative.to_owned());
        if first != relative {
            return Err(format!("{relative}: a page knows no folders, and {first} has the same name"));
        }
        Ok(bytes.to_vec())
    }
}
