//! Key reduction: removes keys of a track within an error bound.
//!
//! The remaining keys keep their times. Between two of them the segment becomes a step, a line, or a least-squares
//! cubic, whichever spans more keys; a segment that can't be replaced is kept.

use glam::Vec4;

use crate::anim::bezier::HERMITE;
use crate::anim::clip::{Clip, Keyframe, KeyframeKind};
use crate::anim::curve::{Segment, free_tangents};
use crate::anim::key::{Channel, Ease, Key};
use crate::anim::keyframes::Keyframes;
use crate::anim::time::Time;
use crate::anim::track::Track;

/// Samples per source segment at which the error is measured, its start included; its end is one more.
const PLACES: i64 = 9;
/// The share of the bound that is aimed at: between two samples the difference of two cubics grows by less than the
/// rest.
const MARGIN: f32 = 0.9;

/// The maximum deviation of a reduced clip, by channel. At least 0; at 0 only redundant keys are removed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// In model units.
    pub translation: f32,
    /// In radians.
    pub rotation: f32,
    /// As a factor: 0.01 is 1 %. Also the tolerance of scalars, such as weights.
    pub scale: f32,
}

impl Tolerance {
    /// The tolerance of a track (see [`distance`]), with the [scales of parents](crate::anim::skeleton::Skeleton::parent_scales).
    pub fn of(&self, track: &Track, scales: &[f32]) -> f32 {
        match track.channel {
            Channel::Translation => self.translation / scale(track, scales),
            Channel::Rotation => self.rotation,
            Channel::Scale | Channel::Scalar(_) => self.scale,
        }
    }
}

fn scale(track: &Track, scales: &[f32]) -> f32 {
    scales.get(usize::from(track.bone)).copied().unwrap_or(1.0)
}

/// The distance between two values of a channel: of translations and scales the Euclidean distance, of rotations the
/// angle in radians, regardless of length and sign.
pub fn distance(channel: Channel, a: Vec4, b: Vec4) -> f32 {
    match channel {
        Channel::Rotation => {
            let (a, b) = (a.normalize_or_zero(), b.normalize_or_zero());
            let (near, far) = ((a - b).length(), (a + b).length());
            4.0 * f32::atan2(near.min(far), near.max(far))
        }
        _ => (a - b).length(),
    }
}

/// Returns the track with fewer keys, everywhere within `max_error` (see [`distance`]) of the original, up to the
/// rounding of `f32`. The first and last key stay, unless one key suffices.
///
/// ```
/// use keypose::anim::{clip::{Clip, Keyframe}, fit, key::Key, time::Time, track::Track};
/// let keyframe = |x: f32| Keyframe { duration: Time::TICK, keys: vec![Key::translation(0, glam::Vec3::splat(x))].into(), ..Keyframe::default() };
/// let clip = Clip { keyframes: [0.0, 1.0, 2.0, 3.0].map(keyframe).into(), ..Clip::new("a straight line") };
/// let reduced = fit::reduce(&Track::all_of(&clip)[0], 1e-3);
/// assert_eq!(reduced.keys.len(), 2);
/// ```
pub fn reduce(track: &Track, max_error: f32) -> Track {
    reduce_together(std::slice::from_ref(track), max_error, |_| true).pop().unwrap_or_else(|| track.clone())
}

/// As [`reduce`], for tracks with keys at the same times: those that aren't reduced to one key stay so. Keys remain at times for which
/// `is_preferred` is true wherever the error allows.
///
/// # Panics
/// If the tracks have different numbers of keys.
pub fn reduce_together(tracks: &[Track], max_error: f32, is_preferred: impl Fn(Time) -> bool) -> Vec<Track> {
    reduce_between(tracks, max_error, is_preferred, &[])
}

/// As [`reduce_together`]. Keys at times of `kept`, which ascend, remain in tracks that aren't reduced to one key.
fn reduce_between(tracks: &[Track], max_error: f32, is_preferred: impl Fn(Time) -> bool, kept: &[Time]) -> Vec<Track> {
    let mut reduced = tracks.to_vec();
    let (mut fitters, mut moving) = (Vec::new(), Vec::new());
    for (track, reduced) in tracks.iter().zip(&mut reduced) {
        let Some(fitter) = Fitter::new(track, max_error) else { continue };
        if fitter.is_one_value() {
            let (time, key) = fitter.keys[0];
            reduced.keys = vec![(time, without_tangents(key))];
        } else {
            fitters.push(fitter);
            moving.push(reduced);
        }
    }
    let Some(times) = fitters.first().map(|fitter| &fitter.keys) else { return reduced };
    let last = times.len() - 1;
    let is_kept = |at: usize| at == last || kept.binary_search(&times[at].0).is_ok();
    let preferred: Vec<usize> = (1..=last).filter(|&at| is_kept(at) || is_preferred(times[at].0)).collect();
    let ends: Vec<usize> = (1..=last).filter(|&at| is_kept(at)).collect();
    moving.iter_mut().zip(&fitters).for_each(|(track, fitter)| track.keys = vec![fitter.keys[0]]);
    let mut at = 0;
    while at < last {
        let end = ends[ends.partition_point(|&end| end <= at)];
        let after = |place: usize| preferred.partition_point(|&it| it <= place);
        let next = &preferred[after(at)..after(end)];
        // The next key is reached by the segments of the source.
        let ways = |to: usize| {
            let way = |fitter: &Fitter<'_>| if to == at + 1 { Some(None) } else { fitter.way(at, to).map(Some) };
            fitters.iter().map(way).collect::<Option<Vec<Option<Segment>>>>()
        };
        let between: Vec<usize> = (at + 1..next[0]).collect();
        let Some((to, ways)) = farthest(next, ways).or_else(|| farthest(&between, ways)) else { break };
        for ((track, fitter), way) in moving.iter_mut().zip(&fitters).zip(ways) {
            let mut key = fitter.keys[to];
            if let (Some(way), Some((_, from))) = (way, track.keys.last_mut()) {
                from.ease = way.ease;
                if way.ease.has_tangents() {
                    (from.out_tangent, key.1.in_tangent) = (way.out_tangent, way.in_tangent);
                    [from.out_length, key.1.in_length] = way.lengths;
                }
            }
            track.keys.push(key);
        }
        at = to;
    }
    moving.into_iter().for_each(|track| free_cubics(&mut track.keys, track.seam.is_some()));
    reduced
}

/// Reduces all tracks of a clip, between its extremes and breakdowns. Keyframes without keys are merged with the one before; the
/// length doesn't change. `scales` are those of parents ([`Tolerance::of`]).
pub fn reduce_clip(clip: &Clip, scales: &[f32], tolerance: &Tolerance) -> Clip {
    reduce_clip_by(clip, |track| tolerance.of(track, scales))
}

/// As [`reduce_clip`], with a maximum error for each track (see [`distance`]).
pub fn reduce_clip_by(clip: &Clip, max_error: impl Fn(&Track) -> f32) -> Clip {
    let tracks = Track::keyed(clip, |_| true);
    let kinds = clip.starts().zip(&clip.keyframes);
    let kept: Vec<Time> = kinds.filter(|(_, it)| it.kind != KeyframeKind::Plain).map(|(start, _)| start).collect();
    let reduced =
        tracks.iter().flat_map(|track| reduce_between(std::slice::from_ref(track), max_error(track), |_| true, &kept));
    let mut keys: Vec<(Time, Key)> = reduced.flat_map(|track| track.keys).collect();
    keys.sort_by_key(|(time, key)| (*time, key.address()));
    let mut out = Clip { keyframes: Keyframes::default(), ..clip.clone() };
    for (start, keyframe) in clip.starts().zip(&clip.keyframes) {
        let here = keys.partition_point(|(time, _)| *time < start)..keys.partition_point(|(time, _)| *time <= start);
        let left: Vec<Key> = keys[here].iter().map(|(_, key)| *key).collect();
        match out.keyframes.last_mut() {
            Some(before) if left.is_empty() && !keyframe.keys.is_empty() && keyframe.kind == KeyframeKind::Plain => {
                before.duration += keyframe.duration;
            }
            _ => out.keyframes.push(Keyframe { keys: left.into(), ..keyframe.clone() }),
        }
    }
    out
}

/// Places per segment at which two clips are compared; other ones than those of a reduction.
const COMPARED: i64 = 16;

/// The maximum distance of each kind of channel between a clip and one with fewer keys (see [`distance`]), measured at many places
/// between its keys; of translations in model units. `scales` are those of parents ([`Tolerance::of`]).
pub fn deviation(clip: &Clip, reduced: &Clip, scales: &[f32]) -> Tolerance {
    let mut found = Tolerance { translation: 0.0, rotation: 0.0, scale: 0.0 };
    let tracks = Track::keyed(reduced, |_| true);
    let mut times: Vec<Time> = clip.starts().chain([clip.length()]).collect();
    times.dedup();
    for track in Track::keyed(clip, |_| true) {
        let same = |other: &&Track| (other.bone, other.channel) == (track.bone, track.channel);
        let Some(other) = tracks.iter().find(same) else { continue };
        let ends = times.iter().map(|end| (track.sample_before(*end), other.sample_before(*end)));
        let between = times.iter().zip(times[1..].iter().chain(times.last())).flat_map(|(start, end)| {
            (0..COMPARED).map(|place| {
                Time(start.0 + ((end.0 - start.0) as i128 * i128::from(place) / i128::from(COMPARED)) as i64)
            })
        });
        let samples = between.map(|time| (track.sample(time), other.sample(time)));
        let max = samples.chain(ends).map(|(a, b)| distance(track.channel, a, b)).fold(0.0, f32::max);
        let kind = match track.channel {
            Channel::Translation => &mut found.translation,
            Channel::Rotation => &mut found.rotation,
            Channel::Scale | Channel::Scalar(_) => &mut found.scale,
        };
        let unit = if track.channel == Channel::Translation { scale(&track, scales) } else { 1.0 };
        *kind = kind.max(max * unit);
    }
    found
}

/// A track with its samples.
struct Fitter<'t> {
    track: &'t Track,
    /// Rotations in one hemisphere, so that every segment interpolates without a change of sign.
    keys: Vec<(Time, Key)>,
    /// For each segment, seconds from the first key and exact values; the last one is the limit at the segment's end.
    samples: Vec<Vec<(f64, Vec4)>>,
    max_error: f32,
}

impl<'t> Fitter<'t> {
    /// `None` if there are fewer than two keys.
    fn new(track: &'t Track, max_error: f32) -> Option<Fitter<'t>> {
        let start = track.keys.first()?.0;
        let mut keys = track.keys.clone();
        let mut samples = Vec::with_capacity(keys.len());
        for at in 0..keys.len() - 1 {
            let ((from, a), (to, b)) = (keys[at], keys[at + 1]);
            // A cubic follows the signs of its values; a slerp takes the shorter way.
            let sign = if a.channel == Channel::Rotation {
                let raw = track.keys[at].1;
                let own = if a.value.dot(raw.value) < 0.0 { -1.0 } else { 1.0 };
                if a.ease.has_tangents() || a.value.dot(b.value) * own >= 0.0 { own } else { -own }
            } else {
                1.0
            };
            let key = &mut keys[at + 1].1;
            (key.value, key.in_tangent, key.out_tangent) = (b.value * sign, b.in_tangent * sign, b.out_tangent * sign);
            let place = |place: i64| {
                let time = from + Time(((to - from).0 as i128 * i128::from(place) / i128::from(PLACES)) as i64);
                let value = if place == PLACES { track.sample_before(to) } else { track.sample(time) };
                ((time - start).secs(), value)
            };
            let mut line: Vec<(f64, Vec4)> = (0..=PLACES).map(place).collect();
            if a.channel == Channel::Rotation {
                let mut before = a.value;
                for (_, value) in &mut line {
                    *value *= if value.dot(before) < 0.0 { -1.0 } else { 1.0 };
                    before = *value;
                }
            }
            samples.push(line);
        }
        (keys.len() > 1).then_some(Fitter { track, keys, samples, max_error })
    }

    fn is_near(&self, a: Vec4, b: Vec4) -> bool {
        distance(self.track.channel, a, b) <= self.max_error * MARGIN
    }

    /// Whether the interpolation across the seam stays near a value.
    fn seam_is_near(&self, value: Vec4) -> bool {
        let (first, last) = (self.keys[0].0, self.keys[self.keys.len() - 1].0);
        let Some(length) = self.track.seam else { return true };
        let (way, after) = ((length - last) + first, length - last);
        (0..=PLACES).all(|place| {
            let gone = Time((way.0 as i128 * i128::from(place) / i128::from(PLACES)) as i64);
            let time = if gone <= after { last + gone } else { gone - after };
            self.is_near(value, self.track.sample(time))
        })
    }

    /// Whether one key is enough.
    fn is_one_value(&self) -> bool {
        let first = self.keys[0].1.value;
        // A jump to the last key is not among the samples.
        let last = (0.0, self.keys[self.keys.len() - 1].1.value);
        let mut values = self.samples.iter().flatten().chain([&last]);
        values.all(|(_, value)| self.is_near(first, *value)) && (self.track.seam.is_none() || self.seam_is_near(first))
    }

    /// A segment that replaces all keys between two others.
    fn way(&self, at: usize, to: usize) -> Option<Segment> {
        let secs = (self.keys[to].0 - self.keys[at].0).secs() as f32;
        let between = Segment::between(&self.keys[at].1, &self.keys[to].1, secs);
        let fits = |ease, (out_tangent, in_tangent)| {
            let way = Segment { ease, out_tangent, in_tangent, lengths: HERMITE, ..between };
            self.along(at, to).all(|(fraction, exact)| self.is_near(way.at(fraction as f32), exact)).then_some(way)
        };
        let none = (Vec4::ZERO, Vec4::ZERO);
        fits(Ease::Linear, none)
            .or_else(|| fits(Ease::Step, none))
            .or_else(|| fits(Ease::Cubic, self.tangents(at, to)?))
    }

    /// The samples between two keys, with their fraction.
    fn along(&self, at: usize, to: usize) -> impl Iterator<Item = (f64, Vec4)> + '_ {
        let start = (self.keys[at].0 - self.keys[0].0).secs();
        let secs = (self.keys[to].0 - self.keys[at].0).secs();
        self.samples[at..to].iter().flatten().map(move |(time, value)| ((time - start) / secs, *value))
    }

    /// Least-squares tangents between two keys; `None` if they are not finite.
    fn tangents(&self, at: usize, to: usize) -> Option<(Vec4, Vec4)> {
        let secs = (self.keys[to].0 - self.keys[at].0).secs();
        least_squares((self.keys[at].1.value, self.keys[to].1.value), secs, self.along(at, to))
    }
}

/// The last of some places that one segment can reach, and that segment, found by doubling steps and bisection.
fn farthest<T>(places: &[usize], way: impl Fn(usize) -> Option<T>) -> Option<(usize, T)> {
    let (mut best, mut reached, mut step, mut beyond) = (None, 0, 1, places.len() + 1);
    while reached < places.len() {
        let tried = step.min(places.len());
        match way(places[tried - 1]) {
            Some(way) => (best, reached, step) = (Some((places[tried - 1], way)), tried, step * 2),
            None => {
                beyond = tried;
                break;
            }
        }
    }
    while reached + 1 < beyond {
        let tried = reached + (beyond - reached) / 2;
        match way(places[tried - 1]) {
            Some(way) => (best, reached) = (Some((places[tried - 1], way)), tried),
            None => beyond = tried,
        }
    }
    best
}

/// The tangents of the cubic between two values, `secs` seconds apart, that is nearest to samples: fractions of the time
/// between the values, and the values there. `None` if they are not finite.
pub(super) fn least_squares(
    (a, b): (Vec4, Vec4),
    secs: f64,
    samples: impl Iterator<Item = (f64, Vec4)>,
) -> Option<(Vec4, Vec4)> {
    let (a, b) = (a.as_dvec4(), b.as_dvec4());
    let (mut own, mut both, mut other) = (0.0, 0.0, 0.0);
    let (mut first, mut second) = (glam::DVec4::ZERO, glam::DVec4::ZERO);
    for (t, value) in samples {
        let (t2, t3) = (t * t, t * t * t);
        let (out, into) = (secs * (t3 - 2.0 * t2 + t), secs * (t3 - t2));
        let rest = value.as_dvec4() - a * (2.0 * t3 - 3.0 * t2 + 1.0) - b * (3.0 * t2 - 2.0 * t3);
        (own, both, other) = (own + out * out, both + out * into, other + into * into);
        (first, second) = (first + rest * out, second + rest * into);
    }
    let determinant = own * other - both * both;
    let out = ((first * other - second * both) / determinant).as_vec4();
    let into = ((second * own - first * both) / determinant).as_vec4();
    (out.is_finite() && into.is_finite()).then_some((out, into))
}

/// A linear key with zero tangents.
fn without_tangents(key: Key) -> Key {
    Key { ease: Ease::Linear, in_tangent: Vec4::ZERO, out_tangent: Vec4::ZERO, ..key }
}

/// Makes the tangents of keys beside a cubic free, so that resolving the tangents of the clip doesn't change them.
fn free_cubics(keys: &mut [(Time, Key)], loops: bool) {
    let count = keys.len();
    for at in 0..count {
        let before = at.checked_sub(1).or(loops.then(|| count - 1));
        let is_beside = [Some(at), before].into_iter().flatten().any(|at| keys[at].1.ease.has_tangents());
        if is_beside {
            free_tangents(&mut keys[at].1);
        }
    }
}
