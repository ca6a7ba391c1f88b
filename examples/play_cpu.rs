//! The smallest program that plays an archive: loads it, samples a clip, skins on the CPU. No window, no GL.
//!
//! `cargo run --no-default-features --example play_cpu [FILE] [CLIP]`

use std::error::Error;

use keypose::anim::playback::clip_time;
use keypose::anim::pose::{LocalPose, ModelPose};
use keypose::anim::time::Time;
use keypose::assets::posed::mesh_positions;
use keypose::wad;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().unwrap_or_else(|| "data/demo.wad".into());
    let name = arguments.next().unwrap_or_else(|| "walk".into());

    let archive = wad::decode(&std::fs::read(&file)?)?;
    let character = archive.characters.first().ok_or("the archive has no model")?;
    let clip = character.clip_named(&name).ok_or("the model has no such clip")?;

    let (mut local, mut pose) = (LocalPose::default(), ModelPose::default());
    let (mut palette, mut positions) = (Vec::new(), Vec::new());
    for tick in (0..60).step_by(6) {
        let time = clip_time(Time::from_ticks(tick), clip.length, clip.loop_mode);
        clip.sample(time, &mut local);
        pose.compute(&character.model.skeleton, &local);
        let (mut count, mut top) = (0, f32::MIN);
        for slot in &character.model.meshes {
            mesh_positions(&character.model, &slot.mesh, &pose, &mut palette, &mut positions);
            count += positions.len();
            top = positions.iter().fold(top, |top, position| top.max(position.y));
        }
        println!("{file} {name} at {time}: {count} vertices, the highest at {top:.3}");
    }
    Ok(())
}
