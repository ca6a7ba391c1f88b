//! Legs: the thigh, shin and foot of the target, and how far a pose of them is from another.

use glam::{DQuat, DVec3};

use crate::anim::ik::two_bone::TwoBone;
use crate::anim::skeleton::BoneIndex;
use crate::clip_transfer::Transfer;
use crate::clip_transfer::frames::Frames;
use crate::clip_transfer::pairing::LegPair;
use crate::retarget::steps::Step;

/// The maximum distance of a loose foot from the end of its leg, in leg lengths.
const LOOSE: f64 = 0.05;
/// Weight of a foot that doesn't reach its goal, in radians per leg length.
const SHORT: f64 = 6.0;

/// A leg of both skeletons.
#[derive(Clone, Debug)]
pub struct Leg {
    /// Of the target. The tip is the foot, or the end of the shin if the foot is not below it.
    pub limb: TwoBone,
    /// The foot of the target.
    pub foot: BoneIndex,
    /// The toes of the target that are bent, if it has some.
    pub toes: Option<BoneIndex>,
    pub pair: LegPair,
    /// The length of the target's leg at rest.
    pub length: f64,
    /// From ankle to heel and ball of the foot at rest, of source and target, in model space; zero without toes.
    pub soles: [[DVec3; 2]; 2],
}

/// The legs that both have.
pub fn legs(transfer: &Transfer<'_>) -> Vec<Leg> {
    transfer.pairing.legs.iter().filter_map(|pair| leg(transfer, *pair)).collect()
}

fn leg(transfer: &Transfer<'_>, pair: LegPair) -> Option<Leg> {
    let [from, to] = &transfer.pairing.rests;
    let (before, length) = (from.length(&pair.from), to.length(&pair.to));
    let [root, middle, foot] = pair.to;
    let near = |bone: &BoneIndex| to.place(*bone).distance(to.place(foot)) < LOOSE * length;
    let tip = if transfer.to.is_below(foot, middle) { Some(foot) } else { transfer.to.children(middle).find(near) };
    let is_leg = before > 1e-6 && length > 1e-6 && before.is_finite() && length.is_finite();
    let is_limb = transfer.to.is_below(middle, root);
    let sole = |frames: &Frames, ankle: BoneIndex, toes: BoneIndex| {
        let way = frames.place(toes) - frames.place(ankle);
        let down = way.y.min(0.0);
        [DVec3::Y * down, DVec3::new(way.x, down, way.z)]
    };
    let soles = pair.toes.map(|[from_toes, to_toes]| [sole(from, pair.from[2], from_toes), sole(to, foot, to_toes)]);
    let limb = TwoBone { root, middle, tip: tip? };
    let is_bent = |toes: &BoneIndex| {
        transfer.to.parent(*toes) == Some(foot) && transfer.pairing.source[usize::from(*toes)].is_some()
    };
    let toes = pair.toes.map(|[_, toes]| toes).filter(is_bent);
    (is_leg && is_limb).then_some(Leg { limb, foot, toes, pair, length, soles: soles.unwrap_or_default() })
}

impl Leg {
    /// The bones that a correction keys.
    pub fn bones(&self) -> impl Iterator<Item = BoneIndex> {
        [self.limb.root, self.limb.middle, self.foot].into_iter().chain(self.toes)
    }

    /// Where the ankle goes with the hips moved.
    pub fn goal(&self, step: &Step, posed: &Frames, by: DVec3) -> DVec3 {
        let goal = (posed.place(self.limb.tip) + by).lerp(step.goal, step.weight);
        goal.with_y(goal.y.max(step.floor))
    }

    /// How far thigh and shin turn with the hips moved by a way in leg lengths, in radians. More if the foot is out of reach.
    pub fn effort(&self, step: &Step, posed: &Frames, by: DVec3) -> f64 {
        let by = by * self.length;
        let [root, middle, tip] = [self.limb.root, self.limb.middle, self.limb.tip].map(|bone| posed.place(bone));
        let (upper, lower) = (root.distance(middle), middle.distance(tip));
        let (before, after) = (tip - root, self.goal(step, posed, by) - root - by);
        let reach = |way: DVec3| way.length().min(upper + lower).max((upper - lower).abs()).max(1e-9);
        let angle = |near: f64, far: f64, reach: f64| {
            ((near * near + reach * reach - far * far) / (2.0 * near * reach).max(1e-12)).clamp(-1.0, 1.0).acos()
        };
        let (was, is) = (reach(before), reach(after));
        let bent = (angle(upper, lower, is) - angle(upper, lower, was)).abs();
        let bent = bent.max((angle(lower, upper, is) - angle(lower, upper, was)).abs());
        let swung = before.angle_between(after);
        let short = (after.length() - upper - lower).max(0.0) / self.length;
        bent + if swung.is_finite() { swung } else { 0.0 } + SHORT * short
    }
}

/// A rotation from rest as a turn about the vertical axis, and a tilt after it.
pub fn tilted(turn: DQuat) -> (DQuat, DQuat) {
    let heading = DQuat::from_rotation_y(2.0 * turn.y.atan2(turn.w));
    (heading, (turn * heading.inverse()).normalize())
}

/// A part of a rotation; more than all of it if the part is above 1.
pub fn part_of(rotation: DQuat, part: f64) -> DQuat {
    let (axis, angle) = if rotation.w < 0.0 { (-rotation).to_axis_angle() } else { rotation.to_axis_angle() };
    DQuat::from_axis_angle(axis, angle * part)
}
