//! Saving, with every call of the system failing once: the old file or the new one stands there, whole.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use keypose_app::app::save::{Content, Disk, GENERATIONS, RealDisk, SaveError, generation, save_atomically, save_on};

/// How a call goes wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    /// Nothing is done: ENOSPC, EIO and the like.
    Refused(io::ErrorKind),
    /// A part is written, then the disk is full.
    Short,
    /// A part is written, or nothing, and from then on the process is dead.
    Killed,
    /// The call is done, and from then on the process is dead.
    KilledAfter,
    /// All is written, but not what it should be.
    Wrong,
}

/// The real disk, with one call going wrong.
struct FaultyDisk {
    calls: usize,
    bad_call: usize,
    fault: Fault,
    dead: bool,
}

impl FaultyDisk {
    /// One call: what is done where nothing goes wrong, and the file that it writes.
    fn call<T>(&mut self, to: Option<&Path>, work: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        let is_bad = self.calls == self.bad_call;
        self.calls += 1;
        if self.dead {
            return Err(io::Error::other("dead"));
        }
        if !is_bad {
            return work();
        }
        self.dead = matches!(self.fault, Fault::Killed | Fault::KilledAfter);
        let rewrite = |path: &Path, change: &dyn Fn(Vec<u8>) -> Vec<u8>| fs::write(path, change(fs::read(path)?));
        match (self.fault, to) {
            (Fault::Refused(kind), _) => return Err(kind.into()),
            (Fault::KilledAfter, _) => drop(work()?),
            (Fault::Short | Fault::Killed, Some(path)) => {
                drop(work()?);
                rewrite(path, &|bytes| bytes[..bytes.len() / 2].to_vec())?;
            }
            (Fault::Wrong, Some(path)) => {
                let done = work()?;
                rewrite(path, &|bytes| vec![0x55; bytes.len()])?;
                return Ok(done);
            }
            (Fault::Short | Fault::Killed | Fault::Wrong, _) => {}
        }
        Err(io::ErrorKind::StorageFull.into())
    }
}

impl Disk for FaultyDisk {
    fn write(&mut self, path: &Path, content: &mut dyn Content, like: &Path) -> io::Result<File> {
        self.call(Some(path), || RealDisk.write(path, content, like))
    }
    fn sync(&mut self, file: &File) -> io::Result<()> {
        self.call(None, || RealDisk.sync(file))
    }
    fn is_in(&mut self, content: &dyn Content, file: &File) -> io::Result<bool> {
        self.call(None, || RealDisk.is_in(content, file))
    }
    fn are_same(&mut self, a: &Path, b: &Path) -> io::Result<bool> {
        self.call(None, || RealDisk.are_same(a, b))
    }
    fn link(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        // A copy, as on file systems without links: that is what can break off.
        let breaks = Some(to).filter(|_| self.fault != Fault::Wrong);
        self.call(breaks, || fs::copy(from, to).map(drop))
    }
    fn rename(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        self.call(None, || RealDisk.rename(from, to))
    }
    fn remove(&mut self, path: &Path) -> io::Result<()> {
        self.call(None, || RealDisk.remove(path))
    }
    fn sync_folder_of(&mut self, path: &Path) -> io::Result<()> {
        self.call(None, || RealDisk.sync_folder_of(path))
    }
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("save-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn three_generations_are_kept() {
    let folder = folder("generations");
    let path = folder.join("a.wad");
    for version in 0..6_u8 {
        save_atomically(&path, &[version; 100]).unwrap();
    }
    assert_eq!(fs::read(&path).unwrap(), [5; 100]);
    for number in 1..=GENERATIONS {
        assert_eq!(fs::read(generation(&path, number)).unwrap(), [5 - number as u8; 100], "{number}");
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 4, "nothing else is left behind");
    fs::remove_dir_all(folder).unwrap();
}

/// The n-th version of a file.
fn version(number: usize) -> Vec<u8> {
    vec![number as u8; 1000 + 100 * number]
}

/// What stands under a path and its generations, as numbers of versions. A half one has none, and fails.
fn versions(path: &Path, most: usize) -> Vec<usize> {
    let files = [path.to_owned()].into_iter().chain((1..=GENERATIONS).map(|number| generation(path, number)));
    let number = |bytes: Vec<u8>| {
        (0..=most).find(|&number| version(number) == bytes).unwrap_or_else(|| panic!("{}: no version", path.display()))
    };
    files.filter_map(|file| fs::read(file).ok()).map(number).collect()
}

/// What the folder holds beside the file and its generations.
fn leftovers(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.filter(|name| name.starts_with('.')).collect();
    names.sort();
    names
}

/// Saves a file that was saved `before` times, with one call failing. Returns true if no call failed.
fn save_with_fault(fault: Fault, bad_call: usize, saves: usize, folder: &Path) -> bool {
    fs::create_dir_all(folder).unwrap();
    let path = folder.join("a.wad");
    (0..saves).for_each(|number| save_atomically(&path, &version(number)).unwrap());
    let mut disk = FaultyDisk { calls: 0, bad_call, fault, dead: false };
    let result = save_on(&mut disk, &path, &mut version(saves).as_slice(), |_| ());
    let place = format!("{fault:?} at call {bad_call} after {saves} saves: {result:?}");
    let found = versions(&path, saves);
    let is_new = fs::read(&path).is_ok_and(|bytes| bytes == version(saves));
    let is_old = fs::read(&path).ok() == saves.checked_sub(1).map(version);
    assert!(is_new || is_old, "{place}");
    let is_killed = matches!(fault, Fault::Killed | Fault::KilledAfter) && disk.dead;
    let is_done = matches!(result, Ok(()) | Err(SaveError::Folder { .. }));
    assert!(is_new == is_done || is_killed, "{place}");
    // Whatever happened, the version on disk and the two before it are there.
    let wanted = (saves.saturating_sub(3)..saves).rev();
    assert!(wanted.clone().all(|number| found.contains(&number)), "{place}: {found:?}");
    let left = leftovers(folder);
    match &result {
        Err(SaveError::Sync { kept, .. }) => {
            assert!(is_killed || fs::read(kept).unwrap() == version(saves), "{place}");
            assert!(result.as_ref().unwrap_err().to_string().contains(&*kept.to_string_lossy()), "{place}");
            assert!(is_killed || (left.is_empty() && kept.ends_with("a.wad.unsaved")), "{place}: {left:?}");
        }
        _ => assert!(is_killed || left.is_empty(), "{place}: {left:?}"),
    }
    let is_good = disk.calls <= bad_call;
    save_atomically(&path, &version(saves)).expect("after a failure saving works again");
    if let Err(SaveError::Sync { kept, .. }) = &result {
        assert!(is_killed || fs::read(kept).unwrap() == version(saves), "{place}: a later save keeps what was kept");
    }
    let after = versions(&path, saves);
    assert_eq!(after[0], saves, "{place}");
    let wanted = saves.saturating_sub(2)..saves;
    assert!(wanted.rev().all(|number| after.contains(&number)), "{place}: then {after:?}");
    // A process that another test starts has the lock of the temporary file for a moment: between fork and exec.
    let is_swept = (0..1000).any(|_| {
        save_atomically(&path, &version(saves)).unwrap();
        leftovers(folder).is_empty()
    });
    assert!(is_swept, "{place}: then {:?}", leftovers(folder));
    fs::remove_dir_all(folder).unwrap();
    is_good
}

#[test]
fn a_fault_at_any_step_leaves_the_old_file_or_the_new_one_and_the_generations() {
    let folder = folder("faults");
    let kinds = [io::ErrorKind::StorageFull, io::ErrorKind::Other, io::ErrorKind::PermissionDenied];
    let faults = kinds.map(Fault::Refused).into_iter();
    for fault in faults.chain([Fault::Short, Fault::Killed, Fault::KilledAfter, Fault::Wrong]) {
        for saves in 0..=5 {
            let calls = (0..).take_while(|&call| !save_with_fault(fault, call, saves, &folder)).count();
            assert!(calls >= 5 + saves.min(3), "{fault:?} after {saves} saves: only {calls} calls were tried");
        }
    }
}

#[test]
fn a_read_only_file_is_not_replaced() {
    let folder = folder("read-only");
    let path = folder.join("a.wad");
    fs::write(&path, b"old").unwrap();
    let mut permissions = fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).unwrap();
    let error = save_atomically(&path, b"new").unwrap_err();
    assert!(matches!(error, SaveError::ReadOnly { .. }));
    assert_eq!(fs::read(&path).unwrap(), b"old");
    let _ = fs::remove_dir_all(folder);
}

#[test]
fn a_folder_that_is_not_there_is_named() {
    let path = folder("missing").join("gone").join("a.wad");
    let error = save_atomically(&path, b"new").unwrap_err().to_string();
    assert!(error.contains("gone") && error.contains("writing failed"), "{error}");
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link() {
    let folder = folder("link");
    let (file, link) = (folder.join("a.wad"), folder.join("b.wad"));
    save_atomically(&file, b"old").unwrap();
    std::os::unix::fs::symlink(&file, &link).unwrap();
    save_atomically(&link, b"new").unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read(&file).unwrap(), b"new");
    let _ = fs::remove_dir_all(folder);
}
