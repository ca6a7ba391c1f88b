//! Saving, with every call of the system failing once: the old file or the new one stands there, whole.

#![cfg(feature = "app")]

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use keypose::app::save::{Disk, GENERATIONS, RealDisk, SaveError, generation, save_atomically, save_on};

/// How a call goes wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    /// Nothing is done.
    Refused(io::ErrorKind),
    /// A part is written, then nothing.
    Short,
    /// A part is written, and from then on the process is dead.
    Killed,
}

/// The real disk, with one call going wrong.
struct FaultyDisk {
    calls: usize,
    bad_call: usize,
    fault: Fault,
    dead: bool,
}

impl FaultyDisk {
    fn call(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let is_bad = self.calls == self.bad_call;
        self.calls += 1;
        if self.dead {
            return Err(io::Error::other("dead"));
        }
        if !is_bad {
            return Ok(());
        }
        self.dead = self.fault == Fault::Killed;
        match self.fault {
            Fault::Refused(kind) => Err(kind.into()),
            Fault::Short | Fault::Killed => {
                if !bytes.is_empty() {
                    fs::write(path, &bytes[..bytes.len() / 2])?;
                }
                Err(io::ErrorKind::WriteZero.into())
            }
        }
    }
}

impl Disk for FaultyDisk {
    fn write(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.call(path, bytes)?;
        RealDisk.write(path, bytes)
    }
    fn sync(&mut self, path: &Path) -> io::Result<()> {
        self.call(path, &[])?;
        RealDisk.sync(path)
    }
    fn read(&mut self, path: &Path) -> io::Result<Vec<u8>> {
        self.call(path, &[])?;
        RealDisk.read(path)
    }
    fn link(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        self.call(from, &[])?;
        RealDisk.link(from, to)
    }
    fn rename(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        self.call(from, &[])?;
        RealDisk.rename(from, to)
    }
    fn remove(&mut self, path: &Path) -> io::Result<()> {
        self.call(path, &[])?;
        RealDisk.remove(path)
    }
    fn sync_folder(&mut self, path: &Path) -> io::Result<()> {
        self.call(path, &[])?;
        RealDisk.sync_folder(path)
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

#[test]
fn a_fault_at_any_step_leaves_the_old_file_or_the_new_one() {
    let folder = folder("faults");
    let (old, new) = (vec![1; 1000], vec![2; 2000]);
    let kinds = [io::ErrorKind::StorageFull, io::ErrorKind::Other].map(Fault::Refused);
    for fault in kinds.into_iter().chain([Fault::Short, Fault::Killed]) {
        for generations in 0..=4 {
            for bad_call in 0.. {
                let path = folder.join(format!("{generations}-{bad_call}.wad"));
                (0..generations).for_each(|_| save_atomically(&path, &old).unwrap());
                let mut disk = FaultyDisk { calls: 0, bad_call, fault, dead: false };
                let result = save_on(&mut disk, &path, &new);
                let place = format!("{fault:?} at call {bad_call} after {generations} saves: {result:?}");
                let found = fs::read(&path).ok();
                let is_new = found.as_ref() == Some(&new);
                let is_old = found == (generations > 0).then(|| old.clone());
                assert!(is_new || is_old, "{place}");
                assert_eq!(is_new, matches!(result, Ok(()) | Err(SaveError::Folder { .. })), "{place}");
                for number in 1..=GENERATIONS {
                    let kept = fs::read(generation(&path, number)).ok();
                    assert!(kept.is_none_or(|kept| kept == old), "{place}: generation {number}");
                }
                if fault != Fault::Killed || result.is_ok() {
                    save_atomically(&path, &new).expect("after a failure saving works again");
                }
                if result.is_ok() {
                    assert!(bad_call >= 5, "every call was tried");
                    break;
                }
            }
            fs::remove_dir_all(&folder).unwrap();
            fs::create_dir_all(&folder).unwrap();
        }
    }
    fs::remove_dir_all(folder).unwrap();
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
