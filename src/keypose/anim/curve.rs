//! Interpolation between two values: slerp, cubic Hermite, automatic tangents. [`crate::anim::bezier`] has cubic curves with handles of
//! other lengths than a third.

use glam::{Quat, Vec4};

use crate::anim::bezier::{Bezier, LENGTHS, THIRD};
use crate::anim::key::{Channel, Ease, HandleKind, Key};
use crate::anim::slerp::{slerp_portable, unit_or};

/// Spherical linear interpolation on the shortest path, exact to rounding for every angle (Shoemake 1985; the angle by
/// Kahan's formula, 2·atan2(|a−b|, |a+b|), which is precise for small and for nearly opposite rotations).
///
/// Takes and returns unit quaternions. glam's own `slerp` approximates the arc cosine to 7e-5.
pub fn slerp(from: Quat, to: Quat, fraction: f32) -> Quat {
    let to = if from.dot(to) < 0.0 { -to } else { to };
    let angle = 2.0 * f32::atan2((from - to).length(), (from + to).length());
    if angle < 1e-4 {
        return from.lerp(to, fraction);
    }
    let weight = |part: f32| (part * angle).sin() / angle.sin();
    (from * weight(1.0 - fraction) + to * weight(fraction)).normalize()
}

/// Cubic Hermite (glTF 2.0, appendix C). `fraction` is in 0..=1, tangents are in units per second, `secs` is the length
/// of the segment.
pub fn hermite(from: Vec4, out_tangent: Vec4, to: Vec4, in_tangent: Vec4, secs: f32, fraction: f32) -> Vec4 {
    let (t, t2) = (fraction, fraction * fraction);
    let t3 = t2 * t;
    from * (2.0 * t3 - 3.0 * t2 + 1.0)
        + out_tangent * (secs * (t3 - 2.0 * t2 + t))
        + to * (3.0 * t2 - 2.0 * t3)
        + in_tangent * (secs * (t3 - t2))
}

/// A curve from one key to the next: the only place that evaluates an [`Ease`], but for the wide loops of baked clips.
#[derive(Clone, Copy, Debug)]
pub struct Segment {
    /// The channel of both keys.
    pub channel: Channel,
    /// The ease of the first key.
    pub ease: Ease,
    /// The value of the first key.
    pub from: Vec4,
    /// The out-tangent of the first key, in units per second.
    pub out_tangent: Vec4,
    /// The value of the second key.
    pub to: Vec4,
    /// The in-tangent of the second key, in units per second.
    pub in_tangent: Vec4,
    /// The time between both keys.
    pub secs: f32,
    /// The lengths of the first key's out-handle and of the second key's in-handle, as fractions of that time.
    pub lengths: [f32; 2],
}

impl Segment {
    /// The curve between two keys of a channel.
    pub fn between(from: &Key, to: &Key, secs: f32) -> Segment {
        Segment {
            channel: from.channel,
            ease: from.ease,
            from: from.value,
            out_tangent: from.out_tangent,
            to: to.value,
            in_tangent: to.in_tangent,
            secs,
            lengths: [from.out_length, to.in_length],
        }
    }

    /// The value at a fraction of 0..1. A cubic rotation is not normalized. The same bits on every machine.
    pub fn at(&self, fraction: f32) -> Vec4 {
        match self.ease {
            Ease::Step => self.from,
            Ease::Linear if self.channel == Channel::Rotation => slerp_portable(self.from, self.to, fraction),
            Ease::Linear => self.from.lerp(self.to, fraction),
            Ease::Cubic => match Bezier::of(self) {
                Some(curve) => curve.at(fraction),
                None => hermite(self.from, self.out_tangent, self.to, self.in_tangent, self.secs, fraction),
            },
        }
    }

    /// The tangent of a key that splits the segment at a fraction of 0..1; zero if its ease has no tangents.
    pub fn tangent(&self, fraction: f32) -> Vec4 {
        match self.ease {
            Ease::Step | Ease::Linear => Vec4::ZERO,
            Ease::Cubic => match Bezier::of(self) {
                Some(curve) if self.secs > 0.0 => {
                    (curve.slope(curve.parameter(f64::from(fraction))) / f64::from(self.secs)).as_vec4()
                }
                _ => hermite_slope(self.from, self.out_tangent, self.to, self.in_tangent, self.secs, fraction),
            },
        }
    }

    /// The length of the handle of a key that splits the segment at a fraction of 0..1, towards the next split.
    fn handle_length(&self, fraction: f32, towards: f32) -> f32 {
        let Some(curve) = Bezier::of(self) else { return THIRD };
        let (at, to) = (curve.parameter(f64::from(fraction)), curve.parameter(f64::from(towards)));
        let length = curve.speed(at) * (to - at) / 3.0 / f64::from(towards - fraction);
        if length.is_finite() { (length as f32).clamp(*LENGTHS.start(), *LENGTHS.end()) } else { THIRD }
    }
}

/// The derivative of [`hermite`] in units per second; zero in a segment of length 0.
pub fn hermite_slope(from: Vec4, out_tangent: Vec4, to: Vec4, in_tangent: Vec4, secs: f32, fraction: f32) -> Vec4 {
    let (t, t2) = (fraction, fraction * fraction);
    if secs <= 0.0 {
        return Vec4::ZERO;
    }
    (to - from) * (6.0 * (t - t2) / secs) + out_tangent * (3.0 * t2 - 4.0 * t + 1.0) + in_tangent * (3.0 * t2 - 2.0 * t)
}

/// Returns a key that splits the segment between two keys, `secs` long, at a fraction in 0..=1, and changes no value on
/// it. In a cubic segment both keys get aligned or free handles with their present tangents, so that resolving the tangents of the
/// clip again doesn't change the curve.
///
/// Per-axis values and slerped rotations keep their shape to rounding. A cubic rotation is a cubic that is normalized
/// when it is evaluated; a split key must have unit length, and no cubic through it has exactly the same directions. It
/// keeps direction and speed at the split and at both ends; between them it deviates by less than 0.05° for keys 60°
/// apart. [`split_within`] keeps any bound with more keys.
pub fn split(from: &mut Key, to: &mut Key, secs: f32, fraction: f32) -> Key {
    cut_at(from, to, secs, &[fraction])[0].1
}

/// A part of a segment that is no longer than this fraction of it is not split again: where handles are as long as the segment, time
/// stands still, and no number of keys follows the curve.
const SHORTEST_HALVED: f32 = 1e-4;

/// Like [`split`], with more keys until the deviation is within `max_error` (in components of the value, or of a value as large as 1; below
/// 1e-6 the rounding of `f32` shows). Returns the keys with their fractions, in order, the split included. At most 63, and no more
/// where the curve jumps.
pub fn split_within(from: &mut Key, to: &mut Key, secs: f32, fraction: f32, max_error: f32) -> Vec<(f32, Key)> {
    let was = (*from, *to);
    let largest = [from.value, to.value].map(|value| value.abs().max_element());
    let max_error = max_error * largest[0].max(largest[1]).max(1.0);
    let mut cuts = vec![fraction];
    loop {
        (*from, *to) = was;
        let keys = cut_at(from, to, secs, &cuts);
        let ends = || [(0.0, *from)].into_iter().chain(keys.iter().copied()).chain([(1.0, *to)]);
        let strays = |((start, a), (end, b)): ((f32, Key), (f32, Key))| {
            (1..8).map(|step| step as f32 / 8.0).any(|part| {
                let exact = between(&was.0, &was.1, secs, start + (end - start) * part);
                (between(&a, &b, secs * (end - start), part) - exact).abs().max_element() > max_error
            })
        };
        let bad = ends().zip(ends().skip(1)).filter(|(a, b)| b.0 - a.0 > SHORTEST_HALVED && strays((*a, *b)));
        let halves: Vec<f32> = bad.map(|(a, b)| (a.0 + b.0) * 0.5).collect();
        if halves.is_empty() || cuts.len() + halves.len() > 63 {
            return keys;
        }
        cuts.extend(halves);
        cuts.sort_by(f32::total_cmp);
        cuts.dedup();
    }
}

/// Inserts keys between two keys, at ascending fractions.
fn cut_at(from: &mut Key, to: &mut Key, secs: f32, cuts: &[f32]) -> Vec<(f32, Key)> {
    let key = |value| Key { ease: from.ease, ..Key::new(from.bone, from.channel, value) };
    if !from.ease.has_tangents() {
        return cuts.iter().map(|&cut| (cut, key(between(from, to, secs, cut)))).collect();
    }
    let segment = Segment::between(from, to, secs);
    // Makes a split key a unit quaternion: each part is the whole curve times a factor that is linear between its ends,
    // which keeps the directions. What of that product is not a cubic is dropped; it is small.
    let scale = |cut: f32| {
        let length = segment.at(cut).length();
        if from.channel == Channel::Rotation && length > 0.0 { length.recip() } else { 1.0 }
    };
    let tangent = |cut: f32, towards: f32| {
        let (value, slope) = (segment.at(cut), segment.tangent(cut));
        let way = (towards - cut) * secs;
        slope * scale(cut) + if way != 0.0 { value * ((scale(towards) - scale(cut)) / way) } else { Vec4::ZERO }
    };
    let inner = |(at, &cut): (usize, &f32)| {
        let value = segment.at(cut) * scale(cut);
        let value = if from.channel == Channel::Rotation { unit_or(value, from.value) } else { value };
        let before = if at > 0 { cuts[at - 1] } else { 0.0 };
        let after = cuts.get(at + 1).copied().unwrap_or(1.0);
        let (in_tangent, out_tangent) = (tangent(cut, before), tangent(cut, after));
        let (in_length, out_length) = (segment.handle_length(cut, before), segment.handle_length(cut, after));
        let mut key = Key { in_tangent, out_tangent, in_length, out_length, ..key(value) };
        free_tangents(&mut key);
        (cut, key)
    };
    let keys = cuts.iter().enumerate().map(inner).collect();
    if let (Some(&first), Some(&last)) = (cuts.first(), cuts.last()) {
        (from.out_tangent, to.in_tangent) = (tangent(0.0, first), tangent(1.0, last));
        (from.out_length, to.in_length) = (segment.handle_length(0.0, first), segment.handle_length(1.0, last));
    }
    free_tangents(from);
    free_tangents(to);
    keys
}

/// The value between two keys, as a track computes it.
fn between(from: &Key, to: &Key, secs: f32, fraction: f32) -> Vec4 {
    let value = Segment::between(from, to, secs).at(fraction);
    let is_unit = from.channel != Channel::Rotation || !from.ease.has_tangents();
    if is_unit { value } else { value.normalize() }
}

/// Makes a key's handles aligned or free, with their present values.
pub fn free_tangents(key: &mut Key) {
    let is_smooth = key.in_tangent == key.out_tangent && key.handles != HandleKind::Free;
    key.handles = if is_smooth { HandleKind::Aligned } else { HandleKind::Free };
}

/// The automatic tangent of a key, in units per second, by component: the slope between both neighbours, but zero at a
/// local extreme and clamped so that the curve stays between the key and each neighbour (Fritsch and Carlson 1980). A
/// neighbour is its value and the distance to it in seconds, more than 0.
pub fn auto_tangent(before: (Vec4, f32), value: Vec4, after: (Vec4, f32)) -> Vec4 {
    let slope_in = (value - before.0) / before.1;
    let slope_out = (after.0 - value) / after.1;
    let wanted = (after.0 - before.0) / (before.1 + after.1);
    let component = |axis: usize| {
        let (into, out) = (slope_in[axis], slope_out[axis]);
        let limit = 3.0 * into.abs().min(out.abs());
        // Not of numbers that are none.
        if into * out > 0.0 { wanted[axis].clamp(-limit, limit) } else { 0.0 }
    };
    let tangent = Vec4::from_array([0, 1, 2, 3].map(component));
    if tangent.is_finite() { tangent } else { Vec4::ZERO }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DQuat, Vec3};

    #[test]
    fn splitting_large_values_needs_no_more_keys() {
        let key = |x: f32| Key::translation(0, Vec3::new(x, 0.3 * x, -x));
        let keys = [1.0, 1000.0].map(|size| split_within(&mut key(size), &mut key(-0.7 * size), 0.5, 0.37, 1e-6).len());
        assert_eq!(keys, [1, 1]);
    }

    #[test]
    fn splitting_ends_where_handles_stop_the_time() {
        let key = |x: f32, [into, out]: [f32; 2]| Key {
            ease: Ease::Cubic,
            handles: HandleKind::Free,
            in_tangent: Vec4::X * into,
            out_tangent: Vec4::X * out,
            in_length: 1.0,
            out_length: 1.0,
            ..Key::rotation(0, Quat::from_vec4(Vec4::new(x, 0.0, 0.0, 1.0)).normalize())
        };
        for slope in [0.01, 0.3, 3.0] {
            for fraction in [0.05, 0.5, 0.95] {
                let (mut from, mut to) = (key(0.0, [0.0, slope]), key(slope * 0.3, [slope * 2.0, slope]));
                let keys = split_within(&mut from, &mut to, 2.0 / 3.0, fraction, 1e-6);
                assert!(keys.len() < 64 && keys.is_sorted_by(|a, b| a.0 < b.0), "{slope}, {fraction}");
            }
        }
    }

    #[test]
    fn slerp_agrees_with_f64() {
        for degrees in [0.001_f64, 0.1, 1.0, 30.0, 90.0, 150.0, 179.0, 200.0, 300.0] {
            let to = DQuat::from_axis_angle(glam::DVec3::new(1.0, 2.0, 3.0).normalize(), degrees.to_radians());
            for fraction in [0.0, 0.1, 0.5, 0.77, 1.0] {
                let shortest = if degrees > 180.0 { degrees - 360.0 } else { degrees };
                let angle = shortest.to_radians() * fraction;
                let exact = DQuat::from_axis_angle(glam::DVec3::new(1.0, 2.0, 3.0).normalize(), angle).as_quat();
                let got = slerp(Quat::IDENTITY, to.as_quat(), fraction as f32);
                assert!((got - exact).length().min((got + exact).length()) < 5e-7, "{degrees} {fraction}");
            }
        }
    }

    #[test]
    fn hermite_passes_through_its_ends_with_its_tangents() {
        let point = |x: f32| Vec3::new(x, 2.0 * x, -x).extend(0.0);
        let (from, out, to, into) = (point(1.0), point(3.0), point(-2.0), point(5.0));
        let at = |fraction| hermite(from, out, to, into, 2.0, fraction);
        assert_eq!(at(0.0), from);
        assert_eq!(at(1.0), to);
        let step = 1e-3;
        assert!(((at(step) - at(0.0)) / (2.0 * step) - out).abs().max_element() < 0.05);
        assert!(((at(1.0) - at(1.0 - step)) / (2.0 * step) - into).abs().max_element() < 0.05);
    }

    /// glTF 2.0, appendix C, in f64.
    fn exact(ends: [f64; 4], secs: f64, t: f64) -> f64 {
        let [from, out, to, into] = ends;
        (2.0 * t.powi(3) - 3.0 * t.powi(2) + 1.0) * from
            + secs * (t.powi(3) - 2.0 * t.powi(2) + t) * out
            + (-2.0 * t.powi(3) + 3.0 * t.powi(2)) * to
            + secs * (t.powi(3) - t.powi(2)) * into
    }

    #[test]
    fn values_and_slopes_agree_with_f64() {
        for ends in [[0.0, 1.0, 1.0, 0.0], [0.3, -2.0, -0.7, 1.5], [1.0, 0.0, 1.0, 0.0], [-1.0, 3.0, 1.0, 3.0]] {
            for secs in [0.04, 0.5, 1.0] {
                for step in 0..=20 {
                    let t = f64::from(step) / 20.0;
                    let [from, out, to, into] = ends.map(|end| Vec4::splat(end as f32));
                    let value = hermite(from, out, to, into, secs as f32, t as f32).x;
                    assert!((f64::from(value) - exact(ends, secs, t)).abs() < 1e-6, "{ends:?} {secs} {t}");
                    let slope = hermite_slope(from, out, to, into, secs as f32, t as f32).x;
                    let tiny = 1e-5;
                    let near = |t| exact(ends, secs, t);
                    let wanted = (near(t + tiny) - near(t - tiny)) / (2.0 * tiny * secs);
                    assert!((f64::from(slope) - wanted).abs() < 1e-5 * wanted.abs().max(1.0), "{ends:?} {secs} {t}");
                }
            }
        }
    }

    #[test]
    fn a_split_keeps_the_shape() {
        let turn = |degrees: f32| Key::rotation(3, Quat::from_rotation_y(degrees.to_radians()));
        let lines = (Key::translation(3, Vec3::new(0.0, 1.0, -2.0)), Key::translation(3, Vec3::new(3.0, 1.0, 0.5)));
        for ((from, to), bound) in [(lines, 2e-6), ((turn(10.0), turn(70.0)), 4e-4)] {
            for ease in Ease::ALL {
                let mut from = Key { ease, out_tangent: Vec4::new(0.3, -0.1, 0.0, 0.1), ..from };
                let mut to = Key { in_tangent: Vec4::new(0.1, 0.2, -0.3, 0.0), ..to };
                for cut in [0.2, 0.5, 0.9] {
                    let (secs, was) = (0.8, (from, to));
                    let middle = split(&mut from, &mut to, secs, cut);
                    assert!(middle.is_valid() && middle.address() == from.address());
                    for step in 0..20 {
                        let at = step as f32 / 20.0;
                        let got = if at < cut {
                            between(&from, &middle, secs * cut, at / cut)
                        } else {
                            between(&middle, &to, secs * (1.0 - cut), (at - cut) / (1.0 - cut))
                        };
                        let off = (got - between(&was.0, &was.1, secs, at)).abs().max_element();
                        assert!(off < bound, "{ease:?} cut at {cut}: off by {off} at {at}");
                    }
                    let held = [from.handles, to.handles].map(|kind| kind == HandleKind::Free);
                    assert_eq!(held, [ease == Ease::Cubic; 2]);
                }
            }
        }
    }

    /// The exact curve is the normalized cubic in f64.
    #[test]
    fn more_splits_keep_a_cubic_rotation_to_a_millionth() {
        let turn = |degrees: f32| Key::rotation(3, Quat::from_rotation_y(degrees.to_radians()));
        for (degrees, out_tangent) in [(60.0, Vec4::new(0.0, 0.6, 0.0, -0.1)), (120.0, Vec4::new(0.3, -0.1, 0.2, 0.0))]
        {
            for cut in [0.0, 0.1, 0.5, 0.93, 1.0] {
                let from = Key { ease: Ease::Cubic, out_tangent, ..turn(10.0) };
                let to = Key { in_tangent: Vec4::new(0.1, 0.2, -0.3, 0.0), ..turn(10.0 + degrees) };
                let (mut start, mut end, secs) = (from, to, 0.8_f64);
                let keys = split_within(&mut start, &mut end, secs as f32, cut, 1e-6);
                assert!(keys.iter().any(|(at, _)| *at == cut) && keys.is_sorted_by_key(|(at, _)| *at));
                assert!(keys.len() <= 24, "{} keys", keys.len());
                let all: Vec<_> = [(0.0, start)].into_iter().chain(keys).chain([(1.0, end)]).collect();
                let value = |from: &Key, to: &Key, secs: f64, t: f64| {
                    let parts = [0, 1, 2, 3].map(|axis| {
                        let ends = [from.value, from.out_tangent, to.value, to.in_tangent];
                        exact(ends.map(|end| f64::from(end[axis])), secs, t)
                    });
                    glam::DVec4::from_array(parts).normalize()
                };
                for pair in all.windows(2).filter(|pair| pair[1].0 > pair[0].0) {
                    assert!(pair[0].1.is_valid() && pair[0].1.ease == Ease::Cubic);
                    let (begin, length) = (f64::from(pair[0].0), f64::from(pair[1].0 - pair[0].0));
                    for step in 0..=40 {
                        let t = f64::from(step) / 40.0;
                        let got = value(&pair[0].1, &pair[1].1, secs * length, t);
                        let off = (got - value(&from, &to, secs, begin + length * t)).abs().max_element();
                        assert!(off < 1.5e-6, "{degrees}° cut at {cut}: off by {off}");
                    }
                }
            }
        }
    }

    #[test]
    fn automatic_tangents_do_not_overshoot() {
        let value = |x: f32| Vec4::splat(x);
        assert_eq!(auto_tangent((value(0.0), 1.0), value(5.0), (value(0.0), 1.0)), Vec4::ZERO);
        assert_eq!(auto_tangent((value(0.0), 1.0), value(1.0), (value(2.0), 1.0)), Vec4::ONE);
        let clamped = auto_tangent((value(0.0), 1.0), value(0.1), (value(10.0), 1.0));
        assert!((clamped.x - 0.3).abs() < 1e-6);
        assert_eq!(auto_tangent((value(0.0), 0.0), value(1.0), (value(2.0), 0.0)), Vec4::ZERO);
    }
}
