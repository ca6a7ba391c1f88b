//! Whole-body IK: a hand, the hips or the head is pulled, and all joints share the motion, while pinned bones stay, joint limits hold and
//! the centre of mass stays over its support.
//!
//! Each iteration linearizes the tasks and finds the change of the joints that satisfies them with minimal bending away from the pose in
//! which the pull began, weighted by stiffness: damped least squares with weights (Nakamura and Hanafusa 1986), whose damping is the
//! compliance of each task, so that hard tasks win (Baerlocher and Boulic 2004, "An inverse kinematics architecture enforcing an arbitrary
//! number of strict priority levels"). A joint at its limit is locked in that direction and the change found again.
//!
//! The best pose for a target can jump where a limb is fully extended or a joint reaches its limit. So the pose follows each target along
//! the line from its start, at a limited rate, as a solution of a differential equation: it changes continuously with the target, and
//! depends on the pose at the start and the targets alone, not on the way of the mouse.

mod frame;
mod support;
mod system;

use glam::{DMat3, DQuat, DVec3, Mat3, Quat, Vec2, Vec3};

use crate::anim::ik::Outcome;
use crate::anim::ik::body::frame::Frame;
use crate::anim::ik::body::system::{Block, System};
use crate::anim::ik::limit::Limit;
use crate::anim::ik::rig::{linear, rotation_of};
use crate::anim::mat34::Mat3x4;
use crate::anim::pose::{LocalPose, ModelPose};
use crate::anim::skeleton::{BoneIndex, Skeleton};

/// A pull is followed in steps of this length, in sizes of the body.
const STEP: f32 = 0.006;
/// Steps of the longest pull; those of a longer one are longer.
const MAX_STEPS: f32 = 300.0;
/// The share of the change that a step applies, so that joints at their limits settle.
const RELAXATION: f64 = 0.4;
/// The maximum rotation of a joint in a pull by the size of the body, in radians. Where a limb straightens or another pose becomes better,
/// a joint takes its time: no jumps.
const RATE: f64 = 12.0;
/// Iterations after all steps, with hard tasks alone.
const ITERATIONS: usize = 12;
/// The maximum rotation of a joint in one of them, in radians.
const MAX_TURN: f64 = 0.5;
/// Solutions of an iteration, each with more joints locked at their limits.
const LOCKINGS: usize = 4;
/// A hard task that is farther off, in sizes of the body, is not met: 0.02 mm for a person.
const TOLERANCE: f64 = 1e-5;
/// The share of a rotation in radians that counts as much as a distance in sizes of the body.
const ARM: f64 = 0.2;
/// The compliance of hard tasks.
const HARD: f64 = 1e-9;
/// A pull pulls no harder than at this distance from its target, in sizes of the body.
const MAX_PULL: f64 = 0.02;
/// A straight hinge begins to bend by this angle in radians, at a pull of [`BENT_AT`] sizes of the body. Straight limbs have no side.
const PREBENT: f32 = 0.12;
const BENT_AT: f32 = 0.04;
/// Bisections of a pull that hard tasks don't allow.
const BISECTIONS: usize = 10;

/// A joint of the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Joint {
    /// The bone that rotates.
    pub bone: BoneIndex,
    /// Resistance to bending; more than 0. A joint with twice the stiffness bends half as far.
    pub stiffness: f32,
    /// The rotations that it may have. A start outside stays as it is and gets no worse.
    pub limit: Option<Limit>,
}

/// A body that is posed as a whole.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// The bone that carries the body, such as the hips: it also moves. If it is one of the joints it rotates, too.
    pub carrier: BoneIndex,
    /// Resistance of the carrier to moving by [`Body::size`], as [`Joint::stiffness`].
    pub stiffness: f32,
    /// The height of the body in model units, more than 0.
    pub size: f32,
    /// All joints, in the skeleton's order.
    pub joints: Vec<Joint>,
    /// The share in the mass and the centre of mass in its own space, of each bone of the skeleton; empty for none.
    pub masses: Vec<(f32, Vec3)>,
}

/// Where a bone should be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Task {
    /// The bone that has a target.
    pub bone: BoneIndex,
    /// The bone in whose space the target is, as a hand on a sword; `None` for model space.
    pub of: Option<BoneIndex>,
    /// The position of the bone's origin.
    pub place: Option<Vec3>,
    /// Whether the bone keeps the rotation of the start in that space.
    pub keeps_rotation: bool,
    /// 0 is hard: the task is met, or the body stays where it was. Otherwise the squared distance, in sizes of the body, that costs as much
    /// as a joint of stiffness 1 that bends by 1 rad.
    pub compliance: f32,
}

/// Where the body should be.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Goal {
    /// Pins, grips and pulls.
    pub tasks: Vec<Task>,
    /// The convex polygon over which the centre of mass should stay, seen from above (x and z), in order; empty for none.
    pub support: Vec<Vec2>,
}

/// Poses a body from a start. `pose` is overwritten with the result; bones that are no joints keep the local transform of the start.
///
/// Returns [`Outcome::Short`] with the largest distance from a target, and [`Outcome::Unchanged`] with the start if a target is not finite
/// or bones are not in the pose. A pull at whose end hard tasks can't be met ends where they can.
pub fn solve(skeleton: &Skeleton, start: &LocalPose, body: &Body, goal: &Goal, pose: &mut LocalPose) -> Outcome {
    pose.copy_from(start);
    let Some(mut solver) = Solver::new(skeleton, start, body, goal) else { return Outcome::Unchanged };
    let path = solver.follow();
    // The shares of the pull of which the first is met, and the second isn't.
    let (mut low, mut high) = (0.0, 1.0);
    let mut share = 1.0;
    for _ in 0..=BISECTIONS {
        solver.go(&path, share);
        if solver.meet(share) {
            pose.copy_from(&solver.pose);
            low = share;
        } else {
            high = share;
        }
        if low >= high {
            break;
        }
        share = 0.5 * (low + high);
    }
    Outcome::of(solver.distance(pose), body.size * 1e-4)
}

/// The state of an iteration.
struct Solver<'a> {
    skeleton: &'a Skeleton,
    start: &'a LocalPose,
    at_start: ModelPose,
    body: &'a Body,
    goal: &'a Goal,
    /// The longest pull, in sizes of the body.
    length: f32,
    /// The limits of the joints, widened so that the start is within them.
    limits: Vec<Option<Limit>>,
    /// For each task, the joints above its bone and above the bone in whose space it is.
    above: Vec<[Vec<bool>; 2]>,
    /// For each joint, the share of the mass below it in the latest pose, and its moment.
    weights: Vec<(f32, Vec3)>,
    pose: LocalPose,
    model: ModelPose,
    system: System,
}

impl<'a> Solver<'a> {
    fn new(skeleton: &'a Skeleton, start: &'a LocalPose, body: &'a Body, goal: &'a Goal) -> Option<Solver<'a>> {
        let mut at_start = ModelPose::default();
        at_start.compute_portable(skeleton, start);
        let len = skeleton.len().min(start.len());
        let is_bone = |bone: BoneIndex| usize::from(bone) < len && at_start.get(bone).is_finite();
        let is_fine =
            |task: &Task| task.place.is_none_or(Vec3::is_finite) && is_bone(task.bone) && task.of.is_none_or(is_bone);
        let are_joints = body.joints.iter().all(|joint| is_bone(joint.bone)) && is_bone(body.carrier);
        if !are_joints || body.size.is_nan() || body.size <= 0.0 || !goal.tasks.iter().all(is_fine) {
            return None;
        }
        let rotation = |joint: &Joint| start.get(usize::from(joint.bone)).rotation;
        let limit = |joint: &Joint| Some(joint.limit?.including(rotation(joint)));
        let above = |bone: Option<BoneIndex>| {
            let is_above = |joint: &Joint| bone.is_some_and(|bone| skeleton.is_below(bone, joint.bone));
            body.joints.iter().map(is_above).collect()
        };
        let mut solver = Solver {
            length: 0.0,
            limits: body.joints.iter().map(limit).collect(),
            above: goal.tasks.iter().map(|task| [above(Some(task.bone)), above(task.of)]).collect(),
            weights: Vec::new(),
            pose: start.clone(),
            model: at_start.clone(),
            system: System::default(),
            skeleton,
            start,
            at_start,
            body,
            goal,
        };
        solver.length = solver.pull() / body.size;
        Some(solver)
    }

    /// The length of a step, in sizes of the body.
    fn step(&self) -> f32 {
        STEP.max(self.length / MAX_STEPS)
    }

    /// Follows every pull from the start, and returns the poses after whole steps, that of the start first.
    fn follow(&mut self) -> Vec<LocalPose> {
        let steps = (self.length / self.step()) as usize;
        let mut path = Vec::with_capacity(steps + 1);
        path.push(self.start.clone());
        for at in 0..steps {
            self.advance(at, 1.0);
            path.push(self.pose.clone());
        }
        path
    }

    /// Goes to a share of every pull. The last step is a part of a whole one, so that the pose moves evenly.
    fn go(&mut self, path: &[LocalPose], share: f32) {
        let gone = share * self.length / self.step();
        let at = (gone as usize).min(path.len() - 1);
        self.pose.copy_from(&path[at]);
        // A pull of no length has no direction.
        let part = f64::from(gone - at as f32).min(1.0);
        if part > 0.0 {
            self.advance(at, part);
        }
    }

    /// Takes a part of a step, after some whole ones.
    fn advance(&mut self, after: usize, part: f64) {
        let step = self.step();
        let reached = step * (after + 1) as f32;
        let rests = self.rests(reached);
        self.iterate(reached / self.length, Some(&rests));
        self.apply(RELAXATION * part, RATE * f64::from(step) * part);
    }

    /// Meets all hard tasks, and returns whether it can.
    fn meet(&mut self, share: f32) -> bool {
        for _ in 0..ITERATIONS {
            if self.is_met(share) {
                return true;
            }
            self.iterate(share, None);
            self.apply(1.0, MAX_TURN);
        }
        self.is_met(share)
    }

    /// Whether the pose meets all hard tasks.
    fn is_met(&mut self, share: f32) -> bool {
        self.model.compute_portable(self.skeleton, &self.pose);
        let size = f64::from(self.body.size);
        let mut hard = self.goal.tasks.iter().filter(|task| task.compliance == 0.0);
        hard.all(|task| self.errors(task, share).iter().flatten().all(|error| error.length() < TOLERANCE * size))
    }

    /// The longest way of a task, in model units.
    fn pull(&self) -> f32 {
        let pull = |task: &Task| {
            let [place, rotation] = self.errors(task, 1.0);
            let far = |error: Option<DVec3>| error.map_or(0.0, |error| error.length());
            far(place).max(far(rotation) * ARM) as f32
        };
        self.goal.tasks.iter().map(pull).fold(0.0, f32::max)
    }

    /// The rotations from which bending is measured: those of the start. Straight hinges bend a little first.
    fn rests(&self, gone: f32) -> Vec<Quat> {
        let bend = PREBENT * (gone / BENT_AT).min(1.0);
        let rest = |(joint, limit): (&Joint, &Option<Limit>)| {
            let rotation = self.start.get(usize::from(joint.bone)).rotation;
            let Some(hinge) = limit.filter(|limit| limit.swing.is_none()) else { return rotation };
            let about = hinge.angles(rotation).about;
            let [away, towards] = [(about - hinge.min).abs(), (hinge.max - about).abs()];
            let by = (bend - away.min(towards)).max(0.0);
            rotation * Quat::from_axis_angle(hinge.axis, if away <= towards { by } else { -by })
        };
        self.body.joints.iter().zip(&self.limits).map(rest).collect()
    }

    /// One iteration; without rests, of hard tasks alone.
    fn iterate(&mut self, share: f32, rests: Option<&[Quat]>) {
        self.model.compute_portable(self.skeleton, &self.pose);
        self.linearize(share, rests.is_some());
        self.system.priors.clear();
        let size = self.body.size;
        let carrier = usize::from(self.body.carrier);
        let to_model = self.model_from_parent(self.body.carrier);
        let away = to_model.transform_vector(self.start.get(carrier).translation - self.pose.get(carrier).translation);
        let mean = if rests.is_some() { (away / size).as_dvec3() } else { DVec3::ZERO };
        let stiffness = f64::from(self.body.stiffness.max(1e-6));
        self.system.priors.push((mean, DMat3::from_diagonal(DVec3::splat(1.0 / stiffness))));
        for (at, joint) in self.body.joints.iter().enumerate() {
            let rotation = self.pose.get(usize::from(joint.bone)).rotation;
            let mean = rests.map_or(DVec3::ZERO, |rests| turn_to(rotation, rests[at]));
            self.system.priors.push((mean, freedom(joint, self.limits[at].as_ref())));
        }
        for _ in 0..LOCKINGS {
            self.system.solve();
            if !self.lock() {
                break;
            }
        }
    }

    /// Locks joints that would exceed their limits. Returns whether there is one.
    fn lock(&mut self) -> bool {
        let mut is_locked = false;
        for (at, joint) in self.body.joints.iter().enumerate() {
            let Some(limit) = &self.limits[at] else { continue };
            let rotation = self.pose.get(usize::from(joint.bone)).rotation;
            let to = turned(rotation, self.system.change[at + 1]);
            let allowed = limit.clamp(to);
            let over = turn_to(allowed, to);
            if over.length_squared() > 1e-10 {
                let (over, (mean, freedom)) = (over.normalize(), &mut self.system.priors[at + 1]);
                let across = DMat3::IDENTITY - DMat3::from_cols(over * over.x, over * over.y, over * over.z);
                *mean = across * *mean + over * over.dot(turn_to(rotation, allowed));
                *freedom = across * *freedom * across;
                is_locked = true;
            }
        }
        is_locked
    }

    /// Applies a share of the change, and less of one that rotates a joint farther.
    fn apply(&mut self, share: f64, max: f64) {
        let largest = self.system.change.iter().map(|change| change.length()).fold(0.0, f64::max);
        let share = (max / largest.max(1e-30)).min(share);
        if !share.is_finite() || !largest.is_finite() {
            return;
        }
        let to_parent = linear(&self.model_from_parent(self.body.carrier));
        let carrier = usize::from(self.body.carrier);
        let mut transform = self.pose.get(carrier);
        let moved = (self.system.change[0] * share).as_vec3() * self.body.size;
        if to_parent.determinant().abs() > f32::MIN_POSITIVE {
            transform.translation += to_parent.inverse() * moved;
            self.pose.set(carrier, &transform);
        }
        for (at, joint) in self.body.joints.iter().enumerate() {
            let mut transform = self.pose.get(usize::from(joint.bone));
            let rotation = turned(transform.rotation, self.system.change[at + 1] * share);
            transform.rotation = self.limits[at].map_or(rotation, |limit| limit.clamp(rotation));
            if transform.rotation.is_finite() {
                self.pose.set(usize::from(joint.bone), &transform);
            }
        }
    }

    fn model_from_parent(&self, bone: BoneIndex) -> Mat3x4 {
        self.skeleton.parent(bone).map_or(Mat3x4::IDENTITY, |parent| self.model.get(parent))
    }

    /// Writes the blocks of the tasks and of the centre of mass.
    fn linearize(&mut self, share: f32, is_soft: bool) {
        let joints: Vec<Frame> = self.body.joints.iter().map(|joint| self.frame(joint.bone)).collect();
        let size = f64::from(self.body.size);
        self.system.blocks.clear();
        for (task, above) in self.goal.tasks.iter().zip(&self.above) {
            if task.compliance > 0.0 && !is_soft {
                continue;
            }
            let [place, rotation] = self.errors(task, share);
            let compliance = if task.compliance > 0.0 { f64::from(task.compliance) } else { HARD };
            let target = self.target(task, share).as_dvec3();
            let bone = self.model.get(task.bone).translation().as_dvec3();
            let moved = |at: usize, is_above: bool, point: DVec3| {
                let joint = &joints[at];
                if is_above { joint.moved((point - joint.origin) / size) } else { DMat3::ZERO }
            };
            let carried = |bone: BoneIndex| self.skeleton.is_below(bone, self.body.carrier);
            if let Some(error) = place {
                let is_carried = carried(task.bone) && !task.of.is_some_and(carried);
                let first = if is_carried { DMat3::IDENTITY } else { DMat3::ZERO };
                let by = |at: usize| moved(at, above[0][at], bone) - moved(at, above[1][at], target);
                let error = error / size;
                let ease = if task.compliance > 0.0 { (error.length() / MAX_PULL).max(1.0) } else { 1.0 };
                let rows = std::iter::once(first).chain((0..joints.len()).map(by)).collect();
                self.system.blocks.push(Block { rows, error, compliance: compliance * ease });
            }
            if let Some(error) = rotation {
                let axes = |bone| rotation_in(&self.model, bone).unwrap_or_default().as_dquat();
                let [own, of] = [Some(task.bone), task.of].map(|bone| DMat3::from_quat(axes(bone)));
                let turned = |at: usize, is_above: bool, bone: DMat3| {
                    if is_above { joints[at].turned(bone) } else { DMat3::ZERO }
                };
                let by = |at: usize| (turned(at, above[0][at], own) - turned(at, above[1][at], of)) * ARM;
                let rows = std::iter::once(DMat3::ZERO).chain((0..joints.len()).map(by)).collect();
                self.system.blocks.push(Block { rows, error: error * (ARM / size), compliance });
            }
        }
        if is_soft {
            self.balance(&joints);
        }
    }

    fn frame(&self, bone: BoneIndex) -> Frame {
        let rotation = self.pose.get(usize::from(bone)).rotation;
        let axes = linear(&self.model_from_parent(bone)) * Mat3::from_quat(rotation);
        Frame::new(axes.as_dmat3(), self.model.get(bone).translation().as_dvec3())
    }

    /// The place of a task in model space; that of a pull is a share of the way to it.
    fn target(&self, task: &Task, share: f32) -> Vec3 {
        let start = self.at_start.get(task.bone).translation();
        let place = task.place.unwrap_or(start);
        match task.of {
            Some(of) => self.model.get(of).transform_point(place),
            None => start.lerp(place, share),
        }
    }

    /// The distance of a task's place in model units, and its rotation times the size of the body.
    fn errors(&self, task: &Task, share: f32) -> [Option<DVec3>; 2] {
        let now = self.model.get(task.bone);
        let place = task.place.map(|_| (self.target(task, share) - now.translation()).as_dvec3());
        let rotation = task.keeps_rotation.then(|| self.turned_off(task)).flatten();
        [place, rotation.map(|by| turn_of(by) * f64::from(self.body.size))]
    }

    /// The rotation in model space that brings a bone back to its rotation at the start; `None` if an axis has no length.
    fn turned_off(&self, task: &Task) -> Option<Quat> {
        let [at_start, now] = [&self.at_start, &self.model];
        let (bone, of) = (Some(task.bone), task.of);
        let kept = rotation_in(at_start, of)?.inverse() * rotation_in(at_start, bone)?;
        Some(rotation_in(now, of)? * kept * rotation_in(now, bone)?.inverse())
    }

    /// The largest distance of a pose from a place.
    fn distance(&mut self, pose: &LocalPose) -> f32 {
        self.model.compute_portable(self.skeleton, pose);
        let far = |task: &Task| self.errors(task, 1.0)[0].map_or(0.0, |error| error.length() as f32);
        self.goal.tasks.iter().map(far).fold(0.0, f32::max)
    }
}

/// The freedom of a joint: none across a hinge, less along a limb than across it.
fn freedom(joint: &Joint, limit: Option<&Limit>) -> DMat3 {
    let along = limit.map_or(DVec3::ZERO, |limit| limit.axis.as_dvec3());
    let outer = DMat3::from_cols(along * along.x, along * along.y, along * along.z);
    let shape = match limit {
        Some(Limit { swing: None, .. }) => outer,
        Some(_) => DMat3::IDENTITY - outer * 0.7,
        None => DMat3::IDENTITY,
    };
    shape * (1.0 / f64::from(joint.stiffness.max(1e-6)))
}

/// The rotation of a bone in model space; none for the model itself.
fn rotation_in(pose: &ModelPose, bone: Option<BoneIndex>) -> Option<Quat> {
    bone.map_or(Some(Quat::IDENTITY), |bone| rotation_of(&linear(&pose.get(bone))))
}

/// The rotation from one local rotation to another one in the bone's own space, as an axis times an angle.
fn turn_to(from: Quat, to: Quat) -> DVec3 {
    turn_of(from.inverse() * to)
}

fn turn_of(by: Quat) -> DVec3 {
    let by = if by.w < 0.0 { -by } else { by };
    by.as_dquat().normalize().to_scaled_axis()
}

fn turned(rotation: Quat, by: DVec3) -> Quat {
    (rotation.as_dquat() * DQuat::from_scaled_axis(by)).normalize().as_quat()
}
