//! TEXR and rIMG: a texture and a reference image, as an image file or as pixels. See docs/wad-format.md, "TEXR".

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::assets::bytes::Bytes;
use crate::assets::image_file;
use crate::assets::texture::{ImageData, Texture};
use crate::wad::error::Fault;
use crate::wad::pixels::PackedImage;
use crate::wad::record::{Input, from_bytes, to_bytes};
use crate::wad::sections::{join, split_head};

#[derive(Serialize, Deserialize)]
struct TextureRecordV1 {
    name: String,
    width: u32,
    height: u32,
    source_format: String,
}

/// The bytes of pixels to which the image files of an archive may decode: the time to decode them follows its size. Their memory is
/// that of a few at a time. A PNG can't have more than 1,032 times its bytes; images of flat colours have some hundred times.
pub fn max_decoded_bytes(file_bytes: u64) -> u64 {
    let of_few = file_bytes.saturating_mul(1032).saturating_add(256 << 20);
    of_few.min(file_bytes.saturating_mul(255).saturating_add(1 << 30))
}

/// Writes the image file of a texture that has one, else its pixels.
pub fn write(texture: &Texture) -> Result<Vec<u8>, String> {
    let Texture { name, width, height, data, source_format } = texture.clone();
    let record = to_bytes(&TextureRecordV1 { name, width, height, source_format })?;
    match data {
        ImageData::Pixels(_) | ImageData::Packed(_) => join(&record, &[&texture.pixels()?]),
        ImageData::File(file) => join(&record, &[&Bytes::default(), &file]),
    }
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

/// Reads a texture. An image file is not decoded; its size must be that of the record.
pub fn read(input: Input<'_>) -> Result<Arc<Texture>, Fault> {
    let (record, mut parts) = input.split()?;
    let TextureRecordV1 { name, width, height, source_format } = record;
    let mut section = parts.section("pixels")?;
    let has_file = parts.left() > 0;
    if has_file {
        if !section.bytes.is_empty() {
            return Err(Fault::new(section.offset, "pixels beside an image file"));
        }
        section = parts.section("image file")?;
    }
    parts.end()?;
    let bytes = (input.share)(section.bytes);
    let data = if has_file { ImageData::File(bytes) } else { ImageData::Pixels(bytes) };
    let texture = Texture { name, width, height, data, source_format };
    texture.check().map_err(|reason| Fault::new(section.offset, reason))?;
    Ok(Arc::new(texture))
}

/// Reads a texture whose pixels stay packed.
pub fn read_packed(image: PackedImage) -> Result<Arc<Texture>, Fault> {
    let (record, pixel_bytes) = split_head(image.head())?;
    let TextureRecordV1 { name, width, height, source_format } = from_bytes(record)?;
    let needed = image_file::pixel_bytes(width, height);
    if pixel_bytes != needed || image.pixel_bytes() as u64 != needed {
        let reason = format!("{width} x {height} pixels need {needed} bytes, found {pixel_bytes}");
        return Err(Fault::from(reason));
    }
    let texture = Texture { name, width, height, data: ImageData::Packed(Arc::new(image)), source_format };
    texture.check()?;
    Ok(Arc::new(texture))
}
