//! A decoded frame, in the form in which its decoder makes it.

use crate::assets::image_file;
use crate::assets::texture::Texture;

/// A frame of a film.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// In pixels, before it is rotated.
    width: u32,
    height: u32,
    pixels: Pixels,
    /// Quarter turns clockwise, of a phone that was held upright.
    quarters: u8,
}

#[derive(Clone, Debug, PartialEq)]
enum Pixels {
    /// RGBA8, sRGB-encoded, rows from the top.
    Rgba(Vec<u8>),
    /// Luma, and both chromas at half the width and height.
    Yuv { planes: [Vec<u8>; 3], colors: Colors },
}

/// How luma and chroma of a film become colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Colors {
    /// ITU-R BT.709 instead of BT.601.
    pub is_bt709: bool,
    /// All values from 0 to 255 instead of luma from 16 to 235.
    pub is_full_range: bool,
}

impl Picture {
    /// An image of RGBA8 pixels.
    ///
    /// # Errors
    /// A size that is out of range or doesn't match the number of pixels.
    pub fn rgba(width: u32, height: u32, pixels: Vec<u8>) -> Result<Picture, String> {
        image_file::check_size(width, height)?;
        if pixels.len() as u64 != image_file::pixel_bytes(width, height) {
            return Err("the pixels of the frame don't match its size".to_owned());
        }
        Ok(Picture { width, height, pixels: Pixels::Rgba(pixels), quarters: 0 })
    }

    /// A frame of a video, to be rotated by quarter turns clockwise.
    ///
    /// # Errors
    /// As [`Picture::rgba`].
    pub fn yuv(size: [u32; 2], planes: [Vec<u8>; 3], colors: Colors, quarters: u8) -> Result<Picture, String> {
        let [width, height] = size;
        image_file::check_size(width, height)?;
        let chroma = u64::from(width.div_ceil(2)).saturating_mul(u64::from(height.div_ceil(2)));
        let needed = [image_file::pixel_bytes(width, height) / 4, chroma, chroma];
        if planes.iter().zip(needed).any(|(plane, needed)| (plane.len() as u64) < needed) {
            return Err("the pixels of the frame don't match its size".to_owned());
        }
        Ok(Picture { width, height, pixels: Pixels::Yuv { planes, colors }, quarters: quarters % 4 })
    }

    /// The bytes that it takes.
    pub fn bytes(&self) -> usize {
        match &self.pixels {
            Pixels::Rgba(pixels) => pixels.len(),
            Pixels::Yuv { planes, .. } => planes.iter().map(Vec::len).fold(0, usize::saturating_add),
        }
    }

    /// The frame as a texture of this name.
    pub fn texture(&self, name: &str) -> Texture {
        let rgba = match &self.pixels {
            Pixels::Rgba(pixels) => pixels.clone(),
            Pixels::Yuv { planes, colors } => rgba_of(self.width, planes, *colors),
        };
        let (width, height, pixels) = turned(self.width, self.height, rgba, self.quarters);
        Texture { name: name.to_owned(), width, height, data: pixels.into(), source_format: "film".to_owned() }
    }
}

/// Converts by ITU-T H.273, table 4, in fixed point with 16 bits after the point.
fn rgba_of(width: u32, [luma, cb, cr]: &[Vec<u8>; 3], colors: Colors) -> Vec<u8> {
    let factors: [i64; 4] =
        if colors.is_bt709 { [103_206, -12_276, -30_679, 121_608] } else { [91_881, -22_554, -46_802, 116_130] };
    let (luma_scale, black, chroma_scale) =
        if colors.is_full_range { (65_536, 0, 65_536) } else { (76_309, 16, 74_606) };
    // No product below exceeds 2^26.
    let scaled = |factor: i64| i32::try_from(factor.saturating_mul(chroma_scale) >> 16).unwrap_or(0);
    let [red_cr, green_cb, green_cr, blue_cb] = factors.map(scaled);
    let width = width.max(1) as usize;
    let half = width.div_ceil(2);
    let byte = |value: i32| u8::try_from((value.wrapping_add(1 << 15) >> 16).clamp(0, 255)).unwrap_or(0);
    let mut rgba = Vec::with_capacity(luma.len().saturating_mul(4));
    for (y, row) in luma.chunks_exact(width).enumerate() {
        let line = |plane: &'_ [u8]| plane.chunks_exact(half).nth(y / 2).map(<[u8]>::to_vec).unwrap_or_default();
        let (cb, cr) = (line(cb), line(cr));
        for (pair, (&cb, &cr)) in row.chunks(2).zip(cb.iter().zip(&cr)) {
            let (cb, cr) = (i32::from(cb).wrapping_sub(128), i32::from(cr).wrapping_sub(128));
            let red = cr.wrapping_mul(red_cr);
            let green = cb.wrapping_mul(green_cb).wrapping_add(cr.wrapping_mul(green_cr));
            let blue = cb.wrapping_mul(blue_cb);
            for &luma in pair {
                let luma = i32::from(luma).wrapping_sub(black).wrapping_mul(luma_scale);
                let [red, green, blue] = [red, green, blue].map(|chroma| byte(luma.wrapping_add(chroma)));
                rgba.extend([red, green, blue, 255]);
            }
        }
    }
    rgba
}

/// Rotates pixels clockwise by quarter turns.
fn turned(width: u32, height: u32, pixels: Vec<u8>, quarters: u8) -> (u32, u32, Vec<u8>) {
    let (columns, rows) = (width as usize, height as usize);
    let pixel = |column: usize, row: usize| {
        let at = row.saturating_mul(columns).saturating_add(column).saturating_mul(4);
        let pixel: Option<[u8; 4]> = pixels.get(at..at.saturating_add(4)).and_then(|pixel| pixel.try_into().ok());
        pixel.unwrap_or_default()
    };
    let last = |count: usize, at: usize| count.saturating_sub(1).saturating_sub(at);
    match quarters {
        1 => {
            let to = (0..columns).flat_map(|x| (0..rows).flat_map(move |y| pixel(x, last(rows, y))));
            (height, width, to.collect())
        }
        2 => {
            let to = (0..rows).flat_map(|y| (0..columns).flat_map(move |x| pixel(last(columns, x), last(rows, y))));
            (width, height, to.collect())
        }
        3 => {
            let to = (0..columns).flat_map(|x| (0..rows).flat_map(move |y| pixel(last(columns, x), y)));
            (height, width, to.collect())
        }
        _ => (width, height, pixels),
    }
}
