//! TEXR and rIMG: the pixels of a texture and of a reference image. See docs/wad-format.md, "TEXR".

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::assets::texture::Texture;
use crate::wad::error::Fault;
use crate::wad::record::{Input, Record, to_bytes};
use crate::wad::sections::join;

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
    let Texture { name, width, height, pixels, source_format } = texture.clone();
    join(&to_bytes(&TextureRecordV1 { name, width, height, source_format })?, &[&pixels])
}

/// Width and height of the image of a lump; `None` if it is no such lump.
pub fn size(bytes: &[u8]) -> Option<(usize, usize)> {
    let (TextureRecordV1 { width, height, .. }, _) = Input::new(bytes).split().ok()?;
    Some((usize::try_from(width).ok()?, usize::try_from(height).ok()?))
}

pub fn read(input: Input<'_>) -> Result<Arc<Texture>, Fault> {
    let (record, mut parts) = input.split()?;
    let TextureRecordV1 { name, width, height, source_format } = record;
    let section = parts.section("pixels")?;
    parts.end()?;
    let expected = u64::from(width).saturating_mul(u64::from(height)).saturating_mul(4);
    if expected != section.bytes.len() as u64 {
        let reason = format!("{width} x {height} pixels need {expected} bytes, found {}", section.bytes.len());
        return Err(Fault::new(section.offset, reason));
    }
    Ok(Arc::new(Texture { name, width, height, pixels: (input.share)(section.bytes), source_format }))
}
