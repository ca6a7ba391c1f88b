//! `keypose render`: renders images and films of a clip without a display.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::builder::PossibleValue;

use keypose::anim::clip::LoopMode;
use keypose::anim::skeleton::BoneIndex;
use keypose::anim::skin::method::Method;
use keypose::anim::time::Time;
use keypose::assets::character::Character;
use keypose::assets::mesh_reach::bake_clip;
use keypose::assets::model::Model;
use keypose_editor::editor::session::display::Shading;
use keypose_editor::render::frame::framed_model::{self, CameraAngle, spread};
use keypose_editor::render::pass::palette::tier::Tier;
use keypose_tools::bind_pose::bind_pose;

use crate::app::commands::one_of::one_of;
use crate::app::commands::own_output::{self, PICTURES};
use crate::app::commands::{ModelSource, warn_all};
use crate::app::files;
use crate::app::files::progress::Progress;
use crate::app::film::headless::Interface;
use crate::app::film::{self, Format, Pose, RenderJob};

/// Render a clip to a PNG (one pose or a contact sheet) or a GIF, without a display
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    source: ModelSource,
    /// The image to write (.png, .gif)
    #[arg(short, long)]
    output: PathBuf,
    /// Name of the clip; by default the rest pose
    #[arg(long)]
    clip: Option<String>,
    /// Camera angle
    #[arg(long, value_parser = one_of(&CameraAngle::CHOICES, camera_angle), default_value = "side")]
    camera: CameraAngle,
    /// Width and height of an image in pixels
    #[arg(long, value_parser = film::size, default_value = "480x480")]
    size: [u32; 2],
    /// Frames per second of a GIF, 1 to 50; by default 30
    #[arg(long)]
    fps: Option<f64>,
    /// Count of poses in a contact sheet, spread over the clip; PNG only
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=400), conflicts_with = "time", requires = "clip")]
    frames: Option<u32>,
    /// Time of the clip in seconds, for a PNG with one pose; by default 0
    #[arg(long, requires = "clip", allow_negative_numbers = true)]
    time: Option<f64>,
    /// How the model is drawn
    #[arg(long, value_parser = one_of(&Shading::ALL, |view| view.word().into()), value_name = "VIEW", default_value = "lit")]
    view: Shading,
    /// The bone whose weights are shown; only with --view weights
    #[arg(long, value_name = "BONE")]
    weights_of: Option<String>,
    /// Show the pose in which the mesh was bound to its bones
    #[arg(long, conflicts_with_all = ["clip", "frames", "time"])]
    bind_pose: bool,
    /// Draw the skeleton over the model
    #[arg(long)]
    bones: bool,
    /// Skinning method; by default the model's
    #[arg(long, value_parser = one_of(&Method::ALL, |method| method.name().into()), value_name = "METHOD")]
    skinning: Option<Method>,
    /// Storage of palettes for the shader; by default chosen by the model, and ignored if it lacks room
    #[arg(long, value_parser = one_of(&Tier::ALL, |tier| PossibleValue::new(tier.name()).help(tier.meaning())), value_name = "TIER")]
    palette: Option<Tier>,
    /// The interface of the graphics driver
    #[arg(long, value_parser = one_of(&Interface::ALL, interface), default_value = "gl33")]
    gl: Interface,
}

impl Arguments {
    fn fps(&self) -> f64 {
        self.fps.unwrap_or(30.0)
    }
}

/// The value of `--gl`.
pub fn interface(interface: Interface) -> PossibleValue {
    PossibleValue::new(interface.name()).help(interface.title())
}

fn camera_angle(angle: CameraAngle) -> PossibleValue {
    match angle {
        CameraAngle::Side => "side".into(),
        CameraAngle::Front => "front".into(),
        CameraAngle::ThreeQuarter => "three-quarter".into(),
        CameraAngle::Turntable => {
            PossibleValue::new("turntable").help("The camera circles once around the model in a GIF")
        }
        // Not among the choices.
        CameraAngle::Action => "action".into(),
    }
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    let kind = Output::of(arguments)?;
    let opened = arguments.source.open_unbaked()?;
    warn_all(&opened.report);
    let at = arguments.source.index(&opened)?;
    let (mut model, character) = (opened.project.models[at].clone(), opened.characters.get(at));
    let slot = arguments.clip.as_ref().and_then(|name| model.clip_named(name));
    let length = slot.map_or(Time::ZERO, |slot| slot.clip.length());
    let format = match kind {
        Output::Film => Format::Film { fps: framed_model::film_rate(length, arguments.fps()) },
        Output::Image => Format::Sheet,
    };
    if let Some(skinning) = arguments.skinning {
        Arc::make_mut(&mut model).skinning = skinning;
    }
    let poses = pick_poses(arguments, kind, (&model, character), &opened.project.models)?;
    let bone = bone(arguments, &model)?;
    let job = RenderJob {
        model,
        models: opened.project.models.clone(),
        poses,
        format,
        view: arguments.camera,
        size: arguments.size,
        shading: arguments.view,
        bone,
        has_bones: arguments.bones,
        interface: arguments.gl,
        palette: arguments.palette,
    };
    let bytes = film::make(&job, &Progress::default())?;
    own_output::write(&arguments.output, &bytes, "a picture", |old| {
        PICTURES.iter().any(|start| old.starts_with(start))
    })?;
    Ok(ExitCode::SUCCESS)
}

/// The bone whose weights are shown; none if no name was given.
fn bone(arguments: &Arguments, model: &Model) -> Result<Option<BoneIndex>, String> {
    let Some(name) = &arguments.weights_of else { return Ok(None) };
    if arguments.view != Shading::Weights {
        return Err("--weights-of is for --view weights".into());
    }
    let found = model.skeleton.find(name);
    found.map(Some).ok_or_else(|| format!("{}: no bone \"{name}\"", arguments.source.file().display()))
}

/// The kind of the output file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Output {
    Image,
    Film,
}

impl Output {
    fn of(arguments: &Arguments) -> Result<Output, String> {
        let shown = arguments.output.display();
        let extension = arguments.output.extension().map(|extension| extension.to_ascii_lowercase());
        let kind = match extension.as_deref().and_then(|extension| extension.to_str()) {
            Some("png") => Output::Image,
            Some("gif") => Output::Film,
            _ => return Err(format!("{shown}: the name of the image must end in .png or .gif")),
        };
        if !(1.0..=50.0).contains(&arguments.fps()) {
            return Err(format!("--fps {}: a GIF has 1 to 50 frames per second", arguments.fps()));
        }
        if let Some(time) = arguments.time.filter(|time| !time.is_finite()) {
            return Err(format!("--time: {time} is not a valid time"));
        }
        let of_image = "is for a PNG; a GIF shows the whole clip at --fps";
        match kind {
            Output::Film if arguments.frames.is_some() => Err(format!("--frames {of_image}")),
            Output::Film if arguments.time.is_some() => Err(format!("--time {of_image}")),
            Output::Image if arguments.fps.is_some() => Err("--fps is for a GIF".into()),
            Output::Film | Output::Image => Ok(kind),
        }
    }
}

/// The poses of all images of a model, whose clips may be baked already.
fn pick_poses(
    arguments: &Arguments,
    kind: Output,
    (model, character): (&Arc<Model>, Option<&Arc<Character>>),
    others: &[Arc<Model>],
) -> Result<Vec<Pose>, String> {
    if arguments.bind_pose {
        return Ok(vec![Pose::alone(Arc::new(bind_pose(model)))]);
    }
    let Some(name) = &arguments.clip else {
        return Ok(vec![Pose::alone(Arc::new(model.skeleton.rest_model_pose()))]);
    };
    let slot = model.clip_named(name).ok_or_else(|| files::no_clip(model, name, arguments.source.file()))?;
    let baked = character.and_then(|character| character.clip_named(name)).cloned();
    let clip = &*baked.unwrap_or_else(|| Arc::new(bake_clip(model, &slot.clip)));
    let times = match (kind, arguments.frames) {
        (Output::Film, _) => {
            let images =
                clip.length.secs() * arguments.fps() * if clip.loop_mode == LoopMode::PingPong { 2.0 } else { 1.0 };
            film::check_size(images, arguments.size)?;
            framed_model::film(clip.length, clip.loop_mode, arguments.fps())
        }
        (Output::Image, Some(frames)) => spread(clip.length, clip.loop_mode, frames as usize),
        (Output::Image, None) => vec![Time::from_secs(arguments.time.unwrap_or_default())],
    };
    Ok(Pose::of_clip((model, others), (&slot.clip, clip), &times))
}
