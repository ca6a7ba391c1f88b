//! The unsaved work on documents, one folder for each in the user's folder for application state. Its name is the document's id.
//! docs/data-safety.md says what that promises.
//!
//! ```text
//! work/ID/base.wad   the document as it was opened
//!         steps      what was done since (see keypose::wad::journal)
//!         lock       locked while an editor has the document
//!         about      its title and path
//! ```

use std::ffi::OsString;
use std::fs;
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use keypose::wad::archive::header_of;
use keypose::wad::directory::{HEADER_BYTES, Header};

use crate::app::files::folder_names::names_in;
use crate::app::files::own_files::{self, Access, canonical};
use crate::app::files::{folders, regular_files};

mod base;
mod compact;
mod content;
mod document;

pub mod list;
mod lock;
mod open;
mod place;
pub mod recorder;
mod records;
pub mod save;
mod steps;
mod sync;

pub use content::ArchiveContent;
pub use document::Work;
pub use lock::{Held, Refusal, hold};

/// The folder with the unsaved work on all documents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Store(PathBuf);

impl Store {
    /// The user's; `None` if the system has no home folder.
    pub fn of_user() -> Option<Store> {
        folders::state().map(|state| Store::at(&state))
    }

    /// The one in a folder for application state.
    pub fn at(state: &Path) -> Store {
        Store(state.join("work"))
    }

    /// The folder of a document, which may not exist.
    fn folder(&self, id: u64) -> WorkFolder {
        WorkFolder { path: self.0.join(format!("{id:016x}")), id }
    }

    /// The folder of a document whose work is opened as a file: its `steps`.
    pub fn folder_of(&self, steps: &Path) -> Option<WorkFolder> {
        let id = u64::from_str_radix(steps.parent()?.file_name()?.to_str()?, 16).ok()?;
        let folder = self.folder(id);
        (canonical(steps) == canonical(&folder.steps())).then_some(folder)
    }

    /// All folders, in any order.
    fn all(&self) -> io::Result<Vec<WorkFolder>> {
        let names = match names_in(&self.0) {
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                return Ok(Vec::new());
            }
            names => names?,
        };
        let id = |name: OsString| u64::from_str_radix(name.to_str()?, 16).ok();
        names.filter_map(|name| name.map(id).transpose()).map(|id| id.map(|id| self.folder(id))).collect()
    }
}

/// Whether a file has the steps of the user's unsaved work.
pub fn is_steps(path: &Path) -> bool {
    Store::of_user().is_some_and(|store| store.folder_of(path).is_some())
}

/// The folder of one document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkFolder {
    path: PathBuf,
    id: u64,
}

impl WorkFolder {
    fn base(&self) -> PathBuf {
        self.path.join("base.wad")
    }

    /// The file that is opened to recover the work as a new document.
    pub fn steps(&self) -> PathBuf {
        self.path.join("steps")
    }

    /// The folder of another document in the same store.
    fn with_id(&self, id: u64) -> WorkFolder {
        WorkFolder { path: self.path.with_file_name(format!("{id:016x}")), id }
    }

    fn lock(&self) -> PathBuf {
        self.path.join("lock")
    }

    /// Reads title and path of the document; `None` if they can't be read.
    pub fn about(&self) -> Option<About> {
        About::parse(&own_files::read(&self.path.join("about")).ok()??)
    }

    fn write_about(&self, about: &About) -> io::Result<()> {
        own_files::replace(&self.path.join("about"), "new", Access::Private, |file| {
            file.write_all(&about.to_bytes()).and_then(|()| file.sync_all())
        })
    }

    /// The file that is about to replace the steps.
    fn new_steps(&self) -> PathBuf {
        self.path.join("steps.new")
    }

    /// Deletes the folder, of which the caller has the lock. What can't be deleted is deleted by the next list.
    fn remove(&self) {
        // Without steps, the folder holds no work.
        let _ = fs::remove_file(self.steps());
        for name in names_in(&self.path).into_iter().flatten().map_while(Result::ok) {
            let _ = fs::remove_file(self.path.join(name));
        }
        let _ = fs::remove_dir(&self.path);
    }
}

/// The description of unsaved work for people.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// The document's title.
    pub title: String,
    /// The document's file, or that of the model that it was imported from.
    pub path: Option<PathBuf>,
}

impl About {
    fn to_bytes(&self) -> Vec<u8> {
        let path = self.path.as_ref().map_or(&[][..], |path| path.as_os_str().as_encoded_bytes());
        [self.title.replace('\n', " ").as_bytes(), b"\n", path].concat()
    }

    fn parse(bytes: &[u8]) -> Option<About> {
        let end = bytes.iter().position(|byte| *byte == b'\n')?;
        let path = Some(&bytes[end + 1..]).filter(|path| !path.is_empty());
        let title = String::from_utf8_lossy(&bytes[..end]).into_owned();
        Some(About { title, path: path.and_then(path_of) })
    }
}

#[cfg(unix)]
fn path_of(bytes: &[u8]) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt;
    Some(OsString::from_vec(bytes.to_vec()).into())
}

#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> Option<PathBuf> {
    Some(String::from_utf8(bytes.to_vec()).ok()?.into())
}

/// The header of an archive; `None` if the file is none, or is cut off.
///
/// # Errors
/// If the file can't be read.
pub(crate) fn header_at(archive: &Path) -> io::Result<Option<Header>> {
    own_files::retried(|| {
        let (mut file, bytes) = regular_files::open(archive, u64::MAX)?;
        let mut head = [0; HEADER_BYTES];
        match file.read_exact(&mut head) {
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(None),
            read => read.map(|()| header_of(&head, bytes)),
        }
    })
}

/// The id of an archive's document. A copy, whose original is where its work was noted, has one of its own until it is saved.
///
/// # Errors
/// If the file can't be read.
fn id_of(store: &Store, archive: &Path) -> io::Result<u64> {
    let path = canonical(archive);
    let id = match header_at(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        header => header?.map(|header| header.document()),
    };
    let Some(id) = id else { return Ok(derived_id(0, &path)) };
    Ok(if is_copy(store, id, &path) { derived_id(id, &path) } else { id })
}

fn is_copy(store: &Store, id: u64, path: &Path) -> bool {
    let noted = store.folder(id).about().and_then(|about| about.path).filter(|noted| noted != path);
    noted.is_some_and(|noted| {
        let has_id = header_at(&noted).ok().flatten().is_some_and(|header| header.document() == id);
        let is_link = || fs::File::open(&noted).is_ok_and(|file| own_files::is_still_at(&file, path));
        has_id && !is_link()
    })
}

/// The id of a document that has none in its file: the same each time the file is opened.
fn derived_id(original: u64, path: &Path) -> u64 {
    xxh3_64(&[&original.to_le_bytes(), path.as_os_str().as_encoded_bytes()].concat()).max(1)
}

/// An id that no other document has.
fn new_id() -> u64 {
    use std::hash::{BuildHasher, Hasher, RandomState};
    // Two random keys of the system, and a count: enough to never meet.
    RandomState::new().build_hasher().finish().max(1)
}
