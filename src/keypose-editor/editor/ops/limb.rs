//! Limbs for IK: an end effector with two joints above it, or a chain of any length. They are found in the skeleton and
//! solved by the runtime's solvers; a joint never bends against the side to which it bends at rest.

use glam::{Quat, Vec3, Vec4};

use crate::editor::ops::pose::{model_pose, rotation_in};
use crate::editor::ops::posed::Posed;
use keypose::anim::ik::Outcome;
use keypose::anim::ik::chain::{Chain, Effort, Solver};
use keypose::anim::ik::two_bone::{self, Goal, TwoBone};
use keypose::anim::key::Channel;
use keypose::anim::pose::{LocalPose, ModelPose};
use keypose::anim::skeleton::{BoneIndex, Skeleton};
use keypose::anim::transform::Transform;
use keypose::assets::model::Model;
use keypose_tools::joint_limits::rotation_of_axes;
use keypose_tools::symmetry;

/// The default number of joints above an end effector: shoulder and elbow, hip and knee.
pub const DEFAULT_JOINTS: usize = 2;
/// The maximum number of joints above an end effector.
pub const MAX_JOINTS: usize = 128;

/// A limb is straight if its middle joint is less than this fraction of its length off the line from root to end.
const STRAIGHT: f32 = 0.02;
/// A limb whose end rests below this fraction of the model's height is a leg. Legs bend forwards, others backwards.
const LEG_HEIGHT: f32 = 0.25;
/// The distance of the pole from the middle joint, as a fraction of the limb's length.
const POLE_DISTANCE: f32 = 0.6;

/// An end effector and the joints above it.
#[derive(Clone, Debug, PartialEq)]
pub struct Limb {
    chain: Chain,
    /// Root, middle and end; `None` for a single joint.
    bend: Option<TwoBone>,
    /// The side to which it bends at rest, and whether the rest pose shows it.
    at_rest: Option<(Vec3, bool)>,
    joints: usize,
    /// The solver of the rig notes; `None` for an arm or a leg.
    solver: Option<Solver>,
}

impl Limb {
    /// The limb above an end effector, with as many joints as the rig notes say, or else at most `joints`. Bones at the same
    /// position as their child don't count, and a bone without a parent is left out, as it moves the whole model. `None` if no
    /// joint is left.
    pub fn above(model: &Model, end: BoneIndex, joints: usize) -> Option<Limb> {
        let (skeleton, rig) = (&*model.skeleton, &model.rig);
        let noted = skeleton.get(end).and_then(|end| rig.chains.get(&end.name));
        let joints = noted.map_or(joints, |chain| usize::from(chain.joints));
        let joints = joints_above(skeleton, end, joints.clamp(1, MAX_JOINTS));
        let &root = joints.last()?;
        let mut chain = Chain::between(skeleton, root, end)?;
        for (bone, limit) in rig.limits_of(skeleton) {
            chain = chain.limit(bone, limit);
        }
        for bone in chain.bones().to_vec() {
            chain = if joints.contains(&bone) || bone == end { chain } else { chain.fix(bone) };
        }
        let middle = joints[(joints.len() / 2).saturating_sub(usize::from(joints.len().is_multiple_of(2)))];
        let bend = (joints.len() > 1).then_some(TwoBone { root, middle, tip: end });
        let at_rest = bend.and_then(|bend| rest_side(model, &bend));
        Some(Limb { chain, bend, at_rest, joints: joints.len(), solver: noted.map(|chain| chain.solver) })
    }

    /// The end effector.
    pub fn end(&self) -> BoneIndex {
        self.chain.tip()
    }

    /// The bone of the middle joint, which bends towards the pole; `None` for a single joint.
    pub fn middle(&self) -> Option<BoneIndex> {
        self.bend.map(|bend| bend.middle)
    }

    /// All bones from the root down to the end.
    pub fn bones(&self) -> &[BoneIndex] {
        self.chain.bones()
    }

    /// Whether it is a leg: at rest its end is near the ground and below its root.
    pub fn is_leg(&self, skeleton: &Skeleton) -> bool {
        let rest = skeleton.rest_model_pose();
        is_leg(&rest, rest.get(self.bones()[0]).translation(), rest.get(self.end()).translation())
    }

    /// The number of joints that rotate.
    pub fn joints(&self) -> usize {
        self.joints
    }

    /// The position of the pole in model space: off the middle joint, on the side to which it bends.
    pub fn pole(&self, skeleton: &Skeleton, local: &LocalPose) -> Option<Vec3> {
        let bend = self.bend?;
        let pose = model_pose(skeleton, local);
        let [root, middle, end] = points(&pose, &bend);
        let side = self.side_of(skeleton, &pose, &bend)?;
        Some(middle + side * (POLE_DISTANCE * (middle.distance(root) + end.distance(middle))))
    }

    /// Moves the end to a target in model space. The middle joint bends towards the pole or, without one, to the side to
    /// which it bends already. Joint limits hold for all bones; with them the end comes as near as they allow.
    pub fn solve(&self, skeleton: &Skeleton, local: &mut LocalPose, target: Vec3, pole: Option<Vec3>) -> Outcome {
        let outcome = self.solve_freely(skeleton, local, target, pole);
        if self.solver.is_some() || !self.chain.has_limits() || outcome == Outcome::Unchanged {
            return outcome;
        }
        // From the pose that it would have, so that the limb bends to its side.
        Solver::Ccd.solve(skeleton, local, &self.chain, target, &EFFORT)
    }

    fn solve_freely(&self, skeleton: &Skeleton, local: &mut LocalPose, target: Vec3, pole: Option<Vec3>) -> Outcome {
        let (Some(bend), None) = (self.bend, self.solver) else {
            let solver = self.solver.unwrap_or(Solver::Fabrik);
            return solver.solve(skeleton, local, &self.chain, target, &EFFORT);
        };
        if self.joints == DEFAULT_JOINTS {
            self.unbend(skeleton, local, &bend);
            let pole = pole.or_else(|| self.carried_pole(skeleton, local, &bend, target));
            return two_bone::solve(skeleton, local, bend, &Goal { pole, ..Goal::at(target) });
        }
        let outcome = Solver::Fabrik.solve(skeleton, local, &self.chain, target, &EFFORT);
        if pole.is_some() && outcome != Outcome::Unchanged {
            // The end is in place: only the side of the bend is left.
            let end = model_pose(skeleton, local).get(bend.tip).translation();
            two_bone::solve(skeleton, local, bend, &Goal { pole, ..Goal::at(end) });
        }
        outcome
    }

    /// As [`Limb::solve`], with the rotation `held` of the end in model space.
    pub fn solve_holding(
        &self,
        skeleton: &Skeleton,
        local: &mut LocalPose,
        held: Quat,
        target: Vec3,
        pole: Option<Vec3>,
    ) -> Outcome {
        let outcome = self.solve(skeleton, local, target, pole);
        if outcome != Outcome::Unchanged {
            rotate_to(skeleton, local, self.end(), held);
            self.chain.hold_all(local);
        }
        outcome
    }

    /// The rotations of the limb's bones in a pose.
    pub fn posed<'a>(&'a self, local: &'a LocalPose) -> impl Iterator<Item = Posed> + 'a {
        let rotation = |&bone: &BoneIndex| {
            let value = Vec4::from(local.get(usize::from(bone)).rotation);
            Posed { bone, channel: Channel::Rotation, value }
        };
        self.bones().iter().map(rotation)
    }

    /// Resets the middle joint of a limb that is bent against its rest pose. From there it bends the right way without a
    /// half turn of the root.
    fn unbend(&self, skeleton: &Skeleton, local: &mut LocalPose, bend: &TwoBone) {
        let pose = model_pose(skeleton, local);
        let now = off_line(points(&pose, bend)).filter(|(_, is_clear)| *is_clear);
        let is_against =
            now.zip(self.side_of(skeleton, &pose, bend)).is_some_and(|((now, _), side)| now.dot(side) < 0.0);
        if let (true, Some(bone)) = (is_against, skeleton.get(bend.middle)) {
            let middle = usize::from(bend.middle);
            let transform = Transform { rotation: bone.rest.rotation, ..local.get(middle) };
            local.set(middle, &transform);
        }
    }

    /// The side to which a limb bends: the current side, or the side in the rest pose, rotated with the root if the limb is
    /// straight or bent against its rest pose.
    fn side_of(&self, skeleton: &Skeleton, pose: &ModelPose, bend: &TwoBone) -> Option<Vec3> {
        let points = points(pose, bend);
        let now = off_line(points).filter(|(_, is_clear)| *is_clear).map(|(side, _)| side);
        let rest_pose = skeleton.rest_model_pose();
        let rotated = rotation_in(pose, bend.root) * rotation_in(&rest_pose, bend.root).inverse();
        let along = (points[2] - points[0]).try_normalize().or((points[1] - points[0]).try_normalize())?;
        let natural = self.at_rest.and_then(|(side, _)| (rotated * side).reject_from_normalized(along).try_normalize());
        match (now, natural, self.at_rest) {
            (Some(now), Some(natural), Some((_, true))) if now.dot(natural) < 0.0 => Some(natural),
            (Some(now), ..) => Some(now),
            (None, natural, _) => natural.or_else(|| Some(along.any_orthonormal_vector())),
        }
    }

    /// The pole that keeps the side of the bend while the limb swings towards a target.
    fn carried_pole(&self, skeleton: &Skeleton, local: &LocalPose, bend: &TwoBone, target: Vec3) -> Option<Vec3> {
        let pose = model_pose(skeleton, local);
        let [root, middle, end] = points(&pose, bend);
        let side = self.side_of(skeleton, &pose, bend)?;
        let now = (end - root).try_normalize().or((middle - root).try_normalize())?;
        let towards = (target - root).try_normalize().unwrap_or(now);
        let length = middle.distance(root) + end.distance(middle);
        Some(root + Quat::from_rotation_arc(now, towards) * side * length)
    }
}

/// The effort for chains. A drag solves once per frame, so it can afford many iterations.
const EFFORT: Effort = Effort { iterations: 64, tolerance: 1e-5 };

/// Rotates a bone to a rotation in model space.
pub fn rotate_to(skeleton: &Skeleton, local: &mut LocalPose, bone: BoneIndex, held: Quat) {
    let pose = model_pose(skeleton, local);
    let parent = skeleton.parent(bone).map(|parent| rotation_of_axes(pose.get(parent).to_mat4())).unwrap_or_default();
    let by = held * rotation_in(&pose, bone).inverse();
    let mut transform = local.get(usize::from(bone));
    transform.rotation = (parent.inverse() * by * parent * transform.rotation).normalize();
    if transform.rotation.is_finite() {
        local.set(usize::from(bone), &transform);
    }
}

/// The joints above an end, the nearest first, at most `max`.
fn joints_above(skeleton: &Skeleton, end: BoneIndex, max: usize) -> Vec<BoneIndex> {
    let rest = skeleton.rest_model_pose();
    if usize::from(end) >= rest.bones.len() {
        return Vec::new();
    }
    let head = |bone| rest.get(bone).translation();
    let size = rest.bones.iter().fold(0.0_f32, |max, bone| max.max(bone.translation().abs().max_element()));
    let mut joints = Vec::new();
    let mut below = end;
    for bone in skeleton.above(end) {
        if joints.len() == max || skeleton.parent(bone).is_none() {
            break;
        }
        if head(bone).distance(head(below)) > size * 1e-4 {
            joints.push(bone);
            below = bone;
        }
    }
    joints
}

fn points(pose: &ModelPose, bend: &TwoBone) -> [Vec3; 3] {
    [bend.root, bend.middle, bend.tip].map(|bone| pose.get(bone).translation())
}

/// The direction of the middle joint off the line from root to end, and whether the limb is clearly bent.
fn off_line([root, middle, end]: [Vec3; 3]) -> Option<(Vec3, bool)> {
    let along = (end - root).try_normalize().or((middle - root).try_normalize())?;
    let off = (middle - root).reject_from_normalized(along);
    let is_clear = off.length() > STRAIGHT * (middle.distance(root) + end.distance(middle));
    Some((off.try_normalize()?, is_clear))
}

/// The side to which a limb bends at rest, and whether the rest pose shows it. A limb that is straight at rest bends
/// to the front of the character if it is a leg, as a knee does, otherwise to the back, as an elbow does.
fn rest_side(model: &Model, bend: &TwoBone) -> Option<(Vec3, bool)> {
    let rest = model.skeleton.rest_model_pose();
    let points = points(&rest, bend);
    if let Some((side, true)) = off_line(points) {
        return Some((side, true));
    }
    let along = (points[2] - points[0]).try_normalize()?;
    let front = symmetry::front(model);
    let side = if is_leg(&rest, points[0], points[2]) { front } else { -front };
    Some((side.reject_from_normalized(along).try_normalize()?, false))
}

fn is_leg(rest: &ModelPose, root: Vec3, end: Vec3) -> bool {
    let heights = rest.bones.iter().map(|bone| bone.translation().y);
    let (low, high) = heights.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), y| (low.min(y), high.max(y)));
    end.y < low + (high - low) * LEG_HEIGHT && end.y < root.y
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Mat4;
    use keypose::anim::skeleton::Bone;
    use keypose::anim::skin::Skin;
    use std::sync::Arc;

    /// A limb of a skeleton alone.
    fn above(skeleton: &Skeleton, end: BoneIndex, joints: usize) -> Option<Limb> {
        let model = Model { skeleton: Arc::new(skeleton.clone()), ..Model::default() };
        Limb::above(&model, end, joints)
    }

    /// root ─ a ─ b ─ c ─ d, straight down in the middle, then a leg: hip ─ knee ─ foot, the knee bent by `bend`.
    fn skeleton(bend: f32) -> Skeleton {
        let bone = |name: &str, parent, offset: Vec3| Bone {
            name: name.into(),
            parent,
            rest: Transform::from_translation(offset),
        };
        Skeleton::new(vec![
            bone("root", None, Vec3::ZERO),
            bone("hips", Some(0), Vec3::Y),
            bone("thigh", Some(1), Vec3::new(0.1, 0.0, 0.0)),
            bone("twist", Some(2), Vec3::ZERO),
            bone("shin", Some(3), Vec3::new(0.0, -0.5, bend)),
            bone("foot", Some(4), Vec3::new(0.0, -0.45, -bend)),
        ])
        .unwrap()
    }

    #[test]
    fn a_limb_is_found_from_its_end() {
        let skeleton = skeleton(0.02);
        let bones = |end, joints| above(&skeleton, end, joints).map(|limb| limb.bones().to_vec());
        assert_eq!(bones(5, 2), Some(vec![3, 4, 5]), "the twist bone has the position of the thigh");
        assert_eq!(bones(5, 1), Some(vec![4, 5]));
        assert_eq!(bones(5, 99), Some(vec![1, 2, 3, 4, 5]), "the root moves everything and is left out");
        assert_eq!((bones(1, 2), bones(0, 2), bones(77, 2)), (None, None, None));
    }

    #[test]
    fn a_knee_never_bends_backwards() {
        for bend in [0.0, 0.02, 0.2] {
            let skeleton = skeleton(bend);
            let limb = above(&skeleton, 5, 2).unwrap();
            for target in [Vec3::new(0.1, 0.4, 0.3), Vec3::new(0.1, 0.5, -0.3), Vec3::new(0.3, 0.6, 0.1)] {
                for wrong in [0.0_f32, -0.8] {
                    let mut pose = skeleton.rest_pose();
                    let bent = Transform { rotation: Quat::from_rotation_x(wrong), ..pose.get(4) };
                    pose.set(4, &bent);
                    assert_eq!(limb.solve(&skeleton, &mut pose, target, None), Outcome::Reached);
                    let model = model_pose(&skeleton, &pose);
                    let (side, _) = off_line(points(&model, &limb.bend.unwrap())).unwrap();
                    let forwards = rotation_in(&model, 3) * Vec3::Z;
                    if bend > 0.01 || wrong == 0.0 {
                        assert!(side.dot(forwards) > 0.5, "{bend} {target} {wrong}: {side}");
                    }
                }
            }
        }
    }

    /// A character with straight legs and arms that faces some way; the last of the parts are the toes.
    fn character(faces: Quat, parts: usize) -> Model {
        let all = [
            ("thigh", 0.1, 0.0, 0.0),
            ("upper_arm", 0.2, 0.5, 0.0),
            ("shin", 0.0, -0.45, 0.0),
            ("forearm", 0.25, 0.0, 0.0),
            ("foot", 0.0, -0.45, 0.0),
            ("hand", 0.25, 0.0, 0.0),
            ("toe", 0.0, -0.05, 0.15),
        ];
        let bone = |name: String, parent, offset: Vec3| Bone {
            name,
            parent,
            rest: Transform::from_translation(faces * offset),
        };
        let mut bones = vec![bone("root".into(), None, Vec3::ZERO), bone("hips".into(), Some(0), Vec3::Y)];
        for (name, x, y, z) in all.into_iter().take(parts) {
            for (side, x) in [("L", x), ("R", -x)] {
                let parent = if bones.len() < 6 { 1 } else { bones.len() as BoneIndex - 4 };
                bones.push(bone(format!("{name}.{side}"), Some(parent), Vec3::new(x, y, z)));
            }
        }
        let inverse_binds = vec![Mat4::IDENTITY; bones.len()];
        let skin = Skin { name: "skin".into(), joints: (0..bones.len() as BoneIndex).collect(), inverse_binds };
        let skeleton = Arc::new(Skeleton::new(bones).unwrap());
        Model { skeleton, skins: vec![Arc::new(skin)], ..Model::default() }
    }

    #[test]
    fn straight_knees_bend_to_the_front_and_elbows_to_the_back_whatever_way_a_character_faces() {
        for (turn, parts) in [0.0_f32, 30.0, 90.0, 180.0, -90.0].into_iter().flat_map(|turn| [(turn, 6), (turn, 7)]) {
            let faces = Quat::from_rotation_y(turn.to_radians());
            let model = character(faces, parts);
            let rest = model.skeleton.rest_pose();
            for (end, side) in [("foot.L", 1.0), ("foot.R", 1.0), ("hand.L", -1.0), ("hand.R", -1.0)] {
                let limb = Limb::above(&model, model.skeleton.find(end).unwrap(), 2).unwrap();
                let middle = model_pose(&model.skeleton, &rest).get(limb.middle().unwrap()).translation();
                let way = limb.pole(&model.skeleton, &rest).unwrap() - middle;
                assert!(way.normalize().dot(faces * Vec3::Z) * side > 0.999, "{turn} {parts} {end}: {way}");
            }
        }
    }

    #[test]
    fn the_pole_is_on_the_side_of_the_bend_and_changes_nothing_until_it_moves() {
        let skeleton = skeleton(0.2);
        for joints in [2, 3] {
            let limb = above(&skeleton, 5, joints).unwrap();
            let mut pose = skeleton.rest_pose();
            limb.solve(&skeleton, &mut pose, Vec3::new(0.2, 0.4, 0.2), None);
            let (before, end) = (pose.clone(), model_pose(&skeleton, &pose).get(5).translation());
            let pole = limb.pole(&skeleton, &pose);
            limb.solve(&skeleton, &mut pose, end, pole);
            for bone in 0..6 {
                assert!(pose.get(bone).distance(&before.get(bone)) < 1e-3, "{joints} {bone}");
            }
        }
    }

    #[test]
    fn a_chain_bends_to_its_pole_and_stays_at_its_target() {
        let skeleton = skeleton(0.2);
        let limb = above(&skeleton, 5, 3).unwrap();
        let target = Vec3::new(0.2, 0.5, 0.2);
        let mut pose = skeleton.rest_pose();
        limb.solve(&skeleton, &mut pose, target, Some(Vec3::new(5.0, 0.5, 0.0)));
        let model = model_pose(&skeleton, &pose);
        assert!(model.get(5).translation().distance(target) < 1e-3);
        let (side, _) = off_line(points(&model, &limb.bend.unwrap())).unwrap();
        assert!(side.x > 0.8, "{side}");
    }

    #[test]
    fn what_can_not_be_reached_is_pointed_at_and_what_is_no_target_changes_nothing() {
        let skeleton = skeleton(0.02);
        for joints in 1..=3 {
            let limb = above(&skeleton, 5, joints).unwrap();
            for target in [Vec3::splat(1e4), Vec3::ZERO, Vec3::new(0.1, 1.0, 0.0), Vec3::NAN, Vec3::INFINITY] {
                let mut pose = skeleton.rest_pose();
                let outcome = limb.solve(&skeleton, &mut pose, target, None);
                assert!(pose.iter().all(|bone| bone.is_finite()), "{joints} {target}");
                assert_eq!(outcome == Outcome::Unchanged, !target.is_finite(), "{joints} {target}");
            }
        }
    }
}
