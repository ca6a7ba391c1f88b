//! The size and place of a model in a level, measured from its rest pose, and the bones that deform its meshes.

use glam::Vec3;

use crate::assets::mesh::Binding;
use crate::assets::model::{Model, Visibility};
use crate::assets::skinned_mesh::mesh_positions;

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
}

impl Default for Fit {
    fn default() -> Fit {
        Fit { scale: 1.0, base: Vec3::ZERO, height: STANDING_HEIGHT }
    }
}

/// Scales a model by the height of the bounding box of its rest pose. The feet are at the bottom.
pub fn fit(model: &Model) -> Fit {
    let Some((low, high)) = bounds(model, OnlySkinned::Yes).or_else(|| bounds(model, OnlySkinned::No)) else {
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
    Fit { scale, base, height: size.y.max(1e-9) }
}

#[derive(Clone, Copy, PartialEq)]
enum OnlySkinned {
    Yes,
    No,
}

/// The bounding box of the rest pose, without hidden meshes; `OnlySkinned::Yes` also ignores rigid ones, such as weapons.
fn bounds(model: &Model, only: OnlySkinned) -> Option<(Vec3, Vec3)> {
    let pose = model.skeleton.rest_model_pose();
    let (mut palette, mut points) = (Vec::new(), Vec::new());
    let mut around: Option<(Vec3, Vec3)> = None;
    for slot in model.meshes.iter().filter(|slot| slot.visibility == Visibility::Shown) {
        if only == OnlySkinned::No || matches!(slot.mesh.binding, Binding::Skin(_)) {
            mesh_positions(model, &slot.mesh, &pose, &mut palette, &mut points);
            for point in points.iter().filter(|point| point.is_finite()) {
                let (low, high) = around.unwrap_or((*point, *point));
                around = Some((low.min(*point), high.max(*point)));
            }
        }
    }
    around
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
