//! The sections of a baked clip in columns of 16 bits: version 3 of BAKE.

use crate::anim::bake::columns::{Moving, Timeline};
use crate::anim::bake::short::{Block, Loose, Short};
use crate::anim::pose::{Lanes, LocalPose};
use crate::wad::error::Fault;
use crate::wad::record::bake::{channel_of, flicks, stored_channel, times};
use crate::wad::sections::{Parts, floats};

/// Bone and channel.
#[repr(C)]
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
struct LooseV3 {
    bone: u16,
    channel: u16,
}

/// What comes after the still pose.
pub fn sections(short: &Short) -> Result<[Vec<u8>; 5], String> {
    let loose: Vec<LooseV3> = short.loose().iter().map(stored_loose).collect();
    let scales: Vec<[f32; 8]> = short.scales().iter().map(|scales| scales.0).collect();
    Ok([
        flicks(&short.timeline().times),
        short.moving().to_vec(),
        bytemuck::cast_slice(&loose).to_vec(),
        floats(&scales, "scales")?,
        short.blocks().iter().flat_map(|block| block.0).flat_map(i16::to_le_bytes).collect(),
    ])
}

/// The form, past the still pose.
pub fn read(parts: &mut Parts<'_>, still: LocalPose) -> Result<Short, Fault> {
    let timeline = Timeline::new(times(parts)?);
    let moving: Vec<Moving> = parts.values("moving channels")?;
    let loose = parts.values::<LooseV3>("bones by themselves")?;
    let loose = loose.iter().map(|&LooseV3 { bone, channel }| Ok(Loose { bone, channel: channel_of(channel)? }));
    let loose = loose.collect::<Result<_, Fault>>()?;
    let scales = parts.map("scales", |lanes: &[f32; 8]| Lanes(*lanes))?;
    let blocks = parts.map("columns", |numbers: &[i16; 16]| Block(*numbers))?;
    Short::new(timeline, moving, still, loose, scales, blocks).map_err(|error| Fault::from(error.to_string()))
}

fn stored_loose(loose: &Loose) -> LooseV3 {
    LooseV3 { bone: loose.bone, channel: stored_channel(loose.channel).into() }
}
