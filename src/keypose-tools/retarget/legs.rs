//! Legs: the thigh, shin and foot of the target, and where its foot belongs.

use std::f64::consts::TAU;

use glam::{DQuat, DVec3};

use crate::anim::ik::two_bone::TwoBone;
use crate::anim::pose::ModelPose;
use crate::anim::skeleton::BoneIndex;
use crate::assets::clip_transfer::Transfer;
use crate::assets::clip_transfer::frames::Frames;
use crate::assets::clip_transfer::pairing::LegPair;
use crate::assets::clip_transfer::posed::Ground;
use crate::assets::retarget::heading;

/// Height of an ankle above the ground, in leg lengths, below which a foot stands.
const STANDING: f64 = 0.05;
/// Height of an ankle above the ground, in leg lengths, at which the transferred pose is kept.
const LIFTED: f64 = 0.2;
/// The height of the heel above the ball, in leg lengths, over which a foot goes from standing flat to standing on its ball.
const ROLL: f64 = 0.04;
/// The maximum distance of a loose foot from the end of its leg, in leg lengths.
const LOOSE: f64 = 0.05;

/// A leg of both skeletons.
#[derive(Clone, Debug)]
pub struct Leg {
    /// Of the target. The tip is the foot, or the end of the shin if the foot is not below it.
    pub limb: TwoBone,
    /// The foot of the target.
    pub foot: BoneIndex,
    pair: LegPair,
    /// The length of the source's leg at rest.
    from_length: f64,
    /// The length of the target's leg at rest.
    to_length: f64,
    /// Sideways offset of the target's foot, because the hips are wider.
    outward: DVec3,
    /// From ankle to heel and ball of the foot at rest, of source and target, in model space; `None` without toes.
    soles: Option<[[DVec3; 2]; 2]>,
}

/// A clip on both skeletons.
pub struct Steps<'s> {
    /// Poses of the source.
    pub sources: &'s [Frames],
    /// Poses of the target with the transferred clip.
    pub posed: &'s [Frames],
    pub ground: Ground,
}

/// The legs that both have.
pub fn legs(transfer: &Transfer<'_>) -> Vec<Leg> {
    let mut legs: Vec<Leg> = transfer.pairing.legs.iter().filter_map(|pair| leg(transfer, *pair)).collect();
    if let [one, other] = legs.as_mut_slice() {
        spread(one, other, transfer);
    }
    legs
}

fn leg(transfer: &Transfer<'_>, pair: LegPair) -> Option<Leg> {
    let [from, to] = &transfer.pairing.rests;
    let (from_length, to_length) = (from.length(&pair.from), to.length(&pair.to));
    let [root, middle, foot] = pair.to;
    let near = |bone: &BoneIndex| to.place(*bone).distance(to.place(foot)) < LOOSE * to_length;
    let tip = if transfer.to.is_below(foot, middle) { Some(foot) } else { transfer.to.children(middle).find(near) };
    let is_leg = from_length > 1e-6 && to_length > 1e-6 && from_length.is_finite() && to_length.is_finite();
    let is_limb = transfer.to.is_below(middle, root);
    let sole = |frames: &Frames, ankle: BoneIndex, toes: BoneIndex| {
        let way = frames.place(toes) - frames.place(ankle);
        let down = way.y.min(0.0);
        [DVec3::Y * down, DVec3::new(way.x, down, way.z)]
    };
    let soles = pair.toes.map(|[from_toes, to_toes]| [sole(from, pair.from[2], from_toes), sole(to, foot, to_toes)]);
    let limb = TwoBone { root, middle, tip: tip? };
    (is_leg && is_limb).then_some(Leg { limb, foot, pair, from_length, to_length, outward: DVec3::ZERO, soles })
}

/// Moves two feet apart by as much as the hips of the target are wider, in proportion.
fn spread(one: &mut Leg, other: &mut Leg, transfer: &Transfer<'_>) {
    let [from, to] = &transfer.pairing.rests;
    let before = from.place(one.pair.from[0]) - from.place(other.pair.from[0]);
    let after = to.place(one.limb.root) - to.place(other.limb.root);
    let wider = (after.length() - before.length() * transfer.pairing.scale) / 2.0;
    let sideways = (after * DVec3::new(1.0, 0.0, 1.0)).normalize_or_zero();
    (one.outward, other.outward) = (sideways * wider, -sideways * wider);
}

impl Leg {
    /// The bones that a correction keys.
    pub fn bones(&self) -> [BoneIndex; 3] {
        [self.limb.root, self.limb.middle, self.foot]
    }

    /// Where the ankle belongs in each pose: where that of the source is, in proportion, with the sole as high above the ground.
    /// A foot that is high in the air stays where the transferred clip has it.
    pub fn goals(&self, transfer: &Transfer<'_>, steps: &Steps<'_>) -> Vec<DVec3> {
        let pairing = &transfer.pairing;
        let [_, _, ankle] = self.pair.from;
        let height = |pose: &Frames| pose.place(ankle).y - steps.ground.from;
        let is_down: Vec<bool> = steps.sources.iter().map(|pose| height(pose) < STANDING * self.from_length).collect();
        let rest = pairing.rests[1].rotation(self.foot);
        let turned: Vec<f64> =
            steps.posed.iter().map(|pose| heading(pose.rotation(self.foot) * rest.inverse())).collect();
        let headings = headings(&turned, &is_down);
        let goal = |at: usize| {
            let (source, posed) = (&steps.sources[at], &steps.posed[at]);
            let mut goal = self.mapped(transfer, source.place(ankle), &steps.ground) + headings[at] * self.outward;
            if let Some(soles) = &self.soles {
                goal += self.rolled(transfer, (source, posed), (soles, headings[at]));
            }
            let lifted = (height(source) / self.from_length - STANDING) / (LIFTED - STANDING);
            goal.lerp(posed.place(self.limb.tip), lifted.clamp(0.0, 1.0))
        };
        (0..steps.sources.len()).map(goal).collect()
    }

    /// How far the ankle goes from its place in proportion, because the foot has another length than that of the source and stands
    /// on its ball.
    fn rolled(
        &self,
        transfer: &Transfer<'_>,
        (source, posed): (&Frames, &Frames),
        ([from, to], heading): (&[[DVec3; 2]; 2], DQuat),
    ) -> DVec3 {
        let pairing = &transfer.pairing;
        let from_turn = source.rotation(self.pair.from[2]) * pairing.rests[0].rotation(self.pair.from[2]).inverse();
        let to_turn = posed.rotation(self.foot) * pairing.rests[1].rotation(self.foot).inverse();
        let from_points = from.map(|point| pairing.own * (from_turn * point) * pairing.scale);
        let to_points = to.map(|point| to_turn * point);
        let lower = from_points[0].y - from_points[1].y;
        let on_ball = (lower / (ROLL * self.to_length) + 0.5).clamp(0.0, 1.0);
        // From flat to flat, the ankle is in proportion, and the ball where the foot ends.
        let flat = |heel_or_ball: usize| {
            let longer = to[heel_or_ball] - pairing.own * from[heel_or_ball] * pairing.scale;
            heading * (longer * DVec3::new(1.0, 0.0, 1.0))
        };
        let ankle = |point: usize| from_points[point] + flat(point) - to_points[point];
        let across = ankle(0).lerp(ankle(1), on_ball) * DVec3::new(1.0, 0.0, 1.0);
        let lowest = |points: [DVec3; 2]| points[0].y.min(points[1].y);
        let [from_flat, to_flat] = [lowest(*from) * pairing.scale, lowest(*to)];
        across + DVec3::Y * ((lowest(from_points) - from_flat) - (lowest(to_points) - to_flat))
    }

    /// A point of the source in the target: in proportion, from the middle between the roots of the legs, and from the ground.
    fn mapped(&self, transfer: &Transfer<'_>, place: DVec3, ground: &Ground) -> DVec3 {
        let pairing = &transfer.pairing;
        let [before, after] = pairing.leg_roots().unwrap_or_default();
        let way = pairing.own * (place - before) * pairing.scale;
        DVec3::new(after.x + way.x, ground.to + (place.y - ground.from) * pairing.scale, after.z + way.z)
    }

    /// Returns how far the hips must be lowered for the foot to reach a point; 0 if it does, or if lowering doesn't help.
    pub fn missing(&self, pose: &ModelPose, goal: DVec3, stretch: f64) -> f64 {
        let root = pose.get(self.limb.root).translation().as_dvec3();
        let (away, length) = (root - goal, self.to_length * stretch);
        let across = (away * DVec3::new(1.0, 0.0, 1.0)).length();
        if away.length() <= length || across >= length {
            0.0
        } else {
            (away.y - (length * length - across * across).sqrt()).max(0.0)
        }
    }
}

/// For each pose, how far a foot is turned about the vertical axis, from `turned`: constant while it is on the ground, so that what
/// follows it doesn't slide, and from one step to the next while it is in the air.
pub fn headings(turned: &[f64], is_down: &[bool]) -> Vec<DQuat> {
    let mut angles: Vec<f64> = Vec::with_capacity(turned.len());
    for angle in turned {
        let before = angles.last().copied().unwrap_or(*angle);
        angles.push(angle - TAU * ((angle - before) / TAU).round());
    }
    let mut steps: Vec<(usize, usize, f64)> = Vec::new();
    for at in (0..angles.len()).filter(|at| is_down[*at]) {
        match steps.last_mut().filter(|(_, end, _)| *end == at) {
            Some((_, end, sum)) => (*end, *sum) = (at + 1, *sum + angles[at]),
            None => steps.push((at, at + 1, angles[at])),
        }
    }
    let mean = |(start, end, sum): &(usize, usize, f64)| sum / (end - start) as f64;
    let heading = |at: usize| {
        let next = steps.partition_point(|(_, end, _)| *end <= at);
        match (next.checked_sub(1).and_then(|before| steps.get(before)), steps.get(next)) {
            (_, Some(step)) if step.0 <= at => mean(step),
            (Some(before), Some(after)) => {
                let share = (at + 1 - before.1) as f64 / (after.0 + 1 - before.1) as f64;
                mean(before) + (mean(after) - mean(before)) * share
            }
            (Some(only), None) | (None, Some(only)) => mean(only),
            (None, None) => angles.iter().sum::<f64>() / angles.len() as f64,
        }
    };
    (0..angles.len()).map(|at| DQuat::from_rotation_y(heading(at))).collect()
}
