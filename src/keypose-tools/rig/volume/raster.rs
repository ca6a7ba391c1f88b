//! Triangles to voxels: all that a triangle passes through (a conservative rasterization along its dominant axis, Schwarz and Seidel
//! 2010, "Fast parallel surface and solid voxelization on GPUs").

use glam::{Vec2, Vec3};

use crate::rig::surface::Surface;
use crate::rig::volume::inside::State;
use crate::rig::volume::{EMPTY, Volume};

/// Marks the voxels of all triangles, and those of all their vertices, however they are rounded.
pub fn mark(surface: &Surface, volume: &Volume, states: &mut [State]) {
    for &triangle in &surface.triangles {
        let corners = surface.corners(triangle);
        corners.iter().for_each(|corner| states[volume.cell_of(*corner)] = State::Surface);
        each_cell(volume, corners, |cell| states[cell] = State::Surface);
    }
}

/// The mean direction of the triangles in each solid voxel, zero if they have none in common, as both sides of a sheet. The normals of
/// a part that is wound inside out are turned.
pub fn normals(surface: &Surface, volume: &Volume) -> Vec<Vec3> {
    let mut normals = vec![(Vec3::ZERO, 0.0); volume.solid.len()];
    let signs = signs(surface);
    for &triangle in &surface.triangles {
        let corners = surface.corners(triangle);
        let [a, b, c] = corners.map(|corner| volume.in_cells(corner));
        let normal = (b - a).cross(c - a) * signs[surface.parts[triangle[0] as usize] as usize];
        each_cell(volume, corners, |cell| {
            let index = volume.cells[cell];
            if index != EMPTY {
                let (sum, count) = &mut normals[index as usize];
                *sum += normal.normalize_or_zero();
                *count += 1.0;
            }
        });
    }
    let mean = |(sum, count): (Vec3, f32)| if sum.length() > 0.3 * count { sum.normalize() } else { Vec3::ZERO };
    normals.into_iter().map(mean).collect()
}

/// -1 for parts with a negative volume, else 1.
fn signs(surface: &Surface) -> Vec<f32> {
    let mut volumes = vec![0.0_f64; surface.part_count()];
    let mut first = vec![None; volumes.len()];
    for &triangle in &surface.triangles {
        let part = surface.parts[triangle[0] as usize] as usize;
        let [a, b, c] = surface.corners(triangle).map(|corner| corner.as_dvec3());
        let base = *first[part].get_or_insert(a);
        volumes[part] += (a - base).dot((b - base).cross(c - base));
    }
    volumes.into_iter().map(|volume| if volume < 0.0 { -1.0 } else { 1.0 }).collect()
}

/// Calls `found` for each voxel that a triangle passes through. One that is as thin as a line passes through none.
pub fn each_cell(volume: &Volume, corners: [Vec3; 3], mut found: impl FnMut(usize)) {
    let corners = corners.map(|corner| volume.in_cells(corner));
    let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
    let size = normal.abs();
    let depth = if size.x >= size.y && size.x >= size.z {
        0
    } else if size.y >= size.z {
        1
    } else {
        2
    };
    if normal[depth] == 0.0 || !normal.is_finite() {
        return;
    }
    let (u, v) = ((depth + 1) % 3, (depth + 2) % 3);
    let flat = corners.map(|corner| Vec2::new(corner[u], corner[v]));
    let [across, up] = [-normal[u] / normal[depth], -normal[v] / normal[depth]];
    let depths = corners.map(|corner| corner[depth]);
    let (nearest, farthest) = (depths[0].min(depths[1]).min(depths[2]), depths[0].max(depths[1]).max(depths[2]));
    let reach = 0.5 * (across.abs() + up.abs());
    let (min, max) = (flat[0].min(flat[1]).min(flat[2]), flat[0].max(flat[1]).max(flat[2]));
    let (strides, last) = (volume.strides(), volume.dims.map(|count| count - 1));
    let index = |value: f32, axis: usize| (value.max(0.0) as usize).min(last[axis]);
    for y in index(min.y, v)..=index(max.y, v) {
        for x in index(min.x, u)..=index(max.x, u) {
            let centre = Vec2::new(x as f32, y as f32) + 0.5;
            if !touches(flat, normal[depth], centre) {
                continue;
            }
            let at = depths[0] + across * (centre.x - flat[0].x) + up * (centre.y - flat[0].y);
            let (from, to) = ((at - reach).max(nearest), (at + reach).min(farthest));
            for z in index(from, depth)..=index(to.max(from), depth) {
                found(x * strides[u] + y * strides[v] + z * strides[depth]);
            }
        }
    }
}

/// Whether a flat triangle touches the unit square around a centre.
fn touches(corners: [Vec2; 3], winding: f32, centre: Vec2) -> bool {
    (0..3).all(|at| {
        let (from, to) = (corners[at], corners[(at + 1) % 3]);
        let inward = Vec2::new(from.y - to.y, to.x - from.x) * winding.signum();
        let reach = 0.5 * (inward.x.abs() + inward.y.abs());
        inward.dot(centre - from) + reach >= 0.0
    })
}
