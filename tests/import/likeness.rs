//! How alike a clip looks on two characters: angles between limbs, heights in leg lengths, the way of feet. Bones are found in each
//! skeleton on its own, so that a wrong pair of bones shows. Meshes are not looked at.

use std::f64::consts::FRAC_PI_2;

use glam::{DQuat, DVec3};
use keypose::anim::clip::Clip;
use keypose::anim::skeleton::{BoneIndex, Skeleton};
use keypose::assets::bone_match::{NamedBones, PartBones};
use keypose_tools::clip_transfer::frames::Frames;
use keypose_tools::likeness::body::Body;
use keypose_tools::likeness::{frames, times};

/// Height of a foot above the ground, in leg lengths, up to which it stands.
const STANDING: f64 = 0.02;
/// Height of heel or ball, in leg lengths, up to which it touches the ground.
const CONTACT: f64 = 0.01;
/// Distance of the hands, in arm lengths, up to which they hold one thing.
const HOLDING: f64 = 0.5;

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
    let limbs = [limbs(source.0), limbs(target.0)];
    let bodies = [Body::new(source.0)?, Body::new(target.0)?];
    let heading = |body: &Body| (-body.rest.x_axis.z).atan2(body.rest.x_axis.x);
    let quarters = ((heading(&bodies[1]) - heading(&bodies[0])) / FRAC_PI_2).round();
    let own = DQuat::from_rotation_y(quarters * FRAC_PI_2);
    let skeletons = [source.0.skeleton, target.0.skeleton];
    let trunks = [trunk(skeletons[0], &bodies[0])?, trunk(skeletons[1], &bodies[1])?];
    Some(Pair { skeletons, bodies, trunks, limbs, own }.compare(source.1, target.1))
}

/// Bone and end of upper arms, forearms, thighs and shins, left and right.
type Limbs = Vec<Option<[BoneIndex; 2]>>;

fn limbs(named: NamedBones<'_>) -> Limbs {
    let parts = PartBones::of(named);
    let find = |side: &str, part: &str| parts.find(&format!("{side} {part}"));
    let links = [("upper arm", "lower arm"), ("lower arm", "wrist"), ("upper leg", "lower leg"), ("lower leg", "foot")];
    let limb = |(part, end)| ["left", "right"].map(|side| Some([find(side, part)?, find(side, end)?]));
    links.into_iter().flat_map(limb).collect()
}

/// The lowest bones that carry both legs and both arms.
fn trunk(skeleton: &Skeleton, body: &Body) -> Option<[BoneIndex; 2]> {
    let carrier = |[one, other]: [BoneIndex; 2]| skeleton.above(one).find(|bone| skeleton.is_below(other, *bone));
    Some([carrier(body.legs.map(|leg| leg[0]))?, carrier(body.arms)?])
}

/// Two characters.
struct Pair<'a> {
    skeletons: [&'a Skeleton; 2],
    bodies: [Body; 2],
    trunks: [[BoneIndex; 2]; 2],
    limbs: [Limbs; 2],
    /// Rotation from the first one's model space to the second one's, in right angles.
    own: DQuat,
}

/// A pose of a clip on two characters.
struct Both {
    from: Frames,
    to: Frames,
}

impl Pair<'_> {
    fn compare(&self, source: &Clip, target: &Clip) -> Likeness {
        let times = times(source);
        let [from, to] = [(0, source), (1, target)].map(|(of, clip)| frames(self.skeletons[of], clip, &times));
        let grounds = [self.bodies[0].ground(&from), self.bodies[1].rest_ground];
        let poses: Vec<Both> = from.into_iter().zip(to).map(|(from, to)| Both { from, to }).collect();
        let mut found = Likeness { travel: self.travel(&poses), ..Likeness::default() };
        let mut angles = (0.0, 0_usize);
        for pose in &poses {
            for angle in self.angles(pose) {
                angles = (angles.0 + angle, angles.1 + 1);
                found.worst_angle = found.worst_angle.max(angle);
            }
            found.up = found.up.max(self.up(pose).to_degrees());
            found.hips = found.hips.max(self.hips(pose, grounds));
            found.arms = found.arms.max(self.arms_in_trunk(1, &pose.to) - self.arms_in_trunk(0, &pose.from));
            found.hands = found.hands.max(self.hands(pose));
        }
        found.mean_angle = angles.0 / angles.1.max(1) as f64;
        for foot in 0..2 {
            let [sole, slide] = self.foot(foot, &poses, grounds);
            (found.sole, found.slide) = (found.sole.max(sole), found.slide.max(slide));
        }
        found
    }

    /// The angles between the directions of arms and legs, in degrees.
    fn angles<'s>(&'s self, Both { from, to }: &'s Both) -> impl Iterator<Item = f64> + 's {
        let both = self.limbs[0].iter().zip(&self.limbs[1]);
        both.filter_map(|(one, other)| {
            let angle = (self.own * along(from, (*one)?)).angle_between(along(to, (*other)?)).to_degrees();
            Some(if angle.is_finite() { angle } else { 0.0 })
        })
    }

    /// The largest angle between hips, and between chests, as they turn from standing.
    fn up(&self, Both { from, to }: &Both) -> f64 {
        let bodies = &self.bodies;
        if !bodies[0].stands() {
            let up = |of: usize, frames: &Frames| {
                bodies[of].basis(frames).unwrap_or(bodies[1].rest) * bodies[1].rest.transpose() * DVec3::Y
            };
            return (self.own * up(0, from)).angle_between(up(1, to));
        }
        let angle = |bones: [BoneIndex; 2]| {
            let up = |of: usize, frames: &Frames| {
                frames.rotation(bones[of]) * bodies[of].rests.rotation(bones[of]).inverse() * DVec3::Y
            };
            (self.own * up(0, from)).angle_between(up(1, to))
        };
        [0, 1].map(|at| angle(self.trunks.map(|trunk| trunk[at]))).into_iter().fold(0.0, f64::max)
    }

    /// The difference of the heights of the hips.
    fn hips(&self, pose: &Both, grounds: [f64; 2]) -> f64 {
        let height = |of: usize, frames: &Frames| (self.bodies[of].roots(frames).y - grounds[of]) / self.bodies[of].leg;
        (height(0, &pose.from) - height(1, &pose.to)).abs()
    }

    /// The difference of the ways from hand to hand if they hold something.
    fn hands(&self, pose: &Both) -> f64 {
        let ways = [self.between_hands(0, &pose.from), self.between_hands(1, &pose.to)];
        let [Some(one), Some(other)] = ways else { return 0.0 };
        if one.length() < HOLDING { (self.own * one).distance(other) } else { 0.0 }
    }

    /// The way from the right to the left hand, in arm lengths.
    fn between_hands(&self, of: usize, frames: &Frames) -> Option<DVec3> {
        let [upper_left, upper_right, left, right] = [0, 1, 2, 3].map(|at| self.limbs[of][at]);
        let length = [[upper_left?, left?], [upper_right?, right?]]
            .map(|arm| arm.iter().map(|limb| along(&self.bodies[of].rests, *limb).length()).sum::<f64>());
        let way = frames.place(left?[1]) - frames.place(right?[1]);
        Some(way / ((length[0] + length[1]) / 2.0).max(1e-9))
    }

    /// How deep elbows and wrists are in the trunk, a capsule from the legs to the arms, in parts of its radius.
    fn arms_in_trunk(&self, of: usize, frames: &Frames) -> f64 {
        let body = &self.bodies[of];
        let (bottom, left, right) = (body.roots(frames), frames.place(body.arms[0]), frames.place(body.arms[1]));
        let top = (left + right) / 2.0;
        let radius = (0.35 * left.distance(right)).max(1e-9);
        let axis = top - bottom;
        let depth = |[_, end]: &[BoneIndex; 2]| {
            let place = frames.place(*end);
            let share = ((place - bottom).dot(axis) / axis.length_squared().max(1e-12)).clamp(0.0, 1.0);
            1.0 - place.distance(bottom + axis * share) / radius
        };
        self.limbs[of][..4].iter().flatten().map(depth).fold(0.0, f64::max)
    }

    /// The largest error of the height of a sole, and the largest way that it slides.
    fn foot(&self, foot: usize, poses: &[Both], grounds: [f64; 2]) -> [f64; 2] {
        let sole = |pose: &Both| {
            [(0, &pose.from), (1, &pose.to)].map(|(of, frames)| self.bodies[of].sole(frames, foot, grounds[of]))
        };
        let soles: Vec<[[DVec3; 2]; 2]> = poses.iter().map(sole).collect();
        let error = |[one, other]: &[[DVec3; 2]; 2]| {
            let [one, other] = [one, other].map(|sole| sole[0].y.min(sole[1].y));
            let sunk = (-other - (-one).max(0.0)).max(0.0);
            if one.abs() < STANDING { (one - other).abs() } else { sunk }
        };
        let ways = |point: usize| soles.iter().map(move |[from, to]| (self.own * from[point], to[point]));
        [soles.iter().map(error).fold(0.0, f64::max), slide(ways(0)).max(slide(ways(1)))]
    }

    /// The difference of the ways along the ground, as a part of the way.
    fn travel(&self, poses: &[Both]) -> f64 {
        let [Some(first), Some(last)] = [poses.first(), poses.last()] else { return 0.0 };
        let way = |of: usize, first: &Frames, last: &Frames| {
            (self.bodies[of].roots(last) - self.bodies[of].roots(first)).with_y(0.0) / self.bodies[of].leg
        };
        let (before, after) = (self.own * way(0, &first.from, &last.from), way(1, &first.to, &last.to));
        before.distance(after) / before.length().max(0.5)
    }
}

/// The way from bone to end.
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
