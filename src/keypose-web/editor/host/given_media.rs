//! Images, films, sounds and palettes among the files that the user gave to the page.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use keypose::anim::time::Time;
use keypose::assets::bytes::Bytes;
use keypose::assets::reference::{FilmFiles, FilmSource};
use keypose::assets::texture::Texture;
use keypose_editor::editor::session::notice::NoticeKind;
use keypose_editor::editor::session::sounds::SoundAction;
use keypose_editor::editor::session::sprites::{PaletteUse, SpriteAction};
use keypose_editor::editor::state::action::MaterialAction;
use keypose_editor::editor::state::effect::{ImagePlace, ImagePurpose};
use keypose_editor::editor::view::films::{Place, ToShow, open_kept};
use keypose_editor::editor::view::references::LONGEST_SIDE;
use keypose_tools::film::{self, Player};
use keypose_tools::import::{pixels, sound};
use keypose_tools::sprites::palette_file;

use crate::editor::host::PageEditor;

impl PageEditor {
    pub(super) fn read_image(&mut self, path: &Path, place: ImagePlace) {
        let is_reference = !matches!(place.purpose, ImagePurpose::Texture(_));
        if is_reference && let Some(bytes) = self.files.get(path).ok().filter(|bytes| film::is_film(bytes)) {
            return self.read_film(path, place, bytes);
        }
        let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy();
        let decoded = |bytes: &[u8]| match is_reference {
            true => pixels::reference(&name, bytes, LONGEST_SIDE),
            false => pixels::texture(&name, bytes),
        };
        let read = self.files.get(path);
        match read.and_then(|bytes| decoded(&bytes).map_err(|reason| format!("{}: {reason}", path.display()))) {
            Ok(image) => self.update(MaterialAction::ImageRead { place, image: Arc::new(image) }),
            Err(error) => self.notice(NoticeKind::Error, error),
        }
    }

    /// Adds a film. Its file is kept, because a page can't read it again.
    fn read_film(&mut self, path: &Path, place: ImagePlace, bytes: Bytes) {
        let files = FilmFiles::Kept(Arc::new(vec![bytes]));
        let source = FilmSource { path: path.to_string_lossy().into_owned(), files, fps: 0.0 };
        let wanted = ToShow { source, time: Time::ZERO, place: Place::Viewport };
        match self.projector.show(&wanted, open_film) {
            Ok(frame) => {
                let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
                let image = Arc::new(Texture { name, ..Texture::clone(&frame.image) });
                self.update(MaterialAction::FilmRead { place, image, source: wanted.source });
            }
            Err(error) => self.notice(NoticeKind::Error, error),
        }
    }

    /// Decodes the frames of films that viewport and timeline want. A page has no threads.
    /// Returns whether there were any.
    pub fn show_films(&mut self) -> bool {
        let wanted = self.editor.caches.films.take_wanted();
        let has_shown = !wanted.is_empty();
        for wanted in wanted {
            let decoded = self.projector.show(&wanted, open_film);
            self.editor.caches.films.put(wanted, decoded);
        }
        has_shown
    }

    pub(super) fn read_sounds(&mut self, paths: &[PathBuf]) {
        let mut sounds = Vec::new();
        for path in paths {
            let name = sound::name_of(&path.display().to_string());
            let read = self
                .files
                .get(path)
                .and_then(|bytes| sound::read(&name, &bytes).map_err(|reason| format!("{}: {reason}", path.display())));
            match read {
                Ok(sound) => sounds.push(Arc::new(sound)),
                Err(error) => self.notice(NoticeKind::Error, error),
            }
        }
        self.update(SoundAction::Read(sounds));
    }

    pub(super) fn read_palette(&mut self, path: &Path, purpose: PaletteUse) {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let read = self.files.get(path).and_then(|bytes| {
            palette_file::read_colors(&bytes).map_err(|reason| format!("{}: {reason}", path.display()))
        });
        match read {
            Ok(colors) => self.update(SpriteAction::Loaded { purpose, name, colors }),
            Err(error) => self.notice(NoticeKind::Error, error),
        }
    }
}

/// Opens a film, if its files are in the archive.
fn open_film(source: &FilmSource) -> Result<Player, String> {
    open_kept(source)
        .unwrap_or_else(|| Err(format!("{}: a page can't read a linked film; keep it in the archive.", source.path)))
}
