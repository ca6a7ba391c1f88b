//! The sweep of an attack: positions of its volumes on each tick on which they hit.

use crate::anim::bake::BakedClip;
use crate::assets::combat::capsule::Capsule;
use crate::assets::combat::frame_data::{TickPoses, ticks_of};
use crate::assets::combat::lanes::Lanes;
use crate::assets::combat::placed::BoundVolume;
use crate::assets::model::Model;

/// The maximum number of volumes that are placed. Later ones are left out.
const MAX_PLACED: usize = 1024;

/// A volume of a hit on its way.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    /// Index of the hit in its lane.
    pub hit: usize,
    /// The capsule in model space on each tick of the hit's range that the clip has, in order.
    pub ticks: Vec<Capsule>,
}

/// The ways of all volumes that hit, in the order of the lane. Volumes on bones that the skeleton lacks are left out.
pub fn sweeps(model: &Model, baked: &BakedClip, lanes: &Lanes) -> Vec<Sweep> {
    let (end, mut left) = (ticks_of(baked.length), MAX_PLACED);
    let mut found = Vec::new();
    let mut poses = TickPoses::default();
    for (at, hit) in lanes.hits.iter().enumerate() {
        let volumes = hit.volumes.iter().filter_map(|volume| BoundVolume::new(volume, &model.skeleton));
        let volumes: Vec<_> = volumes.take(left).collect();
        let mut ways = vec![Sweep { hit: at, ticks: Vec::new() }; volumes.len()];
        let ticks = hit.range.ticks();
        for tick in ticks.start.max(0)..ticks.end.min(end) {
            if volumes.is_empty() || left < volumes.len() {
                break;
            }
            left -= volumes.len();
            let pose = poses.at(model, baked, tick);
            ways.iter_mut().zip(&volumes).for_each(|(way, volume)| way.ticks.push(volume.place(pose)));
        }
        found.extend(ways.into_iter().filter(|way| !way.ticks.is_empty()));
    }
    found
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::Vec3;

    use super::*;
    use crate::anim::bake::bake;
    use crate::anim::clip::{Clip, Keyframe};
    use crate::anim::key::Key;
    use crate::anim::skeleton::{Bone, Skeleton};
    use crate::anim::time::Time;
    use crate::anim::transform::Transform;
    use crate::assets::combat::{Hit, Range, Volume};

    #[test]
    fn a_sweep_has_the_place_of_each_tick_that_hits_and_no_more_than_the_maximum() {
        let bone = Bone { name: "fist".into(), parent: None, rest: Transform::IDENTITY };
        let model = Model { skeleton: Arc::new(Skeleton::new(vec![bone]).unwrap()), ..Model::default() };
        let key = |ticks: i64, z: f32| Keyframe {
            duration: Time::TICK * ticks,
            keys: vec![Key::translation(0, Vec3::Z * z)].into(),
            ..Keyframe::default()
        };
        let clip = Clip { keyframes: vec![key(20, 0.0), key(0, 2.0)].into(), ..Clip::new("punch") };
        let baked = bake(&clip, &model.skeleton);
        let hit = |first, end, bone: &str| Hit {
            range: Range::of_ticks(first, end),
            volumes: vec![Volume::sphere("1", bone, Vec3::X, 0.1)],
            ..Hit::default()
        };
        let of = |hits| sweeps(&model, &baked, &Lanes { hits, ..Lanes::default() });
        let found = of(vec![hit(0, 4, "gone"), hit(6, 9, "fist"), hit(18, 90, "fist"), hit(40, 50, "fist")]);
        let ways: Vec<_> = found.iter().map(|way| (way.hit, way.ticks.len())).collect();
        assert_eq!(ways, [(1, 3), (2, 2)], "the clip has 20 ticks");
        let middle = found[0].ticks[1];
        assert!(middle.from.abs_diff_eq(Vec3::new(1.0, 0.0, 0.7), 1e-3), "{middle:?}");
        let many = of(vec![hit(0, 20, "fist"); 400]);
        assert_eq!(many.iter().map(|way| way.ticks.len()).sum::<usize>(), MAX_PLACED);
    }
}
