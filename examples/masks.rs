//! Masks: the upper body attacks while the legs walk. A mask gives each bone its share of the blend.
//! `cargo run --example masks`

use std::error::Error;

use keypose::anim::blend::{Mask, blend_masked};
use keypose::anim::pose::LocalPose;
use keypose::anim::time::Time;
use keypose::wad;

fn main() -> Result<(), Box<dyn Error>> {
    run().map(drop)
}

/// Returns for each bone its name and the clip whose pose it shows: "walk", "attack", "both" for a mixture, or
/// "either" if the clips agree.
pub fn run() -> Result<Vec<(String, &'static str)>, Box<dyn Error>> {
    let archive = wad::decode(&std::fs::read("data/demo.wad")?)?;
    let knight = archive.characters.first().ok_or("the archive has no model")?;
    let skeleton = &knight.model.skeleton;
    let walk = knight.clip_named("walk").ok_or("no clip \"walk\"")?;
    let attack = knight.clip_named("attack").ok_or("no clip \"attack\"")?;
    let spine = skeleton.find("spine").ok_or("no bone \"spine\"")?;

    // The spine takes half of the attack, so that the waist has no hard edge; everything above it takes all.
    let mut upper_body = Mask::below(skeleton, spine);
    upper_body.set(spine, 0.5);

    let (mut walking, mut attacking) = (LocalPose::default(), LocalPose::default());
    walk.sample(Time::from_millis(100.0), &mut walking);
    attack.sample(Time::from_millis(250.0), &mut attacking);
    let mut pose = walking.clone();
    blend_masked(&mut pose, &attacking, 1.0, &upper_body);

    let shown = skeleton.bones().iter().enumerate().map(|(at, bone)| {
        let is_from = |other: &LocalPose| pose.get(at).distance(&other.get(at)) < 1e-4;
        let clip = match (is_from(&walking), is_from(&attacking)) {
            (true, true) => "either",
            (true, false) => "walk",
            (false, true) => "attack",
            (false, false) => "both",
        };
        println!("{:16} {clip}", bone.name);
        (bone.name.clone(), clip)
    });
    Ok(shown.collect())
}
