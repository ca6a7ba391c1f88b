//! The distance between two poses of a skeleton in model space: how a bake measures its error.

use glam::Vec3;

use crate::anim::key::Channel;
use crate::anim::mat34::Mat3x4;
use crate::anim::pose::{LocalPose, ModelPose};
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::anim::track::Track;
use crate::anim::transform::Transform;

/// The minimum reach that bones without children and known vertices, and bones that hold things, are assumed to have when
/// numbers are rounded, as a share of the model's size. A skeleton doesn't show how large a head or a sword is, and
/// rounding leaves no other tolerance.
pub const MIN_LEAF_REACH: f32 = 0.2;

/// A bone that is as near to its parent as rounding leaves it has no length. As a share of the model's size.
const MIN_LENGTH: f32 = 1e-6;

/// How far the vertices of each bone are assumed to be from its origin, and the size of the model.
#[derive(Clone, Debug, PartialEq)]
pub struct Reach {
    /// In the bone's own space: the distance to its farthest child at rest; for a leaf its own length.
    extents: Vec<f32>,
    /// The reach in model units, times the length of the bone's axes at rest.
    own: Vec<f32>,
    /// In model units: the distance to the farthest point of the bone and its descendants, at rest or [in a clip](Reach::in_clip).
    subtrees: Vec<f32>,
    /// Bones without children whose vertices are not known, and bones that hold things.
    guessed: Vec<bool>,
    /// The diagonal of the bounding box of the bones at rest, in model space; 1 if that is a point.
    pub model_size: f32,
}

impl Reach {
    /// Measures the rest pose.
    pub fn of(skeleton: &Skeleton) -> Reach {
        let rest = skeleton.rest_model_pose();
        let model_size = model_size(&rest);
        let mut extents = vec![0.0_f32; skeleton.len()];
        let shortest = model_size * MIN_LENGTH;
        let has_length = |bone| length(skeleton, &rest, bone).is_some_and(|length| length > shortest);
        for (at, bone) in skeleton.indices().zip(skeleton.bones()) {
            let own = bone.rest.translation.length();
            // Below things that are hidden at rest, lengths are next to none in model space only.
            if let Some(parent) = bone.parent.filter(|_| has_length(at) || own > shortest) {
                let extent = &mut extents[usize::from(parent)];
                *extent = extent.max(own);
            }
        }
        let indices = skeleton.indices().zip(extents.iter_mut());
        for (bone, extent) in indices.filter(|(_, extent)| **extent == 0.0) {
            *extent = leaf_extent(skeleton, &rest, bone).filter(|_| has_length(bone)).unwrap_or(model_size);
        }
        let mut guessed = vec![true; skeleton.len()];
        skeleton.bones().iter().filter_map(|bone| bone.parent).for_each(|parent| guessed[usize::from(parent)] = false);
        Reach { guessed, model_size, ..Reach::with_extents(skeleton, &rest, extents) }
    }

    /// The reach of a skeleton whose vertices are known: for each bone, how far its vertices are from its origin, in its
    /// own space, at least 0. `None` for a bone that moves none: it keeps what the skeleton shows. No bone reaches
    /// less than that, and vertices count up to the model's size.
    pub fn with_vertices(self, skeleton: &Skeleton, vertices: &[Option<f32>]) -> Reach {
        let Reach { mut extents, mut guessed, model_size, own, .. } = self;
        for (bone, reached) in vertices.iter().enumerate().take(extents.len()) {
            let Some(reached) = *reached else { continue };
            // Axes of length 0 move nothing.
            let farthest = extents[bone] / own[bone].max(f32::MIN_POSITIVE) * model_size * AXES;
            extents[bone] = extents[bone].max(reached.min(farthest));
            guessed[bone] = false;
        }
        Reach { guessed, model_size, ..Reach::with_extents(skeleton, &skeleton.rest_model_pose(), extents) }
    }

    /// As [`Reach::with_vertices`], with bones that hold things whose size is not known.
    pub fn with_holders(mut self, bones: impl IntoIterator<Item = BoneIndex>) -> Reach {
        for bone in bones {
            if let Some(guessed) = self.guessed.get_mut(usize::from(bone)) {
                *guessed = true;
            }
        }
        self
    }

    fn with_extents(skeleton: &Skeleton, rest: &ModelPose, extents: Vec<f32>) -> Reach {
        let own = own(rest, &extents);
        let subtrees = subtrees(skeleton, rest, &own);
        Reach { extents, own, subtrees, guessed: Vec::new(), model_size: 1.0 }
    }

    /// As [`Reach::with_vertices`], with a minimum reach for bones without children whose vertices are not known and for bones that hold
    /// things, as a share of the model's size: a head, or a hand that holds a sword, is larger than the skeleton shows.
    pub fn with_min_leaf_reach(mut self, share: f32) -> Reach {
        let minimum = self.model_size * share * AXES;
        let guessed = self.own.iter_mut().zip(&mut self.extents).zip(&self.guessed).filter(|end| *end.1);
        for ((own, extent), _) in guessed {
            if *own > 0.0 && *own < minimum {
                (*own, *extent) = (minimum, *extent * (minimum / *own));
            }
        }
        self
    }

    /// The reach for [`Reach::slerp_error`] in a clip: of bones as far from their parents and as large as its keys make them, such as a
    /// sword that is hidden at rest. `tracks` are of bones that the skeleton has, `constant` has the values of all other channels.
    pub fn in_clip(&self, skeleton: &Skeleton, tracks: &[&Track], constant: &LocalPose) -> Reach {
        let turned_as_at_rest = |(rest, own): (Transform, Transform)| Transform { rotation: rest.rotation, ..own };
        let mut largest =
            LocalPose::from_transforms(skeleton.rest_pose().iter().zip(constant.iter()).map(turned_as_at_rest));
        for track in tracks {
            let bone = usize::from(track.bone);
            let mut transform = largest.get(bone);
            for (_, key) in &track.keys {
                enlarge(&mut transform, track.channel, key.value.truncate());
            }
            largest.set(bone, &transform);
        }
        let mut model = ModelPose::default();
        model.compute_portable(skeleton, &largest);
        let mut subtrees = subtrees(skeleton, &model, &own(&model, &self.extents));
        // Infinity times no angle would be no number.
        subtrees.iter_mut().for_each(|reach| *reach = reach.min(f32::MAX));
        Reach { subtrees, ..self.clone() }
    }

    /// How far a unit of change of a bone's axes moves its own vertices, at rest, in model units.
    pub fn own(&self, bone: usize) -> f32 {
        self.own[bone]
    }

    /// An estimate of how far a vertex moves at most, in model units, if a channel of a bone changes in the rest pose. `change` is the
    /// length of the difference between the values, of rotations as quaternions.
    pub fn moved(&self, skeleton: &Skeleton, bone: BoneIndex, channel: Channel, change: f32) -> f32 {
        let subtree = self.subtrees[usize::from(bone)];
        match channel {
            Channel::Translation => change * skeleton.parent(bone).map_or(1.0, |parent| self.axes(usize::from(parent))),
            Channel::Rotation => 2.0 * change * subtree,
            Channel::Scale => change * subtree / skeleton.bones()[usize::from(bone)].rest.scale.abs().min_element(),
            Channel::Scalar(_) => 0.0,
        }
    }

    /// The length of a bone's three axes at rest.
    fn axes(&self, bone: usize) -> f32 {
        self.own[bone] / self.extents[bone].max(f32::MIN_POSITIVE)
    }

    /// An upper estimate of [`Reach::distance`] between the linear blend of two poses and the blend with slerp, for any
    /// weight, without computing matrices. Translations and scales are blended linearly in both.
    pub fn slerp_error(
        &self,
        skeleton: &Skeleton,
        (from, to): (&LocalPose, &LocalPose),
        is_slerp_corrected: bool,
        errors: &mut Vec<f32>,
    ) -> f32 {
        errors.clear();
        let mut worst = 0.0_f32;
        for (bone, parent) in skeleton.parents().iter().enumerate() {
            let (group, lane) = (bone / 8, bone % 8);
            let (a, b) = (&from.lanes()[group].rotation, &to.lanes()[group].rotation);
            let squared = |part: usize| (a[part].0[lane] - b[part].0[lane]) * (a[part].0[lane] - b[part].0[lane]);
            // The chord of the quaternions is about half the angle between the rotations.
            let chord = (squared(0) + squared(1) + squared(2) + squared(3)).sqrt();
            let square = chord * chord;
            let angle = if is_slerp_corrected {
                CORRECTED_DEVIATION * square * square * chord * (1.0 + 0.75 * square * square)
            } else {
                NLERP_DEVIATION * square * chord * (1.0 + chord)
            };
            let before = errors.get(usize::from(*parent)).copied().unwrap_or(0.0);
            let error = before + angle * self.subtrees[bone];
            worst = worst.max(error);
            errors.push(error);
        }
        worst
    }

    /// The maximum distance in model space between the positions of a vertex in two poses: over all bones, the distance
    /// of their origins plus the difference of their axes times the bone's reach.
    pub fn distance(&self, a: &ModelPose, b: &ModelPose) -> f32 {
        let bones = a.bones.iter().zip(&b.bones).zip(&self.extents);
        let distances = bones.map(|((a, b), extent)| {
            let (mut origin, mut axes) = (0.0, 0.0);
            for (a, b) in a.rows.iter().zip(b.rows) {
                let difference = *a - b;
                origin += difference.w * difference.w;
                axes += difference.truncate().length_squared();
            }
            origin.sqrt() + extent * axes.sqrt()
        });
        distances.fold(0.0, f32::max)
    }
}

/// How many radians a normalized linear blend deviates from slerp, at most, for a chord `c` of the quaternions: this ·
/// c³, a little more for large chords. Twice max |t (1 − t) (1 − 2 t)| / 6, times √2 as [`Reach::distance`] measures
/// axes.
const NLERP_DEVIATION: f32 = 0.0454;

/// For rotations with [`crate::anim::bake::channels::Channels::SLERP_CORRECTED`]: this · c⁵, up to twice that for 115° and
/// four times for 180°.
const CORRECTED_DEVIATION: f32 = 8.5e-4;

/// The length of three axes of length 1, as [`Reach::own`] measures it.
const AXES: f32 = 1.732_050_8;

/// Moves a bone farther from its parent or scales it up, if a value does.
fn enlarge(transform: &mut Transform, channel: Channel, value: Vec3) {
    let Transform { translation, scale, .. } = transform;
    match channel {
        Channel::Translation if value.length_squared() > translation.length_squared() => *translation = value,
        Channel::Scale => *scale = Vec3::select(value.abs().cmpgt(scale.abs()), value, *scale),
        Channel::Translation | Channel::Rotation | Channel::Scalar(_) => {}
    }
}

fn own(rest: &ModelPose, extents: &[f32]) -> Vec<f32> {
    let scaled = |(bone, extent): (&Mat3x4, &f32)| {
        let axes: f32 = bone.rows.iter().map(|row| row.truncate().length_squared()).sum();
        extent * axes.sqrt()
    };
    rest.bones.iter().zip(extents).map(scaled).collect()
}

fn subtrees(skeleton: &Skeleton, rest: &ModelPose, own: &[f32]) -> Vec<f32> {
    let mut subtrees = own.to_vec();
    for bone in (0..skeleton.len() as BoneIndex).rev() {
        if let Some(parent) = skeleton.parent(bone) {
            let offset = rest.get(bone).translation().distance(rest.get(parent).translation());
            let reach = offset + subtrees[usize::from(bone)];
            let parent = &mut subtrees[usize::from(parent)];
            *parent = parent.max(reach);
        }
    }
    subtrees
}

/// The distance of a bone from its parent in model space. `None` if it has no parent.
fn length(skeleton: &Skeleton, rest: &ModelPose, bone: BoneIndex) -> Option<f32> {
    let parent = rest.get(skeleton.parent(bone)?);
    Some(rest.get(bone).translation().distance(parent.translation()))
}

/// The length of a leaf in its own space: the distance to its parent. `None` if it has no parent or no length. Its own scale doesn't
/// count: things that are hidden at rest have next to none.
fn leaf_extent(skeleton: &Skeleton, rest: &ModelPose, bone: BoneIndex) -> Option<f32> {
    let (parent, length) = (rest.get(skeleton.parent(bone)?), length(skeleton, rest, bone)?);
    let axes: f32 = parent.rows.iter().map(|row| row.truncate().length_squared()).sum();
    let extent = length / (axes / 3.0).sqrt();
    (extent.is_finite() && extent > 0.0).then_some(extent)
}

fn model_size(rest: &ModelPose) -> f32 {
    let origins = || rest.bones.iter().map(|bone| bone.translation());
    let Some(first) = origins().next() else { return 1.0 };
    let (low, high) = origins().fold((first, first), |(low, high), at| (low.min(at), high.max(at)));
    let size = low.distance(high);
    if size.is_finite() && size > 0.0 { size } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::skeleton::Bone;
    use glam::Quat;

    /// An arm of two bones with lengths 3 and 1.
    fn arm() -> Skeleton {
        let bone = |name: &str, parent, x| Bone {
            name: name.into(),
            parent,
            rest: Transform::from_translation(Vec3::new(x, 0.0, 0.0)),
        };
        let bones = vec![bone("arm", None, 0.0), bone("hand", Some(0), 3.0), bone("tip", Some(1), 1.0)];
        Skeleton::new(bones).unwrap()
    }

    /// A bone whose place is that of its parent, but for rounding, may move anything.
    #[test]
    fn a_bone_without_a_length_reaches_as_far_as_the_model() {
        let mut bones = arm().bones().to_vec();
        for x in [0.0, 2.4e-8, -4e-7] {
            bones[2].rest.translation.x = x;
            let reach = Reach::of(&Skeleton::new(bones.clone()).unwrap());
            assert_eq!(reach.extents, [3.0, 3.0, 3.0], "{x}");
        }
    }

    /// Rotating the first bone moves the origin of the second and its vertices.
    #[test]
    fn a_rotation_moves_all_descendants() {
        let skeleton = arm();
        let reach = Reach::of(&skeleton);
        assert_eq!((reach.model_size, reach.extents.as_slice()), (4.0, &[3.0, 1.0, 1.0][..]));
        let mut rotated = skeleton.rest_pose();
        rotated.set(0, &Transform::from_rotation(Quat::from_rotation_z(0.01)));
        let mut model = ModelPose::default();
        model.compute(&skeleton, &rotated);
        let distance = reach.distance(&model, &skeleton.rest_model_pose());
        assert!((0.04..0.06).contains(&distance), "{distance}");
        assert_eq!(Reach::of(&Skeleton::default()).model_size, 1.0);
    }

    /// Rounding errors would count a thousandfold once the thing is shown.
    #[test]
    fn a_leaf_that_is_hidden_at_rest_reaches_no_farther_than_a_shown_one() {
        let mut bones = arm().bones().to_vec();
        bones[2].rest.scale = Vec3::splat(0.001);
        assert_eq!(Reach::of(&Skeleton::new(bones).unwrap()).extents, [3.0, 1.0, 1.0]);
    }

    #[test]
    fn vertices_count_from_what_the_skeleton_shows_to_the_models_size() {
        let skeleton = arm();
        let with = |vertices: [Option<f32>; 3]| Reach::of(&skeleton).with_vertices(&skeleton, &vertices);
        let near = with([Some(2.0), Some(0.0), None]);
        assert_eq!(
            (near.extents.as_slice(), near.guessed.as_slice()),
            (&[3.0, 1.0, 1.0][..], &[false, false, true][..])
        );
        let far = with([Some(3.5), Some(f32::MAX), Some(f32::INFINITY)]);
        assert!(
            far.extents.iter().zip([3.5, 4.0, 4.0]).all(|(found, expected)| (found - expected).abs() < 1e-5),
            "{far:?}"
        );
        assert_eq!((far.model_size, far.guessed.as_slice()), (4.0, &[false; 3][..]));
        assert_eq!(with([None; 3]), Reach::of(&skeleton));
        assert!(far.subtrees[0] > near.subtrees[0] + 2.0, "{far:?}");
    }
}
