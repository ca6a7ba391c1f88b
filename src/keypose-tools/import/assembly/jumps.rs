//! Keys to which the value of a channel jumps, where the curves of its axes or of its steps don't all jump.

use glam::Vec4;

use crate::anim::key::{Channel, Ease, Key};
use crate::anim::time::Time;

/// The time from a key to a jump after it.
pub const JUST_BEFORE: Time = Time(1);
/// Values that differ by no more than this part of them, or of 1, are the same.
const SAME: f32 = 1e-6;

/// Keys that are further apart are no jump.
const SHORT: Time = Time(Time::FLICKS_PER_SEC / 1_600);
/// A jump is that much faster than what is before it.
const FASTER: f64 = 8.0;

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

/// Restores steps that are written as keys right before those that they jump to, because the format has no steps among other segments.
#[allow(clippy::arithmetic_side_effects)] // Times saturate.
pub fn restore(keys: Vec<(Time, Key)>) -> Vec<(Time, Key)> {
    let mut restored: Vec<(Time, Key)> = Vec::with_capacity(keys.len());
    for (at, &(time, key)) in keys.iter().enumerate() {
        let next = at.checked_add(1).and_then(|next| keys.get(next));
        match (restored.last_mut(), next) {
            (Some((start, before)), Some((end, next)))
                if key.ease != Ease::Step
                    && *end - time <= SHORT
                    && jumps([(*start, before), (time, &key), (*end, next)]) =>
            {
                if is_same(before.value, key.value) && before.out_tangent == Vec4::ZERO {
                    before.ease = Ease::Step;
                } else {
                    restored.push((*end - JUST_BEFORE, Key { ease: Ease::Step, ..key }));
                }
            }
            _ => restored.push((time, key)),
        }
    }
    restored
}

/// Whether the value changes much faster from the second to the third key than before.
#[allow(clippy::arithmetic_side_effects)] // Floating point, and times, which saturate.
fn jumps([(start, before), (time, held), (end, next)]: [(Time, &Key); 3]) -> bool {
    let speed = |a: &Key, b: &Key, secs: f64| {
        let other = if a.channel == Channel::Rotation { (a.value + b.value).length() } else { f32::INFINITY };
        f64::from((b.value - a.value).length().min(other)) / secs
    };
    let (moving, jumping) = ((time - start).secs(), (end - time).secs());
    let is_short = moving > FASTER * jumping && !is_same(held.value, next.value);
    is_short && speed(held, next, jumping) > FASTER * speed(before, held, moving)
}

#[allow(clippy::arithmetic_side_effects)] // Floating point only.
fn is_same(a: Vec4, b: Vec4) -> bool {
    (a - b).abs().max_element() <= SAME * a.abs().max_element().max(1.0)
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;

    #[test]
    fn keys_right_before_a_jump_are_steps() {
        let restored = |keys: &[(f64, f32)]| -> Vec<(Time, f32, Ease)> {
            let key = |x: f32| Key { ease: Ease::Linear, ..Key::translation(0, Vec3::X * x) };
            let keys = keys.iter().map(|(secs, x)| (Time::from_secs(*secs), key(*x))).collect();
            restore(keys).into_iter().map(|(time, key)| (time, key.value.x, key.ease)).collect()
        };
        let (half, linear) = (Time::SECOND / 2, Ease::Linear);
        let held = restored(&[(0.0, 1.0), (0.4995, 1.0), (0.5, 2.0)]);
        assert_eq!(held, [(Time::ZERO, 1.0, Ease::Step), (half, 2.0, linear)]);
        let moving = restored(&[(0.0, 1.0), (0.4995, 1.5), (0.5, 4.0)]);
        assert_eq!(moving[1..], [(half - JUST_BEFORE, 1.5, Ease::Step), (half, 4.0, linear)]);
        for kept in [[(0.0, 0.0), (0.4995, 0.999), (0.5, 1.0)], [(0.0, 0.0), (0.4, 0.0), (0.5, 1.0)]] {
            assert!(restored(&kept).iter().all(|(_, _, ease)| *ease == linear), "{kept:?}");
        }
        let fast: Vec<(f64, f32)> = (0..9).map(|at| (f64::from(at) / 2000.0, (at * at) as f32)).collect();
        assert_eq!(restored(&fast).len(), 9);
    }
}
