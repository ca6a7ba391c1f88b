//! A model as [`anim::ik::body`](crate::anim::ik::body) poses it: its joints with their stiffness and limits, its masses, and the feet on
//! which it stands. A humanoid without limits of its own has those of a person.

use std::collections::{BTreeMap, BTreeSet};

use glam::{Vec2, Vec3};

use crate::anim::ik::Outcome;
use crate::anim::ik::body::{Body, Goal, Joint, Task, solve};
use crate::anim::ik::limit::Limit;
use crate::anim::pose::{LocalPose, ModelPose};
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::anim::time::Time;
use crate::assets::bone_match::parts_of;
use crate::assets::combat::Lanes;
use crate::assets::model::Model;
use crate::balance::{Balance, hull};
use crate::joint_limits::propose;

/// The compliance of a bone that is pulled, in sizes of the body: it lags behind the mouse by a few thousandths, and limbs straighten
/// without a snap.
const PULL: f32 = 4e-4;
/// The compliance of the head's rotation, which looks where it looked.
const GAZE: f32 = 1e-2;
/// A pinned hand that is this near to the pulled one, in heights of the body, holds what that one holds.
const GRIP: f32 = 0.2;
/// The part of the support polygon over which the centre of mass stays.
const INNER: f32 = 0.7;
/// Stiffness of joints by the part of the body, and of the carrier to moving.
const STIFFNESS: [(&str, f32); 6] =
    [("hips", 10.0), ("spine", 5.0), ("clavicle", 6.0), ("neck", 3.0), ("head", 3.0), ("wrist", 1.5)];
const CARRIER: f32 = 6.0;

/// A bone that stays, in model space or, as a hand on a sword, in the space of another bone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pin {
    /// The bone that stays.
    pub bone: BoneIndex,
    /// The bone with which it moves.
    pub of: Option<BoneIndex>,
}

/// A bone that is pulled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pull {
    /// The bone that follows the mouse.
    pub bone: BoneIndex,
    /// Where it should be, from where it was, in model space.
    pub offset: Vec3,
    /// Whether it keeps its rotation in model space.
    pub keeps_rotation: bool,
}

/// A model in the pose in which a drag began.
#[derive(Clone, Debug)]
pub struct WholeBody {
    start: LocalPose,
    at_start: ModelPose,
    body: Body,
    pins: Vec<Pin>,
    head: Option<BoneIndex>,
    support: Vec<Vec2>,
}

/// How the model stands: its masses and its contacts.
#[derive(Clone, Copy, Debug)]
pub struct Stand<'a> {
    /// Masses and feet.
    pub balance: &'a Balance,
    /// The lanes of the clip, with its contacts.
    pub lanes: &'a Lanes,
    /// The time in the clip.
    pub time: Time,
}

impl WholeBody {
    /// A model of which some bones are pulled. Pins, and the feet on which it stands, stay; the pulled ones don't. `None` if no joint is above
    /// the pulled bones.
    pub fn new(
        model: &Model,
        start: &LocalPose,
        stand: &Stand<'_>,
        pulled: &[BoneIndex],
        pins: &[BoneIndex],
    ) -> Option<WholeBody> {
        let skeleton = &*model.skeleton;
        let mut at_start = ModelPose::default();
        at_start.compute_portable(skeleton, start);
        let parts = parts_of(model.into());
        let part = |bone: BoneIndex| parts[usize::from(bone)].as_deref().unwrap_or("");
        let mut all: Vec<Pin> = pins
            .iter()
            .filter(|pin| !pulled.contains(pin))
            .map(|&bone| Pin { bone, of: held_by(skeleton, &at_start, bone, pulled, part, stand.balance.height) })
            .collect();
        let standing = stand.balance.standing(&at_start, stand.lanes, stand.time);
        let stays = |foot: &BoneIndex| !pulled.iter().any(|&bone| skeleton.is_below(bone, *foot));
        all.extend(standing.into_iter().filter(stays).map(|bone| Pin { bone, of: None }));
        all.sort();
        all.dedup_by_key(|pin| pin.bone);
        let head = skeleton.indices().find(|&bone| part(bone).trim() == "head").filter(|head| !pulled.contains(head));
        let ends: BTreeSet<BoneIndex> =
            pulled.iter().copied().chain(all.iter().map(|pin| pin.bone)).chain(head).collect();
        let limbs: Vec<BoneIndex> = skeleton.indices().filter(|&bone| part(bone).ends_with("upper leg")).collect();
        let carrier = carrier(skeleton, if limbs.len() > 1 { &limbs } else { &[] }, &ends)?;
        let joints = joints(model, &at_start, carrier, &ends, part);
        if !joints.iter().any(|joint| pulled.iter().any(|&bone| skeleton.is_below(bone, joint.bone))) {
            return None;
        }
        let stance = stand.balance.stance(&at_start, stand.lanes, stand.time);
        Some(WholeBody {
            start: start.clone(),
            body: Body {
                carrier,
                stiffness: CARRIER,
                size: stand.balance.height.max(1e-6),
                joints,
                masses: stand.balance.masses().collect(),
            },
            support: inner(&stance.support, Vec2::new(stance.centre.x, stance.centre.z)),
            pins: all,
            head,
            at_start,
        })
    }

    /// The joints that rotate; the first one may move as well.
    pub fn joints(&self) -> &[Joint] {
        &self.body.joints
    }

    /// The bone that moves with all others.
    pub fn carrier(&self) -> BoneIndex {
        self.body.carrier
    }

    /// The pins, and the feet on which it stands.
    pub fn pins(&self) -> &[Pin] {
        &self.pins
    }

    /// The pose in which the drag began.
    pub fn start(&self) -> &LocalPose {
        &self.start
    }

    /// The pose after a pull. The same pull gives the same pose.
    pub fn pulled(&self, skeleton: &Skeleton, pulls: &[Pull], pose: &mut LocalPose) -> Outcome {
        let place = |bone: BoneIndex| self.at_start.get(bone).translation();
        let pulled = pulls.iter().map(|pull| Task {
            bone: pull.bone,
            of: None,
            place: Some(place(pull.bone) + pull.offset),
            keeps_rotation: pull.keeps_rotation,
            compliance: PULL,
        });
        let pinned = self.pins.iter().filter_map(|pin| self.pinned(pin));
        let gaze = self.head.map(|bone| Task { bone, of: None, place: None, keeps_rotation: true, compliance: GAZE });
        if pulls.iter().all(|pull| pull.offset == Vec3::ZERO) {
            pose.copy_from(&self.start);
            return Outcome::Reached;
        }
        let goal = Goal { tasks: pulled.chain(pinned).chain(gaze).collect(), support: self.support.clone() };
        solve(skeleton, &self.start, &self.body, &goal, pose)
    }

    fn pinned(&self, pin: &Pin) -> Option<Task> {
        let space = pin.of.map_or(glam::Mat4::IDENTITY, |of| self.at_start.get(of).to_mat4());
        let place = space.inverse().transform_point3(self.at_start.get(pin.bone).translation());
        let pinned = Task { bone: pin.bone, of: pin.of, place: Some(place), keeps_rotation: true, compliance: 0.0 };
        place.is_finite().then_some(pinned)
    }
}

/// The hand with which a pinned hand moves: the pulled one, or the one whose sword is pulled, if both are near each other.
fn held_by<'p>(
    skeleton: &Skeleton,
    pose: &ModelPose,
    pinned: BoneIndex,
    pulled: &[BoneIndex],
    part: impl Fn(BoneIndex) -> &'p str,
    height: f32,
) -> Option<BoneIndex> {
    let is_hand = |bone: &BoneIndex| part(*bone).ends_with("wrist");
    let hand = |bone: BoneIndex| std::iter::successors(Some(bone), |&bone| skeleton.parent(bone)).find(is_hand);
    let place = |bone: BoneIndex| pose.get(bone).translation();
    let is_near = |bone: &BoneIndex| *bone != pinned && place(*bone).distance(place(pinned)) < GRIP * height;
    pulled.iter().filter_map(|&bone| hand(bone)).find(is_near).filter(|_| is_hand(&pinned))
}

/// The lowest bone above all limbs or, without them, above all ends.
fn carrier(skeleton: &Skeleton, limbs: &[BoneIndex], ends: &BTreeSet<BoneIndex>) -> Option<BoneIndex> {
    let all: Vec<BoneIndex> = if limbs.is_empty() { ends.iter().copied().collect() } else { limbs.to_vec() };
    let first = *all.first()?;
    let above = |bone: &BoneIndex| all.iter().all(|&end| skeleton.is_below(end, *bone));
    std::iter::successors(Some(first), |&bone| skeleton.parent(bone)).find(above)
}

/// The joints between the carrier and the ends. Bones at the place of the next one, such as twist bones, keep their pose.
fn joints<'p>(
    model: &Model,
    pose: &ModelPose,
    carrier: BoneIndex,
    ends: &BTreeSet<BoneIndex>,
    part: impl Fn(BoneIndex) -> &'p str,
) -> Vec<Joint> {
    let skeleton = &*model.skeleton;
    let mut limits: BTreeMap<BoneIndex, Limit> = BTreeMap::new();
    let proposed = propose(model);
    limits.extend(proposed.iter().filter_map(|(name, limit)| Some((skeleton.find(name)?, *limit))));
    limits.extend(model.rig.limits_of(skeleton));
    let size = pose.bones.iter().fold(1e-6_f32, |max, bone| max.max(bone.translation().abs().max_element()));
    let mut bones: BTreeSet<BoneIndex> = BTreeSet::from([carrier]);
    for &end in ends.iter().filter(|&&end| end != carrier && skeleton.is_below(end, carrier)) {
        bones.insert(end);
        let mut below = end;
        for bone in skeleton.above(end) {
            let apart = pose.get(bone).translation().distance(pose.get(below).translation());
            if bone != carrier && apart > size * 1e-4 {
                bones.insert(bone);
                below = bone;
            }
            if bone == carrier {
                break;
            }
        }
    }
    let stiffness = |bone: BoneIndex| {
        let known = STIFFNESS.iter().find(|(name, _)| part(bone).contains(name)).map(|(_, stiffness)| *stiffness);
        if bone == carrier { STIFFNESS[0].1 } else { known.unwrap_or(1.0) }
    };
    let joint = |bone: BoneIndex| {
        let limit = limits.get(&bone).copied().filter(|_| bone != carrier);
        Joint { bone, stiffness: stiffness(bone), limit }
    };
    bones.into_iter().map(joint).collect()
}

/// The support polygon without its rim, but with the centre of mass of the start, which may stay where it is.
fn inner(support: &[Vec2], centre: Vec2) -> Vec<Vec2> {
    if support.is_empty() {
        return Vec::new();
    }
    let middle = support.iter().sum::<Vec2>() / support.len() as f32;
    hull(support.iter().map(|corner| middle + (*corner - middle) * INNER).chain([centre]).collect())
}
