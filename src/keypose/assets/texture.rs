//! A texture: decoded pixels, and the file that they came from.

use crate::assets::bytes::Bytes;

/// RGBA8 pixels, sRGB-encoded, straight alpha, rows from the top.
#[derive(Clone, Debug, PartialEq)]
pub struct Texture {
    /// Unique within its model.
    pub name: String,
    /// 1 to [`Texture::MAX_SIDE`].
    pub width: u32,
    /// 1 to [`Texture::MAX_SIDE`].
    pub height: u32,
    /// `4 * width * height` bytes; those of an archive are a view of its buffer.
    pub pixels: Bytes,
    /// The format that the pixels were decoded from: "png", "jpeg", "generated", …
    pub source_format: String,
    /// The PNG, JPEG or WebP file that the pixels were decoded from, which archives and exports keep; empty for pixels that were made or
    /// changed here.
    pub file: Bytes,
}

impl Texture {
    /// The maximum width and height.
    pub const MAX_SIDE: u32 = 8192;
    /// The format of a white pixel in place of an image that was not found.
    pub const MISSING: &str = "missing";

    /// Whether its image was not found.
    pub fn is_missing(&self) -> bool {
        self.source_format == Texture::MISSING
    }

    /// Whether the size is in range and matches the number of pixels.
    pub fn is_valid(&self) -> bool {
        let side = 1..=Texture::MAX_SIDE;
        let bytes = 4 * self.width as usize * self.height as usize;
        side.contains(&self.width) && side.contains(&self.height) && self.pixels.len() == bytes
    }
}

/// Size and pixels of an image, reduced so that its longer side is `side` pixels, at least 1. Each pixel is the mean of those that
/// it covers. The image must be valid; one that is small enough stays as it is.
pub fn reduced(image: &Texture, side: u32) -> ([u32; 2], Vec<u8>) {
    let size = [image.width, image.height];
    let longest = image.width.max(image.height);
    if longest <= side {
        return (size, image.pixels.to_vec());
    }
    let reduced = size.map(|length| ((u64::from(length) * u64::from(side) / u64::from(longest)) as u32).max(1));
    // The source pixels of a column or a row.
    let covered = |at: u32, of: u32, whole: u32| {
        let edge = |at: u32| (u64::from(at) * u64::from(whole) / u64::from(of)) as usize;
        edge(at)..edge(at + 1).max(edge(at) + 1)
    };
    let mut pixels = Vec::with_capacity(4 * (reduced[0] as usize) * (reduced[1] as usize));
    for y in 0..reduced[1] {
        let rows = covered(y, reduced[1], image.height);
        for x in 0..reduced[0] {
            let columns = covered(x, reduced[0], image.width);
            let count = (rows.len() * columns.len()) as u32;
            let mut sums = [count / 2; 4];
            for row in rows.clone() {
                let start = 4 * row * image.width as usize;
                let covered = &image.pixels[start + 4 * columns.start..start + 4 * columns.end];
                for pixel in covered.chunks_exact(4) {
                    sums.iter_mut().zip(pixel).for_each(|(sum, &part)| *sum += u32::from(part));
                }
            }
            pixels.extend(sums.map(|sum| (sum / count) as u8));
        }
    }
    (reduced, pixels)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reduced_image_keeps_its_shape_and_the_mean_of_its_colours() {
        let (width, height) = (1000, 250);
        let half = |x: u32| if x < width / 2 { [200, 0, 10, 255] } else { [0, 100, 0, 255] };
        let pixels: Vec<u8> = (0..height).flat_map(|_| (0..width).flat_map(half)).collect();
        let image = Texture {
            name: "a".into(),
            width,
            height,
            pixels: pixels.into(),
            source_format: String::new(),
            file: Bytes::default(),
        };
        let (size, pixels) = reduced(&image, 100);
        assert_eq!((size, pixels.len()), ([100, 25], 4 * 100 * 25));
        assert_eq!((&pixels[..4], &pixels[4 * 99..4 * 100]), (&[200, 0, 10, 255][..], &[0, 100, 0, 255][..]));
        let (size, pixels) = reduced(&image, 1);
        assert_eq!((size, &pixels[..]), ([1, 1], &[100, 50, 5, 255][..]));
        assert_eq!(reduced(&image, 1000), ([width, height], image.pixels.to_vec()));
    }
}
