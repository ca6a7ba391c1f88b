//! Root motion: the movement of the root bone is taken out of the pose and moves the character instead.
//! `cargo run --example root_motion`

use std::error::Error;

use glam::{DVec3, Quat, Vec3};
use keypose::anim::bake::bake;
use keypose::anim::clip::Keyframe;
use keypose::anim::key::Key;
use keypose::anim::playback::clip_time;
use keypose::anim::pose::LocalPose;
use keypose::anim::root_motion::{Motion, Part, delta};
use keypose::anim::time::Time;
use keypose::anim::transform::Transform;
use keypose::wad;

fn main() -> Result<(), Box<dyn Error>> {
    run().map(drop)
}

/// Walks in an arc for ten loops, tick by tick, and returns where the character is after each loop.
pub fn run() -> Result<Vec<DVec3>, Box<dyn Error>> {
    let archive = wad::decode(&std::fs::read("data/demo.wad")?)?;
    let model = &archive.project.models.first().ok_or("the archive has no model")?;
    let skeleton = &model.skeleton;
    let root = skeleton.find("root").ok_or("no bone \"root\"")?;

    // The demo's walk plays in place. Its root gets 1.2 m forwards and 9° to the left, keyed at the start and at the end: a
    // last keyframe without duration holds the end of the loop.
    let mut walk = (*model.clip_named("walk").ok_or("no clip \"walk\"")?.clip).clone();
    walk.keyframes.push(Keyframe { duration: Time::ZERO, keys: vec![].into() });
    for (keyframe, part) in [(0, 0.0), (walk.keyframes.len() - 1, 1.0)] {
        walk.keyframes[keyframe].set(Key::translation(root, Vec3::Z * 1.2 * part));
        walk.keyframes[keyframe].set(Key::rotation(root, Quat::from_rotation_y(9_f32.to_radians() * part)));
    }
    let walk = bake(&walk, skeleton);

    let (mut pose, mut probe) = (LocalPose::default(), LocalPose::default());
    let mut root_at = |time: Time| {
        walk.sample(time, &mut probe);
        probe.get(usize::from(root))
    };
    let mut character = Motion::NONE;
    let mut places = vec![];
    let ticks_per_loop = walk.length.0 / Time::TICK.0;
    for tick in 0..ticks_per_loop * 10 {
        let (from, to) = (Time::from_ticks(tick), Time::from_ticks(tick + 1));
        character = character.then(delta(&mut root_at, walk.length, walk.loop_mode, Part::Ground, from, to));
        // The pose that is drawn: its root stays at the origin of the character.
        walk.sample(clip_time(to, walk.length, walk.loop_mode), &mut pose);
        pose.set(usize::from(root), &Transform::IDENTITY);
        if (tick + 1) % ticks_per_loop == 0 {
            println!("after {} loops: {:.3}", (tick + 1) / ticks_per_loop, character.translation);
            places.push(character.translation);
        }
    }
    Ok(places)
}
