//! Two skeletons that are one rig and rest in different poses: files of clips whose nodes rest in a frame. Bones of a rig turn alike, so the
//! source can rest as the target does, and its clips are copied.

use glam::{DQuat, DVec3};

use crate::anim::pose::LocalPose;
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::clip_transfer::frames::Frames;
use crate::clip_transfer::pairing::Pairing;

/// Vectors between bones of the same rig differ by at most this part of their length.
const SAME_OFFSET: f64 = 0.03;
/// Shorter vectors have no direction.
const MIN_LENGTH: f64 = 1e-6;
/// Rotations that differ by less are the same, in radians.
const SAME_TURN: f64 = 0.01;

/// The pose of the source in which it rests as the target does, if both are one rig and rest in different poses. Bones above those that
/// both have keep theirs.
pub fn rest_of_copy(pairing: &Pairing, [from, to]: [&Skeleton; 2]) -> Option<LocalPose> {
    if (pairing.apart.is_none() && !pairing.rests_in_pose) || !is_copy(pairing, [from, to]) {
        return None;
    }
    let mut pose = from.rest_pose();
    let hips = pairing.hips.map(|hips| hips[0]);
    let armature = other_armature(pairing, from);
    let mut frames = Frames::default();
    for bone in from.indices() {
        let at = usize::from(bone);
        let affine_above = frames.above(from.parent(bone)).1;
        let mut rest = pose.get(at);
        let above = pairing.above_source(from, bone);
        if let Some(other) = pairing.target[at].filter(|_| above.is_some() || hips == Some(bone)) {
            // As the target's lies below the nearest bone that both have.
            let (above_rotation, above_affine) = frames.above(above);
            let (other_rotation, other_affine) =
                pairing.rests[1].above(above.and_then(|above| pairing.target[usize::from(above)]));
            let is_other = above.is_some() && above == armature;
            let turn = if is_other { DQuat::IDENTITY } else { above_rotation * other_rotation.inverse() };
            let rotation = turn * pairing.rests[1].rotation(other);
            rest.rotation = frames.local(from.parent(bone), rotation, rest.scale);
            if hips == Some(bone) {
                let way = turn * (pairing.rests[1].place(other) - other_affine.translation) / pairing.scale;
                rest.translation = affine_above.inverse().transform_point3(above_affine.translation + way).as_vec3();
            }
        }
        pose.set(at, &rest);
        frames.push(from.parent(bone), &rest);
    }
    Some(pose)
}

/// The topmost bone above the hips, if its axes differ from those of the target's and the hips stand alike nevertheless: the armature of a
/// file whose up axis was converted there. Of a body without hips, the bone below the topmost one that carries most others stands for them.
fn other_armature(pairing: &Pairing, from: &Skeleton) -> Option<BoneIndex> {
    let above = |bone: BoneIndex| pairing.above_source(from, bone);
    let hips = pairing.hips.or_else(|| {
        let is_paired = |bone: &BoneIndex| pairing.target[usize::from(*bone)].is_some();
        let top = from.indices().find(is_paired)?;
        // Children come after their parents.
        let mut carried = vec![1_usize; from.len()];
        for bone in (0..from.len() as BoneIndex).rev() {
            if let Some(parent) = from.parent(bone) {
                carried[usize::from(parent)] += carried[usize::from(bone)];
            }
        }
        let below = from.indices().filter(is_paired).filter(|bone| above(*bone) == Some(top));
        let bone = below.max_by_key(|bone| carried[usize::from(*bone)])?;
        Some([bone, pairing.target[usize::from(bone)]?])
    });
    let [hips, to_hips] = hips?;
    let top = std::iter::successors(above(hips), |bone| above(*bone)).last()?;
    let turn = |from: BoneIndex, to: BoneIndex| {
        (pairing.rests[0].rotation(from) * pairing.rests[1].rotation(to).inverse()).normalize()
    };
    let (turned, stands) = (turn(top, pairing.target[usize::from(top)]?), turn(hips, to_hips));
    (stands.angle_between(DQuat::IDENTITY) + SAME_TURN < stands.angle_between(turned)).then_some(top)
}

/// Whether the vectors between bones are the same, in the axes of the bones.
fn is_copy(pairing: &Pairing, [from, to]: [&Skeleton; 2]) -> bool {
    let offset = |skeleton: &Skeleton, bone: BoneIndex| {
        skeleton.get(bone).map(|bone| bone.rest.translation.as_dvec3()).unwrap_or_default()
    };
    let pair = |bone: BoneIndex| {
        let (source, above) = (pairing.source[usize::from(bone)]?, to.parent(bone)?);
        let is_below = pairing.source[usize::from(above)] == from.parent(source);
        let [a, b] = [offset(from, source), offset(to, bone)];
        (is_below && a.length() > MIN_LENGTH && b.length() > MIN_LENGTH).then_some([a, b])
    };
    let pairs: Vec<[DVec3; 2]> = to.indices().filter_map(pair).collect();
    let mut ratios: Vec<f64> = pairs.iter().map(|[a, b]| b.length() / a.length()).collect();
    ratios.sort_by(f64::total_cmp);
    let Some(ratio) = ratios.get(ratios.len() / 2) else { return false };
    let is_same = |[a, b]: &&[DVec3; 2]| (*a * *ratio).distance(*b) < SAME_OFFSET * b.length();
    let same = pairs.iter().filter(is_same).count();
    // Bones of a limb always lie along one axis: only forks show that the axes are the same.
    let fork = |[a, _]: &&[DVec3; 2]| a.normalize().abs().max_element() < 0.99;
    pairs.len() >= 8 && same * 10 >= pairs.len() * 9 && pairs.iter().filter(fork).filter(is_same).count() >= 4
}
