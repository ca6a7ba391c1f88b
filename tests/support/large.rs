//! A generated model of any size: tentacles around a root bone, with four influences for each vertex, and a clip that sways them.
#![allow(dead_code)]

use std::f32::consts::TAU;
use std::sync::Arc;

use glam::{Mat4, Quat, Vec2, Vec3};
use keypose::anim::clip::{Clip, Keyframe, LoopMode};
use keypose::anim::key::Key;
use keypose::anim::skeleton::{Bone, Skeleton};
use keypose::anim::skin::Skin;
use keypose::anim::skin::cpu::InfluenceSet;
use keypose::anim::time::FrameRate;
use keypose::anim::transform::Transform;
use keypose::assets::id::ClipId;
use keypose::assets::material::Material;
use keypose::assets::mesh::{Binding, Mesh};
use keypose::assets::model::{ClipSlot, MeshSlot, Model, Visibility};

/// Chains of bones, each in a tentacle of its own.
const CHAINS: usize = 20;
/// The height of a tentacle.
const HEIGHT: f32 = 1.8;

/// A model with this number of bones, more than 20, and about this number of vertices, all in one mesh.
pub fn model(bones: usize, vertices: usize) -> Model {
    let levels = (bones - 1) / CHAINS;
    let bone = |at: usize| {
        let (name, parent) = match at.checked_sub(1) {
            None => ("root".to_owned(), None),
            Some(at) => {
                (format!("tentacle{:02}_{:02}", at % CHAINS, at / CHAINS), Some((at + 1).saturating_sub(CHAINS) as u16))
            }
        };
        let rest = match at {
            0 => Vec3::ZERO,
            1..=CHAINS => foot(at - 1),
            _ => Vec3::Y * HEIGHT / levels as f32,
        };
        Bone { name, parent, rest: Transform::from_translation(rest) }
    };
    let skeleton = Skeleton::new((0..bones).map(bone).collect()).expect("parents come first");
    let rest = skeleton.rest_model_pose();
    let joints: Vec<u16> = (0..bones as u16).collect();
    let inverse_binds: Vec<Mat4> = joints.iter().map(|&bone| rest.get(bone).to_mat4().inverse()).collect();
    let clips = vec![ClipSlot { id: ClipId(0), clip: Arc::new(sway(bones)) }];
    Model {
        name: "tentacles".into(),
        skeleton: Arc::new(skeleton),
        skins: vec![Arc::new(Skin { name: "tentacles".into(), joints, inverse_binds })],
        meshes: vec![MeshSlot { mesh: Arc::new(mesh(levels, vertices / CHAINS)), visibility: Visibility::Shown }],
        materials: vec![Arc::new(Material::default())],
        clips,
        ..Model::default()
    }
}

/// Where a tentacle stands.
fn foot(chain: usize) -> Vec3 {
    let turn = chain as f32 / CHAINS as f32 * TAU;
    Vec3::new(turn.cos(), 0.0, turn.sin()) * 0.8
}

fn mesh(levels: usize, vertices: usize) -> Mesh {
    let around = ((vertices as f32 / 8.0).sqrt() as usize).max(3);
    let rings = (vertices / around).max(2);
    let mut mesh = Mesh {
        name: "tentacles".into(),
        positions: Vec::new(),
        normals: Vec::new(),
        uvs: Vec::new(),
        colors: Vec::new(),
        indices: Vec::new(),
        influences: vec![InfluenceSet::default()],
        morphs: Vec::new(),
        material: 0,
        binding: Binding::Skin(0),
    };
    for chain in 0..CHAINS {
        let first = mesh.positions.len();
        for ring in 0..rings {
            let up = ring as f32 / (rings - 1) as f32;
            for side in 0..around {
                let turn = side as f32 / around as f32 * TAU;
                let out = Vec3::new(turn.cos(), 0.0, turn.sin());
                mesh.positions.push(foot(chain) + out * 0.1 * (1.0 - 0.8 * up) + Vec3::Y * up * HEIGHT);
                mesh.normals.push(out);
                mesh.uvs.push(Vec2::new(side as f32 / around as f32, up));
                add_influences(&mut mesh.influences[0], chain, levels, up);
                if ring > 0 {
                    let at = |ring: usize, side: usize| (first + ring * around + side % around) as u32;
                    let (a, b) = (at(ring - 1, side), at(ring - 1, side + 1));
                    let (c, d) = (at(ring, side), at(ring, side + 1));
                    mesh.indices.extend([a, c, b, b, c, d]);
                }
            }
        }
    }
    mesh
}

/// The nearest bones of a chain, by how near they are.
fn add_influences(set: &mut InfluenceSet, chain: usize, levels: usize, up: f32) {
    let place = up * (levels - 1) as f32;
    let first = (place as usize).saturating_sub(1).min(levels.saturating_sub(4));
    let weight = |slot: usize| (1.0 - ((first + slot) as f32 - place).abs() / 3.0).max(0.0);
    let whole: f32 = (0..4).map(weight).sum();
    set.joints.push(std::array::from_fn(|slot| (1 + chain + CHAINS * (first + slot).min(levels - 1)) as u16));
    set.weights.push(std::array::from_fn(|slot| weight(slot) / whole));
}

/// Two seconds in which every bone turns.
fn sway(bones: usize) -> Clip {
    let rate = FrameRate::FPS_30;
    let keyframe = |at: u32| {
        let turn = Quat::from_rotation_z(0.05 * (at as f32 / 10.0 * TAU).sin());
        let keys: Vec<Key> = (0..bones as u16).map(|bone| Key::rotation(bone, turn)).collect();
        Keyframe { duration: rate.time_of(6), keys: keys.into(), ..Keyframe::default() }
    };
    Clip { keyframes: (0..10).map(keyframe).collect(), loop_mode: LoopMode::Loop, ..Clip::new("sway") }
}
