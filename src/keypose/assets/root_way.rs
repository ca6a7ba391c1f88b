//! How far a clip moves its root, tick by tick, if the simulation moves the character instead and the clip plays in place.

use glam::Vec3;

use crate::anim::clip::{Clip, LoopMode};
use crate::anim::key::Channel;
use crate::anim::machine::bound::MachineClip;
use crate::anim::pose::LocalPose;
use crate::anim::time::Time;
use crate::anim::track::Track;
use crate::assets::combat::frame_data::ticks_of;
use crate::assets::model::Model;

/// The maximum ticks that count.
const MAX_TICKS: i64 = 600;
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

/// How far the root of a clip is moved back at each whole tick so that it plays in place, in the model's units. Empty if it plays as keyed,
/// or if the way isn't finite. The same bits on every machine.
pub fn root_way(model: &Model, shown: &MachineClip) -> Vec<Vec3> {
    if model.skeleton.is_empty() || shown.anchor.is_none() && shown.drift == Vec3::ZERO {
        return Vec::new();
    }
    let (clip, mut pose) = (&shown.clip, LocalPose::default());
    let moved_back = |tick: i64| {
        let time = (Time::TICK * tick).min(clip.length);
        clip.sample_portable(time, &mut pose);
        let keyed = pose.get(0).translation;
        shown.hold(time, &[0], &mut pose);
        keyed - pose.get(0).translation
    };
    let ticks = ticks_of(clip.length).clamp(0, MAX_TICKS);
    let way: Vec<Vec3> = (0..=ticks).map(moved_back).collect();
    if way.iter().all(|place| place.is_finite()) { way } else { Vec::new() }
}
