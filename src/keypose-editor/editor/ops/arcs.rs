//! Flights of a clip: the body is moved so that its centre of mass follows a ballistic arc. Keys outside the flight stay.

use glam::Vec3;

use crate::editor::ops::derived::insert_key;
use crate::editor::ops::pose::model_pose;
use keypose::anim::clip::Clip;
use keypose::anim::fit;
use keypose::anim::key::{Channel, Ease, HandleKind, Key};
use keypose::anim::skeleton::{BoneIndex, Skeleton};
use keypose::anim::tangent::resolve;
use keypose::anim::time::Time;
use keypose::anim::track::Track;
use keypose_tools::balance::{Balance, BallisticArc};
use keypose_tools::even_times;
use keypose_tools::exact_poses::ExactPoses;
use keypose_tools::root_motion::mover;

/// Maximum errors of the keys of the body, in metres of the game: the first one is used with which the centre of mass stays within
/// [`MAX_RESIDUAL`].
const MAX_ERRORS: [f32; 4] = [6e-4, 3e-4, 1e-4, 1e-5];
/// The maximum distance of the centre of mass from its arc, in metres of the game.
const MAX_RESIDUAL: f32 = 8e-4;
/// The share of the mass that a bone has to carry, to move the body.
const CARRIED: f32 = 0.9;

/// The largest distance of the centre of mass from an arc, at frames and at ticks, in model units.
pub fn residual(clip: &Clip, skeleton: &Skeleton, balance: &Balance, arc: &BallisticArc) -> f32 {
    let poses = ExactPoses::new(skeleton, clip);
    let apart = |time: Time| balance.centre(&poses.model(time)).distance(arc.at(time));
    times(clip, arc).into_iter().map(apart).fold(0.0, f32::max)
}

/// Both ends of a flight, and the frames, ticks and keyframes between them.
fn times(clip: &Clip, arc: &BallisticArc) -> Vec<Time> {
    let (start, end, rate) = (arc.range.start, arc.range.end, clip.frame_rate);
    let frames = even_times::frames(rate, [start, end]);
    let ticks = even_times::steps(Time::TICK, [Time::TICK * (start.0 / Time::TICK.0), end]);
    let mut times: Vec<Time> =
        frames.chain(ticks).chain(clip.starts()).filter(|time| (start..end).contains(time)).collect();
    times.extend([start, end]);
    times.sort();
    times.dedup();
    times
}

/// The bone that moves the body: the one whose keys do, or else the last one that carries almost all of the mass.
fn carrier(clip: &Clip, skeleton: &Skeleton, balance: &Balance) -> Option<BoneIndex> {
    let carries = |bone: &BoneIndex| balance.share_below(*bone) >= CARRIED;
    mover(clip, skeleton).filter(carries).or_else(|| skeleton.indices().filter(carries).last())
}

/// The clip with its centre of mass on an arc that leads from where it is at the start of a flight to where it is at the end. `None` if
/// no bone carries the body.
pub fn followed(clip: &Clip, skeleton: &Skeleton, balance: &Balance, arc: &BallisticArc) -> Option<Clip> {
    let bone = carrier(clip, skeleton, balance)?;
    let dense = dense_track(clip, skeleton, balance, (arc, bone));
    let starts: Vec<Time> = clip.starts().collect();
    let rate = clip.frame_rate;
    let is_preferred =
        |time: Time| rate.time_of(rate.nearest_frame(time)) == time || starts.binary_search(&time).is_ok();
    let unit = balance.scale * skeleton.parent_scales()[usize::from(bone)];
    let before = Track::of(clip, bone, Channel::Translation);
    let mut followed = None;
    for error in MAX_ERRORS {
        let reduced = fit::reduce_together(std::slice::from_ref(&dense), error / unit, is_preferred).pop()?;
        let with = followed.insert(clip.with_replaced([joined(before.clone(), reduced, arc)]));
        if residual(with, skeleton, balance, arc) <= MAX_RESIDUAL / balance.scale {
            break;
        }
    }
    followed
}

/// The translation of the bone in the flight, at frames and ticks.
fn dense_track(clip: &Clip, skeleton: &Skeleton, balance: &Balance, (arc, bone): (&BallisticArc, BoneIndex)) -> Track {
    let (poses, share) = (ExactPoses::new(skeleton, clip), balance.share_below(bone));
    let mut local = skeleton.rest_pose();
    let key = |&time: &Time| {
        poses.local(time, &mut local);
        let pose = model_pose(skeleton, &local);
        let by = (arc.at(time) - balance.centre(&pose)) / share;
        let by = match skeleton.parent(bone) {
            Some(parent) => pose.get(parent).to_mat4().inverse().transform_vector3(by),
            None => by,
        };
        let by = if by.is_finite() { by } else { Vec3::ZERO };
        let value = local.get(usize::from(bone)).translation + by;
        (time, Key { ease: Ease::Cubic, handles: HandleKind::Auto, ..Key::translation(bone, value) })
    };
    let mut keys: Vec<(Time, Key)> = times(clip, arc).iter().map(key).collect();
    // The body is thrown and lands, so the ends of the flight are no extremes.
    let slope = |[a, b, c]: [&(Time, Key); 3]| {
        let secs = |a: &(Time, Key), b: &(Time, Key)| (b.0 - a.0).secs() as f32;
        let (near, far) = ((b.1.value - a.1.value) / secs(a, b), (c.1.value - b.1.value) / secs(b, c));
        near + (near - far) * (secs(a, b) / (secs(a, b) + secs(b, c)))
    };
    if let [a, b, c, .., x, y, z] = &keys[..] {
        let (out, back) = (slope([a, b, c]), slope([z, y, x]));
        let last = keys.len() - 1;
        for (at, tangent) in [(0, out), (last, back)] {
            let key = &mut keys[at].1;
            (key.handles, key.in_tangent, key.out_tangent) = (HandleKind::Aligned, tangent, tangent);
        }
    }
    resolve(&mut keys, None);
    Track { bone, channel: Channel::Translation, keys, seam: None }
}

/// The track of the bone with other keys in the flight. Outside it, the curve stays.
fn joined(track: Option<Track>, flight: Track, arc: &BallisticArc) -> Track {
    let Some(mut track) = track else { return flight };
    let [start, end] = [arc.range.start, arc.range.end];
    let before = insert_key(&mut track.keys, track.seam, start);
    let after = insert_key(&mut track.keys, track.seam, end);
    let mut inner = flight.keys;
    let [(_, first), .., (_, last)] = &mut inner[..] else { return track };
    let [launch, landing] = [before, after].map(|at| track.keys[at].1);
    *first = Key { in_tangent: launch.in_tangent, in_length: launch.in_length, handles: HandleKind::Free, ..*first };
    let Key { in_tangent, in_length, value, .. } = *last;
    *last = Key { in_tangent, in_length, value, handles: HandleKind::Free, ..landing };
    track.keys.splice(before..=after, inner);
    track
}
