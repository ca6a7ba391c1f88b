//! Weights that jump across a gap: where a finger touches a thigh, both are in the same voxels. On the surface, the place that the
//! finger's bone reaches on the thigh is an island, far from the finger.

use std::collections::BTreeMap;

use crate::anim::skeleton::BoneIndex;
use crate::rig::surface::{Neighbours, Surface};
use crate::rig::weights::Weights;

/// Drops the weights of a bone on all its islands in a connected part but the heaviest, if they are small beside it and something else
/// moves them, too.
pub fn drop_far(surface: &Surface, neighbours: &Neighbours, weights: &mut Weights) {
    let mut bones: BTreeMap<BoneIndex, Vec<u32>> = BTreeMap::new();
    for (vertex, own) in (0..).zip(&*weights) {
        own.iter().for_each(|(bone, _)| bones.entry(*bone).or_default().push(vertex));
    }
    let mut island_of = vec![u32::MAX; weights.len()];
    for (bone, vertices) in bones {
        let islands = islands(neighbours, weights, bone, &vertices, &mut island_of);
        let mut heaviest: BTreeMap<u32, f32> = BTreeMap::new();
        for island in &islands {
            let most = heaviest.entry(surface.parts[island.vertices[0] as usize]).or_default();
            *most = most.max(island.weight);
        }
        for island in islands {
            let most = heaviest[&surface.parts[island.vertices[0] as usize]];
            for vertex in island.vertices {
                island_of[vertex as usize] = u32::MAX;
                let own = &mut weights[vertex as usize];
                if island.weight < SMALL * most && own.len() > 1 {
                    own.retain(|(other, _)| *other != bone);
                }
            }
        }
    }
}

/// An island this much lighter than the heaviest one is a leak.
const SMALL: f32 = 0.2;

struct Island {
    vertices: Vec<u32>,
    /// The sum of weights.
    weight: f32,
}

/// The connected places where a bone has weights. `island_of` must be `u32::MAX` for all vertices.
fn islands(
    neighbours: &Neighbours,
    weights: &Weights,
    bone: BoneIndex,
    vertices: &[u32],
    island_of: &mut [u32],
) -> Vec<Island> {
    let weight =
        |vertex: u32| weights[vertex as usize].iter().find(|(other, _)| *other == bone).map(|(_, weight)| *weight);
    let mut islands: Vec<Island> = Vec::new();
    for &start in vertices {
        if island_of[start as usize] != u32::MAX {
            continue;
        }
        let number = islands.len() as u32;
        let mut island = Island { vertices: vec![start], weight: 0.0 };
        island_of[start as usize] = number;
        let mut next = 0;
        while let Some(&vertex) = island.vertices.get(next) {
            next += 1;
            island.weight += weight(vertex).unwrap_or_default();
            for &other in neighbours.of(vertex as usize) {
                if island_of[other as usize] == u32::MAX && weight(other).is_some() {
                    island_of[other as usize] = number;
                    island.vertices.push(other);
                }
            }
        }
        islands.push(island);
    }
    islands
}
