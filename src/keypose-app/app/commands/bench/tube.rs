//! A generated model for measurements: a tube along y, bent by a chain of bones, with four or eight influences for each vertex.

use std::f32::consts::TAU;
use std::sync::Arc;

use glam::{Mat4, Quat, Vec2, Vec3};

use keypose::anim::pose::{LocalPose, ModelPose};
use keypose::anim::skeleton::{Bone, Skeleton};
use keypose::anim::skin::Skin;
use keypose::anim::skin::cpu::InfluenceSet;
use keypose::anim::transform::Transform;
use keypose::assets::material::Material;
use keypose::assets::mesh::{Binding, Mesh};
use keypose::assets::model::{MeshSlot, Model, Visibility};

/// Vertices around the tube.
const AROUND: usize = 64;

/// Whether bones move the vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// One bone moves the whole mesh.
    Rigid,
    /// By this number of sets of four influences.
    Skinned(usize),
}

/// A tube of height 2 with this number of bones and about this number of vertices.
pub fn tube(bones: usize, vertices: usize, bound: Bound) -> Result<Model, String> {
    let bone = |at: usize| Bone {
        name: format!("bone {at}"),
        parent: at.checked_sub(1).map(|parent| parent as u16),
        rest: Transform::from_translation(Vec3::Y * if at == 0 { 0.0 } else { 2.0 / bones as f32 }),
    };
    let skeleton = Skeleton::new((0..bones).map(bone).collect()).map_err(|error| error.to_string())?;
    let rest = skeleton.rest_model_pose();
    let joints: Vec<u16> = (0..bones as u16).collect();
    let inverse_binds = joints.iter().map(|&bone| rest.get(bone).to_mat4().inverse()).collect::<Vec<Mat4>>();
    let mesh = mesh(bones, (vertices / AROUND).max(2), bound);
    let model = Model {
        name: "tube".into(),
        skeleton: Arc::new(skeleton),
        skins: vec![Arc::new(Skin { name: "tube".into(), joints, inverse_binds })],
        meshes: vec![MeshSlot { mesh: Arc::new(mesh), visibility: Visibility::Shown }],
        materials: vec![Arc::new(Material::default())],
        ..Model::default()
    };
    model.check().map(|()| model).map_err(|error| error.to_string())
}

fn mesh(bones: usize, rings: usize, bound: Bound) -> Mesh {
    let sets = if let Bound::Skinned(sets) = bound { sets } else { 0 };
    let mut mesh = Mesh {
        name: "tube".into(),
        positions: Vec::new(),
        normals: Vec::new(),
        uvs: Vec::new(),
        colors: Vec::new(),
        indices: Vec::new(),
        influences: vec![InfluenceSet::default(); sets],
        morphs: Vec::new(),
        material: 0,
        binding: if sets == 0 { Binding::Bone(0) } else { Binding::Skin(0) },
    };
    for ring in 0..rings {
        let up = ring as f32 / (rings - 1) as f32;
        for side in 0..AROUND {
            let turn = side as f32 / AROUND as f32 * TAU;
            let out = Vec3::new(turn.cos(), 0.0, turn.sin());
            mesh.positions.push(out * 0.2 + Vec3::Y * up * 2.0);
            mesh.normals.push(out);
            mesh.uvs.push(Vec2::new(side as f32 / AROUND as f32, up));
            add_influences(&mut mesh.influences, bones, up);
            if ring > 0 {
                let at = |ring: usize, side: usize| (ring * AROUND + side % AROUND) as u32;
                let (a, b) = (at(ring - 1, side), at(ring - 1, side + 1));
                let (c, d) = (at(ring, side), at(ring, side + 1));
                mesh.indices.extend([a, c, b, b, c, d]);
            }
        }
    }
    mesh
}

/// The nearest bones, by how near they are.
fn add_influences(sets: &mut [InfluenceSet], bones: usize, up: f32) {
    let place = up * (bones - 1) as f32;
    let slots = 4 * sets.len();
    let first = (place as usize).saturating_sub(slots / 2 - usize::from(slots > 0)).min(bones.saturating_sub(slots));
    let weight = |slot: usize| 1.0 / (1.0 + ((first + slot) as f32 - place).abs());
    let whole: f32 = (0..slots).map(weight).sum();
    for (set, influences) in sets.iter_mut().enumerate() {
        let joint = |slot: usize| (first + 4 * set + slot).min(bones - 1) as u16;
        influences.joints.push(std::array::from_fn(joint));
        influences.weights.push(std::array::from_fn(|slot| weight(4 * set + slot) / whole));
    }
}

/// The tube, bent and twisted.
pub fn bent(model: &Model, by: f32) -> Arc<ModelPose> {
    let part = by / model.skeleton.len() as f32;
    let turn = Quat::from_rotation_z(part) * Quat::from_rotation_y(3.0 * part);
    let local = model.skeleton.bones().iter().map(|bone| Transform { rotation: turn, ..bone.rest });
    let mut pose = ModelPose::default();
    pose.compute(&model.skeleton, &LocalPose::from_transforms(local));
    Arc::new(pose)
}
