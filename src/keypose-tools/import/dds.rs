//! DDS images: blocks BC1 to BC7, and plain pixels of 8 to 32 bits. Of arrays, cubes and mipmaps the first image is read.

use crate::assets::srgb::encoded;
use crate::import::assembly::vertices::byte;

/// The pixels of a file are stored like this.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Layout {
    Bc1,
    Bc2,
    Bc3,
    Bc4 {
        signed: bool,
    },
    Bc5 {
        signed: bool,
    },
    Bc6 {
        signed: bool,
    },
    Bc7,
    /// Bytes of a pixel, and the bits of red, green, blue and alpha in it.
    Plain {
        bytes: usize,
        masks: [u32; 4],
    },
}

/// A checked header.
pub struct Header {
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    layout: Layout,
    /// Where the pixels begin.
    start: usize,
}

const MAGIC: &[u8] = b"DDS ";
const HEADER_BYTES: usize = 128;
const NEWER_HEADER_BYTES: usize = 148;
/// Flags of the pixel format: it has alpha, a code of four letters, colours, luminance.
const HAS_ALPHA: u32 = 1;
const HAS_CODE: u32 = 4;
const IS_LUMINANCE: u32 = 0x2_0000;

/// Whether the bytes begin like a DDS file.
pub fn looks_like_dds(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

impl Header {
    /// Reads the header.
    pub fn read(bytes: &[u8]) -> Result<Header, String> {
        let word = |at: usize| {
            let four = bytes.get(at..).and_then(|rest| rest.first_chunk::<4>());
            four.map(|four| u32::from_le_bytes(*four)).ok_or("unexpected end of the DDS header")
        };
        let (flags, code) = (word(80)?, word(84)?.to_le_bytes());
        let (mut layout, mut start) = (None, HEADER_BYTES);
        if flags & HAS_CODE != 0 && &code == b"DX10" {
            start = NEWER_HEADER_BYTES;
            layout = of_number(word(128)?);
        } else if flags & HAS_CODE != 0 {
            layout = of_code(&code);
        } else {
            let bytes = word(88)?.checked_div(8).unwrap_or(0) as usize;
            let alpha = if flags & HAS_ALPHA != 0 { word(104)? } else { 0 };
            let red = word(92)?;
            let (green, blue) = if flags & IS_LUMINANCE != 0 { (red, red) } else { (word(96)?, word(100)?) };
            if (1..=4).contains(&bytes) {
                layout = Some(Layout::Plain { bytes, masks: [red, green, blue, alpha] });
            }
        }
        let layout = layout.ok_or_else(|| format!("DDS in the format {} is not supported", code.escape_ascii()))?;
        Ok(Header { width: word(16)?, height: word(12)?, layout, start })
    }

    /// The RGBA8 pixels. The size must have been checked.
    pub fn decode(&self, bytes: &[u8]) -> Result<Vec<u8>, String> {
        let data = bytes.get(self.start..).unwrap_or_default();
        match self.layout {
            Layout::Plain { bytes, masks } => self.plain(data, bytes, masks),
            layout => self.blocks(data, layout),
        }
    }

    fn plain(&self, data: &[u8], bytes: usize, masks: [u32; 4]) -> Result<Vec<u8>, String> {
        let count = (self.width as usize).saturating_mul(self.height as usize);
        let data = data.get(..count.saturating_mul(bytes)).ok_or("unexpected end of the DDS pixels")?;
        let pixel = |pixel: &[u8]| {
            let whole = pixel.iter().rev().fold(0_u32, |whole, byte| whole << 8 | u32::from(*byte));
            let part = |mask: u32, otherwise: u8| {
                let (shift, most) = (mask.trailing_zeros(), mask.checked_shr(mask.trailing_zeros()).unwrap_or(0));
                let value = (whole & mask).checked_shr(shift).unwrap_or(0);
                if most == 0 { otherwise } else { byte(f64::from(value).max(0.0) * reciprocal(most)) }
            };
            let [red, green, blue, alpha] = masks;
            [part(red, 0), part(green, 0), part(blue, 0), part(alpha, 255)]
        };
        Ok(data.chunks_exact(bytes).flat_map(pixel).collect())
    }

    fn blocks(&self, data: &[u8], layout: Layout) -> Result<Vec<u8>, String> {
        let (width, height) = (self.width as usize, self.height as usize);
        let size = if matches!(layout, Layout::Bc1 | Layout::Bc4 { .. }) { 8 } else { 16 };
        let (across, down) = (width.div_ceil(4), height.div_ceil(4));
        let needed = across.saturating_mul(down).saturating_mul(size);
        let data = data.get(..needed).ok_or("unexpected end of the DDS blocks")?;
        let mut pixels = vec![0; width.saturating_mul(height).saturating_mul(4)];
        for (at, block) in data.chunks_exact(size).enumerate() {
            let (left, top) = (at.checked_rem(across).unwrap_or(0), at.checked_div(across).unwrap_or(0));
            let (left, top) = (left.saturating_mul(4), top.saturating_mul(4));
            let shown = width.saturating_sub(left).min(4).saturating_mul(4);
            for (row, line) in decoded(block, layout).chunks_exact(16).enumerate().take(height.saturating_sub(top)) {
                let start = top.saturating_add(row).saturating_mul(width).saturating_add(left).saturating_mul(4);
                if let (Some(to), Some(from)) = (pixels.get_mut(start..start.saturating_add(shown)), line.get(..shown))
                {
                    to.copy_from_slice(from);
                }
            }
        }
        Ok(pixels)
    }
}

/// The 16 pixels of a block.
fn decoded(block: &[u8], layout: Layout) -> [u8; 64] {
    const PITCH: usize = 16;
    let mut pixels = [255; 64];
    match layout {
        Layout::Bc1 => bcdec_rs::bc1(block, &mut pixels, PITCH),
        Layout::Bc2 => bcdec_rs::bc2(block, &mut pixels, PITCH),
        Layout::Bc3 => bcdec_rs::bc3(block, &mut pixels, PITCH),
        Layout::Bc7 => bcdec_rs::bc7(block, &mut pixels, PITCH),
        Layout::Bc4 { signed } => {
            let mut grey = [0; 16];
            bcdec_rs::bc4(block, &mut grey, 4, signed);
            for (pixel, grey) in pixels.chunks_exact_mut(4).zip(grey) {
                pixel.iter_mut().take(3).for_each(|part| *part = unsigned(grey, signed));
            }
        }
        Layout::Bc5 { signed } => {
            let mut two = [0; 32];
            bcdec_rs::bc5(block, &mut two, 8, signed);
            for (pixel, two) in pixels.chunks_exact_mut(4).zip(two.chunks_exact(2)) {
                if let ([red, green, blue, _], [x, y]) = (pixel, two) {
                    (*red, *green) = (unsigned(*x, signed), unsigned(*y, signed));
                    *blue = third(*red, *green);
                }
            }
        }
        Layout::Bc6 { signed } => {
            let mut light = [0.0; 48];
            bcdec_rs::bc6h_float(block, &mut light, 12, signed);
            for (pixel, light) in pixels.chunks_exact_mut(4).zip(light.chunks_exact(3)) {
                pixel.iter_mut().zip(light).for_each(|(part, light)| *part = byte(encoded(*light).into()));
            }
        }
        Layout::Plain { .. } => {}
    }
    pixels
}

/// A component that may be stored with a sign, from the middle.
fn unsigned(byte: u8, signed: bool) -> u8 {
    if signed { byte.wrapping_add(128) } else { byte }
}

/// The third component of a normal that is stored with two.
#[allow(clippy::arithmetic_side_effects)] // Floating point only.
fn third(x: u8, y: u8) -> u8 {
    let [x, y] = [x, y].map(|part| f64::from(part) / 127.5 - 1.0);
    byte((1.0 - x * x - y * y).max(0.0).sqrt() * 0.5 + 0.5)
}

#[allow(clippy::arithmetic_side_effects)] // Floating point only.
fn reciprocal(most: u32) -> f64 {
    1.0 / f64::from(most)
}

fn of_code(code: &[u8; 4]) -> Option<Layout> {
    Some(match code {
        b"DXT1" => Layout::Bc1,
        b"DXT2" | b"DXT3" => Layout::Bc2,
        b"DXT4" | b"DXT5" => Layout::Bc3,
        b"ATI1" | b"BC4U" => Layout::Bc4 { signed: false },
        b"BC4S" => Layout::Bc4 { signed: true },
        b"ATI2" | b"BC5U" => Layout::Bc5 { signed: false },
        b"BC5S" => Layout::Bc5 { signed: true },
        _ => return None,
    })
}

/// The layout of a number of the enumeration `DXGI_FORMAT`.
fn of_number(number: u32) -> Option<Layout> {
    let bgr = [0xFF_0000, 0xFF00, 0xFF];
    Some(match number {
        70..=72 => Layout::Bc1,
        73..=75 => Layout::Bc2,
        76..=78 => Layout::Bc3,
        79 | 80 => Layout::Bc4 { signed: false },
        81 => Layout::Bc4 { signed: true },
        82 | 83 => Layout::Bc5 { signed: false },
        84 => Layout::Bc5 { signed: true },
        94 | 95 => Layout::Bc6 { signed: false },
        96 => Layout::Bc6 { signed: true },
        97..=99 => Layout::Bc7,
        27..=29 => Layout::Plain { bytes: 4, masks: [0xFF, 0xFF00, 0xFF_0000, 0xFF00_0000] },
        87 | 90 | 91 => Layout::Plain { bytes: 4, masks: [bgr[0], bgr[1], bgr[2], 0xFF00_0000] },
        88 | 92 | 93 => Layout::Plain { bytes: 4, masks: [bgr[0], bgr[1], bgr[2], 0] },
        61 => Layout::Plain { bytes: 1, masks: [0xFF, 0xFF, 0xFF, 0] },
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of 5 × 5 pixels whose four blocks are the same.
    fn file(code: &[u8; 4], newer: Option<u32>, block: &[u8]) -> Vec<u8> {
        let mut bytes = vec![0; if newer.is_some() { NEWER_HEADER_BYTES } else { HEADER_BYTES }];
        let mut put = |at: usize, with: &[u8]| bytes[at..at + with.len()].copy_from_slice(with);
        put(0, MAGIC);
        (12..20).step_by(4).for_each(|at| put(at, &5_u32.to_le_bytes()));
        put(80, &HAS_CODE.to_le_bytes());
        put(84, code);
        newer.iter().for_each(|number| put(128, &number.to_le_bytes()));
        bytes.extend(block.repeat(4));
        bytes
    }

    fn first(bytes: &[u8]) -> [u8; 4] {
        let header = Header::read(bytes).unwrap();
        assert_eq!((header.width, header.height), (5, 5));
        let pixels = header.decode(bytes).unwrap();
        assert_eq!(pixels.len(), 100);
        // Every pixel of these blocks has the same colour.
        assert!(pixels.chunks_exact(4).all(|pixel| pixel == &pixels[..4]), "{pixels:?}");
        pixels[..4].try_into().unwrap()
    }

    #[test]
    fn blocks_of_one_colour_have_that_colour() {
        // Red in 5:6:5, twice; all indices 0.
        let red = [0x00, 0xF8, 0x00, 0xF8, 0, 0, 0, 0];
        let half = [128, 128, 0, 0, 0, 0, 0, 0];
        assert_eq!(first(&file(b"DXT1", None, &red)), [255, 0, 0, 255]);
        assert_eq!(first(&file(b"DXT3", None, &[&[0x88; 8][..], &red].concat())), [255, 0, 0, 136]);
        assert_eq!(first(&file(b"DXT5", None, &[half, red].concat())), [255, 0, 0, 128]);
        assert_eq!(first(&file(b"ATI1", None, &half)), [128, 128, 128, 255]);
        assert_eq!(first(&file(b"ATI2", None, &half.repeat(2))), [128, 128, 255, 255]);
        assert_eq!(first(&file(b"DX10", Some(71), &red)), [255, 0, 0, 255]);
        // Mode 5 of BC7: 7 bits for each colour at both ends, 8 for alpha.
        let mut bits = 1_u128 << 5;
        [127_u128, 127, 0, 0, 64, 64].iter().enumerate().for_each(|(at, part)| bits |= part << (8 + 7 * at));
        bits |= 200_u128 << 50 | 200 << 58;
        assert_eq!(first(&file(b"DX10", Some(98), &bits.to_le_bytes())), [255, 0, 129, 200]);
    }

    #[test]
    fn plain_pixels_follow_their_masks() {
        let mut bytes = file(b"    ", None, &[]);
        bytes[80..84].copy_from_slice(&0x41_u32.to_le_bytes());
        let words = [32_u32, 0xFF_0000, 0xFF00, 0xFF, 0xFF00_0000];
        (88..).step_by(4).zip(words).for_each(|(at, word)| bytes[at..at + 4].copy_from_slice(&word.to_le_bytes()));
        bytes.extend([30, 20, 10, 40].repeat(25));
        assert_eq!(first(&bytes), [10, 20, 30, 40]);
        assert!(Header::read(&bytes).unwrap().decode(&bytes[..200]).is_err());
    }

    #[test]
    fn other_formats_are_refused() {
        let error = Header::read(&file(b"AB\n1", None, &[])).err().unwrap();
        assert_eq!(error, "DDS in the format AB\\n1 is not supported");
        assert!(Header::read(&file(b"DXT1", None, &[])[..86]).is_err());
        assert!(Header::read(&file(b"DX10", Some(2), &[])).is_err());
    }
}
