//! An image in memory, and contact sheets of several.

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

    /// The four bytes of a pixel, or `None` outside of the image.
    pub fn pixel(&self, x: u32, y: u32) -> Option<[u8; 4]> {
        if x >= self.width || y >= self.height {
            return None;
        }
        let at = 4 * (y as usize * self.width as usize + x as usize);
        self.pixels.get(at..at + 4)?.try_into().ok()
    }
}

/// Arranges images of one size in rows of `columns` (at least 1), in reading order. Unused cells are transparent.
pub fn contact_sheet(images: &[Bitmap], columns: usize) -> Result<Bitmap, ExportError> {
    let first = images.first().ok_or(ExportError::Empty)?;
    check_sizes(images)?;
    let columns = columns.clamp(1, images.len());
    let rows = images.len().div_ceil(columns);
    let (width, height) = (first.width as usize, first.height as usize);
    let stride = 4 * width * columns;
    let mut pixels = vec![0; stride * height * rows];
    for (index, image) in images.iter().enumerate() {
        let (column, row) = (index % columns, index / columns);
        for (y, line) in image.pixels.chunks_exact(4 * width).enumerate() {
            let at = (row * height + y) * stride + column * 4 * width;
            pixels[at..at + line.len()].copy_from_slice(line);
        }
    }
    Bitmap::new((width * columns) as u32, (height * rows) as u32, pixels).ok_or(ExportError::Empty)
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

    fn plain(width: u32, height: u32, shade: u8) -> Bitmap {
        Bitmap::new(width, height, vec![shade; 4 * (width * height) as usize]).unwrap()
    }

    #[test]
    fn a_sheet_has_its_images_in_reading_order() {
        let sheet = contact_sheet(&[plain(2, 3, 1), plain(2, 3, 2), plain(2, 3, 3)], 2).unwrap();
        assert_eq!((sheet.width(), sheet.height()), (4, 6));
        let cases = [(0, 0, 1), (1, 2, 1), (2, 0, 2), (3, 2, 2), (0, 3, 3), (1, 5, 3), (2, 3, 0), (3, 5, 0)];
        for (x, y, shade) in cases {
            assert_eq!(sheet.pixel(x, y), Some([shade; 4]), "{x} {y}");
        }
        assert_eq!(sheet.pixel(4, 0), None);
    }

    #[test]
    fn images_of_different_sizes_are_refused() {
        assert_eq!(contact_sheet(&[], 2), Err(ExportError::Empty));
        let sizes = contact_sheet(&[plain(2, 2, 0), plain(2, 3, 0)], 2);
        assert!(matches!(sizes, Err(ExportError::Size { index: 1, .. })));
        assert_eq!(Bitmap::new(2, 2, vec![0; 15]), None);
        assert_eq!(Bitmap::new(0, 2, vec![]), None);
    }
}
