//! Root motion: the movement of the root bone is taken out of the pose and moves the character instead.
//! `cargo run --example root_motion`

use std::error::Error;
use std::sync::Arc;

use glam::{DVec3, Quat, Vec3};
use keypose::anim::bake::bake;
use keypose::anim::clip::Keyframe;
use keypose::anim::key::Key;
use keypose::anim::machine::bound::{BoundMachine, MachineClip};
use keypose::anim::machine::def::MachineDef;
use keypose::anim::machine::parameters::Parameters;
use keypose::anim::machine::parts::{MachineParts, Motion as StateMotion, StateDef};
use keypose::anim::machine::play::{Machine, Scratch};
use keypose::anim::pose::LocalPose;
use keypose::anim::root_motion::{Motion, RootMotion};
use keypose::anim::time::Time;
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
    walk.keyframes.push(Keyframe { duration: Time::ZERO, ..Keyframe::default() });
    for (keyframe, part) in [(0, 0.0), (walk.keyframes.len() - 1, 1.0)] {
        walk.keyframes[keyframe].set(Key::translation(root, Vec3::Z * 1.2 * part));
        walk.keyframes[keyframe].set(Key::rotation(root, Quat::from_rotation_y(9_f32.to_radians() * part)));
    }
    walk.root_motion = RootMotion::Turn;
    let walk = Arc::new(bake(&walk, skeleton));

    let parts = MachineParts {
        parameters: vec![],
        states: vec![StateDef::new("walk", StateMotion::Clip("walk".into()))],
        transitions: vec![],
        start: "walk".into(),
        layers: vec![],
    };
    let def = Arc::new(MachineDef::new(parts)?);
    let find = |_: &StateDef, _: &str| Some(MachineClip::new(walk.clone()));
    let mut machine = Machine::new(Arc::new(BoundMachine::new(def.clone(), skeleton, find)));
    let (mut parameters, mut scratch, mut pose) = (Parameters::new(&def), Scratch::default(), LocalPose::default());
    let mut character = Motion::NONE;
    let mut places = vec![];
    let ticks_per_loop = walk.length.0 / Time::TICK.0;
    for tick in 0..ticks_per_loop * 10 {
        machine.update(1.0 / 60.0, &mut parameters, &mut scratch);
        character = character.then(machine.root_motion(&mut scratch));
        // The pose that is drawn: its root stays at the origin of the character.
        machine.sample(&mut scratch, &mut pose);
        if (tick + 1) % ticks_per_loop == 0 {
            println!("after {} loops: {:.3}", (tick + 1) / ticks_per_loop, character.translation);
            places.push(character.translation);
        }
    }
    Ok(places)
}
