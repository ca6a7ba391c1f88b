//! Measures what a frame with a crowd costs the processor: the knight of the demo, 10,000 times, in 8 clips and in all phases.
//!
//! `cargo bench --bench crowd`

use std::sync::Arc;
use std::time::{Duration, Instant};

use glam::{Mat4, Vec3};
use keypose::anim::mat34::Mat3x4;
use keypose::anim::time::Time;
use keypose::assets::mesh_reach::bake_clip;
use keypose_app::app::film::headless::{Checks, Driver, Headless};
use keypose_editor::render::frame::Frame;
use keypose_editor::render::frame::color::Color;
use keypose_editor::render::frame::crowd::{Crowd, CrowdDraw, Member};
use keypose_editor::render::renderer::Renderer;
use keypose_editor::render::shaders::Shaders;

const COUNT: usize = 10_000;

fn main() {
    let headless = Headless::open(Driver::Any, Checks::Off).expect("there is a driver");
    let mut renderer = Renderer::new(&headless.context, &Shaders::default()).expect("the shaders compile");
    let crowd = Arc::new(crowd());
    let mut frame_at = |tick: i64| {
        let mut frame = Frame::default();
        let elapsed = Time::from_ticks(tick);
        frame.crowds.push(CrowdDraw { crowd: crowd.clone(), elapsed });
        let start = Instant::now();
        renderer.prepare_crowds(&frame).expect("the crowd has room");
        headless.context.finish();
        start.elapsed()
    };
    // The first frame makes the textures.
    let first = frame_at(0);
    let best = (1..24).map(frame_at).min().unwrap_or_default();
    let millis = |time: Duration| time.as_secs_f64() * 1e3;
    println!("{}", headless.context.describe());
    println!("{COUNT} characters: {:.3} ms a frame, {:.1} ms for the first one", millis(best), millis(first));
}

/// Knights in ranks.
fn crowd() -> Crowd {
    let demo = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/demo.wad")).expect("the demo is there");
    let models = keypose::wad::decode(&demo).expect("the demo is sound").project.models;
    let model = models[0].clone();
    let clips: Vec<_> = model.clips.iter().take(8).map(|slot| Arc::new(bake_clip(&model, &slot.clip))).collect();
    let member = |at: usize| {
        let place = Mat4::from_translation(Vec3::new((at % 100) as f32, 0.0, -((at / 100) as f32)) * 1.2);
        let (clip, phase) = (at % clips.len(), (at as f32 * 0.618_034).fract());
        Member { world_from_model: Mat3x4::from_mat4(&place), clip, phase, tint: Color::WHITE }
    };
    let members = (0..COUNT).map(member).collect();
    Crowd { props: models, model, clips, members, height: 1.8 }
}
