//! Playback: loads an archive, plays a clip in a loop and skins every mesh on the CPU.
//! `cargo run --example playback -- data/demo.wad [MODEL [CLIP]]`

use std::error::Error;

use glam::Vec3;
use keypose::anim::playback::clip_time;
use keypose::anim::pose::{LocalPose, ModelPose};
use keypose::anim::time::Time;
use keypose::assets::skinned_mesh::mesh_positions;
use keypose::wad;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().unwrap_or_else(|| "data/demo.wad".into());
    run(&path, arguments.next().as_deref(), arguments.next().as_deref()).map(drop)
}

/// Plays a clip for a little more than one loop and returns the lowest and highest vertex at each step.
pub fn run(path: &str, model: Option<&str>, clip: Option<&str>) -> Result<Vec<[Vec3; 2]>, Box<dyn Error>> {
    let archive = wad::decode(&std::fs::read(path).map_err(|reason| format!("{path}: {reason}"))?)?;
    let has_name = |name: &str, wanted: Option<&str>| wanted.is_none_or(|wanted| wanted == name);
    let mut characters = archive.characters.iter();
    let character = characters.find(|it| has_name(&it.model.name, model)).ok_or("no such model in the archive")?;
    let clip = character.clips.iter().find(|it| has_name(&it.name, clip)).ok_or("the model has no such clip")?;
    let model = &character.model;
    println!("{}: {}, {}, {}", model.name, clip.name, clip.length, clip.loop_mode.name());

    // The buffers are reused: sampling allocates nothing.
    let (mut local, mut pose) = (LocalPose::default(), ModelPose::default());
    let (mut palette, mut vertices) = (Vec::new(), Vec::new());
    let step = Time::from_ticks(15);
    let mut elapsed = Time::ZERO;
    let mut bounds = Vec::new();
    while elapsed <= clip.length + step {
        clip.sample(clip_time(elapsed, clip.length, clip.loop_mode), &mut local);
        pose.compute(&model.skeleton, &local);
        let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for slot in &model.meshes {
            mesh_positions(model, &slot.mesh, &pose, &mut palette, &mut vertices);
            for &vertex in &vertices {
                (low, high) = (low.min(vertex), high.max(vertex));
            }
        }
        println!("{elapsed}: vertices from {low:.3} to {high:.3}");
        bounds.push([low, high]);
        elapsed += step;
    }
    Ok(bounds)
}
