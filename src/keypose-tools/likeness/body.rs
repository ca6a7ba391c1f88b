//! The bones of a humanoid, and what a pose of them is like: where soles and hands are, and how its trunk stands.

use glam::{DMat3, DVec3};

use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::assets::bone_match::{NamedBones, parts_of};
use crate::assets::clip_transfer::frames::Frames;
use crate::assets::clip_transfer::pairing::ball;
use crate::likeness::along;

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
    /// The bones that carry the legs and the arms.
    pub trunk: [BoneIndex; 2],
    /// Bone and end of upper arms, forearms, thighs and shins.
    pub limbs: Vec<Option<[BoneIndex; 2]>>,
    /// Elbows and wrists.
    reach: Vec<BoneIndex>,
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
        let parts = parts_of(named);
        let find =
            |part: String| parts.iter().position(|known| known.as_ref() == Some(&part)).map(|bone| bone as BoneIndex);
        let both = |part: &str| ["left", "right"].map(|side| find(format!("{side} {part}")));
        let pair = |part: &str| {
            let [left, right] = both(part);
            Some([left?, right?])
        };
        let (thighs, shins, feet, arms) = (pair("upper leg")?, pair("lower leg")?, pair("foot")?, pair("upper arm")?);
        let legs = [0, 1].map(|side| [thighs[side], shins[side], feet[side]]);
        let links =
            [("upper arm", "lower arm"), ("lower arm", "wrist"), ("upper leg", "lower leg"), ("lower leg", "foot")];
        let limb = |(part, end): (&str, &str)| {
            let (bones, ends) = (both(part), both(end));
            [0, 1].map(|side| Some([bones[side]?, ends[side]?]))
        };
        let rests = Frames::of_rest(named.skeleton);
        let leg = legs.iter().map(|leg| rests.length(leg)).sum::<f64>() / 2.0;
        let rest_ground = feet.iter().map(|foot| rests.place(*foot).y).fold(f64::INFINITY, f64::min);
        let mut body = Body {
            legs,
            toes: [0, 1].map(|side| ball(named.skeleton, feet[side], both("toes")[side])),
            arms,
            trunk: [carrier(named.skeleton, thighs)?, carrier(named.skeleton, arms)?],
            limbs: links.into_iter().flat_map(limb).collect(),
            reach: both("lower arm").into_iter().chain(both("wrist")).flatten().collect(),
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

    /// The angle about the vertical axis to which it looks at rest.
    pub fn heading(&self) -> f64 {
        (-self.rest.x_axis.z).atan2(self.rest.x_axis.x)
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

    /// The way from the right to the left hand, in arm lengths.
    pub fn between_hands(&self, frames: &Frames) -> Option<DVec3> {
        let [upper_left, upper_right, left, right] = [0, 1, 2, 3].map(|at| self.limbs[at]);
        let length = [[upper_left?, left?], [upper_right?, right?]]
            .map(|arm| arm.iter().map(|limb| along(&self.rests, *limb).length()).sum::<f64>());
        let way = frames.place(left?[1]) - frames.place(right?[1]);
        Some(way / ((length[0] + length[1]) / 2.0).max(1e-9))
    }

    /// How deep elbows and wrists are in the trunk, a capsule from the legs to the arms, in parts of its radius.
    pub fn arms_in_trunk(&self, frames: &Frames) -> f64 {
        let (bottom, left, right) = (self.roots(frames), frames.place(self.arms[0]), frames.place(self.arms[1]));
        let top = (left + right) / 2.0;
        let radius = (0.35 * left.distance(right)).max(1e-9);
        let axis = top - bottom;
        let depth = |bone: &BoneIndex| {
            let place = frames.place(*bone);
            let share = ((place - bottom).dot(axis) / axis.length_squared().max(1e-12)).clamp(0.0, 1.0);
            1.0 - place.distance(bottom + axis * share) / radius
        };
        self.reach.iter().map(depth).fold(0.0, f64::max)
    }
}

/// The lowest bone above both.
fn carrier(skeleton: &Skeleton, [one, other]: [BoneIndex; 2]) -> Option<BoneIndex> {
    std::iter::successors(skeleton.parent(one), |bone| skeleton.parent(*bone))
        .find(|bone| skeleton.is_below(other, *bone))
}
