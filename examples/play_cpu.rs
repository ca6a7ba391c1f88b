//! The smallest use of the runtime: reads an archive, plays a clip, skins every mesh on the CPU and prints where it is.
//! No window, no GL. `cargo run --no-default-features --example play_cpu -- data/demo.wad [MODEL [CLIP]]`

use std::error::Error;

use glam::Vec3;
use keypose::anim::playback::clip_time;
use keypose::anim::pose::{LocalPose, ModelPose};
use keypose::anim::time::Time;
use keypose::assets::skinned_mesh::mesh_positions;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let path = words.next().unwrap_or_else(|| "data/demo.wad".into());
    let archive = keypose::wad::decode(&std::fs::read(&path).map_err(|reason| format!("{path}: {reason}"))?)?;
    let wanted = words.next();
    let is_wanted = |name: &str| wanted.as_ref().is_none_or(|wanted| wanted == name);
    let character =
        archive.characters.iter().find(|it| is_wanted(&it.model.name)).ok_or("the archive has no such model")?;
    let model = &character.model;
    let wanted = words.next();
    let is_wanted = |name: &str| wanted.as_ref().is_none_or(|wanted| wanted == name);
    let clip = character.clips.iter().find(|it| is_wanted(&it.name)).ok_or("the model has no such clip")?;
    println!("{}: {} plays for {}", model.name, clip.name, clip.length);

    let (mut local, mut pose) = (LocalPose::default(), ModelPose::default());
    let (mut palette, mut vertices) = (Vec::new(), Vec::new());
    let quarters = clip.length.0 / (Time::TICK.0 * 15) + 1;
    for quarter in 0..=quarters {
        let time = clip_time(Time::from_ticks(quarter * 15), clip.length, clip.loop_mode);
        clip.sample(time, &mut local);
        pose.compute(&model.skeleton, &local);
        let (mut low, mut high, mut count) = (Vec3::INFINITY, Vec3::NEG_INFINITY, 0);
        for slot in &model.meshes {
            mesh_positions(model, &slot.mesh, &pose, &mut palette, &mut vertices);
            count += vertices.len();
            for &vertex in &vertices {
                (low, high) = (low.min(vertex), high.max(vertex));
            }
        }
        println!("{time}: {count} vertices from {low:.3} to {high:.3}");
    }
    Ok(())
}
