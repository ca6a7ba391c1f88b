//! An image in memory.

use crate::export::ExportError;

/// An image of RGBA8 pixels: sRGB-encoded, straight alpha, rows from the top.
#[derive(Clone, Debug, PartialEq)]
pub struct Bitmap {
    width: u32,
    height: u32,
    pixels: Vec<u8>,
}

impl Bitmap {
    /// Returns `None` unless there are exactly `4 * width * height` bytes and both sides are at least 1.
    pub fn new(width: u32, height: u32, pixels: Vec<u8>) -> Option<Bitmap> {
        let bytes = 4 * width as usize * height as usize;
        (bytes > 0 && pixels.len() == bytes).then_some(Bitmap { width, height, pixels })
    }

    /// Width in pixels, at least 1.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Height in pixels, at least 1.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Four bytes per pixel, rows from the top.
    pub fn pixels(&self) -> &[u8] {
        &self.pixels
    }

    /// The pixels of a row, or `None` below the image.
    pub fn line(&self, y: u32) -> Option<&[u8]> {
        self.pixels.chunks_exact(4 * self.width as usize).nth(y as usize)
    }

    /// The four bytes of a pixel, or `None` outside of the image.
    pub fn pixel(&self, x: u32, y: u32) -> Option<[u8; 4]> {
        if x >= self.width || y >= self.height {
            return None;
        }
        let at = 4 * (y as usize * self.width as usize + x as usize);
        self.pixels.get(at..at + 4)?.try_into().ok()
    }
}

/// Returns an error unless all images have the size of the first.
pub fn check_sizes(images: &[Bitmap]) -> Result<(), ExportError> {
    let Some(first) = images.first() else { return Err(ExportError::Empty) };
    let (expected_width, expected_height) = (first.width, first.height);
    let differs = |image: &&Bitmap| (image.width, image.height) != (expected_width, expected_height);
    match images.iter().enumerate().find(|(_, image)| differs(image)) {
        None => Ok(()),
        Some((index, &Bitmap { width, height, .. })) => {
            Err(ExportError::Size { index, width, height, expected_width, expected_height })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(width: u32, height: u32) -> Bitmap {
        Bitmap::new(width, height, vec![0; 4 * (width * height) as usize]).unwrap()
    }

    #[test]
    fn images_of_different_sizes_are_refused() {
        assert_eq!(check_sizes(&[]), Err(ExportError::Empty));
        let sizes = check_sizes(&[plain(2, 2), plain(2, 3)]);
        assert!(matches!(sizes, Err(ExportError::Size { index: 1, .. })));
        assert_eq!(Bitmap::new(2, 2, vec![0; 15]), None);
        assert_eq!(Bitmap::new(0, 2, vec![]), None);
    }
}
