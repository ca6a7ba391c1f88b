//! IK of a chain with joint limits: an arm reaches for a target with cyclic coordinate descent and with FABRIK. The elbow is
//! a hinge, the shoulder a cone.
//! `cargo run --example ik_chain`

use std::error::Error;

use glam::Vec3;
use keypose::anim::ik::chain::{Chain, Effort};
use keypose::anim::ik::limit::Limit;
use keypose::anim::ik::{Outcome, ccd, fabrik};
use keypose::anim::pose::ModelPose;
use keypose::wad;

/// The result of one solver for one target.
pub struct Reach {
    /// The report of the solver.
    pub outcome: Outcome,
    /// The distance of the hand from the target in metres.
    pub distance: f32,
    /// How far the elbow is bent from its rest pose, in degrees.
    pub elbow: f32,
}

fn main() -> Result<(), Box<dyn Error>> {
    run().map(drop)
}

/// Reaches for three targets, the last out of reach, with each of both solvers.
pub fn run() -> Result<Vec<[Reach; 2]>, Box<dyn Error>> {
    let archive = wad::decode(&std::fs::read("data/demo.wad")?)?;
    let knight = archive.characters.first().ok_or("the archive has no model")?;
    let skeleton = &knight.model.skeleton;
    let bone = |name: &str| skeleton.find(name).ok_or(format!("no bone \"{name}\""));
    let (upper, lower, hand) = (bone("upper_arm.R")?, bone("forearm.R")?, bone("hand.R")?);
    let rest = |bone: u16| skeleton.bones()[usize::from(bone)].rest.rotation;
    let elbow = Limit { zero: rest(lower), axis: Vec3::X, min: -2.5, max: 2.5, swing: None };
    let shoulder = Limit { zero: rest(upper), axis: Vec3::Y, min: -1.5, max: 1.5, swing: Some(1.75) };
    let chain = Chain::between(skeleton, upper, hand).ok_or("the hand is not below the upper arm")?;
    let chain = chain.limit(upper, shoulder).limit(lower, elbow);
    let effort = Effort { iterations: 64, ..Effort::default() };

    let solve = |target: Vec3, solver: &str| {
        let mut pose = skeleton.rest_pose();
        let outcome = match solver {
            "ccd" => ccd::solve(skeleton, &mut pose, &chain, target, &effort),
            _ => fabrik::solve(skeleton, &mut pose, &chain, target, &effort),
        };
        let mut model = ModelPose::default();
        model.compute(skeleton, &pose);
        let elbow = pose.get(usize::from(lower)).rotation.angle_between(rest(lower)).to_degrees();
        let distance = model.get(hand).translation().distance(target);
        println!("{solver:6} to {target}: {distance:.4} m off, elbow at {elbow:.0}°, {outcome:?}");
        Reach { outcome, distance, elbow }
    };
    let targets = [Vec3::new(-0.35, 1.1, 0.35), Vec3::new(-0.3, 1.35, 0.4), Vec3::new(-0.2, 1.3, 2.0)];
    Ok(targets.map(|target| ["ccd", "fabrik"].map(|solver| solve(target, solver))).into())
}
