//! Brings clips of one skeleton onto another: an animation library onto a character. Bones are found by name
//! ([`crate::assets::bone_match`]).
//!
//! If the bones of both point the same way, rotations are copied. Otherwise each rotation is converted so that the bone turns
//! from its rest pose in the world as the source turns from its own: `C_parent⁻¹ · R · C`, where `C` takes a bone's axes at rest
//! from the target to the source. Translations are scaled by the size of the skeletons. Proportions and feet are not adapted:
//! [`crate::assets::retarget`] does that.

use glam::{DQuat, DVec3, Vec4};

use crate::anim::clip::Clip;
use crate::anim::key::{Channel, Key};
use crate::anim::pose::ModelPose;
use crate::anim::scalar::{Scalar, ScalarIndex};
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::assets::bone_match::{NamedBones, match_bones};

/// Bones point the same way if the vectors to their children differ in direction by less than this, in radians.
const SAME_DIRECTION: f64 = 0.05;
/// Skeletons have the same size if their lengths differ by less than this part.
const SAME_SIZE: f64 = 1e-3;
/// Shorter vectors have no direction.
const MIN_LENGTH: f64 = 1e-6;

/// The conversion of clips from one skeleton to another.
#[derive(Clone, Debug)]
pub struct Transfer {
    /// For each bone of the source.
    bones: Vec<Option<Conversion>>,
    /// For each scalar of the source.
    scalars: Vec<Option<(BoneIndex, ScalarIndex)>>,
    /// Names of the source's bones.
    missing: Vec<String>,
    /// Names of the source's scalars.
    missing_scalars: Vec<String>,
    /// Length of the target's bones relative to the source's.
    scale: f64,
}

/// The conversion of the keys of one bone.
#[derive(Clone, Copy, Debug)]
struct Conversion {
    to: BoneIndex,
    /// Applied on the left and on the right of a rotation; `None` if both are the identity.
    turn: Option<(DQuat, DQuat)>,
    /// Rest translations of source and target.
    rests: [DVec3; 2],
    /// Whether translations are kept: those of other bones are lengths of the character.
    moves: bool,
}

/// A transferred clip.
#[derive(Clone, Debug)]
pub struct Transferred {
    /// With the bones of the target.
    pub clip: Clip,
    /// Names of moved bones and scalars that the target lacks, in the order of the source.
    pub missing: Vec<String>,
}

impl Transfer {
    /// Prepares the conversion. `None` if no bone of the source is found in the target.
    pub fn new<'a>(from: impl Into<NamedBones<'a>>, to: impl Into<NamedBones<'a>>) -> Option<Transfer> {
        let (from, to) = (from.into(), to.into());
        let found: Vec<Option<BoneIndex>> =
            match_bones(from, to).into_iter().map(|found| found.map(|(bone, _)| bone)).collect();
        let (from, to) = (from.skeleton, to.skeleton);
        found.iter().flatten().next()?;
        let pairs: Vec<(BoneIndex, BoneIndex)> =
            from.indices().zip(&found).filter_map(|(bone, found)| Some((bone, (*found)?))).collect();
        let scale = scale(from, to, &pairs);
        let is_same = points_the_same_way(from, to, &pairs);
        let (rest_from, rest_to) = (from.rest_model_pose(), to.rest_model_pose());
        let turn = |bone: Option<BoneIndex>, other: Option<BoneIndex>| {
            rotation(&rest_from, bone).inverse() * rotation(&rest_to, other)
        };
        let convert = |(bone, other): (BoneIndex, BoneIndex)| {
            let (above, other_above) = (from.parent(bone), to.parent(other));
            let is_top = above.and_then(|above| found.get(usize::from(above)).copied().flatten()).is_none();
            let turns = (turn(above, other_above).inverse(), turn(Some(bone), Some(other)));
            Conversion {
                to: other,
                turn: (!is_same).then_some(turns),
                rests: [rest(from, bone), rest(to, other)],
                moves: is_top || (is_same && scale == 1.0),
            }
        };
        let mut bones: Vec<Option<Conversion>> = vec![None; from.len()];
        pairs.iter().for_each(|pair| bones[usize::from(pair.0)] = Some(convert(*pair)));
        let missing = from.bones().iter().map(|bone| bone.name.clone()).collect();
        let scalars = from.scalars().iter().map(|scalar| found_scalar(scalar, from, to, &found)).collect();
        let missing_scalars = from.scalars().iter().map(|scalar| scalar.name.clone()).collect();
        Some(Transfer { bones, scalars, missing, missing_scalars, scale })
    }

    /// Converts a clip. Keys of bones that the target lacks are left out.
    pub fn clip(&self, clip: &Clip) -> Transferred {
        let (mut missing, mut missing_scalars) = (vec![false; self.bones.len()], vec![false; self.scalars.len()]);
        let mut converted = clip.clone();
        for keyframe in converted.keyframes.iter_mut() {
            let mut keys = Vec::with_capacity(keyframe.keys.len());
            for key in &keyframe.keys {
                if let Channel::Scalar(scalar) = key.channel {
                    match self.scalars.get(usize::from(scalar)) {
                        Some(Some((bone, scalar))) => {
                            keys.push(Key { bone: *bone, channel: Channel::Scalar(*scalar), ..*key });
                        }
                        Some(None) => missing_scalars[usize::from(scalar)] = true,
                        None => {}
                    }
                    continue;
                }
                match self.bones.get(usize::from(key.bone)) {
                    Some(Some(conversion)) => keys.extend(conversion.key(key, self.scale)),
                    Some(None) => missing[usize::from(key.bone)] = true,
                    None => {}
                }
            }
            keys.sort_by_key(Key::address);
            keys.dedup_by_key(|key| key.address());
            keyframe.keys = keys.into();
        }
        let scalars = self.missing_scalars.iter().zip(missing_scalars);
        let names = self.missing.iter().zip(missing).chain(scalars).filter(|(_, is_missing)| *is_missing);
        Transferred { clip: converted, missing: names.map(|(name, _)| name.clone()).collect() }
    }
}

impl Conversion {
    /// The key for the target; `None` if it is a length of the source.
    fn key(&self, key: &Key, scale: f64) -> Option<Key> {
        let mut key = Key { bone: self.to, ..*key };
        match (key.channel, self.turn) {
            (Channel::Translation, _) if !self.moves => return None,
            (Channel::Translation, None) => {
                let scaled = |value: Vec4| (value.as_dvec4() * scale).as_vec4();
                key = Key {
                    value: scaled(key.value),
                    in_tangent: scaled(key.in_tangent),
                    out_tangent: scaled(key.out_tangent),
                    ..key
                };
            }
            (Channel::Translation, Some((left, _))) => {
                let turned = |value: DVec3| left * value * scale;
                let [from, to] = self.rests;
                let moved = |value: Vec4| (to + turned(value.truncate().as_dvec3() - from)).as_vec3().extend(0.0);
                let slope = |value: Vec4| turned(value.truncate().as_dvec3()).as_vec3().extend(0.0);
                key.value = moved(key.value);
                (key.in_tangent, key.out_tangent) = (slope(key.in_tangent), slope(key.out_tangent));
            }
            (Channel::Rotation, Some((left, right))) => {
                let turned = |value: Vec4| {
                    let product = left * DQuat::from_vec4(value.as_dvec4()) * right;
                    glam::DVec4::from(product).as_vec4()
                };
                key.value = turned(key.value).normalize_or(Channel::Rotation.neutral());
                (key.in_tangent, key.out_tangent) = (turned(key.in_tangent), turned(key.out_tangent));
            }
            // Scalars are found by name, not by bone.
            (Channel::Rotation, None) | (Channel::Scale | Channel::Scalar(_), _) => {}
        }
        Some(key)
    }
}

/// The scalar of the target: of the same name on the bone that was found, or else the only one of that name and kind.
fn found_scalar(
    scalar: &Scalar,
    from: &Skeleton,
    to: &Skeleton,
    found: &[Option<BoneIndex>],
) -> Option<(BoneIndex, ScalarIndex)> {
    let on_bone = || {
        let bone = found.get(usize::from(scalar.bone)).copied().flatten()?;
        Some((bone, to.find_scalar(bone, &scalar.name)?))
    };
    let only = || {
        let is_like = |other: &&Scalar| other.kind == scalar.kind && other.name == scalar.name;
        let is_only =
            from.scalars().iter().filter(is_like).count() == 1 && to.scalars().iter().filter(is_like).count() == 1;
        let other = to.scalars().iter().find(is_like).filter(|_| is_only)?;
        Some((other.bone, to.find_scalar(other.bone, &other.name)?))
    };
    on_bone().or_else(only)
}

fn rest(skeleton: &Skeleton, bone: BoneIndex) -> DVec3 {
    skeleton.get(bone).map_or(DVec3::ZERO, |bone| bone.rest.translation.as_dvec3())
}

/// The rotation of a bone in model space; the identity for none.
fn rotation(pose: &ModelPose, bone: Option<BoneIndex>) -> DQuat {
    let Some(bone) = bone else { return DQuat::IDENTITY };
    let (_, rotation, _) = pose.get(bone).to_mat4().as_dmat4().to_scale_rotation_translation();
    if rotation.is_finite() { rotation.normalize() } else { DQuat::IDENTITY }
}

/// The pairs of bones whose parents are paired with each other: the vectors to both, which are the lengths of limbs.
fn limbs<'a>(
    from: &'a Skeleton,
    to: &'a Skeleton,
    pairs: &'a [(BoneIndex, BoneIndex)],
) -> impl Iterator<Item = (DVec3, DVec3)> + 'a {
    let has_parents = |(bone, other): &&(BoneIndex, BoneIndex)| {
        let parents = from.parent(*bone).zip(to.parent(*other));
        parents.is_some_and(|parents| pairs.binary_search(&parents).is_ok())
    };
    let vectors = pairs.iter().filter(has_parents).map(|(bone, other)| (rest(from, *bone), rest(to, *other)));
    vectors.filter(|(a, b)| a.length() > MIN_LENGTH && b.length() > MIN_LENGTH)
}

/// Returns the median ratio of limb lengths, exactly 1 for the same size.
pub(super) fn scale(from: &Skeleton, to: &Skeleton, pairs: &[(BoneIndex, BoneIndex)]) -> f64 {
    let mut ratios: Vec<f64> = limbs(from, to, pairs).map(|(a, b)| b.length() / a.length()).collect();
    ratios.sort_by(f64::total_cmp);
    let median = ratios.get(ratios.len() / 2).copied().unwrap_or(1.0);
    if (median - 1.0).abs() < SAME_SIZE { 1.0 } else { median }
}

/// Whether most limbs have the same direction in the axes of their parents.
pub(super) fn points_the_same_way(from: &Skeleton, to: &Skeleton, pairs: &[(BoneIndex, BoneIndex)]) -> bool {
    let (mut same, mut all) = (0_usize, 0_usize);
    for (a, b) in limbs(from, to, pairs) {
        all += 1;
        same += usize::from(a.angle_between(b) < SAME_DIRECTION);
    }
    same * 10 >= all * 8
}

#[cfg(test)]
mod tests {
    use std::f32::consts::FRAC_PI_2;

    use glam::{Quat, Vec3};

    use super::*;
    use crate::anim::clip::Keyframe;
    use crate::anim::skeleton::Bone;
    use crate::anim::transform::Transform;

    /// A chain of bones along y, in the world, whose axes are turned by `axes`.
    fn chain(names: [&str; 3], length: f32, axes: Quat) -> Skeleton {
        let bone = |(at, name): (usize, &str)| {
            let rest = match at {
                0 => Transform { translation: Vec3::Y * length, rotation: axes, scale: Vec3::ONE },
                _ => Transform::from_translation(axes.inverse() * Vec3::Y * length),
            };
            Bone { name: name.into(), parent: at.checked_sub(1).map(|at| at as u16), rest }
        };
        Skeleton::new(names.into_iter().enumerate().map(bone).collect()).unwrap()
    }

    /// The root moves and turns, the next bone turns.
    fn clip(skeleton: &Skeleton) -> Clip {
        let turned = |bone: u16, turn: Quat| {
            let rest = skeleton.bones()[usize::from(bone)].rest.rotation;
            Key::rotation(bone, (turn * rest).normalize())
        };
        let keys = vec![
            Key::translation(0, Vec3::new(0.5, 1.0, 0.0)),
            turned(0, Quat::from_rotation_x(0.4)),
            turned(1, Quat::from_rotation_z(0.7)),
        ];
        let keyframes = [Keyframe { keys: keys.into(), ..Keyframe::default() }].into_iter().collect();
        Clip { keyframes, ..Clip::new("walk") }
    }

    /// The places of the bones in the first keyframe.
    fn places(skeleton: &Skeleton, clip: &Clip) -> Vec<Vec3> {
        let mut local = skeleton.rest_pose();
        for key in &clip.keyframes.first().unwrap().keys {
            local.put(key.bone, key.channel, key.value);
        }
        let mut pose = ModelPose::default();
        pose.compute(skeleton, &local);
        pose.bones.iter().map(|bone| bone.translation()).collect()
    }

    #[test]
    fn bones_with_other_axes_go_to_the_same_places() {
        let source = chain(["x:Hips", "x:Spine", "x:Head"], 1.0, Quat::IDENTITY);
        let expected = places(&source, &clip(&source));
        for axes in [Quat::IDENTITY, Quat::from_rotation_y(0.8), Quat::from_rotation_z(FRAC_PI_2)] {
            for length in [1.0, 3.0] {
                let target = chain(["Hips", "Spine", "Head"], length, axes);
                let transferred = Transfer::new(&source, &target).unwrap().clip(&clip(&source));
                assert!(transferred.missing.is_empty());
                for (found, expected) in places(&target, &transferred.clip).iter().zip(&expected) {
                    assert!(found.distance(*expected * length) < 1e-5, "{axes} {length}: {found} {expected}");
                }
            }
        }
    }

    #[test]
    fn bones_of_the_source_alone_are_named_and_strangers_refused() {
        let source = chain(["Hips", "Tail", "Tip"], 1.0, Quat::IDENTITY);
        let target = chain(["Hips", "Spine", "Head"], 1.0, Quat::IDENTITY);
        let transferred = Transfer::new(&source, &target).unwrap().clip(&clip(&source));
        assert_eq!(transferred.missing, ["Tail"]);
        assert_eq!(transferred.clip.keyframes.first().unwrap().keys.len(), 2);
        assert!(Transfer::new(&source, &chain(["a", "b", "c"], 1.0, Quat::IDENTITY)).is_none());
    }
}
