//! Reduces many images to 255 shared colours, with ordered dithering.
//!
//! One palette for a whole animation, and a dither pattern that is fixed to the image, keep still areas from
//! flickering.

use color_quant::NeuQuant;

use crate::export::bitmap::Bitmap;

/// Count of pixels, of all images together, that the palette is computed from.
const SAMPLES: usize = 60_000;
/// The 4 × 4 ordered dither matrix (Bayer 1973), in sixteenths.
const BAYER: [[f32; 4]; 4] = [[0., 8., 2., 10.], [12., 4., 14., 6.], [3., 11., 1., 9.], [15., 7., 13., 5.]];
/// The amplitude of the dithering in steps of 8-bit colour: enough to hide the bands of a soft gradient.
const DITHER_STEPS: f32 = 5.0;

/// 255 colours computed from images (Dekker 1994), and an index for transparent pixels.
pub struct Palette {
    network: NeuQuant,
    /// Cache of the nearest colours by red, green and blue of 6 bits each.
    cache: Vec<Option<u8>>,
}

impl Palette {
    /// The index of transparent pixels.
    pub const TRANSPARENT: u8 = 255;

    /// Computes a palette from pixels spread evenly over all images. The same images give the same palette.
    pub fn of(images: &[Bitmap]) -> Palette {
        let total: usize = images.iter().map(|image| image.pixels().len() / 4).sum();
        // An odd step does not always hit the same columns of an image of even width.
        let step = (total / SAMPLES).max(1) | 1;
        let all = images.iter().flat_map(|image| image.pixels().chunks_exact(4));
        let samples: Vec<u8> = all.step_by(step).flatten().copied().collect();
        Palette { network: NeuQuant::new(3, usize::from(Palette::TRANSPARENT), &samples), cache: vec![None; 1 << 18] }
    }

    /// Red, green, blue of the 256 entries in turn.
    pub fn colors(&self) -> Vec<u8> {
        let mut colors = self.network.color_map_rgb();
        colors.extend([0; 3]);
        colors
    }

    /// The palette index of each pixel, dithered.
    pub fn indices(&mut self, image: &Bitmap) -> Vec<u8> {
        let width = image.width() as usize;
        let pixels = image.pixels().chunks_exact(4).enumerate();
        pixels.map(|(at, pixel)| self.index(pixel, at % width, at / width)).collect()
    }

    fn index(&mut self, pixel: &[u8], x: usize, y: usize) -> u8 {
        let lift = (BAYER[y % 4][x % 4] / 15.0 - 0.5) * DITHER_STEPS;
        let lifted = |channel: usize| (f32::from(pixel[channel]) + lift).round().clamp(0.0, 255.0) as u8;
        let color = [lifted(0), lifted(1), lifted(2)];
        let place = color.iter().fold(0, |place, &channel| place << 6 | usize::from(channel >> 2));
        let middle = |channel: u8| channel & 0xfc | 2;
        let network = &self.network;
        let look_up = || network.index_of(&[middle(color[0]), middle(color[1]), middle(color[2]), 255]) as u8;
        *self.cache[place].get_or_insert_with(look_up)
    }
}
