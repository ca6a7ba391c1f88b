//! The pose library: taking a pose out of the picture, and putting one back, in part or mirrored. Poses in, channels out.

use std::sync::Arc;

use glam::{Quat, Vec4};

use crate::anim::key::Channel;
use crate::anim::skeleton::BoneIndex;
use crate::assets::model::Model;
use crate::assets::project::unique_name;
use crate::assets::saved_pose::{SavedBone, SavedPose};
use crate::editor::ops::mirror::Pairs;
use crate::editor::ops::posed::Posed;
use crate::editor::posing::mixing::blend;
use crate::editor::session::Session;
use crate::editor::session::clipboard::Side;
use crate::editor::view::View;

/// What is done to the library. Places count from 0.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum PoseEdit {
    /// Keeps the pose of the selected bones, of all where none is selected; without a name it gets one.
    Save(Option<String>),
    /// Puts a pose on the selected bones, on all where none is selected, by so much of the way, 0 to 1.
    Apply {
        at: usize,
        side: Side,
        amount: f32,
    },
    Rename {
        at: usize,
        name: String,
    },
    /// The pose on screen takes the place of the one that was kept; its bones stay the same.
    Update(usize),
    Delete(usize),
    /// To a place of the list as it is without the pose.
    Move {
        from: usize,
        to: usize,
    },
}

/// A pose put on, by some of the way: what [`crate::editor::posing::change::Change::Saved`] carries.
#[derive(Clone, Debug, PartialEq)]
pub struct Applied {
    /// Which.
    pub pose: Arc<SavedPose>,
    /// As it was kept or mirrored.
    pub side: Side,
    /// 0 leaves the pose in hand, 1 is the saved one.
    pub amount: f32,
}

/// The pose of the selected bones (of all where none is selected), by the key mask.
pub fn captured(view: &View, session: &Session) -> Vec<SavedBone> {
    let Some(model) = &view.model else { return Vec::new() };
    let meant = |bone: &BoneIndex| session.focus.selection.bones.is_empty() || session.focus.selection.has_bone(*bone);
    let bones = model.skeleton.indices().filter(meant).filter(|&bone| usize::from(bone) < view.local.len());
    let mask = session.workspace.key_mask;
    let saved = bones.filter_map(|bone| {
        let local = view.local.get(usize::from(bone));
        Some(SavedBone {
            bone: model.skeleton.get(bone)?.name.clone(),
            translation: mask.translation.then_some(local.translation),
            rotation: mask.rotation.then_some(local.rotation),
            scale: mask.scale.then_some(local.scale),
        })
    });
    saved.filter(|bone| bone.channels().next().is_some()).collect()
}

/// A saved pose's own bones as they stand on screen, in the channels that it sets. Bones that are gone stay as they are.
pub fn captured_again(view: &View, pose: &SavedPose) -> Vec<SavedBone> {
    let again = |saved: &SavedBone| {
        let bone = view.model.as_ref().and_then(|model| model.skeleton.find(&saved.bone));
        let Some(bone) = bone.filter(|&bone| usize::from(bone) < view.local.len()) else { return saved.clone() };
        let local = view.local.get(usize::from(bone));
        SavedBone {
            bone: saved.bone.clone(),
            translation: saved.translation.map(|_| local.translation),
            rotation: saved.rotation.map(|_| local.rotation),
            scale: saved.scale.map(|_| local.scale),
        }
    };
    pose.bones.iter().map(again).collect()
}

/// A name for the next pose that is kept: "pose 1", "pose 2" …
pub fn next_name(model: &Model) -> String {
    let taken = |name: &str| model.poses.iter().any(|pose| pose.name == name);
    let numbered = (model.poses.len() + 1..).map(|number| format!("pose {number}"));
    numbered.into_iter().find(|name| !taken(name)).unwrap_or_else(|| unique_name("pose", taken))
}

/// The channels that a saved pose sets, on its own side or mirrored. Bones that the model lacks are left out.
pub fn channels(view: &View, pose: &SavedPose, side: Side) -> Vec<Posed> {
    let Some(model) = &view.model else { return Vec::new() };
    let of_bone = |saved: &SavedBone| {
        let bone = model.skeleton.find(&saved.bone);
        let channels: Vec<(Channel, Vec4)> = saved.channels().collect();
        bone.into_iter().flat_map(move |bone| {
            channels.clone().into_iter().map(move |(channel, value)| Posed { bone, channel, value })
        })
    };
    let own: Vec<Posed> = pose.bones.iter().flat_map(of_bone).collect();
    match side {
        Side::Same => own,
        Side::Mirrored => Pairs::of_model(model).mirrored_channels(&model.skeleton, &view.local, &own),
    }
}

/// The pose in hand with a saved one put over it: the selected bones (all where none is selected), by some of the way.
pub fn applied(view: &View, session: &Session, applied: &Applied) -> Vec<Posed> {
    let meant = |one: &Posed| session.focus.selection.bones.is_empty() || session.focus.selection.has_bone(one.bone);
    let amount = if applied.amount.is_finite() { applied.amount.clamp(0.0, 1.0) } else { 0.0 };
    let towards = |one: Posed| {
        let here = one.channel.of(&view.local.get(usize::from(one.bone)));
        let to = nearest(one.channel, here, one.value);
        let value = if amount == 1.0 { to } else { blend(one.channel, here, to, amount) };
        Posed { value, ..one }
    };
    let all = channels(view, &applied.pose, applied.side).into_iter();
    all.filter(|one| usize::from(one.bone) < view.local.len()).filter(meant).map(towards).collect()
}

/// Of a rotation's two quaternions the one on this side.
fn nearest(channel: Channel, here: Vec4, value: Vec4) -> Vec4 {
    match channel {
        Channel::Rotation if Quat::from_vec4(here).dot(Quat::from_vec4(value)) < 0.0 => -value,
        _ => value,
    }
}
