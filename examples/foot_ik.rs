//! Foot IK: the knight stands on a slope. The pelvis sinks until the lower foot reaches the ground, the other leg bends, and
//! the feet follow the slope.
//! `cargo run --example foot_ik`

use std::error::Error;

use glam::Vec3;
use keypose::anim::ik::foot::{Foot, Footing, Ground, place};
use keypose::anim::ik::two_bone::TwoBone;
use keypose::anim::pose::{LocalPose, ModelPose};
use keypose::anim::time::Time;
use keypose::wad;

/// The result on one slope.
pub struct Stand {
    /// How far the pelvis moved up, in metres.
    pub pelvis: f32,
    /// How far each ankle is from where the ground asks for it, in metres.
    pub errors: [f32; 2],
}

fn main() -> Result<(), Box<dyn Error>> {
    run().map(drop)
}

/// Stands on three slopes that rise to the knight's left, given in metres per metre.
pub fn run() -> Result<Vec<Stand>, Box<dyn Error>> {
    let archive = wad::decode(&std::fs::read("data/demo.wad")?)?;
    let knight = archive.characters.first().ok_or("the archive has no model")?;
    let skeleton = &knight.model.skeleton;
    let idle = knight.clip_named("idle").ok_or("no clip \"idle\"")?;
    let pelvis = skeleton.find("hips").ok_or("no bone \"hips\"")?;
    let leg = |foot: &str| skeleton.find(foot).and_then(|foot| TwoBone::ending_in(skeleton, foot)).ok_or("no leg");
    let legs = [leg("foot.L")?, leg("foot.R")?];
    let footing = Footing { up: Vec3::Y, max_drop: 0.3, max_tilt: 40_f32.to_radians() };

    let mut stands = Vec::new();
    for slope in [0.0, 0.2, 0.5] {
        let (mut pose, mut model) = (LocalPose::default(), ModelPose::default());
        idle.sample(Time::ZERO, &mut pose);
        model.compute(skeleton, &pose);
        // A game casts a ray down from each ankle; here the ground is a plane through the origin.
        let before = legs.map(|leg| model.get(leg.tip).translation());
        let heights = before.map(|ankle| slope * ankle.x);
        let ground = |height| Some(Ground { height, normal: Vec3::new(-slope, 1.0, 0.0) });
        let feet = [0, 1].map(|side| Foot { leg: legs[side], ground: ground(heights[side]) });
        let (pelvis, outcome) = place(skeleton, &mut pose, pelvis, &feet, &footing);

        model.compute(skeleton, &pose);
        let errors = [0, 1].map(|side| {
            let wanted = before[side] + Vec3::Y * heights[side];
            model.get(legs[side].tip).translation().distance(wanted)
        });
        println!("slope {slope}: pelvis {pelvis:+.3} m, {outcome:?}, ankles {errors:.5?} m off");
        stands.push(Stand { pelvis, errors });
    }
    Ok(stands)
}
