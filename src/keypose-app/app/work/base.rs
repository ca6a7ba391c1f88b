//! `base.wad`: the document as it was opened. Making it takes no time if the document has a file: that gets a second name, or is
//! copied by a thread. Until that is done, the file itself serves.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;

use keypose::assets::project::Project;
use keypose::wad::archive::Archive;
use keypose::wad::journal::base_of;

use crate::app::files::own_files::{self, Access};
use crate::app::files::regular_files;
use crate::app::files::save::{GENERATIONS, generation};
use crate::app::work::{WorkFolder, header_at};

/// Maximum size of an archive that is copied although a second name serves as well: other programs may write into the file itself.
const MAX_COPIED: u64 = 64 << 20;

/// What steps start from.
#[derive(Debug)]
pub struct Base {
    /// The header hash of the archive.
    pub hash: u64,
    /// The archive's content.
    pub project: Arc<Project>,
    /// The archive that the document was opened from; `None` if no single file has it.
    pub file: Option<PathBuf>,
    is_made: bool,
    copying: Option<JoinHandle<io::Result<()>>>,
}

impl Base {
    /// A document that was opened or saved.
    pub fn new(hash: u64, project: &Arc<Project>, file: Option<PathBuf>) -> Base {
        Base { hash, project: project.clone(), file, is_made: false, copying: None }
    }

    /// The base of recovered work, which has its file.
    pub fn made(hash: u64, project: Project) -> Base {
        Base { hash, project: Arc::new(project), file: None, is_made: true, copying: None }
    }

    /// Makes the file, or has a thread make it. Returns what must be synced with the steps.
    pub fn make(&mut self, folder: &WorkFolder) -> io::Result<Option<File>> {
        if self.is_made {
            return Ok(None);
        }
        let archive = self.file.as_deref().filter(|file| has_hash(file, self.hash));
        let opened = archive.and_then(|archive| Some((archive, regular_files::open(archive, u64::MAX).ok()?)));
        let Some((archive, (file, bytes))) = opened else { return self.write(folder).map(|()| None) };
        let to = folder.base();
        let _ = fs::remove_file(&to);
        let is_linked = fs::hard_link(archive, &to).is_ok();
        if is_linked && !has_hash(&to, self.hash) {
            // It was replaced at this moment.
            return self.write(folder).map(|()| None);
        }
        let linked = if is_linked && cfg!(unix) { file.try_clone().ok() } else { None };
        if !is_linked || bytes <= MAX_COPIED {
            let folder = folder.clone();
            self.copying = Some(std::thread::spawn(move || match copy(file, &folder) {
                Err(_) if is_linked => Ok(()),
                copied => copied,
            }));
        }
        self.is_made = true;
        Ok(linked)
    }

    /// Writes the file from the document.
    fn write(&mut self, folder: &WorkFolder) -> io::Result<()> {
        let bytes = base_of(&self.project).map_err(io::Error::other)?;
        self.hash = Archive::open(&bytes).map_err(io::Error::other)?.header().hash;
        put(folder, &bytes)?;
        self.is_made = true;
        Ok(())
    }

    /// Waits until a thread has copied the archive, which is about to be replaced. After an error, the steps need another base.
    pub fn finish(&mut self) -> io::Result<()> {
        match self.copying.take().map(JoinHandle::join) {
            Some(Ok(Err(error))) => {
                self.is_made = false;
                Err(error)
            }
            Some(Err(_)) | Some(Ok(Ok(()))) | None => Ok(()),
        }
    }

    /// Whether the thread that copied the archive failed: the steps must start from another base.
    pub fn has_failed(&mut self) -> bool {
        self.copying.as_ref().is_some_and(JoinHandle::is_finished) && self.finish().is_err()
    }

    /// Makes the file again with the next steps, because another program deleted it.
    pub fn forget(&mut self) {
        self.is_made = false;
    }
}

/// Writes the file, on the disk.
fn put(folder: &WorkFolder, bytes: &[u8]) -> io::Result<()> {
    let new = folder.path.join("base.new");
    let _ = fs::remove_file(&new);
    drop(own_files::write_new(&new, bytes, Access::Private)?);
    fs::rename(&new, folder.base())
}

/// Copies an archive. Disks that can share the bytes of two files do.
fn copy(mut from: File, folder: &WorkFolder) -> io::Result<()> {
    let new = folder.path.join("base.new");
    let mut to = own_files::create(&new, Access::Private)?;
    let copied = io::copy(&mut from, &mut to).and_then(|_| to.sync_all());
    let copied = copied.and_then(|()| fs::rename(&new, folder.base())).and_then(|()| own_files::sync_folder_of(&new));
    copied.inspect_err(|_| drop(fs::remove_file(&new)))
}

fn has_hash(archive: &Path, hash: u64) -> bool {
    header_at(archive).is_ok_and(|header| header.is_some_and(|header| header.hash == hash))
}

/// Reads the archive that steps start from. If a crash came before it was copied, it is one of `archives` or an older version of
/// one, and is copied now.
pub fn read(folder: &WorkFolder, hash: u64, archives: &[PathBuf]) -> io::Result<Vec<u8>> {
    let base = folder.base();
    if has_hash(&base, hash) {
        return own_files::retried(|| regular_files::read_archive(&base));
    }
    let versions = archives.iter().flat_map(|archive| {
        let older = (1..=GENERATIONS).map(|number| generation(archive, number));
        [archive.clone()].into_iter().chain(older)
    });
    let found = versions.into_iter().find(|file| has_hash(file, hash));
    let found = found.ok_or_else(|| io::Error::other("base.wad is missing, or another program changed it"))?;
    let bytes = regular_files::read_archive(&found)?;
    put(folder, &bytes)?;
    Ok(bytes)
}
