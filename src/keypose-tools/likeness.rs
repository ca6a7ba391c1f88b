//! How alike a clip looks on two characters: angles between limbs, heights in leg lengths, the way of feet. Bones are found in each
//! skeleton on its own, so that a wrong pair of bones shows. Meshes are not looked at.

use std::f64::consts::FRAC_PI_2;

use glam::{DMat3, DQuat, DVec3};

use crate::anim::clip::Clip;
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::anim::time::Time;
use crate::anim::track::Track;
use crate::assets::bone_match::{NamedBones, parts_of};
use crate::assets::clip_transfer::frames::Frames;
use crate::assets::clip_transfer::pairing::ball;

/// Maximum number of times at which clips are compared.
const MAX_TIMES: i64 = 40;
/// Height of a foot above the ground, in leg lengths, up to which it stands.
const STANDING: f64 = 0.02;
/// Height of heel or ball, in leg lengths, up to which it touches the ground.
const CONTACT: f64 = 0.01;
/// Distance of the hands, in arm lengths, up to which they hold one thing.
const HOLDING: f64 = 0.5;
/// A body whose trunk is tilted less than this at rest stands, as the cosine of the angle.
const UPRIGHT: f64 = 0.87;

/// Differences between a clip on its own character and on another. Lengths are parts of each character's legs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Likeness {
    /// Mean angle between directions of arms and legs, in degrees.
    pub mean_angle: f64,
    /// The largest angle between directions of arms and legs, in degrees.
    pub worst_angle: f64,
    /// The largest angle between the trunks, in degrees.
    pub up: f64,
    /// The largest difference of the heights of the hips.
    pub hips: f64,
    /// The largest difference of the heights of a sole that is on the ground.
    pub sole: f64,
    /// Difference of the ways along the ground, as a part of the way.
    pub travel: f64,
    /// The largest way that a foot slides while that of the source stands.
    pub slide: f64,
    /// How much deeper an arm is in the trunk than in the source, in parts of the trunk's radius.
    pub arms: f64,
    /// The largest difference of the ways from hand to hand while they hold something, in arm lengths.
    pub hands: f64,
}

impl Likeness {
    /// The worse of both, in each figure.
    #[must_use]
    pub fn or_worse(&self, other: &Likeness) -> Likeness {
        Likeness {
            mean_angle: self.mean_angle.max(other.mean_angle),
            worst_angle: self.worst_angle.max(other.worst_angle),
            up: self.up.max(other.up),
            hips: self.hips.max(other.hips),
            sole: self.sole.max(other.sole),
            travel: self.travel.max(other.travel),
            slide: self.slide.max(other.slide),
            arms: self.arms.max(other.arms),
            hands: self.hands.max(other.hands),
        }
    }
}

/// Compares a clip on two characters. `None` if legs or arms are not found in both.
pub fn compare(source: (NamedBones<'_>, &Clip), target: (NamedBones<'_>, &Clip)) -> Option<Likeness> {
    let bodies = [Body::new(source.0)?, Body::new(target.0)?];
    let quarters = ((bodies[1].heading() - bodies[0].heading()) / FRAC_PI_2).round();
    let own = DQuat::from_rotation_y(quarters * FRAC_PI_2);
    let length = source.1.length();
    let count = source.1.frame_rate.nearest_frame(length).clamp(1, MAX_TIMES);
    let times: Vec<Time> =
        (0..=count).map(|at| Time((i128::from(length.0) * i128::from(at) / i128::from(count)) as i64)).collect();
    let from: Vec<Frames> = frames(source.0.skeleton, source.1, &times);
    let to: Vec<Frames> = frames(target.0.skeleton, target.1, &times);
    let grounds = [bodies[0].ground(&from), bodies[1].rest_ground];
    let mut found = Likeness::default();
    let mut angles = (0.0, 0_usize);
    for (from, to) in from.iter().zip(&to) {
        for (one, other) in bodies[0].limbs.iter().zip(&bodies[1].limbs) {
            let (Some(one), Some(other)) = (one, other) else { continue };
            let angle = (own * along(from, *one)).angle_between(along(to, *other)).to_degrees();
            let angle = if angle.is_finite() { angle } else { 0.0 };
            angles = (angles.0 + angle, angles.1 + 1);
            found.worst_angle = found.worst_angle.max(angle);
        }
        found.up = found.up.max(up(&bodies, own, from, to)?.to_degrees());
        let height = |of: usize, frames: &Frames| (bodies[of].roots(frames).y - grounds[of]) / bodies[of].leg;
        found.hips = found.hips.max((height(0, from) - height(1, to)).abs());
        found.arms = found.arms.max(bodies[1].arms_in_trunk(to) - bodies[0].arms_in_trunk(from));
        if let (Some(one), Some(other)) = (bodies[0].between_hands(from), bodies[1].between_hands(to)) {
            let apart = (own * one).distance(other);
            found.hands = found.hands.max(if one.length() < HOLDING { apart } else { 0.0 });
        }
    }
    found.mean_angle = angles.0 / angles.1.max(1) as f64;
    for foot in 0..2 {
        let soles = |of: usize, all: &[Frames]| -> Vec<[DVec3; 2]> {
            all.iter().map(|frames| bodies[of].sole(frames, foot, grounds[of])).collect()
        };
        let (before, after) = (soles(0, &from), soles(1, &to));
        let lowest = |sole: &[DVec3; 2]| sole[0].y.min(sole[1].y);
        for (one, other) in before.iter().map(lowest).zip(after.iter().map(lowest)) {
            let sunk = (-other - (-one).max(0.0)).max(0.0);
            found.sole = found.sole.max(if one.abs() < STANDING { (one - other).abs() } else { sunk });
        }
        for point in 0..2 {
            let before = before.iter().map(|sole| own * sole[point]);
            found.slide = found.slide.max(slide(before.zip(after.iter().map(|sole| sole[point]))));
        }
    }
    let way = |of: usize, all: &[Frames]| {
        let [first, last] = [all.first()?, all.last()?].map(|frames| bodies[of].roots(frames));
        Some((last - first) * DVec3::new(1.0, 0.0, 1.0) / bodies[of].leg)
    };
    let (before, after) = (own * way(0, &from)?, way(1, &to)?);
    found.travel = before.distance(after) / before.length().max(0.5);
    Some(found)
}

/// The largest angle between hips, and between chests, as they turn from standing.
fn up(bodies: &[Body; 2], own: DQuat, from: &Frames, to: &Frames) -> Option<f64> {
    if !bodies[0].stands() {
        let up = |of: usize, frames: &Frames| Some(bodies[of].basis(frames)? * bodies[1].rest.transpose() * DVec3::Y);
        return Some((own * up(0, from)?).angle_between(up(1, to)?));
    }
    let angle = |bones: [BoneIndex; 2]| {
        let up = |of: usize, frames: &Frames| {
            frames.rotation(bones[of]) * bodies[of].rests.rotation(bones[of]).inverse() * DVec3::Y
        };
        (own * up(0, from)).angle_between(up(1, to))
    };
    Some([0, 1].map(|at| angle([bodies[0].trunk[at], bodies[1].trunk[at]])).into_iter().fold(0.0, f64::max))
}

/// The poses of a clip.
fn frames(skeleton: &Skeleton, clip: &Clip, times: &[Time]) -> Vec<Frames> {
    let mut tracks = Track::all_of(clip);
    tracks.retain(|track| usize::from(track.bone) < skeleton.len());
    let pose = |time: &Time| {
        let mut pose = skeleton.rest_pose();
        tracks.iter().for_each(|track| pose.put(track.bone, track.channel, track.sample(*time)));
        Frames::of(skeleton, &pose)
    };
    times.iter().map(pose).collect()
}

fn along(frames: &Frames, [bone, end]: [BoneIndex; 2]) -> DVec3 {
    frames.place(end) - frames.place(bone)
}

/// The largest way of a point of a sole relative to that of the source, from where that came to the ground.
fn slide(ways: impl Iterator<Item = (DVec3, DVec3)>) -> f64 {
    let (mut began, mut worst): (Option<[DVec3; 2]>, f64) = (None, 0.0);
    for (from, to) in ways {
        began = if from.y < CONTACT { began.or(Some([from, to])) } else { None };
        if let Some([from_start, to_start]) = began {
            let apart = (from - from_start) - (to - to_start);
            worst = worst.max(DVec3::new(apart.x, 0.0, apart.z).length());
        }
    }
    worst
}

/// The lowest bone above both.
fn carrier(skeleton: &Skeleton, [one, other]: [BoneIndex; 2]) -> Option<BoneIndex> {
    std::iter::successors(skeleton.parent(one), |bone| skeleton.parent(*bone))
        .find(|bone| skeleton.is_below(other, *bone))
}

/// The bones of a humanoid.
struct Body {
    /// Left and right: thigh, shin, foot.
    legs: [[BoneIndex; 3]; 2],
    toes: [Option<BoneIndex>; 2],
    /// Left and right upper arms.
    arms: [BoneIndex; 2],
    /// The bones that carry the legs and the arms.
    trunk: [BoneIndex; 2],
    /// Bone and end of upper arms, forearms, thighs and shins.
    limbs: Vec<Option<[BoneIndex; 2]>>,
    /// Elbows and wrists.
    reach: Vec<BoneIndex>,
    leg: f64,
    /// Side, up and front at rest.
    rest: DMat3,
    rests: Frames,
    /// Height of the ankles at rest.
    rest_ground: f64,
}

impl Body {
    fn new(named: NamedBones<'_>) -> Option<Body> {
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
    fn roots(&self, frames: &Frames) -> DVec3 {
        (frames.place(self.legs[0][0]) + frames.place(self.legs[1][0])) / 2.0
    }

    /// Side, up and front of the trunk.
    fn basis(&self, frames: &Frames) -> Option<DMat3> {
        let top = (frames.place(self.arms[0]) + frames.place(self.arms[1])) / 2.0;
        let up = (top - self.roots(frames)).try_normalize()?;
        let side = frames.place(self.legs[0][0]) - frames.place(self.legs[1][0]);
        let side = (side - up * side.dot(up)).try_normalize()?;
        Some(DMat3::from_cols(side, up, side.cross(up)))
    }

    fn heading(&self) -> f64 {
        (-self.rest.x_axis.z).atan2(self.rest.x_axis.x)
    }

    /// Whether it stands at rest, with straight legs.
    fn stands(&self) -> bool {
        self.rest.y_axis.y > UPRIGHT && self.roots(&self.rests).y - self.rest_ground > 0.9 * self.leg
    }

    /// The height of the ankles when it stands: at rest, or the lowest of a clip if it rests in any pose.
    fn ground(&self, clip: &[Frames]) -> f64 {
        let ankle = |frames: &Frames| self.legs.iter().map(|leg| frames.place(leg[2]).y).fold(f64::INFINITY, f64::min);
        if self.stands() { self.rest_ground } else { clip.iter().map(ankle).fold(f64::INFINITY, f64::min) }
    }

    /// Heel and ball of a foot above the ground, in leg lengths.
    fn sole(&self, frames: &Frames, foot: usize, ground: f64) -> [DVec3; 2] {
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
    fn between_hands(&self, frames: &Frames) -> Option<DVec3> {
        let [upper_left, upper_right, left, right] = [0, 1, 2, 3].map(|at| self.limbs[at]);
        let length = [[upper_left?, left?], [upper_right?, right?]]
            .map(|arm| arm.iter().map(|limb| along(&self.rests, *limb).length()).sum::<f64>());
        let way = frames.place(left?[1]) - frames.place(right?[1]);
        Some(way / ((length[0] + length[1]) / 2.0).max(1e-9))
    }

    /// How deep elbows and wrists are in the trunk, a capsule from the legs to the arms, in parts of its radius.
    fn arms_in_trunk(&self, frames: &Frames) -> f64 {
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
