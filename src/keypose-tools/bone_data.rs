//! Data of bones that follows when they change: keys of clips and drafts, saved poses, and points in the spaces of bones. Skins, meshes and
//! sockets are left out.

use std::sync::Arc;

use glam::{Mat4, Quat, Vec3, Vec4};

use crate::anim::clip::{Clip, Keyframe};
use crate::anim::key::{BoneIndex, Key};
use crate::assets::combat::Volume;
use crate::assets::id::ClipId;
use crate::assets::model::Model;
use crate::assets::saved_pose::SavedBone;
use crate::assets::spring_notes::SpringTip;

/// Replaces the keys of all clips and drafts, or removes those for which there is none.
pub fn change_keys(model: &mut Model, change: impl Fn(&Key) -> Option<Key>) {
    change_keys_of(model, |_| true, change);
}

/// As [`change_keys`], of some clips, of their drafts and of drafts without a clip.
pub fn change_keys_of(model: &mut Model, has: impl Fn(ClipId) -> bool, change: impl Fn(&Key) -> Option<Key>) {
    for slot in model.clips.iter_mut().filter(|slot| has(slot.id)) {
        change_clip(&mut slot.clip, &change);
    }
    for draft in model.drafts.iter_mut().filter(|draft| draft.clip.is_none_or(&has)) {
        draft.keys = sorted(draft.keys.iter().filter_map(&change));
    }
    model.drafts.retain(|draft| !draft.keys.is_empty());
}

/// Replaces the keys of a clip and moves its delays along, or removes those for which there is none. Keyframes without a change are shared.
pub fn change_clip(clip: &mut Arc<Clip>, change: impl Fn(&Key) -> Option<Key>) {
    let is_changed =
        clip.keyframes.iter().flat_map(|keyframe| keyframe.keys.iter()).any(|key| change(key) != Some(*key));
    if !clip.delays.is_empty() {
        Arc::make_mut(clip).move_delays(&change);
    }
    if !is_changed {
        return;
    }
    let keyframe = |keyframe: &Keyframe| {
        let keys = sorted(keyframe.keys.iter().filter_map(&change));
        if keys == **keyframe.keys { keyframe.clone() } else { Keyframe { keys: keys.into(), ..keyframe.clone() } }
    };
    let keyframes = clip.keyframes.iter().map(keyframe).collect();
    Arc::make_mut(clip).keyframes = keyframes;
}

/// Of several keys with one address, the first stays.
fn sorted(keys: impl Iterator<Item = Key>) -> Vec<Key> {
    let mut keys: Vec<Key> = keys.collect();
    keys.sort_by_key(Key::address);
    keys.dedup_by_key(|key| key.address());
    keys
}

/// Changes bones of saved poses.
pub fn change_saved_bones(model: &mut Model, change: impl Fn(&mut SavedBone)) {
    for pose in model.poses.iter_mut() {
        let mut bones = pose.bones.clone();
        bones.iter_mut().for_each(&change);
        if bones != pose.bones {
            Arc::make_mut(pose).bones = bones;
        }
    }
}

/// The saved pose of a bone, changed as keys of the bone are. Values without a key, and scalars, stay.
pub fn moved_saved(saved: &SavedBone, bone: BoneIndex, change: impl Fn(&Key) -> Option<Key>) -> SavedBone {
    let value = |key: Key| change(&key).map(|key| key.value);
    let rotated = |value: Vec4| Quat::from_vec4(value).normalize();
    SavedBone {
        translation: saved.translation.map(|old| value(Key::translation(bone, old)).map_or(old, Vec4::truncate)),
        rotation: saved.rotation.map(|old| value(Key::rotation(bone, old)).map_or(old, rotated)),
        scale: saved.scale.map(|old| value(Key::scale(bone, old)).map_or(old, Vec4::truncate)),
        ..saved.clone()
    }
}

/// Moves points in the spaces of bones: ends of volumes and colliders, tips of springs. `new_from_old` is from the space of a bone before, by
/// its name, to the one after; `None` if its points stay.
pub fn move_points(model: &mut Model, new_from_old: impl Fn(&str) -> Option<Mat4>) {
    let moved = |bone: &str, point: Vec3| new_from_old(bone).map_or(point, |matrix| matrix.transform_point3(point));
    let place = |volume: &mut Volume| {
        volume.from = moved(&volume.bone, volume.from);
        volume.to = moved(&volume.bone, volume.to);
    };
    if model.combat.bones().into_iter().any(|bone| new_from_old(bone).is_some()) {
        model.combat_mut().volumes_mut().for_each(place);
    }
    model.rig.springs.colliders.iter_mut().for_each(place);
    for (bone, spring) in &mut model.rig.springs.bones {
        if let SpringTip::Point(point) = &mut spring.tip {
            *point = moved(bone, *point);
        }
    }
}
