//! Vertices that no bone reaches through the volume: parts that float, such as a halo, and vertices without triangles. Such a part
//! follows the nearest place that bones reach, as one piece.

use std::collections::BTreeMap;

use glam::Vec3;

use crate::rig::surface::Surface;
use crate::rig::volume::EMPTY;
use crate::rig::weights::Distances;

/// The voxel and point whose weights each loose part has.
pub struct Loose {
    /// By part.
    held: BTreeMap<u32, (u32, Vec3)>,
}

impl Loose {
    /// Finds the loose vertices, and for each of their parts the pair of places that are nearest to each other.
    pub fn of(surface: &Surface, distances: &Distances) -> Loose {
        let volume = &distances.volume;
        let is_loose = |position: &Vec3| {
            volume.solid_at(*position).is_none_or(|voxel| distances.nearest[voxel as usize].is_empty())
        };
        let loose: Vec<usize> = (0..surface.positions.len()).filter(|at| is_loose(&surface.positions[*at])).collect();
        if loose.is_empty() {
            return Loose { held: BTreeMap::new() };
        }
        let (origins, steps) = spread(distances);
        let mut nearest: BTreeMap<u32, (u32, u32)> = BTreeMap::new();
        for vertex in loose {
            let cell = volume.cell_of(surface.positions[vertex]);
            let found = (steps[cell], origins[cell]);
            let best = nearest.entry(surface.parts[vertex]).or_insert(found);
            *best = (*best).min(found);
        }
        let place = |(part, (_, voxel)): (u32, (u32, u32))| {
            (part, (voxel, volume.centre(volume.solid[voxel as usize] as usize)))
        };
        Loose { held: nearest.into_iter().map(place).collect() }
    }

    /// The solid voxel and the point by which a vertex gets its weights.
    pub fn voxel(&self, position: Vec3, part: u32, distances: &Distances) -> (u32, Vec3) {
        let own = distances.volume.solid_at(position).filter(|voxel| !distances.nearest[*voxel as usize].is_empty());
        match own {
            Some(voxel) => (voxel, position),
            None => self.held.get(&part).copied().unwrap_or((0, position)),
        }
    }
}

/// For each cell of the grid, the nearest solid voxel that bones reach, and how many steps it is away.
fn spread(distances: &Distances) -> (Vec<u32>, Vec<u32>) {
    let volume = &distances.volume;
    let (strides, dims) = (volume.strides(), volume.dims);
    let (mut origins, mut steps) = (vec![EMPTY; volume.cells.len()], vec![u32::MAX; volume.cells.len()]);
    let mut layer = Vec::new();
    for ((voxel, cell), nearest) in (0..).zip(&volume.solid).zip(&distances.nearest) {
        if !nearest.is_empty() {
            (origins[*cell as usize], steps[*cell as usize]) = (voxel, 0);
            layer.push(*cell as usize);
        }
    }
    let mut step = 0;
    while !layer.is_empty() {
        step += 1;
        let mut next = Vec::new();
        for cell in layer {
            let at = [cell % strides[1], cell % strides[2] / strides[1], cell / strides[2]];
            for axis in 0..3 {
                let below = (at[axis] > 0).then(|| cell - strides[axis]);
                let above = (at[axis] + 1 < dims[axis]).then(|| cell + strides[axis]);
                for other in [below, above].into_iter().flatten() {
                    if steps[other] == u32::MAX {
                        (origins[other], steps[other]) = (origins[cell], step);
                        next.push(other);
                    }
                }
            }
        }
        layer = next;
    }
    (origins, steps)
}
