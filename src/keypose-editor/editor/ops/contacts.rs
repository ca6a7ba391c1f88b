//! Cleaning of contacts: a foot or a hand is held where it stands, by IK. Before and after the contact the correction fades, so that
//! nothing jumps.

use std::collections::BTreeSet;

use glam::{Quat, Vec3};

use crate::editor::ops::limb::Limb;
use crate::editor::ops::pose::{model_pose, rotation_in, sample};
use keypose::anim::clip::{Clip, LoopMode};
use keypose::anim::fit;
use keypose::anim::key::{Channel, Ease, HandleKind, Key};
use keypose::anim::playback::clip_time;
use keypose::anim::pose::LocalPose;
use keypose::anim::root_motion;
use keypose::anim::seam::Seam;
use keypose::anim::skeleton::BoneIndex;
use keypose::anim::tangent::resolve;
use keypose::anim::time::{FrameRate, Time};
use keypose::anim::track::Track;
use keypose::assets::combat::{Lanes, Range};
use keypose::assets::fit::fit as fit_of;
use keypose::assets::model::Model;
use keypose_tools::clip_check::Subject;
use keypose_tools::clip_check::contacts::{ground_speed, place_on_ground, spans};
use keypose_tools::even_times;
use keypose_tools::loop_travel::travel_of;

/// The number of joints of an arm or a leg.
const JOINTS: usize = 2;
/// How far a correction moves the bone in a frame at most while it fades, in metres of the game.
const FADE_STEP: f32 = 0.004;
/// The minimum number of frames of a fade.
const MIN_FADE: i64 = 3;
/// Maximum errors of the rotations that are keyed, in radians: the first one with which bones are held is used.
const MAX_ERRORS: [f32; 4] = [2e-3, 1.2e-3, 5e-4, 1e-4];
/// The maximum distance of a held bone from its place, in metres of the game: it slides by at most 1 mm.
const MAX_OFFSET: f32 = 5e-4;

/// A held range, and where the bone is held: on the ground, which may move.
struct Held {
    range: Range,
    place: Vec3,
    /// The durations in which the correction fades in and out.
    fades: [Time; 2],
    /// The corrections at both ends.
    ends: [Vec3; 2],
}

/// The limbs that hold the bones of contacts, by the names of the bones. A bone can be part of one of them only, so a toe is left to its
/// foot: the second list has what was left.
fn limbs<'l>(model: &Model, lanes: &'l Lanes) -> (Vec<(&'l str, Limb)>, Vec<&'l str>) {
    let names: BTreeSet<&str> = lanes.contacts.iter().map(|contact| contact.bone.as_str()).collect();
    let mut bones: Vec<(BoneIndex, &str)> =
        names.into_iter().filter_map(|name| Some((model.skeleton.find(name)?, name))).collect();
    bones.sort_unstable();
    let (mut limbs, mut left): (Vec<(&str, Limb)>, Vec<&str>) = (Vec::new(), Vec::new());
    for (bone, name) in bones {
        let Some(limb) = Limb::above(model, bone, JOINTS) else { continue };
        let is_used = limbs.iter().any(|(_, other)| other.bones().iter().any(|bone| limb.bones().contains(bone)));
        if is_used { left.push(name) } else { limbs.push((name, limb)) }
    }
    (limbs, left)
}

/// The bones of contacts that [`cleaned`] leaves to another one of their limb.
pub fn left_to_others<'l>(model: &Model, lanes: &'l Lanes) -> Vec<&'l str> {
    limbs(model, lanes).1
}

/// The clip with the bones of its contacts held. `None` if none of them ends a limb.
pub fn cleaned(clip: &Clip, model: &Model, lanes: &Lanes) -> Option<Clip> {
    let speed = ground_speed(&Subject::of(model), clip, lanes);
    let travel = travel_of(&model.skeleton, clip, |time| sample(clip, &model.skeleton, time));
    let limbs: Vec<(Vec<Range>, Limb)> =
        limbs(model, lanes).0.into_iter().map(|(name, limb)| (spans(clip, lanes, name), limb)).collect();
    let duration = limbs.iter().flat_map(|(spans, _)| spans).map(|span| span.end - span.start).sum();
    let step = even_times::step(Time(Time::TICK.0 / 4), duration);
    let motions = limbs.into_iter().map(|(spans, limb)| {
        let motion = Motion { clip, model, limb, speed, travel, step };
        let held = motion.held(&spans);
        (motion, held)
    });
    let motions: Vec<(Motion<'_>, Vec<Held>)> = motions.collect();
    if motions.is_empty() {
        return None;
    }
    let ends = motions.iter().flat_map(|(_, held)| held).flat_map(|it| [it.range.start, it.range.end]);
    let ends: BTreeSet<Time> = ends.map(|time| in_clip(clip, time)).collect();
    let times =
        times(clip, motions.iter().flat_map(|(_, held)| held.iter().flat_map(|it| moments(it.range, step))), &ends);
    let dense: Vec<Track> = motions.iter().flat_map(|(motion, held)| motion.limb_tracks(held, &times, &ends)).collect();
    let (starts, rate): (BTreeSet<Time>, FrameRate) = (clip.starts().collect(), clip.frame_rate);
    let is_frame = |time: Time| rate.time_of(rate.nearest_frame(time)) == time;
    let is_preferred = |time: Time| is_frame(time) || ends.contains(&time) || starts.contains(&time);
    let mut reduced = None;
    for error in MAX_ERRORS {
        let tracks = fit::reduce_together(&dense, error, is_preferred);
        let with = reduced.insert(clip.with_replaced(tracks));
        if motions.iter().all(|(motion, held)| motion.is_held_in(with, held)) {
            break;
        }
    }
    reduced
}

/// The time in the clip of a time that may be in the next loop or in the one before.
fn in_clip(clip: &Clip, time: Time) -> Time {
    clip_time(time, clip.length(), clip.loop_mode)
}

/// The times in a range that are some steps after its start.
fn moments(range: Range, step: Time) -> impl Iterator<Item = Time> {
    std::iter::successors(Some(range.start), move |time| Some(*time + step))
        .take_while(move |time| range.contains(*time))
}

/// The times at which limbs are solved: keyframes, frames and ticks, and more of them where a bone is held.
fn times(clip: &Clip, held: impl Iterator<Item = Time>, ends: &BTreeSet<Time>) -> Vec<Time> {
    let (length, rate) = (clip.length(), clip.frame_rate);
    let is_loop = clip.loop_mode == LoopMode::Loop;
    let is_closed = clip.keyframes.last().is_some_and(|last| last.duration == Time::ZERO);
    let frames = even_times::frames(rate, [Time::ZERO, length]);
    let ticks = even_times::steps(Time::TICK, [Time::ZERO, length]);
    // While the bone is held, the body may start and stop between two ticks.
    let finer = held.map(|time| in_clip(clip, time));
    let times = frames.chain(ticks).chain(finer).chain(ends.iter().copied()).chain(clip.starts());
    let times: BTreeSet<Time> = times.collect();
    times.into_iter().filter(|time| *time < length || *time == length && (!is_loop || is_closed)).collect()
}

/// A limb in a clip, whose end is held.
struct Motion<'a> {
    clip: &'a Clip,
    model: &'a Model,
    limb: Limb,
    /// The speed of the ground.
    speed: Vec3,
    /// The way to the next round of a loop.
    travel: root_motion::Motion,
    /// The step of the times at which the bone is held: a quarter of a tick; more if the contacts of the clip are very long.
    step: Time,
}

impl Motion<'_> {
    /// Where the bone is on the ground; after the end of a loop, in its next round.
    fn place(&self, time: Time) -> Vec3 {
        self.place_in(self.clip, time)
    }

    fn place_in(&self, clip: &Clip, time: Time) -> Vec3 {
        let local = sample(clip, &self.model.skeleton, in_clip(clip, time));
        let place = place_on_ground(&model_pose(&self.model.skeleton, &local), self.limb.end(), self.speed, time);
        self.travel.times(time.0.div_euclid(clip.length().0.max(1))).moved(place)
    }

    /// Whether a changed clip holds the bone.
    fn is_held_in(&self, clip: &Clip, held: &[Held]) -> bool {
        let max_offset = MAX_OFFSET / fit_of(self.model).scale;
        let holds = |it: &Held, time| self.place_in(clip, time).distance(it.place) <= max_offset;
        held.iter().all(|it| moments(it.range, self.step).all(|time| holds(it, time)))
    }

    fn held(&self, spans: &[Range]) -> Vec<Held> {
        let (length, frame) = (self.clip.length(), self.clip.frame_rate.frame());
        let step = FADE_STEP / fit_of(self.model).scale;
        let hold = |(at, &range): (usize, &Range)| {
            let places: Vec<Vec3> = self.posed(range).into_iter().map(|time| self.place(time)).collect();
            let place = places.iter().sum::<Vec3>() / places.len().max(1) as f32;
            let ends = [range.start, range.end].map(|time| place - self.place(time));
            let is_loop = self.clip.loop_mode == LoopMode::Loop;
            let before = match (at.checked_sub(1), spans.last()) {
                (Some(before), _) => range.start - spans[before].end,
                (None, Some(last)) if is_loop => range.start + length - last.end,
                (None, _) => range.start,
            };
            let after = match (spans.get(at + 1), spans.first()) {
                (Some(next), _) => next.start - range.end,
                (None, Some(first)) if is_loop => first.start + length - range.end,
                (None, _) => length - range.end,
            };
            let fade = |correction: Vec3, room: Time| {
                // The largest slope of a smooth step is 1.5.
                let frames = ((1.5 * correction.length() / step).ceil() as i64).max(MIN_FADE);
                (frame * frames).min(room).max(Time::ZERO)
            };
            Held { range, place, fades: [fade(ends[0], before), fade(ends[1], after)], ends }
        };
        spans.iter().enumerate().map(hold).collect()
    }

    /// The times in a range at which the bone was posed: the keyframes, because between them interpolation may sink a foot into the
    /// ground, or a tick apart if there are none.
    fn posed(&self, range: Range) -> Vec<Time> {
        let posed: Vec<Time> = self
            .clip
            .starts()
            .flat_map(|start| self.in_rounds(start))
            .filter(|time| (range.start..=range.end).contains(time))
            .collect();
        if posed.is_empty() { moments(range, self.step.max(Time::TICK)).collect() } else { posed }
    }

    /// A time of the clip; of a loop also that time of the next and of the one before.
    fn in_rounds(&self, time: Time) -> impl Iterator<Item = Time> {
        self.rounds().map(move |round| time + self.clip.length() * round)
    }

    /// The rounds of a loop in which a contact can be held: this one, the next and the one before.
    fn rounds(&self) -> impl Iterator<Item = i64> + use<> {
        [0, 1, -1].into_iter().take(if self.clip.loop_mode == LoopMode::Loop { 3 } else { 1 })
    }

    /// Where the bone has to be in model space at a time of the clip; `None` where it isn't corrected.
    fn target(&self, held: &[Held], time: Time) -> Option<Vec3> {
        let mut correction = Vec3::ZERO;
        for round in self.rounds() {
            let (time, back) = (time + self.clip.length() * round, self.travel.times(-round));
            for it in held {
                if (it.range.start..=it.range.end).contains(&time) {
                    return Some(back.moved(it.place + self.speed * time.secs() as f32));
                }
                let since = [it.range.start - time, time - it.range.end];
                for ((since, fade), end) in since.into_iter().zip(it.fades).zip(it.ends) {
                    if (Time::ZERO..fade).contains(&since) {
                        let part = 1.0 - since.fraction_of(fade) as f32;
                        correction += back.rotation.as_quat() * end * (part * part * (3.0 - 2.0 * part));
                    }
                }
            }
        }
        let skeleton = &self.model.skeleton;
        let shown = || model_pose(skeleton, &sample(self.clip, skeleton, time)).get(self.limb.end()).translation();
        (correction != Vec3::ZERO).then(|| shown() + correction)
    }

    /// The rotations of the limb as smooth keys at some times.
    fn limb_tracks(&self, held: &[Held], times: &[Time], ends: &BTreeSet<Time>) -> Vec<Track> {
        let (clip, skeleton, limb) = (self.clip, &self.model.skeleton, &self.limb);
        let is_loop = clip.loop_mode == LoopMode::Loop;
        let pose_at = |&time: &Time| {
            let mut local = sample(clip, skeleton, time);
            if let Some(target) = self.target(held, time) {
                let kept = rotation_in(&model_pose(skeleton, &local), limb.end());
                limb.solve_holding(skeleton, &mut local, kept, target, None);
            }
            (time, local)
        };
        let poses: Vec<(Time, LocalPose)> = times.iter().map(pose_at).collect();
        let track = |&bone: &BoneIndex| {
            let mut before = Quat::IDENTITY;
            let key = |(time, local): &(Time, LocalPose)| {
                let rotation = local.get(usize::from(bone)).rotation;
                before = if before.dot(rotation) < 0.0 { -rotation } else { rotation };
                (*time, Key { ease: Ease::Cubic, handles: HandleKind::Auto, ..Key::rotation(bone, before) })
            };
            let mut keys: Vec<(Time, Key)> = poses.iter().map(key).collect();
            bend(&mut keys, ends, is_loop);
            let seam = is_loop.then_some(clip.length());
            resolve(&mut keys, seam.map(Seam::at));
            Track { bone, channel: Channel::Rotation, keys, seam }
        };
        limb.bones().iter().map(track).collect()
    }
}

/// Lets the speed break off where the bone starts or ends to stand, as a smooth key would lead beyond it, and gives the ends of a clip
/// that plays once the speed beside them.
fn bend(keys: &mut [(Time, Key)], ends: &BTreeSet<Time>, is_loop: bool) {
    let slope = |a: &(Time, Key), b: &(Time, Key)| (b.1.value - a.1.value) / (b.0 - a.0).secs().max(1e-6) as f32;
    for at in 0..keys.len() {
        let before = at.checked_sub(1).map(|before| slope(&keys[before], &keys[at]));
        let after = keys.get(at + 1).map(|after| slope(&keys[at], after));
        let is_bent = before.is_none() || after.is_none() || ends.contains(&keys[at].0);
        let has_both = before.is_some() && after.is_some();
        if let Some(one) = before.or(after).filter(|_| is_bent && (has_both || !is_loop)) {
            let key = &mut keys[at].1;
            key.handles = HandleKind::Free;
            (key.in_tangent, key.out_tangent) = (before.unwrap_or(one), after.unwrap_or(one));
        }
    }
}
