//! Two skeletons for retargeting: pairs of bones, differences of axes, and the ratio of sizes.

use glam::{DQuat, DVec3};

use crate::anim::pose::ModelPose;
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::assets::bone_match::{NamedBones, match_bones, parts_of};
use crate::assets::clip_transfer::{points_the_same_way, scale};
use crate::assets::retarget::legs::Leg;

/// Bones of source and target that belong together, by the bone of the source.
pub type Pairs = Vec<(BoneIndex, BoneIndex)>;

/// Limbs whose directions at rest are aligned: the bone, the next one, and the bones that follow its alignment.
const LIMBS: [(&str, &str, &[&str]); 4] = [
    ("upper arm", "lower arm", &[]),
    ("lower arm", "wrist", &["wrist", "thumb", "index", "middle", "ring", "little"]),
    ("upper leg", "lower leg", &[]),
    ("lower leg", "foot", &[]),
];

/// The bones of both that belong together; `None` without any.
pub fn pairs(from: NamedBones<'_>, to: NamedBones<'_>) -> Option<Pairs> {
    let found = match_bones(from, to);
    let pairs: Pairs = from.skeleton.indices().zip(found).filter_map(|(bone, found)| Some((bone, found?.0))).collect();
    (!pairs.is_empty()).then_some(pairs)
}

/// The relation of two skeletons.
#[derive(Clone, Debug)]
pub struct Rig {
    /// The source bone of each target bone.
    pub source: Vec<Option<BoneIndex>>,
    /// For each bone of the target: its axes in those of the source's bone.
    pub axes: Vec<DQuat>,
    /// Rotation from the source's world to the target's: bones above the matched ones may be rotated.
    pub above: DQuat,
    /// Ratio of leg lengths, target to source.
    pub scale: f64,
    /// The length of the target's legs, or its size without any.
    pub leg_length: f64,
    /// The bones of the target whose places follow the source, parents first.
    pub movers: Vec<BoneIndex>,
    /// The bone that carries the legs.
    pub hips: Option<BoneIndex>,
    /// Whether both have the same axes, so that rest poses may differ by more than limbs: some files rest in the first pose of
    /// their animation.
    pub has_same_axes: bool,
    rests: [ModelPose; 2],
}

impl Rig {
    pub fn new(from: NamedBones<'_>, to: NamedBones<'_>, pairs: Pairs, legs: &[Leg]) -> Rig {
        let rests = [from.skeleton, to.skeleton].map(|skeleton| {
            let mut pose = ModelPose::default();
            pose.compute_portable(skeleton, &skeleton.rest_pose());
            pose
        });
        let mut source = vec![None; to.skeleton.len()];
        pairs.iter().for_each(|(bone, other)| source[usize::from(*other)] = Some(*bone));
        let has_same_axes = points_the_same_way(from.skeleton, to.skeleton, &pairs);
        let hips = hips(to.skeleton, legs).filter(|hips| source[usize::from(*hips)].is_some());
        let (above, axes) = if has_same_axes {
            (above((from.skeleton, to.skeleton), &rests, &pairs), vec![DQuat::IDENTITY; to.skeleton.len()])
        } else {
            (DQuat::IDENTITY, axes(to, &rests, &source))
        };
        let lengths = [legs.iter().map(|leg| leg.from_length).sum::<f64>(), legs.iter().map(|leg| leg.to_length).sum()];
        let (scale, leg_length) = match legs.len() {
            0 => (scale(from.skeleton, to.skeleton, &pairs), size(&rests[1])),
            count => (lengths[1] / lengths[0], lengths[1] / count as f64),
        };
        let is_top = |bone: BoneIndex| {
            let mut above = std::iter::successors(to.skeleton.parent(bone), |bone| to.skeleton.parent(*bone));
            source[usize::from(bone)].is_some() && above.all(|bone| source[usize::from(bone)].is_none())
        };
        let movers = to.skeleton.indices().filter(|bone| is_top(*bone) || Some(*bone) == hips).collect();
        Rig { source, axes, above, scale, leg_length, movers, hips, has_same_axes, rests }
    }

    /// The place of a bone of a rig without legs: its way from rest, in proportion.
    pub fn moved(&self, place: DVec3, (from, to): (Option<BoneIndex>, BoneIndex)) -> DVec3 {
        let rest = |pose: &ModelPose, bone| pose.get(bone).translation().as_dvec3();
        let (before, after) = (from.map_or(place, |from| rest(&self.rests[0], from)), rest(&self.rests[1], to));
        after + self.above * (place - before) * self.scale
    }

    /// Returns the rotation of a target bone about the vertical axis from rest, in radians.
    pub fn heading(&self, bone: BoneIndex, rotation_now: DQuat) -> f64 {
        let turned = rotation_now * rotation(&self.rests[1], Some(bone)).inverse();
        2.0 * turned.y.atan2(turned.w)
    }

    /// The height of a bone of the source (0) or the target (1) at rest, in the world of the target.
    pub fn rest_height(&self, of: usize, bone: BoneIndex) -> f64 {
        let place = self.rests[of].get(bone).translation().as_dvec3();
        if of == 0 { (self.above * place).y } else { place.y }
    }
}

/// The rotation of a bone in model space; the identity for none.
pub fn rotation(pose: &ModelPose, bone: Option<BoneIndex>) -> DQuat {
    let Some(bone) = bone else { return DQuat::IDENTITY };
    let (_, rotation, _) = pose.get(bone).to_mat4().as_dmat4().to_scale_rotation_translation();
    if rotation.is_finite() { rotation.normalize() } else { DQuat::IDENTITY }
}

/// Returns the rotation above the first pair of bones in the target, relative to the source.
fn above((from, to): (&Skeleton, &Skeleton), rests: &[ModelPose; 2], pairs: &Pairs) -> DQuat {
    let Some((bone, other)) = pairs.first() else { return DQuat::IDENTITY };
    (rotation(&rests[1], to.parent(*other)) * rotation(&rests[0], from.parent(*bone)).inverse()).normalize()
}

/// The axes of each bone of the target in those of the source's bone at rest, with limbs aligned.
fn axes(to: NamedBones<'_>, rests: &[ModelPose; 2], source: &[Option<BoneIndex>]) -> Vec<DQuat> {
    let mut aligned = vec![DQuat::IDENTITY; to.skeleton.len()];
    let parts = parts_of(to);
    let bone_of = |side: &str, part: &str| {
        let whole = format!("{side} {part}");
        let of_part = |bone: &BoneIndex| parts[usize::from(*bone)].as_ref().is_some_and(|known| *known == whole);
        to.skeleton.indices().find(of_part)
    };
    for side in ["left", "right"] {
        for (part, next, followers) in LIMBS {
            let (Some(bone), Some(end)) = (bone_of(side, part), bone_of(side, next)) else { continue };
            let (Some(by), Some(end_by)) = (source[usize::from(bone)], source[usize::from(end)]) else { continue };
            let along = |pose: &ModelPose, from: BoneIndex, to: BoneIndex| {
                (pose.get(to).translation() - pose.get(from).translation()).as_dvec3().normalize_or_zero()
            };
            let (is, wanted) = (along(&rests[1], bone, end), along(&rests[0], by, end_by));
            if is == DVec3::ZERO || wanted == DVec3::ZERO {
                continue;
            }
            let by = DQuat::from_rotation_arc(is, wanted);
            aligned[usize::from(bone)] = by;
            for (at, part) in parts.iter().enumerate() {
                let name = part.as_ref().and_then(|part| part.strip_prefix(side)).map(str::trim);
                let follows = |name: &str| followers.iter().any(|follower| name.starts_with(follower));
                if name.is_some_and(follows) {
                    aligned[at] = by;
                }
            }
        }
    }
    let of_bone = |(bone, source): (usize, &Option<BoneIndex>)| match source {
        Some(from) => {
            rotation(&rests[0], Some(*from)).inverse() * aligned[bone] * rotation(&rests[1], Some(bone as BoneIndex))
        }
        None => DQuat::IDENTITY,
    };
    source.iter().enumerate().map(of_bone).collect()
}

/// The lowest bone that carries all legs.
fn hips(to: &Skeleton, legs: &[Leg]) -> Option<BoneIndex> {
    let carries = |bone: &BoneIndex| legs.iter().all(|leg| to.is_below(leg.limb.root, *bone));
    std::iter::successors(to.parent(legs.first()?.limb.root), |bone| to.parent(*bone)).find(carries)
}

fn size(pose: &ModelPose) -> f64 {
    let start = (glam::Vec3::INFINITY, glam::Vec3::NEG_INFINITY);
    let places = pose.bones.iter().map(|bone| bone.translation());
    let (min, max) = places.fold(start, |(min, max), place| (min.min(place), max.max(place)));
    if pose.bones.is_empty() { 1.0 } else { f64::from(min.distance(max)).max(1e-6) }
}
