//! The distances of each voxel from the nearest bones, through the volume: one search from all bones at once, with up to eight bones in
//! each voxel (Dionne and de Lasa 2013, "Geodesic voxel binding for production character meshes"). Distances are whole numbers, so
//! that they have the same bits on every machine.

use glam::Vec3;

use crate::anim::skeleton::BoneIndex;
use crate::rig::segments::{End, Segment, distance};
use crate::rig::volume::{EMPTY, Volume};

/// Bones that are kept for each voxel.
pub const BONES: usize = 8;
/// The distance between voxels that share a face; √2 and √3 times it, rounded, for those that share an edge or a corner.
pub const UNIT: u32 = 10;
/// Paths along 26 directions are longer than straight lines, by up to this factor.
pub const DETOUR: f32 = 1.1;
const STEPS: [u32; 4] = [0, UNIT, 14, 17];
const NO_BONE: BoneIndex = BoneIndex::MAX;

/// The nearest bones of a voxel: bone and distance in [`UNIT`]s of a voxel's edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    bones: [BoneIndex; BONES],
    distances: [u32; BONES],
    /// The bones whose distances are final, as bits.
    settled: u8,
}

impl Nearest {
    const NONE: Nearest = Nearest { bones: [NO_BONE; BONES], distances: [u32::MAX; BONES], settled: 0 };

    /// The bones, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (BoneIndex, u32)> + '_ {
        let all = self.bones.iter().copied().zip(self.distances);
        all.enumerate().filter(|(slot, _)| self.settled & (1 << slot) != 0).map(|(_, pair)| pair)
    }

    /// Whether no bone was found.
    pub fn is_empty(&self) -> bool {
        self.settled == 0
    }

    /// Notes a distance. Returns false if it doesn't improve anything.
    fn improve(&mut self, bone: BoneIndex, distance: u32) -> bool {
        let own = self.bones.iter().position(|known| *known == bone);
        let slot = own.unwrap_or_else(|| (0..BONES).rev().max_by_key(|slot| self.distances[*slot]).unwrap_or_default());
        let is_better = distance < self.distances[slot];
        if is_better {
            self.bones[slot] = bone;
            self.distances[slot] = distance;
        }
        is_better
    }

    /// Makes the distance of a bone final, unless it already is, or was improved since.
    fn settle(&mut self, bone: BoneIndex, distance: u32) -> bool {
        let Some(slot) = self.bones.iter().position(|known| *known == bone) else { return false };
        let is_new = self.distances[slot] == distance && self.settled & (1 << slot) == 0;
        if is_new {
            self.settled |= 1 << slot;
        }
        is_new
    }

    fn least(&self) -> u32 {
        self.iter().map(|(_, distance)| distance).min().unwrap_or(u32::MAX)
    }
}

/// How much farther than the nearest bone of a voxel others are, so that they are left out. Three voxels more are allowed for.
const REACH: u32 = 4;

/// The nearest bones of each solid voxel.
pub fn nearest(volume: &Volume, segments: &[Segment]) -> Vec<Nearest> {
    let mut found = vec![Nearest::NONE; volume.solid.len()];
    let mut open: Vec<Vec<(u32, BoneIndex)>> = Vec::new();
    for (voxel, bone, distance) in seeds(volume, segments) {
        if found[voxel as usize].improve(bone, distance) {
            push(&mut open, voxel, bone, distance);
        }
    }
    let steps = steps(volume);
    let mut distance = 0;
    while distance < open.len() {
        let mut next = 0;
        while let Some(&(voxel, bone)) = open[distance].get(next) {
            next += 1;
            let here = &mut found[voxel as usize];
            let limit = here.least().saturating_add(3 * UNIT).saturating_mul(REACH);
            if distance as u32 > limit || !here.settle(bone, distance as u32) {
                continue;
            }
            spread(volume, &steps, (voxel, bone, distance as u32), &mut found, &mut open);
        }
        open[distance] = Vec::new();
        distance += 1;
    }
    found
}

fn push(open: &mut Vec<Vec<(u32, BoneIndex)>>, voxel: u32, bone: BoneIndex, distance: u32) {
    if open.len() <= distance as usize {
        open.resize(distance as usize + 1, Vec::new());
    }
    open[distance as usize].push((voxel, bone));
}

/// A step to a neighbour: to which cell, how far, and in which direction.
type Step = (isize, u32, Vec3);

fn steps(volume: &Volume) -> Vec<Step> {
    let strides = volume.strides().map(|stride| stride as isize);
    let all = (0..27).map(|at| [at % 3 - 1, at / 3 % 3 - 1, at / 9 - 1]);
    let step = |by: [isize; 3]| {
        let along = by.iter().map(|part| part.unsigned_abs()).sum::<usize>();
        let offset = by[0] * strides[0] + by[1] * strides[1] + by[2] * strides[2];
        (offset, STEPS[along], Vec3::from_array(by.map(|part| part as f32)).normalize())
    };
    all.filter(|by| *by != [0; 3]).map(step).collect()
}

fn spread(
    volume: &Volume,
    steps: &[Step],
    (voxel, bone, distance): (u32, BoneIndex, u32),
    found: &mut [Nearest],
    open: &mut Vec<Vec<(u32, BoneIndex)>>,
) {
    let (cell, normal) = (volume.solid[voxel as usize] as isize, volume.normals[voxel as usize]);
    for &(offset, length, direction) in steps {
        let next = volume.cells[(cell + offset) as usize];
        if next == EMPTY || leaves(normal, volume.normals[next as usize], direction) {
            continue;
        }
        if found[next as usize].improve(bone, distance + length) {
            push(open, next, bone, distance + length);
        }
    }
}

/// Whether a step goes out of one surface and into another one: across a gap that is narrower than a voxel.
fn leaves(from: Vec3, to: Vec3, direction: Vec3) -> bool {
    from != Vec3::ZERO && to != Vec3::ZERO && from.dot(direction) > 0.3 && to.dot(direction) < -0.3
}

/// The solid voxels that segments pass through. A bone that passes through none, such as one in an open tube, starts from the voxels
/// that it is the nearest to, with their distances from it.
fn seeds(volume: &Volume, segments: &[Segment]) -> Vec<(u32, BoneIndex, u32)> {
    let lines: Vec<[Vec3; 2]> = segments.iter().map(|segment| line(volume, segment)).collect();
    let mut all = Vec::new();
    for (segment, line) in segments.iter().zip(&lines) {
        let voxels = points(volume, *line).filter_map(|point| volume.solid_at(point));
        all.extend(voxels.map(|voxel| (voxel, segment.bone, 0)));
    }
    let is_placed = |bone: BoneIndex| all.iter().any(|(_, known, _)| *known == bone);
    let lost: Vec<bool> = segments.iter().map(|segment| !is_placed(segment.bone)).collect();
    // Bones that are farther away than this are equally far: the search takes memory for each distance.
    let most = 2 * UNIT * volume.dims.iter().sum::<usize>() as u32;
    if lost.contains(&true) {
        for (voxel, cell) in (0..).zip(&volume.solid) {
            let centre = volume.centre(*cell as usize);
            let far = |at: &usize| distance(centre, lines[*at]);
            let nearest = (0..lines.len()).min_by(|a, b| far(a).total_cmp(&far(b)));
            if let Some(at) = nearest.filter(|at| lost[*at]) {
                let steps = (far(&at) / volume.size * UNIT as f32) as u32;
                all.push((voxel, segments[at].bone, steps.min(most)));
            }
        }
    }
    all
}

/// Points along a line, half a voxel apart. A line is not longer than the grid is wide where it is solid.
fn points(volume: &Volume, [from, to]: [Vec3; 2]) -> impl Iterator<Item = Vec3> {
    let most = volume.dims.iter().sum::<usize>() * 4;
    let count = ((2.0 * from.distance(to) / volume.size) as usize).min(most) + 1;
    (0..=count).map(move |at| from + (to - from) * (at as f32 / count as f32))
}

/// The line of a segment; that of the end of a chain reaches as far as the volume in its direction.
pub fn line(volume: &Volume, segment: &Segment) -> [Vec3; 2] {
    let direction = match segment.to {
        End::At(to) => return [segment.from, to],
        End::Surface(direction) => direction,
    };
    let (mut end, step) = (segment.from, direction * (0.5 * volume.size));
    while step != Vec3::ZERO && volume.solid_at(end + step).is_some() {
        end += step;
    }
    [segment.from, end]
}
