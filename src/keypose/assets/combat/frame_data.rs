//! The figures of an attack, in ticks of the game: start-up, active, recovery, advantage, reach. Fighting games call them its
//! frame data.

use std::sync::Arc;

use crate::anim::bake::BakedClip;
use crate::anim::pose::{LocalPose, ModelPose};
use crate::anim::time::Time;
use crate::assets::combat::capsule::Capsule;
use crate::assets::combat::lanes::{CancelWhen, Hit, Lanes, Range};
use crate::assets::combat::placed::BoundVolume;
use crate::assets::fit::{Fit, fit};
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
    /// Forward reach from the point between the feet, in metres in the game; `None` without a hit.
    pub reach: Option<f32>,
    /// The damage of all groups together, each once.
    pub damage: u32,
    /// Frame advantage on hit: ticks by which the attacker can act before the target, if the clip isn't
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
        FrameData::fitted(model, &fit(model), baked, lanes)
    }

    /// As [`FrameData::new`], with the model's fit, which takes time on large models.
    pub fn fitted(model: &Model, fit: &Fit, baked: &BakedClip, lanes: &Lanes) -> FrameData {
        let total = ticks_of(baked.length);
        let hits: Vec<&Hit> = lanes.hits.iter().filter(|hit| !hit.volumes.is_empty()).collect();
        let active = union(hits.iter().map(|hit| hit.range), total);
        let (first, last) = (active.first().map(|ticks| ticks.start), active.last().map(|ticks| ticks.end - 1));
        let first_hit = first.and_then(|first| hits.iter().find(|hit| hit.range.ticks().contains(&first)));
        // The tick of the hit is over when both can act again; both stand still for as long.
        let advantage = |stun: u16| Some(i64::from(stun) - (total - 1 - first?));
        FrameData {
            total,
            startup: first,
            active: count(&active),
            recovery: last.map_or(0, |last| total - 1 - last),
            reach: reach(model, fit, baked, &hits),
            damage: damage(&hits),
            on_hit: first_hit.and_then(|hit| advantage(hit.strike.stun)),
            on_block: first_hit.and_then(|hit| advantage(hit.strike.block_stun)),
            cancel: first_cancel(lanes, first.unwrap_or(0), total),
            invulnerable: count(&union(lanes.invulnerable.iter().copied(), total)),
        }
    }
}

/// The ticks before `end` that any of the ranges contains, without overlaps, in order.
fn union(ranges: impl Iterator<Item = Range>, end: i64) -> Vec<std::ops::Range<i64>> {
    let mut all: Vec<_> =
        ranges.map(|range| range.ticks()).map(|ticks| ticks.start.max(0)..ticks.end.min(end)).collect();
    all.retain(|ticks| ticks.start < ticks.end);
    all.sort_by_key(|ticks| ticks.start);
    let mut union: Vec<std::ops::Range<i64>> = Vec::new();
    for ticks in all {
        match union.last_mut() {
            Some(last) if ticks.start <= last.end => last.end = last.end.max(ticks.end),
            _ => union.push(ticks),
        }
    }
    union
}

fn count(ticks: &[std::ops::Range<i64>]) -> i64 {
    ticks.iter().map(|ticks| ticks.end - ticks.start).sum()
}

/// The first tick from `first` on at which a cancel is possible after a hit.
fn first_cancel(lanes: &Lanes, first: i64, end: i64) -> Option<i64> {
    let after_hit = lanes.cancels.iter().filter(|cancel| cancel.when != CancelWhen::Miss);
    let ticks = union(after_hit.map(|cancel| cancel.range), end);
    ticks.iter().find(|ticks| ticks.end > first).map(|ticks| ticks.start.max(first))
}

/// The ticks of a clip: its length to the nearest tick, at least 1.
pub fn ticks_of(length: Time) -> i64 {
    ((length.0 + Time::TICK.0 / 2) / Time::TICK.0).max(1)
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

/// The maximum number of volumes that are placed for a reach. If there are more, only each n-th tick counts.
const MAX_PLACED: u64 = 4096;
/// The maximum number of bones that are posed for the reaches of all clips of a model, each of which has its share of it. Beyond,
/// only each n-th tick counts, too, but eight of a clip do in any case.
const MAX_POSED: u64 = 1 << 22;

/// The farthest point of any volume on an active tick, along +z, the direction in which models face.
fn reach(model: &Model, fit: &Fit, baked: &BakedClip, hits: &[&Hit]) -> Option<f32> {
    let end = ticks_of(baked.length);
    let bound = |hit: &Hit| -> Vec<BoundVolume> {
        hit.volumes.iter().filter_map(|volume| BoundVolume::new(volume, &model.skeleton)).collect()
    };
    let ticks = |hit: &Hit| hit.range.ticks().start.max(0)..hit.range.ticks().end.min(end);
    let hits: Vec<_> =
        hits.iter().map(|hit| (ticks(hit), bound(hit))).filter(|(_, volumes)| !volumes.is_empty()).collect();
    let ticks_of = |ticks: &std::ops::Range<i64>| ticks.end.abs_diff(ticks.start.min(ticks.end));
    let placed: u64 = hits.iter().map(|(ticks, volumes)| ticks_of(ticks).saturating_mul(volumes.len() as u64)).sum();
    let ticks_of_all: u64 = hits.iter().map(|(ticks, _)| ticks_of(ticks)).sum();
    let step = placed.div_ceil(MAX_PLACED).max(step_of_poses(model, ticks_of_all));
    let step = usize::try_from(step).unwrap_or(usize::MAX);
    let each = hits.iter().flat_map(|(ticks, volumes)| ticks.clone().step_by(step).map(move |tick| (tick, volumes)));
    let mut active: Vec<(i64, &Vec<BoundVolume>)> = each.collect();
    active.sort_by_key(|(tick, _)| *tick);
    let mut poses = TickPoses::default();
    let mut farthest: Option<f32> = None;
    for at_tick in active.chunk_by(|a, b| a.0 == b.0) {
        let pose = poses.at(model, baked, at_tick[0].0);
        for volume in at_tick.iter().flat_map(|(_, volumes)| *volumes) {
            let reach = forward(&volume.place(pose));
            farthest = Some(farthest.map_or(reach, |most| most.max(reach)));
        }
    }
    farthest.map(|farthest| (farthest - fit.base.z) * fit.scale)
}

/// Each how many ticks of a clip a pose is made, if its hits have that many.
fn step_of_poses(model: &Model, ticks: u64) -> u64 {
    let bones = (model.skeleton.len() as u64).saturating_mul(model.clips.len() as u64).max(1);
    ticks.div_ceil((MAX_POSED / bones).max(8)).max(1)
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
        self.at_time(model, baked, Time::TICK * tick)
    }

    /// The pose in model space at a time of the clip, clamped to its length.
    pub fn at_time(&mut self, model: &Model, baked: &BakedClip, time: Time) -> &ModelPose {
        baked.sample_portable(time, &mut self.local);
        self.model.compute_portable(&model.skeleton, &self.local);
        &self.model
    }

    /// The pose at rest, in model space.
    pub fn rest(&mut self, model: &Model) -> &ModelPose {
        self.model = model.skeleton.rest_model_pose();
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
    if model.combat.lanes.is_empty() {
        return Vec::new();
    }
    let (slots, fit) = (model.clips.iter().zip(clips), fit(model));
    let figures = slots.filter_map(|(slot, baked)| {
        let lanes = model.combat.lanes.get(&slot.id)?;
        Some((slot.clip.name.clone(), FrameData::fitted(model, &fit, baked, lanes)))
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
    use crate::assets::combat::lanes::{Cancel, Strike};
    use crate::assets::combat::volume::Volume;
    use crate::assets::id::ClipId;
    use crate::assets::model::{ClipSlot, Model};
    use glam::Vec3;

    /// A bone that moves forward by 1 in 30 ticks.
    fn puncher() -> (Model, BakedClip) {
        let bone = Bone { name: "fist".into(), parent: None, rest: Transform::IDENTITY };
        let model = Model { skeleton: Arc::new(Skeleton::new(vec![bone]).unwrap()), ..Model::default() };
        let key = |ticks: i64, z: f32| Keyframe {
            duration: Time::TICK * ticks,
            keys: vec![Key::translation(0, Vec3::new(0.0, 0.0, z))].into(),
            ..Keyframe::default()
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
    fn the_time_follows_the_number_of_ranges_not_their_length() {
        let (model, mut baked) = puncher();
        baked.length = Time::LONGEST;
        let day = Time::LONGEST.0 / Time::TICK.0;
        let mut lanes = Lanes { hits: vec![hit(0, day, 0, 1); 1024], ..Lanes::default() };
        // A day at 60 Hz for each range would take hours.
        let figures = FrameData::new(&model, &baked, &lanes);
        assert_eq!((figures.active, figures.damage, figures.reach.is_some()), (day, 1, true));
        lanes.hits.iter_mut().for_each(|hit| hit.volumes[0].bone = "gone".into());
        lanes.invulnerable = vec![Range::of_ticks(1, day); 1024];
        let figures = FrameData::new(&model, &baked, &lanes);
        assert_eq!((figures.invulnerable, figures.reach), (day - 1, None));
    }

    #[test]
    fn the_bones_that_all_clips_pose_together_are_limited() {
        let (model, _) = puncher();
        let bone = |at| Bone { name: format!("b{at}"), parent: None, rest: Transform::IDENTITY };
        let skeleton = Arc::new(Skeleton::new((0..4096).map(bone).collect()).unwrap());
        let ticks = 100 * 60;
        for count in [1, 8, 128, 1024] {
            let slot = |id| ClipSlot { id: ClipId(id), clip: Arc::new(Clip::new("swing")) };
            let clips = (0..count).map(slot).collect();
            let all = Model { skeleton: skeleton.clone(), clips, ..Model::default() };
            let posed = ticks / step_of_poses(&all, ticks);
            assert!(
                posed >= 8 && posed * u64::from(count) * 4096 <= MAX_POSED.max(8 * u64::from(count) * 4096),
                "{count}"
            );
        }
        assert_eq!(step_of_poses(&model, ticks), 1);
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
