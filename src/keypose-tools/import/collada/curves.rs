//! Curves: the numbers of one animated part of a transform over time.

use crate::import::collada::document::{Document, child};
use crate::import::collada::sources::{Floats, floats, inputs, names, source_of};
use roxmltree::Node;

/// Interpolation between two keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Step,
    Linear,
    Bezier,
    /// Read as linear.
    Other,
}

/// A curve with one or several numbers per key.
#[derive(Clone, Debug)]
pub struct Curve {
    /// Seconds, strictly ascending.
    pub secs: Vec<f64>,
    /// The rows of the keys.
    values: Floats,
    /// The row of each kept key.
    rows: Vec<usize>,
    shapes: Vec<Shape>,
    /// In- and out-tangents: time and value for each number.
    tangents: Option<(Floats, Floats)>,
    /// Count of numbers per key.
    pub width: usize,
}

/// A time at which curves are evaluated, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    pub secs: f64,
    /// Whether a step ends here.
    pub is_jump: bool,
}

impl Curve {
    /// Reads a sampler whose output has `width` numbers per key. `None` if something of it is missing.
    pub fn read(document: &Document<'_>, sampler: Node<'_, '_>, width: usize) -> Option<Curve> {
        let sampler = document.by_id(sampler.attribute("id")?)?;
        document.take_steps(sampler.children().count());
        let inputs = inputs(sampler);
        let source = |semantic: &str| floats(document, source_of(&inputs, semantic)?);
        let (times, values) = (source("INPUT")?, source("OUTPUT")?);
        if !document.take_steps(times.count.saturating_mul(width.saturating_add(1))) {
            return None;
        }
        let (mut secs, mut rows) = (Vec::with_capacity(times.count), Vec::with_capacity(times.count));
        for at in 0..times.count.min(values.count) {
            let time = *times.row(at, 1)?.first()?;
            if !time.is_finite() || values.row(at, width)?.iter().any(|number| !number.is_finite()) {
                return None;
            }
            if secs.last().is_none_or(|before| *before < time) {
                secs.push(time);
                rows.push(at);
            }
        }
        let named = source_of(&inputs, "INTERPOLATION").and_then(|source| names(document, source));
        let shape = |at: usize| match named.as_ref().and_then(|(names, _)| names.get(at).copied()) {
            Some("STEP") => Shape::Step,
            Some("BEZIER") => Shape::Bezier,
            Some("LINEAR") | None => Shape::Linear,
            Some(_) => Shape::Other,
        };
        let shapes = rows.iter().map(|row| shape(*row)).collect();
        let tangents = source("IN_TANGENT").zip(source("OUT_TANGENT"));
        (!secs.is_empty()).then_some(Curve { secs, values, rows, shapes, tangents, width })
    }

    /// Whether the curve bends between keys.
    pub fn bends(&self) -> bool {
        self.tangents.is_some() && self.shapes.contains(&Shape::Bezier)
    }

    /// Whether every key holds until the next.
    pub fn is_stepped(&self) -> bool {
        self.shapes.iter().all(|shape| *shape == Shape::Step)
    }

    /// Whether keys have an interpolation that is not known, and are read as linear.
    pub fn has_other(&self) -> bool {
        self.shapes.contains(&Shape::Other)
    }

    /// The keys; steps end at those that jump.
    pub fn moments(&self) -> impl Iterator<Item = Moment> {
        let before = [Shape::Linear].iter().chain(&self.shapes);
        self.secs.iter().zip(before).map(|(secs, before)| Moment { secs: *secs, is_jump: *before == Shape::Step })
    }

    /// A number at a time; before the first and after the last key it stays.
    #[allow(clippy::arithmetic_side_effects)] // Floating point only.
    pub fn at(&self, secs: f64, number: usize) -> Option<f64> {
        let after = self.secs.partition_point(|key| *key <= secs);
        let value = |key: usize| self.values.row(*self.rows.get(key)?, self.width)?.get(number).copied();
        let Some(before) = after.checked_sub(1) else { return value(0) };
        let (Some(next), Some(first)) = (self.secs.get(after), self.secs.get(before)) else { return value(before) };
        let fraction = (secs - first) / (next - first);
        let (from, to) = (value(before)?, value(after)?);
        match self.shapes.get(before).copied() {
            Some(Shape::Step) => Some(from),
            Some(Shape::Bezier) => {
                let bent = || self.bezier((before, after), [(*first, from), (*next, to)], (secs, number));
                Some(bent().unwrap_or(from + (to - from) * fraction))
            }
            _ => Some(from + (to - from) * fraction),
        }
    }

    /// The value of the segment between two keys where its time is `secs`.
    #[allow(clippy::arithmetic_side_effects)] // Floating point only.
    fn bezier(
        &self,
        (before, after): (usize, usize),
        [first, last]: [(f64, f64); 2],
        (secs, number): (f64, usize),
    ) -> Option<f64> {
        let (into, out) = self.tangents.as_ref()?;
        // Old files have the values alone, at thirds of the time (COLLADA 1.4.1, "1-D tangents").
        let handle = |tangents: &Floats, key: usize, third: f64| -> Option<(f64, f64)> {
            let (row, width) = (*self.rows.get(key)?, number.checked_add(1)?);
            if tangents.stride == self.width {
                return Some((third, *tangents.row(row, width)?.last()?));
            }
            let [.., time, value] = tangents.row(row, width.checked_mul(2)?)? else { return None };
            Some((time.clamp(first.0, last.0), *value))
        };
        let third = (last.0 - first.0) / 3.0;
        let (c, d) = (handle(out, before, first.0 + third)?, handle(into, after, last.0 - third)?);
        let blend = |t: f64, p: [f64; 4]| {
            let u = 1.0 - t;
            u * u * u * p[0] + 3.0 * u * u * t * p[1] + 3.0 * u * t * t * p[2] + t * t * t * p[3]
        };
        // Time ascends along the curve, because its handles are between the keys.
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..50 {
            let middle = 0.5 * (low + high);
            if blend(middle, [first.0, c.0, d.0, last.0]) < secs { low = middle } else { high = middle }
        }
        let value = blend(0.5 * (low + high), [first.1, c.1, d.1, last.1]);
        value.is_finite().then_some(value)
    }
}

/// The source and sampler of a channel: the element of its sampler.
pub fn sampler<'a>(document: &Document<'a>, channel: Node<'a, 'a>) -> Option<Node<'a, 'a>> {
    let sampler = document.by_url(channel.attribute("source")?)?;
    child(sampler, "input").map(|_| sampler)
}
