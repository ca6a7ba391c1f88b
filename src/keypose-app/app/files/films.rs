//! Reads images and films to pose by, and opens the files of films.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use keypose::assets::bytes::Bytes;
use keypose::assets::reference::{FilmFiles, FilmSource};
use keypose_editor::editor::state::action::MaterialAction;
use keypose_editor::editor::state::effect::{ImagePlace, ImagePurpose};
use keypose_editor::editor::view::films::open_kept;
use keypose_editor::editor::view::references::LONGEST_SIDE;
use keypose_tools::film::{self, Files, HEAD_BYTES, Input, MAX_FRAMES, Player};
use keypose_tools::import::pixels;

use crate::app::files::own_files::folder_of;
use crate::app::files::{self, regular_files};

/// The maximum bytes of a linked film.
const MAX_BYTES: u64 = 1 << 40;
/// The maximum bytes of a film that is kept in the archive.
const MAX_KEPT_BYTES: u64 = 256 << 20;

/// Reads an image, or the first frame of a film. Returns the action that passes it to the editor. The error is a sentence with the name
/// of the file.
pub fn read(path: &Path, place: ImagePlace) -> Result<MaterialAction, String> {
    let is_film = match &place.purpose {
        ImagePurpose::Texture(_) => false,
        ImagePurpose::Reference => film::is_film(&head(path)?),
        ImagePurpose::Film | ImagePurpose::FilmFiles(_) => true,
    };
    if !is_film {
        let image = Arc::new(files::image(path, &place.purpose)?);
        return Ok(MaterialAction::ImageRead { place, image });
    }
    // Numbered images get their rate from the clip that is open.
    let fps = if film::is_film(&head(path)?) { 0.0 } else { 1.0 };
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut source = FilmSource { path: path.to_string_lossy().into_owned(), files: FilmFiles::Linked, fps };
    if matches!(place.purpose, ImagePurpose::FilmFiles(_)) {
        source.files = FilmFiles::Kept(Arc::new(kept(&path, fps)?));
    }
    let mut player = open(&source, None)?;
    let picture = player.frame(0).map_err(|reason| format!("{}: {reason}.", path.display()))?;
    let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy();
    let image = Arc::new(pixels::no_larger(picture.texture(&name), LONGEST_SIDE));
    Ok(MaterialAction::FilmRead { place, image, source })
}

fn head(path: &Path) -> Result<Vec<u8>, String> {
    let failed = |error| files::sentence(path, &error);
    let (file, _) = regular_files::open(path, MAX_BYTES).map_err(failed)?;
    let mut head = Vec::new();
    file.take(HEAD_BYTES).read_to_end(&mut head).map_err(failed)?;
    Ok(head)
}

/// The files of a film to keep.
fn kept(path: &Path, fps: f32) -> Result<Vec<Bytes>, String> {
    let paths = paths(path, fps);
    let bytes = |path: &PathBuf| fs::metadata(path).map_or(0, |metadata| metadata.len());
    if paths.iter().map(bytes).sum::<u64>() > MAX_KEPT_BYTES {
        let limit = MAX_KEPT_BYTES >> 20;
        return Err(format!(
            "{}: larger than {limit} MiB, the maximum in an archive; leave it linked.",
            path.display()
        ));
    }
    paths.iter().map(|path| files::read(path).map(Bytes::from)).collect()
}

/// Opens a film. A linked one that is not at its path is looked for beside the document, in `folder`. The error is a sentence with its
/// path.
pub fn open(source: &FilmSource, folder: Option<&Path>) -> Result<Player, String> {
    if let Some(opened) = open_kept(source) {
        return opened;
    }
    let path = Path::new(&source.path);
    let beside = path.file_name().zip(folder).map(|(name, folder)| folder.join(name)).filter(|path| path.is_file());
    let found = if path.is_file() { Some(path.to_owned()) } else { beside };
    let Some(found) = found else {
        return Err(format!("{}: no such file. Put the film there or beside the archive.", source.path));
    };
    let files = Linked { paths: paths(&found, source.fps) };
    Player::open(Box::new(files), source.fps).map_err(|reason| format!("{}: {reason}.", found.display()))
}

/// The files of a linked film.
struct Linked {
    paths: Vec<PathBuf>,
}

impl Files for Linked {
    fn count(&self) -> usize {
        self.paths.len()
    }

    fn open(&self, at: usize) -> Result<Box<dyn Input>, String> {
        let path = self.paths.get(at).ok_or("there is no such image")?;
        let (file, _) = regular_files::open(path, MAX_BYTES)
            .map_err(|error| format!("{} can't be read: {error}", path.display()))?;
        Ok(Box::new(file))
    }
}

/// The file of a film, or the numbered images of its folder from this one on, by their numbers.
fn paths(path: &Path, fps: f32) -> Vec<PathBuf> {
    let only = || vec![path.to_owned()];
    let Some((stem, first, extension)) = numbered(path).filter(|_| fps > 0.0) else { return only() };
    let Ok(entries) = fs::read_dir(folder_of(path)) else { return only() };
    let all = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut found: Vec<(u64, PathBuf)> = all
        .filter_map(|path| {
            let (other, number, its) = numbered(&path)?;
            (other == stem && its == extension && number >= first).then_some((number, path))
        })
        .collect();
    found.sort();
    found.truncate(MAX_FRAMES);
    if found.is_empty() { only() } else { found.into_iter().map(|(_, path)| path).collect() }
}

/// The name before the number at its end, the number, and the extension.
fn numbered(path: &Path) -> Option<(String, u64, String)> {
    let (stem, extension) = (path.file_stem()?.to_str()?, path.extension()?.to_str()?);
    let name = stem.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let number = stem.get(name.len()..)?.parse().ok()?;
    Some((name.to_owned(), number, extension.to_lowercase()))
}
