//! Poses of clips, in local and in model space. Clips are sampled without baking them: they change with every move of the mouse.

use glam::Quat;

use keypose::anim::clip::{Clip, LoopMode};
use keypose::anim::key::{Channel, Key};
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
    sample_over(clip, time, &mut local);
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

/// The keys of a channel that decide its value at one time.
#[derive(Clone, Copy, Default)]
struct Around<'a> {
    first: Option<(Time, &'a Key)>,
    before: Option<(Time, &'a Key)>,
    after: Option<(Time, &'a Key)>,
    last: Option<(Time, &'a Key)>,
}

/// Samples every keyed channel of a clip over `pose`, which has the rest pose. Time is clamped to the clip. Ignores keys
/// of bones that the pose lacks. Visits each key once.
fn sample_over(clip: &Clip, time: Time, pose: &mut LocalPose) {
    let length = clip.length();
    let time = time.min(length).max(Time::ZERO);
    let (bones, scalars) = (pose.len(), pose.scalars().len());
    let mut around = vec![Around::default(); bones * Channel::ALL.len() + scalars];
    for (start, keyframe) in clip.starts().zip(&clip.keyframes) {
        for key in &keyframe.keys {
            let slot = slot_of(key.bone, key.channel, [bones, scalars]);
            let Some(slot) = slot.and_then(|slot| around.get_mut(slot)) else { continue };
            let here = Some((start, key));
            slot.first = slot.first.or(here);
            slot.last = here;
            if start <= time { slot.before = here } else { slot.after = slot.after.or(here) }
        }
    }
    let seam = (clip.loop_mode == LoopMode::Loop).then_some(length);
    let mut track = Track { bone: 0, channel: Channel::Translation, keys: Vec::with_capacity(4), seam };
    for slot in &around {
        let Some((_, first)) = slot.first else { continue };
        track.keys.clear();
        for (start, key) in [slot.first, slot.before, slot.after, slot.last].into_iter().flatten() {
            if track.keys.last().is_none_or(|(before, _)| *before < start) {
                track.keys.push((start, *key));
            }
        }
        (track.bone, track.channel) = first.address();
        pose.put(track.bone, track.channel, track.sample(time));
    }
}

/// The slot of a channel; `None` if the pose lacks it. Scalars follow the bones.
fn slot_of(bone: BoneIndex, channel: Channel, [bones, scalars]: [usize; 2]) -> Option<usize> {
    let first = usize::from(bone) * Channel::ALL.len();
    let inside = usize::from(bone) < bones;
    match channel {
        Channel::Translation => inside.then_some(first),
        Channel::Rotation => inside.then_some(first + 1),
        Channel::Scale => inside.then_some(first + 2),
        Channel::Scalar(at) => (usize::from(at) < scalars).then_some(bones * Channel::ALL.len() + usize::from(at)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;
    use keypose::anim::clip::Keyframe;
    use keypose::anim::key::Ease;

    /// Seven keyframes in which each bone is keyed at its own interval.
    fn clip(loop_mode: LoopMode) -> Clip {
        let key = |bone: u16, at: usize| {
            let turn = Quat::from_rotation_x((at * 7 + usize::from(bone)) as f32);
            let ease = Ease::ALL[(at + usize::from(bone)) % Ease::ALL.len()];
            [Key { ease, ..Key::rotation(bone, turn) }, Key { ease, ..Key::scale(bone, Vec3::splat(at as f32)) }]
        };
        let keyframe = |at: usize| {
            let bones = (0..9_u16).filter(|bone| at % (usize::from(*bone) + 1) == usize::from(*bone) / 2);
            Keyframe { duration: Time(10), keys: bones.flat_map(|bone| key(bone, at)).collect() }
        };
        Clip { keyframes: (0..7).map(keyframe).collect(), loop_mode, ..Clip::new("test") }
    }

    #[test]
    fn a_sample_is_that_of_the_tracks() {
        for loop_mode in LoopMode::ALL {
            let clip = clip(loop_mode);
            for time in -5..80 {
                let mut expected = LocalPose::identity(6);
                for track in Track::all_of(&clip).iter().filter(|track| track.bone < 6) {
                    let mut transform = expected.get(usize::from(track.bone));
                    track.channel.put(&mut transform, track.sample(Time(time).clamp(Time::ZERO, clip.length())));
                    expected.set(usize::from(track.bone), &transform);
                }
                let mut pose = LocalPose::identity(6);
                sample_over(&clip, Time(time), &mut pose);
                assert_eq!(pose, expected, "{loop_mode:?} at {time}");
            }
        }
    }
}
