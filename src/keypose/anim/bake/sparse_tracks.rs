//! The form in which archives store clips whose keys don't line up: the keys of each channel.
//!
//! Played are the [`crate::anim::bake::curve_windows`] that are made of it. Where numbers are too large for those, it is
//! evaluated channel by channel, which is slow.

use glam::{DVec4, Vec4};

use crate::anim::bake::form::{BakedForm, FormError};
use crate::anim::bake::{Source, check};
use crate::anim::bezier::{HERMITE, to_hermite};
use crate::anim::clip::{Clip, LoopMode};
use crate::anim::curve::Segment;
use crate::anim::key::{Channel, Ease};
use crate::anim::pose::LocalPose;
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::anim::slerp::unit_or;
use crate::anim::time::Time;
use crate::anim::track::Track;

/// The maximum error of a segment whose handles aren't a third, as a fraction of its change: little beside the error bound.
const HANDLES_ERROR: f32 = 5e-7;

/// The keys of each animated channel, and the constant channels.
#[derive(Clone, Debug, PartialEq)]
pub struct SparseTracks {
    /// The values of constant channels. Animated channels are overwritten.
    pub constant: LocalPose,
    /// One for each animated channel, in the order of their keys.
    pub tracks: Vec<SparseTrack>,
    /// The time of each key; ascending within a track.
    pub times: Vec<Time>,
    /// The value of each key; unit quaternions for rotations.
    pub values: Vec<Vec4>,
    /// The ease of each key.
    pub eases: Vec<Ease>,
    /// In- and out-tangent of each key, of the tracks that have a cubic key. Handles are a third.
    pub tangents: Vec<[Vec4; 2]>,
    /// The clip's length if it loops.
    pub seam: Option<Time>,
}

/// One channel of one bone: a range of the keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SparseTrack {
    /// The index in the skeleton.
    pub bone: BoneIndex,
    /// Part of the transform.
    pub channel: Channel,
    /// Index of the first key.
    pub start: u32,
    /// Number of keys, at least one.
    pub count: u32,
    /// Index of the first tangent, if the track has any.
    pub tangents: Option<u32>,
}

impl SparseTracks {
    /// The keys of a clip. Those of bones that the skeleton lacks are left out.
    pub fn of(clip: &Clip, skeleton: &Skeleton) -> SparseTracks {
        let Source { tracks, constant, .. } = Source::of(clip, skeleton);
        SparseTracks::new(&tracks, constant)
    }

    /// Copies the keys of `tracks`, whose bones are all in `constant`. Segments whose handles aren't a third become Hermite curves.
    pub fn new(tracks: &[Track], constant: LocalPose) -> SparseTracks {
        let seam = tracks.first().and_then(|track| track.seam);
        let mut out = SparseTracks {
            constant,
            tracks: Vec::with_capacity(tracks.len()),
            times: Vec::new(),
            values: Vec::new(),
            eases: Vec::new(),
            tangents: Vec::new(),
            seam,
        };
        for track in tracks {
            let converted = to_hermite(track, HANDLES_ERROR);
            out.push(converted.as_ref().map_or(track, |converted| &converted.track));
        }
        out
    }

    /// The value of a track's first key.
    pub(super) fn first_value(&self, track: &SparseTrack) -> DVec4 {
        self.values[track.start as usize].as_dvec4()
    }

    fn push(&mut self, track: &Track) {
        let has_cubic = track.keys.iter().any(|(_, key)| key.ease.has_tangents());
        self.tracks.push(SparseTrack {
            bone: track.bone,
            channel: track.channel,
            start: self.times.len() as u32,
            count: track.keys.len() as u32,
            tangents: has_cubic.then_some(self.tangents.len() as u32),
        });
        for (time, key) in &track.keys {
            self.times.push(*time);
            self.eases.push(key.ease);
            self.values.push(if key.channel == Channel::Rotation { unit_or(key.value, Vec4::W) } else { key.value });
            if has_cubic {
                self.tangents.push([key.in_tangent, key.out_tangent]);
            }
        }
    }

    fn value(&self, track: &SparseTrack, time: Time) -> Vec4 {
        let (start, count) = (track.start as usize, track.count as usize);
        let times = &self.times[start..start + count];
        let after = times.partition_point(|at| *at <= time);
        let is_inside = after > 0 && after < count;
        let Some((from, to)) = (is_inside || self.seam.is_some()).then(|| ((after + count - 1) % count, after % count))
        else {
            return self.values[start + after.saturating_sub(1)];
        };
        let length = self.seam.unwrap_or(Time::ZERO);
        let at = if after == 0 { times[from] - length } else { times[from] };
        let end = if after == count { times[to] + length } else { times[to] };
        let (a, b) = (self.values[start + from], self.values[start + to]);
        // Across the seam a rotation takes the shorter way, as in `Track`.
        let is_far = (after == 0 || after == count) && track.channel == Channel::Rotation && a.dot(b) < 0.0;
        self.segment(track, (from, to), (time - at, end - at), if is_far { -1.0 } else { 1.0 })
    }

    /// The value between two keys of a track. `elapsed` is the time since the first key and the time between both; the
    /// second key's value is multiplied by `sign`.
    fn segment(&self, track: &SparseTrack, (from, to): (usize, usize), elapsed: (Time, Time), sign: f32) -> Vec4 {
        let fraction = elapsed.0.fraction_of(elapsed.1) as f32;
        let start = track.start as usize;
        let (a, b) = (self.values[start + from], self.values[start + to] * sign);
        let tangent = |key: usize, side: usize| match track.tangents {
            Some(tangents) => self.tangents[tangents as usize + key][side],
            None => Vec4::ZERO,
        };
        let segment = Segment {
            channel: track.channel,
            ease: self.eases[start + from],
            from: a,
            out_tangent: tangent(from, 1),
            to: b,
            in_tangent: tangent(to, 0) * sign,
            secs: elapsed.1.secs() as f32,
            lengths: HERMITE,
        };
        let value = segment.at(fraction);
        let is_unit = segment.channel != Channel::Rotation || !segment.ease.has_tangents();
        if is_unit { value } else { unit_or(value, a) }
    }
}

impl BakedForm for SparseTracks {
    fn sample_count(&self) -> usize {
        self.times.len()
    }

    fn bytes(&self) -> usize {
        size_of_val(self.constant.lanes())
            + size_of_val(&self.tracks[..])
            + size_of_val(&self.times[..])
            + size_of_val(&self.values[..])
            + size_of_val(&self.eases[..])
            + size_of_val(&self.tangents[..])
    }

    fn sample_wide<const EXACT: bool>(&self, _: Time, _: &mut LocalPose) -> bool {
        false
    }

    fn sample_lanes(&self, time: Time, pose: &mut LocalPose) {
        pose.copy_from(&self.constant);
        for track in &self.tracks {
            let value = self.value(track, time);
            let (group, lane) = (usize::from(track.bone) / 8, usize::from(track.bone) % 8);
            let components = pose.lanes_mut()[group].channel_mut(track.channel).iter_mut();
            components.zip(value.to_array()).for_each(|(component, value)| component.0[lane] = value);
        }
    }

    fn check(&self, bones: usize, length: Time, loop_mode: LoopMode) -> Result<(), FormError> {
        check::sparse_tracks(self, bones, length, loop_mode)
    }
}
