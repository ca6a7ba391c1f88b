//! The immutable form of a clip that plays, in the editor's preview as in the game, and the only way to make it.

use crate::anim::clip::{Clip, Event, LoopMode};
use crate::anim::pose::LocalPose;
use crate::anim::skeleton::Skeleton;
use crate::anim::time::Time;
use crate::anim::track::Track;

/// A clip made ready to play on one skeleton.
#[derive(Clone, Debug, PartialEq)]
pub struct BakedClip {
    /// The clip's name.
    pub name: String,
    /// The sum of the clip's durations.
    pub length: Time,
    /// What happens at the end.
    pub loop_mode: LoopMode,
    /// Sorted by time.
    pub events: Vec<Event>,
    rest: LocalPose,
    tracks: Vec<Track>,
}

/// Makes the form that plays. Keys of bones that the skeleton lacks are left out.
pub fn bake(clip: &Clip, skeleton: &Skeleton) -> BakedClip {
    let mut tracks = Track::all_of(clip);
    tracks.retain(|track| usize::from(track.bone) < skeleton.len());
    BakedClip {
        name: clip.name.clone(),
        length: clip.length(),
        loop_mode: clip.loop_mode,
        events: clip.events.clone(),
        rest: skeleton.rest_pose(),
        tracks,
    }
}

impl BakedClip {
    /// The pose at a clip time; outside `0..=length` it clamps (see [`crate::anim::playback::clip_time`] for loops).
    /// A pose starts from rest, whatever it held before.
    pub fn sample(&self, time: Time, pose: &mut LocalPose) {
        let time = time.clamp(Time::ZERO, self.length);
        pose.copy_from(&self.rest);
        for track in &self.tracks {
            let bone = usize::from(track.bone);
            let mut transform = pose.get(bone);
            track.channel.put(&mut transform, track.sample(time));
            pose.set(bone, &transform);
        }
    }
}
