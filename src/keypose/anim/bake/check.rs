//! Checks baked forms that were read from a file: a form that passes can't panic when it is sampled or return a number
//! that is not finite.

use crate::anim::bake::channels::Channels;
use crate::anim::bake::form::{FormError, expect_count};
use crate::anim::bake::layout::SampleLayout;
use crate::anim::bake::packed_samples::{self, PackedSamples};
use crate::anim::bake::quantized_samples::{self, Block, QuantizedSamples};
use crate::anim::bake::sampled_poses::{SampledPoses, stride};
use crate::anim::bake::sparse_tracks::SparseTracks;
use crate::anim::clip::LoopMode;
use crate::anim::key::Channel;
use crate::anim::pose::{Lanes, LocalPose};
use crate::anim::time::Time;

/// Larger values are refused. With smaller ones the sums and products of sampling stay finite.
pub(super) const MAX_VALUE: f32 = 1e30;
/// The squared length of a rotation: far enough from zero that the blend of two in one hemisphere can be normalized.
const UNIT: std::ops::RangeInclusive<f32> = 0.5..=2.0;
/// The components of an identity.
const IDENTITY: [f32; 10] = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0];
/// The components of the rotation.
const ROTATION: std::ops::Range<usize> = 3..7;

pub(super) fn sampled_poses(samples: &SampledPoses, bones: usize, length: Time) -> Result<(), FormError> {
    let times = &samples.timeline.times;
    check_header(times, &samples.animated, Channels::SLERP_CORRECTED, &samples.constant, bones, length)?;
    expect_count("lanes per sample", samples.stride, stride(&samples.animated))?;
    expect_count("lanes", samples.lanes.len(), samples.stride.saturating_mul(times.len()))?;
    let starts = starts(&samples.animated);
    check_lanes(&samples.animated, bones, times.len(), |group, sample, out| {
        let lanes = &samples.lanes[sample * samples.stride + starts[group]..];
        samples.animated[group].components().zip(lanes).for_each(|(component, lanes)| out[component] = *lanes);
    })
}

pub(super) fn quantized_samples(samples: &QuantizedSamples, bones: usize, length: Time) -> Result<(), FormError> {
    let layout = samples.layout();
    let constant = layout.constant_pose();
    check_header(&layout.timeline.times, &layout.animated, Channels::SLERP_CORRECTED, &constant, bones, length)?;
    let most = f32::from(quantized_samples::ONE) * f32::from(quantized_samples::ONE);
    if !samples.scales().iter().flat_map(|scales| scales.0).all(|scale| is_sane(scale * most)) {
        return Err(FormError::Number { what: "scales" });
    }
    let (mut start, mut first) = (0, 0);
    for (group, &animated) in samples.layout().animated.iter().enumerate() {
        let (rotations, vectors) = quantized_samples::blocks_of(animated);
        let scales = &samples.scales()[first * 2..(first + vectors) * 2];
        let tail = (bones - group * 8).min(8)..8;
        let mut before = None;
        for sample in 0..samples.layout().timeline.times.len() {
            let (rotation, rest) = samples.stored(sample)[start..start + rotations + vectors].split_at(rotations);
            let rotation = match rotation {
                [xy, zw] => Some(quantized_samples::rotation(xy, zw)),
                _ => None,
            };
            if let Some(rotation) = rotation {
                if !are_units(&rotation, before.as_ref()) {
                    return Err(FormError::Rotation);
                }
                before = Some(rotation);
            }
            if !tail.is_empty() && !is_identity(animated, rotation, rest, scales, tail.clone()) {
                return Err(FormError::Tail);
            }
        }
        (start, first) = (start + rotations + vectors, first + vectors);
    }
    Ok(())
}

/// Whether the animated channels of the lanes past the last bone are identity.
fn is_identity(
    animated: Channels,
    rotation: Option<[Lanes; 4]>,
    rest: &[Block],
    scales: &[Lanes],
    tail: std::ops::Range<usize>,
) -> bool {
    let values = rest.iter().flat_map(Block::components).zip(scales).map(|(numbers, scales)| {
        let value = |lane| f32::from(numbers[lane]) * f32::from(quantized_samples::ONE) * scales.0[lane];
        Lanes(std::array::from_fn(value))
    });
    let components = ROTATION.filter(|_| rotation.is_some()).chain(animated.vectors().components());
    // The zip drops the unused half of a block.
    let mut stored = components.zip(rotation.into_iter().flatten().chain(values));
    stored.all(|(component, lanes)| tail.clone().all(|lane| (lanes.0[lane] - IDENTITY[component]).abs() <= 1e-6))
}

pub(super) fn packed_samples(samples: &PackedSamples, bones: usize, length: Time) -> Result<(), FormError> {
    let SampleLayout { timeline, animated, .. } = samples.layout();
    let extra = Channels::SLERP_CORRECTED.with(Channels::DERIVED_W);
    check_header(&timeline.times, animated, extra, &samples.layout().constant_pose(), bones, length)?;
    let halves = samples.parts().iter().flat_map(|part| part.steps.into_iter().chain([part.unit]));
    let most = MAX_VALUE / 2.0 / f32::from(u16::MAX);
    if !halves.map(packed_samples::widened).all(|number| number.abs() <= most) {
        return Err(FormError::Number { what: "parts" });
    }
    let starts = samples.groups();
    check_lanes(animated, bones, timeline.times.len(), |group, sample, out| {
        samples.write_group(group, starts[group], sample, out);
    })
}

pub(super) fn sparse_tracks(
    form: &SparseTracks,
    bones: usize,
    length: Time,
    loop_mode: LoopMode,
) -> Result<(), FormError> {
    check_constant(&form.constant, bones)?;
    let keys = form.times.len();
    expect_count("values", form.values.len(), keys)?;
    expect_count("eases", form.eases.len(), keys)?;
    if form.seam != (loop_mode == LoopMode::Loop).then_some(length) {
        return Err(FormError::Seam);
    }
    let (mut start, mut tangents) = (0_usize, 0_usize);
    for track in &form.tracks {
        if usize::from(track.bone) >= bones {
            return Err(FormError::Bone { bone: track.bone, bones });
        }
        let end = start.saturating_add(track.count as usize);
        expect_count("keys before a channel", track.start as usize, start)?;
        let Some(times) = form.times.get(start..end) else {
            return Err(FormError::Count { what: "keys", found: keys, expected: end });
        };
        let inside = times.first().is_some_and(|&at| at >= Time::ZERO) && times.last().is_some_and(|&at| at <= length);
        if !inside || !times.is_sorted_by(|a, b| a < b) {
            return Err(FormError::Times);
        }
        let mut values = form.values[start..end].iter();
        if track.channel == Channel::Rotation && !values.all(|value| is_unit(value.to_array())) {
            return Err(FormError::Rotation);
        }
        if let Some(at) = track.tangents {
            expect_count("tangents before a channel", at as usize, tangents)?;
            tangents = tangents.saturating_add(track.count as usize);
        }
        start = end;
    }
    expect_count("keys", keys, start)?;
    expect_count("tangents", form.tangents.len(), tangents)?;
    let numbers = form.values.iter().chain(form.tangents.as_flattened());
    if !numbers.flat_map(|value| value.to_array()).all(is_sane) {
        return Err(FormError::Number { what: "keys" });
    }
    Ok(())
}

/// `extra` are the bits that the form allows besides channels.
fn check_header(
    times: &[Time],
    animated: &[Channels],
    extra: Channels,
    constant: &LocalPose,
    bones: usize,
    length: Time,
) -> Result<(), FormError> {
    let is_whole = times.first() == Some(&Time::ZERO) && times.last() == Some(&length);
    if !is_whole || !times.is_sorted() {
        return Err(FormError::Times);
    }
    check_constant(constant, bones)?;
    expect_count("groups of bones", animated.len(), bones.div_ceil(8))?;
    match animated.iter().find(|animated| !animated.is_valid(extra)) {
        Some(&channels) => Err(FormError::Channels { channels }),
        None => Ok(()),
    }
}

fn check_constant(constant: &LocalPose, bones: usize) -> Result<(), FormError> {
    expect_count("bones", constant.len(), bones)?;
    for group in constant.lanes() {
        if !group.components().into_iter().flat_map(|lanes| lanes.0).all(is_sane) {
            return Err(FormError::Number { what: "constant pose" });
        }
        if !are_units(&group.rotation, None) {
            return Err(FormError::Rotation);
        }
    }
    Ok(())
}

/// Checks the animated channels of every sample. `write` writes the animated components of a group in a sample.
fn check_lanes(
    animated: &[Channels],
    bones: usize,
    samples: usize,
    write: impl Fn(usize, usize, &mut [Lanes; 10]),
) -> Result<(), FormError> {
    for (group, &animated) in animated.iter().enumerate() {
        let used = (bones - group * 8).min(8);
        let components: Vec<usize> = animated.without(Channels::DERIVED_W).components().collect();
        let mut lanes = IDENTITY.map(|value| Lanes([value; 8]));
        let mut before = None;
        for sample in 0..samples {
            write(group, sample, &mut lanes);
            for &component in &components {
                let lanes = &lanes[component];
                // Without a branch per lane this compiles to one comparison of all eight.
                if !lanes.0.iter().fold(true, |sane, &value| sane & is_sane(value)) {
                    return Err(FormError::Number { what: "samples" });
                }
                if lanes.0[used..].iter().any(|&value| value != IDENTITY[component]) {
                    return Err(FormError::Tail);
                }
            }
            if animated.has(Channels::ROTATION) {
                let &[_, _, _, x, y, z, w, ..] = &lanes;
                let rotation = [x, y, z, w];
                if !are_units(&rotation, before.as_ref()) {
                    return Err(FormError::Rotation);
                }
                before = Some(rotation);
            }
        }
    }
    Ok(())
}

/// The index of the first component of each group in a sample.
fn starts(animated: &[Channels]) -> Vec<usize> {
    let start = |next: &mut usize, animated: &Channels| {
        let start = *next;
        *next += animated.components().count();
        Some(start)
    };
    animated.iter().scan(0, start).collect()
}

fn is_sane(value: f32) -> bool {
    value.abs() <= MAX_VALUE
}

fn is_unit([x, y, z, w]: [f32; 4]) -> bool {
    UNIT.contains(&(x * x + y * y + z * z + w * w))
}

/// [`is_unit`] for eight rotations, each in the hemisphere of the one before.
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
