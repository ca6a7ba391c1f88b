//! Finds images below a folder by the names of their files.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};

use keypose::assets::texture::Texture;
use keypose_editor::editor::session::browser::kinds::FileKind;
use keypose_editor::editor::state::action::FoundImages;
use keypose_editor::editor::state::effect::ImagePurpose;

use crate::app::files::{self, listing};

/// Maximum depth of folders below the first.
const MAX_DEPTH: usize = 8;
/// Maximum number of files and folders that are looked at.
const MAX_ENTRIES: usize = 50_000;

/// Finds and reads the images of these names below a folder, or below the folder of a file. `may_read` refuses images with a reason.
pub fn find(folder: &Path, names: &[String], may_read: impl Fn(&Path) -> Result<(), String>) -> FoundImages {
    let folder = if folder.is_file() { folder.parent().unwrap_or(folder) } else { folder };
    let mut found = FoundImages { folder: folder.to_owned(), ..FoundImages::default() };
    let (paths, fault) = paths(folder, names);
    found.faults.extend(fault);
    for (name, path) in paths {
        match may_read(&path).and_then(|()| files::image(&path, &ImagePurpose::Texture(String::new()))) {
            Ok(image) => found.images.push(Texture { name, ..image }.into()),
            Err(error) => found.faults.push(error),
        }
    }
    found
}

/// The nearest file of each name, and why the search ended early. A file of the same name but another extension is taken if there is none
/// of the whole name. Case doesn't count. Hidden folders and links to folders are skipped.
fn paths(folder: &Path, names: &[String]) -> (BTreeMap<String, PathBuf>, Option<String>) {
    let stem = |name: &str| Path::new(name).file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
    let wanted: BTreeMap<String, &String> = names.iter().map(|name| (name.to_lowercase(), name)).collect();
    let stems: BTreeMap<String, &String> = names.iter().map(|name| (stem(name), name)).collect();
    let (mut exact, mut similar) = (BTreeMap::new(), BTreeMap::new());
    let (mut waiting, mut left) = (VecDeque::from([(folder.to_owned(), 0)]), MAX_ENTRIES);
    let mut fault = None;
    while let Some((next, depth)) = waiting.pop_front().filter(|_| exact.len() < wanted.len()) {
        let listing = listing::list(&next);
        fault = fault.or(listing.fault);
        let mut entries = listing.entries;
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        for entry in entries.iter().filter(|entry| !entry.is_hidden) {
            let Some(rest) = left.checked_sub(1) else {
                fault = Some(format!("{}: only {MAX_ENTRIES} files were looked at", folder.display()));
                waiting.clear();
                break;
            };
            left = rest;
            let (path, name) = (next.join(&entry.name), entry.name.to_string_lossy().to_lowercase());
            match entry.kind {
                FileKind::Folder if depth < MAX_DEPTH && !path.is_symlink() => waiting.push_back((path, depth + 1)),
                FileKind::Image => {
                    if let Some(whole) = wanted.get(&name) {
                        exact.entry((*whole).clone()).or_insert(path);
                    } else if let Some(whole) = stems.get(&stem(&name)) {
                        similar.entry((*whole).clone()).or_insert(path);
                    }
                }
                _ => {}
            }
        }
    }
    similar.extend(exact);
    (similar, fault)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn images_are_found_by_name_nearest_first_whatever_the_case() {
        let folder = std::env::temp_dir().join(format!("keypose-images-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("a/Textures/old")).unwrap();
        fs::create_dir_all(folder.join(".hidden")).unwrap();
        for file in ["a/Textures/SKIN.PNG", "a/Textures/old/skin.png", "a/cloth.tga", "a/cloth.txt", ".hidden/gone.png"]
        {
            fs::write(folder.join(file), "").unwrap();
        }
        let names = ["skin.png", "Cloth.psd", "gone.png"].map(str::to_owned);
        let (found, fault) = paths(&folder, &names);
        let expected = [("Cloth.psd", "a/cloth.tga"), ("skin.png", "a/Textures/SKIN.PNG")];
        let expected = expected.map(|(name, path)| (name.to_owned(), folder.join(path)));
        assert_eq!((found, fault), (expected.into(), None));
        // The files are no images.
        let read = find(&folder.join("a/cloth.txt"), &names, |_| Ok(()));
        assert_eq!((read.images.len(), read.faults.len(), read.folder), (0, 2, folder.join("a")));
        assert!(paths(&folder.join("lost"), &names).1.unwrap().contains("no such folder"));
        fs::remove_dir_all(folder).unwrap();
    }
}
