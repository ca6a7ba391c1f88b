//! `keypose thumbnail`: a small picture of a model, for file managers.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use keypose::anim::time::Time;
use keypose::assets::mesh_reach::bake_clip;
use keypose::assets::model::Model;
use keypose_editor::editor::session::display::Shading;
use keypose_editor::render::frame::framed_model::CameraAngle;

use super::document_help;
use super::own_output::{self, PICTURES};
use crate::app::files::progress::Progress;
use crate::app::files::{self, Opening};
use crate::app::film::headless::Interface;
use crate::app::film::{self, Format, Pose, RenderJob};

/// Write a picture of a model or of the first model of an archive, as a PNG, for a file manager
#[derive(clap::Args)]
pub struct Arguments {
    #[arg(help = document_help())]
    file: PathBuf,
    /// The image to write, whatever its name
    image: PathBuf,
    /// Width and height in pixels
    #[arg(long, value_name = "PIXELS", default_value_t = 256, value_parser = clap::value_parser!(u32).range(16..=1024))]
    size: u32,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    let opening = Opening { leaves_clips_unbaked: true, ..Opening::default() };
    let project = files::open_with(&arguments.file, &opening)?.project;
    let model = project.models.first().ok_or_else(|| format!("{}: no models", arguments.file.display()))?;
    let job = RenderJob {
        model: model.clone(),
        models: project.models.clone(),
        poses: vec![pose(model)],
        format: Format::Sheet,
        view: CameraAngle::ThreeQuarter,
        size: [arguments.size; 2],
        shading: Shading::Lit,
        bone: None,
        has_bones: false,
        legend: None,
        interface: Interface::Gl33,
        palette: None,
    };
    let bytes = film::make(&job, &Progress::default())?;
    own_output::write(&arguments.image, &bytes, "a PNG", |old| old.starts_with(PICTURES[0]))?;
    Ok(ExitCode::SUCCESS)
}

/// The first pose of a clip in which the character stands, by its name, or else the rest pose.
fn pose(model: &Arc<Model>) -> Pose {
    let stands = |name: &str| ["idle", "stand"].iter().any(|word| name.to_lowercase().contains(word));
    let Some(slot) = model.clips.iter().find(|slot| stands(&slot.clip.name)) else {
        return Pose::alone(Arc::new(model.skeleton.rest_model_pose()));
    };
    let baked = bake_clip(model, &slot.clip);
    let first = Pose::of_clip(model, (&slot.clip, &baked), &[Time::ZERO]).into_iter().next();
    first.unwrap_or_else(|| Pose::alone(Arc::new(model.skeleton.rest_model_pose())))
}
