//! How far a clip moves its root if the simulation moves the character instead and the clip plays in place.

use glam::Vec3;

use crate::anim::clip::{Clip, LoopMode};
use crate::anim::key::Channel;
use crate::anim::machine::bound::MachineClip;
use crate::anim::pose::LocalPose;
use crate::anim::time::Time;
use crate::anim::track::Track;
use crate::assets::model::Model;

/// The maximum number of times that count.
const MAX_TIMES: usize = 601;
/// The minimum distance of a root that travels, in heights of the model: a shorter one is a sway.
pub const MIN_TRAVEL: f32 = 0.1;

/// The distance along the ground between the ends of the root's motion in a clip that plays once, in model units. `None` if the root
/// only sways. `height` is that of the model.
pub fn root_travel(clip: &Clip, height: f32) -> Option<f32> {
    let track = Track::of(clip, 0, Channel::Translation).filter(|_| clip.loop_mode == LoopMode::Once)?;
    let way = track.sample(clip.length()) - track.sample(Time::ZERO);
    let distance = way.truncate().with_y(0.0).length();
    (distance > MIN_TRAVEL * height).then_some(distance)
}

/// How far the root of a clip is moved back at each of some times so that it plays in place, in the model's units. Empty if it plays as
/// keyed, or if the way isn't finite. The same bits on every machine.
pub fn root_way(model: &Model, shown: &MachineClip, times: impl Iterator<Item = Time>) -> Vec<Vec3> {
    if model.skeleton.is_empty() || shown.anchor.is_none() && shown.drift == Vec3::ZERO {
        return Vec::new();
    }
    let mut pose = LocalPose::default();
    let moved_back = |time: Time| {
        shown.clip.sample_portable(time, &mut pose);
        let keyed = pose.get(0).translation;
        shown.hold(time, &[0], &mut pose);
        keyed - pose.get(0).translation
    };
    let way: Vec<Vec3> = times.take(MAX_TIMES).map(moved_back).collect();
    if way.iter().all(|place| place.is_finite()) { way } else { Vec::new() }
}
