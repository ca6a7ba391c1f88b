//! Between the reading of a file and its lock, another editor may save it: the file is read again then.

use std::path::{Path, PathBuf};

use crate::app::files::{self, Opening as Reading};
use crate::app::journal::{Opening, header_hash};
use crate::app::layers;
use crate::assets::project::Project;
use crate::editor::state::action::Origin;

/// The content of a document's files, which are locked, if it is no longer that of the digest. The error is a sentence.
pub(super) fn read_again(opening: &Opening, origin: &Origin, read: Option<u64>) -> Result<Option<Project>, String> {
    let (Some(read), Some(journal)) = (read, &opening.journal) else { return Ok(None) };
    let files: Vec<PathBuf> = match origin {
        _ if opening.holder.is_some() => return Ok(None),
        Origin::Archive(path) => vec![path.clone()],
        Origin::Patch { below, path } => below.iter().chain([path]).cloned().collect(),
        Origin::Imported(_) | Origin::New => return Ok(None),
    };
    let now = match files.as_slice() {
        _ if journal.has_base() => journal.base(),
        [archive] => hash_of(archive)?,
        files => layers::digest_of(files)?,
    };
    if now == read {
        return Ok(None);
    }
    layers::open(&files, &Reading::default()).map(|opened| Some(opened.project))
}

fn hash_of(archive: &Path) -> Result<u64, String> {
    Ok(header_hash(&files::read(archive)?))
}
