//! Root motion of a game's actions: how far a clip moves its root along the ground, tick by tick. The simulation moves the
//! character by it, and the clip plays in place.

use glam::Vec3;

use crate::anim::bake::BakedClip;
use crate::anim::clip::{Clip, LoopMode};
use crate::anim::key::Channel;
use crate::anim::root_motion::RootMotion;
use crate::anim::time::Time;
use crate::anim::track::Track;
use crate::assets::combat::frame_data::{TickPoses, ticks_of};
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

/// The root's movement since the start of a clip at each whole tick, in the model's units along the ground. Empty without root
/// motion, or if it isn't finite. The same bits on every machine.
pub fn root_way(model: &Model, baked: &BakedClip) -> Vec<Vec3> {
    if model.skeleton.is_empty() || baked.root_motion == RootMotion::None {
        return Vec::new();
    }
    let mut poses = TickPoses::default();
    let mut place = |tick| poses.at(model, baked, tick).get(0).translation() * Vec3::new(1.0, 0.0, 1.0);
    let start = place(0);
    let ticks = ticks_of(baked.length).clamp(0, MAX_TICKS);
    let way: Vec<Vec3> = (0..=ticks).map(|tick| place(tick) - start).collect();
    if way.iter().all(|place| place.is_finite()) { way } else { Vec::new() }
}
