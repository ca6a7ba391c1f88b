//! Skinning: the same pose by linear blend skinning, by dual quaternions, and by palettes that were cached for a crowd.
//! `cargo run --example skinning`

use std::error::Error;

use glam::{Quat, Vec3};
use keypose::anim::pose::{LocalPose, ModelPose};
use keypose::anim::skin::cache::PaletteCache;
use keypose::anim::skin::cpu::{self, Influences, Skinned, Source};
use keypose::anim::skin::dual::{self, DualPalette};
use keypose::anim::skin::palette;
use keypose::anim::time::{FrameRate, Time};
use keypose::wad;

/// The differences of the three ways.
pub struct Comparison {
    /// The distance in metres between vertices by linear and by dual quaternion skinning: in the clip's own pose.
    pub posed: f32,
    /// The differences with the neck twisted by 160°, where linear skinning collapses.
    pub twisted: f32,
    /// The distance between vertices by the cached and by the sampled palette, at a time between two frames.
    pub cached: f32,
    /// The bytes of the cache.
    pub bytes: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    run().map(drop)
}

/// Skins the knight in the middle of a walk.
pub fn run() -> Result<Comparison, Box<dyn Error>> {
    let archive = wad::decode(&std::fs::read("data/demo.wad")?)?;
    let knight = archive.characters.first().ok_or("the archive has no model")?;
    let skeleton = &knight.model.skeleton;
    let walk = knight.clip_named("walk").ok_or("no clip \"walk\"")?;
    let neck = usize::from(skeleton.find("neck").ok_or("no bone \"neck\"")?);
    let mesh = &knight.model.meshes.first().ok_or("the model has no mesh")?.mesh;
    let skin = knight.model.skins.first().ok_or("the model has no skin")?;
    let influences = Influences::of(&mesh.influences);
    let source = Source { positions: &mesh.positions, normals: &mesh.normals, tangents: &[] };

    let (mut local, mut model, mut matrices) = (LocalPose::default(), ModelPose::default(), Vec::new());
    let (mut linear, mut dual, mut rigid) = (Skinned::default(), Skinned::default(), DualPalette::default());
    let farthest = |a: &[Vec3], b: &[Vec3]| a.iter().zip(b).fold(0.0, |far: f32, (a, b)| far.max(a.distance(*b)));
    let time = Time::from_millis(333.0);
    let mut compare = |twist: f32| {
        walk.sample(time, &mut local);
        let mut transform = local.get(neck);
        transform.rotation *= Quat::from_rotation_y(twist.to_radians());
        local.set(neck, &transform);
        model.compute(skeleton, &local);
        palette::compute(skin, &model, &mut matrices);
        cpu::vertices(&influences, &matrices, &source, &mut linear);
        rigid.compute(&matrices);
        dual::vertices(&influences, &rigid, &source, &mut dual);
        farthest(&linear.positions, &dual.positions)
    };
    let (twisted, posed) = (compare(160.0), compare(0.0));

    let cache = PaletteCache::new(walk, skeleton, skin, FrameRate::FPS_30);
    cache.mixed(time, &mut matrices);
    let mut crowd = Skinned::default();
    cpu::vertices(&influences, &matrices, &source, &mut crowd);
    let cached = farthest(&linear.positions, &crowd.positions);
    println!("linear and dual quaternion skinning: {posed:.4} m apart, {twisted:.4} m with the neck twisted");
    println!("palettes of {} frames in {} bytes: up to {cached:.4} m off", cache.frames(), cache.bytes());
    Ok(Comparison { posed, twisted, cached, bytes: cache.bytes() })
}
