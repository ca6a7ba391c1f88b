//! BAKE: the form of a clip that plays, as samples of plain numbers, with the hashes of what it was made from. Name, loop
//! mode and events are the clip's own. Version 2 has other sections for the packed form, and is written for that one alone; version 3
//! knows samples of 16 bits, and is written for those alone.

use std::borrow::Cow;

use glam::Vec4;
use serde::{Deserialize, Serialize};

use crate::anim::bake::BakedClip;
use crate::anim::bake::channels::Channels;
use crate::anim::bake::form::Form;
use crate::anim::bake::packed_samples::{PackedSamples, Range};
use crate::anim::bake::sampled_poses::SampledPoses;
use crate::anim::bake::sparse_tracks::{SparseTrack, SparseTracks};
use crate::anim::bake::timeline::Timeline;
use crate::anim::key::Ease;
use crate::anim::pose::{Lanes, LocalPose, TransformLanes};
use crate::anim::time::Time;
use crate::wad::error::Fault;
use crate::wad::record::stored::{Stored, channel, channel_number};
use crate::wad::record::{Record, bake_pairs, bake_short, from_bytes, to_bytes};
use crate::wad::sections::{Parts, floats, join, split};

/// Of versions 2 and 3 as well.
#[derive(Serialize, Deserialize)]
struct BakeRecordV1 {
    /// xxh3 of the bytes of the ANIM lump, decompressed.
    clip: u64,
    /// The same of the SKEL lump.
    skeleton: u64,
    source_bytes: u64,
    max_error: f32,
    bones: u16,
    form: FormRecordV1,
}

#[derive(Serialize, Deserialize)]
enum FormRecordV1 {
    SampledPoses,
    PackedSamples,
    /// With the clip's length in flicks where it loops.
    SparseTracks(Option<i64>),
    /// From version 3 on.
    QuantizedSamples,
}

impl Record for BakeRecordV1 {
    const MAX_BYTES: usize = 0x100;
}

/// What a baked clip was made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    pub clip: u64,
    pub skeleton: u64,
}

/// A baked clip as it is stored, held against nothing yet.
pub struct StoredBake {
    pub form: Form,
    pub source_bytes: usize,
    pub max_error: f32,
}

/// Bone, channel, 1 where it has tangents, number of keys.
#[repr(C)]
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
struct LineV1 {
    bone: u16,
    channel: u8,
    has_tangents: u8,
    keys: u32,
}

/// The oldest schema version that holds the form.
pub fn version_of(baked: &BakedClip) -> u16 {
    match baked.form() {
        Form::SampledPoses(_) | Form::SparseTracks(_) => 1,
        Form::PackedSamples(_) => 2,
        Form::QuantizedSamples(_) => 3,
    }
}

pub fn write(baked: &BakedClip, origin: Origin) -> Result<Vec<u8>, String> {
    let (constant, form) = match baked.form() {
        Form::SampledPoses(samples) => (Cow::Borrowed(&samples.constant), FormRecordV1::SampledPoses),
        Form::QuantizedSamples(quantized) => {
            (Cow::Owned(quantized.layout().constant_pose()), FormRecordV1::QuantizedSamples)
        }
        Form::PackedSamples(packed) => (Cow::Owned(packed.layout().constant_pose()), FormRecordV1::PackedSamples),
        Form::SparseTracks(tracks) => {
            (Cow::Borrowed(&tracks.constant), FormRecordV1::SparseTracks(tracks.seam.map(|seam| seam.0)))
        }
    };
    let max_error = baked.report().max_error.to_record().map_err(|error| error.within("max_error").to_string())?;
    let record = BakeRecordV1 {
        clip: origin.clip,
        skeleton: origin.skeleton,
        source_bytes: baked.report().source_bytes as u64,
        max_error,
        bones: u16::try_from(constant.len()).map_err(|_| "it has too many bones")?,
        form,
    };
    let mut sections = vec![floats(&constant.lanes().iter().map(group_numbers).collect::<Vec<_>>(), "constant pose")?];
    match baked.form() {
        Form::SampledPoses(samples) => {
            sections.push(flicks(&samples.timeline.times));
            sections.push(channel_bits(&samples.animated));
            sections.push(floats(&samples.lanes.iter().map(|lanes| lanes.0).collect::<Vec<_>>(), "samples")?);
        }
        Form::QuantizedSamples(quantized) => sections.extend(bake_short::sections(quantized)?),
        Form::PackedSamples(packed) => {
            let ranges = packed.ranges().iter().map(|range| [range.low.0, range.step.0]);
            sections.push(flicks(&packed.layout().timeline.times));
            sections.push(channel_bits(&packed.layout().animated));
            sections.push(packed.parts().iter().map(|part| part.bits).collect());
            sections.push(floats(&ranges.collect::<Vec<_>>(), "ranges")?);
            sections.push(packed.samples().to_vec());
        }
        Form::SparseTracks(tracks) => {
            let stored: Vec<LineV1> = tracks.tracks.iter().map(stored_line).collect();
            let values: Vec<[f32; 4]> = tracks.values.iter().map(Vec4::to_array).collect();
            let tangents = tracks.tangents.iter().map(|pair| pair.map(|tangent| tangent.to_array()));
            sections.push(bytemuck::cast_slice(&stored).to_vec());
            sections.push(flicks(&tracks.times));
            sections.push(floats(&values, "keys")?);
            sections.push(tracks.eases.iter().map(|&ease| stored_ease(ease)).collect());
            sections.push(floats(&tangents.collect::<Vec<_>>(), "tangents")?);
        }
    }
    join(&to_bytes(&record)?, &sections)
}

/// What a lump says that it was made from, without reading the rest.
pub fn origin(bytes: &[u8]) -> Result<Origin, Fault> {
    let record: BakeRecordV1 = from_bytes(split(bytes)?.record)?;
    Ok(Origin { clip: record.clip, skeleton: record.skeleton })
}

/// `version` is one that is known.
pub fn read(version: u16, bytes: &[u8]) -> Result<StoredBake, Fault> {
    let mut parts = split(bytes)?;
    let record: BakeRecordV1 = from_bytes(parts.record)?;
    let groups = parts.map("the constant pose", |numbers: &[[f32; 8]; 10]| group(numbers))?;
    let constant = LocalPose::from_lanes(groups, usize::from(record.bones))
        .ok_or_else(|| Fault::from(format!("its constant pose is not one of {} bones", record.bones)))?;
    let form = match record.form {
        FormRecordV1::SampledPoses => Form::SampledPoses(read_columns(&mut parts, constant)?),
        FormRecordV1::PackedSamples if version == 1 => {
            let timeline = Timeline::new(times(&mut parts)?);
            let animated = read_channels(&mut parts)?;
            Form::SampledPoses(bake_pairs::read(&mut parts, timeline, animated, constant)?)
        }
        FormRecordV1::QuantizedSamples if version < 3 => {
            return Err(Fault::from("version 3 is the first with samples of 16 bits".to_owned()));
        }
        FormRecordV1::QuantizedSamples => Form::QuantizedSamples(bake_short::read(&mut parts, constant)?),
        FormRecordV1::PackedSamples => Form::PackedSamples(read_compact(&mut parts, constant)?),
        FormRecordV1::SparseTracks(seam) => Form::SparseTracks(read_tracks(&mut parts, constant, seam.map(Time))?),
    };
    parts.end()?;
    let source_bytes = usize::try_from(record.source_bytes).unwrap_or(usize::MAX);
    Ok(StoredBake { form, source_bytes, max_error: record.max_error })
}

fn read_columns(parts: &mut Parts<'_>, constant: LocalPose) -> Result<SampledPoses, Fault> {
    let timeline = Timeline::new(times(parts)?);
    let animated = read_channels(parts)?;
    let stride = crate::anim::bake::sampled_poses::stride(&animated);
    let lanes = parts.map("samples", |lanes: &[f32; 8]| Lanes(*lanes))?;
    Ok(SampledPoses { timeline, animated, constant, lanes, stride })
}

fn read_compact(parts: &mut Parts<'_>, constant: LocalPose) -> Result<PackedSamples, Fault> {
    let timeline = Timeline::new(times(parts)?);
    let animated = read_channels(parts)?;
    let bits: Vec<u8> = parts.values("widths")?;
    let ranges = parts.map("ranges", |&[low, step]: &[[f32; 8]; 2]| Range { low: Lanes(low), step: Lanes(step) })?;
    let samples = parts.values("samples")?;
    PackedSamples::new(timeline, animated, &constant, &bits, ranges, samples)
        .map_err(|error| Fault::from(error.to_string()))
}

fn read_tracks(parts: &mut Parts<'_>, constant: LocalPose, seam: Option<Time>) -> Result<SparseTracks, Fault> {
    let (mut start, mut tangent) = (0_u32, 0_u32);
    let mut tracks = Vec::new();
    for line in parts.values::<LineV1>("channels")? {
        let LineV1 { bone, channel, has_tangents, keys } = line;
        let channel = self::channel(channel)?;
        let tangents = (has_tangents != 0).then_some(tangent);
        tangent = if has_tangents != 0 { tangent.saturating_add(keys) } else { tangent };
        tracks.push(SparseTrack { bone, channel, start, count: keys, tangents });
        start = start.saturating_add(keys);
    }
    let times = times(parts)?;
    let values = parts.map("values", |value: &[f32; 4]| Vec4::from_array(*value))?;
    let eases = parts.values::<u8>("eases")?.into_iter().map(ease).collect::<Result<_, _>>()?;
    let tangents = parts.map("tangents", |pair: &[[f32; 4]; 2]| pair.map(Vec4::from_array))?;
    Ok(SparseTracks { constant, tracks, times, values, eases, tangents, seam })
}

pub(super) fn flicks(times: &[Time]) -> Vec<u8> {
    times.iter().flat_map(|time| time.0.to_le_bytes()).collect()
}

pub(super) fn times(parts: &mut Parts<'_>) -> Result<Vec<Time>, Fault> {
    parts.map("times", |flicks: &i64| Time(*flicks))
}

pub(super) fn channel_bits(animated: &[Channels]) -> Vec<u8> {
    animated.iter().map(|animated| animated.bits()).collect()
}

pub(super) fn read_channels(parts: &mut Parts<'_>) -> Result<Vec<Channels>, Fault> {
    parts.map("animated channels", |bits: &u8| Channels::from_bits(*bits))
}

fn group_numbers(group: &TransformLanes) -> [[f32; 8]; 10] {
    group.components().map(|lanes| lanes.0)
}

fn group(numbers: &[[f32; 8]; 10]) -> TransformLanes {
    TransformLanes::from_components(numbers.map(Lanes))
}

fn stored_line(line: &SparseTrack) -> LineV1 {
    let channel = channel_number(line.channel);
    LineV1 { bone: line.bone, channel, has_tangents: u8::from(line.tangents.is_some()), keys: line.count }
}

fn stored_ease(ease: Ease) -> u8 {
    match ease {
        Ease::Step => 0,
        Ease::Linear => 1,
        Ease::Cubic => 2,
    }
}

fn ease(stored: u8) -> Result<Ease, Fault> {
    match stored {
        0 => Ok(Ease::Step),
        1 => Ok(Ease::Linear),
        2 => Ok(Ease::Cubic),
        other => Err(Fault::from(format!("ease {other} of a key is not known"))),
    }
}
