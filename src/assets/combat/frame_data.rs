//! The figures of an attack, in ticks of the game: start-up, active, recovery, advantage, reach. Fighting games call them its
//! frame data.

use std::sync::Arc;

use crate::anim::bake::BakedClip;
use crate::anim::pose::{LocalPose, ModelPose};
use crate::anim::time::Time;
use crate::assets::combat::capsule::Capsule;
use crate::assets::combat::lanes::{CancelWhen, Hit, Lanes};
use crate::assets::combat::placed::BoundVolume;
use crate::assets::fit::fit;
use crate::assets::model::Model;

/// The figures of one clip. Ticks are 1/60 s; the first tick of the clip is 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameData {
    /// Ticks of the whole clip, at least 1.
    pub total: i64,
    /// Ticks before the first one that hits; `None` if nothing hits.
    pub startup: Option<i64>,
    /// Ticks that hit, without gaps between ranges.
    pub active: i64,
    /// Ticks after the last one that hits; 0 if nothing hits.
    pub recovery: i64,
    /// How far it reaches forward from the point between the feet, in metres in the game; `None` if nothing hits.
    pub reach: Option<f32>,
    /// The damage of all groups together, each once.
    pub damage: u32,
    /// How many ticks earlier than its target the attacker can act after the first tick of a hit, if the clip isn't
    /// cancelled. Negative if it acts later.
    pub on_hit: Option<i64>,
    /// As `on_hit`, if the target blocks.
    pub on_block: Option<i64>,
    /// The first tick at which a cancel is possible after a hit.
    pub cancel: Option<i64>,
    /// Ticks in which it can't be hit.
    pub invulnerable: i64,
}

impl FrameData {
    /// The figures of a clip by its lanes.
    pub fn new(model: &Model, baked: &BakedClip, lanes: &Lanes) -> FrameData {
        let total = ticks_of(baked.length);
        let hits: Vec<&Hit> = lanes.hits.iter().filter(|hit| !hit.volumes.is_empty()).collect();
        let is_active = |tick: &i64| hits.iter().any(|hit| hit.range.ticks().contains(tick));
        let (first, last) = ((0..total).find(is_active), (0..total).rev().find(is_active));
        let first_hit = first.and_then(|first| hits.iter().find(|hit| hit.range.ticks().contains(&first)));
        // The tick of the hit is over when both can act again; both stand still for as long.
        let advantage = |stun: u16| Some(i64::from(stun) - (total - 1 - first?));
        FrameData {
            total,
            startup: first,
            active: (0..total).filter(is_active).count() as i64,
            recovery: last.map_or(0, |last| total - 1 - last),
            reach: reach(model, baked, &hits),
            damage: damage(&hits),
            on_hit: first_hit.and_then(|hit| advantage(hit.strike.stun)),
            on_block: first_hit.and_then(|hit| advantage(hit.strike.block_stun)),
            cancel: (first.unwrap_or(0)..total).find(|&tick| is_cancel(lanes, tick)),
            invulnerable: (0..total)
                .filter(|tick| lanes.invulnerable.iter().any(|range| range.ticks().contains(tick)))
                .count() as i64,
        }
    }
}

/// The ticks of a clip: its length to the nearest tick, at least 1.
pub fn ticks_of(length: Time) -> i64 {
    ((length.0 + Time::TICK.0 / 2) / Time::TICK.0).max(1)
}

fn is_cancel(lanes: &Lanes, tick: i64) -> bool {
    lanes.cancels.iter().any(|cancel| cancel.when != CancelWhen::Miss && cancel.range.ticks().contains(&tick))
}

/// The highest damage of each group, summed.
fn damage(hits: &[&Hit]) -> u32 {
    let mut most = [0_u32; 256];
    for hit in hits {
        let group = &mut most[usize::from(hit.group)];
        *group = (*group).max(u32::from(hit.strike.damage));
    }
    most.into_iter().sum()
}

/// The farthest point of any volume on an active tick, along +z, the direction in which models face.
fn reach(model: &Model, baked: &BakedClip, hits: &[&Hit]) -> Option<f32> {
    let fit = fit(model);
    let end = ticks_of(baked.length);
    let mut poses = TickPoses::default();
    let mut farthest: Option<f32> = None;
    for hit in hits {
        let volumes: Vec<_> =
            hit.volumes.iter().filter_map(|volume| BoundVolume::new(volume, &model.skeleton)).collect();
        let ticks = hit.range.ticks();
        for tick in ticks.start.max(0)..ticks.end.min(end) {
            let pose = poses.at(model, baked, tick);
            let reaches = volumes.iter().map(|volume| forward(&volume.place(pose)));
            farthest = reaches
                .chain(farthest)
                .fold(None, |most: Option<f32>, reach| Some(most.map_or(reach, |most| most.max(reach))));
        }
    }
    farthest.map(|farthest| (farthest - fit.base.z) * fit.scale)
}

fn forward(capsule: &Capsule) -> f32 {
    capsule.from.z.max(capsule.to.z) + capsule.radius
}

/// The pose of a clip at a whole tick, as the game sees it: sampled by the portable sampler, so the same bits everywhere.
#[derive(Clone, Debug, Default)]
pub struct TickPoses {
    local: LocalPose,
    model: ModelPose,
}

impl TickPoses {
    /// The pose in model space at a tick from the start of the clip.
    pub fn at(&mut self, model: &Model, baked: &BakedClip, tick: i64) -> &ModelPose {
        let time = (Time::TICK * tick).clamp(Time::ZERO, baked.length);
        baked.sample_portable(time, &mut self.local);
        self.model.compute_portable(&model.skeleton, &self.local);
        &self.model
    }
}

/// The names of the columns of [`FrameData::row`].
pub const COLUMNS: [&str; 11] = [
    "clip",
    "total",
    "startup",
    "active",
    "recovery",
    "reach_m",
    "damage",
    "on_hit",
    "on_block",
    "cancel",
    "invulnerable",
];

impl FrameData {
    /// The figures as text, in the order of [`COLUMNS`]; empty where there is none.
    pub fn row(&self, clip: &str) -> [String; 11] {
        let ticks = |ticks: Option<i64>| ticks.map_or(String::new(), |ticks| ticks.to_string());
        let signed = |ticks: Option<i64>| ticks.map_or(String::new(), |ticks| format!("{ticks:+}"));
        [
            clip.to_owned(),
            self.total.to_string(),
            ticks(self.startup),
            self.active.to_string(),
            self.recovery.to_string(),
            self.reach.map_or(String::new(), |reach| format!("{reach:.2}")),
            self.damage.to_string(),
            signed(self.on_hit),
            signed(self.on_block),
            ticks(self.cancel),
            self.invulnerable.to_string(),
        ]
    }
}

/// The figures of every clip of a model that has lanes, in the order of the clips.
pub fn of_model(model: &Arc<Model>, clips: &[Arc<BakedClip>]) -> Vec<(String, FrameData)> {
    let slots = model.clips.iter().zip(clips);
    let figures = slots.filter_map(|(slot, baked)| {
        let lanes = model.combat.lanes.get(&slot.id)?;
        Some((slot.clip.name.clone(), FrameData::new(model, baked, lanes)))
    });
    figures.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::bake::bake;
    use crate::anim::clip::{Clip, Keyframe};
    use crate::anim::key::Key;
    use crate::anim::skeleton::{Bone, Skeleton};
    use crate::anim::transform::Transform;
    use crate::assets::combat::lanes::{Cancel, Range, Strike};
    use crate::assets::combat::volume::Volume;
    use crate::assets::model::Model;
    use glam::Vec3;

    /// A bone that moves forward by 1 in 30 ticks.
    fn puncher() -> (Model, BakedClip) {
        let bone = Bone { name: "fist".into(), parent: None, rest: Transform::IDENTITY };
        let model = Model { skeleton: Arc::new(Skeleton::new(vec![bone]).unwrap()), ..Model::default() };
        let key = |ticks: i64, z: f32| Keyframe {
            duration: Time::TICK * ticks,
            keys: vec![Key::translation(0, Vec3::new(0.0, 0.0, z))].into(),
        };
        let clip = Clip { keyframes: [key(30, 0.0), key(0, 1.0)].into(), ..Clip::new("punch") };
        let baked = bake(&clip, &model.skeleton);
        (model, baked)
    }

    fn hit(first: i64, end: i64, group: u8, damage: u16) -> Hit {
        let volumes = vec![Volume::sphere("fist", "fist", Vec3::ZERO, 0.25)];
        let strike = Strike { damage, stun: 20, block_stun: 8, ..Strike::default() };
        Hit { range: Range::of_ticks(first, end), volumes, group, strike, ..Hit::default() }
    }

    #[test]
    fn the_figures_are_those_of_the_lanes() {
        let (model, baked) = puncher();
        let lanes = Lanes {
            hits: vec![hit(6, 9, 0, 10), hit(12, 15, 1, 7), hit(13, 15, 1, 9)],
            cancels: vec![
                Cancel { range: Range::of_ticks(2, 4), ..Cancel::default() },
                Cancel { range: Range::of_ticks(20, 30), ..Cancel::default() },
            ],
            invulnerable: vec![Range::of_ticks(0, 4), Range::of_ticks(2, 6)],
            ..Lanes::default()
        };
        let figures = FrameData::new(&model, &baked, &lanes);
        assert_eq!((figures.total, figures.startup, figures.active, figures.recovery), (30, Some(6), 6, 15));
        assert_eq!((figures.damage, figures.cancel, figures.invulnerable), (19, Some(20), 6));
        // 23 ticks are left after the first tick of the hit.
        assert_eq!((figures.on_hit, figures.on_block), (Some(20 - 23), Some(8 - 23)));
        let reach = figures.reach.unwrap();
        assert!((reach - (14.0 / 30.0 + 0.25)).abs() < 1e-3, "{reach}");
    }

    #[test]
    fn a_clip_that_hits_nothing_has_no_start_up() {
        let (model, baked) = puncher();
        let empty = Hit { volumes: vec![], ..hit(2, 9, 0, 5) };
        for lanes in [Lanes::default(), Lanes { hits: vec![empty], ..Lanes::default() }] {
            let figures = FrameData::new(&model, &baked, &lanes);
            assert_eq!((figures.startup, figures.active, figures.recovery, figures.reach), (None, 0, 0, None));
            assert_eq!((figures.damage, figures.on_hit), (0, None));
        }
    }
}
