//! Pinned bones: a foot stays in place while the hips move. A pin compensates for bones above its limb by rotating the
//! limb; posing a bone of the limb itself moves the foot.

use std::collections::BTreeSet;

use glam::Vec3;

use crate::editor::ops::limb::{Limb, rotate_to};
use crate::editor::ops::pose::{model_pose, rotation_in};
use crate::editor::ops::posed::Posed;
use crate::editor::session::Session;
use crate::editor::view::View;
use keypose::anim::key::Channel;
use keypose::anim::pose::{LocalPose, ModelPose};
use keypose::anim::skeleton::{BoneIndex, Skeleton};
use keypose::anim::transform::Transform;

/// A bone that moved less than this fraction of the model's size counts as unmoved.
const MAX_DRIFT: f32 = 1e-6;

/// The posed channels, and the channels that keep the pinned bones in their places in `view`.
pub fn with_pins(view: &View, session: &Session, posed: &[Posed]) -> Vec<Posed> {
    let (Some(model), false) = (&view.model, session.focus.pins.is_empty()) else { return posed.to_vec() };
    let skeleton = &*model.skeleton;
    let mut local = view.local.clone();
    put(&mut local, posed);
    let size = view.pose.bones.iter().fold(1e-6_f32, |max, bone| max.max(bone.translation().abs().max_element()));
    let mut all = posed.to_vec();
    let given: BTreeSet<BoneIndex> = posed.iter().map(|one| one.bone).collect();
    for &pin in session.focus.pins.iter().filter(|&&pin| usize::from(pin) < skeleton.len()) {
        let limb = Limb::above(model, pin, session.workspace.chain_joints);
        let own = limb.as_ref().map_or_else(|| vec![pin], |limb| limb.bones().to_vec());
        if own.iter().any(|bone| given.contains(bone)) {
            continue;
        }
        let now = model_pose(skeleton, &local);
        if is_unmoved(&view.pose, &now, pin, size) {
            continue;
        }
        let held = rotation_in(&view.pose, pin);
        let before = view.pose.get(pin).translation();
        match &limb {
            Some(limb) => {
                limb.solve_holding(skeleton, &mut local, held, before, None);
                all.extend(limb.posed(&local));
            }
            None => all.extend(restore(skeleton, &mut local, pin, before, held)),
        }
    }
    all
}

fn is_unmoved(before: &ModelPose, now: &ModelPose, pin: BoneIndex, size: f32) -> bool {
    let is_rotated = rotation_in(before, pin).dot(rotation_in(now, pin)).abs() < 1.0 - 1e-7;
    let is_moved = before.get(pin).translation().distance(now.get(pin).translation()) > size * MAX_DRIFT;
    !is_moved && !is_rotated
}

/// Restores the position and rotation of a bone without a limb.
fn restore(
    skeleton: &Skeleton,
    local: &mut LocalPose,
    bone: BoneIndex,
    at: Vec3,
    held: glam::Quat,
) -> impl Iterator<Item = Posed> + use<> {
    let now = model_pose(skeleton, local);
    let model_from_parent = skeleton.parent(bone).map(|parent| now.get(parent).to_mat4()).unwrap_or_default();
    let translation = model_from_parent.inverse().transform_point3(at);
    if translation.is_finite() {
        let transform = Transform { translation, ..local.get(usize::from(bone)) };
        local.set(usize::from(bone), &transform);
    }
    rotate_to(skeleton, local, bone, held);
    let transform = local.get(usize::from(bone));
    let channels = [Channel::Translation, Channel::Rotation];
    channels.into_iter().map(move |channel| Posed { bone, channel, value: channel.of(&transform) })
}

/// Applies channels to a pose. Leaves out bones that it lacks and values that are not finite.
pub fn put(local: &mut LocalPose, posed: &[Posed]) {
    let bones = local.len();
    for one in posed.iter().filter(|one| usize::from(one.bone) < bones && one.value.is_finite()) {
        local.put(one.bone, one.channel, one.value);
    }
}
