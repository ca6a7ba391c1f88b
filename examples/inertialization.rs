//! Inertialization: the pose jumps from a run to an idle clip, and the difference decays. The run isn't sampled again.
//! `cargo run --example inertialization`

use std::error::Error;

use keypose::anim::inertial::Inertia;
use keypose::anim::playback::clip_time;
use keypose::anim::pose::{LocalPose, ModelPose};
use keypose::anim::time::Time;
use keypose::wad;

fn main() -> Result<(), Box<dyn Error>> {
    run().map(drop)
}

/// The distance in metres that the left hand moves in each tick: with a plain jump, and with inertialization.
pub fn run() -> Result<[Vec<f32>; 2], Box<dyn Error>> {
    let archive = wad::decode(&std::fs::read("data/demo.wad")?)?;
    let knight = archive.characters.first().ok_or("the archive has no model")?;
    let skeleton = &knight.model.skeleton;
    let run = knight.clip_named("run").ok_or("no clip \"run\"")?;
    let idle = knight.clip_named("idle").ok_or("no clip \"idle\"")?;
    let hand = skeleton.find("hand.L").ok_or("no bone \"hand.L\"")?;
    let (jump, secs) = (20, 0.3);

    let steps = [false, true].map(|is_smooth| {
        // The last two poses that were shown give the difference its speed.
        let mut shown = [LocalPose::default(), LocalPose::default()];
        let (mut pose, mut model) = (LocalPose::default(), ModelPose::default());
        let mut inertia = Inertia::default();
        let (mut before, mut steps) = (None, Vec::new());
        for tick in 0..60 {
            if tick < jump {
                run.sample(clip_time(Time::from_ticks(tick), run.length, run.loop_mode), &mut pose);
            } else {
                let since = Time::from_ticks(tick - jump);
                idle.sample(clip_time(since, idle.length, idle.loop_mode), &mut pose);
                if tick == jump && is_smooth {
                    inertia.restart([&shown[0], &shown[1]], &pose, Time::TICK.secs() as f32, secs);
                }
                inertia.apply((since + Time::TICK).secs() as f32, &mut pose);
            }
            model.compute(skeleton, &pose);
            let place = model.get(hand).translation();
            steps.extend(before.replace(place).map(|before| place.distance(before)));
            shown.swap(0, 1);
            shown[1].copy_from(&pose);
        }
        let longest = steps.iter().fold(0.0_f32, |longest, &step| longest.max(step));
        let name = if is_smooth { "inertialized" } else { "plain jump" };
        println!("{name}: the left hand moves by up to {longest:.3} m in a tick");
        steps
    });
    Ok(steps)
}
