//! `keypose bench`: measures drawing on this machine, as ratios.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use glam::{Mat4, Vec3};

use keypose::anim::bake::BakedClip;
use keypose::anim::mat34::Mat3x4;
use keypose::anim::pose::{LocalPose, ModelPose};
use keypose::anim::time::Time;
use keypose::assets::mesh_reach::bake_clip;
use keypose::assets::model::Model;
use keypose_editor::render::frame::color::Color;
use keypose_editor::render::frame::crowd::{Crowd, CrowdDraw, Member, Meshes};
use keypose_editor::render::frame::{Frame, ModelDraw};
use keypose_editor::render::gl::target::Target;
use keypose_editor::render::renderer::Renderer;
use keypose_editor::render::shaders::Shaders;

use crate::app::console;
use crate::app::files::{self, Opening};
use crate::app::film::headless::{Checks, Driver, Headless};

mod render;
mod tube;

/// Measure drawing on this machine and print a table
#[derive(clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    Render(render::Arguments),
    Crowd(CrowdArguments),
}

/// Many characters of one model: drawn one by one, and as a crowd
#[derive(clap::Args)]
struct CrowdArguments {
    /// An archive or a model; by default the demo
    file: Option<PathBuf>,
    /// Count of characters whose poses are computed
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    count: u32,
    /// Count of characters that are drawn
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    drawn: u32,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    match &arguments.what {
        What::Render(arguments) => render::run(arguments),
        What::Crowd(arguments) => crowd(arguments),
    }
}

/// The frames of a measurement. The minimum counts.
const FRAMES: i64 = 24;

fn crowd(arguments: &CrowdArguments) -> Result<ExitCode, String> {
    let path = arguments.file.clone().unwrap_or_else(|| files::DEMO.into());
    let project = files::open_with(&path, &Opening { leaves_clips_unbaked: true, ..Opening::default() })?.project;
    let model = project.models.first().ok_or("the file has no models")?.clone();
    let clips: Vec<_> = model.clips.iter().take(8).map(|slot| Arc::new(bake_clip(&model, &slot.clip))).collect();
    if clips.is_empty() {
        return Err(format!("{}: the model has no clips", path.display()));
    }
    let headless = Headless::open(Driver::Any, Checks::Off)?;
    let of = |count: u32| crowd_of(&model, &project.models, &clips, count as usize);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    console::print(format_args!("{}, {cores} cores", headless.context.describe()));
    let rows = [Way::OneByOne, Way::Finest, Way::BySize].map(|way| {
        let poses = way.poses(&headless, &of(arguments.count))?;
        Ok::<_, String>((way, poses, way.picture(&headless, &of(arguments.drawn))?))
    });
    let rows: Vec<_> = rows.into_iter().collect::<Result<_, _>>()?;
    let [count, drawn] = [arguments.count, arguments.drawn];
    console::print(format_args!(
        "| way | poses of {count}, ms a frame | ratio | picture of {drawn}, ms a frame | ratio | vertices |"
    ));
    console::print("|---|---|---|---|---|---|");
    let millis = |time: Duration| time.as_secs_f64() * 1000.0;
    let (_, first_poses, (first_picture, _)) = rows[0];
    for (way, poses, (picture, vertices)) in rows {
        let [a, b] = [(poses, first_poses), (picture, first_picture)]
            .map(|(time, first)| millis(time) / millis(first).max(1e-9));
        console::print(format_args!(
            "| {} | {:.3} | {a:.4} | {:.2} | {b:.3} | {vertices} |",
            way.name(),
            millis(poses),
            millis(picture)
        ));
    }
    Ok(ExitCode::SUCCESS)
}

/// A way to draw many characters.
#[derive(Clone, Copy)]
enum Way {
    OneByOne,
    Finest,
    BySize,
}

impl Way {
    fn name(self) -> &'static str {
        match self {
            Way::OneByOne => "one by one",
            Way::Finest => "crowd, finest meshes",
            Way::BySize => "crowd",
        }
    }

    /// The minimum time in which the processor computes and uploads the poses of a frame.
    fn poses(self, headless: &Headless, crowd: &Arc<Crowd>) -> Result<Duration, String> {
        let mut renderer = renderer(headless)?;
        let mut times = Vec::new();
        for tick in 0..FRAMES {
            let frame = self.frame(crowd, Time::from_ticks(tick), Pose::Later);
            let start = Instant::now();
            match self {
                Way::OneByOne => drop(posed(crowd, Time::from_ticks(tick))),
                Way::Finest | Way::BySize => {
                    renderer.prepare_crowds(&frame, SIZE[1]).map_err(|error| error.to_string())?;
                }
            }
            headless.context.finish();
            times.push(start.elapsed());
        }
        // The first frame makes the textures.
        Ok(times[1..].iter().min().copied().unwrap_or_default())
    }

    /// The minimum time of a frame, and the vertices in it.
    fn picture(self, headless: &Headless, crowd: &Arc<Crowd>) -> Result<(Duration, usize), String> {
        let to_text = |error: keypose_editor::render::gl::error::GlError| error.to_string();
        let mut renderer = renderer(headless)?;
        let target = Target::new(&headless.context, SIZE, 1).map_err(to_text)?;
        let (mut times, mut vertices) = (Vec::new(), 0);
        for tick in 0..6 {
            let start = Instant::now();
            let frame = self.frame(crowd, Time::from_ticks(tick), Pose::Now);
            renderer.render(&frame, &target).map_err(to_text)?;
            headless.context.finish();
            times.push(start.elapsed());
            vertices = renderer.crowd_vertices(&frame)
                + frame.models.iter().map(|draw| draw.model.shown_vertices()).sum::<usize>();
        }
        Ok((times[1..].iter().min().copied().unwrap_or_default(), vertices))
    }

    fn frame(self, crowd: &Arc<Crowd>, elapsed: Time, pose: Pose) -> Frame {
        let mut frame = Frame::default();
        frame.camera.eye = Vec3::new(0.0, HEIGHT * 1.2, HEIGHT * 4.0);
        frame.camera.target = Vec3::new(0.0, HEIGHT * 0.5, -HEIGHT);
        frame.light.shadow = 0.0;
        let mut add = |meshes| frame.crowds.push(CrowdDraw { crowd: crowd.clone(), elapsed, meshes });
        match (self, pose) {
            (Way::OneByOne, Pose::Now) => frame.models = posed(crowd, elapsed),
            (Way::OneByOne, Pose::Later) => {}
            (Way::Finest, _) => add(Meshes::Finest),
            (Way::BySize, _) => add(Meshes::BySize),
        }
        frame
    }
}

/// Pixels of the picture.
const SIZE: [u32; 2] = [640, 360];

/// The height of a character in world units.
const HEIGHT: f32 = 1.8;

/// When poses are computed.
#[derive(Clone, Copy)]
enum Pose {
    Now,
    Later,
}

fn renderer(headless: &Headless) -> Result<Renderer, String> {
    Renderer::new(&headless.context, &Shaders::default()).map_err(|error| error.to_string())
}

/// Characters in ranks, in all clips and phases.
fn crowd_of(model: &Arc<Model>, props: &[Arc<Model>], clips: &[Arc<BakedClip>], count: usize) -> Arc<Crowd> {
    let columns = (count as f32).sqrt().ceil() as usize;
    let member = |at: usize| {
        let (row, column) = (at / columns, at % columns);
        let place = Vec3::new(column as f32 - columns as f32 * 0.5, 0.0, -(row as f32)) * 1.2;
        let phase = (at as f32 * 0.618_034).fract();
        let tint = Color::of_bone((at % 60) as u16).mix(Color::WHITE, 0.6);
        Member {
            world_from_model: Mat3x4::from_mat4(&Mat4::from_translation(place)),
            clip: at % clips.len(),
            phase,
            tint,
        }
    };
    let members = (0..count).map(member).collect();
    Arc::new(Crowd { model: model.clone(), props: props.to_vec(), clips: clips.to_vec(), members, height: HEIGHT })
}

/// The characters as single models.
fn posed(crowd: &Crowd, elapsed: Time) -> Vec<ModelDraw> {
    let draw = |member: &Member| {
        let (clip, time) = crowd.time_of(member, elapsed)?;
        let (mut local, mut pose) = (LocalPose::default(), ModelPose::default());
        clip.sample(time, &mut local);
        pose.compute(&crowd.model.skeleton, &local);
        let draw = ModelDraw::new(crowd.model.clone(), Arc::new(pose));
        Some(ModelDraw { world_from_model: member.world_from_model.to_mat4(), ..draw })
    };
    crowd.members.iter().filter_map(draw).collect()
}
