//! The form of a baked clip, and whether one that was read and not made here may play: nothing that passes can panic when
//! it is sampled or give a number that is not finite.

use thiserror::Error;

use crate::anim::bake::columns::{Columns, Moving, PACED, parts_of, stride};
use crate::anim::bake::compact::{self, Compact};
use crate::anim::bake::short::{self, Block, Short};
use crate::anim::bake::tracks::Tracks;
use crate::anim::bake::{BakeReport, BakedClip, FormKind};
use crate::anim::clip::{Clip, LoopMode};
use crate::anim::key::Channel;
use crate::anim::pose::{Lanes, LocalPose};
use crate::anim::skeleton::Skeleton;
use crate::anim::time::Time;

/// How a baked clip is kept.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// Whole poses at sorted times.
    Columns(Columns),
    /// The same in 16 bits a number.
    Short(Short),
    /// The same in few bits.
    Compact(Compact),
    /// Every channel's own keys.
    Tracks(Tracks),
}

/// Why a form can't play a clip on a skeleton.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)]
pub enum FormError {
    #[error("its times do not rise from zero to the length of the clip")]
    Times,
    #[error("it has {found} {what}, {wanted} are needed")]
    Count { what: &'static str, found: usize, wanted: usize },
    #[error("a number of its {what} is not finite, or too large")]
    Number { what: &'static str },
    #[error("a rotation is not of unit length, or lies on the far side of the one before it")]
    Rotation,
    #[error("a lane past the last bone is not at rest")]
    Tail,
    #[error("channels {moving:#x} that there are not")]
    Moving { moving: Moving },
    #[error("numbers of {bits} bits, {} are the most", compact::MOST_BITS)]
    Bits { bits: u8 },
    #[error("the rotation of bone {bone} is kept by itself, only translations and scales may be")]
    Loose { bone: u16 },
    #[error("it moves bone {bone}, but there are {bones}")]
    Bone { bone: u16, bones: usize },
    #[error("it loops otherwise than the clip")]
    Seam,
}

/// Larger numbers than this do not occur; with them sums and products of a sample stay finite.
const MOST: f32 = 1e30;
/// The square of a rotation's length: far enough from zero that the mix of two on the same side can be made of unit length.
const UNIT: std::ops::RangeInclusive<f32> = 0.5..=2.0;
/// The components of an identity, in the order of lanes.
const IDENTITY: [f32; 10] = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0];
/// Which of them are the rotation.
const ROTATION: std::ops::Range<usize> = 3..7;

impl BakedClip {
    /// A baked clip of a form that was read: what [`bake`](crate::anim::bake::bake) made of the same clip and skeleton
    /// before. `source_bytes` and `max_error` are those of its report. Whether it is the right motion nobody checks.
    ///
    /// # Errors
    /// Where the form does not fit the clip's length and loop mode or the skeleton, or could not be sampled.
    pub fn from_form(
        clip: &Clip,
        skeleton: &Skeleton,
        form: Form,
        source_bytes: usize,
        max_error: f32,
    ) -> Result<BakedClip, FormError> {
        let length = clip.length();
        form.check(skeleton.len(), length, clip.loop_mode)?;
        if !(0.0..MOST).contains(&max_error) {
            return Err(FormError::Number { what: "report" });
        }
        Ok(BakedClip {
            name: clip.name.clone(),
            length,
            loop_mode: clip.loop_mode,
            events: clip.events.clone(),
            report: form.report(source_bytes, max_error),
            form,
        })
    }

    /// How it is kept.
    pub fn form(&self) -> &Form {
        &self.form
    }
}

impl Form {
    pub(super) fn report(&self, source_bytes: usize, max_error: f32) -> BakeReport {
        let (form, columns) = match self {
            Form::Columns(columns) => (FormKind::Columns, columns.timeline.times.len()),
            Form::Short(short) => (FormKind::Short, short.timeline().times.len()),
            Form::Compact(compact) => (FormKind::Compact, compact.timeline().times.len()),
            Form::Tracks(tracks) => (FormKind::Tracks, tracks.len()),
        };
        BakeReport { form, columns, bytes: self.bytes(), source_bytes, max_error }
    }

    /// What it holds in memory.
    pub fn bytes(&self) -> usize {
        match self {
            Form::Columns(columns) => columns.bytes(),
            Form::Short(short) => short.bytes(),
            Form::Compact(compact) => compact.bytes(),
            Form::Tracks(tracks) => tracks.bytes(),
        }
    }

    /// Checks everything that sampling relies on, for a skeleton of so many bones and a clip of this length. What
    /// [`bake`](crate::anim::bake::bake) makes of a clip of sensible numbers passes.
    pub fn check(&self, bones: usize, length: Time, loop_mode: LoopMode) -> Result<(), FormError> {
        match self {
            Form::Columns(columns) => check_columns(columns, bones, length),
            Form::Short(short) => check_short(short, bones, length),
            Form::Compact(compact) => check_compact(compact, bones, length),
            Form::Tracks(tracks) => check_tracks(tracks, bones, length, loop_mode),
        }
    }
}

fn check_columns(columns: &Columns, bones: usize, length: Time) -> Result<(), FormError> {
    let times = &columns.timeline.times;
    check_times(times, length)?;
    check_still(&columns.still, bones)?;
    check_moving(&columns.moving, bones)?;
    count("lanes in a column", columns.stride, stride(&columns.moving))?;
    count("lanes", columns.lanes.len(), columns.stride.saturating_mul(times.len()))?;
    let starts = starts(&columns.moving, |moving| parts_of(moving).count());
    check_lanes(&columns.moving, bones, times.len(), |group, column, part| {
        columns.lanes[column * columns.stride + starts[group] + part]
    })
}

fn check_short(short: &Short, bones: usize, length: Time) -> Result<(), FormError> {
    let times = &short.timeline().times;
    check_times(times, length)?;
    check_still(&short.still().pose(short.moving()), bones)?;
    check_moving(short.moving(), bones)?;
    let most = f32::from(short::ONE) * f32::from(short::ONE);
    if !short.scales().iter().flat_map(|scales| scales.0).all(|scale| is_sane(scale * most)) {
        return Err(FormError::Number { what: "scales" });
    }
    let (mut start, mut first) = (0, 0);
    for (group, &moving) in short.moving().iter().enumerate() {
        let (rotation, others) = short::blocks_of(moving);
        let scales = &short.scales()[first * 2..(first + others) * 2];
        let tail = (bones - group * 8).min(8)..8;
        let mut before = None;
        for column in 0..times.len() {
            let (turns, rest) = short.column(column)[start..start + rotation + others].split_at(rotation);
            if let [xy, zw] = turns {
                let ([x, y], [z, w]) = (short::exactly(xy), short::exactly(zw));
                let rotation = [x, y, z, w];
                if !are_units(&rotation, before.as_ref()) {
                    return Err(FormError::Rotation);
                }
                before = Some(rotation);
            }
            if !tail.is_empty() && !is_at_rest(moving, turns, rest, scales, tail.clone()) {
                return Err(FormError::Tail);
            }
        }
        (start, first) = (start + rotation + others, first + others);
    }
    Ok(())
}

/// True where the lanes past the last bone hold identity, as far as their channels move.
fn is_at_rest(moving: Moving, turns: &[Block], rest: &[Block], scales: &[Lanes], tail: std::ops::Range<usize>) -> bool {
    let turned = turns.iter().flat_map(short::exactly);
    let others = rest.iter().flat_map(Block::components).zip(scales);
    let values = others.map(|(numbers, scales)| {
        Lanes(std::array::from_fn(|lane| f32::from(numbers[lane]) * f32::from(short::ONE) * scales.0[lane]))
    });
    let parts = ROTATION.filter(|_| moving & 2 != 0).chain(parts_of(moving & 5));
    // What is behind the third of a channel alone fills a gap.
    let mut held = parts.zip(turned.chain(values));
    held.all(|(part, lanes)| tail.clone().all(|lane| (lanes.0[lane] - IDENTITY[part]).abs() <= 1e-6))
}

fn check_compact(compact: &Compact, bones: usize, length: Time) -> Result<(), FormError> {
    let times = &compact.timeline().times;
    check_times(times, length)?;
    check_still(&compact.still().pose(compact.moving()), bones)?;
    check_moving(compact.moving(), bones)?;
    let most = (1_u32 << compact::TOP) as f32;
    let far = |lane: usize, range: &compact::Range| range.low.0[lane].abs() + range.step.0[lane].abs() * most;
    if !compact.ranges().iter().all(|range| (0..8).all(|lane| far(lane, range) <= MOST)) {
        return Err(FormError::Number { what: "ranges" });
    }
    let (firsts, places) = (starts(compact.moving(), |moving| parts_of(moving).count()), compact.places());
    check_lanes(compact.moving(), bones, times.len(), |group, column, part| {
        let component = firsts[group] + part;
        compact.exactly(column, component, &places[component])
    })
}

fn check_tracks(tracks: &Tracks, bones: usize, length: Time, loop_mode: LoopMode) -> Result<(), FormError> {
    check_still(&tracks.still, bones)?;
    let keys = tracks.times.len();
    count("values", tracks.values.len(), keys)?;
    count("eases", tracks.eases.len(), keys)?;
    if tracks.seam != (loop_mode == LoopMode::Loop).then_some(length) {
        return Err(FormError::Seam);
    }
    let (mut start, mut tangents) = (0_usize, 0_usize);
    for line in &tracks.lines {
        if usize::from(line.bone) >= bones {
            return Err(FormError::Bone { bone: line.bone, bones });
        }
        let end = start.saturating_add(line.count as usize);
        count("keys before a channel", line.start as usize, start)?;
        let Some(times) = tracks.times.get(start..end) else {
            return Err(FormError::Count { what: "keys", found: keys, wanted: end });
        };
        let inside = times.first().is_some_and(|&at| at >= Time::ZERO) && times.last().is_some_and(|&at| at <= length);
        if !inside || !times.is_sorted_by(|a, b| a < b) {
            return Err(FormError::Times);
        }
        if line.channel == Channel::Rotation && !tracks.values[start..end].iter().all(|value| is_unit(value.to_array()))
        {
            return Err(FormError::Rotation);
        }
        if let Some(at) = line.tangents {
            count("tangents before a channel", at as usize, tangents)?;
            tangents = tangents.saturating_add(line.count as usize);
        }
        start = end;
    }
    count("keys", keys, start)?;
    count("tangents", tracks.tangents.len(), tangents)?;
    let numbers = tracks.values.iter().chain(tracks.tangents.as_flattened());
    if !numbers.flat_map(|value| value.to_array()).all(is_sane) {
        return Err(FormError::Number { what: "keys" });
    }
    Ok(())
}

pub(super) fn count(what: &'static str, found: usize, wanted: usize) -> Result<(), FormError> {
    if found == wanted { Ok(()) } else { Err(FormError::Count { what, found, wanted }) }
}

fn check_times(times: &[Time], length: Time) -> Result<(), FormError> {
    let spans = times.first() == Some(&Time::ZERO) && times.last() == Some(&length);
    if spans && times.is_sorted() { Ok(()) } else { Err(FormError::Times) }
}

fn check_still(still: &LocalPose, bones: usize) -> Result<(), FormError> {
    count("bones", still.len(), bones)?;
    for group in still.lanes() {
        let numbers = group.translation.iter().chain(&group.rotation).chain(&group.scale);
        if !numbers.flat_map(|lanes| lanes.0).all(is_sane) {
            return Err(FormError::Number { what: "still pose" });
        }
        if !are_units(&group.rotation, None) {
            return Err(FormError::Rotation);
        }
    }
    Ok(())
}

fn check_moving(moving: &[Moving], bones: usize) -> Result<(), FormError> {
    count("groups of bones", moving.len(), bones.div_ceil(8))?;
    match moving.iter().find(|&&moving| moving > (PACED | 7) || moving & (PACED | 2) == PACED) {
        Some(&moving) => Err(FormError::Moving { moving }),
        None => Ok(()),
    }
}

/// Every column of what moves; `lane` gives the n-th moving component of a group in a column.
fn check_lanes(
    moving: &[Moving],
    bones: usize,
    columns: usize,
    lane: impl Fn(usize, usize, usize) -> Lanes,
) -> Result<(), FormError> {
    for (group, &moving) in moving.iter().enumerate() {
        let used = (bones - group * 8).min(8);
        let parts: Vec<usize> = parts_of(moving).collect();
        let mut before = None;
        for column in 0..columns {
            let mut rotation = [Lanes([0.0; 8]); 4];
            for (at, &part) in parts.iter().enumerate() {
                let lanes = lane(group, column, at);
                // Without a branch for each lane this is one comparison of all eight.
                if !lanes.0.iter().fold(true, |sane, &value| sane & is_sane(value)) {
                    return Err(FormError::Number { what: "columns" });
                }
                if lanes.0[used..].iter().any(|&value| value != IDENTITY[part]) {
                    return Err(FormError::Tail);
                }
                if ROTATION.contains(&part) {
                    rotation[part - ROTATION.start] = lanes;
                }
            }
            if moving & 2 != 0 {
                if !are_units(&rotation, before.as_ref()) {
                    return Err(FormError::Rotation);
                }
                before = Some(rotation);
            }
        }
    }
    Ok(())
}

/// Where each group's part of a column starts.
fn starts(moving: &[Moving], size: impl Fn(Moving) -> usize) -> Vec<usize> {
    let start = |next: &mut usize, &moving: &Moving| {
        let start = *next;
        *next += size(moving);
        Some(start)
    };
    moving.iter().scan(0, start).collect()
}

fn is_sane(value: f32) -> bool {
    value.abs() <= MOST
}

fn is_unit([x, y, z, w]: [f32; 4]) -> bool {
    UNIT.contains(&(x * x + y * y + z * z + w * w))
}

/// [`is_unit`] for eight rotations, and none of them on the far side of the one before.
fn are_units(rotation: &[Lanes; 4], before: Option<&[Lanes; 4]>) -> bool {
    let before = before.unwrap_or(rotation);
    let mut good = true;
    for lane in 0..8 {
        let dot = |a: &[Lanes; 4], b: &[Lanes; 4]| {
            let part = |at: usize| a[at].0[lane] * b[at].0[lane];
            part(0) + part(1) + part(2) + part(3)
        };
        let square = dot(rotation, rotation);
        good &= UNIT.contains(&square) & (dot(rotation, before) >= -0.1);
    }
    good
}
