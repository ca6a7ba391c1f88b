//! Reads folders for the file browser, finds the places of this computer, and sorts what was dropped on the window. Called in
//! threads of their own, because disks that sleep and networks take time.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use keypose_editor::editor::session::browser::entry::{Entry, Listing};
use keypose_editor::editor::session::browser::kinds::FileKind;
use keypose_editor::editor::session::browser::{Place, PlaceKind, paths};
use keypose_editor::editor::session::dropped::{DroppedFiles, Refused};

use crate::app::files::folder_names::names_in;
use crate::app::work::list::millis;

/// Maximum depth of folders in a folder whose models are added.
const MAX_DEPTH: usize = 16;

/// Reads a folder. Errors are part of the result.
pub fn list(folder: &Path) -> Listing {
    let (mut entries, mut faults) = (Vec::new(), Vec::new());
    match names_in(folder) {
        Err(error) => faults.push(sentence(folder, &error)),
        Ok(found) => {
            for name in found {
                match name {
                    Ok(_) if entries.len() == Listing::MAX => {
                        faults.push(format!("{}: only the first {} files are listed", folder.display(), Listing::MAX));
                        break;
                    }
                    Ok(name) => entries.push(entry_of(folder, name)),
                    Err(error) => {
                        faults.push(format!("{}: the list is incomplete: {error}", folder.display()));
                        break;
                    }
                }
            }
        }
    }
    let fault = (!faults.is_empty()).then(|| faults.join("; "));
    Listing { folder: folder.to_owned(), entries, fault, read_at: millis(SystemTime::now()) }
}

fn entry_of(folder: &Path, name: OsString) -> Entry {
    // Follows links, so that a link to a folder is a folder.
    let metadata = fs::metadata(folder.join(&name));
    let kind = match &metadata {
        Ok(metadata) if metadata.is_dir() => FileKind::Folder,
        _ => FileKind::of(Path::new(&name)),
    };
    let mut entry = Entry::new(name, kind);
    match metadata {
        Ok(metadata) => {
            entry.bytes = if metadata.is_dir() { 0 } else { metadata.len() };
            entry.modified = metadata.modified().ok().map(millis);
            entry.is_hidden |= is_hidden(&metadata);
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => entry.fault = Some("a link to a missing file".into()),
        Err(error) => entry.fault = Some(reason(&error)),
    }
    entry
}

#[cfg(windows)]
fn is_hidden(metadata: &fs::Metadata) -> bool {
    use std::os::windows::fs::MetadataExt;
    const HIDDEN_OR_SYSTEM: u32 = 2 | 4;
    metadata.file_attributes() & HIDDEN_OR_SYSTEM != 0
}

#[cfg(not(windows))]
fn is_hidden(_metadata: &fs::Metadata) -> bool {
    false
}

fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such folder".into(),
        io::ErrorKind::PermissionDenied => "permission denied".into(),
        io::ErrorKind::NotADirectory => "this is a file, not a folder".into(),
        io::ErrorKind::AlreadyExists => "a file or folder with this name exists".into(),
        _ => error.to_string(),
    }
}

fn sentence(path: &Path, error: &io::Error) -> String {
    format!("{}: {}", path.display(), reason(error))
}

/// Makes a folder. The error is a sentence.
pub fn make_folder(folder: &Path) -> Result<(), String> {
    fs::create_dir(folder).map_err(|error| sentence(folder, &error))
}

/// The places of this computer that exist.
pub fn places() -> Vec<Place> {
    let mut places = Vec::new();
    if let Some(home) = std::env::home_dir().filter(|home| home.is_dir()) {
        let place = |name: &str, kind, path| Place { name: name.to_owned(), path, kind };
        places.push(place("Home", PlaceKind::Home, home.clone()));
        let folders = ["Desktop", "Documents", "Downloads"].map(|name| (name, home.join(name)));
        let folders = folders.into_iter().filter(|(_, path)| path.is_dir());
        places.extend(folders.map(|(name, path)| place(name, PlaceKind::Folder, path)));
    }
    let disks: Vec<PathBuf> = if cfg!(windows) {
        ('A'..='Z').map(|letter| PathBuf::from(format!("{letter}:\\"))).filter(|disk| disk.is_dir()).collect()
    } else {
        vec!["/".into()]
    };
    let name = |disk: &Path| if cfg!(windows) { disk.display().to_string() } else { "Computer".to_owned() };
    places.extend(disks.into_iter().map(|path| Place { name: name(&path), path, kind: PlaceKind::Disk }));
    places
}

/// Sorts dropped paths and URLs by what can be done with them. Of a folder, all models are taken, also in its folders.
pub fn sort_dropped(items: &[PathBuf]) -> DroppedFiles {
    let mut dropped = DroppedFiles::default();
    for item in items {
        // Some systems pass the text of a URL list instead of paths.
        match item.to_str() {
            Some(text) if !item.exists() => paths::listed(text).iter().for_each(|line| add_line(line, &mut dropped)),
            Some(_) | None => add_path(item.clone(), &mut dropped),
        }
    }
    dropped
}

fn add_line(line: &str, dropped: &mut DroppedFiles) {
    if paths::is_remote(line) {
        dropped.refused.push(Refused { name: line.to_owned(), reason: paths::REMOTE.into() });
    } else {
        add_path(paths::typed_path(line, None), dropped);
    }
}

fn add_path(path: PathBuf, dropped: &mut DroppedFiles) {
    match fs::metadata(&path) {
        Ok(metadata) if metadata.is_dir() => {
            dropped.has_folder = true;
            add_folder(&path, dropped);
        }
        Ok(_) => dropped.add(path),
        Err(error) if error.kind() == io::ErrorKind::NotFound => dropped.refuse(&path, "no such file"),
        Err(error) => dropped.refuse(&path, reason(&error)),
    }
}

/// Adds the models of a folder, up to [`DroppedFiles::MAX_MODELS`].
fn add_folder(folder: &Path, dropped: &mut DroppedFiles) {
    const MAX: usize = DroppedFiles::MAX_MODELS;
    let (mut models, faults) = models_below(folder, MAX + 1);
    faults.iter().for_each(|(folder, fault)| dropped.refuse(folder, fault));
    if models.is_empty() {
        dropped.refuse(folder, "no models in this folder");
    }
    if models.len() > MAX {
        models.truncate(MAX);
        dropped.refuse(folder, format!("it has more than {MAX} models; the rest is not added"));
    }
    dropped.models.extend(models);
}

/// The first models in a folder and in its folders, at most `max`, and the folders that can't be read, with a sentence each. Hidden
/// files and folders are skipped, and links to folders.
pub fn models_below(folder: &Path, max: usize) -> (Vec<PathBuf>, Vec<(PathBuf, String)>) {
    let (mut models, mut faults, mut waiting) = (Vec::new(), Vec::new(), vec![(folder.to_owned(), 0)]);
    while let Some((next, depth)) = waiting.pop() {
        let Listing { mut entries, fault, .. } = list(&next);
        faults.extend(fault.map(|fault| (next.clone(), fault)));
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        for entry in entries.iter().filter(|entry| !entry.is_hidden) {
            let path = next.join(&entry.name);
            match entry.kind {
                FileKind::Model if models.len() == max => return (models, faults),
                FileKind::Model => models.push(path),
                FileKind::Folder if depth < MAX_DEPTH && !path.is_symlink() => waiting.push((path, depth + 1)),
                _ => {}
            }
        }
    }
    (models, faults)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("keypose-listing-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn a_folder_is_listed_with_kinds_and_sizes() {
        let folder = folder("kinds");
        fs::create_dir(folder.join("deeper")).unwrap();
        fs::write(folder.join("a.glb"), "12345").unwrap();
        fs::write(folder.join(".b.wad"), "").unwrap();
        let listing = list(&folder);
        let find = |name: &str| listing.find(Path::new(name)).unwrap();
        assert_eq!((find("a.glb").kind, find("a.glb").bytes, find("a.glb").is_hidden), (FileKind::Model, 5, false));
        assert!(find("a.glb").modified.is_some() && find(".b.wad").is_hidden && find("deeper").is_folder());
        assert_eq!((listing.entries.len(), listing.fault.clone()), (3, None));
        assert!(list(&folder.join("lost")).fault.unwrap().ends_with("lost: no such folder"));
        assert!(list(&folder.join("a.glb")).fault.unwrap().ends_with("this is a file, not a folder"));
        assert!(make_folder(&folder.join("deeper")).unwrap_err().ends_with("a file or folder with this name exists"));
        fs::remove_dir_all(folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_broken_link_and_a_name_that_is_no_text_are_listed() {
        use std::os::unix::ffi::OsStrExt;
        let folder = folder("links");
        std::os::unix::fs::symlink("lost.wad", folder.join("link.wad")).unwrap();
        fs::write(folder.join(std::ffi::OsStr::from_bytes(b"\xff.glb")), "").unwrap();
        let listing = list(&folder);
        assert_eq!(listing.find(Path::new("link.wad")).unwrap().fault.as_deref(), Some("a link to a missing file"));
        assert!(listing.entries.iter().any(|entry| entry.shown == "\u{fffd}.glb" && entry.kind == FileKind::Model));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn dropped_files_are_sorted_and_folders_are_searched() {
        let folder = folder("dropped");
        fs::create_dir_all(folder.join("models/deep")).unwrap();
        for name in
            ["models/b.glb", "models/a.gltf", "models/deep/c.glb", "models/readme.txt", "song.ogg", "k night.wad"]
        {
            fs::write(folder.join(name), "").unwrap();
        }
        let at = |name: &str| folder.join(name);
        let list = format!("file://{}\r\nhttps://example.org/a.glb\r\n", at("k%20night.wad").display());
        let items = [at("models"), at("song.ogg"), list.into(), at("lost.glb")];
        let dropped = sort_dropped(&items);
        let names: Vec<_> = dropped.models.iter().map(|path| path.file_name().unwrap().to_string_lossy()).collect();
        assert_eq!(names, ["a.gltf", "b.glb", "c.glb"]);
        assert_eq!(dropped.archives, [folder.join("k night.wad")]);
        let refused: Vec<_> = dropped.refused.iter().map(|file| (&*file.name, &*file.reason)).collect();
        let expected = [
            ("song.ogg", "not a model, an archive, an image, a film or a sound"),
            ("https://example.org/a.glb", paths::REMOTE),
            ("lost.glb", "no such file"),
        ];
        assert_eq!(refused, expected);
        assert!(dropped.has_folder);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_folder_with_too_many_models_is_cut_and_says_so() {
        let folder = folder("many");
        (0..DroppedFiles::MAX_MODELS + 5).for_each(|at| fs::write(folder.join(format!("{at}.glb")), "").unwrap());
        let dropped = sort_dropped(std::slice::from_ref(&folder));
        assert_eq!(dropped.models.len(), DroppedFiles::MAX_MODELS);
        assert!(dropped.refused[0].reason.starts_with("it has more than 100 models"), "{:?}", dropped.refused);
        fs::remove_dir_all(folder).unwrap();
    }
}
