//! Weight of a character: the centre of its mass, the ground on which it stands, and the arc on which it flies. A pure function of model,
//! pose and contacts. Props in sockets weigh nothing.

use std::sync::Arc;

use glam::{Vec2, Vec3};

use crate::anim::clip::{Clip, LoopMode};
use crate::anim::pose::ModelPose;
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::anim::time::Time;
use crate::assets::combat::{Lanes, Range};
use crate::assets::fit::{Fit, deform_bones, fit};
use crate::assets::model::Model;
use crate::clip_check::legs_of;

mod arc;
mod support;
mod volumes;

pub use arc::{Arc as BallisticArc, secs_of_jump};
pub use support::{hull, margin};
pub use volumes::Volumes;

/// A foot stands up to this height above the ground, in heights of the model, in a clip without contacts: 2 cm for a person.
const NEAR_GROUND: f32 = 0.012;
/// The lowest part of a foot, in heights of the model, is what stands: 2 cm for a person.
const SOLE: f32 = 0.012;
/// A shorter flight is a gap between two contacts.
const MIN_FLIGHT: Time = Time(Time::TICK.0 * 4);

/// Masses, feet and gravity of a model.
#[derive(Clone, Debug)]
pub struct Balance {
    skeleton: Arc<Skeleton>,
    volumes: Arc<Volumes>,
    /// The share of each bone in the mass; the sum is 1, or 0 without bones.
    shares: Vec<f32>,
    feet: Vec<BoneIndex>,
    /// The y of the ground.
    ground: f32,
    /// The height of the rest pose in model units.
    pub height: f32,
    /// Metres per model unit in the game.
    pub scale: f32,
    /// In model units per second squared.
    pub gravity: f32,
}

/// A pose on its feet or in the air.
#[derive(Clone, Debug, PartialEq)]
pub struct Stance {
    /// The centre of mass in model space.
    pub centre: Vec3,
    /// The corners of the support polygon, seen from above (x and z), in order; empty in the air.
    pub support: Vec<Vec2>,
    /// The y of the support.
    pub ground: f32,
}

impl Stance {
    /// How far the centre of mass is inside the edge of the support polygon, negative outside, in model units. `None` in the air.
    pub fn margin(&self) -> Option<f32> {
        margin(&self.support, Vec2::new(self.centre.x, self.centre.z))
    }

    /// Whether the centre of mass is over no support, so that a still pose falls.
    pub fn falls(&self) -> bool {
        self.margin().is_some_and(|margin| margin < 0.0)
    }
}

impl Balance {
    /// Reads every vertex of the model.
    pub fn of(model: &Model) -> Balance {
        Balance::with(model, fit(model), &deform_bones(model), Arc::new(Volumes::of(model)))
    }

    /// From measures of the model that are known: its size in the level, its deforming bones and its volumes.
    pub fn with(model: &Model, fit: Fit, bones: &[usize], volumes: Arc<Volumes>) -> Balance {
        let (skeleton, ground) = (model.skeleton.clone(), fit.base.y);
        let legs = legs_of(&skeleton, &skeleton.rest_model_pose(), bones, ground, fit.height);
        let feet = legs.iter().filter_map(|leg| leg.first()).map(|&bone| bone as BoneIndex).collect();
        let shares = volumes.shares(|bone| Some(model.rig.masses.get(&skeleton.get(bone)?.name)? / 100.0));
        let gravity = model.rig.gravity() / fit.scale;
        Balance { skeleton, volumes, shares, feet, ground, height: fit.height, scale: fit.scale, gravity }
    }

    /// The bones.
    pub fn skeleton(&self) -> &Skeleton {
        &self.skeleton
    }

    /// The share of a bone in the mass, 0 to 1.
    pub fn share(&self, bone: BoneIndex) -> f32 {
        self.shares.get(usize::from(bone)).copied().unwrap_or(0.0)
    }

    /// The share of a bone and of those below it in the mass, 0 to 1.
    pub fn share_below(&self, bone: BoneIndex) -> f32 {
        self.below(bone).into_iter().map(|bone| self.share(bone)).sum()
    }

    /// The centre of mass of a pose in model space.
    pub fn centre(&self, pose: &ModelPose) -> Vec3 {
        let parts = self.shares.iter().zip(self.volumes.centres()).zip(&pose.bones);
        parts.map(|((share, centre), bone)| bone.transform_point(centre) * *share).sum()
    }

    /// A pose at a time of a clip with these lanes: it stands on the bones in contact, or, if the lanes have no contact, on the feet that
    /// are near the ground.
    pub fn stance(&self, pose: &ModelPose, lanes: &Lanes, time: Time) -> Stance {
        let feet = self.standing(pose, lanes, time);
        let soles: Vec<Vec<Vec3>> = feet.iter().map(|&foot| self.sole(pose, foot)).collect();
        let points: Vec<Vec2> = soles.iter().flatten().map(|point| Vec2::new(point.x, point.z)).collect();
        let ground = soles.iter().map(|sole| lowest(sole)).fold(f32::INFINITY, f32::min);
        Stance { centre: self.centre(pose), support: hull(points), ground: if soles.is_empty() { 0.0 } else { ground } }
    }

    /// The bones on which a pose stands at a time of a clip with these lanes: those in contact or, if the lanes have no contact, the feet
    /// that are near the ground.
    pub fn standing(&self, pose: &ModelPose, lanes: &Lanes, time: Time) -> Vec<BoneIndex> {
        if lanes.contacts.is_empty() {
            let highest = self.ground + NEAR_GROUND * self.height;
            let is_near = |foot: &BoneIndex| lowest(&self.sole(pose, *foot)) <= highest;
            return self.feet.iter().copied().filter(is_near).collect();
        }
        let standing = lanes.contacts.iter().filter(|contact| contact.range.contains(time));
        standing.filter_map(|contact| self.skeleton.find(&contact.bone)).collect()
    }

    /// The share of each bone in the mass, and its centre of mass in its own space.
    pub fn masses(&self) -> impl Iterator<Item = (f32, Vec3)> + '_ {
        self.shares.iter().copied().zip(self.volumes.centres())
    }

    /// The lowest points of a bone and of those below it in model space.
    fn sole(&self, pose: &ModelPose, bone: BoneIndex) -> Vec<Vec3> {
        let (mut points, below): (Vec<Vec3>, _) = (Vec::new(), self.below(bone));
        for &bone in &below {
            let model_from_bone = pose.get(bone);
            points.extend(self.volumes.extremes(bone).iter().map(|point| model_from_bone.transform_point(*point)));
        }
        if points.is_empty() {
            points.extend(below.iter().map(|&bone| pose.get(bone).translation()));
        }
        let top = lowest(&points) + SOLE * self.height;
        points.retain(|point| point.y <= top);
        points
    }

    /// A bone and those below it.
    fn below(&self, bone: BoneIndex) -> Vec<BoneIndex> {
        let mut is_below = vec![false; self.skeleton.len()];
        // Parents come first.
        for other in self.skeleton.indices().skip(usize::from(bone)) {
            let is_under = self.skeleton.parent(other).is_some_and(|parent| is_below[usize::from(parent)]);
            is_below[usize::from(other)] = other == bone || is_under;
        }
        self.skeleton.indices().filter(|bone| is_below[usize::from(*bone)]).collect()
    }

    /// The ranges of a clip in the air: no contact stands, or, in a clip without contacts, no foot is near the ground at any of the times.
    /// Those that lead over the seam of a loop are left out.
    pub fn flights(
        &self,
        (clip, lanes): (&Clip, &Lanes),
        times: &[Time],
        pose_at: impl Fn(Time) -> ModelPose,
    ) -> Vec<Range> {
        let length = clip.length();
        let mut flights: Vec<Range> = Vec::new();
        if lanes.contacts.is_empty() {
            let is_air = |time: &&Time| self.stance(&pose_at(**time), lanes, **time).support.is_empty();
            let runs = times.chunk_by(|a, b| is_air(&a) == is_air(&b)).filter(|run| is_air(&&run[0]));
            flights.extend(runs.map(|run| Range { start: run[0], end: run[run.len() - 1] }));
        } else {
            let mut contacts: Vec<Range> = lanes.contacts.iter().map(|contact| contact.range).collect();
            contacts.sort();
            let mut end = Time::ZERO;
            for contact in contacts.into_iter().chain([Range { start: length, end: length }]) {
                flights.push(Range { start: end, end: contact.start.min(length) });
                end = end.max(contact.end);
            }
        }
        let is_at_seam = |range: &Range| range.start == Time::ZERO || range.end == length;
        let is_cut = |range: &Range| clip.loop_mode == LoopMode::Loop && is_at_seam(range);
        flights.retain(|range| range.end - range.start >= MIN_FLIGHT && !is_cut(range));
        flights
    }

    /// The arc of a range in the air, from the centre of mass at its start to that at its end.
    pub fn arc(&self, range: Range, pose_at: impl Fn(Time) -> ModelPose) -> BallisticArc {
        let [from, to] = [range.start, range.end].map(|time| self.centre(&pose_at(time)));
        BallisticArc::new(range, [from, to], self.gravity)
    }
}

fn lowest(points: &[Vec3]) -> f32 {
    points.iter().map(|point| point.y).fold(f32::INFINITY, f32::min)
}
