//! Finds fonts of the system for characters that the built-in fonts don't have, when a text brings such characters.

use std::collections::BTreeSet;
use std::sync::{Arc, Weak};

use fontdb::{Database, FaceInfo, ID, Style, Weight};
use read_fonts::types::GlyphId;
use read_fonts::{FontRef, TableProvider};
use winit::event_loop::EventLoopProxy;

use keypose::assets::project::Project;
use keypose_editor::editor::panels::ui::fonts::{ExtraFonts, is_built_in};
use keypose_editor::editor::state::Editor;
use keypose_editor::editor::view::texts;

use crate::app::host::message::Message;

/// Maximum number of characters: a texture of glyphs for the largest scale has room for them.
const MAX_CHARS: usize = 1500;
/// Maximum number of fonts.
const MAX_FONTS: usize = 6;
/// Maximum size of a font file in bytes.
const MAX_BYTES: usize = 64 << 20;
/// How the names of families begin that suit the editor's own font, the best one first; of others the shortest name is
/// used. In lower case, without spaces.
const PREFERRED: [&str; 12] = [
    "notosanscjk",
    "notosans",
    "pingfang",
    "hiragino",
    "applesdgothic",
    "microsoftyahei",
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
            std::thread::spawn(move || drop(proxy.send_event(Message::Fonts(find_in_system(chars)))));
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

/// The fonts of the system that have most of the characters.
fn find_in_system(chars: BTreeSet<char>) -> ExtraFonts {
    let mut fonts = Database::new();
    fonts.load_system_fonts();
    find(chars, &fonts)
}

/// The fonts that have most of the characters, as few as possible.
pub fn find(chars: BTreeSet<char>, fonts: &Database) -> ExtraFonts {
    // Dear ImGui draws the first font of a file.
    let mut faces: Vec<&FaceInfo> = fonts.faces().filter(|face| face.index == 0).collect();
    faces.sort_by_cached_key(|face| preference(face));
    let covered = |face: &&FaceInfo| Some((face.id, coverage(fonts, face.id, &chars)?));
    let mut candidates: Vec<(ID, BTreeSet<char>)> = faces.iter().filter_map(covered).collect();
    let (mut missing, mut files) = (chars.clone(), Vec::new());
    while files.len() < MAX_FONTS {
        let gain = |has: &BTreeSet<char>| has.intersection(&missing).count();
        // The first of several that have as many.
        let best = (0..candidates.len())
            .rev()
            .max_by_key(|at| gain(&candidates[*at].1))
            .filter(|at| gain(&candidates[*at].1) > 0);
        let Some(best) = best else { break };
        let (id, has) = candidates.remove(best);
        if let Some(bytes) = fonts.with_face_data(id, |bytes, _| bytes.to_vec()) {
            missing.retain(|letter| !has.contains(letter));
            files.push(Arc::new(bytes));
        }
    }
    ExtraFonts { chars, files }
}

/// Returns the characters that a font has; `None` if there are none, or if the editor can't draw the font.
fn coverage(fonts: &Database, id: ID, chars: &BTreeSet<char>) -> Option<BTreeSet<char>> {
    let read = |bytes: &[u8], index| {
        if bytes.len() > MAX_BYTES {
            return None;
        }
        let font = FontRef::from_index(bytes, index).ok()?;
        let is_drawable = font.glyf().is_ok() || font.cff().is_ok();
        let glyphs = font.cmap().ok().filter(|_| is_drawable)?;
        let has = |letter: &char| glyphs.map_codepoint(*letter).is_some_and(|glyph| glyph != GlyphId::NOTDEF);
        Some(chars.iter().copied().filter(has).collect::<BTreeSet<char>>())
    };
    fonts.with_face_data(id, read)?.filter(|has| !has.is_empty())
}

/// The rank of a font: regular ones of a preferred family first.
fn preference(face: &FaceInfo) -> (bool, usize, usize, String) {
    let name = face.families.first().map_or("", |(name, _)| name).to_lowercase();
    let plain: String = name.chars().filter(|letter| letter.is_alphanumeric()).collect();
    let rank = PREFERRED.iter().position(|family| plain.starts_with(family)).unwrap_or(PREFERRED.len());
    let is_regular = face.style == Style::Normal && face.weight == Weight::NORMAL && !face.monospaced;
    let is_special = !is_regular || ["mono", "serif", "condensed"].iter().any(|word| plain.contains(word));
    (is_special, rank, name.len(), name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fonts_are_found_by_their_characters() {
        let mut fonts = Database::new();
        fonts.load_font_data(ttf_noto_sans::BOLD.to_vec());
        fonts.load_font_data(ttf_noto_sans::REGULAR.to_vec());
        fonts.load_font_data(ttf_noto_sans::REGULAR[..1000].to_vec());
        let found = find(BTreeSet::from(['\u{250}', '漢']), &fonts);
        assert_eq!((found.files.len(), found.chars.len()), (1, 2));
        assert!(*found.files[0] == ttf_noto_sans::REGULAR, "the regular font is preferred");
        assert!(find(BTreeSet::from(['漢']), &fonts).files.is_empty());
        assert!(find(BTreeSet::from(['漢']), &Database::new()).files.is_empty());
    }
}
