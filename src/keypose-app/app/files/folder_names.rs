//! The names in a folder. Unlike `std::fs::read_dir`, nothing panics if the system fails to close the folder.

use std::ffi::OsString;
use std::io;
use std::path::Path;

/// The names in a folder, in any order, without `.` and `..`. An error ends them.
///
/// # Errors
/// If the folder can't be opened.
#[cfg(unix)]
pub fn names_in(folder: &Path) -> io::Result<impl Iterator<Item = io::Result<OsString>>> {
    use rustix::fs::{Dir, DirEntry, Mode, OFlags, open};
    use std::os::unix::ffi::OsStringExt;
    // Another kind of file, such as a pipe, is an error at once.
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let entries = Dir::new(open(folder, flags, Mode::empty())?)?;
    let name = |entry: DirEntry| OsString::from_vec(entry.file_name().to_bytes().to_vec());
    let names = entries.map(move |entry| entry.map(name).map_err(io::Error::from));
    Ok(names.filter(|name| !name.as_ref().is_ok_and(|name| name == "." || name == "..")))
}

/// The names in a folder, in any order. An error ends them.
///
/// # Errors
/// If the folder can't be opened.
#[cfg(not(unix))]
pub fn names_in(folder: &Path) -> io::Result<impl Iterator<Item = io::Result<OsString>>> {
    Ok(std::fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.file_name())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_are_those_that_the_standard_library_finds() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("app");
        let mut names: Vec<OsString> = names_in(&folder).unwrap().map(Result::unwrap).collect();
        let mut expected: Vec<OsString> =
            std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        expected.sort();
        assert_eq!(names, expected);
        assert!(names_in(&folder.join("nothing")).is_err() && names_in(&folder.join("mod.rs")).is_err());
    }
}
