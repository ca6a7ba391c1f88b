//! The codec of images: packs a lump that ends with the pixels of an image, without loss and so that unpacking is little
//! slower than reading. See docs/wad-format.md, "Packed pixels".
//!
//! The image is cut into strips, which are packed and unpacked in parallel. [`rows`] predicts each byte from its
//! neighbours; [`groups`] stores the differences with as few bits as their group needs.

use std::borrow::Cow;
use std::sync::{Mutex, PoisonError};

use crate::anim::parallel;
use crate::assets::bytes::Bytes;
use crate::assets::texture::PackedPixels;
use crate::wad::bytes::Cursor;
use crate::wad::error::Fault;
use crate::wad::record::texture;

mod groups;
mod rows;

/// The rows of a strip; the last one may have fewer.
const STRIP_ROWS: usize = 128;
/// Bits of the first byte of a strip: it is compressed as an LZ4 block, and it holds differences instead of pixels.
const LZ4: u8 = 1;
const PREDICTED: u8 = 2;

/// Packs a lump of an image; `None` if it is no such lump.
pub fn pack(raw: &[u8]) -> Option<Vec<u8>> {
    let (width, height) = texture::size(raw)?;
    let row_bytes = width.checked_mul(4).filter(|&bytes| bytes > 0)?;
    let head_bytes = raw.len().checked_sub(row_bytes.checked_mul(height)?)?;
    let (head, pixels) = raw.split_at_checked(head_bytes)?;
    let strips: Vec<&[u8]> = pixels.chunks(row_bytes.checked_mul(STRIP_ROWS)?).collect();
    let packed = parallel::map(&strips, pixels.len(), |strip| pack_strip(strip, width));
    let mut out = Vec::new();
    out.extend(u32::try_from(head.len()).ok()?.to_le_bytes());
    out.extend(u32::try_from(width).ok()?.to_le_bytes());
    for strip in &packed {
        out.extend(u32::try_from(strip.len()).ok()?.to_le_bytes());
    }
    out.extend(head);
    out.extend(packed.into_iter().flatten());
    Some(out)
}

/// The smallest of four forms: pixels or differences, compressed or not.
fn pack_strip(pixels: &[u8], width: usize) -> Vec<u8> {
    let differences = rows::pack(pixels, width);
    let compressed = lz4_flex::block::compress(&differences);
    let mut forms = vec![(0, Cow::Borrowed(pixels))];
    // What has few patterns in its differences has few in its pixels, too.
    if compressed.len() < differences.len().saturating_sub(differences.len() >> 3) {
        forms.push((LZ4, lz4_flex::block::compress(pixels).into()));
        forms.push((PREDICTED | LZ4, compressed.into()));
    }
    forms.push((PREDICTED, differences.into()));
    let best = forms.iter().min_by_key(|(_, bytes)| bytes.len());
    best.map(|(form, bytes)| [&[*form], &**bytes].concat()).unwrap_or_default()
}

/// A packed lump, taken apart.
struct Image<'a> {
    /// The bytes of the lump before the pixels.
    head: &'a [u8],
    width: usize,
    /// The strips, each with its offset.
    strips: Vec<(usize, &'a [u8])>,
}

impl<'a> Image<'a> {
    /// `raw_bytes` is the length of the unpacked lump.
    fn of(stored: &'a [u8], raw_bytes: usize) -> Result<Image<'a>, Fault> {
        let mut cursor = Cursor::new(stored);
        let too_large = || Fault::new(0, "the image is larger than its lump");
        let number = |value: u32| usize::try_from(value).map_err(|_| too_large());
        let (head_bytes, width) = (number(cursor.u32()?)?, number(cursor.u32()?)?);
        let pixel_bytes = raw_bytes.checked_sub(head_bytes).ok_or_else(too_large)?;
        let row_bytes = width.checked_mul(4).filter(|&bytes| bytes <= pixel_bytes).ok_or_else(too_large)?;
        if row_bytes == 0 || !pixel_bytes.is_multiple_of(row_bytes) {
            return Err(Fault::new(4, format!("{pixel_bytes} bytes are not whole rows of {width} pixels")));
        }
        let count = pixel_bytes.div_ceil(row_bytes.checked_mul(STRIP_ROWS).ok_or_else(too_large)?);
        // Checked before anything is allocated.
        if cursor.left() / 4 < count {
            return Err(Fault::new(8, format!("the table of {count} strips is too short")));
        }
        let lengths = (0..count).map(|_| number(cursor.u32()?)).collect::<Result<Vec<_>, _>>()?;
        let head = cursor.take(head_bytes)?;
        let mut strips = Vec::with_capacity(count);
        for length in lengths {
            strips.push((cursor.offset(), cursor.take(length)?));
        }
        match cursor.left() {
            0 => Ok(Image { head, width, strips }),
            _ => Err(Fault::new(cursor.offset(), "unexpected bytes behind the last strip")),
        }
    }

    /// Unpacks the pixels to exactly these bytes, at least one row for each strip.
    fn unpack(&self, pixels: &mut [u8]) -> Result<(), Fault> {
        let strip_bytes = self.width.saturating_mul(4).saturating_mul(STRIP_ROWS).max(1);
        let bytes = pixels.len();
        let strips: Vec<_> = self.strips.iter().zip(pixels.chunks_mut(strip_bytes).map(Mutex::new)).collect();
        let unpacked = parallel::map(&strips, bytes, |((at, packed), strip)| {
            let mut strip = strip.lock().unwrap_or_else(PoisonError::into_inner);
            let fault = || Fault::new(*at, "can't unpack a strip of the image");
            unpack_strip(packed, self.width, &mut strip).ok_or_else(fault)
        });
        unpacked.into_iter().collect()
    }
}

/// Unpacks a lump to exactly `raw_bytes` bytes.
pub fn unpack(stored: &[u8], raw_bytes: usize) -> Result<Vec<u8>, Fault> {
    let image = Image::of(stored, raw_bytes)?;
    let mut raw = vec![0; raw_bytes];
    let (head, pixels) = raw.split_at_mut(image.head.len());
    head.copy_from_slice(image.head);
    image.unpack(pixels)?;
    Ok(raw)
}

/// The stored bytes of a lump, whose pixels are unpacked where they are needed.
#[derive(Debug)]
pub struct PackedImage {
    stored: Bytes,
    raw_bytes: usize,
}

impl PackedImage {
    /// The lump and the bytes before its pixels, in which all but the pixels is checked.
    pub fn new(stored: Bytes, raw_bytes: usize) -> Result<PackedImage, Fault> {
        Image::of(&stored, raw_bytes)?;
        Ok(PackedImage { stored, raw_bytes })
    }

    fn image(&self) -> Result<Image<'_>, Fault> {
        Image::of(&self.stored, self.raw_bytes)
    }

    /// The bytes of the lump before the pixels.
    pub fn head(&self) -> &[u8] {
        self.image().map(|image| image.head).unwrap_or_default()
    }

    /// The number of bytes of the pixels.
    pub fn pixel_bytes(&self) -> usize {
        self.raw_bytes.saturating_sub(self.head().len())
    }
}

impl PackedPixels for PackedImage {
    fn bytes(&self) -> &[u8] {
        &self.stored
    }

    fn unpack(&self) -> Result<Bytes, String> {
        let mut pixels = vec![0; self.pixel_bytes()];
        let unpacked = self.image().and_then(|image| image.unpack(&mut pixels));
        unpacked.map(|()| pixels.into()).map_err(|fault| fault.reason)
    }
}

fn unpack_strip(packed: &[u8], width: usize, pixels: &mut [u8]) -> Option<()> {
    let (&form, bytes) = packed.split_first()?;
    match form {
        0 => (bytes.len() == pixels.len()).then(|| pixels.copy_from_slice(bytes)),
        LZ4 => (lz4_flex::block::decompress_into(bytes, pixels).ok()? == pixels.len()).then_some(()),
        PREDICTED => rows::unpack(bytes, width, pixels),
        3 => {
            let mut differences = vec![0; rows::max_bytes(pixels.len(), width)?];
            let length = lz4_flex::block::decompress_into(bytes, &mut differences).ok()?;
            rows::unpack(differences.get(..length)?, width, pixels)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assets::texture::Texture;
    use crate::wad::damage::check_damage;

    fn lump(width: u32, height: u32, pixel: impl Fn(u32, u32) -> [u8; 4]) -> Vec<u8> {
        let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let pixels: Vec<u8> = places.flat_map(|(x, y)| pixel(x, y)).collect();
        let (name, source_format) = ("image".into(), "png".into());
        texture::write(&Texture { name, width, height, data: pixels.into(), source_format }).unwrap()
    }

    fn grain(x: u32, y: u32) -> u8 {
        let mixed = (x ^ (y << 11)).wrapping_mul(0x9e37_79b9);
        (mixed ^ (mixed >> 15)).wrapping_mul(0x85eb_ca6b).to_be_bytes()[0]
    }

    fn images() -> Vec<Vec<u8>> {
        let soft = |x: u32, y: u32| {
            let shade = |by: u32| ((x / by + y / (by + 1)) % 200) as u8 + grain(x, y) % 5;
            [shade(3), shade(5), shade(7), 255]
        };
        let sizes = [(1, 1), (3, 2), (31, 5), (32, 5), (33, 130), (64, 256), (200, 129), (1, 300), (640, 500)];
        let made = sizes.map(|(width, height)| {
            [
                lump(width, height, soft),
                lump(width, height, |x, y| [0, 1, 2, 3].map(|part| grain(x * 4 + part, y))),
                lump(width, height, |x, y| if (x / 9 + y / 7) % 3 == 0 { [9, 8, 7, 255] } else { [0; 4] }),
                lump(width, height, |x, _| [(x * 255 / width) as u8, 0, 255, x as u8]),
            ]
        });
        made.into_iter().flatten().collect()
    }

    #[test]
    fn images_of_all_kinds_are_unpacked_to_the_same_bytes() {
        for raw in images() {
            let packed = pack(&raw).unwrap();
            assert!(unpack(&packed, raw.len()).unwrap() == raw, "{} bytes", raw.len());
        }
    }

    #[test]
    fn soft_images_become_small_and_noise_does_not_grow() {
        let [.., soft, noise, flat, ramp] = &images()[..] else { panic!() };
        let ratio = |raw: &Vec<u8>| raw.len() as f32 / pack(raw).unwrap().len() as f32;
        assert!(ratio(soft) > 2.5 && ratio(flat) > 20.0 && ratio(ramp) > 20.0);
        assert!(ratio(noise) > 0.999);
    }

    #[test]
    fn other_lumps_are_not_packed() {
        assert!(pack(&[]).is_none() && pack(&[0; 64]).is_none());
        let mut short = lump(4, 4, |_, _| [1; 4]);
        short.truncate(70);
        assert!(pack(&short).is_none());
    }

    #[test]
    fn damaged_images_are_refused_or_have_the_right_size() {
        for raw in images().iter().filter(|raw| raw.len() < 20_000) {
            let packed = pack(raw).unwrap();
            for length in 0..packed.len().min(200) {
                assert!(unpack(&packed[..length], raw.len()).is_err());
            }
            check_damage(unpack, &packed, raw.len());
        }
    }

    #[test]
    fn a_width_or_length_that_lies_takes_no_memory() {
        for width in [0, 3, u32::MAX] {
            let stored = [&0_u32.to_le_bytes()[..], &width.to_le_bytes(), &[0; 64]].concat();
            assert!(unpack(&stored, usize::MAX).is_err());
        }
    }
}
