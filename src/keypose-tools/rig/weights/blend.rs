//! From distances to weights, and smoothing along edges.

use glam::Vec3;

use crate::anim::skeleton::BoneIndex;
use crate::rig::surface::{Neighbours, Surface};
use crate::rig::weights::loose::Loose;
use crate::rig::weights::{Distances, Options, Weights};

/// The distances of the bones near each vertex. Vertices that are not the first at their place have none.
pub fn distances(surface: &Surface, distances: &Distances) -> Weights {
    let loose = Loose::of(surface, distances);
    let of_vertex = |(vertex, position): (usize, &Vec3)| {
        if surface.welded[vertex] as usize != vertex {
            return Vec::new();
        }
        let (voxel, at) = loose.voxel(*position, surface.parts[vertex], distances);
        distances.in_voxel(voxel, at)
    };
    surface.positions.iter().enumerate().map(of_vertex).collect()
}

fn least(far: &[(BoneIndex, f32)]) -> f32 {
    far.iter().map(|(_, distance)| *distance).fold(f32::INFINITY, f32::min)
}

/// Weights by distance alone.
pub fn raw(far: &Weights, options: &Options) -> Weights {
    let range = 2.0 / options.falloff.clamp(1.0, 16.0);
    let of_vertex = |far: &Vec<(BoneIndex, f32)>| {
        let nearest = least(far);
        let weight = |(bone, distance): &(BoneIndex, f32)| {
            let rest = (1.0 - (distance / nearest - 1.0) / range).max(0.0);
            (*bone, rest * rest * rest)
        };
        far.iter().map(weight).filter(|(_, weight)| *weight > 0.0).collect()
    };
    far.iter().map(of_vertex).collect()
}

/// How many times as far as the nearest bone others are, so that their weights begin to fall, and where they are 0.
const TAPER: [f32; 2] = [1.8, 2.4];

/// Lowers the weights that smoothing spread to bones too far away.
pub fn taper(far: &Weights, weights: &mut Weights) {
    for (far, own) in far.iter().zip(weights) {
        let nearest = least(far);
        for (bone, weight) in own {
            let distance = far.iter().find(|(other, _)| other == bone).map_or(f32::INFINITY, |(_, distance)| *distance);
            *weight *= ((TAPER[1] - distance / nearest) / (TAPER[1] - TAPER[0])).clamp(0.0, 1.0);
        }
    }
}

/// Averages weights with those of neighbours, short edges first: on a mesh of few triangles, far neighbours are of other limbs.
pub fn smoothed(surface: &Surface, neighbours: &Neighbours, weights: &Weights) -> Weights {
    let (min, max) = surface.bounds();
    let usual = 0.02 * (max - min).max_element();
    let average = |vertex: usize| {
        let mut sum = Sum::default();
        weights[vertex].iter().for_each(|(bone, weight)| sum.add(*bone, *weight));
        for &other in neighbours.of(vertex) {
            let length = surface.positions[vertex].distance_squared(surface.positions[other as usize]);
            // An edge between two triangles occurs twice.
            let part = 0.5 * usual * usual / (usual * usual + length);
            weights[other as usize].iter().for_each(|(bone, weight)| sum.add(*bone, part * weight));
        }
        sum.normalized()
    };
    (0..surface.positions.len()).map(average).collect()
}

/// Weights by bone.
#[derive(Default)]
pub struct Sum(Vec<(BoneIndex, f32)>);

impl Sum {
    /// Adds to the weight of a bone.
    pub fn add(&mut self, bone: BoneIndex, weight: f32) {
        match self.0.iter_mut().find(|(known, _)| *known == bone) {
            Some((_, sum)) => *sum += weight,
            None => self.0.push((bone, weight)),
        }
    }

    /// The weights, summing to 1.
    pub fn normalized(mut self) -> Vec<(BoneIndex, f32)> {
        let total: f32 = self.0.iter().map(|(_, weight)| weight).sum();
        self.0.iter_mut().for_each(|(_, weight)| *weight /= total);
        self.0
    }
}
