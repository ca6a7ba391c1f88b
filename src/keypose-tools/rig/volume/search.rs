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
        let own = self.slot_of(bone);
        let slot = own.unwrap_or_else(|| (0..BONES).rev().max_by_key(|slot| self.distances[*slot]).unwrap_or_default());
        let is_better = distance < self.distances[slot];
        if is_better {
            self.bones[slot] = bone;
            self.distances[slot] = distance;
        }
        is_better
    }

    /// Compares all slots at once, as a search from the first one can't.
    fn slot_of(&self, bone: BoneIndex) -> Option<usize> {
        let bits = (0..BONES).fold(0_u32, |bits, slot| bits | u32::from(self.bones[slot] == bone) << slot);
        (bits != 0).then_some(bits.trailing_zeros() as usize)
    }

    /// Makes the distance of a bone final, unless it already is, or was improved since.
    fn settle(&mut self, bone: BoneIndex, distance: u32) -> bool {
        let Some(slot) = self.slot_of(bone) else { return false };
        let is_new = self.distances[slot] == distance && self.settled & (1 << slot) == 0;
        if is_new {
            self.settled |= 1 << slot;
        }
        is_new
    }

    /// Distances above are of no use.
    fn limit(&self) -> u32 {
        let least = self.iter().map(|(_, distance)| distance).min().unwrap_or(u32::MAX);
        least.saturating_add(3 * UNIT).saturating_mul(REACH)
    }

    fn largest(&self) -> u32 {
        self.distances.iter().copied().fold(0, u32::max)
    }
}

/// How much farther than the nearest bone of a voxel others are, so that they are left out. Three voxels more are allowed for.
const REACH: u32 = 4;

/// The nearest bones of each solid voxel.
pub fn nearest(volume: &Volume, segments: &[Segment]) -> Vec<Nearest> {
    let mut search = Search::of(volume);
    for (voxel, bone, distance) in seeds(volume, segments) {
        search.offer(voxel, bone, distance);
    }
    let mut distance = 0;
    while distance < search.open.len() {
        let mut next = 0;
        while let Some(&(voxel, bone)) = search.open[distance].get(next) {
            next += 1;
            search.settle(voxel, bone, distance as u32);
        }
        search.open[distance] = Vec::new();
        distance += 1;
    }
    search.found
}

/// A search from all bones at once, the nearest voxels first.
struct Search {
    /// For each voxel, where its links start; and the end of the last one.
    starts: Vec<u32>,
    /// The voxels to which steps lead, and in the two lowest bits along how many axes: as short as can be, for the cache.
    links: Vec<u32>,
    found: Vec<Nearest>,
    /// For each voxel the distance from which on none improves anything: most are refused by this alone.
    bounds: Vec<u32>,
    /// Bones of voxels, by distance.
    open: Vec<Vec<(u32, BoneIndex)>>,
}

impl Search {
    fn of(volume: &Volume) -> Search {
        let count = volume.solid.len();
        let (mut starts, mut links) = (Vec::with_capacity(count + 1), Vec::with_capacity(20 * count));
        let steps = steps(volume);
        for (cell, normal) in volume.solid.iter().zip(&volume.normals) {
            starts.push(links.len() as u32);
            for &(offset, along, direction) in &steps {
                let next = volume.cells[(*cell as isize + offset) as usize];
                if next != EMPTY && !leaves(*normal, volume.normals[next as usize], direction) {
                    links.push(next << 2 | along);
                }
            }
        }
        starts.push(links.len() as u32);
        let (found, bounds) = (vec![Nearest::NONE; count], vec![u32::MAX; count]);
        Search { starts, links, found, bounds, open: Vec::new() }
    }

    /// Notes a distance to be settled, if it is of use.
    fn offer(&mut self, voxel: u32, bone: BoneIndex, distance: u32) {
        let (bound, found) = (&mut self.bounds[voxel as usize], &mut self.found[voxel as usize]);
        if distance >= *bound || !found.improve(bone, distance) {
            return;
        }
        *bound = found.largest().min(*bound);
        if self.open.len() <= distance as usize {
            self.open.resize(distance as usize + 1, Vec::new());
        }
        self.open[distance as usize].push((voxel, bone));
    }

    /// Makes a distance final, and offers it to the voxels beside.
    fn settle(&mut self, voxel: u32, bone: BoneIndex, distance: u32) {
        let (at, found) = (voxel as usize, &mut self.found[voxel as usize]);
        if distance > found.limit() || !found.settle(bone, distance) {
            return;
        }
        self.bounds[at] = self.bounds[at].min(found.limit().saturating_add(1));
        for link in self.starts[at]..self.starts[at + 1] {
            let link = self.links[link as usize];
            self.offer(link >> 2, bone, distance + STEPS[link as usize & 3]);
        }
    }
}

/// A step to a neighbour: to which cell, along how many axes, and in which direction.
type Step = (isize, u32, Vec3);

fn steps(volume: &Volume) -> Vec<Step> {
    let strides = volume.strides().map(|stride| stride as isize);
    let all = (0..27).map(|at| [at % 3 - 1, at / 3 % 3 - 1, at / 9 - 1]);
    let step = |by: [isize; 3]| {
        let along = by.iter().map(|part| part.unsigned_abs() as u32).sum::<u32>();
        let offset = by[0] * strides[0] + by[1] * strides[1] + by[2] * strides[2];
        (offset, along, Vec3::from_array(by.map(|part| part as f32)).normalize())
    };
    all.filter(|by| *by != [0; 3]).map(step).collect()
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
