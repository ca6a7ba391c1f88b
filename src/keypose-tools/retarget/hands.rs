//! Hands: two that are near each other hold something, so they are as near on the target, in arm lengths.

use glam::DVec3;

use crate::anim::ik::two_bone::TwoBone;
use crate::anim::skeleton::BoneIndex;
use crate::clip_transfer::Transfer;
use crate::clip_transfer::frames::Frames;
use crate::retarget::steps::Steps;

/// Distance of the hands, in arm lengths, up to which they hold one thing.
const HOLDING: f64 = 0.5;
/// Distance of the hands, in arm lengths, from which each is free.
const FREE: f64 = 0.8;
/// The maximum way of a hand from where it belongs, in arm lengths, that is left as it is.
const NEAR: f64 = 0.01;
/// Shorter arms reach for nothing.
const MIN_LENGTH: f64 = 1e-6;

/// Both arms of both skeletons.
#[derive(Clone, Debug)]
pub struct Hands {
    /// Of the target, left and right.
    pub limbs: [TwoBone; 2],
    /// The arms of the source.
    pub from: [[BoneIndex; 3]; 2],
    /// The mean lengths of the arms of both at rest.
    lengths: [f64; 2],
}

impl Hands {
    /// The arms that both have.
    pub fn new(transfer: &Transfer<'_>) -> Option<Hands> {
        let [from, to] = transfer.pairing.arms?;
        let lengths = [(0, from), (1, to)].map(|(of, arms)| length(&transfer.pairing.rests[of], &arms));
        let is_limb = |[root, middle, tip]: [BoneIndex; 3]| {
            transfer.to.is_below(middle, root) && transfer.to.is_below(tip, middle)
        };
        let is_arm = |length: &f64| *length > MIN_LENGTH && length.is_finite();
        let limbs = to.map(|[root, middle, tip]| TwoBone { root, middle, tip });
        (to.into_iter().all(is_limb) && lengths.iter().all(is_arm)).then_some(Hands { limbs, from, lengths })
    }

    /// The bones that a correction keys.
    pub fn bones(&self) -> impl Iterator<Item = BoneIndex> {
        self.limbs.into_iter().flat_map(|limb| [limb.root, limb.middle, limb.tip])
    }

    /// How far the left hand goes in each pose, and the right hand the other way. Empty if none has to.
    pub fn reaches(&self, transfer: &Transfer<'_>, steps: &Steps<'_>) -> Vec<DVec3> {
        let reach = |(source, posed): (&Frames, &Frames)| {
            let arms = self.limbs.map(|limb| [limb.root, limb.middle, limb.tip]);
            let scaled = steps.is_scaled.then(|| [length(source, &self.from), length(posed, &arms)]);
            self.reach(transfer, [source, posed], scaled.unwrap_or(self.lengths))
        };
        let reaches: Vec<DVec3> = steps.sources.iter().zip(steps.posed).map(reach).collect();
        let is_far = |by: &DVec3| by.length() > NEAR * self.lengths[1];
        if reaches.iter().any(is_far) { reaches } else { Vec::new() }
    }

    fn reach(&self, transfer: &Transfer<'_>, [source, posed]: [&Frames; 2], lengths: [f64; 2]) -> DVec3 {
        if lengths.iter().any(|length| *length < MIN_LENGTH) {
            return DVec3::ZERO;
        }
        let between = |frames: &Frames, [left, right]: [BoneIndex; 2]| frames.place(left) - frames.place(right);
        let before = between(source, self.from.map(|arm| arm[2])) / lengths[0];
        let after = between(posed, self.limbs.map(|limb| limb.tip)) / lengths[1];
        let share = ((before.length() - HOLDING) / (FREE - HOLDING)).clamp(0.0, 1.0);
        let weight = 1.0 - share * share * (3.0 - 2.0 * share);
        (transfer.pairing.own * before - after) * lengths[1] * weight / 2.0
    }
}

/// The mean length of both arms in a pose.
fn length(frames: &Frames, arms: &[[BoneIndex; 3]; 2]) -> f64 {
    arms.iter().map(|arm| frames.length(arm)).sum::<f64>() / 2.0
}
