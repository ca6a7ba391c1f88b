//! TEXR: pixels as they are shown.

use serde::{Deserialize, Serialize};

use crate::assets::bytes::Bytes;
use crate::assets::texture::Texture;
use crate::wad::error::Fault;
use crate::wad::record::{Record, from_bytes, to_bytes};
use crate::wad::sections::{join, split};

#[derive(Serialize, Deserialize)]
struct TextureRecordV1 {
    name: String,
    width: u32,
    height: u32,
    source_format: String,
}

impl Record for TextureRecordV1 {
    const MAX_BYTES: usize = 0x1_0000;
}

pub fn write(texture: &Texture) -> Result<Vec<u8>, String> {
    let record = TextureRecordV1 {
        name: texture.name.clone(),
        width: texture.width,
        height: texture.height,
        source_format: texture.source_format.clone(),
    };
    join(&to_bytes(&record)?, &[texture.pixels.to_vec()])
}

/// `share` makes the pixels' own bytes of a part of the lump.
pub fn read(bytes: &[u8], share: impl Fn(&[u8]) -> Bytes) -> Result<Texture, Fault> {
    let mut parts = split(bytes)?;
    let record: TextureRecordV1 = from_bytes(parts.record)?;
    let section = parts.section("pixels")?;
    parts.end()?;
    let TextureRecordV1 { name, width, height, source_format } = record;
    let wanted = u64::from(width).saturating_mul(u64::from(height)).saturating_mul(4);
    if wanted != section.bytes.len() as u64 {
        let reason = format!("{width} x {height} pixels need {wanted} bytes, {} are there", section.bytes.len());
        return Err(Fault::new(section.offset, reason));
    }
    Ok(Texture { name, width, height, pixels: share(section.bytes), source_format })
}
