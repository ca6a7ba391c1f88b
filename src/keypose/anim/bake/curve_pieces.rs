//! The curve of a channel as pieces that follow each other without a gap, from which [`crate::anim::bake::curve_windows`]
//! is made: where each starts and ends, and the polynomial between.
//!
//! In double precision, and only with operations that IEEE 754 rounds exactly, so that every machine makes the same.

use glam::{DVec4, Vec4};

use crate::anim::bake::sparse_tracks::{SparseTrack, SparseTracks};
use crate::anim::key::{Channel, Ease};
use crate::anim::slerp::{slerp_portable, unit_or};
use crate::anim::time::Time;

/// Minimum dot product of the ends of a slerp in one piece; longer ways are halved. A corrected weight then deviates from
/// slerp by at most 4e-7 radians.
const MIN_DOT: f64 = 0.866;
/// As [`MIN_DOT`], for polynomials.
const MIN_CUBIC_DOT: f64 = 0.98;
/// Minimum length of a rotation's polynomial, so that it can be normalized.
const MIN_LENGTH: f64 = 0.2;
/// No control point of a rotation is longer.
const MAX_LENGTH: f64 = 1e4;
/// How often a cubic rotation is halved to keep [`MIN_LENGTH`].
const MAX_HALVINGS: u32 = 6;

/// The way of a channel from one value to the next.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    pub start: Time,
    /// Not before the start.
    pub end: Time,
    pub from: DVec4,
    pub to: DVec4,
    pub way: Way,
}

/// How a value changes during a piece.
#[derive(Clone, Copy, Debug)]
pub enum Way {
    /// At its end.
    Step,
    /// Straight, or by slerp if it is a rotation.
    Linear,
    /// By a polynomial: the factors of the fraction, of its square and of its cube.
    Cubic([DVec4; 3]),
}

impl Piece {
    /// The change as a polynomial of the fraction: [`Way::Cubic`]'s factors.
    pub fn factors(&self, channel: Channel) -> [DVec4; 3] {
        match self.way {
            Way::Cubic(factors) => factors,
            Way::Linear if channel == Channel::Rotation => slerp_factors(self.from, self.to),
            Way::Linear | Way::Step => [self.to - self.from, DVec4::ZERO, DVec4::ZERO],
        }
    }

    /// Both halves of a polynomial.
    fn halves(&self, [a, b, c]: [DVec4; 3]) -> [Piece; 2] {
        let (time, middle) = (self.middle(), self.from + a * 0.5 + b * 0.25 + c * 0.125);
        let first = Way::Cubic([a * 0.5, b * 0.25, c * 0.125]);
        let second = Way::Cubic([(a + b + c * 0.75) * 0.5, (b + c * 1.5) * 0.25, c * 0.125]);
        [
            Piece { end: time, to: middle, way: first, ..*self },
            Piece { start: time, from: middle, way: second, ..*self },
        ]
    }

    /// Both halves of a slerp.
    fn slerp_halves(&self) -> [Piece; 2] {
        let (time, middle) = (self.middle(), slerped(self.from, self.to, 0.5));
        [Piece { end: time, to: middle, ..*self }, Piece { start: time, from: middle, ..*self }]
    }

    fn middle(&self) -> Time {
        self.start + (self.end - self.start) / 2
    }

    fn negated(&self) -> Piece {
        let way = match self.way {
            Way::Cubic(factors) => Way::Cubic(factors.map(|factor| -factor)),
            way => way,
        };
        Piece { from: -self.from, to: -self.to, way, ..*self }
    }
}

/// The pieces of a channel of a clip, in order: none if it has one value, before its first key or after its last one
/// neither unless the clip loops. `None` if there are more than `most`, or if a rotation can't be normalized everywhere.
pub fn pieces(tracks: &SparseTracks, track: &SparseTrack, most: usize) -> Option<Vec<Piece>> {
    let (start, count) = (track.start as usize, track.count as usize);
    let times = &tracks.times[start..start + count];
    let mut out = Vec::with_capacity(count + 1);
    let min_dot = if tracks.tangents.is_empty() { MIN_DOT } else { MIN_CUBIC_DOT };
    let segments = (1..count).map(|to| ((to - 1, to), (times[to - 1], times[to])));
    let (first, last) = (times[0], times[count - 1]);
    let around = |length: Time| {
        let before = (first > Time::ZERO).then_some(((count - 1, 0), (last - length, first)));
        (before, (last < length).then_some(((count - 1, 0), (last, first + length))))
    };
    let (before, after) = tracks.seam.map(around).unwrap_or_default();
    for (keys, span) in before.into_iter().chain(segments).chain(after) {
        let piece = segment(tracks, track, keys, span);
        match track.channel {
            // The clip ends before this jump.
            _ if keys.1 == 0 && matches!(piece.way, Way::Step) && Some(span.1) == tracks.seam => {}
            Channel::Rotation => append_rotation(piece, min_dot, &mut out)?,
            Channel::Translation | Channel::Scale | Channel::Scalar(_) => out.push(piece),
        }
        if out.len() > most {
            return None;
        }
    }
    Some(out)
}

/// The curve from one key of a track to another, as [`crate::anim::track::Track::sample`] defines it.
fn segment(
    tracks: &SparseTracks,
    track: &SparseTrack,
    (from, to): (usize, usize),
    (start, end): (Time, Time),
) -> Piece {
    let (first, is_seam) = (track.start as usize, to == 0);
    let (a, b) = (tracks.values[first + from].as_dvec4(), tracks.values[first + to].as_dvec4());
    let is_far = track.channel == Channel::Rotation && a.dot(b) < 0.0;
    let takes_shorter = !tracks.eases[first + from].has_tangents();
    let sign = if is_far && (is_seam || takes_shorter) { -1.0 } else { 1.0 };
    let b = b * sign;
    let way = match (tracks.eases[first + from], track.tangents) {
        (Ease::Step, _) => Way::Step,
        (Ease::Cubic, Some(tangents)) => {
            let secs = (end - start).secs();
            let slope = |key: usize, side: usize| tracks.tangents[tangents as usize + key][side].as_dvec4() * secs;
            let (leaving, arriving, change) = (slope(from, 1), slope(to, 0) * sign, b - a);
            Way::Cubic([leaving, change * 3.0 - leaving * 2.0 - arriving, leaving + arriving - change * 2.0])
        }
        (Ease::Linear, _) | (Ease::Cubic, None) => Way::Linear,
    };
    Piece { start, end, from: a, to: b, way }
}

/// Appends a piece of a rotation, cut so that it can be normalized and weights can be corrected. `None` if it can't.
fn append_rotation(piece: Piece, min_dot: f64, out: &mut Vec<Piece>) -> Option<()> {
    // One sign all along, so that pieces meet.
    let is_other_side = out.last().is_some_and(|before| before.to.dot(piece.from) < 0.0);
    let piece = if is_other_side { piece.negated() } else { piece };
    match piece.way {
        Way::Step => out.push(piece),
        Way::Linear => append_slerp(piece, min_dot, out),
        Way::Cubic(factors) => append_cubic(piece, factors, 0, out)?,
    }
    Some(())
}

fn append_slerp(piece: Piece, min_dot: f64, out: &mut Vec<Piece>) {
    if piece.from.dot(piece.to) >= min_dot {
        return out.push(piece);
    }
    piece.slerp_halves().into_iter().for_each(|half| append_slerp(half, min_dot, out));
}

fn append_cubic(piece: Piece, factors: [DVec4; 3], halvings: u32, out: &mut Vec<Piece>) -> Option<()> {
    let [a, b, _] = factors;
    let controls = [piece.from, piece.from + a / 3.0, piece.from + (a * 2.0 + b) / 3.0, piece.to];
    let middle = controls.iter().sum::<DVec4>();
    let ahead = middle / middle.dot(middle).sqrt();
    // The curve lies between its control points.
    if controls.iter().all(|control| control.dot(ahead) >= MIN_LENGTH && control.dot(*control) <= MAX_LENGTH) {
        out.push(piece);
        return Some(());
    }
    if halvings == MAX_HALVINGS {
        return None;
    }
    for half in piece.halves(factors) {
        let Way::Cubic(factors) = half.way else { return None };
        append_cubic(half, factors, halvings + 1, out)?;
    }
    Some(())
}

fn slerped(from: DVec4, to: DVec4, fraction: f32) -> DVec4 {
    let (from, to) = (from.as_vec4(), to.as_vec4());
    unit_or(slerp_portable(from, to, fraction), Vec4::W).as_dvec4()
}

/// The cubic through four points of a slerp in one hemisphere.
fn slerp_factors(from: DVec4, to: DVec4) -> [DVec4; 3] {
    let (p, q) = (slerped(from, to, 1.0 / 3.0), slerped(from, to, 2.0 / 3.0));
    [
        (p * 18.0 - from * 11.0 - q * 9.0 + to * 2.0) * 0.5,
        (from * 2.0 - p * 5.0 + q * 4.0 - to) * 4.5,
        (p * 3.0 - from - q * 3.0 + to) * 4.5,
    ]
}
