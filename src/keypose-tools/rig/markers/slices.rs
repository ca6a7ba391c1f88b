//! Slices of a volume: where the solid voxels are at each height, and the plane of symmetry.

use std::borrow::Cow;

use glam::Vec3;

use crate::rig::surface::Surface;
use crate::rig::volume::{EMPTY, Volume};

/// The solid voxels of a figure by their centres, and measures of the whole.
pub struct Slices<'v> {
    /// Voxels that are measured: of a symmetric figure those on both sides, so that what one hand holds is left out.
    pub volume: Cow<'v, Volume>,
    /// Centres of all solid voxels.
    pub solid: Vec<Vec3>,
    /// Lowest corner of the box around them.
    pub min: Vec3,
    /// Highest corner.
    pub max: Vec3,
    /// The plane of symmetry is at this x.
    pub middle: f32,
    /// Share of voxels whose mirror image is solid.
    pub symmetry: f32,
    /// 1 if the figure faces +Z, -1 if it faces -Z.
    pub front: f32,
}

/// A figure with less symmetry isn't symmetric.
pub const SYMMETRIC: f32 = 0.8;

fn centres(volume: &Volume) -> Vec<Vec3> {
    volume.solid.iter().map(|cell| volume.centre(*cell as usize)).collect()
}

/// Number and mean of some voxels.
#[derive(Clone, Copy, Debug, Default)]
pub struct Slice {
    /// Number of voxels.
    pub count: usize,
    /// Mean of their centres.
    pub centre: Vec3,
}

impl<'v> Slices<'v> {
    /// Measures a volume.
    pub fn new(surface: &Surface, volume: &'v Volume) -> Slices<'v> {
        let (min, max) = surface.bounds();
        let solid: Vec<Vec3> = centres(volume);
        let mut slices =
            Slices { volume: Cow::Borrowed(volume), solid, min, max, middle: 0.0, symmetry: 0.0, front: 1.0 };
        let mean = slices.slice(|_| true).centre.x;
        // The origin is tried first: a figure that holds a sword is not symmetric in its box.
        for start in [0.0, 0.5 * (min.x + max.x), mean] {
            for step in -6..=6 {
                let at = start + 0.5 * step as f32 * volume.size;
                let symmetry = slices.symmetry_at(at);
                if symmetry > slices.symmetry + 1e-3 {
                    (slices.middle, slices.symmetry) = (at, symmetry);
                }
            }
        }
        if slices.symmetry >= SYMMETRIC {
            slices.drop_one_sided();
        }
        slices
    }

    /// Drops the voxels without a mirror image.
    fn drop_one_sided(&mut self) {
        let is_kept: Vec<bool> = self.solid.iter().map(|at| self.has_mirror_image(*at, self.middle)).collect();
        let mut kept = is_kept.iter().copied();
        let mut volume = Volume::clone(&self.volume);
        volume.solid.retain(|_| kept.next().unwrap_or_default());
        let mut kept = is_kept.iter().copied();
        volume.normals.retain(|_| kept.next().unwrap_or_default());
        volume.cells.fill(EMPTY);
        (0..).zip(&volume.solid).for_each(|(voxel, cell)| volume.cells[*cell as usize] = voxel);
        self.solid = centres(&volume);
        let inside = |at: &Vec3| (*at - 0.5 * volume.size, *at + 0.5 * volume.size);
        let boxes = self.solid.iter().map(inside);
        let around = boxes.reduce(|(min, max), (low, high)| (min.min(low), max.max(high)));
        if let Some((min, max)) = around {
            (self.min, self.max) = (min.max(self.min), max.min(self.max));
        }
        self.volume = Cow::Owned(volume);
    }

    fn has_mirror_image(&self, at: Vec3, x: f32) -> bool {
        self.volume.solid_at(Vec3::new(2.0 * x - at.x, at.y, at.z)).is_some()
    }

    fn symmetry_at(&self, x: f32) -> f32 {
        self.solid.iter().filter(|at| self.has_mirror_image(**at, x)).count() as f32 / self.solid.len().max(1) as f32
    }

    /// Height of the figure.
    pub fn height(&self) -> f32 {
        self.max.y - self.min.y
    }

    /// The height of a fraction of the figure, from the ground.
    pub fn up(&self, fraction: f32) -> f32 {
        self.min.y + fraction * self.height()
    }

    /// How far a point is to the left of the middle.
    pub fn left(&self, point: Vec3) -> f32 {
        (point.x - self.middle) * self.front
    }

    /// The voxels for which a condition holds.
    pub fn slice(&self, is_chosen: impl Fn(Vec3) -> bool) -> Slice {
        let (mut count, mut sum) = (0, glam::DVec3::ZERO);
        for at in self.solid.iter().filter(|at| is_chosen(**at)) {
            count += 1;
            sum += at.as_dvec3();
        }
        Slice { count, centre: (sum / f64::from(count.max(1) as u32)).as_vec3() }
    }

    /// A place in the box: to the left from the middle, up from the ground, to the front from the middle.
    pub fn in_box(&self, [across, up, front]: [f32; 3]) -> Vec3 {
        let half_depth = 0.5 * (self.max.z - self.min.z);
        let half_width = (self.max.x - self.middle).max(self.middle - self.min.x);
        let x = self.middle + across * half_width * self.front;
        Vec3::new(x, self.up(up), 0.5 * (self.min.z + self.max.z) + front * half_depth * self.front)
    }

    /// The middle of the slice at a fraction of the longest side, from its low end.
    pub fn along_longest(&self, fraction: f32) -> Vec3 {
        let size = self.max - self.min;
        let axis = (0..3).max_by(|a, b| size[*a].total_cmp(&size[*b])).unwrap_or_default();
        let at = self.min[axis] + fraction * size[axis];
        let thick = 0.02 * size[axis] + self.volume.size;
        let slice = self.slice(|point| (point[axis] - at).abs() <= thick);
        let mut place = slice.centre;
        place[axis] = at;
        if slice.count > 0 { place } else { 0.5 * (self.min + self.max) }
    }
}
