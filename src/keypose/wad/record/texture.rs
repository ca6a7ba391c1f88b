//! TEXR and rIMG: a texture and a reference image, as an image file or as pixels. See docs/wad-format.md, "TEXR".

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::assets::bytes::Bytes;
use crate::assets::texture::Texture;
use crate::wad::error::Fault;
use crate::wad::image_file;
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

/// The bytes of pixels to which the image files of an archive may decode: the memory to open it follows its size.
pub fn max_decoded_bytes(file_bytes: u64) -> u64 {
    file_bytes.saturating_mul(255).saturating_add(256 << 20).min(1 << 30)
}

/// Writes the image file of a texture that has one, else its pixels.
pub fn write(texture: &Texture) -> Result<Vec<u8>, String> {
    let Texture { name, width, height, pixels, source_format, file } = texture.clone();
    let record = to_bytes(&TextureRecordV1 { name, width, height, source_format })?;
    if file.is_empty() { join(&record, &[&pixels]) } else { join(&record, &[&Bytes::default(), &file]) }
}

/// Width and height of the pixels of a lump; `None` if it has none.
pub fn size(bytes: &[u8]) -> Option<(usize, usize)> {
    let (TextureRecordV1 { width, height, .. }, parts) = Input::new(bytes).split().ok()?;
    (parts.left() == 1).then_some(())?;
    Some((usize::try_from(width).ok()?, usize::try_from(height).ok()?))
}

/// The bytes of the pixels to which the image file of a lump decodes; `None` if it has no image file.
pub fn decoded_bytes(bytes: &[u8]) -> Option<u64> {
    let (TextureRecordV1 { width, height, .. }, parts) = Input::new(bytes).split().ok()?;
    (parts.left() == 2).then(|| image_file::pixel_bytes(width, height))
}

pub fn read(input: Input<'_>) -> Result<Arc<Texture>, Fault> {
    let (record, mut parts) = input.split()?;
    let TextureRecordV1 { name, width, height, source_format } = record;
    let section = parts.section("pixels")?;
    let kept = if parts.left() == 0 { None } else { Some(parts.section("image file")?) };
    parts.end()?;
    let (expected, found) = match kept {
        Some(_) => (0, section.bytes.len() as u64),
        None => (image_file::pixel_bytes(width, height), section.bytes.len() as u64),
    };
    if expected != found {
        let reason = format!("{width} x {height} pixels need {expected} bytes, found {found}");
        return Err(Fault::new(section.offset, reason));
    }
    let (pixels, file) = match kept {
        Some(kept) => {
            let pixels = decode(kept.bytes, [width, height]).map_err(|reason| kept.fault(0, reason))?;
            (pixels.into(), (input.share)(kept.bytes))
        }
        None => ((input.share)(section.bytes), Bytes::default()),
    };
    Ok(Arc::new(Texture { name, width, height, pixels, source_format, file }))
}

/// The pixels of an image file, which must have the size of the record.
fn decode(file: &[u8], size: [u32; 2]) -> Result<Vec<u8>, String> {
    let (format, _) = image_file::format(file).ok_or("the image file is no PNG, JPEG or WebP")?;
    let accept = |width, height| match [width, height] == size {
        true => Ok(()),
        false => Err(format!("the image file has {width} x {height} pixels, not {} x {}", size[0], size[1])),
    };
    image_file::decode(format, file, accept).map(|(.., pixels)| pixels)
}
