//! The curves of a clip, eight bones side by side, and their numbers in the layout of
//! [`crate::anim::bake::curve_windows`].

use glam::DVec4;

use crate::anim::bake::curve_pieces::{Piece, Way, pieces};
use crate::anim::bake::curve_windows::{Head, PieceKind};
use crate::anim::bake::sparse_tracks::{SparseTrack, SparseTracks};
use crate::anim::bake::window_times::Row;
use crate::anim::key::Channel;
use crate::anim::pose::{Lanes, TransformLanes};
use crate::anim::time::Time;

/// Pieces shorter than this share of their window jump instead: `f32` can't tell their start from their end.
const MIN_SHARE: f64 = 2e-6;
/// Below this 1 − the dot product of its ends a slerp is a normalized linear blend, to 2e-7 radians.
const MIN_CORRECTED: f64 = 1e-4;
/// The curve of one channel.
pub struct Curve {
    pieces: Vec<Piece>,
    /// The value if there are no pieces.
    constant: DVec4,
}

impl Curve {
    /// The curve of a track, whose pieces are taken from the number that is left. `None` if there are more, or if a rotation can't be
    /// normalized everywhere.
    pub fn of(tracks: &SparseTracks, track: &SparseTrack, left: &mut usize) -> Option<Curve> {
        let pieces = pieces(tracks, track, *left)?;
        *left -= pieces.len();
        Some(Curve { pieces, constant: tracks.first_value(track) })
    }

    /// The pieces that a span meets.
    pub fn within(&self, (start, end): (Time, Time)) -> &[Piece] {
        let first = self.pieces.partition_point(|piece| piece.end <= start);
        let last = self.pieces.partition_point(|piece| piece.start < end);
        &self.pieces[first..last.max(first)]
    }

    /// The value from which the changes of the pieces that a span meets are counted.
    fn value_before(&self, (start, _): (Time, Time)) -> DVec4 {
        let first = self.pieces.partition_point(|piece| piece.end <= start);
        match (self.pieces.get(first), self.pieces.last()) {
            (Some(piece), _) => piece.from,
            (None, Some(last)) => last.to,
            (None, None) => self.constant,
        }
    }
}

/// One animated channel of eight bones.
pub struct Group<'c> {
    pub channel: Channel,
    pub curves: [Option<&'c Curve>; 8],
    /// The values of the other bones.
    constant: &'c TransformLanes,
    /// The index of the eight bones.
    pub at: usize,
}

impl Group<'_> {
    pub fn row(&self) -> Row<'_> {
        let is_cubic = |curve: &Curve| curve.pieces.iter().any(|piece| matches!(piece.way, Way::Cubic(_)));
        let is_cubic = self.curves.iter().flatten().any(|curve| is_cubic(curve));
        Row {
            lanes: self.curves.map(|curve| curve.map_or(&[][..], |curve| &curve.pieces)),
            base_bytes: (size_of::<Lanes>() * self.channel.width()) as f64,
            piece_bytes: piece_bytes(self.channel, is_cubic) as f64,
        }
    }

    /// A component of a lane from which the changes in a span are counted.
    pub fn value_before(&self, lane: usize, component: usize, span: (Time, Time)) -> f32 {
        match self.curves[lane] {
            Some(curve) => curve.value_before(span)[component] as f32,
            None => self.channel.of(&self.constant.get(lane))[component],
        }
    }
}

/// The bytes of a piece of eight bones.
pub fn piece_bytes(channel: Channel, is_cubic: bool) -> usize {
    size_of::<Lanes>() * (2 + channel.width() * if is_cubic { 3 } else { 1 })
}

/// By group of eight bones, then by channel.
pub fn groups<'c>(tracks: &'c SparseTracks, curves: &'c [Curve]) -> Vec<Group<'c>> {
    let mut groups: Vec<Group<'c>> = Vec::new();
    for (track, curve) in tracks.tracks.iter().zip(curves) {
        let (at, lane) = (usize::from(track.bone) / 8, usize::from(track.bone) % 8);
        let is_same = |group: &&mut Group<'_>| (group.at, group.channel) == (at, track.channel);
        match groups.iter_mut().find(is_same) {
            Some(group) => group.curves[lane] = Some(curve),
            None => {
                let mut curves = [None; 8];
                curves[lane] = Some(curve);
                groups.push(Group { channel: track.channel, curves, constant: &tracks.constant.lanes()[at], at });
            }
        }
    }
    groups.sort_by_key(|group| (group.at, group.channel));
    groups
}

/// The number and kind of the pieces that a window meets in each lane.
pub fn head(channel: Channel, met: &[&[Piece]; 8]) -> Head {
    let pieces = met.iter().map(|pieces| pieces.len()).max().unwrap_or(0) as u32;
    let any = |test: &dyn Fn(&Piece) -> bool| met.iter().flat_map(|pieces| pieces.iter()).any(test);
    let is_far = |piece: &Piece| matches!(piece.way, Way::Linear) && 1.0 - piece.from.dot(piece.to) > MIN_CORRECTED;
    let kind = if any(&|piece| matches!(piece.way, Way::Cubic(_))) {
        PieceKind::Cubic
    } else if channel == Channel::Rotation && any(&is_far) {
        PieceKind::SlerpCorrected
    } else {
        PieceKind::Linear
    };
    Head { pieces, kind }
}

/// Appends a piece of each lane, or nothing where there is none.
pub fn append(
    channel: Channel,
    kind: PieceKind,
    pieces: &[Option<&Piece>; 8],
    span: (Time, Time),
    out: &mut Vec<Lanes>,
) {
    let clocks = pieces.map(|piece| piece.map_or([0.0; 2], |piece| clock(piece, span)));
    out.extend([0, 1].map(|part| Lanes(clocks.map(|clock| clock[part]))));
    let powers = if kind == PieceKind::Cubic { 3 } else { 1 };
    let factors = pieces.map(|piece| match (piece, kind) {
        (None, _) => [DVec4::ZERO; 3],
        (Some(piece), PieceKind::Cubic) => piece.factors(channel),
        (Some(piece), _) => [piece.to - piece.from, DVec4::ZERO, DVec4::ZERO],
    });
    for (power, component) in (0..powers).flat_map(|power| (0..channel.width()).map(move |part| (power, part))) {
        out.push(Lanes(factors.map(|factors| factors[power][component] as f32)));
    }
}

/// The speed and the offset of a piece, see [`Head`].
fn clock(piece: &Piece, (start, end): (Time, Time)) -> [f32; 2] {
    let (length, window) = ((piece.end - piece.start).0 as f64, (end - start).0 as f64);
    if !matches!(piece.way, Way::Step) && length >= window * MIN_SHARE {
        return [(1.0 / length) as f32, ((piece.start - start).0 as f64 / length) as f32];
    }
    // From 0 to 1 between the last time before the jump that `f32` can tell and the jump: powers of two, so exact.
    let jump = (piece.end - start).0 as f32;
    let speed = 1.0 / (jump - jump.next_down().min(jump - 1.0));
    [speed, jump * speed - 1.0]
}
