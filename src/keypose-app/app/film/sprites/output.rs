//! The files of a sheet. All are made before the first is written.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use keypose::anim::parallel;
use keypose::assets::sprite_recipe::{Rgb, SheetFormat, SpriteColors, SpriteRecipe};
use keypose_editor::editor::view::sprite_sheet::SheetView;
use keypose_tools::export::bitmap::Bitmap;
use keypose_tools::export::png;
use keypose_tools::sprites::atlas::Packed;
use keypose_tools::sprites::made::{Sprites, Warning};
use keypose_tools::sprites::palette::{MAX_COLORS, Palette};
use keypose_tools::sprites::retouch::Retouched;
use keypose_tools::sprites::sheet::{Sheet, SheetFrame, Tag};
use keypose_tools::sprites::{apng, aseprite, gif, godot, json, palette_file};

use crate::app::commands::own_output::{self, PICTURES};
use crate::app::commands::wad::extract::{cut, escaped};
use crate::app::files::own_files::folder_of;
use crate::app::files::{self, save};

/// Where and what is written.
pub struct Output<'a> {
    recipe: &'a SpriteRecipe,
    /// Whether an `.aseprite` file that another program changed is replaced.
    replaces_changed: bool,
    folder: PathBuf,
    /// The start of the names of all files.
    name: String,
}

/// A sheet and its colours.
#[derive(Clone, Copy)]
struct Drawn<'a> {
    sheet: &'a Sheet,
    palette: &'a Palette,
    /// The number of different colours.
    colors: usize,
}

/// Files that are made at once.
enum Part {
    /// The atlas of a layer or a palette swap, by its number.
    Image(usize),
    Format(SheetFormat),
}

/// A file with the words and the test for what it may replace.
struct File {
    path: PathBuf,
    bytes: Vec<u8>,
    kind: &'static str,
    is_own: fn(&[u8]) -> bool,
}

impl<'a> Output<'a> {
    /// Fails if the folder doesn't exist.
    pub fn new(path: &Path, recipe: &'a SpriteRecipe, replaces_changed: bool) -> Result<Output<'a>, String> {
        let shown = path.display();
        let is_folder = path.is_dir() || files::ends_as_folder(path);
        let name = path.file_name().and_then(|name| name.to_str()).filter(|_| !is_folder);
        let name = name.ok_or_else(|| format!("{shown}: expected a folder and the start of the names of files"))?;
        let folder = folder_of(path);
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
        let (mut warnings, mut view) = (sprites.warnings(), (None, Vec::new(), Vec::new()));
        let drawn = Drawn { sheet: &sprites.sheet, palette: &sprites.palette, colors: sprites.colors };
        let made = self.files(drawn).and_then(|(packed, files)| {
            let image = |(at, name)| self.image(drawn, &packed, at).map(|image| (name, image));
            let images = self.names(drawn.sheet).into_iter().enumerate().map(image).collect::<Result<_, _>>()?;
            Ok((Some(packed), images, files))
        });
        match made {
            Ok(made) => view = made,
            Err(text) => warnings.push(Warning { text, frame: sprites.largest() }),
        }
        let (packed, images, files) = view;
        let bytes = files.iter().map(|file| file.bytes.len()).sum();
        SheetView { sprites, packed, images, warnings, files: files.len(), bytes }
    }

    /// Writes all files, with the frames that were drawn by hand in place of new ones. Returns a summary.
    pub fn write(&self, sprites: &Sprites, by_hand: &Retouched) -> Result<String, String> {
        let kept = by_hand.put_into(&sprites.sheet).map_err(|reason| self.not_replaced(&reason))?;
        let sheet = kept.as_ref().unwrap_or(&sprites.sheet);
        let (packed, files) = self.files(Drawn { sheet, palette: &sprites.palette, colors: sprites.colors })?;
        for file in &files {
            own_output::check_old(&file.path, file.kind, file.is_own)?;
        }
        save::sweep_folder(&self.folder);
        if by_hand.is_foreign {
            save::keep_version(&self.aseprite())?;
        }
        save::replace_all(files.iter().map(|file| Ok((&file.path, &file.bytes))))?;
        let bytes: usize = files.iter().map(|file| file.bytes.len()).sum();
        let ([width, height], colors) = (packed.size, sprites.colors);
        let kept: String = self.kept(by_hand).iter().map(|line| format!("; {line}")).collect();
        Ok(format!(
            "{} frames, {} different, {colors} colours, {width} × {height} -> {}, {} files, {bytes} bytes{kept}",
            sheet.frames.len(),
            sheet.pictures.len(),
            self.folder.join(&self.name).display(),
            files.len()
        ))
    }

    /// Sentences about what is kept of the `.aseprite` file.
    pub fn kept(&self, by_hand: &Retouched) -> Vec<String> {
        let names = by_hand.names();
        let drawn = (!names.is_empty()).then(|| format!("kept by hand: {}", names.join(", ")));
        let whole = by_hand.is_foreign.then(|| {
            let name = format!("{}{ASEPRITE}.1", self.name);
            format!("the file as another program saved it is {name}; times, tags and slices are those of the clips")
        });
        drawn.into_iter().chain(whole).collect()
    }

    /// Makes all files, on several threads.
    fn files(&self, drawn: Drawn<'_>) -> Result<(Packed, Vec<File>), String> {
        let packed = drawn.sheet.pack(self.recipe)?;
        let images = (0..self.names(drawn.sheet).len()).map(Part::Image);
        let parts: Vec<Part> = images.chain(self.recipe.formats.iter().copied().map(Part::Format)).collect();
        let made = parallel::map(&parts, usize::MAX, |part| match part {
            Part::Image(at) => Ok(vec![self.atlas(drawn, &packed, *at)?]),
            Part::Format(format) => self.of_format(*format, drawn, &packed),
        });
        let made: Vec<Vec<File>> = made.into_iter().collect::<Result<_, String>>()?;
        let mut files: Vec<File> = made.into_iter().flatten().collect();
        if self.recipe.colors != SpriteColors::All {
            let text = palette_file::write_gpl(&self.name, drawn.palette);
            files.push(self.file(".gpl", text.into_bytes(), "a palette", |old| old.starts_with(b"GIMP Palette")));
        }
        let mut known = BTreeSet::new();
        match files.iter().find(|file| !known.insert(&file.path)) {
            Some(file) => Err(format!("two files would be {}; rename a clip or a palette swap", file.path.display())),
            None => Ok((packed, files)),
        }
    }

    /// The names of the layers and palette swaps; that of the colours is empty.
    fn names(&self, sheet: &Sheet) -> Vec<String> {
        let layers = sheet.layers.iter().enumerate().map(|(at, name)| if at == 0 { "" } else { name });
        layers.chain(self.recipe.swaps.keys().map(String::as_str)).map(str::to_owned).collect()
    }

    /// The layer and the palette swap of an image, in the order of their names.
    fn layer_and_swap(&self, drawn: Drawn<'_>, at: usize) -> Result<(usize, Option<&[Rgb]>), String> {
        let Some(swap) = at.checked_sub(drawn.sheet.layers.len()) else { return Ok((at, None)) };
        let own = drawn.palette.colors().len();
        match self.recipe.swaps.iter().nth(swap) {
            Some((name, colors)) if colors.len() != own => {
                Err(format!("the palette swap \"{name}\" has {} colours, the sheet {own}", colors.len()))
            }
            swap => Ok((0, swap.map(|(_, colors)| &colors[..]))),
        }
    }

    /// The atlas of a layer or of a palette swap.
    fn image(&self, drawn: Drawn<'_>, packed: &Packed, at: usize) -> Result<Bitmap, String> {
        let (layer, swap) = self.layer_and_swap(drawn, at)?;
        let image = drawn.sheet.atlas(layer, packed, self.recipe.extrusion).ok_or("an image is empty")?;
        let Some(colors) = swap else { return Ok(image) };
        let mut pixels = image.pixels().to_vec();
        swap_colors(drawn.palette, colors, &mut pixels);
        Bitmap::new(image.width(), image.height(), pixels).ok_or_else(|| "an image is empty".to_owned())
    }

    /// The file of an atlas.
    fn atlas(&self, drawn: Drawn<'_>, packed: &Packed, at: usize) -> Result<File, String> {
        let (layer, swap) = self.layer_and_swap(drawn, at)?;
        let draw = |top, pixels: &mut [u8]| {
            drawn.sheet.draw_rows((layer, packed, self.recipe.extrusion), top, pixels);
            if let Some(colors) = swap {
                swap_colors(drawn.palette, colors, pixels);
            }
        };
        let bytes = png::encode_drawn(packed.size, draw).map_err(|error| error.to_string())?;
        Ok(self.file(&ending(&self.names(drawn.sheet)[at]), bytes, "a picture", is_picture))
    }

    fn file(&self, ending: &str, bytes: Vec<u8>, kind: &'static str, is_own: fn(&[u8]) -> bool) -> File {
        File { path: self.folder.join(format!("{}{ending}", self.name)), bytes, kind, is_own }
    }

    fn picture(&self, ending: &str, image: &Bitmap) -> Result<File, String> {
        let bytes = png::encode(image).map_err(|error| error.to_string())?;
        Ok(self.file(ending, bytes, "a picture", is_picture))
    }

    fn of_format(&self, format: SheetFormat, drawn: Drawn<'_>, packed: &Packed) -> Result<Vec<File>, String> {
        let Drawn { sheet, palette, colors } = drawn;
        let file = match format {
            SheetFormat::Json => {
                let images: Vec<String> =
                    self.names(sheet).iter().map(|name| self.name.clone() + &ending(name)).collect();
                let text = json::write(sheet, packed, &images[..sheet.layers.len()], self.recipe.json_form);
                self.file(".json", text.into_bytes(), "a sheet", |old| old.starts_with(b"{ \"frames\""))
            }
            SheetFormat::Aseprite => {
                self.file(ASEPRITE, aseprite::write(sheet, palette)?, "an .aseprite file", |_| true)
            }
            SheetFormat::Godot => {
                let text = godot::write(sheet, packed, &format!("{}.png", self.name));
                let is_own = |old: &[u8]| old.starts_with(b"[gd_resource type=\"SpriteFrames\"");
                self.file(".tres", text.into_bytes(), "a SpriteFrames resource", is_own)
            }
            SheetFormat::Gif if colors > MAX_COLORS => {
                return Err(format!("the frames have {colors} colours, a GIF {MAX_COLORS}; choose a palette"));
            }
            SheetFormat::Gif => return self.of_tags(sheet, "gif", |tag| gif::write(sheet, tag, palette)),
            SheetFormat::Apng => return self.of_tags(sheet, "png", |tag| apng::write(sheet, tag)),
            SheetFormat::Png => {
                let picture = |frame: &SheetFrame| {
                    self.picture(&ending(&frame.name), &sheet.whole(frame, 0).ok_or("an image is empty")?)
                };
                return sheet.frames.iter().map(picture).collect();
            }
        };
        Ok(vec![file])
    }

    fn of_tags(
        &self,
        sheet: &Sheet,
        extension: &str,
        encode: impl Fn(&Tag) -> Result<Vec<u8>, String>,
    ) -> Result<Vec<File>, String> {
        let file = |tag: &Tag| {
            let ending = format!("-{}.{extension}", part(&tag.name));
            Ok(self.file(&ending, encode(tag)?, "a picture", is_picture))
        };
        sheet.tags.iter().map(file).collect()
    }

    /// The frames that were drawn by hand in the `.aseprite` file that would be replaced; none if those are to be replaced, too.
    pub fn by_hand(&self) -> Result<Retouched, String> {
        let path = self.aseprite();
        if !self.recipe.formats.contains(&SheetFormat::Aseprite) || !fs::exists(&path).unwrap_or(false) {
            return Ok(Retouched::default());
        }
        let old = files::read(&path)?;
        if old.trim_ascii().is_empty() {
            return Ok(Retouched::default());
        }
        if self.replaces_changed {
            return Ok(Retouched::replaced(&old));
        }
        Retouched::read(&old).map_err(|reason| self.not_replaced(&reason))
    }

    fn aseprite(&self) -> PathBuf {
        self.folder.join(format!("{}{ASEPRITE}", self.name))
    }

    fn not_replaced(&self, reason: &str) -> String {
        format!("{}: {reason}; remove the file to draw all frames again", self.aseprite().display())
    }
}

/// The end of the name of an `.aseprite` file.
const ASEPRITE: &str = ".aseprite";

/// The end of the name of an image.
fn ending(name: &str) -> String {
    if name.is_empty() { ".png".to_owned() } else { format!("-{}.png", part(name)) }
}

fn part(name: &str) -> String {
    cut(escaped(name), name)
}

/// Replaces the colours of a palette by those of a swap, in the same order.
fn swap_colors(palette: &Palette, colors: &[Rgb], pixels: &mut [u8]) {
    for pixel in pixels.as_chunks_mut::<4>().0 {
        let [r, g, b, a] = *pixel;
        let [r, g, b] = palette.index_of([r, g, b]).filter(|_| a > 0).map_or([r, g, b], |at| colors[at]);
        *pixel = [r, g, b, a];
    }
}

/// The path of an output from the folder of the archive, with "/".
pub fn relative(output: &Path, file: &Path) -> Result<String, String> {
    let full = |path: &Path| {
        let folder = folder_of(path);
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
