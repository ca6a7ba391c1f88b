//! Symmetric meshes get symmetric weights: those of both sides are averaged where vertices and bones are mirror images. The grid is
//! symmetric, but of two vertices at the border of voxels, one can be rounded to the inner and the other to the outer voxel.

use std::collections::BTreeMap;

use glam::Vec3;

use crate::anim::skeleton::BoneIndex;
use crate::rig::problems::sides;
use crate::rig::surface::Surface;
use crate::rig::weights::blend::Sum;
use crate::rig::weights::{Distances, Weights};

/// Joints of both sides are nearer than this, in parts of a voxel. Ends of chains are known to a voxel or two.
const NEAR: [f32; 2] = [0.5, 2.0];

/// Averages the weights of both sides.
pub fn averaged(surface: &Surface, distances: &Distances, weights: &mut Weights) {
    let partners = partners(surface, distances);
    if partners.is_empty() {
        return;
    }
    let sides = sides(surface);
    let side = |vertex: usize| Some(surface.welded[sides[vertex]? as usize] as usize);
    let average = |vertex: usize| {
        let other = side(vertex).filter(|other| side(*other) == Some(vertex))?;
        let mut sum = Sum::default();
        weights[vertex].iter().for_each(|(bone, weight)| sum.add(*bone, *weight));
        for (bone, weight) in &weights[other] {
            sum.add(*partners.get(bone)?, *weight);
        }
        Some(sum.normalized())
    };
    let is_first = |vertex: &usize| surface.welded[*vertex] as usize == *vertex;
    let averages: Vec<_> = (0..weights.len()).map(|vertex| Some(vertex).filter(is_first).and_then(average)).collect();
    for (own, average) in weights.iter_mut().zip(averages) {
        average.into_iter().for_each(|average| *own = average);
    }
}

/// The bone at the mirrored place of each bone that has one; one in the middle is its own.
fn partners(surface: &Surface, distances: &Distances) -> BTreeMap<BoneIndex, BoneIndex> {
    let mut lines: BTreeMap<BoneIndex, Vec<[Vec3; 2]>> = BTreeMap::new();
    distances.lines.iter().for_each(|(bone, line)| lines.entry(*bone).or_default().push(*line));
    let near = NEAR.map(|part| part * distances.volume.size);
    let far = |one: &[Vec3; 2], other: &[Vec3; 2]| [0, 1].map(|end| one[end].distance(surface.plane.point(other[end])));
    // The nearest line of the other bone to each one, summed.
    let apart = |one: &[[Vec3; 2]], other: &[[Vec3; 2]]| {
        let nearest = |line: &[Vec3; 2]| {
            let all = other.iter().map(|other| far(line, other));
            let fitting = all.filter(|far| far[0] <= near[0] && far[1] <= near[1]);
            fitting.map(|far| far[0] + far[1]).min_by(f32::total_cmp)
        };
        if one.len() == other.len() { one.iter().map(nearest).sum::<Option<f32>>() } else { None }
    };
    let partner = |bone: BoneIndex| {
        let found = lines.iter().filter_map(|(other, theirs)| Some((apart(&lines[&bone], theirs)?, *other)));
        found.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))).map(|(_, other)| other)
    };
    let all: BTreeMap<BoneIndex, BoneIndex> = lines.keys().filter_map(|bone| Some((*bone, partner(*bone)?))).collect();
    all.iter().filter(|(bone, other)| all.get(other) == Some(bone)).map(|(bone, other)| (*bone, *other)).collect()
}
