//! The pose library: saving the current pose, and applying a saved one partly or mirrored.

use std::sync::Arc;

use glam::{Quat, Vec4};

use crate::editor::ops::mirror::Pairs;
use crate::editor::ops::posed::Posed;
use crate::editor::posing::mixing::blend;
use crate::editor::session::Session;
use crate::editor::session::clipboard::Side;
use crate::editor::view::View;
use keypose::anim::key::Channel;
use keypose::anim::skeleton::{BoneIndex, Skeleton};
use keypose::assets::model::Model;
use keypose::assets::project::unique_name;
use keypose::assets::saved_pose::{SavedBone, SavedPose};

/// An edit of the pose library. Indices count from 0.
#[derive(Clone, Debug, PartialEq)]
pub enum LibraryAction {
    /// Saves the pose of the selected bones, or of all if none is selected. `None` chooses a name.
    Save(Option<String>),
    /// Applies a pose to those of its bones that are selected, or to all if none of them is. `amount` is from 0 to 1.
    Apply { at: usize, side: Side, amount: f32 },
    /// A taken or empty name is an error.
    Rename { at: usize, name: String },
    /// Replaces a saved pose by the current one; it keeps its bones.
    Update(usize),
    /// The poses after it move up.
    Delete(usize),
    /// `to` is an index of the list without the moved pose.
    Move { from: usize, to: usize },
}

/// A saved pose that is applied.
#[derive(Clone, Debug, PartialEq)]
pub struct AppliedPose {
    /// The saved pose.
    pub pose: Arc<SavedPose>,
    /// Whether it is mirrored.
    pub side: Side,
    /// From 0, the current pose, to 1, the saved one.
    pub amount: f32,
}

/// The current pose of the selected bones, or of all if none is selected, limited to the key mask.
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
            scalars: if mask.scalars { scalars_of(view, &model.skeleton, bone) } else { Vec::new() },
        })
    });
    saved.filter(|bone| !bone.is_empty()).collect()
}

/// The weights, properties and visibilities of a bone by their names, as they are on screen.
fn scalars_of(view: &View, skeleton: &Skeleton, bone: BoneIndex) -> Vec<(String, f32)> {
    skeleton.scalars_of(bone).map(|(at, scalar)| (scalar.name.clone(), view.local.scalar(at))).collect()
}

/// The bones and channels of a saved pose with their current values. Bones that the model lacks keep their values.
pub fn recaptured(view: &View, pose: &SavedPose) -> Vec<SavedBone> {
    let again = |saved: &SavedBone| {
        let found = view.model.as_ref().and_then(|model| Some((&model.skeleton, model.skeleton.find(&saved.bone)?)));
        let found = found.filter(|(_, bone)| usize::from(*bone) < view.local.len());
        let Some((skeleton, bone)) = found else { return saved.clone() };
        let now = |(name, before): &(String, f32)| {
            let value = skeleton.find_scalar(bone, name).map_or(*before, |scalar| view.local.scalar(scalar));
            (name.clone(), value)
        };
        let local = view.local.get(usize::from(bone));
        SavedBone {
            bone: saved.bone.clone(),
            translation: saved.translation.map(|_| local.translation),
            rotation: saved.rotation.map(|_| local.rotation),
            scale: saved.scale.map(|_| local.scale),
            scalars: saved.scalars.iter().map(now).collect(),
        }
    };
    pose.bones.iter().map(again).collect()
}

/// The default name of the next saved pose: "pose 1", "pose 2" …
pub fn next_name(model: &Model) -> String {
    let taken = |name: &str| model.poses.iter().any(|pose| pose.name == name);
    let numbered = (model.poses.len() + 1..).map(|number| format!("pose {number}"));
    numbered.into_iter().find(|name| !taken(name)).unwrap_or_else(|| unique_name("pose", taken))
}

/// The channels of a saved pose, mirrored if `side` says so. Leaves out bones that the model lacks.
pub fn channels(view: &View, pose: &SavedPose, side: Side) -> Vec<Posed> {
    let Some(model) = &view.model else { return Vec::new() };
    let of_bone = |saved: &SavedBone| {
        let bone = model.skeleton.find(&saved.bone);
        let channels = bone.map(|bone| (bone, saved.channels_on(&model.skeleton, bone)));
        channels.into_iter().flat_map(|(bone, channels)| {
            channels.into_iter().map(move |(channel, value)| Posed { bone, channel, value })
        })
    };
    let own: Vec<Posed> = pose.bones.iter().flat_map(of_bone).collect();
    match side {
        Side::Same => own,
        Side::Mirrored => Pairs::of_model(model).mirrored_channels(&model.skeleton, &view.local, &own),
    }
}

/// The channels of a saved pose, of its selected bones or of all if none of them is selected, with the pose on screen blended towards them.
pub fn applied(view: &View, session: &Session, applied: &AppliedPose) -> Vec<Posed> {
    let amount = if applied.amount.is_finite() { applied.amount.clamp(0.0, 1.0) } else { 0.0 };
    let towards = |one: Posed| {
        let here = view.local.value(one.bone, one.channel);
        let to = nearest(one.channel, here, one.value);
        let value = if amount == 1.0 { to } else { blend(one.channel, here, to, amount) };
        Posed { value, ..one }
    };
    let mut meant = channels(view, &applied.pose, applied.side);
    meant.retain(|one| usize::from(one.bone) < view.local.len());
    let is_selected = |one: &Posed| session.focus.selection.has_bone(one.bone);
    if meant.iter().any(is_selected) {
        meant.retain(is_selected);
    }
    meant.into_iter().map(towards).collect()
}

/// Of the two quaternions of a rotation, the one nearer to `here`.
fn nearest(channel: Channel, here: Vec4, value: Vec4) -> Vec4 {
    match channel {
        Channel::Rotation if Quat::from_vec4(here).dot(Quat::from_vec4(value)) < 0.0 => -value,
        _ => value,
    }
}
