//! A dummy before a character, for seeing on which ticks an attack would hit it. The game's rules: contact in the plane of play,
//! swept between ticks.

use glam::Vec3;

use crate::anim::bake::BakedClip;
use crate::assets::combat::capsule::{Capsule, first_touch};
use crate::assets::combat::frame_data::{TickPoses, ticks_of};
use crate::assets::combat::lanes::{Hit, Lanes};
use crate::assets::combat::placed::BoundVolume;
use crate::assets::fit::Fit;
use crate::assets::model::Model;

/// The distance of the dummy from the character, in metres in the game.
pub const DISTANCE: f32 = 1.1;
/// Heights of the ends of its axis, and its radius, in metres in the game.
const SHAPE: [f32; 3] = [0.35, 1.45, 0.28];
/// The maximum number of volumes that are placed. Later ones don't count.
const MAX_PLACED: usize = 4096;

/// The dummy in the space of a model of this size, which faces +z.
pub fn capsule(fit: &Fit) -> Capsule {
    let [low, high, radius] = SHAPE.map(|metres| metres / fit.scale);
    let at = |height: f32| fit.base + Vec3::new(0.0, height, DISTANCE / fit.scale);
    Capsule { from: at(low), to: at(high), radius }
}

/// The ticks of a clip on which its hits touch the dummy, ascending. Not only the first one, which is all that counts in a game.
pub fn ticks_hit(model: &Model, fit: &Fit, baked: &BakedClip, lanes: &Lanes) -> Vec<i64> {
    let dummy = flat(&capsule(fit), fit);
    let (end, mut placed) = (ticks_of(baked.length), 0);
    let mut found = Vec::new();
    for hit in &lanes.hits {
        let volumes = bound(hit, model);
        let ticks = hit.range.ticks();
        let mut before: Option<Vec<Capsule>> = None;
        let mut poses = TickPoses::default();
        for tick in ticks.start.max(0)..ticks.end.min(end) {
            placed += volumes.len().max(1);
            if placed > MAX_PLACED {
                break;
            }
            let pose = poses.at(model, baked, tick);
            let now: Vec<Capsule> = volumes.iter().map(|volume| flat(&volume.place(pose), fit)).collect();
            let starts = before.as_ref().unwrap_or(&now);
            if starts.iter().zip(&now).any(|(start, end)| first_touch([start, end], [&dummy, &dummy]).is_some()) {
                found.push(tick);
            }
            before = Some(now);
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

fn bound(hit: &Hit, model: &Model) -> Vec<BoundVolume> {
    hit.volumes.iter().filter_map(|volume| BoundVolume::new(volume, &model.skeleton)).collect()
}

/// The capsule without its offset to the side.
fn flat(capsule: &Capsule, fit: &Fit) -> Capsule {
    let flat = |at: Vec3| at.with_x(fit.base.x);
    Capsule { from: flat(capsule.from), to: flat(capsule.to), radius: capsule.radius }
}

/// A sentence about the ticks: "Hits a dummy at 1.1 m on ticks 7 to 9".
pub fn sentence(ticks: &[i64]) -> String {
    let mut runs: Vec<[i64; 2]> = Vec::new();
    for &tick in ticks {
        match runs.last_mut() {
            Some(run) if run[1] + 1 == tick => run[1] = tick,
            _ => runs.push([tick, tick]),
        }
    }
    let run = |[first, last]: &[i64; 2]| if first == last { first.to_string() } else { format!("{first} to {last}") };
    if runs.is_empty() {
        format!("Doesn't hit a dummy at {DISTANCE} m")
    } else {
        format!("Hits a dummy at {DISTANCE} m on ticks {}", runs.iter().map(run).collect::<Vec<_>>().join(", "))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::anim::bake::bake;
    use crate::anim::clip::{Clip, Keyframe};
    use crate::anim::key::Key;
    use crate::anim::skeleton::{Bone, Skeleton};
    use crate::anim::time::Time;
    use crate::anim::transform::Transform;
    use crate::assets::combat::{Range, Volume};

    /// A fist that moves forward by 2 m in 20 ticks, a metre to the side.
    #[test]
    fn the_ticks_are_those_on_which_the_fist_is_in_the_dummy() {
        let bone = Bone { name: "fist".into(), parent: None, rest: Transform::IDENTITY };
        let model = Model { skeleton: Arc::new(Skeleton::new(vec![bone]).unwrap()), ..Model::default() };
        let key = |ticks: i64, z: f32| Keyframe {
            duration: Time::TICK * ticks,
            keys: vec![Key::translation(0, Vec3::new(1.0, 1.0, z))].into(),
        };
        let clip = Clip { keyframes: vec![key(20, 0.0), key(0, 2.0)].into(), ..Clip::new("punch") };
        let baked = bake(&clip, &model.skeleton);
        let with = |first, end| {
            let volumes = vec![Volume::sphere("1", "fist", Vec3::ZERO, 0.1)];
            let hit = Hit { range: Range::of_ticks(first, end), volumes, ..Hit::default() };
            ticks_hit(&model, &Fit::default(), &baked, &Lanes { hits: vec![hit], ..Lanes::default() })
        };
        // It reaches 1.1 - 0.28 - 0.1 = 0.72 m at tick 7.2, and leaves at 1.48 m, tick 14.8.
        assert_eq!(with(0, 30), (8..=15).collect::<Vec<_>>());
        assert_eq!(with(10, 12), [10, 11]);
        assert_eq!(with(0, 5), Vec::<i64>::new());
        assert_eq!(sentence(&[7, 8, 9, 12]), "Hits a dummy at 1.1 m on ticks 7 to 9, 12");
        assert_eq!(sentence(&[]), "Doesn't hit a dummy at 1.1 m");
    }
}
