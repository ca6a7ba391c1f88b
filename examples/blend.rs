//! Blend: mixes a walk with a run. Both clips are sampled at the same phase, so that the feet stay in step.
//! `cargo run --example blend`

use std::error::Error;

use keypose::anim::blend::blend_poses;
use keypose::anim::playback::same_phase;
use keypose::anim::pose::{LocalPose, ModelPose};
use keypose::anim::time::Time;
use keypose::wad;

fn main() -> Result<(), Box<dyn Error>> {
    run().map(drop)
}

/// Blends at five weights and returns the longest distance between the two feet at each.
pub fn run() -> Result<Vec<f32>, Box<dyn Error>> {
    let archive = wad::decode(&std::fs::read("data/demo.wad")?)?;
    let knight = archive.characters.first().ok_or("the archive has no model")?;
    let skeleton = &knight.model.skeleton;
    let walk = knight.clip_named("walk").ok_or("no clip \"walk\"")?;
    let run = knight.clip_named("run").ok_or("no clip \"run\"")?;
    let left = skeleton.find("foot.L").ok_or("no bone \"foot.L\"")?;
    let right = skeleton.find("foot.R").ok_or("no bone \"foot.R\"")?;

    let (mut walking, mut running) = (LocalPose::default(), LocalPose::default());
    let (mut blended, mut model) = (LocalPose::default(), ModelPose::default());
    let mut longest_steps = Vec::new();
    for weight in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let mut longest: f32 = 0.0;
        for tick in 0..walk.length.0 / Time::TICK.0 {
            let time = Time::from_ticks(tick);
            walk.sample(time, &mut walking);
            run.sample(same_phase(time, walk.length, run.length), &mut running);
            blend_poses(&walking, &running, weight, &mut blended);
            model.compute(skeleton, &blended);
            longest = longest.max(model.get(left).translation().distance(model.get(right).translation()));
        }
        println!("{:3.0} % run: the feet are up to {longest:.3} m apart", weight * 100.0);
        longest_steps.push(longest);
    }
    Ok(longest_steps)
}
