//! Bounding boxes: of points, and of a model in any pose without reading its vertices again.

use glam::{Mat4, Vec3};

use keypose::anim::mat34::Mat3x4;
use keypose::anim::pose::ModelPose;
use keypose::anim::skeleton::{BoneIndex, Skeleton};
use keypose::anim::skin::Skin;
use keypose::assets::mesh::{Binding, Mesh};
use keypose::assets::model::{Model, Visibility};
use keypose::assets::recent::ByAddress;

/// An axis-aligned bounding box. It is empty if `min` is above `max`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// Lowest corner.
    pub min: Vec3,
    /// Highest corner.
    pub max: Vec3,
}

impl Default for Aabb {
    fn default() -> Aabb {
        Aabb::EMPTY
    }
}

impl Aabb {
    /// A box without points.
    pub const EMPTY: Aabb = Aabb { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };

    /// The smallest box that contains the points.
    pub fn of(points: impl IntoIterator<Item = Vec3>) -> Aabb {
        let mut bounds = Aabb::EMPTY;
        points.into_iter().for_each(|point| bounds.add(point));
        bounds
    }

    /// Grows to contain a point. One that is not finite is ignored.
    pub fn add(&mut self, point: Vec3) {
        if point.is_finite() {
            (self.min, self.max) = (self.min.min(point), self.max.max(point));
        }
    }

    /// Grows to contain another box.
    pub fn merge(&mut self, other: &Aabb) {
        (self.min, self.max) = (self.min.min(other.min), self.max.max(other.max));
    }

    /// Returns true if it contains no point.
    pub fn is_empty(&self) -> bool {
        self.min.cmpgt(self.max).any()
    }

    /// The centre, or the origin for an empty box.
    pub fn center(&self) -> Vec3 {
        if self.is_empty() { Vec3::ZERO } else { (self.min + self.max) * 0.5 }
    }

    /// Half the diagonal, or zero for an empty box.
    pub fn radius(&self) -> f32 {
        if self.is_empty() { 0.0 } else { self.min.distance(self.max) * 0.5 }
    }

    /// The eight corners. All are the origin for an empty box.
    pub fn corners(&self) -> [Vec3; 8] {
        if self.is_empty() {
            return [Vec3::ZERO; 8];
        }
        let pick = |low: bool, min: f32, max: f32| if low { min } else { max };
        std::array::from_fn(|at| {
            let (min, max) = (self.min, self.max);
            let x = pick(at & 1 == 0, min.x, max.x);
            Vec3::new(x, pick(at & 2 == 0, min.y, max.y), pick(at & 4 == 0, min.z, max.z))
        })
    }

    /// The box around the transformed corners.
    pub fn transformed(&self, matrix: &Mat4) -> Aabb {
        if self.is_empty() { *self } else { Aabb::of(self.corners().map(|corner| matrix.transform_point3(corner))) }
    }
}

/// The parts of a model that its bounds are computed from, by identity. An edit of clips or materials leaves them
/// alone.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    skeleton: ByAddress<Skeleton>,
    meshes: Vec<(ByAddress<Mesh>, Visibility)>,
    skins: Vec<ByAddress<Skin>>,
}

impl Shape {
    /// The shape of a model.
    pub fn of(model: &Model) -> Shape {
        let meshes = model.meshes.iter().map(|slot| ((&slot.mesh).into(), slot.visibility)).collect();
        let skins = model.skins.iter().map(ByAddress::from).collect();
        Shape { skeleton: (&model.skeleton).into(), meshes, skins }
    }
}

/// The bounding box of what each bone moves, in the bone's space. Computed once per model; a pose then costs one box
/// per bone.
#[derive(Clone, Debug, Default)]
pub struct ModelBounds {
    parts: Vec<(BoneIndex, Aabb)>,
}

impl ModelBounds {
    /// Reads every visible vertex once.
    pub fn of(model: &Model) -> ModelBounds {
        let mut boxes = vec![Aabb::EMPTY; model.skeleton.len()];
        for slot in model.meshes.iter().filter(|slot| slot.visibility == Visibility::Shown) {
            match slot.mesh.binding {
                Binding::Bone(bone) => {
                    if let Some(bounds) = boxes.get_mut(usize::from(bone)) {
                        bounds.merge(&Aabb::of(
                            slot.mesh.positions.iter().copied().chain(morphed(&slot.mesh).map(|(_, at)| at)),
                        ));
                    }
                }
                Binding::Skin(skin) => add_skinned(model, &slot.mesh, skin, &mut boxes),
            }
        }
        let parts = boxes.into_iter().enumerate().filter(|(_, bounds)| !bounds.is_empty());
        ModelBounds { parts: parts.map(|(bone, bounds)| (bone as BoneIndex, bounds)).collect() }
    }

    /// The box in model space around the model in a pose. It is a little larger than the exact one where parts are
    /// rotated; only vertices that a bone influences by less than a tenth can stick out. Without visible meshes it is
    /// the box of the bones.
    pub fn posed(&self, pose: &ModelPose) -> Aabb {
        Aabb::of(self.posed_corners(pose))
    }

    /// The points that [`ModelBounds::posed`] contains: the corners of every bone's box.
    pub fn posed_corners(&self, pose: &ModelPose) -> Vec<Vec3> {
        if self.parts.is_empty() {
            return pose.bones.iter().map(Mat3x4::translation).collect();
        }
        let corners = self.parts.iter().flat_map(|(bone, bounds)| {
            let model_from_bone = pose.get(*bone);
            bounds.corners().map(|corner| model_from_bone.transform_point(corner))
        });
        corners.collect()
    }
}

/// Smaller weights don't extend a bone's box: a stray thousandth would make a thumbnail's character too small.
const MIN_WEIGHT: f32 = 0.1;

/// Adds each vertex to the boxes of all joints that move it. The blended vertex is inside of the hull of these.
fn add_skinned(model: &Model, mesh: &Mesh, skin: usize, boxes: &mut [Aabb]) {
    let Some(skin) = model.skins.get(skin) else { return };
    let binds: Vec<Mat3x4> = skin.inverse_binds.iter().map(Mat3x4::from_mat4).collect();
    for set in &mesh.influences {
        let vertices = mesh.positions.iter().copied().enumerate().chain(morphed(mesh));
        for (vertex, position) in vertices {
            for (joint, weight) in set.joints[vertex].into_iter().zip(set.weights[vertex]) {
                let joint = usize::from(joint);
                let bone = skin.joints.get(joint).and_then(|&bone| boxes.get_mut(usize::from(bone)));
                if let (true, Some(bounds), Some(bind)) = (weight >= MIN_WEIGHT, bone, binds.get(joint)) {
                    bounds.add(bind.transform_point(position));
                }
            }
        }
    }
}

/// The corners of the boxes in which the morph targets keep each vertex that they move, at any weights from 0 to 1.
fn morphed(mesh: &Mesh) -> impl Iterator<Item = (usize, Vec3)> {
    let mut boxes = vec![Aabb::EMPTY; if mesh.morphs.is_empty() { 0 } else { mesh.positions.len() }];
    for (&vertex, &difference) in mesh.morphs.iter().flat_map(|target| target.vertices.iter().zip(&target.positions)) {
        let Some(around) = boxes.get_mut(vertex as usize) else { continue };
        if around.is_empty() {
            around.add(mesh.positions[vertex as usize]);
        }
        (around.min, around.max) = (around.min + difference.min(Vec3::ZERO), around.max + difference.max(Vec3::ZERO));
    }
    let moved = boxes.into_iter().enumerate().filter(|(_, around)| !around.is_empty());
    moved.flat_map(|(vertex, around)| around.corners().map(|corner| (vertex, corner)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    use keypose::anim::morph::MorphTarget;
    use keypose::anim::skeleton::Bone;
    use keypose::anim::transform::Transform;
    use keypose::assets::model::MeshSlot;

    #[test]
    fn morph_targets_stay_inside_together() {
        let target = |difference: Vec3| MorphTarget::of(0, &[Vec3::ZERO, difference], &[]);
        let mesh = Mesh {
            name: String::new(),
            positions: vec![Vec3::ZERO, Vec3::ONE],
            normals: vec![],
            uvs: vec![],
            colors: vec![],
            indices: vec![],
            influences: vec![],
            morphs: [Vec3::Y, Vec3::Y, Vec3::X * -3.0].map(target).to_vec(),
            material: 0,
            binding: Binding::Bone(0),
        };
        let bone = Bone { name: "root".into(), parent: None, rest: Transform::IDENTITY };
        let model = Model {
            skeleton: Arc::new(Skeleton::new(vec![bone]).unwrap()),
            meshes: vec![MeshSlot { mesh: Arc::new(mesh), visibility: Visibility::Shown }],
            ..Model::default()
        };
        let bounds = ModelBounds::of(&model).posed(&model.skeleton.rest_model_pose());
        assert_eq!(bounds, Aabb { min: Vec3::new(-2.0, 0.0, 0.0), max: Vec3::new(1.0, 3.0, 1.0) });
    }
}
