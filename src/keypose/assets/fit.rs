//! The size and place of a model in a level, measured from its rest pose, and the bones that deform its meshes.

use glam::Vec3;

use crate::anim::mat34::Mat3x4;
use crate::anim::pose::ModelPose;
use crate::anim::skin::cpu;
use crate::assets::mesh::{Binding, Mesh};
use crate::assets::model::{Model, Visibility};
use crate::assets::skinned_mesh::morphed;

/// The height in metres that a standing model is scaled to.
pub const STANDING_HEIGHT: f32 = 1.8;
/// The maximum length of a model along the level in metres: animals are scaled down to it.
const MAX_LENGTH: f32 = 2.8;
/// The scale and origin of a model in a level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// Metres per model unit.
    pub scale: f32,
    /// The point that is moved to the point between the feet, in model units.
    pub base: Vec3,
    /// The height of the model in model units.
    pub height: f32,
    /// Length along the level in model units.
    pub length: f32,
}

impl Default for Fit {
    fn default() -> Fit {
        Fit { scale: 1.0, base: Vec3::ZERO, height: STANDING_HEIGHT, length: 0.5 }
    }
}

/// Scales a model by the height of the bounding box of its rest pose, skinned linearly. The feet are at the bottom. The same bits
/// on every machine, because a game decides by it.
pub fn fit(model: &Model) -> Fit {
    let pose = model.skeleton.rest_model_pose();
    let skinned = bounds(model, OnlySkinned::Yes, &pose);
    let Some((low, high)) = skinned.or_else(|| bounds(model, OnlySkinned::No, &pose)) else {
        return Fit::default();
    };
    let size = high - low;
    if !size.is_finite() || size.max_element() <= 1e-9 {
        return Fit::default();
    }
    let by_height = STANDING_HEIGHT / size.y.max(0.02 * size.max_element());
    let scale = by_height.min(MAX_LENGTH / size.z.max(1e-9));
    let is_inside = |at: f32, low: f32, high: f32| (low..=high).contains(&at);
    let middle = |low: f32, high: f32| if is_inside(0.0, low, high) { 0.0 } else { (low + high) * 0.5 };
    let base = Vec3::new(middle(low.x, high.x), low.y, middle(low.z, high.z));
    Fit { scale, base, height: size.y.max(1e-9), length: size.z.max(1e-9) }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum OnlySkinned {
    Yes,
    No,
}

/// The bounding box of a pose, without hidden meshes; `OnlySkinned::Yes` also ignores rigid ones, such as weapons.
fn bounds(model: &Model, only: OnlySkinned, pose: &ModelPose) -> Option<(Vec3, Vec3)> {
    let mut around: Option<(Vec3, Vec3)> = None;
    for slot in model.meshes.iter().filter(|slot| slot.visibility == Visibility::Shown) {
        if only == OnlySkinned::No || matches!(slot.mesh.binding, Binding::Skin(_)) {
            for point in positions(model, &slot.mesh, pose).into_iter().filter(|point| point.is_finite()) {
                let (low, high) = around.unwrap_or((point, point));
                around = Some((low.min(point), high.max(point)));
            }
        }
    }
    around
}

/// The vertices of a mesh in a pose, in model space.
fn positions(model: &Model, mesh: &Mesh, pose: &ModelPose) -> Vec<Vec3> {
    let (positions, _) = morphed(mesh, pose, &[]);
    match mesh.binding {
        Binding::Bone(bone) => {
            let model_from_bone = pose.get(bone);
            positions.iter().map(|&position| model_from_bone.transform_point(position)).collect()
        }
        Binding::Skin(skin) => {
            let joints = model.skins.get(skin).into_iter().flat_map(|skin| skin.joints.iter().zip(&skin.inverse_binds));
            let palette: Vec<Mat3x4> =
                joints.map(|(&joint, inverse)| pose.get(joint) * Mat3x4::from_mat4(inverse)).collect();
            let model_from_bind = |vertex: usize| cpu::blended(&mesh.influences, &palette, vertex);
            let vertices = positions.iter().enumerate();
            vertices.map(|(vertex, &position)| model_from_bind(vertex).transform_point(position)).collect()
        }
    }
}

/// The bones that deform meshes, sorted; all bones if no mesh is skinned.
pub fn deform_bones(model: &Model) -> Vec<usize> {
    let mut moves = vec![false; model.skeleton.len()];
    for slot in &model.meshes {
        let Binding::Skin(skin) = slot.mesh.binding else { continue };
        let Some(skin) = model.skins.get(skin) else { continue };
        for set in &slot.mesh.influences {
            let influences = set.joints.iter().flatten().zip(set.weights.iter().flatten());
            for (joint, _) in influences.filter(|(_, weight)| **weight > 0.3) {
                if let Some(&bone) = skin.joints.get(usize::from(*joint)) {
                    moves[usize::from(bone)] = true;
                }
            }
        }
    }
    let bones: Vec<usize> = (0..moves.len()).filter(|&bone| moves[bone]).collect();
    if bones.is_empty() { (0..moves.len()).collect() } else { bones }
}
