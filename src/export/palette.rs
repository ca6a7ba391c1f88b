//! At most 256 colours for many pictures: a palette that all of them share, and dithering that stands still.
//!
//! One palette for a whole animation and a dither pattern fixed to the picture keep what does not move from
//! shimmering, where a palette for each picture would make it crawl.

use color_quant::NeuQuant;

use crate::export::picture::Picture;

/// How many samples of all pictures together the palette is learnt from.
const SAMPLES: usize = 60_000;
/// The 4 × 4 ordered dither matrix (Bayer 1973), in sixteenths.
const BAYER: [[f32; 4]; 4] = [[0., 8., 2., 10.], [12., 4., 14., 6.], [3., 11., 1., 9.], [15., 7., 13., 5.]];
/// The height of the dither pattern in steps of 8-bit colour: enough to hide the bands of a soft gradient.
const DITHER_STEPS: f32 = 5.0;

/// 255 colours learnt from pictures (Dekker 1994), and a place for pixels that stay as they were.
pub struct Palette {
    network: NeuQuant,
    /// The nearest colour by red, green and blue of 6 bits each, 255 where it was not looked up yet.
    known: Vec<Option<u8>>,
}

impl Palette {
    /// The place that no pixel's colour has.
    pub const CLEAR: u8 = 255;

    /// Learns from pixels spread evenly over all pictures; the same pictures give the same palette.
    pub fn of(pictures: &[Picture]) -> Palette {
        let total: usize = pictures.iter().map(|picture| picture.pixels().len() / 4).sum();
        // An odd step does not fall into the columns of a picture of even width.
        let step = (total / SAMPLES).max(1) | 1;
        let all = pictures.iter().flat_map(|picture| picture.pixels().chunks_exact(4));
        let samples: Vec<u8> = all.step_by(step).flatten().copied().collect();
        Palette { network: NeuQuant::new(3, usize::from(Palette::CLEAR), &samples), known: vec![None; 1 << 18] }
    }

    /// Red, green, blue of the 256 places in turn.
    pub fn colors(&self) -> Vec<u8> {
        let mut colors = self.network.color_map_rgb();
        colors.extend([0; 3]);
        colors
    }

    /// The palette's colour for each pixel, dithered.
    pub fn indices(&mut self, picture: &Picture) -> Vec<u8> {
        let width = picture.width() as usize;
        let pixels = picture.pixels().chunks_exact(4).enumerate();
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
        *self.known[place].get_or_insert_with(look_up)
    }
}
