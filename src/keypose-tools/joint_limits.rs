//! Joint limits of a model, measured from its bind pose, and those proposed for a humanoid.

use std::collections::BTreeMap;
use std::f32::consts::PI;

use glam::{Mat4, Quat, Vec3};

use crate::anim::ik::limit::Limit;
use crate::anim::pose::{LocalPose, ModelPose};
use crate::anim::skeleton::BoneIndex;
use crate::anim::transform::Transform;
use crate::assets::bone_match::PartBones;
use crate::assets::model::Model;
use crate::bind_pose::{bind_pose, local_of};

/// A limb that is bent more than this in the bind pose shows its own hinge.
const BENT: f32 = 0.09;

/// The cosine of the largest angle between a hinge and the axis of the bone that it is meant to be.
const ABOUT: f32 = 0.87;

/// The rotation that a matrix gives to the axes of rotations below it. A mirror turns them round, since it turns rotations the other way.
pub fn rotation_of_axes(matrix: Mat4) -> Quat {
    let sign = if matrix.determinant() < 0.0 { -1.0 } else { 1.0 };
    Transform::from_mat4(matrix * Mat4::from_scale(Vec3::splat(sign))).rotation
}

/// The bind pose of a model, from which the angles of its limits are measured.
#[derive(Clone, Debug)]
pub struct BindJoints<'a> {
    model: &'a Model,
    pose: ModelPose,
    local: LocalPose,
}

impl<'a> BindJoints<'a> {
    /// Computes the bind pose.
    pub fn of(model: &'a Model) -> BindJoints<'a> {
        let pose = bind_pose(model);
        let local = local_of(&model.skeleton, &pose);
        BindJoints { model, pose, local }
    }

    /// A limit without any: about the bone's own direction, by half a turn in all directions.
    pub fn free(&self, bone: BoneIndex) -> Limit {
        let axis = self.in_bone(bone, self.along(bone));
        Limit { zero: self.local.get(usize::from(bone)).rotation, axis, min: -PI, max: PI, swing: Some(PI) }
    }

    /// A hinge about an axis in the bone's own space, by angles from the bind pose.
    pub fn hinge(&self, bone: BoneIndex, axis: Vec3, [min, max]: [f32; 2]) -> Limit {
        Limit { axis, min, max, swing: None, ..self.free(bone) }
    }

    /// The direction of a bone in model space: to the middle of its children, or as its parent's.
    fn along(&self, bone: BoneIndex) -> Vec3 {
        let head = self.head(bone);
        let children: Vec<BoneIndex> = self.model.skeleton.children(bone).collect();
        let ends = children.iter().map(|child| self.head(*child) - head).sum::<Vec3>();
        let parent = || Some(head - self.head(self.model.skeleton.parent(bone)?));
        ends.try_normalize().or_else(|| parent()?.try_normalize()).unwrap_or(self.in_model(bone, Vec3::Y))
    }

    /// The axis of a rotation in the bone's own space as it is in model space.
    pub fn in_model(&self, bone: BoneIndex, axis: Vec3) -> Vec3 {
        self.rotation(bone) * axis
    }

    /// The axis of a rotation in model space as it is in the bone's own space, of unit length.
    pub fn in_bone(&self, bone: BoneIndex, axis: Vec3) -> Vec3 {
        (self.rotation(bone).inverse() * axis).normalize()
    }

    /// The joint of a bone in model space.
    pub fn head(&self, bone: BoneIndex) -> Vec3 {
        self.pose.get(bone).translation()
    }

    fn parent_rotation(&self, bone: BoneIndex) -> Quat {
        let parent = self.model.skeleton.parent(bone);
        parent.map(|parent| rotation_of_axes(self.pose.get(parent).to_mat4())).unwrap_or_default()
    }

    /// The bone's own scale is applied before its rotation, so it turns no axes.
    fn rotation(&self, bone: BoneIndex) -> Quat {
        self.parent_rotation(bone) * self.local.get(usize::from(bone)).rotation
    }

    /// The rotation in model space from the bind pose to a local rotation of a bone.
    pub fn rotation_to(&self, bone: BoneIndex, local: Quat) -> Quat {
        let (parent, bound) = (self.parent_rotation(bone), self.local.get(usize::from(bone)).rotation);
        (parent * local * bound.inverse() * parent.inverse()).normalize()
    }

    /// The local rotation of a bone after a rotation in model space.
    pub fn turned(&self, bone: BoneIndex, by: Quat) -> Quat {
        let parent = self.parent_rotation(bone);
        (parent.inverse() * by * parent * self.local.get(usize::from(bone)).rotation).normalize()
    }
}

/// The limits of a humanoid's bones, by their names; empty for other models. Both sides mirror each other.
///
/// Angles are the normal ranges of motion of the American Academy of Orthopaedic Surgeons ("Joint Motion: Method of
/// Measuring and Recording", 1965), in degrees; of the ankle under load (Bennell et al. 1998, the weight-bearing lunge), without which
/// a figure could not crouch on flat feet:
///
/// | joint | range |
/// |---|---|
/// | shoulder | flexion 180, extension 60, abduction 180, rotation inwards 70, outwards 90 |
/// | elbow | flexion 150 |
/// | wrist | flexion 80, extension 70; pronation and supination of the forearm 80 |
/// | hip | flexion 120, extension 30, abduction 45, adduction 30, rotation 45 both ways |
/// | knee | flexion 135 |
/// | ankle | up 45, down 50; sole inwards 35, outwards 15 |
/// | neck and head | flexion 45, extension 45, rotation 60 |
/// | back | flexion 80, extension 25, rotation 45 |
///
/// A cone is as wide as the largest of these ranges, and its middle is that of the range. Neck and back share theirs equally among
/// their bones.
pub fn propose(model: &Model) -> BTreeMap<String, Limit> {
    let Some(body) = Body::of(model) else { return BTreeMap::new() };
    let mut limits = BTreeMap::new();
    let mut put = |bone: BoneIndex, limit: Limit| {
        if let Some(bone) = model.skeleton.get(bone).filter(|_| limit.check().is_ok()) {
            limits.insert(bone.name.clone(), limit);
        }
    };
    for side in ["left", "right"] {
        body.arm(side, &mut put);
        body.leg(side, &mut put);
    }
    body.trunk(&mut put);
    limits
}

/// The parts of a humanoid in its bind pose.
struct Body<'a> {
    joints: BindJoints<'a>,
    parts: PartBones,
    /// To its left, upwards, and forwards.
    axes: [Vec3; 3],
}

type Put<'p> = dyn FnMut(BoneIndex, Limit) + 'p;

impl<'a> Body<'a> {
    /// `None` without both arms and both legs.
    fn of(model: &'a Model) -> Option<Body<'a>> {
        let (joints, parts) = (BindJoints::of(model), PartBones::of(model.into()));
        let heads = |part: &str| Some(parts.both(part)?.map(|bone| joints.head(bone)));
        let (legs, arms) = (heads("upper leg")?, heads("upper arm")?);
        let up = (arms[0] + arms[1] - legs[0] - legs[1]).try_normalize()?;
        let side = (legs[0] - legs[1]).reject_from_normalized(up).try_normalize()?;
        Some(Body { parts, axes: [side, up, side.cross(up)], joints })
    }

    /// The direction from one part to the next; of the bone itself without one.
    fn direction(&self, bone: BoneIndex, next: Option<BoneIndex>) -> Vec3 {
        let to_next = next.and_then(|next| (self.joints.head(next) - self.joints.head(bone)).try_normalize());
        to_next.unwrap_or_else(|| self.joints.along(bone))
    }

    /// A cone about a direction in model space, of a bone that has another one in the bind pose. Angles in degrees.
    fn cone(&self, bone: BoneIndex, [from, middle]: [Vec3; 2], swing: f32, [min, max]: [f32; 2]) -> Limit {
        let zero = self.joints.turned(bone, Quat::from_rotation_arc(from, middle));
        let axis = self.joints.in_bone(bone, from);
        let [swing, min, max] = [swing, min, max].map(f32::to_radians);
        Limit { zero, axis, min, max, swing: Some(swing) }
    }

    /// A hinge that bends from straight by at most `max` degrees, towards the first direction that is across the limb.
    fn hinge(&self, bone: BoneIndex, [upper, lower]: [Vec3; 2], towards: [Vec3; 2], max: f32) -> Option<Limit> {
        let across = towards.into_iter().find_map(|to| upper.cross(to).try_normalize())?;
        let bent = upper.cross(lower).try_normalize().filter(|_| upper.angle_between(lower) > BENT);
        let axis = bent.filter(|bent| bent.dot(across) > 0.5).unwrap_or(across);
        let in_bone = nearest_axis(self.joints.in_bone(bone, axis));
        let axis = self.joints.in_model(bone, in_bone).normalize();
        let [upper, lower] = [upper, lower].map(|along| along.reject_from_normalized(axis));
        let flexion = axis.dot(upper.cross(lower)).atan2(upper.dot(lower));
        let (zero, axis) = (self.joints.turned(bone, Quat::from_axis_angle(axis, -flexion)), in_bone);
        Some(Limit { zero, axis, min: 0.0, max: max.to_radians(), swing: None })
    }

    fn arm(&self, side: &str, put: &mut Put<'_>) {
        let [left, up, front] = self.axes;
        let is_left = side == "left";
        let outwards = if is_left { left } else { -left };
        let [upper, lower, wrist] =
            ["upper arm", "lower arm", "wrist"].map(|part| self.parts.find(&format!("{side} {part}")));
        if let Some(bone) = upper {
            let from = self.direction(bone, lower);
            // In the middle of all that an arm reaches: a little below the horizontal, half to the front.
            let (sin, cos) = 75_f32.to_radians().sin_cos();
            let middle = (outwards + front).normalize() * sin - up * cos;
            put(bone, self.cone(bone, [from, middle], 110.0, mirrored(is_left, [-90.0, 70.0])));
        }
        if let (Some(upper), Some(bone)) = (upper, lower) {
            let bones = [self.direction(upper, lower), self.direction(bone, wrist)];
            self.hinge(bone, bones, [front, up], 150.0).into_iter().for_each(|hinge| put(bone, hinge));
        }
        if let (Some(lower), Some(bone)) = (lower, wrist) {
            // Along the forearm: what a hand holds says nothing about its direction.
            put(bone, self.cone(bone, [self.direction(lower, wrist); 2], 75.0, [-80.0, 80.0]));
        }
    }

    fn leg(&self, side: &str, put: &mut Put<'_>) {
        let [left, up, front] = self.axes;
        let is_left = side == "left";
        let outwards = if is_left { left } else { -left };
        let [upper, lower, foot, toes] =
            ["upper leg", "lower leg", "foot", "toes"].map(|part| self.parts.find(&format!("{side} {part}")));
        if let Some(bone) = upper {
            let (sin, cos) = 7.5_f32.to_radians().sin_cos();
            let middle = (front - up).normalize() * cos + outwards * sin;
            put(bone, self.cone(bone, [self.direction(bone, lower), middle], 75.0, [-45.0, 45.0]));
        }
        if let (Some(upper), Some(bone)) = (upper, lower) {
            let bones = [self.direction(upper, lower), self.direction(bone, foot)];
            self.hinge(bone, bones, [-front, up], 135.0).into_iter().for_each(|hinge| put(bone, hinge));
        }
        if let Some(bone) = foot {
            let from = self.direction(bone, toes);
            let middle = Quat::from_axis_angle(left, 2.5_f32.to_radians()) * from;
            put(bone, self.cone(bone, [from, middle], 47.5, mirrored(is_left, [-35.0, 15.0])));
        }
    }

    fn trunk(&self, put: &mut Put<'_>) {
        let all = |names: &[&str]| names.iter().filter_map(|name| self.parts.find(name)).collect::<Vec<_>>();
        let (back, neck) = (all(&[" spine 0", " spine 1", " spine 2"]), all(&[" neck", " head"]));
        let chain: Vec<BoneIndex> = back.iter().chain(&neck).copied().collect();
        for (at, bone) in chain.iter().enumerate() {
            let is_back = at < back.len();
            let share = 1.0 / if is_back { back.len() } else { neck.len() } as f32;
            let [forwards, swing, twist] = if is_back { [27.5, 52.5, 45.0] } else { [0.0, 45.0, 60.0] };
            let from = self.direction(*bone, chain.get(at + 1).copied());
            let middle = Quat::from_axis_angle(self.axes[0], (forwards * share).to_radians()) * from;
            put(*bone, self.cone(*bone, [from, middle], swing * share, [-twist * share, twist * share]));
        }
    }
}

/// The axis of a bone that is about in a direction: rigs are made to bend about it. The direction itself if there is none.
fn nearest_axis(direction: Vec3) -> Vec3 {
    let axes = Vec3::AXES.into_iter().flat_map(|axis| [axis, -axis]);
    axes.into_iter().find(|axis| axis.dot(direction) > ABOUT).unwrap_or(direction)
}

/// The angles about a direction of the left side, or those of the right one.
fn mirrored(is_left: bool, [min, max]: [f32; 2]) -> [f32; 2] {
    if is_left { [min, max] } else { [-max, -min] }
}
