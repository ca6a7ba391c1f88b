//! All the places in which work on an archive may be kept, and whether any waits there to be recovered. All that replace or rename
//! an archive ask here first.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::app::folder_names::names_in;
use crate::app::folders;
use crate::app::journal::archive_note::is_of_another;
use crate::app::journal::moved::all_moved_here;
use crate::app::journal::opening::header_hash_in;
use crate::app::journal::{NEXT, REWRITTEN, UNREAD, beside, in_state_folder, lock};
use crate::app::own_files::{self, canonical, names, with_ending};
use crate::app::regular_files::read_archive;
use crate::wad::equality::is_same_content;
use crate::wad::journal::{Read, is_torn_head, read, replay};

/// How many journals that could not be read are tried again.
const MAX_UNREAD: usize = 99;

/// Maximum count of spare journals of a document.
const MAX_EDITORS: u32 = 16;

/// The path of an archive's journal while it can't be beside it: in the folder for application state.
pub fn elsewhere(archive: &Path) -> Option<PathBuf> {
    Some(in_state_folder(&folders::state()?, document_of(&[archive])))
}

/// The name of a document of these files. Line breaks separate files, and numbers of spare journals; paths that have some themselves
/// are separated by what no path has.
pub fn document_of(files: &[&Path]) -> Vec<u8> {
    let paths: Vec<Vec<u8>> = files.iter().map(|path| canonical(path).into_os_string().into_encoded_bytes()).collect();
    match paths.iter().any(|path| path.contains(&b'\n')) {
        true => [b"paths".to_vec()].into_iter().chain(paths).collect::<Vec<_>>().join(&b'\0'),
        false => paths.join(&b'\n'),
    }
}

/// The path of a patch's journal, over the archives below: first the digest of the patch, so that it is found without them.
pub fn of_patch(below: &[PathBuf], patch: &Path) -> Option<PathBuf> {
    let files = below.iter().map(PathBuf::as_path).chain([patch]).collect::<Vec<_>>();
    let name = in_state_folder(&folders::state()?, document_of(&files));
    Some(own_files::beside(&name, &first_of(patch), ""))
}

/// What the names of a patch's journals begin with, whatever is below it.
fn first_of(patch: &Path) -> String {
    format!("{:016x}-", xxhash_rust::xxh3::xxh3_64(&document_of(&[patch])))
}

/// The journals of a file as a patch.
fn of_layers(patch: &Path) -> Vec<PathBuf> {
    let (Some(folder), first) = (folders::state(), first_of(patch)) else { return Vec::new() };
    let names = names_in(&folder).into_iter().flatten().map_while(Result::ok);
    let is_one = |name: &OsString| {
        let name = name.as_encoded_bytes();
        name.starts_with(first.as_bytes()) && name.ends_with(b".journal")
    };
    names.filter(is_one).map(|name| folder.join(name)).collect()
}

/// The paths of the spare journals of a document: each editor that doesn't hold it has one.
pub fn spares(path: &Path) -> impl Iterator<Item = PathBuf> {
    let folder = folders::state();
    let path = path.as_os_str().as_encoded_bytes().to_vec();
    let numbered = move |number: u32| [&path[..], format!("\n{number}").as_bytes()].concat();
    (2..=MAX_EDITORS).filter_map(move |number| Some(in_state_folder(folder.as_deref()?, numbered(number))))
}

/// The journals of that path that could not be read; they are tried again at the next start.
pub fn unread(path: &Path) -> Vec<PathBuf> {
    let is_one = |name: &[u8]| name.windows(UNREAD.len()).any(|part| part == UNREAD.as_bytes());
    match path.parent().is_none_or(|folder| may_have(folder, is_one)) {
        true => names(path, UNREAD).take(MAX_UNREAD).filter(|path| own_files::is_taken(path)).collect(),
        false => Vec::new(),
    }
}

/// Whether a folder has such a name. In doubt, it may. Where it has none, single names need not be looked up.
fn may_have(folder: &Path, is_one: impl Fn(&[u8]) -> bool) -> bool {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    match names_in(folder) {
        Ok(mut names) => names.any(|name| name.map_or(true, |name| is_one(name.as_encoded_bytes()))),
        Err(error) => error.kind() != io::ErrorKind::NotFound,
    }
}

/// A journal, and those that could not be read.
pub fn with_unread(path: &Path) -> Vec<PathBuf> {
    [path.to_owned()].into_iter().chain(unread(path)).collect()
}

/// Whether anything of a journal is there that an earlier session left.
pub fn is_left(path: &Path) -> bool {
    let others = [NEXT, REWRITTEN].map(|ending| with_ending(path, ending));
    [path.to_owned()].into_iter().chain(others).chain(unread(path)).any(|path| own_files::is_taken(&path))
}

/// Whether an editor has an archive open, or a crash left unsaved changes of it anywhere: both need it under its name.
pub fn is_in_use(archive: &Path) -> bool {
    let is_file = fs::symlink_metadata(archive).is_ok_and(|about| about.is_file());
    let is_journal = |name: &[u8]| name.ends_with(b".journal");
    let has_spares = is_file && folders::state().is_some_and(|folder| may_have(&folder, is_journal));
    let own = elsewhere(archive).filter(|journal| !is_of_another(journal, archive));
    let elsewhere = own.into_iter().chain(of_layers(archive)).filter(|_| is_file);
    let is_moved = is_file && !all_moved_here(archive).is_empty();
    is_moved
        || [beside(archive)].into_iter().chain(elsewhere).any(|journal| {
            let is_spare_left = has_spares && spares(&journal).any(|spare| own_files::is_taken(&spare));
            is_left(&journal) || is_spare_left || lock::is_used(&journal)
        })
}

/// An error, a sentence, if an editor ended without saving an archive, and its changes, which wait to be recovered, would be lost or
/// come back over another version if the archive was replaced. Spare journals don't wait for it: they hold a document of their
/// own, which is saved as another file. In doubt, such as if a journal can't be read, the changes wait. Those of the editor that asks
/// don't, which are in the journal `own`.
pub fn require_none_waiting(archive: &Path, own: Option<&Path>) -> Result<(), String> {
    let moved = all_moved_here(archive);
    let archive = canonical(archive);
    let found = Archive::at(&archive);
    let is_awaited = |journal: &PathBuf| found.is_awaited_by(journal) && !has_work_of(&archive, journal);
    let waits = |journal: &PathBuf| Some(journal.as_path()) != own && is_awaited(journal);
    let path = beside(&archive);
    let being_written = [REWRITTEN, NEXT].map(|ending| with_ending(&path, ending));
    let being_written = being_written.into_iter().filter(|_| !found.is_of_whole(&path));
    let own_elsewhere = elsewhere(&archive).filter(|journal| !is_of_another(journal, &archive));
    let of_elsewhere =
        own_elsewhere.into_iter().chain(of_layers(&archive)).chain(moved.iter().map(|moved| moved.journal.clone()));
    let of_elsewhere = of_elsewhere.flat_map(|path| with_unread(&path));
    let all = with_unread(&path).into_iter().chain(being_written).chain(of_elsewhere);
    let Some(journal) = all.into_iter().find(waits) else { return Ok(()) };
    let moved = moved.iter().find(|moved| moved.journal == journal);
    let (is_open, unread) = (moved.is_some() && lock::is_used(&journal), own_files::read(&journal).err());
    let (archive, journal) = (archive.display(), journal.display());
    Err(match (found, moved, unread) {
        (_, _, Some(error)) => {
            format!("{archive}: {journal} may have unsaved changes of it, and can't be read: {error}")
        }
        _ if is_open => format!("{archive}: an editor that opened it under another name has unsaved changes of it"),
        (_, Some(moved), _) if !moved.is_sure() => format!(
            "{archive}: it has the content of {}, which is no longer there; an editor ended without saving it. Open {archive} in \
             Keypose once, which shows the changes in {journal} and keeps them",
            moved.from.display()
        ),
        (Archive::None, ..) => format!(
            "{archive}: an editor ended without saving it, and the file is gone; write to another file, or delete {journal} to discard \
             the changes"
        ),
        (Archive::Hash(_), ..) => format!(
            "{archive}: an editor ended without saving it; open it in Keypose to save or discard the changes in {journal}"
        ),
    })
}

/// Whether an archive has all work of a journal that holds the document itself, which notes no saves.
fn has_work_of(archive: &Path, journal: &Path) -> bool {
    let recorded = own_files::read(journal).ok().flatten().and_then(|bytes| read(&bytes).ok());
    let whole = recorded.filter(|read| read.base == 0 && !read.is_damaged());
    let replayed = whole.and_then(|read| replay(&[], read).ok());
    let saved = || crate::wad::decode(&read_archive(archive).ok()?).ok();
    replayed.is_some_and(|work| saved().is_some_and(|saved| is_same_content(work.project(), &saved.project)))
}

/// What is known of an archive without reading it whole.
enum Archive {
    /// There is none.
    None,
    /// The hash of its header; `None` if that can't be read.
    Hash(Option<u64>),
}

impl Archive {
    fn at(path: &Path) -> Archive {
        match fs::metadata(path) {
            Ok(about) if about.len() == 0 => Archive::None,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Archive::None,
            Ok(_) | Err(_) => Archive::Hash(own_files::retried(|| header_hash_in(path)).ok().flatten()),
        }
    }

    fn hash(&self) -> Option<u64> {
        match self {
            Archive::None => None,
            Archive::Hash(hash) => *hash,
        }
    }

    /// Whether a journal's changes can be recovered over it. A journal of no archive holds the document itself.
    fn fits(&self, read: &Read) -> bool {
        match self {
            _ if read.base == 0 => true,
            Archive::None => false,
            Archive::Hash(hash) => hash.is_none_or(|hash| read.is_of(hash)),
        }
    }

    /// Whether this journal fits it, and nothing in it is damaged.
    fn is_of_whole(&self, journal: &Path) -> bool {
        let bytes = own_files::read(journal).ok().flatten();
        let read = bytes.and_then(|bytes| read(&bytes).ok());
        read.is_some_and(|read| !read.events.is_empty() && self.fits(&read) && !read.is_damaged())
    }

    fn is_awaited_by(&self, journal: &Path) -> bool {
        match own_files::read(journal) {
            Ok(None) => false,
            // A link or a folder is not ours.
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => false,
            Err(_) => true,
            Ok(Some(bytes)) => match read(&bytes) {
                Ok(read) if read.events.is_empty() => read.is_damaged(),
                Ok(read) => self.fits(&read) && (read.is_damaged() || !read.is_saved_as(self.hash())),
                Err(_) => !is_torn_head(&bytes),
            },
        }
    }
}
