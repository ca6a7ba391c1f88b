//! Keys to which the value of a channel jumps, where the curves of its axes or of its steps don't all jump.

use glam::Vec4;

use crate::anim::key::{Ease, Key};
use crate::anim::time::Time;

/// The time from a key to a jump after it.
pub const JUST_BEFORE: Time = Time(1);
/// Values that differ by no more than this part of them, or of 1, are the same.
const SAME: f32 = 1e-6;

/// Adds a key after the others, to which the value jumps from `held`. The key before steps if it has that value already; else the channel
/// moved until the jump, and a key just before the jump has it.
#[allow(clippy::arithmetic_side_effects)] // Times saturate.
pub fn jump(keys: &mut Vec<(Time, Key)>, (time, key): (Time, Key), held: Vec4) {
    match keys.last_mut() {
        _ if is_same(held, key.value) => (),
        Some((_, before)) if is_same(before.value, held) => before.ease = Ease::Step,
        Some((before, _)) if *before < time - JUST_BEFORE => {
            keys.push((time - JUST_BEFORE, Key { ease: Ease::Step, value: held, ..key }));
        }
        _ => (),
    }
    keys.push((time, key));
}

#[allow(clippy::arithmetic_side_effects)] // Floating point only.
fn is_same(a: Vec4, b: Vec4) -> bool {
    (a - b).abs().max_element() <= SAME * a.abs().max_element().max(1.0)
}
