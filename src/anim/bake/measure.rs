//! How far apart two poses of a skeleton are, as a distance in its model space: the measure of a bake's error.

use crate::anim::mat34::Mat3x4;
use crate::anim::pose::{LocalPose, ModelPose};
use crate::anim::skeleton::{BoneIndex, Skeleton};

/// How large what hangs on bones without children is taken to be at least where numbers are rounded, as a share of the model's
/// size: no other slack is left to what the skeleton does not tell.
pub const FAR_END: f32 = 0.2;

/// How far from each bone's origin the flesh reaches that hangs on it, and how large the model is.
#[derive(Clone, Debug, PartialEq)]
pub struct Reach {
    /// In the units of the bone's own space: the distance to its farthest child at rest, its own length for a leaf.
    extents: Vec<f32>,
    /// The same in model units, times the length of the bone's axes at rest.
    own: Vec<f32>,
    /// In model units: how far the farthest point is that hangs anywhere below the bone.
    subtrees: Vec<f32>,
    /// The diagonal of the box around the bones at rest, in model space; 1 where that box is a point.
    pub model_size: f32,
}

impl Reach {
    /// Read off the rest pose.
    pub fn of(skeleton: &Skeleton) -> Reach {
        let rest = skeleton.rest_model_pose();
        let model_size = model_size(&rest);
        let mut extents = vec![0.0_f32; skeleton.len()];
        for bone in skeleton.bones() {
            if let Some(parent) = bone.parent {
                let extent = &mut extents[usize::from(parent)];
                *extent = extent.max(bone.rest.translation.length());
            }
        }
        let indices = skeleton.indices().zip(extents.iter_mut());
        for (bone, extent) in indices.filter(|(_, extent)| **extent == 0.0) {
            *extent = leaf_extent(skeleton, &rest, bone).unwrap_or(model_size);
        }
        let own = own(&rest, &extents);
        let subtrees = subtrees(skeleton, &rest, &own);
        Reach { extents, own, subtrees, model_size }
    }

    /// The same where what hangs on bones without children (a head, a hand that holds a sword) may be larger than the skeleton
    /// tells: at least this share of the model's size.
    pub fn with_far_ends(mut self, skeleton: &Skeleton, share: f32) -> Reach {
        let mut is_parent = vec![false; skeleton.len()];
        skeleton.bones().iter().filter_map(|bone| bone.parent).for_each(|parent| is_parent[usize::from(parent)] = true);
        let least = self.model_size * share * AXES;
        for (own, extent) in
            self.own.iter_mut().zip(&mut self.extents).zip(is_parent).filter(|end| !end.1).map(|end| end.0)
        {
            if *own > 0.0 && *own < least {
                (*own, *extent) = (least, *extent * (least / *own));
            }
        }
        self
    }

    /// How far a unit of change of a bone's axes moves what it carries itself, at rest, in model units.
    pub fn own(&self, bone: usize) -> f32 {
        self.own[bone]
    }

    /// An upper estimate of [`Reach::distance`] between the straight mix of two poses, anywhere on the way, and the
    /// slerp of their rotations; without building a matrix. Translations and scales mix straight in both.
    pub fn slerp_error(
        &self,
        skeleton: &Skeleton,
        (from, to): (&LocalPose, &LocalPose),
        is_paced: bool,
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
            let angle = match is_paced {
                false => SLERP_STRAYS * square * chord * (1.0 + chord),
                true => PACED_STRAYS * square * square * chord * (1.0 + 0.75 * square * square),
            };
            let before = errors.get(usize::from(*parent)).copied().unwrap_or(0.0);
            let error = before + angle * self.subtrees[bone];
            worst = worst.max(error);
            errors.push(error);
        }
        worst
    }

    /// The largest distance in model space between where the two poses put a point that a bone carries: over all
    /// bones, the distance of their origins plus what the difference of their axes makes of the bone's reach.
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

/// How many radians a normalised mix strays from slerp, at most, for a chord `c` of the quaternions: this · c³, a
/// little more for large chords. Twice max |t (1 − t) (1 − 2 t)| / 6, times √2 as [`Reach::distance`] measures axes.
const SLERP_STRAYS: f32 = 0.0454;

/// The same at a corrected pace ([`crate::anim::bake::columns::PACED`]): this · c⁵, up to twice that for 115° and four times
/// for half a turn.
const PACED_STRAYS: f32 = 8.5e-4;

/// The length of three axes of length 1, as [`Reach::own`] measures it.
const AXES: f32 = 1.732_050_8;

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
            let way = rest.get(bone).translation().distance(rest.get(parent).translation());
            let reach = way + subtrees[usize::from(bone)];
            let parent = &mut subtrees[usize::from(parent)];
            *parent = parent.max(reach);
        }
    }
    subtrees
}

/// The length of a leaf, in its own units: the distance to its parent. `None` for a bone alone, or without length.
fn leaf_extent(skeleton: &Skeleton, rest: &ModelPose, bone: BoneIndex) -> Option<f32> {
    let here = rest.get(bone);
    let length = here.translation().distance(rest.get(skeleton.parent(bone)?).translation());
    let axes: f32 = here.rows.iter().map(|row| row.truncate().length_squared()).sum();
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
    use crate::anim::transform::Transform;
    use glam::{Quat, Vec3};

    /// An arm of two bones, 3 and then 1 long: a turn of the first moves the second's origin and what it carries.
    #[test]
    fn a_turn_moves_what_hangs_below() {
        let bone = |name: &str, parent, x| Bone {
            name: name.into(),
            parent,
            rest: Transform::from_translation(Vec3::new(x, 0.0, 0.0)),
        };
        let bones = vec![bone("arm", None, 0.0), bone("hand", Some(0), 3.0), bone("tip", Some(1), 1.0)];
        let skeleton = Skeleton::new(bones).unwrap();
        let reach = Reach::of(&skeleton);
        assert_eq!((reach.model_size, reach.extents.as_slice()), (4.0, &[3.0, 1.0, 1.0][..]));
        let mut turned = skeleton.rest_pose();
        turned.set(0, &Transform::from_rotation(Quat::from_rotation_z(0.01)));
        let mut model = ModelPose::default();
        model.compute(&skeleton, &turned);
        let distance = reach.distance(&model, &skeleton.rest_model_pose());
        assert!((0.04..0.06).contains(&distance), "{distance}");
        assert_eq!(Reach::of(&Skeleton::default()).model_size, 1.0);
    }
}
