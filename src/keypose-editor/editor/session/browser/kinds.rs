//! Kinds of files by their names, and which kinds suit a purpose.

use std::path::{Path, PathBuf};

use keypose_tools::import::format::EXTENSIONS;

/// The extensions of archives and models.
const DOCUMENTS: [&str; EXTENSIONS.len() + 1] = {
    let [a, b, c, d, e, f, g, h] = EXTENSIONS;
    ["wad", a, b, c, d, e, f, g, h]
};

/// The extensions of images that can be textures.
const IMAGE_EXTENSIONS: [&str; 9] = ["png", "jpg", "jpeg", "webp", "tga", "tif", "tiff", "dds", "psd"];

/// The extensions of films. An animated PNG may have that of an image.
const FILM_EXTENSIONS: [&str; 5] = ["gif", "apng", "mp4", "m4v", "mov"];

/// The kind of a file, by its extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FileKind {
    Folder,
    /// Our archive.
    Archive,
    /// A model that can be imported.
    Model,
    /// An image that can be a texture.
    Image,
    Sound,
    /// A film to pose by.
    Film,
    /// Another file.
    Other,
}

impl FileKind {
    /// The kind of a file with this name.
    pub fn of(name: &Path) -> FileKind {
        let extension = name.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        match extension.as_str() {
            "wad" => FileKind::Archive,
            model if EXTENSIONS.contains(&model) => FileKind::Model,
            image if IMAGE_EXTENSIONS.contains(&image) => FileKind::Image,
            "wav" => FileKind::Sound,
            film if FILM_EXTENSIONS.contains(&film) => FileKind::Film,
            _ => FileKind::Other,
        }
    }

    /// The label, in the singular.
    pub fn name(self) -> &'static str {
        match self {
            FileKind::Folder => "Folder",
            FileKind::Archive => "Archive",
            FileKind::Model => "Model",
            FileKind::Image => "Image",
            FileKind::Sound => "Sound",
            FileKind::Film => "Film",
            FileKind::Other => "File",
        }
    }
}

/// The purpose of a path that the user is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum PathPurpose {
    /// Answered with `FileAction::Export`.
    Image,
    /// Answered with `FileAction::ExportModel`.
    Export,
    /// Answered with `FileAction::Open`.
    #[default]
    Open,
    /// Answered with `FileAction::Import`.
    Import,
    /// Answered with `FileAction::AddClips`.
    Clips,
    /// Answered with `FileAction::Reimport`.
    Changed,
    /// Answered with `FileAction::SaveAs`.
    SaveAs,
    /// Answered with `FileAction::SavePatch`.
    SavePatch,
    /// Answered with `MaterialAction::ReplaceTexture`.
    Texture,
    /// A folder. Answered with `MaterialAction::FindTextures`.
    TextureFolder,
    /// Answered with `MaterialAction::AddReference`.
    Reference,
    /// Answered with `MaterialAction::AddFilm`.
    Film,
    /// Answered with `SoundAction::Add`.
    Sounds,
    /// Answered with `SpriteAction::Load`.
    Palette,
    /// Answered with `SpriteAction::Load`.
    PaletteSwap,
    /// Answered with `SpriteAction::Export`.
    Sprites,
}

/// Files that suit a purpose: a label, and their extensions.
type Files = (&'static str, &'static [&'static str]);

const MODELS: Files = ("Models and archives", &DOCUMENTS);
const ARCHIVES: Files = ("Archives", &["wad"]);
const PALETTES: Files = ("Palettes", &["gpl", "hex", "pal", "png"]);
const IMAGES: Files = ("Images", &IMAGE_EXTENSIONS);
const REFERENCES: Files = (
    "Images and films",
    &["png", "jpg", "jpeg", "webp", "tga", "tif", "tiff", "dds", "psd", "gif", "apng", "mp4", "m4v", "mov"],
);
const FILMS: Files = ("Films and numbered images", &["gif", "apng", "mp4", "m4v", "mov", "png", "jpg", "jpeg", "webp"]);

impl PathPurpose {
    /// Title, verb and files.
    fn form(self) -> (&'static str, &'static str, Files) {
        match self {
            PathPurpose::Image => ("Export GIF or PNG", "Export", ("Pictures", &["gif", "png"])),
            PathPurpose::Export => ("Export GLB or JSON", "Export", ("GLB and JSON", &["glb", "json"])),
            PathPurpose::Open => ("Open", "Open", MODELS),
            PathPurpose::Import => ("Add models", "Add", MODELS),
            PathPurpose::Clips => ("Add clips from files", "Add", MODELS),
            PathPurpose::Changed => ("Re-import model", "Re-import", MODELS),
            PathPurpose::SaveAs => ("Save as", "Save", ARCHIVES),
            PathPurpose::SavePatch => ("Save as patch", "Save", ARCHIVES),
            PathPurpose::Texture => ("Replace image", "Replace", IMAGES),
            PathPurpose::TextureFolder => ("Find textures below a folder", "Find here", IMAGES),
            PathPurpose::Reference => ("Add reference image", "Add", REFERENCES),
            PathPurpose::Film => ("Add reference film", "Add", FILMS),
            PathPurpose::Palette => ("Load palette", "Load", PALETTES),
            PathPurpose::PaletteSwap => ("Add palette swap", "Add", PALETTES),
            PathPurpose::Sprites => ("Export sprite sheet", "Export", ("Sprite sheets", &["png"])),
            PathPurpose::Sounds => ("Add sounds", "Add", ("WAV files", &["wav"])),
        }
    }

    /// The title of the browser or dialog.
    pub fn title(self) -> &'static str {
        self.form().0
    }

    /// The label of the button that confirms.
    pub fn verb(self) -> &'static str {
        self.form().1
    }

    /// The files that suit it: a label, and their extensions.
    pub fn files(self) -> (&'static str, &'static [&'static str]) {
        self.form().2
    }

    /// Whether a file is written, so that it needs a name.
    pub fn is_save(self) -> bool {
        matches!(
            self,
            PathPurpose::Image
                | PathPurpose::Export
                | PathPurpose::SaveAs
                | PathPurpose::SavePatch
                | PathPurpose::Sprites
        )
    }

    /// Whether a folder is chosen.
    pub fn is_folder(self) -> bool {
        self == PathPurpose::TextureFolder
    }

    /// Whether several files can be chosen.
    pub fn takes_several(self) -> bool {
        matches!(self, PathPurpose::Import | PathPurpose::Clips | PathPurpose::Sounds)
    }

    /// Whether files are imported with the options of the user; a re-import uses the options of the previous import.
    pub fn has_import_options(self) -> bool {
        matches!(self, PathPurpose::Open | PathPurpose::Import | PathPurpose::Clips)
    }

    /// Whether a file suits it.
    pub fn suits(self, name: &Path) -> bool {
        let extension = name.extension().unwrap_or_default();
        self.files().1.iter().any(|known| extension.eq_ignore_ascii_case(known))
    }

    /// The path with the extension of the written format, if it has another extension or none.
    pub fn with_extension(self, path: PathBuf) -> PathBuf {
        let extension = match self {
            PathPurpose::SaveAs | PathPurpose::SavePatch => ".wad",
            PathPurpose::Export => ".glb",
            _ => return path,
        };
        if self.suits(&path) || path.file_name().is_none() {
            return path;
        }
        let mut name = path.into_os_string();
        name.push(extension);
        name.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_ignore_the_case_of_the_extension() {
        let kinds = ["a.GLB", "b.gltf", "c.wad", "d.JPEG", "e.gif", "f.txt", "wad", "g.PSD"]
            .map(|name| FileKind::of(Path::new(name)));
        use FileKind::*;
        assert_eq!(kinds, [Model, Model, Archive, Image, Film, Other, Other, Image]);
        assert!(PathPurpose::Open.suits(Path::new("a.Gltf")) && !PathPurpose::Open.suits(Path::new("a.png")));
        assert!(["a.tiff", "a.DDS", "a.psd"].iter().all(|name| PathPurpose::Texture.suits(Path::new(name))));
    }
}
