//! The first tests of the maths: two triangles on two bones, and an arm of six segments, with clips that wave them.

use std::sync::Arc;

use glam::{DVec3, Mat4, Vec3};
use keypose::anim::clip::{Clip, Keyframe, LoopMode};
use keypose::anim::key::{Ease, Key};
use keypose::anim::skeleton::{Bone, Skeleton};
use keypose::anim::skin::Skin;
use keypose::anim::skin::cpu::InfluenceSet;
use keypose::anim::time::{FrameRate, Time};
use keypose::anim::transform::Transform;
use keypose::assets::id::ClipId;
use keypose::assets::material::Material;
use keypose::assets::mesh::{Binding, Mesh};
use keypose::assets::model::{ClipSlot, MeshSlot, Model, Visibility};
use keypose::assets::project::Project;

use crate::maths::{quantised, quantised_quat, smoothstep, turn};

/// Keyframes in one wave.
const KEYS: usize = 8;
/// Segments of the arm, each one unit long.
pub const SEGMENTS: usize = 6;

/// A bone with its place in its parent.
type Place = (&'static str, Option<u16>, [f32; 3]);

/// Two triangles, five vertices: the left triangle on the root at the origin, the two vertices at the right on the
/// child at (2, 1, 0). Waves of 30° over one second.
pub fn two_bones() -> Project {
    let bones = [("root", None, [0.0; 3]), ("child", Some(0), [2.0, 1.0, 0.0])];
    let points = [[0.0, 0.0], [0.5, 1.5], [2.0, 1.0], [4.0, 2.0], [4.0, 0.0]];
    let weights = [0, 0, 0, 1, 1].map(|bone: u16| vec![(bone, 1.0)]);
    let mesh = flat_mesh("two triangles", &points, vec![0, 2, 1, 2, 4, 3], &weights);
    let clips = vec![
        wave("wave child", &[(1, 30.0, 0)]),
        wave("wave root", &[(0, 30.0, 0)]),
        wave("wave both", &[(0, 30.0, 0), (1, 30.0, 0)]),
    ];
    project("two bones", &bones, mesh, clips)
}

/// A ribbon of six segments along x with soft joints: all bend together, or a wave runs from the root to the tip.
pub fn arm() -> Project {
    let names = ["segment 1", "segment 2", "segment 3", "segment 4", "segment 5", "segment 6"];
    let place =
        |at: usize| (names[at], at.checked_sub(1).map(|at| at as u16), [if at == 0 { 0.0 } else { 1.0 }, 0.0, 0.0]);
    let bones: Vec<Place> = (0..SEGMENTS).map(place).collect();
    let (mut points, mut weights, mut indices) = (Vec::new(), Vec::new(), Vec::new());
    for column in 0..=4 * SEGMENTS {
        let x = column as f64 / 4.0;
        let half = 0.35 - 0.2 * x / SEGMENTS as f64;
        points.extend([[x as f32, quantised(-half)], [x as f32, quantised(half)]]);
        weights.extend([ribbon_weights(x), ribbon_weights(x)]);
        if column > 0 {
            let at = 2 * column as u32;
            indices.extend([at - 2, at, at + 1, at - 2, at + 1, at - 1]);
        }
    }
    let mesh = flat_mesh("ribbon", &points, indices, &weights);
    let bend: Vec<_> = (0..SEGMENTS).map(|at| (at as u16, 15.0, 0)).collect();
    let ripple: Vec<_> = (0..SEGMENTS).map(|at| (at as u16, 25.0, at)).collect();
    project("arm", &bones, mesh, vec![wave("bend", &bend), wave("ripple", &ripple)])
}

/// Half on either segment at a joint, all on one from a quarter of a unit away from it.
fn ribbon_weights(x: f64) -> Vec<(u16, f32)> {
    let joint = x.round().clamp(1.0, SEGMENTS as f64 - 1.0);
    let after = smoothstep(joint - 0.25, joint + 0.25, x) as f32;
    let before = joint as u16 - 1;
    [(before, 1.0 - after), (before + 1, after)].into_iter().filter(|(_, weight)| *weight > 0.0).collect()
}

/// A mesh in the plane z = 0, seen from both sides.
fn flat_mesh(name: &str, points: &[[f32; 2]], indices: Vec<u32>, weights: &[Vec<(u16, f32)>]) -> Mesh {
    let mut influences = InfluenceSet::default();
    for weights in weights {
        let slot = |at: usize| weights.get(at).copied().unwrap_or_default();
        influences.joints.push([0, 1, 2, 3].map(|at| slot(at).0));
        influences.weights.push([0, 1, 2, 3].map(|at| slot(at).1));
    }
    Mesh {
        name: name.into(),
        positions: points.iter().map(|&[x, y]| Vec3::new(x, y, 0.0)).collect(),
        normals: vec![Vec3::Z; points.len()],
        uvs: vec![],
        colors: vec![],
        indices,
        influences: vec![influences],
        morphs: vec![],
        material: 0,
        binding: Binding::Skin(0),
    }
}

/// A sine over one second in eight keyframes: bone, degrees, and by how many keyframes it comes later.
fn wave(name: &str, bones: &[(u16, f64, usize)]) -> Clip {
    let mut clip = Clip { loop_mode: LoopMode::Loop, frame_rate: FrameRate::FPS_24, ..Clip::new(name) };
    for at in 0..KEYS {
        let mut keyframe = Keyframe { duration: Time(Time::FLICKS_PER_SEC / KEYS as i64), ..Keyframe::default() };
        for &(bone, degrees, later) in bones {
            let phase = 360.0 / KEYS as f64 * (at as f64 - later as f64);
            let rotation = turn(DVec3::Z, degrees * crate::maths::sin_cos(phase).0);
            let key = Key::rotation(bone, quantised_quat(rotation));
            keyframe.set(Key { ease: Ease::Cubic, ..key });
        }
        clip.keyframes.push(keyframe);
    }
    crate::clips::script::smooth(&mut clip);
    clip
}

fn project(name: &str, bones: &[Place], mesh: Mesh, clips: Vec<Clip>) -> Project {
    let bone = |&(name, parent, place): &Place| Bone {
        name: name.into(),
        parent,
        rest: Transform::from_translation(Vec3::from_array(place)),
    };
    let skeleton = Skeleton::new(bones.iter().map(bone).collect()).unwrap_or_default();
    let bind = skeleton.rest_model_pose();
    let inverse = |bone: u16| Mat4::from_translation(-bind.get(bone).translation());
    let skin = Skin {
        name: name.into(),
        joints: skeleton.indices().collect(),
        inverse_binds: skeleton.indices().map(inverse).collect(),
    };
    let material = Material { base_color: [0.9, 0.35, 0.15, 1.0], double_sided: true, ..Material::default() };
    let slot = |clip: Clip| ClipSlot { id: ClipId::default(), clip: Arc::new(clip) };
    let mut project = Project::default();
    project.add_model(Model {
        name: name.into(),
        skeleton: Arc::new(skeleton),
        skins: vec![Arc::new(skin)],
        meshes: vec![MeshSlot { mesh: Arc::new(mesh), visibility: Visibility::Shown }],
        materials: vec![Arc::new(material)],
        clips: clips.into_iter().map(slot).collect(),
        ..Model::default()
    });
    project
}
