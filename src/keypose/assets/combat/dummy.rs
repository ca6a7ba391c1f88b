//! A training dummy before a character, and the ticks on which an attack would hit it or another target there. The game's rules: contact
//! in the plane of play, swept between ticks.

use glam::Vec3;

use crate::anim::bake::BakedClip;
use crate::anim::pose::ModelPose;
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
/// The maximum number of ticks that are looked at.
const MAX_TICKS: i64 = 4096;

/// The dummy in the space of a model of this size, which faces +z.
pub fn capsule(fit: &Fit) -> Capsule {
    let [low, high, radius] = SHAPE.map(|metres| metres / fit.scale);
    let at = |height: f32| fit.base + Vec3::new(0.0, height, DISTANCE / fit.scale);
    Capsule { from: at(low), to: at(high), radius }
}

/// The ticks of a clip on which its hits touch a target, ascending. Not only the first one, which is all that counts in a game.
pub fn ticks_hit(model: &Model, fit: &Fit, baked: &BakedClip, lanes: &Lanes, targets: &[Capsule]) -> Vec<i64> {
    let ranges = || lanes.hits.iter().map(|hit| hit.range.ticks()).filter(|ticks| !ticks.is_empty());
    let first = ranges().map(|ticks| ticks.start).min().unwrap_or(0).max(0);
    let end = ranges().map(|ticks| ticks.end).max().unwrap_or(0).min(ticks_of(baked.length)).min(first + MAX_TICKS);
    let mut poses = TickPoses::default();
    let mut before = poses.at(model, baked, first).clone();
    let mut found = Vec::new();
    for tick in first..end {
        let now = poses.at(model, baked, tick).clone();
        if struck(model, fit, (&lanes.hits, targets), tick, [&before, &now]).is_some() {
            found.push(tick);
        }
        before = now;
    }
    found
}

/// The target that these hits touch first on a tick. The poses are of the tick before and of this one. A hit isn't swept on its first
/// tick: it wasn't there before. `None` if it touches none.
pub fn struck(
    model: &Model,
    fit: &Fit,
    (hits, targets): (&[Hit], &[Capsule]),
    tick: i64,
    [before, now]: [&ModelPose; 2],
) -> Option<usize> {
    let ways = hits.iter().filter(|hit| hit.range.ticks().contains(&tick)).flat_map(|hit| {
        let is_first = hit.range.ticks().start == tick;
        let from = if is_first { now } else { before };
        bound(hit, model, now).map(move |volume| [from, now].map(|pose| flat(&volume.place(pose), fit)))
    });
    let ways: Vec<[Capsule; 2]> = ways.collect();
    let first = |target: &Capsule| {
        let target = flat(target, fit);
        let touches = ways.iter().filter_map(|[from, to]| first_touch([from, to], [&target, &target]));
        touches.min_by(f32::total_cmp)
    };
    let touched = targets.iter().enumerate().filter_map(|(at, target)| Some((at, first(target)?)));
    touched.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(at, _)| at)
}

/// The volumes of a hit whose bones a pose has.
fn bound<'a>(hit: &'a Hit, model: &'a Model, pose: &'a ModelPose) -> impl Iterator<Item = BoundVolume> + 'a {
    let volumes = hit.volumes.iter().filter_map(|volume| BoundVolume::new(volume, &model.skeleton));
    volumes.filter(|volume| volume.bone() < pose.bones.len())
}

/// The capsule without its offset to the side.
fn flat(capsule: &Capsule, fit: &Fit) -> Capsule {
    let flat = |at: Vec3| at.with_x(fit.base.x);
    Capsule { from: flat(capsule.from), to: flat(capsule.to), radius: capsule.radius }
}

/// A sentence about the ticks on which a target that far away is hit: "Hits the opponent at 1.1 m on ticks 7 to 9".
pub fn sentence(ticks: &[i64], metres: f32) -> String {
    let metres = (metres * 100.0).round() / 100.0;
    let mut runs: Vec<[i64; 2]> = Vec::new();
    for &tick in ticks {
        match runs.last_mut() {
            Some(run) if run[1] + 1 == tick => run[1] = tick,
            _ => runs.push([tick, tick]),
        }
    }
    let run = |[first, last]: &[i64; 2]| if first == last { first.to_string() } else { format!("{first} to {last}") };
    if runs.is_empty() {
        format!("Doesn't hit the opponent at {metres} m")
    } else {
        format!("Hits the opponent at {metres} m on ticks {}", runs.iter().map(run).collect::<Vec<_>>().join(", "))
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
            ..Keyframe::default()
        };
        let clip = Clip { keyframes: vec![key(20, 0.0), key(0, 2.0)].into(), ..Clip::new("punch") };
        let baked = bake(&clip, &model.skeleton);
        let with = |first, end| {
            let volumes = vec![Volume::sphere("1", "fist", Vec3::ZERO, 0.1)];
            let hit = Hit { range: Range::of_ticks(first, end), volumes, ..Hit::default() };
            let (fit, lanes) = (Fit::default(), Lanes { hits: vec![hit], ..Lanes::default() });
            ticks_hit(&model, &fit, &baked, &lanes, &[capsule(&fit)])
        };
        // It reaches 1.1 - 0.28 - 0.1 = 0.72 m at tick 7.2, and leaves at 1.48 m, tick 14.8.
        assert_eq!(with(0, 30), (8..=15).collect::<Vec<_>>());
        assert_eq!(with(10, 12), [10, 11]);
        assert_eq!(with(0, 5), Vec::<i64>::new());
        assert_eq!(sentence(&[7, 8, 9, 12], 1.1), "Hits the opponent at 1.1 m on ticks 7 to 9, 12");
        assert_eq!(sentence(&[], DISTANCE), "Doesn't hit the opponent at 1.1 m");
    }
}
