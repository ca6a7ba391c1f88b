//! Additive layer: adds the flinch of one clip to a walk. The layer holds the difference from the flinch's first frame, so
//! the walk continues beneath it.
//! `cargo run --example additive`

use std::error::Error;

use keypose::anim::additive::AdditivePose;
use keypose::anim::playback::clip_time;
use keypose::anim::pose::{LocalPose, ModelPose};
use keypose::anim::time::Time;
use keypose::wad;

fn main() -> Result<(), Box<dyn Error>> {
    run().map(drop)
}

/// Adds the flinch with weights 0, 0.5 and 1 and returns how far it moves the head from the plain walk at each.
pub fn run() -> Result<Vec<f32>, Box<dyn Error>> {
    let archive = wad::decode(&std::fs::read("data/demo.wad")?)?;
    let knight = archive.characters.first().ok_or("the archive has no model")?;
    let skeleton = &knight.model.skeleton;
    let walk = knight.clip_named("walk").ok_or("no clip \"walk\"")?;
    let hurt = knight.clip_named("hurt").ok_or("no clip \"hurt\"")?;
    let head = skeleton.find("head").ok_or("no bone \"head\"")?;

    let (mut reference, mut flinch) = (LocalPose::default(), LocalPose::default());
    let (mut plain, mut layered) = (LocalPose::default(), LocalPose::default());
    let (mut without, mut with) = (ModelPose::default(), ModelPose::default());
    let mut layer = AdditivePose::default();
    hurt.sample(Time::ZERO, &mut reference);

    let mut farthest = [0.0_f32; 3];
    let mut elapsed = Time::ZERO;
    while elapsed < hurt.length {
        walk.sample(clip_time(elapsed, walk.length, walk.loop_mode), &mut plain);
        without.compute(skeleton, &plain);
        hurt.sample(elapsed, &mut flinch);
        layer.set_between(&reference, &flinch);
        for (weight, farthest) in [0.0, 0.5, 1.0].into_iter().zip(&mut farthest) {
            layered.copy_from(&plain);
            layer.add_to(&mut layered, weight);
            with.compute(skeleton, &layered);
            *farthest = farthest.max(with.get(head).translation().distance(without.get(head).translation()));
        }
        elapsed += Time::TICK;
    }
    for (weight, farthest) in ["none", "half", "all"].iter().zip(&farthest) {
        println!("{weight} of the flinch moves the head by up to {farthest:.3} m");
    }
    Ok(farthest.to_vec())
}
