//! `keypose render`: pictures and films of a clip, without a display.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::ValueEnum;

use crate::anim::clip::LoopMode;
use crate::anim::pose::ModelPose;
use crate::anim::time::Time;
use crate::app::files;
use crate::app::film::{self, Format, RenderJob};
use crate::app::progress::Progress;
use crate::assets::character::Character;
use crate::render::frame::framed_model::{self, CameraAngle, poses, spread};

/// Render a clip to a PNG (one pose, or a sheet of several) or to a GIF, without a display
#[derive(clap::Args)]
pub struct Arguments {
    /// An archive (.wad) or a glTF file (.gltf, .glb)
    file: PathBuf,
    /// The picture to write: name.png or name.gif
    #[arg(short, long)]
    output: PathBuf,
    /// The model of an archive that holds several; the first without it
    #[arg(long)]
    model: Option<String>,
    /// The clip; without it the rest pose
    #[arg(long)]
    clip: Option<String>,
    /// From where the model is seen
    #[arg(long, value_enum, default_value_t = CameraView::Side)]
    camera: CameraView,
    /// Width and height of one picture in pixels
    #[arg(long, value_parser = size, default_value = "480x480")]
    size: [u32; 2],
    /// Pictures a second of a GIF, 1 to 50
    #[arg(long, default_value_t = 30.0)]
    fps: f64,
    /// A PNG that shows this many moments of the clip side by side
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=400), conflicts_with = "time")]
    frames: Option<u32>,
    /// The moment of the clip that a PNG shows, in seconds
    #[arg(long, default_value_t = 0.0)]
    time: f64,
    /// Draws the skeleton over the model
    #[arg(long)]
    bones: bool,
}

/// The views of the command line.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum CameraView {
    Side,
    Front,
    ThreeQuarter,
    /// The camera circles once about the model in a GIF
    Turntable,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    let kind = Output::of(arguments)?;
    let opened = files::open(&arguments.file)?;
    opened.report.iter().for_each(|line| eprintln!("keypose: {line}"));
    let at = files::model_index(&opened.project, arguments.model.as_deref(), &arguments.file)?;
    let character = opened.characters.get(at).ok_or("the model was not made ready to play")?;
    let poses = pick_poses(arguments, kind, character)?;
    let form = match kind {
        Output::Film => Format::Film { fps: arguments.fps },
        Output::Picture => Format::Sheet,
    };
    let view = match arguments.camera {
        CameraView::Side => CameraAngle::Side,
        CameraView::Front => CameraAngle::Front,
        CameraView::ThreeQuarter => CameraAngle::ThreeQuarter,
        CameraView::Turntable => CameraAngle::Turntable,
    };
    let (model, models) = (character.model.clone(), opened.project.models.clone());
    let order = RenderJob { model, models, poses, form, view, size: arguments.size, has_bones: arguments.bones };
    let bytes = film::make(&order, &Progress::default())?;
    let shown = arguments.output.display();
    fs::write(&arguments.output, bytes).map_err(|error| format!("{shown}: it could not be written: {error}"))?;
    Ok(ExitCode::SUCCESS)
}

/// What kind of file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Output {
    Picture,
    Film,
}

impl Output {
    fn of(arguments: &Arguments) -> Result<Output, String> {
        let shown = arguments.output.display();
        let extension = arguments.output.extension().map(|extension| extension.to_ascii_lowercase());
        let kind = match extension.as_deref().and_then(|extension| extension.to_str()) {
            Some("png") => Output::Picture,
            Some("gif") => Output::Film,
            _ => return Err(format!("{shown}: the name of the picture must end in .png or .gif")),
        };
        if kind == Output::Film && !(1.0..=50.0).contains(&arguments.fps) {
            return Err(format!("--fps {}: a GIF plays at 1 to 50 pictures a second", arguments.fps));
        }
        if kind == Output::Film && arguments.frames.is_some() {
            return Err("--frames is for a PNG; a GIF shows the whole clip at --fps".into());
        }
        Ok(kind)
    }
}

/// The poses of all pictures.
fn pick_poses(arguments: &Arguments, kind: Output, character: &Character) -> Result<Vec<Arc<ModelPose>>, String> {
    let model = &character.model;
    let Some(name) = &arguments.clip else { return Ok(vec![Arc::new(model.skeleton.rest_model_pose())]) };
    let Some(clip) = character.clip_named(name) else {
        let names: Vec<&str> = model.clips.iter().map(|slot| slot.clip.name.as_str()).collect();
        let there = if names.is_empty() { "it has none".into() } else { format!("it has: {}", names.join(", ")) };
        return Err(format!("{}: no clip \"{name}\"; {there}", arguments.file.display()));
    };
    let times = match (kind, arguments.frames) {
        (Output::Film, _) => {
            let pictures =
                clip.length.secs() * arguments.fps * if clip.loop_mode == LoopMode::PingPong { 2.0 } else { 1.0 };
            film::check_size(pictures, arguments.size)?;
            framed_model::film(clip.length, clip.loop_mode, arguments.fps)
        }
        (Output::Picture, Some(frames)) => spread(clip.length, clip.loop_mode, frames as usize),
        (Output::Picture, None) => vec![Time::from_secs(arguments.time)],
    };
    Ok(poses(model, clip, &times))
}

/// "480x320" as width and height, each 16 to 4096.
fn size(text: &str) -> Result<[u32; 2], String> {
    let (width, height) = text.split_once('x').ok_or("write it as 480x320")?;
    let side = |text: &str| match text.parse() {
        Ok(side @ 16..=4096) => Ok(side),
        _ => Err(format!("\"{text}\" is not a number of pixels from 16 to 4096")),
    };
    Ok([side(width)?, side(height)?])
}
