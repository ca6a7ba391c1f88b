//! The volume of a surface as voxels: those that it passes through, and those inside. What a flood from outside reaches is outside, so
//! that overlapping parts, several shells and wrong windings don't matter. An open surface has at least the voxels that it passes
//! through.

mod inside;
pub mod raster;
pub mod search;

use glam::Vec3;

use crate::rig::surface::Surface;

/// Maximum number of voxels of a grid, which bounds memory and time.
const MAX_CELLS: usize = 6 << 20;
/// Maximum number of voxels along the longest side.
pub const RESOLUTION: u32 = 160;
/// Approximate maximum number of solid voxels. The search takes longer with each, so a stout figure gets larger ones.
const SOLID: f32 = 40_000.0;
/// Voxels along the longest side of the first grid, which measures how stout a figure is.
const COARSE: u32 = 48;

/// A voxel that isn't solid.
pub const EMPTY: u32 = u32::MAX;

/// A grid of voxels around a surface. Its outermost layer is empty. The plane x = 0 passes through the middle of voxels, so that both sides
/// of a symmetric mesh have the same ones.
#[derive(Clone, Debug)]
pub struct Volume {
    /// The corner with the lowest coordinates.
    pub origin: Vec3,
    /// Length of a voxel's edge.
    pub size: f32,
    /// Voxels along each axis.
    pub dims: [usize; 3],
    /// The index in `solid` of each voxel, or [`EMPTY`]; x runs fastest.
    pub cells: Vec<u32>,
    /// The voxels that the surface passes through or encloses, in order.
    pub solid: Vec<u32>,
    /// Outward direction of the surface in each solid voxel; zero inside, and where it has no direction.
    pub normals: Vec<Vec3>,
}

impl Volume {
    /// The voxels of a surface: up to [`RESOLUTION`] along its longest side, fewer if they would be too many.
    pub fn new(surface: &Surface) -> Volume {
        let coarse = Volume::with_resolution(surface, COARSE);
        let mut resolution = COARSE;
        let solid = |resolution: u32| {
            let finer = resolution as f32 / COARSE as f32;
            coarse.solid.len() as f32 * finer * finer * finer
        };
        while resolution < RESOLUTION && solid(resolution) < SOLID {
            resolution += 4;
        }
        Volume::with_resolution(surface, resolution)
    }

    /// The voxels of a surface, `resolution` along its longest side (8 to 512), or fewer if the grid would be too large.
    pub fn with_resolution(surface: &Surface, resolution: u32) -> Volume {
        let (min, max) = surface.bounds();
        let extent = max - min;
        let mut size = extent.max_element() / resolution.clamp(8, 512) as f32;
        let dims = |size: f32| extent.to_array().map(|length| (length / size) as usize + 5);
        while dims(size).iter().product::<usize>() > MAX_CELLS {
            size *= 1.05;
        }
        let dims = dims(size);
        let first = (min.x / size).floor();
        let origin = (min - 1.5 * size).with_x((first - 1.5) * size);
        let mut volume = Volume { origin, size, dims, cells: Vec::new(), solid: Vec::new(), normals: Vec::new() };
        let mut states = vec![inside::State::Unknown; dims.iter().product()];
        raster::mark(surface, &volume, &mut states);
        inside::fill(&volume, &mut states);
        volume.collect(&states);
        volume.normals = raster::normals(surface, &volume);
        volume
    }

    /// Numbers the voxels that are solid.
    fn collect(&mut self, states: &[inside::State]) {
        self.cells = vec![EMPTY; states.len()];
        for (cell, state) in states.iter().enumerate() {
            if *state != inside::State::Outside {
                self.cells[cell] = self.solid.len() as u32;
                self.solid.push(cell as u32);
            }
        }
    }

    /// The distance of cells that are neighbours along each axis.
    pub fn strides(&self) -> [usize; 3] {
        [1, self.dims[0], self.dims[0] * self.dims[1]]
    }

    /// A point in voxels from the origin.
    pub fn in_cells(&self, point: Vec3) -> Vec3 {
        (point - self.origin) / self.size
    }

    /// The voxel of a point; the nearest one in the grid for a point outside.
    pub fn cell_of(&self, point: Vec3) -> usize {
        let at = self.in_cells(point).to_array();
        let strides = self.strides();
        (0..3).map(|axis| (at[axis].max(0.0) as usize).min(self.dims[axis] - 1) * strides[axis]).sum()
    }

    /// The centre of a voxel.
    pub fn centre(&self, cell: usize) -> Vec3 {
        let [_, row, layer] = self.strides();
        let at = Vec3::new((cell % row) as f32, (cell % layer / row) as f32, (cell / layer) as f32);
        self.origin + (at + 0.5) * self.size
    }

    /// The solid voxel at a point.
    pub fn solid_at(&self, point: Vec3) -> Option<u32> {
        let at = self.in_cells(point);
        let is_inside = at.min_element() >= 0.0 && (0..3).all(|axis| at[axis] < self.dims[axis] as f32);
        let index = if is_inside { self.cells[self.cell_of(point)] } else { EMPTY };
        (index != EMPTY).then_some(index)
    }
}
