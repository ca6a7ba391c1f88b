//! The baked form for clips whose keys don't line up, and for few keyframes with cubic curves: the curves themselves, cut
//! into windows of time. As exact as `f32`.
//!
//! A window holds, for each animated channel of eight bones, the values at its start and then the pieces of the curves
//! (see [`crate::anim::bake::curve_pieces`]) that it meets, side by side: when each runs and by how much it changes the
//! value. Sampling adds up the changes. A piece that is over adds all of its change and one to come adds nothing, so no
//! bone has to look up where it is. Made of [`SparseTracks`], which is what archives store.

use glam::DVec4;

use crate::anim::bake::channels::Channels;
use crate::anim::bake::curve_pieces::{Piece, Way, pieces};
use crate::anim::bake::form::{BakedForm, FormError, FormKind, expect_count};
use crate::anim::bake::sampled_poses::normalize;
use crate::anim::bake::sparse_tracks::SparseTracks;
use crate::anim::bake::timeline::Timeline;
use crate::anim::bake::window_times::{Row, window_times};
use crate::anim::clip::LoopMode;
use crate::anim::key::Channel;
use crate::anim::pose::{Lanes, LocalPose, TransformLanes};
use crate::anim::simd;
use crate::anim::time::Time;

/// Pieces shorter than this share of their window jump instead: `f32` can't tell their start from their end.
const MIN_SHARE: f64 = 2e-6;
/// Numbers beyond this are refused, so that sums stay finite.
const MAX_NUMBER: f32 = 1e34;
/// Coefficients of the weight that lets a normalized linear blend of two quaternions follow slerp. For a fraction `t`, a dot
/// product 1 − x and `h` = t − ½ the weight is t + h (h² − ¼) · x (c₀ + x (c₁ + c₂ h²)): fitted for rotations of up to 60°, where it
/// deviates by 4e-7 radians.
pub const CORRECTION: [f32; 3] = [0.665_988_5, 0.143_008_3, 0.573_671_3];
/// Below this 1 − the dot product of its ends a slerp is a normalized linear blend, to 2e-7 radians.
const MIN_CORRECTED: f64 = 1e-4;
/// Bytes of eight numbers.
const LANES_BYTES: f64 = 32.0;

/// Windows one after the other.
#[derive(Clone, Debug, PartialEq)]
pub struct CurveWindows {
    /// Where windows start, and where the last one ends.
    timeline: Timeline,
    /// One set for each eight bones.
    animated: Vec<Channels>,
    /// The values of constant channels. Animated channels are overwritten.
    constant: LocalPose,
    /// Window by window, one for each animated channel of eight bones.
    heads: Vec<Head>,
    /// Heads per window.
    stride: usize,
    /// Where the lanes of each window start.
    starts: Vec<usize>,
    lanes: Vec<Lanes>,
    /// Keys of the clip.
    keys: usize,
}

/// What a window holds of one channel of eight bones: the values at its start, component by component, then piece by
/// piece the speed, the offset, and the change by component (in three powers if cubic). The fraction of a piece at a time
/// after the window's start is `time · speed − offset`, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// The number of pieces: the maximum of the lanes.
    pub pieces: u32,
    /// How they change the value.
    pub kind: PieceKind,
}

/// How the pieces of a [`Head`] change the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceKind {
    /// The change times the fraction.
    Linear,
    /// The same with a weight that follows slerp (see [`CORRECTION`]).
    SlerpCorrected,
    /// The changes times the fraction, its square and its cube.
    Cubic,
}

/// The window at a time.
pub struct Window<'w> {
    /// Flicks since its start.
    pub elapsed: f32,
    /// One for each animated channel of eight bones.
    pub heads: &'w [Head],
    /// As [`Head`] describes.
    pub lanes: &'w [Lanes],
}

impl CurveWindows {
    /// The windows of a clip's tracks. `None` if nothing moves, or a number is so large that sampling could fail.
    pub fn new(tracks: &SparseTracks, length: Time) -> Option<CurveWindows> {
        if tracks.tracks.is_empty() || length <= Time::ZERO {
            return None;
        }
        let curve = |track| Some(Curve { pieces: pieces(tracks, track)?, constant: tracks.first_value(track) });
        let curves = tracks.tracks.iter().map(curve).collect::<Option<Vec<Curve>>>()?;
        let groups = groups(tracks, &curves);
        let rows: Vec<Row<'_>> = groups.iter().map(Group::row).collect();
        let mut animated = vec![Channels::NONE; tracks.constant.lanes().len()];
        groups.iter().for_each(|group| animated[group.at] = animated[group.at].with(group.channel.into()));
        let mut out = CurveWindows {
            timeline: Timeline::new(window_times(&rows, length, tracks.bytes())),
            animated,
            constant: tracks.constant.clone(),
            heads: Vec::new(),
            stride: groups.len(),
            starts: Vec::new(),
            lanes: Vec::new(),
            keys: tracks.times.len(),
        };
        out.fill(&groups);
        let is_sound = out.lanes.iter().flat_map(|lanes| lanes.0).all(|number| number.abs() <= MAX_NUMBER);
        is_sound.then_some(out)
    }

    fn fill(&mut self, groups: &[Group<'_>]) {
        for border in 0..self.timeline.times.len() - 1 {
            let span = (self.timeline.times[border], self.timeline.times[border + 1]);
            self.starts.push(self.lanes.len());
            for group in groups {
                let met = group.curves.map(|curve| curve.map_or(&[][..], |curve| curve.within(span)));
                let head = head(group.channel, &met);
                self.heads.push(head);
                for component in 0..group.channel.width() {
                    let value = |lane: usize| group.value_before(lane, component, span);
                    self.lanes.push(Lanes(std::array::from_fn(value)));
                }
                for at in 0..head.pieces as usize {
                    let now = met.map(|pieces| pieces.get(at));
                    append(group.channel, head.kind, &now, span, &mut self.lanes);
                }
            }
        }
        self.heads.shrink_to_fit();
        self.lanes.shrink_to_fit();
    }

    /// One set for each eight bones.
    #[inline(always)]
    pub fn animated(&self) -> &[Channels] {
        &self.animated
    }

    /// The values of constant channels.
    #[inline(always)]
    pub fn constant(&self) -> &LocalPose {
        &self.constant
    }

    /// The window at a time in 0..=length.
    #[inline(always)]
    pub fn window(&self, time: Time) -> Window<'_> {
        let at = self.timeline.find(time).0.min(self.starts.len() - 1);
        Window {
            elapsed: (time - self.timeline.times[at]).0 as f32,
            heads: &self.heads[at * self.stride..],
            lanes: &self.lanes[self.starts[at]..],
        }
    }
}

impl BakedForm for CurveWindows {
    const KIND: FormKind = FormKind::CurveWindows;

    fn sample_count(&self) -> usize {
        self.keys
    }

    fn bytes(&self) -> usize {
        self.timeline.bytes()
            + size_of_val(&self.animated[..])
            + size_of_val(self.constant.lanes())
            + size_of_val(&self.heads[..])
            + size_of_val(&self.starts[..])
            + size_of_val(&self.lanes[..])
    }

    #[inline]
    fn sample(&self, time: Time, pose: &mut LocalPose) {
        if !simd::sample_windows(self, time, pose) {
            self.sample_portable(time, pose);
        }
    }

    fn sample_portable(&self, time: Time, pose: &mut LocalPose) {
        let mut window = self.window(time);
        pose.copy_from(&self.constant);
        for (group, &animated) in pose.lanes_mut().iter_mut().zip(&self.animated) {
            if animated.has(Channels::TRANSLATION) {
                let Some(()) = put_sum(&mut window, &mut group.translation) else { return };
            }
            if animated.has(Channels::ROTATION) {
                let Some(()) = put_sum(&mut window, &mut group.rotation) else { return };
                normalize(&mut group.rotation);
            }
            if animated.has(Channels::SCALE) {
                let Some(()) = put_sum(&mut window, &mut group.scale) else { return };
            }
        }
    }

    /// Only the length of the skeleton: [`CurveWindows::new`] makes nothing else that could fail.
    fn check(&self, bones: usize, _: Time, _: LoopMode) -> Result<(), FormError> {
        expect_count("bones", self.constant.len(), bones)
    }
}

/// Writes the value of the next channel. `None` past the last one.
fn put_sum<const N: usize>(window: &mut Window<'_>, out: &mut [Lanes; N]) -> Option<()> {
    let (head, rest) = window.heads.split_first()?;
    window.heads = rest;
    let (first, mut rest) = window.lanes.split_first_chunk::<N>()?;
    let mut value = *first;
    for _ in 0..head.pieces {
        let ([speed, offset], after) = rest.split_first_chunk::<2>()?;
        let mut fraction = Lanes([0.0; 8]);
        for lane in 0..8 {
            fraction.0[lane] = (window.elapsed * speed.0[lane] - offset.0[lane]).clamp(0.0, 1.0);
        }
        rest = match head.kind {
            PieceKind::Linear => add(&mut value, &fraction, after)?,
            PieceKind::SlerpCorrected => {
                correct(&mut fraction, after.first_chunk::<N>()?);
                add(&mut value, &fraction, after)?
            }
            PieceKind::Cubic => add_cubic(&mut value, &fraction, after)?,
        };
    }
    window.lanes = rest;
    *out = value;
    Some(())
}

/// Adds the changes at the front of `lanes`, and returns what follows them.
fn add<'w, const N: usize>(value: &mut [Lanes; N], fraction: &Lanes, lanes: &'w [Lanes]) -> Option<&'w [Lanes]> {
    let (changes, rest) = lanes.split_first_chunk::<N>()?;
    for (value, change) in value.iter_mut().zip(changes) {
        for lane in 0..8 {
            value.0[lane] += change.0[lane] * fraction.0[lane];
        }
    }
    Some(rest)
}

/// Like [`add`], for cubic changes.
fn add_cubic<'w, const N: usize>(value: &mut [Lanes; N], fraction: &Lanes, lanes: &'w [Lanes]) -> Option<&'w [Lanes]> {
    let (first, rest) = lanes.split_first_chunk::<N>()?;
    let (second, rest) = rest.split_first_chunk::<N>()?;
    let (third, rest) = rest.split_first_chunk::<N>()?;
    for part in 0..N {
        for lane in 0..8 {
            let bend = third[part].0[lane] * fraction.0[lane] + second[part].0[lane];
            value[part].0[lane] += (bend * fraction.0[lane] + first[part].0[lane]) * fraction.0[lane];
        }
    }
    Some(rest)
}

/// Corrects weights as [`CORRECTION`] says: 1 − the dot product of two unit quaternions is half the square of their
/// difference.
fn correct<const N: usize>(fraction: &mut Lanes, changes: &[Lanes; N]) {
    let [first, second, third] = CORRECTION;
    for lane in 0..8 {
        let half = fraction.0[lane] - 0.5;
        let square = half * half;
        let apart = changes.iter().map(|change| change.0[lane] * change.0[lane]).sum::<f32>() * 0.5;
        let bend = apart * (first + apart * (second + third * square));
        fraction.0[lane] += half * (square - 0.25) * bend;
    }
}

/// The curve of one channel.
struct Curve {
    pieces: Vec<Piece>,
    /// The value if there are no pieces.
    constant: DVec4,
}

impl Curve {
    /// The pieces that a span meets.
    fn within(&self, (start, end): (Time, Time)) -> &[Piece] {
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
struct Group<'c> {
    channel: Channel,
    curves: [Option<&'c Curve>; 8],
    /// The values of the other bones.
    constant: &'c TransformLanes,
    /// The index of the eight bones.
    at: usize,
}

impl Group<'_> {
    fn row(&self) -> Row<'_> {
        let width = self.channel.width() as f64;
        let is_cubic = |curve: &Curve| curve.pieces.iter().any(|piece| matches!(piece.way, Way::Cubic(_)));
        let powers = if self.curves.iter().flatten().any(|curve| is_cubic(curve)) { 3.0 } else { 1.0 };
        Row {
            lanes: self.curves.map(|curve| curve.map_or(&[][..], |curve| &curve.pieces)),
            base_bytes: LANES_BYTES * width,
            piece_bytes: LANES_BYTES * (2.0 + width * powers),
        }
    }

    /// A component of a lane from which the changes in a span are counted.
    fn value_before(&self, lane: usize, component: usize, span: (Time, Time)) -> f32 {
        match self.curves[lane] {
            Some(curve) => curve.value_before(span)[component] as f32,
            None => self.channel.of(&self.constant.get(lane))[component],
        }
    }
}

/// By group of eight bones, then by channel.
fn groups<'c>(tracks: &'c SparseTracks, curves: &'c [Curve]) -> Vec<Group<'c>> {
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
fn head(channel: Channel, met: &[&[Piece]; 8]) -> Head {
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
fn append(channel: Channel, kind: PieceKind, pieces: &[Option<&Piece>; 8], span: (Time, Time), out: &mut Vec<Lanes>) {
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
