//! What the runtime costs: sampling, local to model, palettes and skinning, with memory and error beside each time.
//!
//! `cargo bench --no-default-features --bench runtime`

use std::hint::black_box;

use keypose::anim::bake::bake;
use keypose::anim::pose::{LocalPose, ModelPose};
use keypose::anim::time::Time;

#[path = "shared/clock.rs"]
mod clock;
#[path = "shared/generated.rs"]
mod generated;

use clock::least_ns;
use generated::{Kind, clip, noise, skeleton};

/// Samples in one timed run.
const STEPS: usize = 1000;

fn main() {
    println!(
        "nanoseconds, least of many; clips of 2 s; bytes per joint and second; error as a share of the model's size\n"
    );
    println!(
        "| joints | clip | form | playing | seeking | portable | + model | 1,000 characters, each | bytes | error |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for joints in [67, 256] {
        for kind in Kind::ALL {
            poses(joints, kind);
        }
    }
}

fn poses(joints: usize, kind: Kind) {
    let skeleton = skeleton(joints);
    let baked = bake(&clip(&skeleton, kind), &skeleton);
    let (mut local, mut model) = (LocalPose::default(), ModelPose::default());
    let playing: Vec<Time> = (0..STEPS).map(|step| Time(baked.length.0 * step as i64 / STEPS as i64)).collect();
    let seek = |step: usize| Time((f64::from(noise(step as u32) * 0.5 + 0.5) * baked.length.0 as f64) as i64);
    let seeking: Vec<Time> = (0..STEPS).map(seek).collect();
    let mut run = |times: &[Time], work: &mut dyn FnMut(Time, &mut LocalPose)| {
        least_ns(STEPS, || times.iter().for_each(|&time| work(black_box(time), black_box(&mut local))))
    };
    let play = run(&playing, &mut |time, local| baked.sample(time, local));
    let seek = run(&seeking, &mut |time, local| baked.sample(time, local));
    let portable = run(&playing, &mut |time, local| baked.sample_portable(time, local));
    let both = run(&playing, &mut |time, local| {
        baked.sample(time, local);
        model.compute(&skeleton, local);
        black_box(&model);
    });
    let mut crowd = vec![(LocalPose::default(), ModelPose::default()); STEPS];
    let each = least_ns(STEPS, || {
        for ((local, model), &time) in crowd.iter_mut().zip(&seeking) {
            baked.sample(time, local);
            model.compute(&skeleton, local);
        }
        black_box(&crowd);
    });
    let report = baked.report();
    let bytes = report.bytes as f64 / joints as f64 / baked.length.secs();
    println!(
        "| {joints} | {kind:?} | {:?}, {} | {play:.0} | {seek:.0} | {portable:.0} | {both:.0} | {each:.0} | {bytes:.0} | {:.1e} |",
        report.form, report.columns, report.max_error
    );
}
