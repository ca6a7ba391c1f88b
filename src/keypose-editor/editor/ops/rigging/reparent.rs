//! Gives bones another parent: their rest and bind transforms stay in place, and so do their clips.

use std::collections::BTreeSet;
use std::sync::Arc;

use glam::Mat4;

use crate::editor::ops::rigging::keys::{in_parent, is_even, move_in_parents};
use crate::editor::ops::rigging::loose::{loosened, rebuilt};
use crate::editor::ops::rigging::name_of;
use keypose::anim::bake::measure::Reach;
use keypose::anim::clip::Clip;
use keypose::anim::key::{Channel, Ease, Key};
use keypose::anim::skeleton::{Bone, BoneIndex, Skeleton};
use keypose::anim::tangent::resolve_tangents;
use keypose::anim::time::Time;
use keypose::anim::track::Track;
use keypose::anim::transform::Transform;
use keypose::assets::model::{ClipSlot, Model};
use keypose::assets::saved_pose::SavedPose;

/// See [`BoneEdit::Reparent`](super::BoneEdit::Reparent).
pub fn reparent(model: &Model, bones: &[BoneIndex], parent: Option<BoneIndex>) -> Result<Model, String> {
    let mut changed = model.clone();
    let under = parent.map(|parent| name_of(&model.skeleton, parent)).transpose()?;
    for bone in bones {
        let name = name_of(&model.skeleton, *bone)?;
        if parent.is_some_and(|parent| model.skeleton.is_below(parent, *bone)) {
            return Err(format!("{} is below {name}, or the same bone", under.unwrap_or_default()));
        }
        // Indices change with each bone.
        let (bone, parent) = (changed.skeleton.find(name), under.and_then(|name| changed.skeleton.find(name)));
        changed = one(changed, bone.ok_or("the bone is gone")?, parent)?;
    }
    Ok(changed)
}

fn one(mut model: Model, bone: BoneIndex, parent: Option<BoneIndex>) -> Result<Model, String> {
    let skeleton = model.skeleton.clone();
    if skeleton.parent(bone) == parent {
        return Ok(model);
    }
    let chains = Chains::of(&skeleton, bone, parent);
    let rest = |bone: BoneIndex| skeleton.get(bone).map(|bone| bone.rest).unwrap_or_default();
    let new_from_old = chains.new_from_old(rest);
    let by = Transform::from_mat4(new_from_old);
    let name = name_of(&skeleton, bone)?;
    let lost = || format!("bone {name}: its new parent has a scale of 0, or a position is too large");
    if !by.is_finite() {
        return Err(lost());
    }
    let mut offsets = vec![None; skeleton.len()];
    offsets[usize::from(bone)] = Some(by);
    let animated = model.clips.iter().map(|slot| chains.followed(&skeleton, &slot.clip));
    let animated: Vec<Option<Clip>> = animated.collect::<Option<_>>().ok_or_else(lost)?;
    let posed: Vec<Option<Transform>> = model.poses.iter().map(|pose| chains.posed(&skeleton, pose)).collect();
    move_in_parents(&mut model, &offsets);
    for (at, place) in posed.into_iter().enumerate() {
        let saved = model
            .poses
            .get_mut(at)
            .map(Arc::make_mut)
            .and_then(|pose| pose.bones.iter_mut().find(|it| it.bone == name));
        if let Some((saved, place)) = saved.zip(place) {
            (saved.translation, saved.rotation, saved.scale) =
                (Some(place.translation), Some(place.rotation), Some(place.scale));
        }
    }
    for (slot, followed) in model.clips.iter_mut().zip(animated) {
        if let Some(followed) = followed {
            slot.clip = Arc::new(followed);
        }
    }
    let mut list = loosened(&skeleton);
    let moved = &mut list[usize::from(bone)];
    moved.parent = parent.map(usize::from);
    moved.rest = in_parent(&new_from_old, &moved.rest);
    rebuilt(model, &list)
}

/// The bones above a bone, as they are and as they will be, from the lowest common one down.
struct Chains {
    bone: BoneIndex,
    old: Vec<BoneIndex>,
    new: Vec<BoneIndex>,
}

impl Chains {
    fn of(skeleton: &Skeleton, bone: BoneIndex, parent: Option<BoneIndex>) -> Chains {
        let above = |bone: Option<BoneIndex>| {
            let mut chain: Vec<BoneIndex> = std::iter::successors(bone, |bone| skeleton.parent(*bone)).collect();
            chain.reverse();
            chain
        };
        let (old, new) = (above(skeleton.parent(bone)), above(parent));
        let common = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
        Chains { bone, old: old[common..].to_vec(), new: new[common..].to_vec() }
    }

    /// From the space of the old parent to that of the new one. `local` gives the transforms of bones.
    fn new_from_old(&self, local: impl Fn(BoneIndex) -> Transform) -> Mat4 {
        let product = |chain: &[BoneIndex]| {
            let matrix = |bone: &BoneIndex| local(*bone).to_mat4();
            chain.iter().map(matrix).fold(Mat4::IDENTITY, |above, local| above * local)
        };
        product(&self.new).inverse() * product(&self.old)
    }

    /// The new local transform of the bone in a saved pose; `None` if the pose lacks it.
    fn posed(&self, skeleton: &Skeleton, pose: &SavedPose) -> Option<Transform> {
        let saved = |bone: BoneIndex| pose.bones.iter().find(|saved| skeleton.find(&saved.bone) == Some(bone));
        let local = |bone: BoneIndex| {
            let mut transform = skeleton.get(bone).map(|bone| bone.rest).unwrap_or_default();
            let channels = saved(bone).map(|saved| saved.channels_on(skeleton, bone)).unwrap_or_default();
            channels.into_iter().for_each(|(channel, value)| channel.put(&mut transform, value));
            transform
        };
        saved(self.bone)?;
        let place = in_parent(&self.new_from_old(local), &local(self.bone));
        place.is_finite().then_some(place)
    }

    /// The clip with a key of the bone in every keyframe, so that it moves as before; no clip if its own keys can follow: nothing moves that
    /// it depended on or will depend on, and no scale shears it. `None` if a number is not finite.
    fn followed(&self, skeleton: &Skeleton, clip: &Clip) -> Option<Option<Clip>> {
        let involved: BTreeSet<BoneIndex> = self.old.iter().chain(&self.new).copied().collect();
        let motion = Motion::of(skeleton, clip);
        let rest = |bone: BoneIndex| skeleton.get(bone).map(|bone| bone.rest).unwrap_or_default();
        let is_sheared = !is_even(&self.new_from_old(rest));
        let leads = |bone: BoneIndex| involved.contains(&bone) || (is_sheared && bone == self.bone);
        if !motion.tracks.iter().any(|track| leads(track.bone)) {
            return Some(None);
        }
        let starts: Vec<Time> = clip.starts().collect();
        let mut followed = clip.clone();
        followed.set_delay(self.bone, Time::ZERO);
        let mut before = None;
        for (keyframe, start) in followed.keyframes.iter_mut().zip(starts) {
            let local = |bone| motion.local(bone, start);
            let place = in_parent(&self.new_from_old(local), &local(self.bone));
            let mut place = Some(place).filter(Transform::is_finite)?;
            if before.is_some_and(|before| place.rotation.dot(before) < 0.0) {
                place.rotation = -place.rotation;
            }
            before = Some(place.rotation);
            let eases = keyframe.keys.iter().filter(|key| key.bone == self.bone || involved.contains(&key.bone));
            let ease = eases.map(|key| key.ease).next().unwrap_or(Ease::Linear);
            for channel in Channel::ALL {
                keyframe.set(Key { ease, ..Key::new(self.bone, channel, channel.of(&place)) });
            }
        }
        resolve_tangents(&mut followed);
        Some(Some(followed))
    }
}

/// How a clip moves bones.
struct Motion<'a> {
    skeleton: &'a Skeleton,
    /// By bone.
    tracks: Vec<Track>,
}

impl<'a> Motion<'a> {
    fn of(skeleton: &'a Skeleton, clip: &Clip) -> Motion<'a> {
        Motion { skeleton, tracks: Track::all_of(clip) }
    }

    fn local(&self, bone: BoneIndex, time: Time) -> Transform {
        let mut transform = self.skeleton.get(bone).map(|bone| bone.rest).unwrap_or_default();
        let first = self.tracks.partition_point(|track| track.bone < bone);
        for track in self.tracks[first..].iter().take_while(|track| track.bone == bone) {
            track.channel.put(&mut transform, track.sample(time));
        }
        transform
    }

    /// The place of a bone in the space of the model.
    fn place(&self, bone: BoneIndex, time: Time) -> Mat4 {
        let chain = std::iter::successors(Some(bone), |bone| self.skeleton.parent(*bone));
        chain.fold(Mat4::IDENTITY, |below, bone| self.local(bone, time).to_mat4() * below)
    }
}

/// The bones that are at other places at rest than in the model before, or have another shape: the scale of a parent sheared them.
pub fn bones_with_other_places<'a>(before: &Model, after: &'a Model) -> Vec<&'a str> {
    let tolerance = 1e-3 * Reach::of(&before.skeleton).model_size;
    let [was, is] = [before, after].map(|model| model.skeleton.rest_model_pose());
    let moved = |(to, bone): &(BoneIndex, &Bone)| {
        let from = before.skeleton.find(&bone.name);
        from.is_some_and(|from| is_other(&was.get(from).to_mat4(), &is.get(*to).to_mat4(), tolerance))
    };
    let bones = after.skeleton.indices().zip(after.skeleton.bones()).filter(moved);
    bones.map(|(_, bone)| bone.name.as_str()).collect()
}

/// Whether a place is another one: by its origin, or by the directions and lengths of its axes.
fn is_other(was: &Mat4, is: &Mat4, tolerance: f32) -> bool {
    let is_turned = |axis| was.col(axis).distance(is.col(axis)) > 3e-3 * was.col(axis).length();
    was.w_axis.distance(is.w_axis) > tolerance || (0..3).any(is_turned)
}

/// The clips in which bones, given by their names, are at other places at a keyframe than in the model before, such as clips whose
/// layer moved a former parent.
pub fn clips_with_other_places<'a>(before: &Model, after: &'a Model, bones: &[String]) -> Vec<&'a str> {
    let tolerance = 1e-3 * Reach::of(&before.skeleton).model_size;
    let pairs: Vec<(BoneIndex, BoneIndex)> =
        bones.iter().filter_map(|name| before.skeleton.find(name).zip(after.skeleton.find(name))).collect();
    let moved = |slot: &&ClipSlot| {
        let Some(old) = before.clip(slot.id) else { return false };
        let [was, is] = [Motion::of(&before.skeleton, old), Motion::of(&after.skeleton, &slot.clip)];
        let moves = |(from, to), time| is_other(&was.place(from, time), &is.place(to, time), tolerance);
        old.starts().any(|start| pairs.iter().any(|pair| moves(*pair, start)))
    };
    after.clips.iter().filter(moved).map(|slot| slot.clip.name.as_str()).collect()
}
