//! One step of the springs, in the space of the model.

use glam::{Mat3, Quat, Vec3, Vec4};

use super::{Collider, Joint, Particle, Place, STEP_SECS, Springs, Swinging, Tip, matrix};
use crate::anim::mat34::Mat3x4;
use crate::anim::pose::{LocalPose, ModelPose};
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::anim::transform::Transform;

/// Lengths below which a vector has no direction.
const TINY: f32 = 1e-9;

impl Springs {
    /// Advances by one step of [`STEP_SECS`]: rotates the bones with springs in `pose`, which is that of a clip, and brings `model`,
    /// its transforms in model space, up to date. Poses of fewer bones than the skeleton's stay unchanged.
    ///
    /// Time that passes without a step is a pause: the springs continue as they were. If a joint moves by more than twice the extent
    /// of the skeleton in a step, the model has been put elsewhere, and all tips start again where the pose has them, without speed;
    /// so they do if a number was not finite. The first step allocates.
    pub fn step(
        &self,
        skeleton: &Skeleton,
        place: &Place,
        swinging: &mut Swinging,
        pose: &mut LocalPose,
        model: &mut ModelPose,
    ) {
        let len = skeleton.len();
        if self.joints.is_empty() || pose.len() < len || model.bones.len() < len {
            return;
        }
        let world = World::of(place, self.wind);
        if !self.follows(&world, swinging, model) {
            let start = |joint: &Joint| self.start(skeleton, &world, joint, pose, model);
            swinging.tips.clear();
            swinging.tips.extend(self.joints.iter().map(start));
        }
        let mut is_finite = true;
        for moved in &self.moved {
            let index = usize::from(moved.bone);
            let mut local = pose.get(index);
            let parent = moved.parent.map_or(Mat3x4::IDENTITY, |parent| model.bones[usize::from(parent)]);
            if let Some(at) = moved.joint.map(usize::from) {
                let joint = &self.joints[at];
                let particle = &mut swinging.tips[at];
                if let Some(arm) = Arm::of(skeleton, joint, &parent, &local, pose) {
                    let rotation = self.swing(joint, &arm, &world, particle, model, local.rotation);
                    local.rotation = rotation.unwrap_or(local.rotation);
                    is_finite &= rotation.is_some();
                    pose.set(index, &local);
                }
            }
            model.bones[index] = parent * local.to_mat34();
            if let Some(at) = moved.joint {
                swinging.tips[usize::from(at)].joint = world.place(model.bones[index].translation());
            }
        }
        if !is_finite {
            swinging.reset();
        }
    }

    /// Whether the joints are near where they were in the last step.
    fn follows(&self, world: &World, swinging: &Swinging, model: &ModelPose) -> bool {
        let is_near = |(joint, particle): (&Joint, &Particle)| {
            let way = world.place(model.bones[usize::from(joint.bone)].translation()) - particle.joint;
            way.length_squared() <= self.teleport * self.teleport
        };
        swinging.tips.len() == self.joints.len() && self.joints.iter().zip(&swinging.tips).all(is_near)
    }

    /// A tip where the pose has it.
    fn start(
        &self,
        skeleton: &Skeleton,
        world: &World,
        joint: &Joint,
        pose: &LocalPose,
        model: &ModelPose,
    ) -> Particle {
        let bone = &model.bones[usize::from(joint.bone)];
        let tip = bone.transform_point(offset(skeleton, joint, pose));
        let tip = match joint.center {
            None => world.space.inward(tip),
            Some(center) => Space::of(model, center).map_or(tip, |space| space.inward(tip)),
        };
        Particle { now: tip, before: tip, joint: world.place(bone.translation()) }
    }

    /// Moves a tip, and returns the local rotation that points at it; `None` if it is not finite.
    fn swing(
        &self,
        joint: &Joint,
        arm: &Arm,
        world: &World,
        particle: &mut Particle,
        model: &ModelPose,
        rotation: Quat,
    ) -> Option<Quat> {
        let of_center;
        let space = match joint.center {
            None => &world.space,
            Some(center) => {
                of_center = Space::of(model, center)?;
                &of_center
            }
        };
        let swing = &joint.swing;
        let inertia = (particle.now - particle.before) * (1.0 - swing.drag);
        let pull = arm.axis * swing.stiffness + world.inward * (swing.gravity + world.wind);
        let next = arm.at_length(space.outward(particle.now + inertia) + pull * STEP_SECS);
        let push = |tip: Vec3, at: &u16| {
            let collider = &self.colliders[usize::from(*at)];
            pushed_out(collider, &model.bones[usize::from(collider.bone)], tip, swing.radius)
                .map_or(tip, |tip| arm.at_length(tip))
        };
        let next = joint.colliders.iter().fold(next, push);
        (particle.before, particle.now) = (particle.now, space.inward(next));
        let turned = times(rotation, arc(arm.unit, direction(arm.inverse * (next - arm.origin))?));
        (turned.is_finite() && particle.now.is_finite()).then_some(turned)
    }
}

/// The world, seen from the model.
struct World {
    outward: Mat3,
    inward: Mat3,
    translation: Vec3,
    wind: Vec3,
    /// The space of tips without a center.
    space: Space,
}

impl World {
    fn of(place: &Place, wind: Vec3) -> World {
        let outward = matrix(place.rotation);
        let inward = outward.transpose();
        let space = Space { linear: [inward, outward], origin: inward * -place.translation };
        World { outward, inward, translation: place.translation, wind, space }
    }

    fn place(&self, point: Vec3) -> Vec3 {
        self.outward * point + self.translation
    }
}

/// The space in which a tip moves: outward to the model, and back.
struct Space {
    linear: [Mat3; 2],
    origin: Vec3,
}

impl Space {
    /// The space of a center; `None` if its scale is 0.
    fn of(model: &ModelPose, center: BoneIndex) -> Option<Space> {
        let bone = &model.bones[usize::from(center)];
        let linear = linear(bone);
        let back = linear.inverse();
        back.is_finite().then(|| Space { linear: [linear, back], origin: bone.translation() })
    }

    fn outward(&self, point: Vec3) -> Vec3 {
        self.linear[0] * point + self.origin
    }

    fn inward(&self, point: Vec3) -> Vec3 {
        self.linear[1] * (point - self.origin)
    }
}

/// A bone from its joint to its tip, as the pose has it.
struct Arm {
    /// The joint in the model's space.
    origin: Vec3,
    /// The direction of the tip in the model's space.
    axis: Vec3,
    length: f32,
    /// The direction of the tip in the bone's space before its own scale, which is applied before the rotation.
    unit: Vec3,
    /// From the model's space to that one, without translation.
    inverse: Mat3,
}

impl Arm {
    /// `None` if the bone has no length.
    fn of(skeleton: &Skeleton, joint: &Joint, parent: &Mat3x4, local: &Transform, pose: &LocalPose) -> Option<Arm> {
        let offset = local.scale * offset(skeleton, joint, pose);
        let turned = linear(parent) * matrix(local.rotation);
        let (along, inverse) = (turned * offset, turned.inverse());
        let (unit, axis) = (direction(offset)?, direction(along)?);
        let origin = parent.transform_point(local.translation);
        inverse.is_finite().then(|| Arm { origin, axis, length: along.length(), unit, inverse })
    }

    /// The point at the bone's length in the direction of another one.
    fn at_length(&self, tip: Vec3) -> Vec3 {
        self.origin + direction(tip - self.origin).unwrap_or(self.axis) * self.length
    }
}

/// The tip in the bone's space.
fn offset(skeleton: &Skeleton, joint: &Joint, pose: &LocalPose) -> Vec3 {
    let tip = match joint.tip {
        Tip::Point(point) => return point,
        Tip::Bone(tip) => tip,
    };
    let mut at = pose.get(usize::from(tip)).translation;
    for bone in skeleton.above(tip).take_while(|bone| *bone != joint.bone) {
        at = pose.get(usize::from(bone)).to_mat34().transform_point(at);
    }
    at
}

/// The nearest point outside of a collider; `None` if the point is outside.
fn pushed_out(collider: &Collider, bone: &Mat3x4, point: Vec3, radius: f32) -> Option<Vec3> {
    let [from, to] = collider.ends.map(|end| bone.transform_point(end));
    let (axis, way) = (to - from, point - from);
    let (along, whole) = (axis.dot(way), axis.length_squared());
    let way = match along {
        along if along <= 0.0 => way,
        along if along >= whole => way - axis,
        along => way - axis * (along / whole),
    };
    let depth = collider.radius + radius - way.length();
    (depth > 0.0).then(|| point + direction(way).unwrap_or(Vec3::Y) * depth)
}

fn linear(matrix: &Mat3x4) -> Mat3 {
    let [x, y, z] = matrix.rows.map(|row| row.truncate());
    Mat3::from_cols(x, y, z).transpose()
}

fn direction(vector: Vec3) -> Option<Vec3> {
    let length = vector.length();
    (length > TINY && length.is_finite()).then(|| vector * length.recip())
}

/// The smallest rotation from one direction to another, of any length; of opposite ones, about any axis across them.
fn arc(from: Vec3, to: Vec3) -> Vec4 {
    let w = from.dot(to) + 1.0;
    match w {
        w if w >= 1e-8 => from.cross(to).extend(w),
        _ if from.x.abs() > from.z.abs() => Vec3::new(-from.y, from.x, 0.0).extend(0.0),
        _ => Vec3::new(0.0, -from.z, from.y).extend(0.0),
    }
}

/// The product of two rotations, of which the second may have any length, in one order of operations.
fn times(a: Quat, b: Vec4) -> Quat {
    let ([ax, ay, az, aw], [bx, by, bz, bw]) = (a.to_array(), b.to_array());
    unit([
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ])
}

fn unit(parts: [f32; 4]) -> Quat {
    let scale = parts.iter().fold(0.0, |sum, part| sum + part * part).sqrt().recip();
    Quat::from_array(parts.map(|part| part * scale))
}
