//! The files that Keypose keeps for itself: unsaved work, locks, temporary files. They are created exclusively and never opened through
//! a link. Knows nothing of their content.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use crate::app::files::folder_names::names_in;
use crate::app::files::windows_names;
#[cfg(windows)]
use crate::app::win32;

/// The permissions of a new file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Access {
    /// The permissions of another file; the user's default if there is none, or a link.
    Of(PathBuf),
    /// Only the user's.
    Private,
}

/// The length of a name, in bytes, above which those of temporary files have a part of it: systems allow 255.
const LONG_NAME: usize = 200;

/// How often an operation is tried that may fail once.
const ATTEMPTS: usize = 3;

/// Creates a file to read and write. An existing one, or a link, is an error.
pub fn create(path: &Path, access: Access) -> io::Result<File> {
    let like = match &access {
        Access::Of(other) => fs::symlink_metadata(other).ok().filter(fs::Metadata::is_file),
        Access::Private => None,
    };
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    if access == Access::Private || like.is_some() {
        make_private(&mut options);
    }
    let file = options.open(path)?;
    if let Some(like) = like {
        // A file system without permissions has nothing to keep.
        let _ = file.set_permissions(permissions_like(&like, &file));
    }
    Ok(file)
}

/// Gives a file the owner and group of another one, and returns its permissions. If the group can't be given, because the user is
/// not in it, the file's own group gets the permissions of all others.
#[cfg(unix)]
fn permissions_like(like: &fs::Metadata, file: &File) -> fs::Permissions {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    let mode = like.permissions().mode() & 0o7777;
    let Ok(made) = file.metadata() else { return like.permissions() };
    if made.uid() != like.uid() {
        // Only the administrator can.
        let _ = fchown(file, Some(like.uid()), None);
    }
    let has_group = made.gid() == like.gid() || fchown(file, None, Some(like.gid())).is_ok();
    let of_others = (mode & !0o070) | ((mode & 0o007) << 3 & mode);
    fs::Permissions::from_mode(if has_group { mode } else { of_others })
}

#[cfg(not(unix))]
fn permissions_like(like: &fs::Metadata, _file: &File) -> fs::Permissions {
    like.permissions()
}

/// Whether a file may not be written, be it by its owner or by this user. A file in a folder that can be written could be replaced all the same.
pub fn is_read_only(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|about| about.permissions().readonly()) || is_denied(path)
}

#[cfg(unix)]
fn is_denied(path: &Path) -> bool {
    rustix::fs::access(path, rustix::fs::Access::WRITE_OK) == Err(rustix::io::Errno::ACCESS)
}

/// Other systems say so by the attributes of a file.
#[cfg(not(unix))]
fn is_denied(_path: &Path) -> bool {
    false
}

/// Creates a temporary file. While it is open, it is locked, so that no other process sweeps it away. Some file systems have no
/// locks.
pub fn create_temporary(path: &Path, access: Access) -> io::Result<File> {
    let file = create(path, access)?;
    let _ = file.try_lock();
    Ok(file)
}

#[cfg(unix)]
fn make_private(options: &mut OpenOptions) {
    use std::os::unix::fs::OpenOptionsExt;
    options.mode(0o600);
}

#[cfg(not(unix))]
fn make_private(_options: &mut OpenOptions) {}

/// Opens an existing file to read and append. Only a regular file is opened; a link is not followed.
pub fn open(path: &Path) -> io::Result<File> {
    open_with(OpenOptions::new().read(true).append(true), path)
}

/// Like [`open`], to read alone.
pub fn open_to_read(path: &Path) -> io::Result<File> {
    open_with(OpenOptions::new().read(true), path)
}

fn open_with(options: &OpenOptions, path: &Path) -> io::Result<File> {
    retried(|| open_once(options, path))
}

fn open_once(options: &OpenOptions, path: &Path) -> io::Result<File> {
    refuse_foreign(&fs::symlink_metadata(path)?)?;
    let file = options.open(path)?;
    if is_at(&file, path)? {
        return Ok(file);
    }
    Err(io::Error::other("it was replaced while it was opened"))
}

/// Opens a file, or creates it.
pub fn open_or_create(path: &Path, access: Access) -> io::Result<File> {
    match open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => match create(path, access) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => open(path),
            created => created,
        },
        opened => opened,
    }
}

/// Reads a file that [`open`] may open; `None` if there is none, or can't be one, because its name is too long or its folder is a file.
/// An error is final: the file was tried several times.
pub fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    use io::ErrorKind::{InvalidFilename, NotADirectory, NotFound};
    match retried(|| read_once(path)) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if matches!(error.kind(), NotFound | InvalidFilename | NotADirectory) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Does something again after an error of the disk, up to three times: one may pass. Another answer is final, such as that
/// there is no such file.
pub fn retried<R>(mut attempt: impl FnMut() -> io::Result<R>) -> io::Result<R> {
    let is_final = |error: &io::Error| {
        matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::InvalidInput | io::ErrorKind::AlreadyExists)
    };
    for _ in 1..ATTEMPTS {
        match attempt() {
            Err(error) if !is_final(&error) => {}
            done => return done,
        }
    }
    attempt()
}

fn read_once(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = open_to_read(path)?;
    let mut bytes = Vec::new();
    bytes.try_reserve(usize::try_from(file.metadata()?.len()).unwrap_or(usize::MAX))?;
    file.read_to_end(&mut bytes).map(|_| bytes)
}

/// Writes a temporary file with `word` in its name, and renames it, so that a file is there as a whole or not at all. A link of that
/// name is replaced, not followed.
pub fn replace(
    path: &Path,
    word: &str,
    access: Access,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    windows_names::check(path)?;
    let temporary = temporary(path, word);
    let file = create_temporary(&temporary, access);
    let done = file.and_then(|mut file| write(&mut file)).and_then(|()| rename(&temporary, path));
    done.inspect_err(|_| drop(fs::remove_file(&temporary)))
}

/// Renames a file, which replaces an existing one. On Windows it may have to wait for a program that looks at new files, and has
/// one open for a moment.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    const ACCESS_DENIED: i32 = 5;
    const SHARING_VIOLATION: i32 = 32;
    let is_busy =
        |error: &io::Error| cfg!(windows) && matches!(error.raw_os_error(), Some(ACCESS_DENIED | SHARING_VIOLATION));
    for millis in [10, 20, 40, 80, 160, 320, 640, 1280] {
        match fs::rename(from, to) {
            Err(error) if is_busy(&error) => std::thread::sleep(Duration::from_millis(millis)),
            done => return done,
        }
    }
    fs::rename(from, to)
}

/// Whether anything has that name, be it a link that leads nowhere.
pub fn is_taken(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

fn refuse_foreign(about: &fs::Metadata) -> io::Result<()> {
    if about.is_file() {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a link or no regular file, so it is not used"))
}

/// Whether the open file still has that path.
#[cfg(unix)]
pub fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    match fs::symlink_metadata(path) {
        Ok(named) => Ok(number_of(&file.metadata()?) == number_of(&named)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Windows, too, renames and deletes files that are open.
#[cfg(windows)]
pub fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    match File::open(path) {
        Ok(named) => {
            let (own, named) = (win32::file_number(file)?, win32::file_number(&named)?);
            // Wine doesn't know the volume of a file that was renamed while it was open.
            Ok(own.1 == named.1 && (own.0 == named.0 || own.0 == 0))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(not(any(unix, windows)))]
pub fn is_at(_file: &File, _path: &Path) -> io::Result<bool> {
    Ok(true)
}

/// The number of a file, which it keeps when it is renamed on the same disk: that of the disk, then its own. A copy has another one.
#[cfg(unix)]
fn number_of(about: &fs::Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    (about.dev(), about.ino())
}

/// As [`is_at`]; false if that can't be determined.
pub fn is_still_at(file: &File, path: &Path) -> bool {
    retried(|| is_at(file, path)).unwrap_or(false)
}

/// The canonical path of a file, also of one that doesn't exist yet in a folder that does.
pub fn canonical(path: &Path) -> PathBuf {
    let in_folder = || {
        let folder = fs::canonicalize(folder_of(path)).ok()?;
        Some(folder.join(path.file_name()?))
    };
    let found = retried(|| fs::canonicalize(path)).ok().or_else(in_folder).unwrap_or_else(|| path.to_owned());
    windows_names::short_form(found)
}

/// The folder that a path names.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Waits until the names in a file's folder are on the disk. Windows can't do that: there the journal of the file system keeps a
/// rename whole.
pub fn sync_folder_of(path: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder_of(path))?.sync_all() } else { Ok(()) }
}

/// A new name for a temporary file of this process: `.NAME.WORD-12-1`.
pub fn temporary(path: &Path, word: &str) -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    beside(&shortened(path), ".", &format!(".{word}-{}-{number}", std::process::id()))
}

/// The path with a name that something can be added to: the first part of a long one, and a digest.
fn shortened(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default();
    if name.len() <= LONG_NAME {
        return path.to_owned();
    }
    let digest = xxhash_rust::xxh3::xxh3_64(name.as_encoded_bytes());
    let first: String = name.to_string_lossy().chars().take(LONG_NAME / 8).collect();
    path.with_file_name(format!("{first}~{digest:016x}"))
}

/// Returns the part before the number of the process and the count in the name of a temporary file; `None` for other names.
fn before_process(name: &[u8]) -> Option<&[u8]> {
    let mut parts = name.rsplitn(3, |byte| *byte == b'-');
    let is_number = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    let numbers = [parts.next()?, parts.next()?];
    numbers.into_iter().all(is_number).then(|| parts.next()).flatten()
}

/// Deletes temporary files of a path whose processes ended while they wrote them. Those that are written are locked.
pub fn sweep(path: &Path, word: &str) {
    let first = beside(&shortened(path), ".", &format!(".{word}"));
    let Some(first) = first.file_name() else { return };
    sweep_those(folder_of(path), |name| before_process(name) == Some(first.as_encoded_bytes()));
}

/// As [`sweep`], those of all paths in a folder.
pub fn sweep_folder(folder: &Path, word: &str) {
    let word = format!(".{word}").into_bytes();
    sweep_those(folder, |name| {
        before_process(name).is_some_and(|first| first.starts_with(b".") && first.ends_with(&word))
    });
}

/// A name that nothing has yet: the path with an ending, and a number from the second one on.
pub fn free_name(path: &Path, ending: &str) -> io::Result<PathBuf> {
    let free = names(path, ending).find(|name| !is_taken(name));
    free.ok_or_else(|| io::Error::new(io::ErrorKind::AlreadyExists, format!("too many files end with {ending}")))
}

/// The names of a path with an ending: `.unsaved`, `.unsaved2`, …
fn names(path: &Path, ending: &str) -> impl Iterator<Item = PathBuf> {
    (1..1000).map(move |number| match number {
        1 => with_ending(path, ending),
        number => with_ending(path, &format!("{ending}{number}")),
    })
}

fn sweep_those(folder: &Path, is_old: impl Fn(&[u8]) -> bool) {
    let Ok(names) = names_in(folder) else { return };
    for name in names.map_while(Result::ok).filter(|name| is_old(name.as_encoded_bytes())) {
        let path = folder.join(name);
        if open(&path).is_ok_and(|file| file.try_lock().is_ok()) {
            let _ = fs::remove_file(path);
        }
    }
}

/// A path in the same folder: the name with something before and after it.
pub fn beside(path: &Path, before: &str, after: &str) -> PathBuf {
    let mut name = OsString::from(before);
    name.push(path.file_name().unwrap_or_default());
    name.push(after);
    path.with_file_name(name)
}

/// The path with something after its name.
pub fn with_ending(path: &Path, ending: &str) -> PathBuf {
    beside(path, "", ending)
}
