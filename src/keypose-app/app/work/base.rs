//! `base.wad`: the document as it was opened. Making it takes no time if the document has a file: that gets a second name, and is
//! copied by a thread. Until that is done, the second name or the file itself serves.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use keypose::assets::project::Project;
use keypose::wad::archive::Archive;
use keypose::wad::journal::base_of;

use crate::app::files::own_files::{self, Access};
use crate::app::files::regular_files;
use crate::app::files::save::{GENERATIONS, generation};
use crate::app::work::sync::Syncer;
use crate::app::work::{WorkFolder, header_at};

/// The archive that steps start from.
#[derive(Debug)]
pub struct Base {
    /// The header hash of the archive.
    pub hash: u64,
    /// The archive's content.
    pub project: Arc<Project>,
    /// The archive that the document was opened from; `None` if no single file has it.
    pub file: Option<PathBuf>,
    /// A save is replacing the archive, which Windows does to no open file: it is not copied then.
    pub is_replaced: bool,
    is_made: bool,
}

impl Base {
    /// A document that was opened or saved.
    pub fn new(hash: u64, project: &Arc<Project>, file: Option<PathBuf>) -> Base {
        Base { hash, project: project.clone(), file, is_replaced: false, is_made: false }
    }

    /// The base of recovered work, which has its file.
    pub fn made(hash: u64, project: Project) -> Base {
        Base { hash, project: Arc::new(project), file: None, is_replaced: false, is_made: true }
    }

    /// Makes the file, or has a thread make it.
    pub fn make(&mut self, folder: &WorkFolder, syncer: &mut Syncer) -> io::Result<()> {
        if self.is_made {
            return Ok(());
        }
        let base = folder.base();
        // Before the archive is opened: Windows keeps a second name that is deleted until then.
        let _ = fs::remove_file(&base);
        let archive = self.file.as_deref().filter(|file| !self.is_replaced && has_hash(file, self.hash));
        let opened = archive.and_then(|archive| Some((archive, regular_files::open(archive, u64::MAX).ok()?.0)));
        let Some((archive, mut file)) = opened else { return self.write(folder) };
        let is_linked = fs::hard_link(archive, &base).is_ok();
        if is_linked && !has_hash(&base, self.hash) {
            // Another program replaced it at this moment.
            return self.write(folder);
        }
        if is_linked && cfg!(unix) {
            syncer.add(&Arc::new(file.try_clone()?));
        }
        syncer.run(move || {
            // Other programs may write into the linked file itself. Disks that can share the bytes of two files do.
            let copied = put(&base, move |to| io::copy(&mut file, to).map(drop));
            let copied = copied.and_then(|()| own_files::sync_folder_of(&base));
            if is_linked { Ok(()) } else { copied }
        });
        self.is_made = true;
        Ok(())
    }

    /// Writes the file from the document.
    pub fn write(&mut self, folder: &WorkFolder) -> io::Result<()> {
        let bytes = base_of(&self.project).map_err(io::Error::other)?;
        self.hash = Archive::open(&bytes).map_err(io::Error::other)?.header().hash;
        put(&folder.base(), |to| to.write_all(&bytes))?;
        self.is_made = true;
        Ok(())
    }
}

/// Writes a base, on the disk. What is read for it is closed before: the base may be a second name of it, and Windows renames over no
/// open file.
fn put(base: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    own_files::replace(base, "new", Access::Private, |file| write(file).and_then(|()| file.sync_all()))
}

fn has_hash(archive: &Path, hash: u64) -> bool {
    header_at(archive).is_ok_and(|header| header.is_some_and(|header| header.hash == hash))
}

/// Reads the archive that steps start from. If a crash came before it was copied, it is one of `archives` or an older version of
/// one, and is copied now.
pub fn read(folder: &WorkFolder, hash: u64, archives: &[PathBuf]) -> io::Result<Vec<u8>> {
    let base = folder.base();
    if has_hash(&base, hash) {
        return own_files::retried(|| regular_files::read(&base, u64::MAX));
    }
    let versions = archives.iter().flat_map(|archive| {
        let older = (1..=GENERATIONS).map(|number| generation(archive, number));
        [archive.clone()].into_iter().chain(older)
    });
    let found = versions.into_iter().find(|file| has_hash(file, hash));
    let found = found.ok_or_else(|| io::Error::other("base.wad is missing, or another program changed it"))?;
    let bytes = regular_files::read(&found, u64::MAX)?;
    put(&base, |to| to.write_all(&bytes))?;
    Ok(bytes)
}
