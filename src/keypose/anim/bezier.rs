//! Cubic Bézier segments in time and value: the curve between two keys whose handles have lengths of their own.
//!
//! The control points of a segment from (0, a) to (1, b) are (0, a), (l, a + l d m), (1 − k, b − k d n), (1, b), with the length l
//! and the tangent m of the first key's out-handle, k and n of the second key's in-handle, and d the seconds between both (Farin,
//! *Curves and Surfaces for CAGD*, 5th edition, section 4.4: nonparametric curves; Sederberg, *Computer Aided Geometric Design*, chapter
//! 2). Time is one number for all components of a value. It never runs back, because no length is more than 1.
//!
//! With both lengths a third, time is the parameter, and the curve is the Hermite curve of the tangents: the cubic spline of glTF
//! (2.0, appendix C). Other segments become several of those ([`to_hermite`]), for there is no single one with their shape.

use std::ops::RangeInclusive;

use glam::{DVec4, Vec4};

use crate::anim::curve::Segment;
use crate::anim::key::{Channel, Ease, HandleKind, Key};
use crate::anim::time::Time;
use crate::anim::track::Track;

/// The length of the handles of a Hermite curve.
pub const THIRD: f32 = 1.0 / 3.0;
/// The lengths of the handles of a Hermite segment.
pub const HERMITE: [f32; 2] = [THIRD; 2];
/// The lengths that a handle can have. A shorter one would need an infinite tangent.
pub const LENGTHS: RangeInclusive<f32> = 0.001..=1.0;

/// Steps that find the parameter of a time. Where time stands still the error falls by a third with each, elsewhere it is squared.
const MAX_STEPS: u32 = 64;
/// The speed of time where it stands still.
const MIN_SPEED: f64 = 1e-6;
/// How often a segment is halved to follow it by Hermite segments.
const MAX_HALVINGS: u32 = 12;
/// A change by less than this part of a value is followed as if it were so large: there would be a key for each rounding.
const MIN_CHANGE: f64 = 1e-4;
/// Places between two cuts at which a Hermite segment is compared with the curve.
const PLACES: u32 = 8;

/// A segment with handles of other lengths than a third. In double precision and only with operations that IEEE 754 rounds
/// exactly, so that every machine computes the same bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bezier {
    is_rotation: bool,
    /// The control points of the time after the first and before the last, as fractions.
    times: [f64; 2],
    points: [DVec4; 4],
}

impl Bezier {
    /// `None` if the segment isn't cubic, or a Hermite curve.
    #[inline]
    pub fn of(segment: &Segment) -> Option<Bezier> {
        (segment.ease.has_tangents() && segment.lengths != HERMITE).then(|| Bezier::new(segment))
    }

    #[cold]
    fn new(segment: &Segment) -> Bezier {
        let [out, into] = segment.lengths.map(f64::from);
        let secs = f64::from(segment.secs);
        let (from, to) = (segment.from.as_dvec4(), segment.to.as_dvec4());
        let after = from + segment.out_tangent.as_dvec4() * (out * secs);
        let before = to - segment.in_tangent.as_dvec4() * (into * secs);
        let is_rotation = segment.channel == Channel::Rotation;
        Bezier { is_rotation, times: [out, 1.0 - into], points: [from, after, before, to] }
    }

    /// The value at a fraction of the time. A rotation is not normalized.
    pub fn at(&self, fraction: f32) -> Vec4 {
        self.value(self.parameter(f64::from(fraction))).as_vec4()
    }

    /// The parameter, 0..=1, at a fraction of the time: Newton's method between bounds (Press et al., *Numerical Recipes*, 3rd
    /// edition, section 9.4).
    pub fn parameter(&self, fraction: f64) -> f64 {
        let (mut low, mut high, mut at) = (0.0, 1.0, fraction.clamp(0.0, 1.0));
        for _ in 0..MAX_STEPS {
            let off = self.time(at) - fraction;
            if off.abs() < 1e-15 {
                break;
            }
            if off < 0.0 {
                low = at
            } else {
                high = at
            }
            let next = at - off / self.speed(at);
            at = if next > low && next < high { next } else { (low + high) * 0.5 };
        }
        at
    }

    /// The fraction of the time at a parameter.
    fn time(&self, at: f64) -> f64 {
        let [a, b] = self.times;
        let rest = 1.0 - at;
        ((a * rest * rest + b * rest * at) * 3.0 + at * at) * at
    }

    /// The derivative of [`Bezier::time`].
    pub fn speed(&self, at: f64) -> f64 {
        let [a, b] = self.times;
        let rest = 1.0 - at;
        (a * rest * rest + (b - a) * (2.0 * rest * at) + (1.0 - b) * at * at) * 3.0
    }

    fn value(&self, at: f64) -> DVec4 {
        let ([a, b, c, d], rest) = (self.points, 1.0 - at);
        a * (rest * rest * rest) + b * (3.0 * rest * rest * at) + c * (3.0 * rest * at * at) + d * (at * at * at)
    }

    /// The change of the value per segment at a parameter.
    pub fn slope(&self, at: f64) -> DVec4 {
        let ([a, b, c, d], rest) = (self.points, 1.0 - at);
        let change = (b - a) * (rest * rest) + (c - b) * (2.0 * rest * at) + (d - c) * (at * at);
        change * (3.0 / self.speed(at).max(MIN_SPEED))
    }

    /// Value and slope at a parameter; of a rotation those of the normalized curve.
    fn shown(&self, at: f64) -> (DVec4, DVec4) {
        let (value, slope) = (self.value(at), self.slope(at));
        if !self.is_rotation {
            return (value, slope);
        }
        let length = dot(value, value).sqrt().max(f64::MIN_POSITIVE);
        let unit = value / length;
        (unit, (slope - unit * dot(unit, slope)) / length)
    }

    /// Appends the parameters between two at which Hermite segments meet that deviate by at most `max_error`. Returns the largest
    /// deviation.
    fn cut(&self, (from, to): (f64, f64), max_error: f64, halvings: u32, cuts: &mut Vec<f64>) -> f64 {
        let off = self.deviation(from, to);
        if off <= max_error || halvings == 0 {
            return off;
        }
        let middle = (from + to) * 0.5;
        let first = self.cut((from, middle), max_error, halvings - 1, cuts);
        cuts.push(middle);
        first.max(self.cut((middle, to), max_error, halvings - 1, cuts))
    }

    /// The largest deviation of the Hermite segment between two parameters.
    fn deviation(&self, from: f64, to: f64) -> f64 {
        let (start, end) = (self.time(from), self.time(to));
        let (span, (a, m), (b, n)) = (end - start, self.shown(from), self.shown(to));
        let off = |place: u32| {
            let at = from + (to - from) * f64::from(place) / f64::from(PLACES);
            let t = (self.time(at) - start) / span.max(f64::MIN_POSITIVE);
            let (t2, t3) = (t * t, t * t * t);
            let ends = a * (2.0 * t3 - 3.0 * t2 + 1.0) + b * (3.0 * t2 - 2.0 * t3);
            let got = ends + (m * (t3 - 2.0 * t2 + t) + n * (t3 - t2)) * span;
            let got = if self.is_rotation { got / dot(got, got).sqrt().max(f64::MIN_POSITIVE) } else { got };
            (got - self.shown(at).0).abs().max_element()
        };
        (1..PLACES).map(off).fold(0.0, f64::max)
    }

    /// The size of the curve: the largest component of a control point, as seen from the first; at least [`MIN_CHANGE`] of that point.
    fn extent(&self) -> f64 {
        let first = self.points[0];
        let least = first.abs().max_element() * MIN_CHANGE;
        self.points.iter().map(|point| (*point - first).abs().max_element()).fold(least, f64::max)
    }
}

/// The dot product with the same order of operations on every machine.
fn dot(a: DVec4, b: DVec4) -> f64 {
    (a.x * b.x + a.y * b.y) + (a.z * b.z + a.w * b.w)
}

/// The result of [`to_hermite`].
#[derive(Clone, Debug, PartialEq)]
pub struct Converted {
    /// The track of Hermite curves.
    pub track: Track,
    /// The number of segments that were none.
    pub segments: usize,
    /// The largest deviation of any component, as a fraction of the change during its segment.
    pub error: f32,
}

/// A track whose cubic segments are all Hermite curves, with handles of a third: exact for those that are already, within `max_error`
/// of the change during the segment for the others, by added keys. For an error of 1e-5 a segment gets about 15, or 100 if time
/// stands still in it. `None` if there is nothing to convert.
pub fn to_hermite(track: &Track, max_error: f32) -> Option<Converted> {
    let keys = &track.keys;
    let across = keys.len().checked_sub(1).filter(|_| track.seam.is_some()).map(|last| (last, 0));
    let is_bent = |&(from, to): &(usize, usize)| {
        let (a, b) = (&keys[from].1, &keys[to].1);
        a.ease.has_tangents() && [a.out_length, b.in_length] != HERMITE
    };
    let mut bent = (1..keys.len()).map(|to| (to - 1, to)).chain(across).filter(is_bent).peekable();
    bent.peek()?;
    let mut done = Converted { track: track.clone(), segments: 0, error: 0.0 };
    for (from, to) in bent {
        let error = done.convert((from, to), (keys[from], keys[to]), max_error);
        (done.segments, done.error) = (done.segments + 1, done.error.max(error));
    }
    done.track.keys.sort_by_key(|(time, _)| *time);
    Some(done)
}

impl Converted {
    /// Converts the segment between two keys of the track, and appends the added ones. Returns the error.
    fn convert(
        &mut self,
        (from, to): (usize, usize),
        ((start, mut a), (end, mut b)): ((Time, Key), (Time, Key)),
        max_error: f32,
    ) -> f32 {
        let is_seam = to == 0;
        let length = self.track.seam.filter(|_| is_seam).unwrap_or_default();
        // Across the seam a rotation takes the shorter way, as in `Track`.
        let is_far = is_seam && a.channel == Channel::Rotation && a.value.dot(b.value) < 0.0;
        let sign = if is_far { -1.0 } else { 1.0 };
        (b.value, b.in_tangent) = (b.value * sign, b.in_tangent * sign);
        let (added, error) = hermite_keys((start, &mut a), (end + length, &mut b), max_error);
        let keys = &mut self.track.keys;
        (keys[from].1.out_tangent, keys[from].1.out_length) = (a.out_tangent, THIRD);
        (keys[to].1.in_tangent, keys[to].1.in_length) = (b.in_tangent * sign, THIRD);
        keys.extend(added.into_iter().map(|(time, key)| {
            if !is_seam || time < length {
                return (time, key);
            }
            let (value, tangent) = (key.value * sign, key.out_tangent * sign);
            (time - length, Key { value, in_tangent: tangent, out_tangent: tangent, ..key })
        }));
        error
    }
}

/// The keys between two, ascending, that make their segment Hermite curves, and the largest deviation as a fraction of the change.
/// The tangents of both are adjusted.
fn hermite_keys(
    (start, from): (Time, &mut Key),
    (end, to): (Time, &mut Key),
    max_error: f32,
) -> (Vec<(Time, Key)>, f32) {
    let secs = (end - start).secs();
    if secs <= 0.0 {
        return (Vec::new(), 0.0);
    }
    let Some(curve) = Bezier::of(&Segment::between(from, to, secs as f32)) else { return (Vec::new(), 0.0) };
    let extent = curve.extent().max(f64::MIN_POSITIVE);
    let mut cuts = Vec::new();
    let error = curve.cut((0.0, 1.0), f64::from(max_error) * extent, MAX_HALVINGS, &mut cuts);
    let mut keys: Vec<(Time, Key)> = Vec::with_capacity(cuts.len());
    for cut in cuts {
        let time = start + Time((curve.time(cut) * (end - start).0 as f64).round() as i64);
        if time <= keys.last().map_or(start, |(before, _)| *before) || time >= end {
            continue;
        }
        let (value, slope) = curve.shown(curve.parameter((time - start).fraction_of(end - start)));
        let (value, tangent) = (value.as_vec4(), (slope / secs).as_vec4());
        if !(value.is_finite() && tangent.is_finite()) {
            continue;
        }
        let key = Key { ease: Ease::Cubic, handles: HandleKind::Aligned, ..Key::new(from.bone, from.channel, value) };
        keys.push((time, Key { in_tangent: tangent, out_tangent: tangent, ..key }));
    }
    let tangent = |at| Some((curve.shown(at).1 / secs).as_vec4()).filter(|tangent| tangent.is_finite());
    from.out_tangent = tangent(0.0).unwrap_or(from.out_tangent);
    to.in_tangent = tangent(1.0).unwrap_or(to.in_tangent);
    (keys, (error / extent) as f32)
}

#[cfg(test)]
mod tests {
    use glam::{DVec4, Quat, Vec3};

    use super::*;
    use crate::anim::curve::hermite;

    const LENGTHS_TRIED: [[f32; 2]; 7] =
        [[THIRD, 0.6], [0.5, 0.5], [0.001, 0.001], [0.87, 0.87], [1.0, 0.001], [0.99, 0.99], [1.0, 1.0]];

    fn segment(lengths: [f32; 2]) -> Segment {
        Segment {
            channel: Channel::Translation,
            ease: Ease::Cubic,
            from: Vec4::new(0.0, 1.0, -2.0, 0.0),
            out_tangent: Vec4::new(4.0, 0.0, -3.0, 0.0),
            to: Vec4::new(2.0, 1.5, 0.5, 0.0),
            in_tangent: Vec4::new(0.0, 0.25, 40.0, 0.0),
            secs: 0.75,
            lengths,
        }
    }

    #[test]
    fn handles_of_a_third_are_the_hermite_curve() {
        let (exact, curve) = (segment(HERMITE), Bezier::new(&segment(HERMITE)));
        for step in 0..=50 {
            let at = step as f32 / 50.0;
            let wanted = hermite(exact.from, exact.out_tangent, exact.to, exact.in_tangent, exact.secs, at);
            assert_eq!(exact.at(at), wanted, "the same bits");
            assert!((curve.at(at) - wanted).abs().max_element() < 4e-6, "{at}");
        }
    }

    /// The reference evaluates the control points by de Casteljau's algorithm, and finds the parameter by halving.
    #[test]
    fn steep_handles_agree_with_a_reference() {
        for lengths in LENGTHS_TRIED {
            let it = segment(lengths);
            let [out, into] = lengths.map(f64::from);
            let secs = f64::from(it.secs);
            let (a, d) = (it.from.as_dvec4(), it.to.as_dvec4());
            let points = [a, a + it.out_tangent.as_dvec4() * out * secs, d - it.in_tangent.as_dvec4() * into * secs, d];
            let times = [0.0, out, 1.0 - into, 1.0].map(DVec4::splat);
            let at = |[a, b, c, d]: [DVec4; 4], u: f64| {
                let (ab, bc, cd) = (a.lerp(b, u), b.lerp(c, u), c.lerp(d, u));
                ab.lerp(bc, u).lerp(bc.lerp(cd, u), u)
            };
            for step in 0..=200 {
                let fraction = f64::from(step as f32 / 200.0);
                let (mut low, mut high) = (0.0, 1.0);
                for _ in 0..60 {
                    let middle = (low + high) / 2.0;
                    if at(times, middle).x < fraction { low = middle } else { high = middle }
                }
                // Where time nearly stands still, values are as far apart as the reference's own parameters.
                let slack = (at(points, high + 1e-5) - at(points, low - 1e-5)).abs().max_element().max(2e-6);
                let off = (it.at(fraction as f32).as_dvec4() - at(points, low)).abs().max_element();
                assert!(off <= slack, "{lengths:?} at {fraction}: off by {off}");
            }
        }
    }

    #[test]
    fn a_value_that_hardly_changes_gets_hardly_any_keys() {
        for turn in [Quat::IDENTITY, Quat::from_rotation_x(1.1) * Quat::from_rotation_z(0.4)] {
            let key = Key { ease: Ease::Cubic, out_length: 0.8, in_length: 0.2, ..Key::rotation(0, turn) };
            // As far apart as rounding takes values that were computed in two ways.
            let near = Key { value: key.value * (1.0 + f32::EPSILON), ..key };
            for (next, most) in [(key, 2), (near, 4)] {
                let keys = vec![(Time::ZERO, key), (Time::SECOND, next)];
                let done = to_hermite(&Track { bone: 0, channel: key.channel, keys, seam: None }, 1e-5).unwrap();
                assert!(done.track.keys.len() <= most, "{turn}: {} keys", done.track.keys.len());
                assert!(done.error <= 1e-5, "{}", done.error);
            }
        }
    }

    /// FNV-1a over the bits of values: change it only if curves are meant to change.
    #[test]
    fn every_machine_computes_the_same_bits() {
        let values =
            LENGTHS_TRIED.into_iter().flat_map(|lengths| (0..=40).map(move |at| segment(lengths).at(at as f32 / 40.0)));
        let bytes = values.flat_map(|value| value.to_array()).flat_map(|number| number.to_bits().to_le_bytes());
        let hash =
            bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
        assert_eq!(hash, 0x8802_ef0a_4764_862e, "{hash:#x}");
    }

    /// ```text
    /// seconds   0.5 ── 1.5 ── 2.5 ── (3: the seam) ── 3.5 = 0.5
    /// ```
    #[test]
    fn a_track_becomes_hermite_curves_within_the_error() {
        for rotates in [false, true] {
            for lengths in LENGTHS_TRIED {
                let key = |at: i64, angle: f32| {
                    let turn = Quat::from_rotation_z(angle) * Quat::from_rotation_x(angle * 0.5);
                    let place = Vec3::new(angle, -angle, 0.3);
                    let key = if rotates { Key::rotation(0, turn) } else { Key::translation(0, place) };
                    let (in_tangent, out_tangent) = (key.value * 0.3, Vec4::new(0.2, -0.7, 0.1, 0.0));
                    let [out_length, in_length] = lengths;
                    let key = Key { ease: Ease::Cubic, in_tangent, out_tangent, in_length, out_length, ..key };
                    (Time::SECOND * at + Time::SECOND / 2, key)
                };
                let keys = vec![key(0, 0.4), key(1, 1.3), key(2, -0.6)];
                let track = Track { bone: 0, channel: keys[0].1.channel, keys, seam: Some(Time::SECOND * 3) };
                let alone = Track { keys: vec![key(1, 1.3)], ..track.clone() };
                check(&alone, rotates, lengths);
                assert_eq!(check(&track, rotates, lengths), 3);
            }
        }
    }

    /// Checks what a track is converted to, and returns the number of segments.
    fn check(track: &Track, rotates: bool, lengths: [f32; 2]) -> usize {
        let done = to_hermite(track, 1e-5).unwrap();
        let converted = &done.track;
        assert!(converted.keys.is_sorted_by(|a, b| a.0 < b.0) && converted.keys.iter().all(|it| it.1.is_valid()));
        assert!(converted.keys.iter().all(|it| [it.1.in_length, it.1.out_length] == HERMITE));
        let count = converted.keys.len();
        assert!(count <= 3 * 128, "{lengths:?}: {count} keys");
        assert_eq!(to_hermite(converted, 1e-5), None, "Hermite curves stay");
        for step in 0..3000 {
            let time = Time::SECOND * 3 / 3000 * step;
            let off = (track.sample(time) - converted.sample(time)).abs().max_element();
            assert!(off < 4e-5, "{rotates} {lengths:?}: off by {off} at {time}");
        }
        done.segments
    }
}
