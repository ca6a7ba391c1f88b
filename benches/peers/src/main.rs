//! Compares Keypose with fyrox-animation and bevy_animation on the same generated clips, in one run: time per
//! character.
//!
//! `cargo run --release` in this folder. The peers do what they do for a game each frame: fyrox-animation ticks an
//! `Animation` into its pose, bevy_animation runs its systems over entities on one thread. None of the three includes
//! local to model space.

use std::hint::black_box;

use keypose::anim::bake::{BakeOptions, SampleFormat, bake_with};
use keypose::anim::blend::blend_poses;
use keypose::anim::pose::LocalPose;
use keypose::anim::time::Time;

mod bevy;
#[path = "../../shared/clock.rs"]
mod clock;
mod fyrox;
#[path = "../../shared/generated.rs"]
mod generated;

use clock::min_ns;
use generated::{Kind, clip, noise, skeleton};

/// Samples per timed run.
const STEPS: usize = 200;
/// Characters in bevy's world, which share the cost of its schedule.
const CHARACTERS: usize = 50;

fn main() {
    println!("nanoseconds per character, minimum of many runs; in brackets: times keypose's, in 16 bits and in 32\n");
    println!("| joints | work | keypose, 16 bits | keypose, 32 bits | fyrox-animation | bevy_animation |");
    println!("|---|---|---|---|---|---|");
    for joints in [67, 256] {
        for kind in Kind::ALL {
            row(joints, kind);
        }
    }
}

fn row(joints: usize, kind: Kind) {
    let skeleton = skeleton(joints);
    let clip = clip(&skeleton, kind);
    let baked = [SampleFormat::Quantized, SampleFormat::F32]
        .map(|format| bake_with(&clip, &skeleton, &BakeOptions { format, ..BakeOptions::default() }));
    let length = clip.length().secs();
    let mut local = LocalPose::default();
    let even: Vec<f64> = (0..STEPS).map(|step| length * step as f64 / STEPS as f64).collect();
    let random: Vec<f64> = (0..STEPS).map(|step| length * f64::from(noise(step as u32) * 0.5 + 0.5)).collect();
    let mut ours = |times: &[f64]| {
        let times: Vec<Time> = times.iter().map(|&secs| Time::from_secs(secs)).collect();
        baked.each_ref().map(|baked| {
            min_ns(STEPS, || times.iter().for_each(|&time| baked.sample(black_box(time), black_box(&mut local))))
        })
    };
    let (playing, seeking) = (ours(&even), ours(&random));

    let mut animation = fyrox::animation(&clip);
    let mut theirs = |times: &[f64]| {
        min_ns(STEPS, || {
            for &secs in times {
                animation.set_time_position(black_box(secs as f32));
                animation.tick(0.0);
                black_box(animation.pose());
            }
        })
    };
    let (fyrox_playing, fyrox_seeking) = (theirs(&even), theirs(&random));

    let mut crowd = bevy::Crowd::new(&clip, joints, CHARACTERS);
    let bevy = min_ns(CHARACTERS, || crowd.step(1.0 / 97.0));
    assert!(crowd.sum() != 0.0, "bevy's bones did not move");

    let line = |work: &str, ours: [f64; 2], fyrox: f64, bevy: Option<f64>| {
        let [short, whole] = ours;
        let beside = |theirs: f64| format!("{theirs:.0} ({:.0} ×, {:.0} ×)", theirs / short, theirs / whole);
        let bevy = bevy.map_or("–".into(), beside);
        println!("| {joints} | {kind:?}, {work} | {short:.0} | {whole:.0} | {} | {bevy} |", beside(fyrox));
    };
    line("playing", playing, fyrox_playing, Some(bevy));
    line("seeking", seeking, fyrox_seeking, None);
    if kind == Kind::Dense {
        let (a, mut b) = (animation.pose().clone(), animation.pose().clone());
        let fyrox_blend = min_ns(STEPS, || (0..STEPS).for_each(|_| black_box(&mut b).blend_with(black_box(&a), 0.3)));
        let (from, to) = (local.clone(), local.clone());
        let mut out = local.clone();
        let blend = min_ns(STEPS, || {
            (0..STEPS).for_each(|_| blend_poses(black_box(&from), black_box(&to), 0.3, black_box(&mut out)));
        });
        line("2 layers blended", [blend; 2], fyrox_blend, None);
    }
}
