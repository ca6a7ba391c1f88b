//! Bones in model space, in double precision: what a conversion adds must not show in keys that it only copies.

use glam::{DAffine3, DMat3, DQuat, DVec3, Quat, Vec3};

use crate::anim::pose::LocalPose;
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::anim::transform::Transform;

/// Scales that differ by less are the same.
const SAME: f64 = 1e-4;

/// Model from bone, for all bones of a pose.
#[derive(Clone, Debug, Default)]
pub struct Frames {
    /// Products of the local rotations: only negative scales change them. A mirrored bone is one that is reflected along x and then turned.
    pub rotations: Vec<DQuat>,
    /// With scales.
    pub affines: Vec<DAffine3>,
    /// Whether each bone is a mirror image, because of a negative scale.
    mirrored: Vec<bool>,
}

impl Frames {
    /// The rest pose.
    pub fn of_rest(skeleton: &Skeleton) -> Frames {
        Frames::of(skeleton, &skeleton.rest_pose())
    }

    /// A pose.
    pub fn of(skeleton: &Skeleton, pose: &LocalPose) -> Frames {
        let mut frames = Frames::default();
        for (at, bone) in skeleton.bones().iter().enumerate() {
            frames.push(bone.parent, &pose.get(at));
        }
        frames
    }

    /// Adds the next bone, below one that was added.
    pub fn push(&mut self, parent: Option<BoneIndex>, local: &Transform) {
        let rotation = local.rotation.as_dquat();
        let affine =
            DAffine3::from_scale_rotation_translation(local.scale.as_dvec3(), rotation, local.translation.as_dvec3());
        let (rotation_above, affine_above) = self.above(parent);
        let (turn, mirrors) = turn_of(local.scale);
        let is_mirrored = self.is_mirrored(parent);
        self.rotations.push((rotation_above * flipped(rotation, is_mirrored) * turn).normalize());
        self.affines.push(affine_above * affine);
        self.mirrored.push(is_mirrored != mirrors);
    }

    /// The local rotation of a bone below another one, with a scale and a rotation in model space.
    pub fn local(&self, parent: Option<BoneIndex>, rotation: DQuat, scale: Vec3) -> Quat {
        let own = self.above(parent).0.inverse() * rotation * turn_of(scale).0.inverse();
        flipped(own, self.is_mirrored(parent)).normalize().as_quat()
    }

    /// Whether a bone is a mirror image; false for none.
    pub fn is_mirrored(&self, bone: Option<BoneIndex>) -> bool {
        bone.and_then(|bone| self.mirrored.get(usize::from(bone))).is_some_and(|mirrored| *mirrored)
    }

    /// Rotation and transform of a bone; the identity for none.
    pub fn above(&self, bone: Option<BoneIndex>) -> (DQuat, DAffine3) {
        bone.map_or((DQuat::IDENTITY, DAffine3::IDENTITY), |bone| (self.rotation(bone), self.affine(bone)))
    }

    /// The rotation of a bone.
    pub fn rotation(&self, bone: BoneIndex) -> DQuat {
        self.rotations.get(usize::from(bone)).copied().unwrap_or_default()
    }

    /// The transform of a bone.
    pub fn affine(&self, bone: BoneIndex) -> DAffine3 {
        self.affines.get(usize::from(bone)).copied().unwrap_or_default()
    }

    /// The place of a bone.
    pub fn place(&self, bone: BoneIndex) -> DVec3 {
        self.affine(bone).translation
    }

    /// How a bone is scaled from a rest pose.
    pub fn stretch(&self, rest: &Frames, bone: BoneIndex) -> DMat3 {
        let turn = self.rotation(bone) * rest.rotation(bone).inverse();
        stretch([self.affine(bone).matrix3, rest.affine(bone).matrix3], turn)
    }

    /// The length of the way from bone to bone.
    pub fn length(&self, bones: &[BoneIndex]) -> f64 {
        bones.windows(2).map(|pair| self.place(pair[0]).distance(self.place(pair[1]))).sum()
    }
}

/// The rotation of which the mirror image along x is this one, if `is_mirrored`.
pub fn flipped(rotation: DQuat, is_mirrored: bool) -> DQuat {
    let mirrored = DQuat::from_xyzw(rotation.x, -rotation.y, -rotation.z, rotation.w);
    if is_mirrored { mirrored } else { rotation }
}

/// The signs of a scale as a half turn, and whether there is a reflection along x before it.
pub fn turn_of(scale: Vec3) -> (DQuat, bool) {
    let [x, y, z] = scale.to_array().map(|part| part < 0.0);
    let mirrors = x ^ y ^ z;
    let turn = match (x != mirrors, y, z) {
        (false, false, false) => DQuat::IDENTITY,
        (false, ..) => DQuat::from_xyzw(1.0, 0.0, 0.0, 0.0),
        (true, false, _) => DQuat::from_xyzw(0.0, 1.0, 0.0, 0.0),
        (true, true, _) => DQuat::from_xyzw(0.0, 0.0, 1.0, 0.0),
    };
    (turn, mirrors)
}

/// Whether a scale is another one than at rest.
pub fn is_scaled(rest: Vec3, scale: Vec3) -> bool {
    !scale.abs_diff_eq(rest, SAME as f32 * rest.length())
}

/// How a bone is scaled in model space after its turn from rest. The identity if it is not, to the bit.
pub fn stretch([is, rests]: [DMat3; 2], turn: DQuat) -> DMat3 {
    let stretch = is * rests.inverse() * DMat3::from_quat(turn.inverse());
    let is_scaled = stretch.is_finite() && !stretch.abs_diff_eq(DMat3::IDENTITY, SAME);
    if is_scaled { stretch } else { DMat3::IDENTITY }
}
