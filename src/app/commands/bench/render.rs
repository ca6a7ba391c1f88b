//! `keypose bench render`: the time of a frame by tier of palette, method of skinning and format of vertices, as ratios to the
//! same mesh without skinning.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use glam::{Mat4, Vec3};

use crate::anim::skin::method::Method;
use crate::app::commands::bench::tube::{Bound, bent, tube};
use crate::app::console;
use crate::app::headless::{Checks, Driver, Headless, Interface};
use crate::assets::model::Model;
use crate::assets::vertex_format::{Detail, VertexFormat};
use crate::render::frame::camera::{Camera, Projection};
use crate::render::frame::{Frame, Light, ModelDraw, NextPose, Shadow};
use crate::render::gl::target::Target;
use crate::render::pass::palette::tier::{Room, Tier, stride};
use crate::render::renderer::Renderer;
use crate::render::shaders::Shaders;

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
    #[arg(long, value_enum, default_value_t = Interface::Gl33)]
    gl: Interface,
    /// Use a software driver, even if there is another one
    #[arg(long)]
    software: bool,
}

/// Width and height in pixels: small, so that vertices take the time.
const SIDE: u32 = 64;

/// What is measured.
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
    let mut unskinned = None;
    for (name, case) in cases(&headless, bones as usize) {
        let (time, bytes) = measure(&headless, arguments, case)?;
        let unskinned = *unskinned.get_or_insert(time);
        let ratio = time.as_secs_f64() / unskinned.as_secs_f64().max(1e-9);
        console::print(format_args!("{name:<44} {:>10.3} {ratio:>8.2} {bytes:>7}", time.as_secs_f64() * 1e3));
    }
    Ok(ExitCode::SUCCESS)
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

/// The time of the fastest frame, and the bytes of a vertex.
fn measure(headless: &Headless, arguments: &Arguments, case: Case) -> Result<(Duration, usize), String> {
    let model = Arc::new(tube(arguments.bones as usize, arguments.vertices as usize, case.bound)?);
    let to_text = |error: crate::render::gl::error::GlError| error.to_string();
    let mut renderer = Renderer::new(&headless.context, &Shaders::default()).map_err(to_text)?;
    renderer.ask_for_tier(case.tier);
    renderer.ask_for_detail(case.detail);
    let target = Target::new(&headless.context, [SIDE; 2], 1).map_err(to_text)?;
    let mut best = Duration::MAX;
    // The first frame loads programs and copies meshes.
    for at in 0..=arguments.frames {
        let frame = frame(&model, case, if case.moves { at as f32 * 0.1 } else { 1.0 });
        let start = Instant::now();
        renderer.render(&frame, &target).map_err(to_text)?;
        // Waits for the driver.
        target.read();
        if at > 0 {
            best = best.min(start.elapsed());
        }
    }
    let last_entry = (arguments.bones - 1) as u16;
    Ok((best, VertexFormat::of(&model.meshes[0].mesh, case.detail, last_entry).stride))
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
    let camera = Camera { eye: Vec3::new(0.0, 1.0, 8.0), target: Vec3::Y, up: Vec3::Y, projection };
    let draw = ModelDraw { world_from_model: Mat4::IDENTITY, ..draw };
    Frame { camera, light: Light { shadow: 0.0, ..Light::default() }, models: vec![draw], ..Frame::default() }
}
