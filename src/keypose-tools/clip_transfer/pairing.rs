//! Two skeletons for a transfer: which bones belong together, and how source and target rest.
//!
//! Rest poses are made equal first: limbs of the target are turned to where those of the source point (a T-pose and an A-pose), and
//! a source that faces another way, humanoid or not, is turned about the vertical axis. What then differs between two bones are their axes.

use std::f64::consts::FRAC_PI_2;

use glam::{DMat3, DQuat, DVec3};

use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::assets::bone_match::{NamedBones, match_bones, parts_of};
use crate::assets::import_options::RestFit;
use crate::clip_transfer::frames::Frames;

/// Limbs whose directions at rest differ by more are reported, in radians.
const APART: f64 = 5.0 * std::f64::consts::PI / 180.0;
/// Other parts of the body may rest in directions that differ by this, because of their shapes, in radians.
const ALIKE: f64 = 35.0 * std::f64::consts::PI / 180.0;
/// The lines of hips and shoulders of a body that faces one way differ by less, in radians.
const EVEN: f64 = 2.0 * std::f64::consts::PI / 180.0;
/// The share of its length by which a leg that stands in a rest pose goes down, and the cosine of the angle by which the trunk leans there.
const STRAIGHT: f64 = 0.97;
const UPRIGHT: f64 = 0.97;
/// How similar bodies are of which one can be turned to face as the other does, and how similar those of the same shape.
const SIMILAR: f64 = 0.8;
const SAME_SHAPE: f64 = 0.999;
/// Fewer bones have no front.
const MIN_BONES: usize = 4;
/// Shorter vectors have no direction.
const MIN_LENGTH: f64 = 1e-6;

/// Limbs of a humanoid, and where they end.
const LIMBS: [(&str, &str); 14] = [
    ("upper arm", "lower arm"),
    ("lower arm", "wrist"),
    ("upper leg", "lower leg"),
    ("lower leg", "foot"),
    ("thumb 1", "thumb 2"),
    ("thumb 2", "thumb 3"),
    ("index 1", "index 2"),
    ("index 2", "index 3"),
    ("middle 1", "middle 2"),
    ("middle 2", "middle 3"),
    ("ring 1", "ring 2"),
    ("ring 2", "ring 3"),
    ("little 1", "little 2"),
    ("little 2", "little 3"),
];

/// A leg of both skeletons: thigh, shin and foot.
#[derive(Clone, Copy, Debug)]
pub struct LegPair {
    /// Of the source.
    pub from: [BoneIndex; 3],
    /// Of the target.
    pub to: [BoneIndex; 3],
    /// The balls of both feet, if both have bones there.
    pub toes: Option<[BoneIndex; 2]>,
}

/// The relation of two skeletons.
#[derive(Clone, Debug)]
pub struct Pairing {
    /// The source bone of each target bone.
    pub source: Vec<Option<BoneIndex>>,
    /// The target bone of each source bone.
    pub target: Vec<Option<BoneIndex>>,
    /// For each bone of the target: its axes in those of the source's bone.
    pub axes: Vec<DQuat>,
    /// For each bone of the target: the rotation from its rest pose to that of the source.
    pub fits: Vec<DQuat>,
    /// Rotation from the source's model space to the target's.
    pub own: DQuat,
    /// Ratio of leg lengths, target to source; of all lengths without legs.
    pub scale: f64,
    /// The length of the target's legs, or its size without any.
    pub leg_length: f64,
    /// Legs that both have.
    pub legs: Vec<LegPair>,
    /// Upper arm, forearm and hand, left and right, of source and target, if both have all.
    pub arms: Option<[[[BoneIndex; 3]; 2]; 2]>,
    /// The bones that carry the body, of source and target.
    pub hips: Option<[BoneIndex; 2]>,
    /// The largest angle between limbs of both at rest, in radians, if it is large enough to be reported.
    pub apart: Option<f64>,
    /// Whether the source rests in a pose of a clip in which the target doesn't: its height above the ground then says nothing.
    pub rests_in_pose: bool,
    /// Rest poses of source and target.
    pub rests: [Frames; 2],
}

impl Pairing {
    /// Pairs the bones of two skeletons. `None` if they have none in common.
    pub fn new(from: NamedBones<'_>, to: NamedBones<'_>, fit: RestFit) -> Option<Pairing> {
        let mut target: Vec<Option<BoneIndex>> =
            match_bones(from, to).into_iter().map(|found| found.map(|(bone, _)| bone)).collect();
        target.resize(from.skeleton.len(), None);
        let mut source = vec![None; to.skeleton.len()];
        for (bone, other) in (0..).zip(&target) {
            other.iter().for_each(|other| source[usize::from(*other)] = Some(bone));
        }
        source.iter().flatten().next()?;
        let rests = [Frames::of_rest(from.skeleton), Frames::of_rest(to.skeleton)];
        let parts = parts_of(to);
        let find = |part: &str| {
            let bone = parts.iter().position(|known| known.as_deref() == Some(part))?;
            Some([source[bone]?, bone as BoneIndex])
        };
        let balls = [from, to].map(|named| move |foot, toes| ball(named.skeleton, foot, toes));
        let legs = legs(find, balls);
        let body = Body::new(&rests, find);
        let mut pairing = Pairing {
            axes: vec![DQuat::IDENTITY; source.len()],
            fits: vec![DQuat::IDENTITY; source.len()],
            own: body.as_ref().map_or_else(|| facing(&rests, &target), |body| body.own),
            scale: 1.0,
            leg_length: 1.0,
            arms: arms(find),
            hips: find(" hips"),
            apart: None,
            rests_in_pose: false,
            source,
            target,
            legs,
            rests,
        };
        pairing.measure(to.skeleton);
        let limbs = pairing.limbs(&parts, [from.skeleton, to.skeleton]);
        pairing.fit_rests(to.skeleton, (&limbs, body, &parts), fit);
        pairing.find_axes();
        Some(pairing)
    }

    /// The nearest paired bone above a bone of the target.
    pub fn above(&self, to: &Skeleton, bone: BoneIndex) -> Option<BoneIndex> {
        to.above(bone).find(|above| self.source[usize::from(*above)].is_some())
    }

    /// The nearest paired bone above a bone of the source.
    pub fn above_source(&self, from: &Skeleton, bone: BoneIndex) -> Option<BoneIndex> {
        from.above(bone).find(|above| self.target[usize::from(*above)].is_some())
    }

    /// The middle between the roots of the legs, or the hips without legs, at rest.
    pub fn leg_roots(&self) -> Option<[DVec3; 2]> {
        let [from, to] = self.hips?;
        if self.legs.is_empty() {
            return Some([self.rests[0].place(from), self.rests[1].place(to)]);
        }
        let count = self.legs.len() as f64;
        let middle = |of: usize| {
            let root = |leg: &LegPair| self.rests[of].place(if of == 0 { leg.from[0] } else { leg.to[0] });
            self.legs.iter().map(root).sum::<DVec3>() / count
        };
        Some([middle(0), middle(1)])
    }

    /// The heights of ankles at rest, of source and target.
    pub fn ankles(&self) -> [f64; 2] {
        let lowest = |heights: &mut dyn Iterator<Item = f64>| heights.fold(f64::INFINITY, f64::min);
        if self.legs.is_empty() {
            return [0.0, 0.0];
        }
        [
            lowest(&mut self.legs.iter().map(|leg| self.rests[0].place(leg.from[2]).y)),
            lowest(&mut self.legs.iter().map(|leg| self.rests[1].place(leg.to[2]).y)),
        ]
    }

    /// Whether the source has straight legs at rest.
    fn stands(&self) -> bool {
        let rest = &self.rests[0];
        let is_straight =
            |leg: &LegPair| rest.place(leg.from[0]).y - rest.place(leg.from[2]).y > 0.9 * rest.length(&leg.from);
        self.legs.iter().all(is_straight)
    }

    /// Finds the ratio of sizes.
    fn measure(&mut self, to: &Skeleton) {
        let [from_rest, to_rest] = &self.rests;
        let sum = |lengths: &mut dyn Iterator<Item = f64>| lengths.sum::<f64>();
        let before = sum(&mut self.legs.iter().map(|leg| from_rest.length(&leg.from)));
        let after = sum(&mut self.legs.iter().map(|leg| to_rest.length(&leg.to)));
        if before > MIN_LENGTH && after > MIN_LENGTH {
            (self.scale, self.leg_length) = (after / before, after / self.legs.len() as f64);
            return;
        }
        self.legs.clear();
        let link = |bone: BoneIndex| {
            let above = self.above(to, bone)?;
            let pair = |bone: BoneIndex| self.source[usize::from(bone)];
            let lengths = [from_rest.length(&[pair(bone)?, pair(above)?]), to_rest.length(&[bone, above])];
            (lengths[0] > MIN_LENGTH && lengths[1] > MIN_LENGTH).then_some(lengths[1] / lengths[0])
        };
        let mut ratios: Vec<f64> = to.indices().filter_map(link).collect();
        ratios.sort_by(f64::total_cmp);
        self.scale = ratios.get(ratios.len() / 2).copied().filter(|ratio| ratio.is_finite()).unwrap_or(1.0);
        let places = to_rest.affines.iter().map(|affine| affine.translation);
        let start = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        let (min, max) = places.fold(start, |(min, max), place| (min.min(place), max.max(place)));
        self.leg_length = min.distance(max).clamp(MIN_LENGTH, 1e9);
    }

    /// The limbs of the target: bone and end. Of other bodies than humanoids, bones with one paired bone below that carry no fork.
    fn limbs(&self, parts: &[Option<String>], skeletons: [&Skeleton; 2]) -> Vec<[BoneIndex; 2]> {
        let find = |part: String| {
            let bone = parts.iter().position(|known| known.as_ref() == Some(&part))?;
            self.source[bone].map(|_| bone as BoneIndex)
        };
        if !self.legs.is_empty() {
            let sides = ["left", "right"].into_iter();
            let limb = |side: &str, (part, end): (&str, &str)| {
                Some([find(format!("{side} {part}"))?, find(format!("{side} {end}"))?])
            };
            return sides.flat_map(|side| LIMBS.into_iter().filter_map(move |one| limb(side, one))).collect();
        }
        let [from, to] = skeletons;
        let mut below: Vec<Vec<BoneIndex>> = vec![Vec::new(); to.len()];
        let mut forks = vec![false; to.len()];
        for bone in (0..to.len() as BoneIndex).rev().filter(|bone| self.source[usize::from(*bone)].is_some()) {
            let at = usize::from(bone);
            forks[at] |= below[at].len() > 1;
            if let Some(above) = self.above(to, bone) {
                below[usize::from(above)].push(bone);
                forks[usize::from(above)] |= forks[at];
            }
        }
        let is_same = |bone: BoneIndex, end: BoneIndex| {
            let [source, end] = [bone, end].map(|bone| self.source[usize::from(bone)]);
            end.is_some_and(|end| self.above_source(from, end) == source)
        };
        let limb = |bone: BoneIndex| match below[usize::from(bone)].as_slice() {
            [end] if !forks[usize::from(bone)] && is_same(bone, *end) => Some([bone, *end]),
            _ => None,
        };
        to.indices().filter_map(limb).collect()
    }

    /// Turns the limbs of the target's rest pose to those of the source's.
    fn fit_rests(
        &mut self,
        to: &Skeleton,
        (limbs, body, parts): (&[[BoneIndex; 2]], Option<Body>, &[Option<String>]),
        fit: RestFit,
    ) {
        let tilt = body.map_or(DQuat::IDENTITY, |body| body.tilt);
        let has_part = |bone: usize, end: &str| parts[bone].as_ref().is_some_and(|part| part.ends_with(end));
        let (mut widest, mut widest_arm) = (0.0_f64, 0.0_f64);
        for bone in to.indices() {
            let at = usize::from(bone);
            let above = to.parent(bone).map_or(tilt, |above| self.fits[usize::from(above)]);
            let above = if has_part(at, " foot") { tilt } else { above };
            self.fits[at] = above;
            let Some(end) = limbs.iter().find(|limb| limb[0] == bone).map(|limb| limb[1]) else { continue };
            let [Some(source), Some(source_end)] = [at, usize::from(end)].map(|bone| self.source[bone]) else {
                continue;
            };
            let along =
                |frames: &Frames, [from, to]: [BoneIndex; 2]| (frames.place(to) - frames.place(from)).try_normalize();
            let (is, wanted) = (along(&self.rests[1], [bone, end]), along(&self.rests[0], [source, source_end]));
            if let (Some(is), Some(wanted)) = (is, wanted) {
                let wanted = self.own * wanted;
                let is_arm = has_part(at, " upper arm") || has_part(at, " lower arm") || self.legs.is_empty();
                let angle = is.angle_between(wanted);
                widest = widest.max(angle);
                widest_arm = widest_arm.max(if is_arm { angle } else { 0.0 });
                if fit == RestFit::On {
                    self.fits[at] = (DQuat::from_rotation_arc(above * is, wanted) * above).normalize();
                }
            }
        }
        self.apart = (widest_arm > APART).then_some(widest_arm);
        self.rests_in_pose = widest > APART && (tilt != DQuat::IDENTITY || !self.stands());
    }

    /// Finds the axes of each bone from the rest poses.
    fn find_axes(&mut self) {
        for (at, source) in self.source.iter().enumerate() {
            let Some(source) = *source else { continue };
            let rest = self.rests[0].rotation(source).inverse() * self.own.inverse();
            self.axes[at] = (rest * self.fits[at] * self.rests[1].rotations[at]).normalize();
        }
    }
}

/// The bone at the ball of a foot: its toes, or else the end of the foot, its longest bone.
pub fn ball(skeleton: &Skeleton, foot: BoneIndex, toes: Option<BoneIndex>) -> Option<BoneIndex> {
    let length = |bone: &BoneIndex| skeleton.get(*bone).map_or(0.0, |bone| bone.rest.translation.length());
    toes.or_else(|| skeleton.children(foot).max_by(|a, b| length(a).total_cmp(&length(b))))
}

fn legs(
    find: impl Fn(&str) -> Option<[BoneIndex; 2]>,
    balls: [impl Fn(BoneIndex, Option<BoneIndex>) -> Option<BoneIndex>; 2],
) -> Vec<LegPair> {
    let leg = |side: &str| {
        let of = |part: &str| find(&format!("{side} {part}"));
        let bones = [of("upper leg")?, of("lower leg")?, of("foot")?];
        let toes = of("toes");
        let ball = |at: usize| balls[at](bones[2][at], toes.map(|pair| pair[at]));
        let toes = ball(0).zip(ball(1)).map(|(from, to)| [from, to]);
        Some(LegPair { from: bones.map(|pair| pair[0]), to: bones.map(|pair| pair[1]), toes })
    };
    ["left", "right"].into_iter().filter_map(leg).collect()
}

fn arms(find: impl Fn(&str) -> Option<[BoneIndex; 2]>) -> Option<[[[BoneIndex; 3]; 2]; 2]> {
    let arm = |side: &str| {
        let of = |part: &str| find(&format!("{side} {part}"));
        let bones = [of("upper arm")?, of("lower arm")?, of("wrist")?];
        Some([0, 1].map(|at| bones.map(|pair| pair[at])))
    };
    let [left, right] = [arm("left")?, arm("right")?];
    Some([[left[0], right[0]], [left[1], right[1]]])
}

/// Rotation about the vertical axis for which the bones of animals, and of humanoids without legs, rest as those of the target: in right
/// angles, unless both have the same shape.
fn facing([from, to]: &[Frames; 2], target: &[Option<BoneIndex>]) -> DQuat {
    let pair = |(bone, other): (BoneIndex, &Option<BoneIndex>)| Some([from.place(bone), to.place((*other)?)]);
    let pairs: Vec<[DVec3; 2]> = (0..).zip(target).filter_map(pair).collect();
    let middle = [0, 1].map(|of| pairs.iter().map(|pair| pair[of]).sum::<DVec3>() / pairs.len() as f64);
    let (mut along, mut across) = (0.0_f64, 0.0_f64);
    let (mut level, mut size) = ([0.0_f64; 2], [0.0_f64; 2]);
    for pair in &pairs {
        let [a, b] = [0, 1].map(|of| pair[of] - middle[of]);
        along += a.x * b.x + a.z * b.z;
        across += a.z * b.x - a.x * b.z;
        for (of, way) in [a, b].into_iter().enumerate() {
            level[of] += way.with_y(0.0).length_squared();
            size[of] += way.length_squared();
        }
    }
    let similarity = along.hypot(across) / (level[0] * level[1]).sqrt();
    let is_long = (0..2).all(|of| level[of] > 0.01 * size[of]);
    let turn = across.atan2(along);
    let quarters = (turn / FRAC_PI_2).round();
    match quarters {
        _ if pairs.len() < MIN_BONES || !is_long || similarity < SIMILAR => DQuat::IDENTITY,
        _ if similarity > SAME_SHAPE && (turn - quarters * FRAC_PI_2).abs() > APART => DQuat::from_rotation_y(turn),
        0.0 => DQuat::IDENTITY,
        _ => DQuat::from_rotation_y(quarters * FRAC_PI_2),
    }
}

/// The directions of both bodies at rest, if they have legs.
struct Body {
    /// Rotation about the vertical axis from the source's front to the target's: in right angles, unless the source stands evenly between.
    own: DQuat,
    /// Rotation from the target's trunk to the source's, if the source doesn't stand at rest.
    tilt: DQuat,
}

impl Body {
    fn new(rests: &[Frames; 2], find: impl Fn(&str) -> Option<[BoneIndex; 2]>) -> Option<Body> {
        let pair = |part: &str| Some([find(&format!("left {part}"))?, find(&format!("right {part}"))?]);
        let limbs = pair("upper leg")?;
        let top = [pair("upper arm"), pair("clavicle")].into_iter().flatten().next();
        let tops: Vec<[BoneIndex; 2]> = match top {
            Some(both) => both.to_vec(),
            None => vec![find(" neck").or_else(|| find(" head"))?],
        };
        let frame = |of: usize| {
            let place = |pair: [BoneIndex; 2]| rests[of].place(pair[of]);
            let [left, right] = limbs.map(place);
            let top = tops.iter().map(|pair| place(*pair)).sum::<DVec3>() / tops.len() as f64;
            Some(((left - right).try_normalize()?, (top - (left + right) / 2.0).try_normalize()?))
        };
        let ((from_side, from_up), (to_side, to_up)) = (frame(0)?, frame(1)?);
        let heading = |side: DVec3| (-side.z).atan2(side.x);
        let turn = heading(to_side) - heading(from_side);
        let quarters = (turn / FRAC_PI_2).round();
        let faces_between = (turn - quarters * FRAC_PI_2).abs() > APART
            && top.is_some_and(|[left, right]| {
                let shoulders = rests[0].place(left[0]) - rests[0].place(right[0]);
                let ends = [pair("lower leg"), pair("foot")].into_iter().flatten().collect::<Vec<_>>();
                let is_straight = |side: usize| {
                    let leg: Vec<BoneIndex> = std::iter::once(&limbs).chain(&ends).map(|pair| pair[side][0]).collect();
                    leg.len() == 3
                        && rests[0].place(leg[0]).y - rests[0].place(leg[2]).y > STRAIGHT * rests[0].length(&leg)
                };
                shoulders.angle_between(from_side) < EVEN && from_up.y > UPRIGHT && is_straight(0) && is_straight(1)
            });
        let own = match quarters {
            _ if faces_between => DQuat::from_rotation_y(turn),
            0.0 => DQuat::IDENTITY,
            _ => DQuat::from_rotation_y(quarters * FRAC_PI_2),
        };
        if (own * from_up).angle_between(to_up) < ALIKE {
            return Some(Body { own, tilt: DQuat::IDENTITY });
        }
        let basis = |side: DVec3, up: DVec3| {
            let side = (side - up * side.dot(up)).try_normalize()?;
            Some(DMat3::from_cols(side, up, side.cross(up)))
        };
        let turn = basis(from_side, from_up)? * basis(to_side, to_up)?.transpose();
        Some(Body { own: DQuat::IDENTITY, tilt: DQuat::from_mat3(&turn).normalize() })
    }
}
