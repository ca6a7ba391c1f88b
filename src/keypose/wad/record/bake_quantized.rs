//! The sections of quantized samples. See docs/wad-format.md, "BAKE".

use crate::anim::bake::quantized_samples::{Block, QuantizedSamples, SparseChannel};
use crate::anim::bake::timeline::Timeline;
use crate::anim::pose::{Lanes, LocalPose};
use crate::wad::error::Fault;
use crate::wad::record::bake::{channel_bits, flicks, read_channels, times};
use crate::wad::record::stored::{channel_number, transform_channel};
use crate::wad::sections::{Parts, floats};

/// A channel that few bones of a group animate.
#[repr(C)]
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
struct SparseChannelV1 {
    bone: u16,
    channel: u16,
}

/// The sections after the constant pose.
pub fn sections(quantized: &QuantizedSamples) -> Result<[Vec<u8>; 5], String> {
    let sparse: Vec<SparseChannelV1> = quantized.sparse().iter().map(stored_channel).collect();
    let scales: Vec<[f32; 8]> = quantized.scales().iter().map(|scales| scales.0).collect();
    Ok([
        flicks(&quantized.layout().timeline.times),
        channel_bits(&quantized.layout().animated),
        bytemuck::cast_slice(&sparse).to_vec(),
        floats(&scales, "scales")?,
        quantized.blocks().iter().flat_map(|block| block.0).flat_map(i16::to_le_bytes).collect(),
    ])
}

/// Reads the sections after the constant pose.
pub fn read(parts: &mut Parts<'_>, constant: LocalPose) -> Result<QuantizedSamples, Fault> {
    let timeline = Timeline::new(times(parts)?);
    let animated = read_channels(parts)?;
    let sparse = parts.values::<SparseChannelV1>("sparse channels")?;
    let sparse = sparse.iter().map(|&SparseChannelV1 { bone, channel }| {
        let channel = u8::try_from(channel).unwrap_or(u8::MAX);
        Ok(SparseChannel { bone, channel: transform_channel(channel)? })
    });
    let sparse = sparse.collect::<Result<_, Fault>>()?;
    let scales = parts.map("scales", |lanes: &[f32; 8]| Lanes(*lanes))?;
    let blocks = parts.map("samples", |numbers: &[i16; 16]| Block(*numbers))?;
    QuantizedSamples::new(timeline, animated, &constant, sparse, scales, blocks)
        .map_err(|error| Fault::from(error.to_string()))
}

fn stored_channel(sparse: &SparseChannel) -> SparseChannelV1 {
    SparseChannelV1 { bone: sparse.bone, channel: channel_number(sparse.channel) }
}
