//! The form for clips whose keys do not line up: every channel's own keys, evaluated exactly.
//!
//! Slower than columns, but never more than about twice the bytes of the source keys.

use glam::Vec4;

use crate::anim::curve::hermite;
use crate::anim::key::{Channel, Ease};
use crate::anim::pose::LocalPose;
use crate::anim::skeleton::BoneIndex;
use crate::anim::slerp::{slerp_portable, unit_or};
use crate::anim::time::Time;
use crate::anim::track::Track;

/// Keys by channel, and everything that does not move.
#[derive(Clone, Debug, PartialEq)]
pub struct Tracks {
    /// What the tracks are written over.
    pub still: LocalPose,
    /// One for each channel that moves; their keys follow one another.
    pub lines: Vec<Line>,
    /// Of every key; ascending within a line.
    pub times: Vec<Time>,
    /// Of every key; rotations of unit length.
    pub values: Vec<Vec4>,
    /// Of every key.
    pub eases: Vec<Ease>,
    /// In- and out-tangents of the lines that hold a cubic, key by key.
    pub tangents: Vec<[Vec4; 2]>,
    /// The clip's length where it loops.
    pub seam: Option<Time>,
}

/// One channel of one bone: a range of the keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Whose channel.
    pub bone: BoneIndex,
    /// Which channel.
    pub channel: Channel,
    /// Its first key.
    pub start: u32,
    /// How many keys it has, at least one.
    pub count: u32,
    /// Where its tangents start, if it has any.
    pub tangents: Option<u32>,
}

impl Tracks {
    /// The tracks are of bones that `still` has.
    pub fn new(tracks: &[Track], still: LocalPose) -> Tracks {
        let seam = tracks.first().and_then(|track| track.seam);
        let mut out = Tracks {
            still,
            lines: Vec::with_capacity(tracks.len()),
            times: Vec::new(),
            values: Vec::new(),
            eases: Vec::new(),
            tangents: Vec::new(),
            seam,
        };
        tracks.iter().for_each(|track| out.push(track));
        out
    }

    fn push(&mut self, track: &Track) {
        let has_cubic = track.keys.iter().any(|(_, key)| key.ease == Ease::Cubic);
        self.lines.push(Line {
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

    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.times.len()
    }

    /// True where nothing moves.
    pub fn is_empty(&self) -> bool {
        self.times.is_empty()
    }

    /// What the form holds in memory.
    pub fn bytes(&self) -> usize {
        size_of_val(self.still.lanes())
            + size_of_val(&self.lines[..])
            + size_of_val(&self.times[..])
            + size_of_val(&self.values[..])
            + size_of_val(&self.eases[..])
            + size_of_val(&self.tangents[..])
    }

    /// The pose at a time in `0..=length`.
    pub fn sample(&self, time: Time, pose: &mut LocalPose) {
        pose.copy_from(&self.still);
        for line in &self.lines {
            let value = self.value(line, time);
            let (group, lane) = (&mut pose.lanes_mut()[usize::from(line.bone) / 8], usize::from(line.bone) % 8);
            let parts: &mut [_] = match line.channel {
                Channel::Translation => &mut group.translation,
                Channel::Rotation => &mut group.rotation,
                Channel::Scale => &mut group.scale,
            };
            parts.iter_mut().zip(value.to_array()).for_each(|(part, value)| part.0[lane] = value);
        }
    }

    fn value(&self, line: &Line, time: Time) -> Vec4 {
        let (start, count) = (line.start as usize, line.count as usize);
        let times = &self.times[start..start + count];
        let after = times.partition_point(|at| *at <= time);
        let inside = after > 0 && after < count;
        let Some((from, to)) = (inside || self.seam.is_some()).then(|| ((after + count - 1) % count, after % count))
        else {
            return self.values[start + after.saturating_sub(1)];
        };
        let length = self.seam.unwrap_or(Time::ZERO);
        let at = if after == 0 { times[from] - length } else { times[from] };
        let end = if after == count { times[to] + length } else { times[to] };
        let (a, b) = (self.values[start + from], self.values[start + to]);
        // Across the seam a rotation takes the shorter way, as in `Track`.
        let is_far = (after == 0 || after == count) && line.channel == Channel::Rotation && a.dot(b) < 0.0;
        self.segment(line, (from, to), (time - at, end - at), if is_far { -1.0 } else { 1.0 })
    }

    /// The value between two keys of a line, `gone.0` after the first of them, which is `gone.1` long; `sign`
    /// goes to the second.
    fn segment(&self, line: &Line, (from, to): (usize, usize), gone: (Time, Time), sign: f32) -> Vec4 {
        let fraction = gone.0.fraction_of(gone.1) as f32;
        let start = line.start as usize;
        let (a, b) = (self.values[start + from], self.values[start + to] * sign);
        let rotates = line.channel == Channel::Rotation;
        match (self.eases[start + from], line.tangents) {
            (Ease::Step, _) => a,
            (Ease::Cubic, Some(tangents)) => {
                let tangent = |key: usize, side: usize| self.tangents[tangents as usize + key][side];
                let value = hermite(a, tangent(from, 1), b, tangent(to, 0) * sign, gone.1.secs() as f32, fraction);
                if rotates { unit_or(value, a) } else { value }
            }
            _ if rotates => slerp_portable(a, b, fraction),
            _ => a.lerp(b, fraction),
        }
    }
}
