//! Weights of vertices: automatic ones by distances through the volume, and rigid ones for parts that don't bend.

mod blend;
mod homes;
mod islands;
mod loose;
mod mirror;

use glam::Vec3;

use crate::anim::skeleton::BoneIndex;
use crate::rig::problems::leaks;
use crate::rig::segments::{Segment, distance};
use crate::rig::surface::Surface;
use crate::rig::volume::Volume;
use crate::rig::volume::search::{BONES, DETOUR, Nearest, UNIT, line, nearest};
use crate::rig::{Reach, RigError};

/// The bones that move each vertex of a surface: bone and weight, the heaviest first. They sum to 1.
pub type Weights = Vec<Vec<(BoneIndex, f32)>>;

/// How weights are computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Maximum number of bones for each vertex, 1 to 8.
    pub influences: usize,
    /// How soon the weight of a farther bone falls: it is 0 at 1 + 2 / `falloff` times the distance of the nearest one. 1 to 16.
    pub falloff: f32,
    /// How often weights are averaged with those of neighbours along edges, at most 100.
    pub smoothing: u32,
    /// Lower weights are dropped.
    pub min_weight: f32,
}

impl Default for Options {
    fn default() -> Options {
        Options { influences: 4, falloff: 12.0, smoothing: 1, min_weight: 0.02 }
    }
}

/// How a connected part of a surface is bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Blended between bones.
    Smooth,
    /// By one bone.
    Rigid,
}

/// A volume with the nearest bones of its voxels: what weights are computed from.
#[derive(Clone, Debug)]
pub struct Distances {
    /// The voxels.
    pub volume: Volume,
    nearest: Vec<Nearest>,
    /// The lines of each bone, sorted by bone.
    lines: Vec<(BoneIndex, [Vec3; 2])>,
}

impl Distances {
    /// Searches the volume of a surface. Most of the time of automatic weights is spent here; options can be changed afterwards.
    ///
    /// # Errors
    /// If there are no bones.
    pub fn new(surface: &Surface, segments: &[Segment]) -> Result<Distances, RigError> {
        Distances::in_volume(Volume::new(surface), segments)
    }

    /// Searches a volume.
    ///
    /// # Errors
    /// If there are no bones.
    pub fn in_volume(volume: Volume, segments: &[Segment]) -> Result<Distances, RigError> {
        if segments.is_empty() {
            return Err(RigError::NoBones);
        }
        let nearest = nearest(&volume, segments);
        let mut lines: Vec<(BoneIndex, [Vec3; 2])> =
            segments.iter().map(|segment| (segment.bone, line(&volume, segment))).collect();
        lines.sort_by_key(|(bone, _)| *bone);
        Ok(Distances { volume, nearest, lines })
    }

    /// The bones near a point of the surface and their distances, in no order. None for a place that no bone reaches.
    pub fn of(&self, point: Vec3) -> Vec<(BoneIndex, f32)> {
        self.volume.solid_at(point).map_or_else(Vec::new, |voxel| self.in_voxel(voxel, point))
    }

    /// The distances of a point in a solid voxel. A bone is as far as the path through the volume is long or, if that is straight, as
    /// the bone's lines are: voxels alone would make steps.
    fn in_voxel(&self, voxel: u32, point: Vec3) -> Vec<(BoneIndex, f32)> {
        let size = self.volume.size;
        let far = |(bone, steps): (BoneIndex, u32)| {
            let through = (steps as f32 / UNIT as f32 / DETOUR - 1.0) * size;
            let first = self.lines.partition_point(|(other, _)| *other < bone);
            let own = self.lines[first..].iter().take_while(|(other, _)| *other == bone);
            let straight = own.map(|(_, line)| distance(point, *line)).fold(f32::INFINITY, f32::min);
            (bone, through.max(straight) + 0.5 * size)
        };
        self.nearest[voxel as usize].iter().map(far).collect()
    }
}

/// Automatic weights of all vertices.
///
/// # Errors
/// If there are no bones, or `reach` ends the work.
pub fn automatic(
    surface: &Surface,
    segments: &[Segment],
    options: &Options,
    reach: &mut Reach<'_>,
) -> Result<Weights, RigError> {
    from_distances(surface, &Distances::new(surface, segments)?, options, reach)
}

/// Automatic weights by distances of this surface.
///
/// # Errors
/// If `reach` ends the work.
pub fn from_distances(
    surface: &Surface,
    distances: &Distances,
    options: &Options,
    reach: &mut Reach<'_>,
) -> Result<Weights, RigError> {
    reach(0.2)?;
    let neighbours = surface.neighbours();
    let mut far = blend::distances(surface, distances);
    reach(0.4)?;
    homes::drop_strangers(surface, distances, &mut far);
    reach(0.5)?;
    let mut weights = blend::raw(&far, options);
    islands::drop_far(surface, &neighbours, &mut weights);
    reach(0.6)?;
    let rounds = options.smoothing.min(100);
    for round in 0..rounds {
        weights = blend::smoothed(surface, &neighbours, &weights);
        reach(0.6 + 0.3 * (round + 1) as f32 / rounds as f32)?;
    }
    blend::taper(&far, &mut weights);
    mirror::averaged(surface, distances, &mut weights);
    Ok(finished(surface, weights, options))
}

/// Weights of 1, for the bone of each connected part that has most of its automatic weights.
pub fn rigid(surface: &Surface, automatic: &Weights) -> Weights {
    let bones = main_bones(surface, automatic);
    surface.parts.iter().map(|part| vec![(bones[*part as usize].0, 1.0)]).collect()
}

/// Automatic weights, made rigid in the parts for which the method says so. Parts without a method stay smooth.
pub fn mixed(surface: &Surface, automatic: Weights, methods: &[Method]) -> Weights {
    let rigid = rigid(surface, &automatic);
    let pairs = surface.parts.iter().zip(automatic.into_iter().zip(rigid));
    let chosen = pairs.map(|(part, (smooth, rigid))| match methods.get(*part as usize) {
        Some(Method::Rigid) => rigid,
        Some(Method::Smooth) | None => smooth,
    });
    chosen.collect()
}

/// The share of a part that its bone must have for the part to be proposed as rigid.
const DOMINANT: f32 = 0.7;

/// The method that suits each connected part: rigid if one bone moves most of it, it is a small part of the surface, as armour and the limbs
/// of a robot are, and the bone is far from none of it. A figure of one part is smooth.
pub fn proposed(surface: &Surface, distances: &Distances, automatic: &Weights) -> Vec<Method> {
    let bones = main_bones(surface, automatic);
    let mut sizes = vec![0_usize; bones.len()];
    surface.parts.iter().for_each(|part| sizes[*part as usize] += 1);
    let is_rigid = |(bone, size): (&(BoneIndex, f32), &usize)| bone.1 >= DOMINANT && *size * 3 < surface.parts.len();
    let mut are_rigid: Vec<bool> = bones.iter().zip(&sizes).map(is_rigid).collect();
    for (part, position) in surface.parts.iter().zip(&surface.positions) {
        let is_rigid = &mut are_rigid[*part as usize];
        *is_rigid = *is_rigid && leaks(&[(bones[*part as usize].0, 1.0)], distances, *position).is_empty();
    }
    are_rigid.into_iter().map(|is| if is { Method::Rigid } else { Method::Smooth }).collect()
}

/// The bone with the largest sum of weights in each part, and its share.
fn main_bones(surface: &Surface, weights: &Weights) -> Vec<(BoneIndex, f32)> {
    let mut sums = vec![std::collections::BTreeMap::<BoneIndex, f32>::new(); surface.part_count()];
    for (part, weights) in surface.parts.iter().zip(weights) {
        weights.iter().for_each(|(bone, weight)| *sums[*part as usize].entry(*bone).or_default() += weight);
    }
    let main = |sums: std::collections::BTreeMap<BoneIndex, f32>| {
        let total: f32 = sums.values().sum();
        let largest = sums.into_iter().rev().max_by(|(_, a), (_, b)| a.total_cmp(b));
        largest.map_or((0, 0.0), |(bone, sum)| (bone, sum / total))
    };
    sums.into_iter().map(main).collect()
}

/// Prunes, limits and normalizes, and gives all vertices at one place the same weights.
fn finished(surface: &Surface, weights: Weights, options: &Options) -> Weights {
    let limited: Weights = weights.into_iter().map(|own| limited(without_halves(own, options), options)).collect();
    surface.welded.iter().map(|first| limited[*first as usize].clone()).collect()
}

/// Drops the last weight within the limit if the first one beyond is the same: a pair of both sides stays or goes together.
fn without_halves(mut weights: Vec<(BoneIndex, f32)>, options: &Options) -> Vec<(BoneIndex, f32)> {
    let most = options.influences.clamp(1, BONES);
    weights.sort_by(|(one, a), (other, b)| b.total_cmp(a).then(one.cmp(other)));
    let is_same = |weights: &[(BoneIndex, f32)]| weights[most - 1].1 <= 1.001 * weights[most].1;
    if most > 2 && weights.len() > most && is_same(&weights) {
        weights.remove(most - 1);
        weights.remove(most - 1);
    }
    weights
}

/// The heaviest weights, summing to 1.
pub fn limited(mut weights: Vec<(BoneIndex, f32)>, options: &Options) -> Vec<(BoneIndex, f32)> {
    weights.retain(|(_, weight)| *weight > 0.0);
    weights.sort_by(|(one, a), (other, b)| b.total_cmp(a).then(one.cmp(other)));
    weights.truncate(options.influences.clamp(1, BONES));
    let kept = weights.iter().enumerate().take_while(|(at, (_, weight))| *at == 0 || *weight >= options.min_weight);
    weights.truncate(kept.count());
    let sum: f32 = weights.iter().map(|(_, weight)| weight).sum();
    weights.iter_mut().for_each(|(_, weight)| *weight /= sum);
    weights
}
