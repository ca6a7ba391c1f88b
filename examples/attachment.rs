//! Attachment: the sword hangs on the socket of the right hand; the left hand grips its hilt, too.
//! `cargo run --example attachment`

use std::error::Error;

use glam::{Mat4, Vec3};
use keypose::anim::ik::grip::{Grip, Rung, hold};
use keypose::anim::ik::two_bone::{Goal, TwoBone, solve};
use keypose::anim::pose::{LocalPose, ModelPose};
use keypose::anim::time::Time;
use keypose::wad;

/// Where the sword and the left hand are, in model space and metres.
pub struct Held {
    /// The point of the blade that is farthest from the socket.
    pub tip: Vec3,
    /// The distance from the middle of the left hand's grip to the line of the hilt.
    pub left_hand: f32,
}

fn main() -> Result<(), Box<dyn Error>> {
    run().map(drop)
}

/// Raises the sword before the chest and takes it with both hands.
pub fn run() -> Result<Held, Box<dyn Error>> {
    let archive = wad::decode(&std::fs::read("data/demo.wad")?)?;
    let find = |name: &str| archive.characters.iter().find(|it| it.model.name == name).ok_or("a model is missing");
    let (knight, sword) = (find("knight")?, find("sword")?);
    let skeleton = &knight.model.skeleton;
    let socket = knight.model.sockets.iter().find(|socket| socket.name == "weapon").ok_or("no socket \"weapon\"")?;
    let arm = |hand: &str| skeleton.find(hand).and_then(|hand| TwoBone::ending_in(skeleton, hand)).ok_or("no arm");
    let (right, left) = (arm("hand.R")?, arm("hand.L")?);

    let mut pose = LocalPose::default();
    knight.clip_named("idle").ok_or("no clip \"idle\"")?.sample(Time::ZERO, &mut pose);
    solve(skeleton, &mut pose, right, &Goal::at(Vec3::new(-0.1, 1.05, 0.35)));

    let mut model = ModelPose::default();
    model.compute(skeleton, &pose);
    // Model space from the sword's: what a renderer draws the attached model with.
    let model_from_sword = |model: &ModelPose| model.get(socket.bone).to_mat4() * socket.transform.to_mat4();
    let at: Mat4 = model_from_sword(&model);
    let along = at.transform_vector3(Vec3::Y).normalize();
    // The hilt reaches from the right hand downwards.
    let hilt = Rung { from: at.w_axis.truncate() - along * 0.05, to: at.w_axis.truncate() - along * 0.15 };
    let grip = Grip { center: Vec3::new(0.03, 0.088, 0.0), axis: Vec3::Z };
    let outcome = hold(skeleton, &mut pose, left, &grip, &hilt, None);

    model.compute(skeleton, &pose);
    let center = model.get(left.tip).transform_point(grip.center);
    let left_hand = center.distance(hilt.nearest(center));
    let vertices = sword.model.meshes.iter().flat_map(|slot| &slot.mesh.positions);
    let farthest = vertices.max_by(|a, b| a.length().total_cmp(&b.length())).ok_or("the sword has no vertices")?;
    let tip = model_from_sword(&model).transform_point3(*farthest);
    println!("the tip of the sword is at {tip:.3}");
    println!("the left hand is {left_hand:.4} m from the hilt: {outcome:?}");
    Ok(Held { tip, left_hand })
}
