//! Poses of clips, in local and in model space. Clips are sampled without baking them: they change with every move of the mouse.

use std::collections::BTreeMap;

use glam::Quat;

use keypose::anim::clip::{Clip, LoopMode};
use keypose::anim::key::{Channel, Key};
use keypose::anim::nearest_keys::Way;
use keypose::anim::pose::{LocalPose, ModelPose};
use keypose::anim::skeleton::{BoneIndex, Skeleton};
use keypose::anim::time::Time;
use keypose::anim::track::Track;
use keypose::anim::transform::Transform;
use keypose::assets::draft::Draft;
use keypose::assets::model::Model;

/// Samples a clip over the rest pose.
pub fn sample(clip: &Clip, skeleton: &Skeleton, time: Time) -> LocalPose {
    let mut local = skeleton.rest_pose();
    let scalars: Vec<BoneIndex> = skeleton.scalars().iter().map(|scalar| scalar.bone).collect();
    sample_over(clip, time, &scalars, &mut local);
    local
}

/// Replaces the channels of a pose that the draft has.
pub fn apply_draft(draft: &Draft, local: &mut LocalPose) {
    let bones = local.len();
    for key in draft.keys.iter().filter(|key| usize::from(key.bone) < bones) {
        local.put(key.bone, key.channel, key.value);
    }
}

/// Converts a pose to model space.
pub fn model_pose(skeleton: &Skeleton, local: &LocalPose) -> ModelPose {
    let mut pose = ModelPose::default();
    pose.compute(skeleton, local);
    pose
}

/// The first pose of a model's first clip whose name contains the earliest possible of these words, else the rest pose.
pub fn stance(model: &Model, words: &[&str]) -> ModelPose {
    let named = |word: &&str| model.clips.iter().find(|slot| slot.clip.name.to_lowercase().contains(word));
    match words.iter().find_map(named) {
        Some(slot) => model_pose(&model.skeleton, &sample(&slot.clip, &model.skeleton, Time::ZERO)),
        None => model.skeleton.rest_model_pose(),
    }
}

/// The rotation of a bone in model space.
pub fn rotation_in(pose: &ModelPose, bone: BoneIndex) -> Quat {
    Transform::from_mat4(pose.get(bone).to_mat4()).rotation
}

/// Samples every keyed channel of a clip over `pose`, which has the rest pose. Time is clamped to the clip. Ignores keys
/// of bones that the pose lacks; `scalars` has the bones of its scalars. Looks outwards from the time, until each channel has the
/// keys that decide its value.
fn sample_over(clip: &Clip, time: Time, scalars: &[BoneIndex], pose: &mut LocalPose) {
    let (keyframes, length) = (&clip.keyframes, clip.length());
    let time = time.clamp(Time::ZERO, length);
    let Some((here, start)) = keyframes.containing(time) else { return };
    let mut channels = channels_of(pose.len(), scalars);
    let mut track = Track { bone: 0, channel: Channel::Translation, keys: Vec::with_capacity(2), seam: None };
    let mut put = |keys: &[(Time, Key)], seam: Option<Time>| {
        let Some((_, key)) = keys.first() else { return };
        (track.bone, track.channel) = key.address();
        track.seam = seam;
        track.keys.clear();
        track.keys.extend_from_slice(keys);
        pose.put(track.bone, track.channel, track.sample(time));
    };
    if start == time {
        // A key here decides alone.
        let mut is_set = vec![false; channels.len()];
        keyframes[here].find_channels(&channels, |channel, key| {
            is_set[channel] = true;
            put(&[(start, keyframes[here].keys[key])], None);
        });
        let mut is_set = is_set.into_iter();
        channels.retain(|_| is_set.next() == Some(false));
    }
    let seam = (clip.loop_mode == LoopMode::Loop).then_some(length);
    let mut starts = BTreeMap::new();
    for places in decisive(clip, here, &channels) {
        let mut timed = |(at, key): Place| {
            let start = *starts.entry(at).or_insert_with(|| keyframes.start_of(at));
            (start, keyframes[at].keys[key])
        };
        match places {
            [Some(a), Some(b)] if a != b => put(&[timed(a.min(b)), timed(a.max(b))], seam),
            [Some(one), _] | [None, Some(one)] => put(&[timed(one)], seam),
            [None, None] => {}
        }
    }
    if clip.delays.is_empty() {
        return;
    }
    let bones = pose.len();
    for track in Track::delayed(clip) {
        let is_scalar = track.channel.scalar().map(|scalar| usize::from(scalar) < scalars.len());
        if is_scalar.unwrap_or(usize::from(track.bone) < bones) {
            pose.put(track.bone, track.channel, track.sample(time));
        }
    }
}

/// All channels of a pose with this many bones, and with scalars of these bones, sorted.
fn channels_of(bones: usize, scalars: &[BoneIndex]) -> Vec<(BoneIndex, Channel)> {
    let of_bones = (0..bones as BoneIndex).flat_map(|bone| Channel::ALL.map(|channel| (bone, channel)));
    let of_scalars = scalars.iter().zip(0..).map(|(bone, at)| (*bone, Channel::Scalar(at)));
    let mut channels: Vec<_> = of_bones.chain(of_scalars).collect();
    channels.sort_unstable();
    channels
}

/// A keyframe, and the index of a key in it.
type Place = (usize, usize);

/// For each channel, the last key up to a keyframe and the first behind it. In a loop the last key is before the first one, which is
/// behind it.
fn decisive(clip: &Clip, here: usize, channels: &[(BoneIndex, Channel)]) -> Vec<[Option<Place>; 2]> {
    let (before, after) = (0..here + 1, here + 1..clip.keyframes.len());
    let nearest = |way: Way, channels: &[(BoneIndex, Channel)]| {
        let mut places = vec![None; channels.len()];
        clip.keyframes.nearest_keys(way, 1, channels, |channel, at, key| places[channel] = Some((at, key)));
        places
    };
    let sides = [nearest(Way::Back(before.clone()), channels), nearest(Way::Forth(after.clone()), channels)];
    let mut places: Vec<[Option<Place>; 2]> = sides[0].iter().zip(&sides[1]).map(|(a, b)| [*a, *b]).collect();
    if clip.loop_mode == LoopMode::Loop {
        for (side, way) in [(0, Way::Back(after)), (1, Way::Forth(before))] {
            let is_lost = |places: &[Option<Place>; 2]| places[side].is_none() && places[1 - side].is_some();
            let lost: Vec<usize> = (0..channels.len()).filter(|&at| is_lost(&places[at])).collect();
            let found = nearest(way, &lost.iter().map(|&at| channels[at]).collect::<Vec<_>>());
            lost.into_iter().zip(found).for_each(|(at, place)| places[at][side] = place);
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;
    use keypose::anim::clip::Keyframe;
    use keypose::anim::key::Ease;

    /// Keyframes in which each bone is keyed at its own interval, or once, near the end or the start; the last bone never.
    fn clip(loop_mode: LoopMode, count: usize) -> Clip {
        let key = |bone: u16, at: usize| {
            let turn = Quat::from_rotation_x((at * 7 + usize::from(bone)) as f32);
            let ease = Ease::ALL[(at + usize::from(bone)) % Ease::ALL.len()];
            [Key { ease, ..Key::rotation(bone, turn) }, Key { ease, ..Key::scale(bone, Vec3::splat(at as f32)) }]
        };
        let is_keyed = |bone: u16, at: usize| match bone {
            0..4 => at % (usize::from(bone) + 1) == usize::from(bone) / 2,
            4 => at + 2 == count,
            5 => at == 1,
            _ => at % 40 == 7,
        };
        let keyframe = |at: usize| {
            let bones = (0..9_u16).filter(|bone| is_keyed(*bone, at));
            Keyframe { duration: Time(10), keys: bones.flat_map(|bone| key(bone, at)).collect(), ..Keyframe::default() }
        };
        Clip { keyframes: (0..count).map(keyframe).collect(), loop_mode, ..Clip::new("test") }
    }

    #[test]
    fn a_sample_is_that_of_the_tracks() {
        for (loop_mode, count) in LoopMode::ALL.into_iter().flat_map(|mode| [(mode, 7), (mode, 1), (mode, 150)]) {
            let clip = clip(loop_mode, count);
            for time in (-5..count as i64 * 10 + 10).step_by(1 + count / 50) {
                let mut expected = LocalPose::identity(8);
                for track in Track::all_of(&clip).iter().filter(|track| track.bone < 8) {
                    let mut transform = expected.get(usize::from(track.bone));
                    track.channel.put(&mut transform, track.sample(Time(time).clamp(Time::ZERO, clip.length())));
                    expected.set(usize::from(track.bone), &transform);
                }
                let mut pose = LocalPose::identity(8);
                sample_over(&clip, Time(time), &[], &mut pose);
                assert_eq!(pose, expected, "{loop_mode:?} at {time}");
            }
        }
    }
}
