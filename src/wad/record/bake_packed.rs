//! The sections of packed samples: version 4 of BAKE. Those of version 2 are read as sampled poses and no longer written.
//! See docs/wad-format.md, "BAKE".

use crate::anim::bake::channels::Channels;
use crate::anim::bake::packed_samples::{Lows, MAX_BITS, PackedSamples, Part};
use crate::anim::bake::sampled_poses::{SampledPoses, stride};
use crate::anim::bake::timeline::Timeline;
use crate::anim::pose::{Lanes, LocalPose};
use crate::wad::error::Fault;
use crate::wad::record::bake::{channel_bits, flicks, read_channels, times};
use crate::wad::sections::Parts;

/// The sections after the constant pose.
pub fn sections(packed: &PackedSamples) -> Vec<Vec<u8>> {
    vec![
        flicks(&packed.layout().timeline.times),
        channel_bits(&packed.layout().animated),
        bytemuck::cast_slice(packed.parts()).to_vec(),
        bytemuck::cast_slice(packed.lows()).to_vec(),
        packed.samples().to_vec(),
    ]
}

/// Reads the sections after the constant pose.
pub fn read(parts: &mut Parts<'_>, constant: &LocalPose) -> Result<PackedSamples, Fault> {
    let timeline = Timeline::new(times(parts)?);
    let animated = read_channels(parts)?;
    let stored: Vec<Part> = parts.values("parts")?;
    let lows: Vec<Lows> = parts.values("lows")?;
    let samples = parts.values("samples")?;
    PackedSamples::new(timeline, animated, constant, stored, lows, samples)
        .map_err(|error| Fault::from(error.to_string()))
}

/// Numbers of version 2 end below this bit before they are scaled.
const TOP: u32 = 31;

/// A component of version 2 in each sample.
struct Place {
    /// Offset in a sample, in bytes.
    start: usize,
    bytes: usize,
    bits: u32,
    low: [f32; 8],
    step: [f32; 8],
    /// Whether a lane has a number.
    has_number: [bool; 8],
}

/// Reads the sections of version 2 after the constant pose.
pub fn read_version_2(parts: &mut Parts<'_>, constant: LocalPose) -> Result<SampledPoses, Fault> {
    let timeline = Timeline::new(times(parts)?);
    let animated = read_channels(parts)?;
    let bits: Vec<u8> = parts.values("widths")?;
    let ranges: Vec<[[f32; 8]; 2]> = parts.values("ranges")?;
    let samples: Vec<u8> = parts.values("samples")?;
    let (places, size) = places(&animated, &bits, &ranges)?;
    if samples.len() != size.saturating_mul(timeline.times.len()) {
        let reason = format!("{} bytes do not hold {} samples of {size}", samples.len(), timeline.times.len());
        return Err(Fault::from(reason));
    }
    let sample = |at: usize| samples.get(at.saturating_mul(size)..).unwrap_or_default();
    let each = (0..timeline.times.len()).map(sample);
    let lanes = each.flat_map(|sample| places.iter().map(move |place| place.values(sample))).collect();
    let stride = stride(&animated);
    Ok(SampledPoses { timeline, animated, constant, lanes, stride })
}

/// The components of version 2, and the bytes of a sample.
fn places(animated: &[Channels], bits: &[u8], ranges: &[[[f32; 8]; 2]]) -> Result<(Vec<Place>, usize), Fault> {
    let channels = [(Channels::TRANSLATION, 3), (Channels::ROTATION, 3), (Channels::ROTATION, 1), (Channels::SCALE, 3)];
    let of_group = |&animated: &Channels| {
        channels.into_iter().filter(move |(channel, _)| animated.has(*channel)).map(|part| part.1)
    };
    let widths: Vec<usize> = animated.iter().flat_map(of_group).collect();
    let components = widths.iter().fold(0_usize, |sum, &width| sum.saturating_add(width));
    if bits.len() != widths.len() || ranges.len() != components || bits.iter().any(|&bits| bits > MAX_BITS) {
        let reason = format!("{} widths and {} ranges do not fit its channels", bits.len(), ranges.len());
        return Err(Fault::from(reason));
    }
    let (mut places, mut start, mut rest) = (Vec::new(), 0_usize, ranges);
    for (&width, &bits) in widths.iter().zip(bits) {
        let Some((own, others)) = rest.split_at_checked(width) else { break };
        let mut has_number = [false; 8];
        for [_, steps] in own {
            has_number.iter_mut().zip(steps).for_each(|(has, step)| *has |= *step != 0.0);
        }
        let numbers = has_number.iter().filter(|has| **has).count();
        let bytes = numbers.saturating_mul(usize::from(bits)).div_ceil(8);
        for &[low, step] in own {
            places.push(Place { start, bytes, bits: bits.into(), low, step, has_number });
            start = start.saturating_add(bytes);
        }
        rest = others;
    }
    Ok((places, start))
}

impl Place {
    fn values(&self, sample: &[u8]) -> Lanes {
        let stored = sample.get(self.start..).and_then(|bytes| bytes.get(..self.bytes)).unwrap_or_default();
        let mut left = stored.iter().rev().fold(0_u128, |all, &byte| all << 8 | u128::from(byte));
        let (mask, up) = (u128::MAX.unbounded_shl(self.bits), TOP.saturating_sub(self.bits));
        let mut out = self.low;
        for ((out, step), has) in out.iter_mut().zip(self.step).zip(self.has_number) {
            if has {
                *out += step * (((left & !mask) << up) as f32);
                left >>= self.bits;
            }
        }
        Lanes(out)
    }
}
