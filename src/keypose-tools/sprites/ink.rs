//! A small image whose pixels are a colour or nothing.

use crate::assets::sprite_recipe::Rgb;
use crate::export::bitmap::Bitmap;

/// Pixels in rows from the top.
#[derive(Clone, Debug, PartialEq)]
pub struct Ink {
    /// Width in pixels, at least 1.
    pub width: usize,
    /// Height in pixels, at least 1.
    pub height: usize,
    /// `width * height` colours; `None` is transparent.
    pub pixels: Vec<Option<Rgb>>,
}

/// The offsets of the four neighbours.
pub const FOUR: [[i32; 2]; 4] = [[0, -1], [-1, 0], [1, 0], [0, 1]];
/// The offsets of the eight neighbours.
pub const EIGHT: [[i32; 2]; 8] = [[-1, -1], [0, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [0, 1], [1, 1]];

impl Ink {
    /// A transparent image.
    pub fn empty(width: usize, height: usize) -> Ink {
        Ink { width, height, pixels: vec![None; width * height] }
    }

    /// A rectangle of it: left, top, width and height, which are inside.
    pub fn cut(&self, [x, y, width, height]: [u32; 4]) -> Ink {
        let [x, y, width, height] = [x, y, width, height].map(|side| side as usize);
        let row = |row: usize| &self.pixels[row * self.width + x..][..width];
        Ink { width, height, pixels: (y..y + height).flat_map(row).copied().collect() }
    }

    /// The index of a pixel's neighbour; `None` outside of the image.
    pub fn neighbor(&self, at: usize, offset: [i32; 2]) -> Option<usize> {
        neighbor([self.width, self.height], at, offset)
    }

    /// The colour of a neighbour.
    pub fn beside(&self, at: usize, offset: [i32; 2]) -> Option<Rgb> {
        self.pixels[self.neighbor(at, offset)?]
    }

    /// As an image with alpha, with other colours.
    pub fn to_bitmap_of(&self, color: impl Fn(Rgb) -> Rgb) -> Option<Bitmap> {
        let pixels = self.pixels.iter().map(|pixel| pixel.map(&color)).collect();
        Ink { pixels, ..*self }.to_bitmap()
    }

    /// As an image with alpha.
    pub fn to_bitmap(&self) -> Option<Bitmap> {
        let bytes = self.pixels.iter().flat_map(|pixel| pixel.map_or([0; 4], |[r, g, b]| [r, g, b, 255]));
        Bitmap::new(self.width as u32, self.height as u32, bytes.collect())
    }
}

/// The index of a pixel's neighbour in an image of this size; `None` outside of it.
pub fn neighbor([width, height]: [usize; 2], at: usize, [dx, dy]: [i32; 2]) -> Option<usize> {
    let x = (at % width).checked_add_signed(dx as isize).filter(|x| *x < width)?;
    let y = (at / width).checked_add_signed(dy as isize).filter(|y| *y < height)?;
    Some(y * width + x)
}
