//! BAKE: a baked clip, with the hashes of the lumps that it was made from. Name, length, loop mode and events are those of the
//! ANIM. See docs/wad-format.md, "BAKE".

use std::borrow::Cow;

use glam::Vec4;
use serde::{Deserialize, Serialize};

use crate::anim::bake::BakeReport;
use crate::anim::bake::channels::Channels;
use crate::anim::bake::form::Form;
use crate::anim::bake::sampled_poses::SampledPoses;
use crate::anim::bake::sparse_tracks::{SparseTrack, SparseTracks};
use crate::anim::bake::timeline::Timeline;
use crate::anim::key::Ease;
use crate::anim::pose::{Lanes, LocalPose, TransformLanes};
use crate::anim::time::Time;
use crate::wad::error::Fault;
use crate::wad::record::stored::{EASES, Stored, channel_number, number_in, transform_channel};
use crate::wad::record::{bake_packed, bake_quantized, from_bytes, to_bytes};
use crate::wad::sections::{Parts, floats, join, split};

#[derive(Serialize, Deserialize)]
struct BakeRecordV1 {
    /// The hash of the decompressed ANIM lump.
    clip: u64,
    /// The hash of the decompressed SKEL lump.
    skeleton: u64,
    source_bytes: u64,
    max_error: f32,
    bones: u16,
    form: FormRecordV1,
}

#[derive(Serialize, Deserialize)]
enum FormRecordV1 {
    SampledPoses,
    QuantizedSamples,
    PackedSamples,
    /// The length of the clip in flicks if it loops.
    SparseTracks(Option<i64>),
}

/// The hashes of the lumps that a baked clip was made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    pub clip: u64,
    pub skeleton: u64,
}

/// A stored baked clip, not checked yet.
pub struct StoredBake {
    pub form: Form,
    pub source_bytes: usize,
    pub max_error: f32,
}

/// A channel of sparse tracks. `has_tangents` is 0 or 1.
#[repr(C)]
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
struct TrackV1 {
    bone: u16,
    channel: u8,
    has_tangents: u8,
    keys: u32,
}

/// Writes a [stored form](crate::anim::bake::BakedClip::stored_form).
pub fn write(stored: &Form, report: &BakeReport, origin: Origin) -> Result<Vec<u8>, String> {
    let (constant, form) = match stored {
        Form::SampledPoses(samples) => (Cow::Borrowed(&samples.constant), FormRecordV1::SampledPoses),
        Form::QuantizedSamples(quantized) => {
            (Cow::Owned(quantized.layout().constant_pose()), FormRecordV1::QuantizedSamples)
        }
        Form::PackedSamples(packed) => (Cow::Owned(packed.layout().constant_pose()), FormRecordV1::PackedSamples),
        Form::SparseTracks(tracks) => {
            (Cow::Borrowed(&tracks.constant), FormRecordV1::SparseTracks(tracks.seam.map(|seam| seam.0)))
        }
        Form::CurveWindows(_) => return Err("curve windows are stored as sparse tracks".to_owned()),
    };
    let max_error = report.max_error.to_record().map_err(|error| error.within("max_error").to_string())?;
    let record = BakeRecordV1 {
        clip: origin.clip,
        skeleton: origin.skeleton,
        source_bytes: report.source_bytes as u64,
        max_error,
        bones: u16::try_from(constant.len()).map_err(|_| "it has too many bones")?,
        form,
    };
    let mut sections = vec![floats(&constant.lanes().iter().map(group_numbers).collect::<Vec<_>>(), "constant pose")?];
    match stored {
        Form::CurveWindows(_) => {}
        Form::SampledPoses(samples) => {
            sections.push(flicks(&samples.timeline.times));
            sections.push(channel_bits(&samples.animated));
            sections.push(floats(&samples.lanes.iter().map(|lanes| lanes.0).collect::<Vec<_>>(), "samples")?);
        }
        Form::QuantizedSamples(quantized) => sections.extend(bake_quantized::sections(quantized)?),
        Form::PackedSamples(packed) => sections.extend(bake_packed::sections(packed)),
        Form::SparseTracks(tracks) => {
            let stored: Vec<TrackV1> = tracks.tracks.iter().map(stored_track).collect();
            let values: Vec<[f32; 4]> = tracks.values.iter().map(Vec4::to_array).collect();
            let tangents = tracks.tangents.iter().map(|pair| pair.map(|tangent| tangent.to_array()));
            sections.push(bytemuck::cast_slice(&stored).to_vec());
            sections.push(flicks(&tracks.times));
            sections.push(floats(&values, "keys")?);
            sections.push(tracks.eases.iter().map(|ease| number_in(&EASES, ease)).collect());
            sections.push(floats(&tangents.collect::<Vec<_>>(), "tangents")?);
        }
    }
    join(&to_bytes(&record)?, &sections)
}

/// Reads only the hashes of the source lumps.
pub fn origin(bytes: &[u8]) -> Result<Origin, Fault> {
    let record: BakeRecordV1 = from_bytes(split(bytes)?.record)?;
    Ok(Origin { clip: record.clip, skeleton: record.skeleton })
}

/// The size of each number of the samples, by the bytes of the record; `None` if they are packed, and without samples.
pub fn sample_bytes(record: &[u8]) -> Option<usize> {
    match from_bytes::<BakeRecordV1>(record).ok()?.form {
        FormRecordV1::SampledPoses => Some(size_of::<f32>()),
        FormRecordV1::QuantizedSamples => Some(size_of::<i16>()),
        FormRecordV1::PackedSamples | FormRecordV1::SparseTracks(_) => None,
    }
}

/// Reads a lump.
pub fn read(bytes: &[u8]) -> Result<StoredBake, Fault> {
    let mut parts = split(bytes)?;
    let record: BakeRecordV1 = from_bytes(parts.record)?;
    let groups = parts.map("the constant pose", |numbers: &[[f32; 8]; 10]| group(numbers))?;
    let constant = LocalPose::from_lanes(groups, usize::from(record.bones))
        .ok_or_else(|| Fault::from(format!("the constant pose does not have {} bones", record.bones)))?;
    let form = match record.form {
        FormRecordV1::SampledPoses => Form::SampledPoses(read_sampled(&mut parts, constant)?),
        FormRecordV1::QuantizedSamples => Form::QuantizedSamples(bake_quantized::read(&mut parts, constant)?),
        FormRecordV1::PackedSamples => Form::PackedSamples(bake_packed::read(&mut parts, &constant)?),
        FormRecordV1::SparseTracks(seam) => Form::SparseTracks(read_tracks(&mut parts, constant, seam.map(Time))?),
    };
    parts.end()?;
    let source_bytes = usize::try_from(record.source_bytes).unwrap_or(usize::MAX);
    Ok(StoredBake { form, source_bytes, max_error: record.max_error })
}

fn read_sampled(parts: &mut Parts<'_>, constant: LocalPose) -> Result<SampledPoses, Fault> {
    let timeline = Timeline::new(times(parts)?);
    let animated = read_channels(parts)?;
    let stride = crate::anim::bake::sampled_poses::stride(&animated);
    let lanes = parts.map("samples", |lanes: &[f32; 8]| Lanes(*lanes))?;
    Ok(SampledPoses { timeline, animated, constant, lanes, stride })
}

fn read_tracks(parts: &mut Parts<'_>, constant: LocalPose, seam: Option<Time>) -> Result<SparseTracks, Fault> {
    let (mut start, mut tangent) = (0_u32, 0_u32);
    let mut tracks = Vec::new();
    for line in parts.values::<TrackV1>("channels")? {
        let TrackV1 { bone, channel, has_tangents, keys } = line;
        let channel = transform_channel(channel)?;
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

fn stored_track(line: &SparseTrack) -> TrackV1 {
    // Scalars are not baked to tracks.
    let channel = u8::try_from(channel_number(line.channel)).unwrap_or(u8::MAX);
    TrackV1 { bone: line.bone, channel, has_tangents: u8::from(line.tangents.is_some()), keys: line.count }
}

fn ease(stored: u8) -> Result<Ease, Fault> {
    EASES.get(usize::from(stored)).copied().ok_or_else(|| Fault::from(format!("unknown ease {stored}")))
}
