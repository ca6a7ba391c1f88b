//! Volumes of bones, from meshes and weights.
//!
//! Characters are made of open, overlapping and hollow surfaces, for which the volume integrals of a solid (Mirtich 1996, "Fast and
//! accurate computation of polyhedral mass properties") mean nothing: they depend on the origin, and a shell weighs as much as its metal.
//! So each bone has the tetrahedra between its triangles and their common centroid, all of them positive. For a closed convex part that
//! is its volume. A limb that is open at both joints lacks a third, as all limbs do, and cloth has almost none.

use glam::Vec3;

use crate::anim::mat34::Mat3x4;
use crate::anim::skeleton::BoneIndex;
use crate::assets::mesh::Binding;
use crate::assets::model::{Model, Visibility};
use crate::assets::skinned_mesh::mesh_positions;
use crate::rig::vertex::{VertexRef, each_weight};

/// The number of directions in which a bone's farthest point is kept.
const DIRECTIONS: usize = 64;

/// The volume, centroid and outermost points of each bone.
#[derive(Clone, Debug, Default)]
pub struct Volumes {
    parts: Vec<Part>,
}

#[derive(Clone, Debug, Default)]
struct Part {
    /// In cubic units of the model.
    volume: f32,
    /// In the space of the bone.
    centre: Vec3,
    /// In the space of the bone, at most [`DIRECTIONS`]; empty without vertices.
    extremes: Vec<Vec3>,
}

/// A triangle in model space, with the weights of the bones that move it.
struct Piece {
    corners: [Vec3; 3],
    weights: Vec<(usize, f32)>,
}

impl Volumes {
    /// Reads every vertex of the shown meshes in the rest pose. A model without volume has thin bones, each as heavy as it is long.
    pub fn of(model: &Model) -> Volumes {
        let (rest, mut scratch, mut positions) = (model.skeleton.rest_model_pose(), Vec::new(), Vec::new());
        let mut parts = vec![Part::default(); model.skeleton.len()];
        let bone_from_model: Vec<Mat3x4> =
            rest.bones.iter().map(|bone| Mat3x4::from_mat4(&bone.to_mat4().inverse())).collect();
        let (mut pieces, directions): (Vec<Piece>, Vec<Vec3>) = (Vec::new(), (0..DIRECTIONS).map(direction).collect());
        for (number, slot) in model.meshes.iter().enumerate().filter(|(_, slot)| slot.visibility == Visibility::Shown) {
            let mesh = &*slot.mesh;
            mesh_positions(model, mesh, &rest, &mut scratch, &mut positions);
            let weights: Vec<Vec<(usize, f32)>> = (0..positions.len())
                .map(|vertex| weights(model, &mesh.binding, VertexRef { mesh: number, vertex }))
                .collect();
            for (place, weights) in positions.iter().zip(&weights).filter(|(place, _)| place.is_finite()) {
                let main = weights.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1));
                if let Some((bone, _)) = main.filter(|(bone, _)| *bone < parts.len()) {
                    keep_extreme(&mut parts[bone].extremes, &directions, bone_from_model[bone].transform_point(*place));
                }
            }
            let corner = |index: &u32| positions.get(*index as usize).copied().filter(|place| place.is_finite());
            for indices in mesh.indices.chunks_exact(3) {
                let [Some(a), Some(b), Some(c)] = [0, 1, 2].map(|at| corner(&indices[at])) else { continue };
                let all = indices.iter().flat_map(|index| &weights[*index as usize]);
                let weights = all.filter(|(bone, _)| *bone < parts.len()).map(|(bone, weight)| (*bone, weight / 3.0));
                pieces.push(Piece { corners: [a, b, c], weights: weights.collect() });
            }
        }
        measure(&mut parts, &pieces);
        if parts.iter().all(|part| part.volume <= 0.0) {
            return Volumes::of_lengths(model);
        }
        for (part, inverse) in parts.iter_mut().zip(&bone_from_model) {
            part.centre = if part.volume > 0.0 { inverse.transform_point(part.centre) } else { Vec3::ZERO };
        }
        Volumes { parts }
    }

    /// Bones of the same thickness up to their children.
    fn of_lengths(model: &Model) -> Volumes {
        let skeleton = &model.skeleton;
        let part = |bone: BoneIndex| {
            let ends = skeleton.children(bone).filter_map(|child| Some(skeleton.get(child)?.rest.translation));
            let (count, sum) = ends.fold((0, Vec3::ZERO), |(count, sum), end| (count + 1, sum + end));
            let end = sum / count.max(1) as f32;
            Part { volume: end.length(), centre: end * 0.5, extremes: Vec::new() }
        };
        let mut parts: Vec<Part> = skeleton.indices().map(part).collect();
        // The root only places the body.
        if let [first, _, ..] = &mut parts[..] {
            first.volume = 0.0;
        }
        Volumes { parts }
    }

    /// The share of each bone in the mass; the sum is 1 if anything has a mass. `chosen` returns those that the user chose: the others
    /// share what is left, by volume.
    pub fn shares(&self, chosen: impl Fn(BoneIndex) -> Option<f32>) -> Vec<f32> {
        let chosen: Vec<Option<f32>> = (0..self.parts.len()).map(|bone| chosen(bone as BoneIndex)).collect();
        let left = 1.0 - chosen.iter().flatten().sum::<f32>();
        let others = self.parts.iter().zip(&chosen).filter(|(_, chosen)| chosen.is_none());
        let volume: f32 = others.map(|(part, _)| part.volume).sum();
        let per_volume = if volume > 0.0 { left.max(0.0) / volume } else { 0.0 };
        let parts = self.parts.iter().zip(&chosen);
        let shares: Vec<f32> = parts.map(|(part, chosen)| chosen.unwrap_or(part.volume * per_volume)).collect();
        let sum: f32 = shares.iter().sum();
        if sum > 0.0 { shares.iter().map(|share| share / sum).collect() } else { shares }
    }

    /// The centroid of each bone, in the space of the bone.
    pub fn centres(&self) -> impl Iterator<Item = Vec3> + '_ {
        self.parts.iter().map(|part| part.centre)
    }

    /// The outermost points of a bone, in its space.
    pub fn extremes(&self, bone: BoneIndex) -> &[Vec3] {
        self.parts.get(usize::from(bone)).map_or(&[], |part| &part.extremes)
    }
}

/// Adds up volumes and centroids in model space.
fn measure(parts: &mut [Part], pieces: &[Piece]) {
    let mut surfaces = vec![(0.0_f64, glam::DVec3::ZERO); parts.len()];
    let area = |[a, b, c]: [Vec3; 3]| f64::from((b - a).cross(c - a).length());
    for piece in pieces {
        let middle = piece.corners.iter().sum::<Vec3>().as_dvec3() / 3.0;
        for &(bone, weight) in &piece.weights {
            let share = area(piece.corners) * f64::from(weight);
            surfaces[bone] = (surfaces[bone].0 + share, surfaces[bone].1 + middle * share);
        }
    }
    let middles: Vec<glam::DVec3> = surfaces.iter().map(|(area, sum)| *sum / area.max(1e-30)).collect();
    let mut sums = vec![(0.0_f64, glam::DVec3::ZERO); parts.len()];
    for piece in pieces {
        for &(bone, weight) in &piece.weights {
            let [a, b, c] = piece.corners.map(|corner| corner.as_dvec3() - middles[bone]);
            let volume = a.dot(b.cross(c)).abs() / 6.0 * f64::from(weight);
            let centre = middles[bone] + (a + b + c) / 4.0;
            sums[bone] = (sums[bone].0 + volume, sums[bone].1 + centre * volume);
        }
    }
    for (part, (volume, sum)) in parts.iter_mut().zip(sums) {
        if volume.is_finite() && volume > 0.0 {
            (part.volume, part.centre) = (volume as f32, (sum / volume).as_vec3());
        }
    }
}

/// The bones that move a vertex.
fn weights(model: &Model, binding: &Binding, at: VertexRef) -> Vec<(usize, f32)> {
    let mut all = match *binding {
        Binding::Bone(bone) => vec![(usize::from(bone), 1.0)],
        Binding::Skin(_) => Vec::new(),
    };
    each_weight(model, at, |bone, weight| all.push((usize::from(bone), weight)));
    all
}

/// Keeps the farthest point in each direction.
fn keep_extreme(extremes: &mut Vec<Vec3>, directions: &[Vec3], point: Vec3) {
    extremes.resize(DIRECTIONS, extremes.first().copied().unwrap_or(point));
    for (kept, direction) in extremes.iter_mut().zip(directions) {
        if point.dot(*direction) > kept.dot(*direction) {
            *kept = point;
        }
    }
}

/// Directions spread over a sphere: a Fibonacci lattice (González 2010, "Measurement of areas on a sphere using Fibonacci and
/// latitude–longitude lattices").
fn direction(at: usize) -> Vec3 {
    let y = 1.0 - (2 * at + 1) as f32 / DIRECTIONS as f32;
    let turn = at as f32 * 2.399_963_2;
    let radius = (1.0 - y * y).sqrt();
    Vec3::new(radius * turn.cos(), y, radius * turn.sin())
}
