//! The bones of a humanoid, and what a pose of them is like: where the soles are, and how its trunk stands.

use glam::{DMat3, DVec3};

use crate::anim::skeleton::BoneIndex;
use crate::assets::bone_match::{NamedBones, PartBones};
use crate::clip_transfer::frames::Frames;
use crate::clip_transfer::pairing::ball;

/// A body whose trunk is tilted less than this at rest stands, as the cosine of the angle.
const UPRIGHT: f64 = 0.87;

/// The bones of a humanoid.
#[derive(Clone, Debug)]
pub struct Body {
    /// Left and right: thigh, shin, foot.
    pub legs: [[BoneIndex; 3]; 2],
    toes: [Option<BoneIndex>; 2],
    /// Left and right upper arms.
    pub arms: [BoneIndex; 2],
    pub leg: f64,
    /// Side, up and front at rest.
    pub rest: DMat3,
    pub rests: Frames,
    /// Height of the ankles at rest.
    pub rest_ground: f64,
}

impl Body {
    /// The body of a skeleton. `None` if it has no legs or arms.
    pub fn new(named: NamedBones<'_>) -> Option<Body> {
        let parts = PartBones::of(named);
        let (thighs, shins, feet) = (parts.both("upper leg")?, parts.both("lower leg")?, parts.both("foot")?);
        let (arms, toes) = (parts.both("upper arm")?, ["left toes", "right toes"].map(|part| parts.find(part)));
        let legs = [0, 1].map(|side| [thighs[side], shins[side], feet[side]]);
        let rests = Frames::of_rest(named.skeleton);
        let leg = legs.iter().map(|leg| rests.length(leg)).sum::<f64>() / 2.0;
        let rest_ground = feet.iter().map(|foot| rests.place(*foot).y).fold(f64::INFINITY, f64::min);
        let mut body = Body {
            legs,
            toes: [0, 1].map(|side| ball(named.skeleton, feet[side], toes[side])),
            arms,
            leg,
            rest: DMat3::IDENTITY,
            rests,
            rest_ground,
        };
        body.rest = body.basis(&body.rests)?;
        (body.leg > 1e-6 && body.leg.is_finite()).then_some(body)
    }

    /// The middle between the roots of the legs.
    pub fn roots(&self, frames: &Frames) -> DVec3 {
        (frames.place(self.legs[0][0]) + frames.place(self.legs[1][0])) / 2.0
    }

    /// Side, up and front of the trunk.
    pub fn basis(&self, frames: &Frames) -> Option<DMat3> {
        let top = (frames.place(self.arms[0]) + frames.place(self.arms[1])) / 2.0;
        let up = (top - self.roots(frames)).try_normalize()?;
        let side = frames.place(self.legs[0][0]) - frames.place(self.legs[1][0]);
        let side = (side - up * side.dot(up)).try_normalize()?;
        Some(DMat3::from_cols(side, up, side.cross(up)))
    }

    /// Whether it stands at rest, with straight legs.
    pub fn stands(&self) -> bool {
        self.rest.y_axis.y > UPRIGHT && self.roots(&self.rests).y - self.rest_ground > 0.9 * self.leg
    }

    /// The height of the ankles when it stands: at rest, or the lowest of a clip if it rests in any pose.
    pub fn ground(&self, clip: &[Frames]) -> f64 {
        let ankle = |frames: &Frames| self.legs.iter().map(|leg| frames.place(leg[2]).y).fold(f64::INFINITY, f64::min);
        if self.stands() { self.rest_ground } else { clip.iter().map(ankle).fold(f64::INFINITY, f64::min) }
    }

    /// Heel and ball of a foot above the ground, in leg lengths.
    pub fn sole(&self, frames: &Frames, foot: usize, ground: f64) -> [DVec3; 2] {
        let ankle = self.legs[foot][2];
        let rest = self.rests.place(ankle);
        let ball = self.toes[foot].map(|toes| self.rests.place(toes) - rest).unwrap_or_default();
        let down = ball.y.min(0.0);
        let turn = frames.rotation(ankle) * self.rests.rotation(ankle).inverse();
        let point =
            |from_ankle: DVec3| (frames.place(ankle) + turn * from_ankle - DVec3::Y * (down + ground)) / self.leg;
        [point(DVec3::Y * down), point(DVec3::new(ball.x, down, ball.z))]
    }
}
