//! `keypose bench render`: the time of a frame by tier of palette, method of skinning and format of vertices, as ratios to the
//! same mesh without skinning.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use glam::{Mat4, Vec3};

use keypose::anim::skin::method::Method;
use keypose::assets::model::Model;
use keypose_editor::render::frame::camera::{Camera, Projection};
use keypose_editor::render::frame::{Frame, Light, ModelDraw, NextPose, Shadow};
use keypose_editor::render::gl::target::Target;
use keypose_editor::render::pass::palette::tier::{Room, Tier, stride};
use keypose_editor::render::renderer::Renderer;
use keypose_editor::render::shaders::Shaders;
use keypose_editor::render::vertex_format::{Detail, VertexFormat};

use crate::app::commands::bench::tube::{Bound, bent, tube};
use crate::app::commands::one_of::one_of;
use crate::app::commands::render::interface;
use crate::app::console;
use crate::app::film::headless::{Checks, Driver, Headless, Interface};

/// Measure frames by tier of palette, method of skinning and format of vertices, without a display
#[derive(clap::Args)]
pub struct Arguments {
    /// Bones of the generated model, at most 4096
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(8..=4096))]
    bones: u32,
    /// Vertices of the generated model
    #[arg(long, default_value_t = 50_000, value_parser = clap::value_parser!(u32).range(128..=4_000_000))]
    vertices: u32,
    /// Frames of each measurement; the fastest counts
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u32).range(2..=1000))]
    frames: u32,
    /// The interface of the graphics driver: gl33 or es3
    #[arg(long, value_parser = one_of(&Interface::ALL, interface), default_value = "gl33")]
    gl: Interface,
    /// Use a software driver, even if there is another one
    #[arg(long)]
    software: bool,
}

/// Width and height in pixels: small, so that vertices take the time. The camera looks away, so no triangle is filled.
const SIDE: u32 = 64;

/// A measured configuration.
#[derive(Clone, Copy)]
struct Case {
    bound: Bound,
    method: Method,
    tier: Option<Tier>,
    detail: Detail,
    /// Whether the pose changes in each frame.
    moves: bool,
}

const LINEAR: Case =
    Case { bound: Bound::Skinned(1), method: Method::Linear, tier: None, detail: Detail::Exact, moves: true };

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    let driver = if arguments.software { Driver::Software } else { Driver::Any };
    let headless = Headless::open_as(arguments.gl, driver, Checks::Off)?;
    let (bones, vertices) = (arguments.bones, arguments.vertices);
    console::print(format_args!("{}", headless.context.describe()));
    console::print(format_args!(
        "{bones} bones, {vertices} vertices, {SIDE} × {SIDE} pixels, best of {}",
        arguments.frames
    ));
    console::print(format_args!("{:<44} {:>10} {:>8} {:>7}", "", "ms", "ratio", "bytes"));
    let cases = cases(&headless, bones as usize).into_iter();
    let ready = |(name, case)| Measured::new(&headless, arguments, (name, case));
    let mut measured = cases.map(ready).collect::<Result<Vec<_>, String>>()?;
    let target = Target::new(&headless.context, [SIDE; 2], 1).map_err(|error| error.to_string())?;
    // In turn, so that what slows the machine down for a while slows all of them.
    for at in 0..=arguments.frames {
        measured.iter_mut().try_for_each(|one| one.draw(&target, at))?;
    }
    let unskinned = measured.first().map_or(0.0, |one| one.best.as_secs_f64());
    for Measured { name, best, bytes, .. } in &measured {
        let (ms, ratio) = (best.as_secs_f64() * 1e3, best.as_secs_f64() / unskinned.max(1e-9));
        console::print(format_args!("{name:<44} {ms:>10.3} {ratio:>8.2} {bytes:>7}"));
    }
    Ok(ExitCode::SUCCESS)
}

/// A case with what draws it, and its fastest frame.
struct Measured {
    name: String,
    case: Case,
    model: Arc<Model>,
    renderer: Renderer,
    best: Duration,
    /// Bytes of a vertex.
    bytes: usize,
}

impl Measured {
    fn new(headless: &Headless, arguments: &Arguments, (name, case): (String, Case)) -> Result<Measured, String> {
        let model = Arc::new(tube(arguments.bones as usize, arguments.vertices as usize, case.bound)?);
        let shaders = Shaders::default();
        let mut renderer = Renderer::new(&headless.context, &shaders).map_err(|error| error.to_string())?;
        renderer.ask_for_tier(case.tier);
        renderer.ask_for_detail(case.detail);
        let last_entry = (arguments.bones - 1) as u16;
        let bytes = VertexFormat::of(&model.meshes[0].mesh, case.detail, last_entry).stride;
        Ok(Measured { name, case, model, renderer, best: Duration::MAX, bytes })
    }

    /// Draws a frame. The first one loads programs and copies meshes, and doesn't count.
    fn draw(&mut self, target: &Target, at: u32) -> Result<(), String> {
        let frame = frame(&self.model, self.case, if self.case.moves { at as f32 * 0.1 } else { 1.0 });
        let start = Instant::now();
        self.renderer.render(&frame, target).map_err(|error| error.to_string())?;
        // Waits for the driver.
        target.read();
        if at > 0 {
            self.best = self.best.min(start.elapsed());
        }
        Ok(())
    }
}

/// Everything that this driver can do; first the mesh without skinning.
fn cases(headless: &Headless, bones: usize) -> Vec<(String, Case)> {
    let room = Room::of(&headless.context.limits());
    let mut cases = vec![("unskinned".to_owned(), Case { bound: Bound::Rigid, ..LINEAR })];
    let fits = |tier: &Tier| bones * stride(Method::Linear) <= room.rows(*tier);
    for tier in Tier::ALL.into_iter().filter(fits) {
        cases.push((format!("linear, palette in {}", tier.meaning()), Case { tier: Some(tier), ..LINEAR }));
    }
    cases.push(("linear, nothing moves".to_owned(), Case { moves: false, ..LINEAR }));
    for method in Method::ALL.into_iter().filter(|method| *method != Method::Linear) {
        cases.push((method.label().to_lowercase(), Case { method, ..LINEAR }));
    }
    let eight = Case { bound: Bound::Skinned(2), ..LINEAR };
    let compact = |case: Case| Case { detail: Detail::Compact, ..case };
    cases.push(("linear, compact vertices".to_owned(), compact(LINEAR)));
    cases.push(("linear, eight influences".to_owned(), eight));
    cases.push(("linear, eight influences, compact vertices".to_owned(), compact(eight)));
    cases
}

fn frame(model: &Arc<Model>, case: Case, bend: f32) -> Frame {
    let next = Some(NextPose { pose: bent(model, bend + 0.3), fraction: 0.5 });
    let draw = ModelDraw {
        method: case.method,
        next,
        shadow: Shadow::None,
        ..ModelDraw::new(model.clone(), bent(model, bend))
    };
    let projection = Projection::Orthographic { height: 5.0, depth: 20.0 };
    let camera = Camera { eye: Vec3::new(0.0, 1.0, 8.0), target: Vec3::new(0.0, 1.0, 16.0), up: Vec3::Y, projection };
    let draw = ModelDraw { world_from_model: Mat4::IDENTITY, ..draw };
    Frame { camera, light: Light { shadow: 0.0, ..Light::default() }, models: vec![draw], ..Frame::default() }
}
