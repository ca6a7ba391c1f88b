//! The sections of packed samples. See docs/wad-format.md, "BAKE".

use crate::anim::bake::packed_samples::{Lows, PackedSamples, Part};
use crate::anim::bake::timeline::Timeline;
use crate::anim::pose::LocalPose;
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
