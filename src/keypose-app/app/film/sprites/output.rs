//! The files of a sheet. All are made before the first is written.

use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use keypose::assets::sprite_recipe::{Rgb, SheetFormat, SpriteColors, SpriteRecipe};
use keypose_editor::editor::view::sprite_sheet::SheetView;
use keypose_tools::export::bitmap::Bitmap;
use keypose_tools::export::png;
use keypose_tools::sprites::atlas::{AtlasOptions, Packed};
use keypose_tools::sprites::made::{Sprites, Warning};
use keypose_tools::sprites::palette::{MAX_COLORS, Palette};
use keypose_tools::sprites::retouch::Retouched;
use keypose_tools::sprites::sheet::{Sheet, Tag};
use keypose_tools::sprites::{apng, aseprite, gif, godot, json, palette_file};

use crate::app::commands::own_output::{self, PICTURES};
use crate::app::commands::wad::extract::escaped;
use crate::app::files;

/// Where and what is written.
pub struct Output<'a> {
    recipe: &'a SpriteRecipe,
    /// Whether an `.aseprite` file that another program changed is replaced.
    replaces_changed: bool,
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

/// A packed sheet with the texts and images of its files.
struct Files {
    packed: Packed,
    /// The atlases by name.
    images: Vec<(String, Bitmap)>,
    files: Vec<File>,
}

impl<'a> Output<'a> {
    /// Fails if the folder doesn't exist.
    pub fn new(path: &Path, recipe: &'a SpriteRecipe, replaces_changed: bool) -> Result<Output<'a>, String> {
        let shown = path.display();
        let name = path.file_name().and_then(|name| name.to_str()).filter(|_| !path.is_dir());
        let name = name.ok_or_else(|| format!("{shown}: expected a folder and the start of the names of files"))?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if !folder.is_dir() {
            return Err(format!("{}: the folder does not exist", folder.display()));
        }
        let name = name.trim_end_matches(".png").to_owned();
        Ok(Output { recipe, replaces_changed, folder: folder.to_owned(), name })
    }

    /// The output of a name without a folder, which is never written.
    pub fn of_name(name: &str, recipe: &'a SpriteRecipe) -> Output<'a> {
        Output { recipe, replaces_changed: false, folder: PathBuf::new(), name: name.to_owned() }
    }

    /// The sheet as panels show it. What prevents its files is a warning.
    pub fn view(&self, sprites: Arc<Sprites>) -> SheetView {
        let mut warnings = sprites.warnings();
        let made = self.files(&sprites).map_err(|text| warnings.push(Warning { text, frame: sprites.largest() }));
        let (packed, images, files) =
            made.map_or((None, Vec::new(), Vec::new()), |made| (Some(made.packed), made.images, made.files));
        let bytes = files.iter().map(|file| file.bytes.len()).sum();
        SheetView { sprites, packed, images, warnings, files: files.len(), bytes }
    }

    /// Writes all files, with the frames that were drawn by hand in place of new ones. Returns a summary.
    pub fn write(&self, sprites: &Sprites, by_hand: &Retouched) -> Result<String, String> {
        let kept = by_hand.put_into(&sprites.sheet).map_err(|reason| self.not_replaced(&reason))?;
        let kept = kept.map(|sheet| Sprites { sheet, ..sprites.clone() });
        let sprites = kept.as_ref().unwrap_or(sprites);
        let Files { packed, files, .. } = self.files(sprites)?;
        for file in &files {
            own_output::check_old(&file.path, file.kind, file.is_own)?;
        }
        for file in &files {
            own_output::write(&file.path, &file.bytes, file.kind, file.is_own)?;
        }
        let bytes: usize = files.iter().map(|file| file.bytes.len()).sum();
        let ([width, height], sheet, colors) = (packed.size, &sprites.sheet, sprites.colors);
        let names = by_hand.names();
        let kept = if names.is_empty() { String::new() } else { format!("; kept by hand: {}", names.join(", ")) };
        Ok(format!(
            "{} frames, {} different, {colors} colours, {width} × {height} -> {}, {} files, {bytes} bytes{kept}",
            sheet.frames.len(),
            sheet.pictures.len(),
            self.folder.join(&self.name).display(),
            files.len()
        ))
    }

    fn files(&self, sprites: &Sprites) -> Result<Files, String> {
        let packed = sprites.sheet.pack(&self.atlas_options())?;
        let images = self.images(sprites, &packed)?;
        let atlas = |(name, image): &(String, Bitmap)| self.picture(&ending(name), image);
        let mut files: Vec<File> = images.iter().map(atlas).collect::<Result<_, _>>()?;
        if self.recipe.colors != SpriteColors::All {
            let text = palette_file::write_gpl(&self.name, &sprites.palette);
            files.push(self.file(".gpl", text.into_bytes(), "a palette", |old| old.starts_with(b"GIMP Palette")));
        }
        for &format in &self.recipe.formats {
            self.add(format, sprites, &packed, &mut files)?;
        }
        Ok(Files { packed, images, files })
    }

    /// The atlases of all layers and swaps, by name; that of the colours has none.
    fn images(&self, sprites: &Sprites, packed: &Packed) -> Result<Vec<(String, Bitmap)>, String> {
        let sheet = &sprites.sheet;
        let atlas = |layer: usize| sheet.atlas(layer, packed, self.recipe.extrusion).ok_or("an image is empty");
        let mut images = vec![(String::new(), atlas(0)?)];
        for (layer, name) in sheet.layers.iter().enumerate().skip(1) {
            images.push((name.clone(), atlas(layer)?));
        }
        for (name, colors) in &self.recipe.swaps {
            let swapped = swapped(&sprites.palette, &images[0].1, colors);
            images.push((name.clone(), swapped.map_err(|reason| format!("--swap {name}: {reason}"))?));
        }
        Ok(images)
    }

    fn atlas_options(&self) -> AtlasOptions {
        AtlasOptions {
            padding: self.recipe.padding,
            extrusion: self.recipe.extrusion,
            is_power_of_two: self.recipe.is_power_of_two,
            max_side: self.recipe.max_side,
        }
    }

    fn file(&self, ending: &str, bytes: Vec<u8>, kind: &'static str, is_own: fn(&[u8]) -> bool) -> File {
        File { path: self.folder.join(format!("{}{ending}", self.name)), bytes, kind, is_own }
    }

    fn picture(&self, ending: &str, image: &Bitmap) -> Result<File, String> {
        let bytes = png::encode(image).map_err(|error| error.to_string())?;
        Ok(self.file(ending, bytes, "a picture", is_picture))
    }

    fn add(
        &self,
        format: SheetFormat,
        sprites: &Sprites,
        packed: &Packed,
        files: &mut Vec<File>,
    ) -> Result<(), String> {
        let sheet = &sprites.sheet;
        match format {
            SheetFormat::Json => {
                let images: Vec<String> =
                    (0..sheet.layers.len()).map(|at| format!("{}{}", self.name, layer_ending(sheet, at))).collect();
                let text = json::write(sheet, packed, &images, self.recipe.json_form);
                files.push(self.file(".json", text.into_bytes(), "a sheet", |old| old.starts_with(b"{ \"frames\"")));
            }
            SheetFormat::Aseprite => {
                let bytes = aseprite::write(&sprites.sheet, &sprites.palette)?;
                files.push(self.file(ASEPRITE, bytes, "an .aseprite file", |_| true));
            }
            SheetFormat::Godot => {
                let text = godot::write(sheet, packed, &format!("{}.png", self.name));
                let is_own = |old: &[u8]| old.starts_with(b"[gd_resource type=\"SpriteFrames\"");
                files.push(self.file(".tres", text.into_bytes(), "a SpriteFrames resource", is_own));
            }
            SheetFormat::Gif => {
                if sprites.colors > MAX_COLORS {
                    let count = sprites.colors;
                    return Err(format!(
                        "the frames have {count} colours, a GIF {MAX_COLORS}; use --palette {MAX_COLORS}"
                    ));
                }
                self.tags(sheet, "gif", files, |tag| gif::write(sheet, tag, &sprites.palette))?;
            }
            SheetFormat::Apng => self.tags(sheet, "png", files, |tag| apng::write(sheet, tag))?,
            SheetFormat::Png => {
                for frame in &sheet.frames {
                    let whole = sheet.whole(frame, 0).ok_or("an image is empty")?;
                    files.push(self.picture(&ending(&frame.name), &whole)?);
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

    /// The frames that were drawn by hand in the `.aseprite` file that would be replaced; none if those are to be replaced, too.
    pub fn by_hand(&self) -> Result<Retouched, String> {
        let path = self.aseprite();
        let writes = self.recipe.formats.contains(&SheetFormat::Aseprite) && !self.replaces_changed;
        if !writes || !fs::exists(&path).unwrap_or(false) {
            return Ok(Retouched::default());
        }
        let old = files::read(&path)?;
        if old.trim_ascii().is_empty() {
            return Ok(Retouched::default());
        }
        Retouched::read(&old).map_err(|reason| self.not_replaced(&reason))
    }

    fn aseprite(&self) -> PathBuf {
        self.folder.join(format!("{}{ASEPRITE}", self.name))
    }

    fn not_replaced(&self, reason: &str) -> String {
        format!("{}: {reason}; --force replaces the file", self.aseprite().display())
    }
}

/// The end of the name of an `.aseprite` file.
const ASEPRITE: &str = ".aseprite";

/// The end of the name of an image.
fn ending(name: &str) -> String {
    if name.is_empty() { ".png".to_owned() } else { format!("-{}.png", escaped(name)) }
}

/// The end of the name of a layer's atlas.
fn layer_ending(sheet: &Sheet, layer: usize) -> String {
    ending(if layer == 0 { "" } else { &sheet.layers[layer] })
}

/// An image in other colours, in the order of its palette.
fn swapped(palette: &Palette, image: &Bitmap, colors: &[Rgb]) -> Result<Bitmap, String> {
    let own = palette.colors().len();
    if colors.len() != own {
        return Err(format!("the palette has {} colours, the sheet {own}", colors.len()));
    }
    let swap = |pixel: &[u8]| {
        let [r, g, b, a] = [0, 1, 2, 3].map(|at| pixel[at]);
        let [r, g, b] = palette.index_of([r, g, b]).filter(|_| a > 0).map_or([r, g, b], |at| colors[at]);
        [r, g, b, a]
    };
    let pixels = image.pixels().chunks_exact(4).flat_map(swap).collect();
    Bitmap::new(image.width(), image.height(), pixels).ok_or_else(|| "an image is empty".to_owned())
}

/// The path of an output from the folder of the archive, with "/".
pub fn relative(output: &Path, file: &Path) -> Result<String, String> {
    let full = |path: &Path| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        folder.canonicalize().map_err(|error| format!("{}: {error}", folder.display()))
    };
    let (folder, base) = (full(output)?, full(file)?);
    let same = folder.components().zip(base.components()).take_while(|(a, b)| a == b).count();
    if same == 0 {
        return Err(format!("{}: not on the drive of {}, so it can't be stored", output.display(), file.display()));
    }
    let up = base.components().skip(same).map(|_| Component::ParentDir.as_os_str());
    let down = folder.components().skip(same).map(Component::as_os_str);
    let parts = up.chain(down).chain(output.file_name()).map(|part| part.to_string_lossy().into_owned());
    Ok(parts.collect::<Vec<_>>().join("/"))
}

/// A line of help about a format.
pub fn meaning(format: SheetFormat) -> &'static str {
    match format {
        SheetFormat::Json => "NAME.json, in the form of Aseprite, with events, volumes and sockets in pixels",
        SheetFormat::Aseprite => "NAME.aseprite, with all layers, tags, durations and slices",
        SheetFormat::Godot => "NAME.tres, a SpriteFrames resource of Godot 4",
        SheetFormat::Gif => "NAME-TAG.gif for each clip and direction",
        SheetFormat::Apng => "NAME-TAG.png, animated, for each clip and direction",
        SheetFormat::Png => "NAME-FRAME.png for each frame",
    }
}

fn is_picture(old: &[u8]) -> bool {
    PICTURES.iter().any(|start| old.starts_with(start))
}
