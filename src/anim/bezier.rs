//! One number over time as a cubic Bézier with handles in time and value, as Blender's F-curves and Maya's weighted
//! curves have it, and the way to and from the Hermite form of [`crate::anim::curve`]. Numbers in f64, one axis at a time.

/// A segment from (0 s, `values[0]`) to (`secs`, `values[3]`) with a handle at each end.
///
/// It never runs back in time, as [`Bezier::new`] makes sure; so every time has one value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bezier {
    /// The segment's length, not negative.
    secs: f64,
    /// Seconds from the start to the first handle and to the second.
    handle_secs: [f64; 2],
    /// The values of the start, the two handles, and the end.
    values: [f64; 4],
}

/// One side of a Maya key: where its tangent points, and how long it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MayaTangent {
    /// A non-weighted curve: units per second alone, as in the Hermite form.
    Slope(f64),
    /// A weighted curve: the angle in radians in −π/2..=π/2 and the weight in seconds and units. A handle is a third of
    /// the tangent `weight · (cos angle, sin angle)` (Maya's documentation of `MFnAnimCurve`).
    Weighted {
        /// From the time axis towards greater values.
        angle: f64,
        /// The length of the tangent.
        weight: f64,
    },
}

impl Bezier {
    /// Handles are (seconds from the segment's start, value). Times that leave the segment are brought back along the
    /// handle's own direction, as Blender does (`correct_bezpart`), so that the curve never runs back in time.
    /// A length that is negative or not finite counts as zero; a handle that is not finite stands at its end.
    pub fn new(secs: f64, from: f64, handles: [(f64, f64); 2], to: f64) -> Bezier {
        let secs = if secs.is_finite() { secs.max(0.0) } else { 0.0 };
        let shorten = |time: f64, value: f64, anchor: f64| {
            let long = time > secs;
            if long { (secs, anchor + (value - anchor) * (secs / time)) } else { (time.max(0.0), value) }
        };
        let is_fine = |(time, value): (f64, f64)| time.is_finite() && value.is_finite();
        let [first, second] = handles;
        let (first_secs, first) = if is_fine(first) { shorten(first.0, first.1, from) } else { (0.0, from) };
        let (second_secs, second) = if is_fine(second) { shorten(secs - second.0, second.1, to) } else { (0.0, to) };
        Bezier { secs, handle_secs: [first_secs, secs - second_secs], values: [from, first, second, to] }
    }

    /// The Hermite form with tangents in units per second, exactly: its handles stand at the thirds.
    pub fn from_hermite(secs: f64, [from, out_tangent, to, in_tangent]: [f64; 4]) -> Bezier {
        let third = secs / 3.0;
        Bezier::new(secs, from, [(third, from + out_tangent * third), (secs - third, to - in_tangent * third)], to)
    }

    /// A Maya segment, exactly; the two sides need not be of one form.
    pub fn from_maya(secs: f64, from: f64, out: MayaTangent, into: MayaTangent, to: f64) -> Bezier {
        let handle = |tangent| match tangent {
            MayaTangent::Slope(slope) => (secs / 3.0, slope * secs / 3.0),
            MayaTangent::Weighted { angle, weight } => {
                let (sin, cos) = f64::sin_cos(angle);
                (cos * weight / 3.0, sin * weight / 3.0)
            }
        };
        let (first, second) = (handle(out), handle(into));
        Bezier::new(secs, from, [(first.0, from + first.1), (secs - second.0, to - second.1)], to)
    }

    /// The Hermite form `[from, out-tangent, to, in-tangent]`, where the handles stand at the thirds (to a millionth of
    /// the length) and the two forms are the same curve; `None` elsewhere: [`Bezier::to_hermites`] comes near.
    pub fn to_hermite(&self) -> Option<[f64; 4]> {
        let third = self.secs / 3.0;
        let near = |time: f64, wanted: f64| (time - wanted).abs() <= 1e-6 * self.secs;
        let is_even = near(self.handle_secs[0], third) && near(self.handle_secs[1], 2.0 * third);
        (is_even && self.secs > 0.0).then(|| self.hermite())
    }

    /// Hermite segments with their lengths in seconds that together differ from this curve by at most `most_error`
    /// units at any time: the curve is halved in time until they do, but into no more than 256.
    pub fn to_hermites(&self, most_error: f64) -> Vec<(f64, [f64; 4])> {
        let mut done = Vec::new();
        let mut waiting = vec![(*self, 0)];
        while let Some((piece, depth)) = waiting.pop() {
            let ends = piece.hermite();
            let off = |step: i32| {
                let fraction = f64::from(step) / 16.0;
                let near = Bezier::from_hermite(piece.secs, ends).evaluate_at(fraction);
                (near - piece.evaluate(fraction * piece.secs)).abs()
            };
            if depth == 8 || (1..16).all(|step| off(step) <= most_error) {
                done.push((piece.secs, ends));
            } else {
                let (left, right) = piece.split(piece.secs / 2.0);
                waiting.extend([(right, depth + 1), (left, depth + 1)]);
            }
        }
        done
    }

    /// The segment's length in seconds.
    pub fn secs(&self) -> f64 {
        self.secs
    }

    /// The handles as (seconds from the segment's start, value).
    pub fn handles(&self) -> [(f64, f64); 2] {
        [(self.handle_secs[0], self.values[1]), (self.handle_secs[1], self.values[2])]
    }

    /// The value at a time, held before 0 and after the end.
    pub fn evaluate(&self, secs: f64) -> f64 {
        self.evaluate_at(self.parameter(secs))
    }

    /// The derivative at a time in units per second; infinite where the curve rises straight up.
    pub fn slope(&self, secs: f64) -> f64 {
        let at = self.parameter(secs);
        let (run, rise) = (direction(self.times(), at), direction(self.values, at));
        if rise == 0.0 { 0.0 } else { rise / run.max(0.0) }
    }

    /// The two parts before and after a time (de Casteljau): together the same curve.
    pub fn split(&self, secs: f64) -> (Bezier, Bezier) {
        let at = self.parameter(secs);
        let (times, values) = (cut(self.times(), at), cut(self.values, at));
        let part = |times: [f64; 4], values: [f64; 4]| {
            let [start, first, second, end] = times;
            // Not `new`: a part's handle may lie beyond its other end, and the part still runs forwards in time.
            Bezier { secs: end - start, handle_secs: [first - start, second - start], values }
        };
        (part(times.0, values.0), part(times.1, values.1))
    }

    fn times(&self) -> [f64; 4] {
        [0.0, self.handle_secs[0], self.handle_secs[1], self.secs]
    }

    fn evaluate_at(&self, parameter: f64) -> f64 {
        point(self.values, parameter)
    }

    /// Where on the curve a time lies, 0..=1. Bisection, then Newton's method inside the bracket, to rounding.
    fn parameter(&self, secs: f64) -> f64 {
        if secs.is_nan() || secs <= 0.0 || self.secs <= 0.0 {
            return 0.0;
        }
        if secs >= self.secs {
            return 1.0;
        }
        let times = self.times();
        let (mut low, mut high, mut at) = (0.0, 1.0, secs / self.secs);
        for _ in 0..60 {
            let off = point(times, at) - secs;
            if off == 0.0 {
                break;
            }
            if off < 0.0 {
                low = at
            } else {
                high = at
            }
            let next = at - off / direction(times, at);
            at = if next > low && next < high { next } else { (low + high) / 2.0 };
        }
        at
    }

    /// Ends and end slopes, whatever the handles' times.
    fn hermite(&self) -> [f64; 4] {
        let [(first_secs, first), (second_secs, second)] = self.handles();
        let [from, _, _, to] = self.values;
        let slope = |rise: f64, run: f64| if run > 0.0 { rise / run } else { 0.0 };
        [from, slope(first - from, first_secs), to, slope(to - second, self.secs - second_secs)]
    }
}

fn point([a, b, c, d]: [f64; 4], t: f64) -> f64 {
    let u = 1.0 - t;
    u * u * u * a + 3.0 * u * u * t * b + 3.0 * u * t * t * c + t * t * t * d
}

/// The derivative by the parameter.
fn direction([a, b, c, d]: [f64; 4], t: f64) -> f64 {
    let u = 1.0 - t;
    3.0 * (u * u * (b - a) + 2.0 * u * t * (c - b) + t * t * (d - c))
}

fn cut([a, b, c, d]: [f64; 4], t: f64) -> ([f64; 4], [f64; 4]) {
    let mix = |from: f64, to: f64| from + (to - from) * t;
    let (ab, bc, cd) = (mix(a, b), mix(b, c), mix(c, d));
    let (abc, bcd) = (mix(ab, bc), mix(bc, cd));
    let middle = mix(abc, bcd);
    ([a, ab, abc, middle], [middle, bcd, cd, d])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::curve::hermite;
    use glam::Vec4;

    /// Times of handles at the thirds, at the ends, crossing, long, and backwards.
    const HANDLES: [[(f64, f64); 2]; 6] = [
        [(1.0 / 3.0, 0.5), (2.0 / 3.0, 2.0)],
        [(0.5, 0.0), (0.5, 1.0)],
        [(0.9, -1.0), (0.1, 2.0)],
        [(0.0, 0.7), (1.0, 0.2)],
        [(4.0, 2.0), (0.7, -2.0)],
        [(-1.0, 2.0), (2.0, 3.0)],
    ];

    /// The value at a time by plain bisection over the parameter.
    fn independent(curve: &Bezier, secs: f64) -> f64 {
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..200 {
            let middle = (low + high) / 2.0;
            if point(curve.times(), middle) < secs { low = middle } else { high = middle }
        }
        point(curve.values, low)
    }

    #[test]
    fn every_time_has_the_value_that_bisection_finds() {
        for handles in HANDLES {
            let curve = Bezier::new(1.0, 0.0, handles, 1.0);
            for step in 0..=50 {
                let secs = f64::from(step) / 50.0;
                let off = (curve.evaluate(secs) - independent(&curve, secs)).abs();
                assert!(off < 1e-6, "{handles:?} at {secs}: {off}");
            }
        }
    }

    #[test]
    fn hermite_and_back_is_exact() {
        for ends in [[0.0, 1.0, 1.0, -2.0], [3.0, -0.5, 2.5, 0.0], [1.0, 0.0, 1.0, 0.0]] {
            let curve = Bezier::from_hermite(0.75, ends);
            let back = curve.to_hermite().unwrap();
            assert!(ends.iter().zip(back).all(|(a, b)| (a - b).abs() < 1e-12));
            for step in 0..=20 {
                let fraction = f64::from(step) / 20.0;
                let [from, out, to, into] = ends.map(|end| Vec4::splat(end as f32));
                let wanted = hermite(from, out, to, into, 0.75, fraction as f32).x;
                assert!((curve.evaluate(fraction * 0.75) - f64::from(wanted)).abs() < 1e-6);
            }
        }
        assert_eq!(Bezier::new(1.0, 0.0, HANDLES[1], 1.0).to_hermite(), None);
    }

    #[test]
    fn maya_tangents_are_hermite_or_bezier() {
        let plain = Bezier::from_maya(2.0, 0.0, MayaTangent::Slope(1.5), MayaTangent::Slope(-0.5), 1.0);
        assert_eq!(plain, Bezier::from_hermite(2.0, [0.0, 1.5, 1.0, -0.5]));
        // A weight that puts the handle at a third is the same curve.
        let weighted = |slope: f64| {
            let angle = slope.atan();
            MayaTangent::Weighted { angle, weight: 2.0 / angle.cos() }
        };
        let heavy = Bezier::from_maya(2.0, 0.0, weighted(1.5), weighted(-0.5), 1.0);
        for step in 0..=20 {
            let secs = f64::from(step) / 10.0;
            assert!((heavy.evaluate(secs) - plain.evaluate(secs)).abs() < 1e-12);
        }
    }

    #[test]
    fn both_parts_of_a_split_are_the_curve() {
        for handles in HANDLES {
            let curve = Bezier::new(1.0, 0.0, handles, 1.0);
            for at in [0.0, 0.1, 0.5, 0.77, 1.0] {
                let (left, right) = curve.split(at);
                for step in 0..=20 {
                    let secs = f64::from(step) / 20.0;
                    let got = if secs <= at { left.evaluate(secs) } else { right.evaluate(secs - at) };
                    assert!((got - curve.evaluate(secs)).abs() < 1e-6, "{handles:?} cut at {at}, {secs}");
                }
            }
        }
    }

    #[test]
    fn hermite_segments_come_as_near_as_asked() {
        for handles in HANDLES.into_iter().filter(|handles| handles[0].0 > 0.0) {
            let curve = Bezier::new(1.0, 0.0, handles, 1.0);
            let segments = curve.to_hermites(1e-3);
            let (mut start, mut worst) = (0.0, 0.0_f64);
            for (secs, ends) in &segments {
                for step in 0..=10 {
                    let after = secs * f64::from(step) / 10.0;
                    let got = Bezier::from_hermite(*secs, *ends).evaluate(after);
                    worst = worst.max((got - curve.evaluate(start + after)).abs());
                }
                start += secs;
            }
            assert!((start - 1.0).abs() < 1e-9);
            assert!(worst < 2e-3 && segments.len() < 256, "{handles:?}: {worst}, {} segments", segments.len());
        }
    }

    #[test]
    fn slopes_are_differences_and_no_input_panics() {
        let curve = Bezier::new(1.0, 0.0, HANDLES[1], 1.0);
        for step in 1..10 {
            let secs = f64::from(step) / 10.0;
            let wanted = (curve.evaluate(secs + 1e-6) - curve.evaluate(secs - 1e-6)) / 2e-6;
            assert!((curve.slope(secs) - wanted).abs() < 1e-4);
        }
        for secs in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let empty = Bezier::new(secs, 1.0, [(f64::NAN, f64::NAN), (3.0, 0.0)], 2.0);
            assert_eq!(empty.evaluate(0.0), 1.0);
            empty.split(0.5);
            assert!(empty.to_hermites(0.0).len() <= 256);
        }
    }
}
