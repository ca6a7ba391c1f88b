//! The baked form for clips whose keys don't line up, and for few keyframes with cubic curves: the curves themselves, cut
//! into windows of time. As exact as `f32`.
//!
//! A window holds, for each animated channel of eight bones, the values at its start and then the pieces of the curves
//! (see [`crate::anim::bake::curve_pieces`]) that it meets, side by side: when each runs and by how much it changes the
//! value. Sampling adds up the changes. A piece that is over adds all of its change and one to come adds nothing, so no
//! bone has to look up where it is. Made of [`SparseTracks`], which is what archives store.

use std::collections::BTreeMap;

use crate::anim::bake::channels::Channels;
use crate::anim::bake::curve_groups::{Curve, Group, append, groups, head, piece_bytes};
use crate::anim::bake::form::{BakedForm, FormError, expect_count};
use crate::anim::bake::sampled_poses::normalize;
use crate::anim::bake::sparse_tracks::SparseTracks;
use crate::anim::bake::timeline::Timeline;
use crate::anim::bake::wide;
use crate::anim::bake::window_times::{Row, window_times};
use crate::anim::clip::LoopMode;
use crate::anim::key::Channel;
use crate::anim::pose::{Lanes, LocalPose};
use crate::anim::time::Time;

/// Numbers beyond this are refused, so that sums stay finite.
const MAX_NUMBER: f32 = 1e34;
/// Bytes that windows may always take.
const FREE_BYTES: usize = 256 * 1024;
/// How many times the bytes of the tracks larger ones may take.
const MAX_GROWTH: usize = 4;
/// Pieces that a clip may have besides one for each key: far turns take several.
const FREE_PIECES: usize = 64 * 1024;
/// Coefficients of the weight that lets a normalized linear blend of two quaternions follow slerp. For a fraction `t`, a dot
/// product 1 − x and `h` = t − ½ the weight is t + h (h² − ¼) · x (c₀ + x (c₁ + c₂ h²)): fitted for rotations of up to 60°, where it
/// deviates by 4e-7 radians.
pub const CORRECTION: [f32; 3] = [0.665_988_5, 0.143_008_3, 0.573_671_3];

/// Windows one after the other.
#[derive(Clone, Debug, PartialEq)]
pub struct CurveWindows {
    /// The starts of the windows, and the end of the last one.
    timeline: Timeline,
    /// One set for each eight bones.
    animated: Vec<Channels>,
    /// The values of constant channels. Animated channels are overwritten.
    constant: LocalPose,
    /// Window by window, one for each animated channel of eight bones.
    heads: Vec<Head>,
    /// Heads per window.
    stride: usize,
    /// The start of the lanes of each window.
    starts: Vec<usize>,
    lanes: Vec<Lanes>,
    /// Keys of the clip.
    keys: usize,
}

/// One channel of eight bones in a window: the values at its start, component by component, then piece by
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
    /// As [`PieceKind::Linear`], with a weight that follows slerp (see [`CORRECTION`]).
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
    /// The windows of a clip's tracks. `None` if nothing moves, a number is so large that sampling could fail, or they would take many
    /// times the bytes of the tracks.
    pub fn new(tracks: &SparseTracks, length: Time) -> Option<CurveWindows> {
        if tracks.tracks.is_empty() || length <= Time::ZERO || single_bytes(tracks) > max_bytes(tracks) {
            return None;
        }
        let mut left = tracks.times.len() + FREE_PIECES;
        let curves = tracks.tracks.iter().map(|track| Curve::of(tracks, track, &mut left));
        let curves = curves.collect::<Option<Vec<_>>>()?;
        let groups = groups(tracks, &curves);
        let rows: Vec<Row<'_>> = groups.iter().map(Group::row).collect();
        let mut animated = vec![Channels::NONE; tracks.constant.lanes().len()];
        groups.iter().for_each(|group| animated[group.at] = animated[group.at].with(group.channel.into()));
        let mut out = CurveWindows {
            timeline: Timeline::new(window_times(&rows, length, [tracks.bytes(), max_bytes(tracks)])),
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
    fn sample_wide<const EXACT: bool>(&self, time: Time, pose: &mut LocalPose) -> bool {
        wide::curve_windows::<EXACT>(self, time, pose)
    }

    fn sample_lanes(&self, time: Time, pose: &mut LocalPose) {
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

/// The bytes that windows may take.
fn max_bytes(tracks: &SparseTracks) -> usize {
    FREE_BYTES.max(MAX_GROWTH * tracks.bytes())
}

/// About the bytes of a single window, which holds all eight bones of a channel side by side: many if few bones have most of the keys.
fn single_bytes(tracks: &SparseTracks) -> usize {
    let mut longest: BTreeMap<(u16, Channel), (usize, u32)> = BTreeMap::new();
    for track in &tracks.tracks {
        let bytes = piece_bytes(track.channel, track.tangents.is_some());
        let (most, keys) = longest.entry((track.bone / 8, track.channel)).or_default();
        (*most, *keys) = (bytes.max(*most), track.count.max(*keys));
    }
    longest.into_values().map(|(bytes, keys)| bytes * keys as usize).sum()
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

/// Adds the changes at the front of `lanes`, and returns the lanes after them.
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
