//! Look-at: chest, neck and head turn to a target together, each by its share, up to a limit.
//! `cargo run --example look_at`

use std::error::Error;

use glam::Vec3;
use keypose::anim::ik::look::{Aim, solve};
use keypose::anim::pose::{LocalPose, ModelPose};
use keypose::anim::time::Time;
use keypose::wad;

fn main() -> Result<(), Box<dyn Error>> {
    run().map(drop)
}

/// Looks at a target that circles the knight and returns the angle in degrees between gaze and target at each step.
pub fn run() -> Result<Vec<f32>, Box<dyn Error>> {
    let archive = wad::decode(&std::fs::read("data/demo.wad")?)?;
    let knight = archive.characters.first().ok_or("the archive has no model")?;
    let skeleton = &knight.model.skeleton;
    let idle = knight.clip_named("idle").ok_or("no clip \"idle\"")?;
    let bone = |name: &str| skeleton.find(name).ok_or(format!("no bone \"{name}\""));
    let head = bone("head")?;
    // Each bone takes its share of what is left, from the root on; the last one takes all of it.
    let bones = [(bone("chest")?, 0.3), (bone("neck")?, 0.4), (head, 1.0)];

    let (mut pose, mut model) = (LocalPose::default(), ModelPose::default());
    let mut angles = Vec::new();
    for degrees in [0.0_f32, 30.0, 60.0, 90.0, 120.0, 180.0] {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let target = Vec3::new(3.0 * sin, 1.6, 3.0 * cos);
        // The head's own z axis is its gaze. Together the bones turn by 100° at most.
        let aim = Aim { max_angle: 100_f32.to_radians(), ..Aim::at(target, Vec3::Z) };
        idle.sample(Time::ZERO, &mut pose);
        solve(skeleton, &mut pose, &bones, &aim);

        model.compute(skeleton, &pose);
        let model_from_head = model.get(head);
        let gaze = model_from_head.transform_vector(Vec3::Z);
        let angle = gaze.angle_between(target - model_from_head.translation()).to_degrees();
        println!("target at {degrees:3.0}°: the gaze is {angle:5.1}° off");
        angles.push(angle);
    }
    Ok(angles)
}
