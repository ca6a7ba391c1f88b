//! Problems of weights: vertices without one, with too many, with one of a bone that is far away through the mesh, and sides that differ.

use std::collections::BTreeMap;

use glam::Vec3;

use crate::anim::skeleton::BoneIndex;
use crate::assets::mesh::Binding;
use crate::assets::model::Model;
use crate::rig::surface::Surface;
use crate::rig::vertex::{self, VertexRef};
use crate::rig::volume::search::BONES;
use crate::rig::weights::{Distances, Weights};

/// A fault of weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Weights that sum to 0.
    NoWeight,
    /// More bones than allowed.
    TooMany,
    /// A weight of a bone that is far away.
    Leak(BoneIndex),
    /// Weights that aren't the mirror image of the other side's.
    Asymmetric,
}

/// Vertices with the same problem.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// Fault of these vertices.
    pub kind: Kind,
    /// Vertices of the surface, ascending.
    pub vertices: Vec<u32>,
}

/// A bone leaks if its distance is larger than that of the nearest one by this factor.
pub const FAR: f32 = 3.0;
/// A weight that is not larger is no leak.
pub const LEAK: f32 = 0.05;
/// Weights of both sides that differ by less are symmetric.
const SAME: f32 = 0.05;

/// The problems of weights, by kind. `mirror_of` is the bone of the other side; a bone in the middle is its own.
pub fn find(
    surface: &Surface,
    weights: &Weights,
    distances: &Distances,
    influences: usize,
    mirror_of: impl Fn(BoneIndex) -> BoneIndex,
) -> Vec<Problem> {
    let mut found: BTreeMap<Kind, Vec<u32>> = BTreeMap::new();
    let sides = sides(surface);
    for (vertex, own) in (0..).zip(weights) {
        let mut add = |kind: Kind| found.entry(kind).or_default().push(vertex);
        if own.iter().map(|(_, weight)| weight).sum::<f32>() < 0.5 {
            add(Kind::NoWeight);
        }
        if own.iter().filter(|(_, weight)| *weight > 0.0).count() > influences {
            add(Kind::TooMany);
        }
        leaks(own, distances, surface.positions[vertex as usize]).into_iter().for_each(|bone| add(Kind::Leak(bone)));
        let other = sides[vertex as usize].and_then(|other| weights.get(other as usize));
        if other.is_some_and(|other| !are_mirrored(own, other, &mirror_of)) {
            add(Kind::Asymmetric);
        }
    }
    found.into_iter().map(|(kind, vertices)| Problem { kind, vertices }).collect()
}

/// The bones that leak to a vertex: with a weight, but far away. Distances are known to half a voxel, which they include, so a bone within
/// a voxel and a half never leaks.
pub fn leaks(own: &[(BoneIndex, f32)], distances: &Distances, point: Vec3) -> Vec<BoneIndex> {
    let far = distances.of(point);
    let nearest = far.iter().map(|(_, distance)| *distance).fold(f32::INFINITY, f32::min);
    // Of more bones near a place, only the nearest are known: the others are at least as far.
    let farthest = far.iter().map(|(_, distance)| *distance).fold(0.0, f32::max);
    let unknown = if far.len() < BONES { f32::INFINITY } else { farthest };
    let distance =
        |bone: BoneIndex| far.iter().find(|(other, _)| *other == bone).map_or(unknown, |(_, distance)| *distance);
    let is_leak = |bone: BoneIndex| nearest.is_finite() && distance(bone) > FAR * nearest;
    own.iter().filter(|(bone, weight)| *weight > LEAK && is_leak(*bone)).map(|(bone, _)| *bone).collect()
}

fn are_mirrored(
    own: &[(BoneIndex, f32)],
    other: &[(BoneIndex, f32)],
    mirror_of: &impl Fn(BoneIndex) -> BoneIndex,
) -> bool {
    let weight = |list: &[(BoneIndex, f32)], bone: BoneIndex| {
        list.iter().filter(|(known, _)| *known == bone).map(|(_, weight)| *weight).sum::<f32>()
    };
    own.iter().all(|(bone, own)| (weight(other, mirror_of(*bone)) - own).abs() < SAME)
}

/// Maximum number of vertices that are compared for each one, if very many are at nearly the same place.
const MAX_NEAR: usize = 256;

/// The vertex at the mirrored place of each vertex, by the plane between the sides, to a ten-thousandth of the size: the nearest one.
pub fn sides(surface: &Surface) -> Vec<Option<u32>> {
    let (min, max) = surface.bounds();
    let near = 1e-4 * (max - min).max_element();
    // Cells larger than the tolerance: few places are near to a second one.
    let cell = |at: Vec3| (at / (8.0 * near)).floor().to_array().map(|part| part as i64);
    let mut sorted: Vec<([i64; 3], u32)> =
        (0..).zip(&surface.positions).map(|(at, place)| (cell(*place), at)).collect();
    sorted.sort_unstable();
    let in_cell = |wanted: [i64; 3]| {
        let first = sorted.partition_point(|(cell, _)| *cell < wanted);
        sorted[first..].iter().take_while(move |(cell, _)| *cell == wanted).map(|(_, at)| *at)
    };
    let side = |at: &Vec3| {
        let place = surface.plane.point(*at);
        let [[x, y, z], [far_x, far_y, far_z]] = [cell(place - near), cell(place + near)];
        let cells = (x..=far_x).flat_map(move |x| (y..=far_y).flat_map(move |y| (z..=far_z).map(move |z| [x, y, z])));
        let far = |other: &u32| surface.positions[*other as usize].distance(place);
        let found = cells.flat_map(in_cell).take(MAX_NEAR).filter(|other| far(other) <= near);
        found.min_by(|a, b| far(a).total_cmp(&far(b)).then(a.cmp(b)))
    };
    surface.positions.iter().map(side).collect()
}

/// The weights that the meshes of a surface have now. A rigid mesh has 1 of its bone.
pub fn weights_of(model: &Model, surface: &Surface) -> Weights {
    let mut all = vec![Vec::new(); surface.positions.len()];
    for place in &surface.meshes {
        let binding = model.meshes.get(place.mesh).map(|slot| slot.mesh.binding);
        for (at, own) in all[place.vertices.clone()].iter_mut().enumerate() {
            *own = match binding {
                Some(Binding::Bone(bone)) => vec![(bone, 1.0)],
                Some(Binding::Skin(_)) | None => vertex::weights_of(model, VertexRef { mesh: place.mesh, vertex: at }),
            };
        }
    }
    all
}
