//! Finds fonts of the system for characters that the built-in fonts don't have, when a text brings such characters.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};

use winit::event_loop::EventLoopProxy;

use crate::app::message::Message;
use crate::assets::project::Project;
use crate::editor::panels::ui::fonts::{ExtraFonts, is_built_in};
use crate::editor::state::Editor;
use crate::editor::view::texts;

pub mod font_file;

use font_file::{Coverage, ReadAt};

/// Maximum number of characters: a texture of glyphs for the largest scale has room for them.
const MAX_CHARS: usize = 1500;
/// Maximum number of fonts.
const MAX_FONTS: usize = 6;
/// Maximum size of a font file in bytes.
const MAX_FILE: u64 = 64 << 20;
/// Maximum depth of folders in a folder of fonts.
const MAX_DEPTH: usize = 6;
/// Parts of file names of fonts that suit the editor's own, the best one first; of others the shortest name is used.
const PREFERRED: [&str; 12] = [
    "notosanscjk",
    "notosans",
    "pingfang",
    "hiragino",
    "applesdgothic",
    "msyh",
    "yugoth",
    "malgun",
    "segoeui",
    "droidsansfallback",
    "arial",
    "dejavusans",
];

/// Collects the characters of the editor's texts and has fonts searched for them.
#[derive(Debug, Default)]
pub struct FontSearch {
    /// The characters that fonts were searched for.
    asked: BTreeSet<char>,
    /// Whether [`FontSearch::asked`] has characters for which no search has begun.
    is_due: bool,
    /// Whether a thread is searching.
    is_searching: bool,
    /// The document whose names were read last.
    read: Weak<Project>,
}

impl FontSearch {
    /// Reads the texts that changed. If they have new characters, a thread searches fonts for all and sends
    /// [`Message::Fonts`]. `typed` is the text of the active field.
    pub fn look(&mut self, editor: &Editor, typed: &[char], proxy: &EventLoopProxy<Message>) {
        let before = self.asked.len();
        let project = editor.document.project();
        if !std::ptr::eq(self.read.as_ptr(), Arc::as_ptr(project)) {
            self.read = Arc::downgrade(project);
            texts::of_project(project, &mut |text| self.add(text.chars()));
        }
        texts::of_session(&editor.session, &editor.title, &mut |text| self.add(text.chars()));
        self.add(typed.iter().copied());
        self.is_due |= self.asked.len() > before;
        if self.is_due && !self.is_searching {
            (self.is_due, self.is_searching) = (false, true);
            let (chars, proxy) = (self.asked.clone(), proxy.clone());
            // The window may be closed already.
            std::thread::spawn(move || drop(proxy.send_event(Message::Fonts(find(chars, &folders())))));
        }
    }

    /// A search has sent its result: the next one may begin.
    pub fn finish(&mut self) {
        self.is_searching = false;
    }

    fn add(&mut self, text: impl Iterator<Item = char>) {
        for letter in text.filter(|letter| !is_built_in(*letter)) {
            if self.asked.len() < MAX_CHARS {
                self.asked.insert(letter);
            }
        }
    }
}

/// The folders of fonts of this system; some may not exist.
pub fn folders() -> Vec<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let below = |name: &str, path: &str| variable(name).map(|folder| folder.join(path));
    let found = if cfg!(windows) {
        vec![below("WINDIR", "Fonts"), below("LOCALAPPDATA", "Microsoft/Windows/Fonts")]
    } else if cfg!(target_os = "macos") {
        let system = ["/System/Library/Fonts", "/Library/Fonts"].map(|path| Some(PathBuf::from(path)));
        system.into_iter().chain([below("HOME", "Library/Fonts")]).collect()
    } else {
        let data = variable("XDG_DATA_DIRS").unwrap_or_else(|| "/usr/local/share:/usr/share".into());
        let shared = std::env::split_paths(&data).map(|folder| Some(folder.join("fonts")));
        let own = [below("XDG_DATA_HOME", "fonts"), below("HOME", ".local/share/fonts"), below("HOME", ".fonts")];
        own.into_iter().chain(shared).collect()
    };
    found.into_iter().flatten().collect()
}

/// The fonts of these folders that have most of the characters, as few as possible.
pub fn find(chars: BTreeSet<char>, folders: &[PathBuf]) -> ExtraFonts {
    let mut paths = Vec::new();
    folders.iter().for_each(|folder| font_files(folder, MAX_DEPTH, &mut paths));
    paths.sort_by_cached_key(|path| preference(path));
    let covered = |path: &PathBuf| -> Option<(PathBuf, BTreeSet<char>)> {
        let coverage = Coverage::read(&mut File::open(path).ok()?)?;
        let has: BTreeSet<char> = chars.iter().copied().filter(|letter| coverage.has(*letter)).collect();
        (!has.is_empty()).then(|| (path.clone(), has))
    };
    let mut candidates: Vec<(PathBuf, BTreeSet<char>)> = paths.iter().filter_map(covered).collect();
    let (mut missing, mut files) = (chars.clone(), Vec::new());
    while files.len() < MAX_FONTS {
        let gain = |has: &BTreeSet<char>| has.intersection(&missing).count();
        // The first of several that have as many.
        let best = (0..candidates.len())
            .rev()
            .max_by_key(|at| gain(&candidates[*at].1))
            .filter(|at| gain(&candidates[*at].1) > 0);
        let Some(best) = best else { break };
        let (path, has) = candidates.remove(best);
        if let Ok(bytes) = std::fs::read(&path) {
            missing.retain(|letter| !has.contains(letter));
            files.push(Arc::new(bytes));
        }
    }
    ExtraFonts { chars, files }
}

/// The rank of a font: regular ones of a preferred family first.
fn preference(path: &Path) -> (bool, usize, usize, PathBuf) {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let plain: String = name.chars().filter(|letter| letter.is_alphanumeric()).collect();
    let rank = PREFERRED.iter().position(|family| plain.starts_with(family)).unwrap_or(PREFERRED.len());
    let is_special = ["bold", "italic", "oblique", "light", "black", "thin", "mono", "serif", "condensed"];
    (is_special.iter().any(|word| plain.contains(word)), rank, name.len(), path.to_owned())
}

/// Adds the font files of a folder and of those in it.
fn font_files(folder: &Path, depth: usize, paths: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries {
        let path = entry.path();
        // Follows links.
        let Ok(file) = std::fs::metadata(&path) else { continue };
        let ending = path.extension().unwrap_or_default().to_ascii_lowercase();
        if file.is_dir() && depth > 0 {
            font_files(&path, depth - 1, paths);
        } else if file.is_file()
            && file.len() <= MAX_FILE
            && ["ttf", "otf", "ttc", "otc"].iter().any(|it| ending == *it)
        {
            paths.push(path);
        }
    }
}

impl ReadAt for File {
    fn read_at(&mut self, from: u64, length: usize) -> std::io::Result<Vec<u8>> {
        self.seek(SeekFrom::Start(from))?;
        let mut bytes = Vec::new();
        self.take(length as u64).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fonts_are_found_below_a_folder_by_their_characters() {
        let folder = std::env::temp_dir().join(format!("keypose-fonts-{}", std::process::id()));
        let inner = folder.join("truetype/some");
        std::fs::create_dir_all(&inner).unwrap();
        std::fs::write(inner.join("Other-Bold.TTF"), ttf_noto_sans::BOLD).unwrap();
        std::fs::write(inner.join("Other.ttf"), ttf_noto_sans::REGULAR).unwrap();
        std::fs::write(inner.join("damaged.ttf"), &ttf_noto_sans::REGULAR[..1000]).unwrap();
        std::fs::write(inner.join("notes.txt"), ttf_noto_sans::REGULAR).unwrap();
        let folders = [folder.join("none"), folder.clone()];
        let found = find(BTreeSet::from(['\u{250}', '漢']), &folders);
        assert_eq!((found.files.len(), found.chars.len()), (1, 2));
        assert!(*found.files[0] == ttf_noto_sans::REGULAR, "the regular font is preferred");
        assert!(find(BTreeSet::from(['漢']), &folders).files.is_empty());
        std::fs::remove_dir_all(folder).unwrap();
    }
}
