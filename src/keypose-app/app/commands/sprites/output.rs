//! The files of a sheet. All are made before the first is written.

use std::fs;
use std::path::{Path, PathBuf};

use keypose::anim::choice::choice;
use keypose_tools::export::bitmap::Bitmap;
use keypose_tools::export::png;
use keypose_tools::sprites::atlas::Packed;
use keypose_tools::sprites::ink::Rgb;
use keypose_tools::sprites::palette::MAX_COLORS;
use keypose_tools::sprites::sheet::{Sheet, Tag};
use keypose_tools::sprites::{apng, aseprite, gif, godot, json, palette_file};

use crate::app::commands::own_output::{self, PICTURES};
use crate::app::commands::sprites::Arguments;
use crate::app::commands::wad::extract::escaped;
use crate::app::files;
use crate::app::film::sprites::Sprites;

choice! {
    /// A kind of file beside the atlas.
    pub enum Format {
        /// Frames, tags, slices and marks.
        Json = "json",
        /// Layers, tags and slices.
        Aseprite = "aseprite",
        /// `SpriteFrames` of Godot.
        Godot = "godot",
        /// A GIF for each tag.
        Gif = "gif",
        /// An animated PNG for each tag.
        Apng = "apng",
        /// A PNG for each frame.
        Png = "png",
    }
}

impl Format {
    /// A line of help.
    pub fn meaning(self) -> &'static str {
        match self {
            Format::Json => "NAME.json, in the form of Aseprite, with events, volumes and sockets in pixels",
            Format::Aseprite => "NAME.aseprite, with all layers, tags, durations and slices",
            Format::Godot => "NAME.tres, a SpriteFrames resource of Godot 4",
            Format::Gif => "NAME-TAG.gif for each clip and direction",
            Format::Apng => "NAME-TAG.png, animated, for each clip and direction",
            Format::Png => "NAME-FRAME.png for each frame",
        }
    }
}

/// Where and what is written.
pub struct Output<'a> {
    arguments: &'a Arguments,
    folder: PathBuf,
    /// The start of the names of all files.
    name: String,
}

/// A file with the words and the test for what it may replace.
struct File {
    path: PathBuf,
    bytes: Vec<u8>,
    kind: &'static str,
    is_own: fn(&[u8]) -> bool,
}

/// Colours in place of those of a sheet, with the name of their file.
pub type Swap = (String, Vec<Rgb>);

impl<'a> Output<'a> {
    /// Fails if the folder doesn't exist.
    pub fn new(arguments: &'a Arguments) -> Result<Output<'a>, String> {
        let path = &arguments.output;
        let shown = path.display();
        let name = path.file_name().and_then(|name| name.to_str()).filter(|_| !path.is_dir());
        let name = name.ok_or_else(|| format!("{shown}: expected a folder and the start of the names of files"))?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if !folder.is_dir() {
            return Err(format!("{}: the folder does not exist", folder.display()));
        }
        Ok(Output { arguments, folder: folder.to_owned(), name: name.trim_end_matches(".png").to_owned() })
    }

    /// Writes all files. Returns a summary.
    pub fn write(&self, sprites: &Sprites, swaps: &[Swap]) -> Result<String, String> {
        let sheet = &sprites.sheet;
        let packed = sheet.pack(&self.arguments.files.atlas())?;
        let mut files = self.atlases(sheet, &packed)?;
        if self.arguments.look.palette.is_some() {
            let text = palette_file::write_gpl(&self.name, &sprites.palette);
            files.push(self.file(".gpl", text.into_bytes(), "a palette", |old| old.starts_with(b"GIMP Palette")));
        }
        for (name, colors) in swaps {
            files.push(self.swapped(sprites, &packed, name, colors)?);
        }
        for &format in &self.arguments.files.formats {
            self.add(format, sprites, &packed, &mut files)?;
        }
        for file in &files {
            own_output::check_old(&file.path, file.kind, file.is_own)?;
        }
        for file in &files {
            own_output::write(&file.path, &file.bytes, file.kind, file.is_own)?;
        }
        let bytes: usize = files.iter().map(|file| file.bytes.len()).sum();
        let [width, height] = packed.size;
        let ([frames, pictures], colors) = ([sheet.frames.len(), sheet.pictures.len()], sprites.colors);
        Ok(format!(
            "{frames} frames, {pictures} different, {colors} colours, {width} × {height} -> {}, {} files, {bytes} bytes",
            self.folder.join(&self.name).display(),
            files.len()
        ))
    }

    fn file(&self, ending: &str, bytes: Vec<u8>, kind: &'static str, is_own: fn(&[u8]) -> bool) -> File {
        File { path: self.folder.join(format!("{}{ending}", self.name)), bytes, kind, is_own }
    }

    fn picture(&self, ending: &str, image: Option<Bitmap>) -> Result<File, String> {
        let bytes = png::encode(&image.ok_or("an image is empty")?).map_err(|error| error.to_string())?;
        Ok(self.file(ending, bytes, "a picture", is_picture))
    }

    /// The end of the name of a layer's atlas.
    fn ending(sheet: &Sheet, layer: usize) -> String {
        if layer == 0 { ".png".to_owned() } else { format!("-{}.png", sheet.layers[layer]) }
    }

    fn atlases(&self, sheet: &Sheet, packed: &Packed) -> Result<Vec<File>, String> {
        let atlas = |layer: usize| {
            self.picture(&Output::ending(sheet, layer), sheet.atlas(layer, packed, self.arguments.files.extrude))
        };
        (0..sheet.layers.len()).map(atlas).collect()
    }

    /// The atlas in other colours.
    fn swapped(&self, sprites: &Sprites, packed: &Packed, name: &str, colors: &[Rgb]) -> Result<File, String> {
        let own = sprites.palette.colors().len();
        if colors.len() != own {
            return Err(format!("--swap {name}: the palette has {} colours, the sheet {own}", colors.len()));
        }
        let atlas = sprites.sheet.atlas(0, packed, self.arguments.files.extrude);
        let image = atlas.and_then(|atlas| {
            let swap = |pixel: &[u8]| {
                let [r, g, b, a] = [0, 1, 2, 3].map(|at| pixel[at]);
                let [r, g, b] =
                    sprites.palette.index_of([r, g, b]).filter(|_| a > 0).map_or([r, g, b], |at| colors[at]);
                [r, g, b, a]
            };
            let pixels = atlas.pixels().chunks_exact(4).flat_map(swap).collect();
            Bitmap::new(atlas.width(), atlas.height(), pixels)
        });
        self.picture(&format!("-{}.png", escaped(name)), image)
    }

    fn add(&self, format: Format, sprites: &Sprites, packed: &Packed, files: &mut Vec<File>) -> Result<(), String> {
        let sheet = &sprites.sheet;
        match format {
            Format::Json => {
                let images: Vec<String> =
                    (0..sheet.layers.len()).map(|at| format!("{}{}", self.name, Output::ending(sheet, at))).collect();
                let text = json::write(sheet, packed, &images, self.arguments.files.json_form);
                files.push(self.file(".json", text.into_bytes(), "a sheet", |old| old.starts_with(b"{ \"frames\"")));
            }
            Format::Aseprite => files.push(self.aseprite(sprites)?),
            Format::Godot => {
                let text = godot::write(sheet, packed, &format!("{}.png", self.name));
                let is_own = |old: &[u8]| old.starts_with(b"[gd_resource type=\"SpriteFrames\"");
                files.push(self.file(".tres", text.into_bytes(), "a SpriteFrames resource", is_own));
            }
            Format::Gif => {
                if sprites.colors > MAX_COLORS {
                    let count = sprites.colors;
                    return Err(format!(
                        "the frames have {count} colours, a GIF {MAX_COLORS}; use --palette {MAX_COLORS}"
                    ));
                }
                self.tags(sheet, "gif", files, |tag| gif::write(sheet, tag, &sprites.palette))?;
            }
            Format::Apng => self.tags(sheet, "png", files, |tag| apng::write(sheet, tag))?,
            Format::Png => {
                for frame in &sheet.frames {
                    files.push(self.picture(&format!("-{}.png", escaped(&frame.name)), sheet.whole(frame, 0))?);
                }
            }
        }
        Ok(())
    }

    fn tags(
        &self,
        sheet: &Sheet,
        extension: &str,
        files: &mut Vec<File>,
        encode: impl Fn(&Tag) -> Result<Vec<u8>, String>,
    ) -> Result<(), String> {
        for tag in &sheet.tags {
            let ending = format!("-{}.{extension}", escaped(&tag.name));
            files.push(self.file(&ending, encode(tag)?, "a picture", is_picture));
        }
        Ok(())
    }

    /// A file that another program changed is replaced only on request.
    fn aseprite(&self, sprites: &Sprites) -> Result<File, String> {
        let bytes = aseprite::write(&sprites.sheet, &sprites.palette)?;
        let file = self.file(".aseprite", bytes, "an .aseprite file", |_| true);
        let is_kept = || -> Result<bool, String> {
            let old = files::read(&file.path)?;
            Ok(!old.is_empty() && !aseprite::is_untouched(&old))
        };
        if !self.arguments.files.force && fs::exists(&file.path).unwrap_or(false) && is_kept()? {
            let shown = file.path.display();
            return Err(format!("{shown}: changed by another program, so it is not replaced; --force replaces it"));
        }
        Ok(file)
    }
}

fn is_picture(old: &[u8]) -> bool {
    PICTURES.iter().any(|start| old.starts_with(start))
}
