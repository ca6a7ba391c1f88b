//! `keypose sprites`: writes sprite sheets of clips without a display.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::builder::PossibleValue;

use keypose::anim::bake::BakedClip;
use keypose::assets::character::Character;
use keypose::assets::fit::fit;
use keypose::assets::mesh_reach::bake_clip;
use keypose::assets::model::{ClipSlot, Model};
use keypose_editor::render::frame::sprite_view::{DIRECTION_COUNTS, SpriteCamera, directions};
use keypose_tools::sprites::atlas::AtlasOptions;
use keypose_tools::sprites::ink::Rgb;
use keypose_tools::sprites::json::JsonForm;
use keypose_tools::sprites::look::{Look, Outline};
use keypose_tools::sprites::palette::MAX_COLORS;
use keypose_tools::sprites::palette_file;
use keypose_tools::sprites::times::Take;

use crate::app::commands::one_of::one_of;
use crate::app::commands::sprites::output::{Format, Output, Swap};
use crate::app::commands::{ModelSource, in_file, warn_all};
use crate::app::files::Opened;
use crate::app::files::progress::Progress;
use crate::app::film::sprites::layers::{Layer, Up};
use crate::app::film::sprites::{self, Colors, SpriteJob};
use crate::app::{console, files};

mod output;

/// Render clips to a sprite sheet for 2D games: pixels without anti-aliasing, an atlas with JSON, `.aseprite`, Godot
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    source: ModelSource,
    /// The start of the names of all files that are written: NAME.png, NAME.json, …
    #[arg(short, long, value_name = "NAME")]
    output: PathBuf,
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
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    clips: Vec<String>,
    /// Number of directions: 1 looks right, 2 right and left
    #[arg(long, value_parser = one_of(&DIRECTION_COUNTS, |count| PossibleValue::new(["1", "2", "4", "8", "16"][count.ilog2() as usize])), default_value = "1")]
    directions: u32,
    /// Height of the camera; by default side for 1 and 2 directions, else three-quarter
    #[arg(long, value_parser = one_of(&SpriteCamera::ALL, |camera| camera.name().into()))]
    camera: Option<SpriteCamera>,
    /// Angle of the camera above the ground in degrees, 0 to 90
    #[arg(long, value_name = "DEGREES", conflicts_with = "camera")]
    elevation: Option<f32>,
    /// Height of the standing model in pixels, 8 to 512
    #[arg(long, value_name = "PIXELS", default_value_t = 48)]
    height: u32,
    /// Pixels per unit of the model instead, so that all characters of a game fit together
    #[arg(long, value_name = "PIXELS", conflicts_with = "height")]
    scale: Option<f32>,
    /// Poses between two keyframes; by default keyframes alone, each with its duration
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=60), conflicts_with = "fps")]
    between: Option<u32>,
    /// Frames per second, 1 to 60, instead of keyframes
    #[arg(long)]
    fps: Option<f64>,
    /// Keep frames that move by less than half a pixel
    #[arg(long)]
    every_frame: bool,
}

/// Light, lines and colours.
#[derive(clap::Args)]
#[command(next_help_heading = "Look")]
struct LookArguments {
    /// Steps of light, 1 (none) to 5
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=5), default_value_t = 3)]
    shades: u32,
    /// Draw an outline
    #[arg(long, value_name = "WHERE", value_parser = one_of(&Outline::ALL, |outline| outline.name().into()), num_args = 0..=1, default_value = "none", default_missing_value = "outside", require_equals = true)]
    outline: Outline,
    /// Colour of the outline, as six hexadecimal digits; by default darker than the body
    #[arg(long, value_name = "RRGGBB", value_parser = color)]
    outline_color: Option<Rgb>,
    /// Draw lines where one part is in front of another
    #[arg(long)]
    inner_lines: bool,
    /// Blend steps of light in a pattern
    #[arg(long)]
    dither: bool,
    /// Number of colours, 2 to 255, or a file with a palette (.gpl, .hex, .pal, .png)
    #[arg(long, value_name = "COUNT|FILE")]
    palette: Option<PathBuf>,
    /// Also write the sheet with the colours of this palette in place of its own, in the same order; needs --palette
    #[arg(long, value_name = "FILE", requires = "palette")]
    swap: Vec<PathBuf>,
}

/// Layers beside the colours.
#[derive(clap::Args)]
#[command(next_help_heading = "Layers")]
struct Layers {
    /// Write normals, for light in the game
    #[arg(long)]
    normals: bool,
    /// Direction of green in normals
    #[arg(long, value_name = "UP", value_parser = one_of(&Up::ALL, |up| up.name().into()), default_value = "y-up")]
    normals_up: Up,
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
}

/// Files and the form of the atlas.
#[derive(clap::Args)]
#[command(next_help_heading = "Files")]
struct FileArguments {
    /// Files beside the atlas
    #[arg(long, value_name = "FORMATS", value_delimiter = ',', value_parser = one_of(&Format::ALL, |format| PossibleValue::new(format.name()).help(format.meaning())), default_value = "json")]
    formats: Vec<Format>,
    /// Form of the list of frames in JSON
    #[arg(long, value_name = "FORM", value_parser = one_of(&JsonForm::ALL, |form| form.name().into()), default_value = "array")]
    json_form: JsonForm,
    /// Transparent pixels between frames in the atlas, 0 to 64
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(0..=64), default_value_t = 1)]
    padding: u32,
    /// Pixels by which edges of frames are repeated, 0 to 16
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(0..=16), default_value_t = 0)]
    extrude: u32,
    /// Make both sides of the atlas powers of two
    #[arg(long)]
    power_of_two: bool,
    /// Maximum width and height of the atlas, 64 to 16384
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(64..=16384), default_value_t = 4096)]
    max_size: u32,
    /// Replace an `.aseprite` file that was changed by another program
    #[arg(long)]
    force: bool,
    /// Write all files again whenever FILE is saved, until the program is stopped
    #[arg(long)]
    watch: bool,
}

/// Palettes of files and of options.
struct Inks {
    colors: Colors,
    swaps: Vec<Swap>,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    let output = Output::new(arguments)?;
    let inks = Inks { colors: arguments.look.colors()?, swaps: arguments.look.swaps()? };
    let source = &arguments.source;
    let opened = if arguments.files.watch { source.source.open() } else { source.open_unbaked() }?;
    write(arguments, &output, &inks, &opened)?;
    if arguments.files.watch {
        source.follow(opened, |opened| write(arguments, &output, &inks, opened))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes the files and prints a summary.
fn write(arguments: &Arguments, output: &Output<'_>, inks: &Inks, opened: &Opened) -> Result<(), String> {
    warn_all(&opened.report);
    let at = arguments.source.index(opened)?;
    let (model, character) = (&opened.project.models[at], opened.characters.get(at));
    let clips = clips(arguments, model, character)?;
    let job = job(arguments, (model, &opened.project.models), clips, inks.colors.clone())?;
    let written = output.write(&sprites::make(&job, &Progress::default())?, &inks.swaps)?;
    console::print(format_args!("{}: {written}", model.name));
    Ok(())
}

/// The chosen clips with their baked forms.
fn clips(
    arguments: &Arguments,
    model: &Arc<Model>,
    character: Option<&Arc<Character>>,
) -> Result<Vec<(ClipSlot, Arc<BakedClip>)>, String> {
    let file = arguments.source.file();
    let names = &arguments.frames.clips;
    if model.clips.is_empty() {
        return Err(format!("{}: the model \"{}\" has no clips", file.display(), model.name));
    }
    let find = |name: &String| model.clip_named(name.trim()).ok_or_else(|| files::no_clip(model, name.trim(), file));
    let chosen: Vec<&ClipSlot> = if names.is_empty() {
        model.clips.iter().collect()
    } else {
        names.iter().map(find).collect::<Result<_, _>>()?
    };
    let baked = |slot: &ClipSlot| {
        let known = character.and_then(|character| character.clip_named(&slot.clip.name)).cloned();
        known.unwrap_or_else(|| Arc::new(bake_clip(model, &slot.clip)))
    };
    Ok(chosen.into_iter().map(|slot| (slot.clone(), baked(slot))).collect())
}

fn job(
    arguments: &Arguments,
    (model, models): (&Arc<Model>, &[Arc<Model>]),
    clips: Vec<(ClipSlot, Arc<BakedClip>)>,
    colors: Colors,
) -> Result<SpriteJob, String> {
    let Arguments { frames, look, layers, .. } = arguments;
    let usual = if frames.directions > 2 { SpriteCamera::ThreeQuarter } else { SpriteCamera::Side };
    let camera = frames.camera.unwrap_or(usual);
    let elevation_degrees = frames.elevation.unwrap_or(camera.elevation_degrees());
    if !(0.0..=90.0).contains(&elevation_degrees) {
        return Err(format!("--elevation {elevation_degrees}: the camera is 0 to 90 degrees above the ground"));
    }
    if layers.shadow && elevation_degrees < 1.0 {
        return Err("--shadow needs a camera from above, such as --camera three-quarter".into());
    }
    let is_emission_missing = layers.emission && !model.materials.iter().any(|material| material.emissive != [0.0; 3]);
    if is_emission_missing {
        console::warn("keypose: no material emits light; the layer is empty");
    }
    Ok(SpriteJob {
        model: model.clone(),
        models: models.to_vec(),
        clips,
        take: frames.take()?,
        directions: directions(frames.directions, camera),
        elevation_degrees,
        scale: frames.scale_of(model)?,
        look: look.look(),
        colors,
        layers: layers.all(),
        up: layers.normals_up,
        is_stable: !frames.every_frame,
    })
}

impl Frames {
    fn take(&self) -> Result<Take, String> {
        match (self.fps, self.between) {
            (Some(fps), _) if !(1.0..=60.0).contains(&fps) => {
                Err(format!("--fps {fps}: use 1 to 60 frames per second"))
            }
            (Some(fps), _) => Ok(Take::Rate(fps)),
            (None, Some(between)) => Ok(Take::Between(between)),
            (None, None) => Ok(Take::Poses),
        }
    }

    /// Pixels per unit of the model.
    fn scale_of(&self, model: &Model) -> Result<f32, String> {
        match self.scale {
            Some(scale) if scale.is_finite() && (0.01..=10_000.0).contains(&scale) => Ok(scale),
            Some(scale) => Err(format!("--scale {scale}: use 0.01 to 10000 pixels per unit")),
            None if !(8..=512).contains(&self.height) => {
                Err(format!("--height {}: sprites are 8 to 512 pixels high", self.height))
            }
            None => Ok(self.height as f32 / fit(model).height),
        }
    }
}

impl LookArguments {
    fn look(&self) -> Look {
        Look {
            shades: self.shades,
            outline: self.outline,
            outline_color: self.outline_color,
            has_inner_lines: self.inner_lines,
            is_dithered: self.dither,
            ..Look::default()
        }
    }

    fn colors(&self) -> Result<Colors, String> {
        let Some(palette) = &self.palette else { return Ok(Colors::All) };
        match palette.to_str().and_then(|text| text.parse::<usize>().ok()) {
            Some(count) if (2..=MAX_COLORS).contains(&count) => Ok(Colors::Count(count)),
            Some(count) => Err(format!("--palette {count}: a palette has 2 to {MAX_COLORS} colours")),
            None => {
                let colors = palette_file::read(&files::read(palette)?).map_err(in_file(palette))?;
                Ok(Colors::Of(colors))
            }
        }
    }

    /// The palettes of other sheets, with their names.
    fn swaps(&self) -> Result<Vec<Swap>, String> {
        let swap = |path: &PathBuf| {
            let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
            let colors = palette_file::read_colors(&files::read(path)?).map_err(in_file(path))?;
            Ok((name, colors))
        };
        self.swap.iter().map(swap).collect()
    }
}

impl Layers {
    fn all(&self) -> Vec<Layer> {
        let asked = [self.normals, self.emission, self.depth, self.mask, self.silhouette, self.shadow];
        Layer::ALL.into_iter().zip(asked).filter_map(|(layer, is_asked)| is_asked.then_some(layer)).collect()
    }
}

impl FileArguments {
    fn atlas(&self) -> AtlasOptions {
        AtlasOptions {
            padding: self.padding,
            extrusion: self.extrude,
            is_power_of_two: self.power_of_two,
            max_side: self.max_size,
        }
    }
}

fn color(text: &str) -> Result<Rgb, String> {
    let color = keypose_editor::render::frame::color::Color::parse(text).ok_or("expected six hexadecimal digits")?;
    let [r, g, b, _] = color.to_bytes();
    Ok([r, g, b])
}
