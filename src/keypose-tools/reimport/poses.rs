//! Saved poses of a model: they follow the bones and weights of a re-import, as drafts do.

use std::sync::Arc;

use glam::Quat;

use crate::anim::key::{Channel, Key};
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::assets::model::Model;
use crate::assets::saved_pose::SavedBone;
use crate::reimport::merge::Merged;

/// Brings the saved poses of the model before to the merged skeleton, except the names of bones. What it lacks stays: a pose is for other
/// models, too.
pub fn keep(model: &mut Model, before: &Skeleton, merged: &Merged) {
    for pose in model.poses.iter_mut() {
        let follow = |saved: &SavedBone| {
            before.find(&saved.bone).map_or_else(|| saved.clone(), |bone| followed(saved, before, merged, bone))
        };
        let bones: Vec<SavedBone> = pose.bones.iter().map(follow).collect();
        if bones != pose.bones {
            Arc::make_mut(pose).bones = bones;
        }
    }
}

fn followed(saved: &SavedBone, before: &Skeleton, merged: &Merged, bone: BoneIndex) -> SavedBone {
    let mut new = saved.clone();
    for (channel, value) in saved.channels_on(before, bone) {
        let Some(key) = merged.key_of_before(&Key::new(bone, channel, value)) else { continue };
        match channel {
            Channel::Translation => new.translation = Some(key.value.truncate()),
            Channel::Rotation => new.rotation = Some(Quat::from_vec4(key.value).normalize()),
            Channel::Scale => new.scale = Some(key.value.truncate()),
            Channel::Scalar(_) => (),
        }
    }
    for (name, _) in &mut new.scalars {
        let found = before.find_scalar(bone, name).and_then(|scalar| merged.scalar_of_before(scalar));
        if let Some(scalar) = found.and_then(|scalar| merged.skeleton.scalar(scalar)) {
            name.clone_from(&scalar.name);
        }
    }
    new
}
