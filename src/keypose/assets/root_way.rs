//! Root motion of a game's actions: how far a clip moves the bone at its root along the ground, tick by tick. The simulation
//! moves the character by it, and the clip plays in place.

use glam::Vec3;

use crate::anim::bake::BakedClip;
use crate::assets::combat::frame_data::{TickPoses, ticks_of};
use crate::assets::model::Model;

/// The maximum ticks that count.
const MAX_TICKS: i64 = 600;
/// A clip that ends nearer to its start than this part of the model's height has no root motion: its root only sways.
const LEAST: f32 = 0.1;

/// The root's movement since the start of a clip at each whole tick, in the model's units along the ground. Empty if the clip
/// ends about where it starts, or isn't finite. The same bits on every machine.
pub fn root_way(model: &Model, baked: &BakedClip, height: f32) -> Vec<Vec3> {
    let ticks = ticks_of(baked.length).clamp(0, MAX_TICKS);
    if model.skeleton.is_empty() {
        return Vec::new();
    }
    let mut poses = TickPoses::default();
    let mut place = |tick| poses.at(model, baked, tick).get(0).translation() * Vec3::new(1.0, 0.0, 1.0);
    let start = place(0);
    // Most clips are refused by their end alone.
    let end = place(ticks) - start;
    if end.abs().max_element().is_nan() || end.abs().max_element() < LEAST * height {
        return Vec::new();
    }
    let way: Vec<Vec3> = (0..=ticks).map(|tick| place(tick) - start).collect();
    if way.iter().all(|place| place.is_finite()) { way } else { Vec::new() }
}
