//! `keypose sprites`: writes sprite sheets of clips without a display, by the recipe of the model and by options.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::builder::PossibleValue;

use keypose::anim::bake::BakedClip;
use keypose::assets::character::Character;
use keypose::assets::mesh_reach::bake_clip;
use keypose::assets::model::{ClipSlot, Model};
use keypose::assets::sprite_recipe::{
    JsonForm, Layer, Outline, SWITCHES, SheetFormat, SpriteCamera, SpriteRecipe, Up, color_list,
};
use keypose_editor::editor::document::Document;
use keypose_editor::editor::document::edit::ModelEdit;
use keypose_tools::sprites::palette_file;

use crate::app::commands::one_of::one_of;
use crate::app::commands::{ModelSource, Target, in_file, open_archive, save_archive, wad, warn_all};
use crate::app::files::Opened;
use crate::app::film::sprites::output::{self, Output};
use crate::app::film::sprites::{self, SpriteJob};
use crate::app::{console, files};

/// Render clips to a sprite sheet for 2D games: pixels without anti-aliasing, an atlas with JSON, `.aseprite`, Godot
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    source: ModelSource,
    /// The start of the names of all files that are written: NAME.png, NAME.json, …
    #[arg(short, long, value_name = "NAME")]
    output: Option<PathBuf>,
    /// Store the settings in the archive: later runs and the editor use them where no option says otherwise
    #[arg(long)]
    keep: bool,
    #[command(flatten)]
    frames: Frames,
    #[command(flatten)]
    look: LookArguments,
    #[command(flatten)]
    layers: Layers,
    #[command(flatten)]
    files: FileArguments,
}

/// Poses, directions and sizes of frames.
#[derive(clap::Args)]
#[command(next_help_heading = "Frames")]
struct Frames {
    /// Names of the clips; by default all
    #[arg(long, value_name = "NAMES")]
    clips: Option<String>,
    /// Number of directions, by default 1: 1 looks right, 2 right and left
    #[arg(long, value_parser = ["1", "2", "4", "8", "16"])]
    directions: Option<String>,
    /// Show sides that look left as mirror images of those that look right
    #[arg(long)]
    mirror: bool,
    /// Height of the camera; by default side for 1 and 2 directions, else three-quarter
    #[arg(long, value_parser = one_of(&SpriteCamera::ALL, |camera| camera.name().into()))]
    camera: Option<SpriteCamera>,
    /// Angle of the camera above the ground in degrees, 0 to 90
    #[arg(long, value_name = "DEGREES", conflicts_with = "camera")]
    elevation: Option<String>,
    /// Height of the standing model in pixels, 8 to 512; by default 48
    #[arg(long, value_name = "PIXELS")]
    height: Option<String>,
    /// Pixels per unit of the model instead, so that all characters of a game fit together
    #[arg(long, value_name = "PIXELS", conflicts_with = "height")]
    scale: Option<String>,
    /// Poses between two keyframes, 0 to 60; by default keyframes alone, each with its duration
    #[arg(long, value_name = "COUNT", conflicts_with = "fps")]
    between: Option<String>,
    /// Frames per second, 1 to 60, instead of keyframes
    #[arg(long)]
    fps: Option<String>,
    /// Keep frames that move by less than half a pixel
    #[arg(long)]
    every_frame: bool,
}

/// Light, lines and colours.
#[derive(clap::Args)]
#[command(next_help_heading = "Look")]
struct LookArguments {
    /// Steps of light, 1 (none) to 5; by default 3
    #[arg(long, value_name = "COUNT")]
    shades: Option<String>,
    /// Draw an outline
    #[arg(long, value_name = "WHERE", value_parser = one_of(&Outline::ALL, |outline| outline.name().into()), num_args = 0..=1, default_missing_value = "outside", require_equals = true)]
    outline: Option<Outline>,
    /// Colour of the outline, as six hexadecimal digits; by default, or with auto, darker than the body
    #[arg(long, value_name = "RRGGBB")]
    outline_color: Option<String>,
    /// Draw lines where one part is in front of another
    #[arg(long)]
    inner_lines: bool,
    /// Blend steps of light in a pattern
    #[arg(long)]
    dither: bool,
    /// Number of colours, 2 to 255, a file with a palette (.gpl, .hex, .pal, .png), or all for no palette
    #[arg(long, value_name = "COUNT|FILE")]
    palette: Option<PathBuf>,
    /// Also write the sheet with the colours of this palette in place of its own, in the same order; needs a palette
    #[arg(long, value_name = "FILE")]
    swap: Vec<PathBuf>,
}

/// Layers beside the colours.
#[derive(clap::Args)]
#[command(next_help_heading = "Layers")]
struct Layers {
    /// Write normals, for light in the game
    #[arg(long)]
    normals: bool,
    /// Direction of green in normals; by default y-up
    #[arg(long, value_name = "UP", value_parser = one_of(&Up::ALL, |up| up.name().into()))]
    normals_up: Option<Up>,
    /// Write the light that materials emit
    #[arg(long)]
    emission: bool,
    /// Write depth: near is bright
    #[arg(long)]
    depth: bool,
    /// Write a colour for each material
    #[arg(long)]
    mask: bool,
    /// Write the silhouette in white
    #[arg(long)]
    silhouette: bool,
    /// Write the shadow on the ground, for cameras from above
    #[arg(long)]
    shadow: bool,
    /// Write what sockets hold as a layer of its own, and the colours without it
    #[arg(long)]
    attachments: bool,
}

/// Files and the form of the atlas.
#[derive(clap::Args)]
#[command(next_help_heading = "Files")]
struct FileArguments {
    /// Files beside the atlas; by default json
    #[arg(long, value_name = "FORMATS", value_delimiter = ',', value_parser = one_of(&SheetFormat::ALL, |format| PossibleValue::new(format.name()).help(output::meaning(format))))]
    formats: Vec<SheetFormat>,
    /// Form of the list of frames in JSON; by default array
    #[arg(long, value_name = "FORM", value_parser = one_of(&JsonForm::ALL, |form| form.name().into()))]
    json_form: Option<JsonForm>,
    /// Transparent pixels between frames in the atlas, 0 to 64; by default 1
    #[arg(long, value_name = "PIXELS")]
    padding: Option<String>,
    /// Pixels by which edges of frames are repeated, 0 to 16; by default 0
    #[arg(long, value_name = "PIXELS")]
    extrude: Option<String>,
    /// Make both sides of the atlas powers of two
    #[arg(long)]
    power_of_two: bool,
    /// Maximum width and height of the atlas, 64 to 16384; by default 4096
    #[arg(long, value_name = "PIXELS")]
    max_size: Option<String>,
    /// Switches of the recipe to turn off, such as dither,normals
    #[arg(long, value_name = "SWITCHES", value_delimiter = ',', value_parser = SWITCHES)]
    without: Vec<String>,
    /// Replace an `.aseprite` file that was changed by another program
    #[arg(long)]
    force: bool,
    /// Write all files again whenever FILE is saved, until the program is stopped
    #[arg(long)]
    watch: bool,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    let changes = arguments.changes()?;
    if arguments.keep {
        keep(arguments, &changes)?;
    }
    let source = &arguments.source;
    let opened = if arguments.files.watch { source.source.open() } else { source.open_unbaked() }?;
    write(arguments, &changes, &opened)?;
    if arguments.files.watch {
        source.follow(opened, |opened| write(arguments, &changes, opened))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Stores the settings in the archive.
fn keep(arguments: &Arguments, changes: &Changes) -> Result<(), String> {
    let file = arguments.source.file();
    let target = Target::hold(file)?;
    let opened = open_archive(file)?;
    let model = arguments.source.index(&opened)?;
    let mut recipe = changes.applied(&opened.project.models[model].sprites)?;
    if let Some(output) = &arguments.output {
        recipe.set("output", &output::relative(output, file)?)?;
    }
    let edit = ModelEdit::SetSprites { model, sprites: Arc::new(recipe) }.into();
    let document = Document::new(opened.project).with(&[edit]).map_err(in_file(file))?;
    save_archive(&target, document.project(), &opened.characters).map(drop)
}

/// Writes the files and prints a summary.
fn write(arguments: &Arguments, changes: &Changes, opened: &Opened) -> Result<(), String> {
    warn_all(&opened.report);
    let at = arguments.source.index(opened)?;
    let (model, character) = (&opened.project.models[at], opened.characters.get(at));
    let recipe = changes.applied(&model.sprites)?;
    let file = arguments.source.file();
    let path = match &arguments.output {
        Some(path) => path.clone(),
        None if recipe.output.is_empty() => {
            return Err(format!("{}: the recipe has no name for the files; use --output NAME", file.display()));
        }
        None => file.with_file_name("").join(&recipe.output),
    };
    let output = Output::new(&path, &recipe, arguments.files.force)?;
    let clips = clips(&recipe, model, (character, file))?;
    // Also what the model may hold.
    let mut materials = opened.project.models.iter().flat_map(|model| &model.materials);
    if recipe.layers.contains(&Layer::Emission) && materials.all(|one| one.emissive == [0.0; 3]) {
        console::warn("keypose: no material emits light; the layer is empty");
    }
    let by_hand = output.by_hand()?;
    let job = SpriteJob::new(model, &opened.project.models, clips, &recipe)?;
    let written = wad::output::Output::new(false)
        .watched("rendering", file, |progress| output.write(&sprites::make(&job, progress)?, &by_hand))?;
    console::print(format_args!("{}: {written}", model.name));
    Ok(())
}

/// The clips of a recipe with their baked forms.
fn clips(
    recipe: &SpriteRecipe,
    model: &Arc<Model>,
    (character, file): (Option<&Arc<Character>>, &Path),
) -> Result<Vec<(ClipSlot, Arc<BakedClip>)>, String> {
    if model.clips.is_empty() {
        return Err(format!("{}: the model \"{}\" has no clips", file.display(), model.name));
    }
    let find = |name: &String| model.clip_named(name).ok_or_else(|| files::no_clip(model, name, file));
    let chosen: Vec<&ClipSlot> = if recipe.clips.is_empty() {
        model.clips.iter().collect()
    } else {
        recipe.clips.iter().map(find).collect::<Result<_, _>>()?
    };
    let baked = |slot: &ClipSlot| {
        let known = character.and_then(|character| character.clip_named(&slot.clip.name)).cloned();
        known.unwrap_or_else(|| Arc::new(bake_clip(model, &slot.clip)))
    };
    Ok(chosen.into_iter().map(|slot| (slot.clone(), baked(slot))).collect())
}

/// Options in place of those of a recipe.
struct Changes {
    options: Vec<(&'static str, String)>,
    swaps: Vec<String>,
}

impl Changes {
    fn applied(&self, recipe: &SpriteRecipe) -> Result<SpriteRecipe, String> {
        let mut recipe = recipe.clone();
        if !self.swaps.is_empty() {
            recipe.swaps.clear();
        }
        for (option, value) in &self.options {
            recipe.set(option, value)?;
        }
        self.swaps.iter().try_for_each(|swap| recipe.set("swap", swap))?;
        recipe.check().map(|()| recipe)
    }
}

impl Arguments {
    fn changes(&self) -> Result<Changes, String> {
        let Arguments { frames, look, layers, files, .. } = self;
        let mut options: Vec<(&'static str, String)> = Vec::new();
        let given = [
            ("clips", frames.clips.as_deref()),
            ("directions", frames.directions.as_deref()),
            ("camera", frames.camera.map(SpriteCamera::name)),
            ("elevation", frames.elevation.as_deref()),
            ("height", frames.height.as_deref()),
            ("scale", frames.scale.as_deref()),
            ("between", frames.between.as_deref()),
            ("fps", frames.fps.as_deref()),
            ("shades", look.shades.as_deref()),
            ("outline", look.outline.map(Outline::name)),
            ("outline-color", look.outline_color.as_deref()),
            ("normals-up", layers.normals_up.map(Up::name)),
            ("json-form", files.json_form.map(JsonForm::name)),
            ("padding", files.padding.as_deref()),
            ("extrude", files.extrude.as_deref()),
            ("max-size", files.max_size.as_deref()),
        ];
        options.extend(given.into_iter().filter_map(|(option, value)| Some((option, value?.to_owned()))));
        let asked = [frames.mirror, frames.every_frame, look.inner_lines, look.dither];
        let layers = [
            layers.normals,
            layers.emission,
            layers.depth,
            layers.mask,
            layers.silhouette,
            layers.shadow,
            layers.attachments,
        ];
        let asked = asked.into_iter().chain(layers).chain([files.power_of_two]);
        let switch = |(name, is_on): (&'static str, bool)| {
            let is_off = files.without.iter().any(|without| without == name);
            (is_on || is_off).then(|| (name, if is_off { "off" } else { "on" }.to_owned()))
        };
        options.extend(SWITCHES.into_iter().zip(asked).filter_map(switch));
        if !files.formats.is_empty() {
            let formats: Vec<&str> = files.formats.iter().map(|format| format.name()).collect();
            options.push(("formats", formats.join(",")));
        }
        options.extend(look.palette()?.map(|palette| ("palette", palette)));
        Ok(Changes { options, swaps: look.swaps()? })
    }
}

impl LookArguments {
    /// The number of colours, or the colours of a file.
    fn palette(&self) -> Result<Option<String>, String> {
        let Some(palette) = &self.palette else { return Ok(None) };
        match palette.to_str().filter(|text| *text == "all" || text.parse::<usize>().is_ok()) {
            Some(text) => Ok(Some(text.to_owned())),
            None => {
                let colors = palette_file::read(&files::read(palette)?).map_err(in_file(palette))?;
                Ok(Some(color_list(colors.colors())))
            }
        }
    }

    /// The palettes of other sheets, with their names.
    fn swaps(&self) -> Result<Vec<String>, String> {
        let swap = |path: &PathBuf| {
            let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
            let colors = palette_file::read_colors(&files::read(path)?).map_err(in_file(path))?;
            Ok(format!("{name}:{}", color_list(&colors)))
        };
        self.swap.iter().map(swap).collect()
    }
}
