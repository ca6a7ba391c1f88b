//! `keypose thumbnail`: a small picture of a model, for file managers.

use std::io::Cursor;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use image::ImageFormat;
use image::imageops::FilterType;

use keypose::anim::time::Time;
use keypose::assets::mesh_reach::bake_clip;
use keypose::assets::model::Model;
use keypose_editor::render::frame::framed_model::CameraAngle;

use super::document_help;
use super::own_output::{self, PICTURES};
use crate::app::console;
use crate::app::files::progress::Progress;
use crate::app::files::{self, Opening};
use crate::app::film::{self, Pose, RenderJob};

/// Write a picture of a model or of the first model of an archive, as a PNG, for a file manager
#[derive(Clone, clap::Args)]
pub struct Arguments {
    #[arg(help = document_help())]
    file: PathBuf,
    /// The image to write, whatever its name
    image: PathBuf,
    /// Width and height in pixels
    #[arg(long, value_name = "PIXELS", default_value_t = 256, value_parser = clap::value_parser!(u32).range(16..=1024))]
    size: u32,
}

/// Time after which the picture is the program's icon: file managers ask for pictures without the user.
const MAX_TIME: Duration = Duration::from_secs(10);

/// Held by the thread that writes the image, until the process ends.
static WRITING: Mutex<()> = Mutex::new(());

fn writing() -> MutexGuard<'static, ()> {
    WRITING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    let own = arguments.clone();
    thread::spawn(move || {
        thread::sleep(MAX_TIME);
        let _writing = writing();
        let (shown, secs) = (own.file.display(), MAX_TIME.as_secs());
        console::warn(format_args!("keypose: {shown}: drawing it takes longer than {secs} s; the picture is an icon"));
        let written = icon(own.size).and_then(|bytes| write(&own, &bytes));
        written.as_ref().err().into_iter().for_each(|reason| console::warn(format_args!("keypose: {reason}")));
        exit_at_once(i32::from(written.is_err()));
    });
    let bytes = picture(arguments)?;
    let _writing = writing();
    write(arguments, &bytes)?;
    Ok(ExitCode::SUCCESS)
}

/// Ends the process while a driver draws, which can't be stopped otherwise. Its threads would use what an ordinary exit clears away.
fn exit_at_once(code: i32) -> ! {
    #[cfg(unix)]
    signal_hook::low_level::exit(code);
    #[cfg(not(unix))]
    std::process::exit(code)
}

fn write(arguments: &Arguments, bytes: &[u8]) -> Result<(), String> {
    own_output::write(&arguments.image, bytes, "a PNG", |old| old.starts_with(PICTURES[0]))
}

/// The program's icon as a PNG with sides of this many pixels.
fn icon(size: u32) -> Result<Vec<u8>, String> {
    let icon = image::load_from_memory(include_bytes!("../../icon/keypose.png"));
    let mut bytes = Cursor::new(Vec::new());
    let resized = icon.map(|icon| icon.resize_exact(size, size, FilterType::Triangle));
    let written = resized.and_then(|icon| icon.write_to(&mut bytes, ImageFormat::Png));
    written.map(|()| bytes.into_inner()).map_err(|error| error.to_string())
}

/// Draws the first model of the file.
fn picture(arguments: &Arguments) -> Result<Vec<u8>, String> {
    let opening = Opening { leaves_clips_unbaked: true, ..Opening::default() };
    let project = files::open_with(&arguments.file, &opening)?.project;
    let model = project.models.first().ok_or_else(|| format!("{}: no models", arguments.file.display()))?;
    let poses = vec![pose(model, &project.models)];
    let job = RenderJob {
        view: CameraAngle::ThreeQuarter,
        ..RenderJob::new(model.clone(), project.models.clone(), poses, [arguments.size; 2])
    };
    film::make(&job, &Progress::default())
}

/// The first pose of a clip in which the character stands, by its name, or else the rest pose.
fn pose(model: &Arc<Model>, others: &[Arc<Model>]) -> Pose {
    let stands = |name: &str| ["idle", "stand"].iter().any(|word| name.to_lowercase().contains(word));
    let Some(slot) = model.clips.iter().find(|slot| stands(&slot.clip.name)) else {
        return Pose::alone(Arc::new(model.skeleton.rest_model_pose()));
    };
    let baked = bake_clip(model, &slot.clip);
    let first = Pose::of_clip((model, others), (&slot.clip, &baked), &[Time::ZERO]).into_iter().next();
    first.unwrap_or_else(|| Pose::alone(Arc::new(model.skeleton.rest_model_pose())))
}
