//! Contact sheets: images side by side, encoded as PNG while they are drawn.

use crate::export::ExportError;
use crate::export::bitmap::Bitmap;
use crate::export::png;

/// The images of a sheet: their count, the columns they are in, and the size of each in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cells {
    pub count: usize,
    pub columns: usize,
    pub size: [u32; 2],
}

/// Encodes a sheet with images in reading order. They are asked for one row after another, and only one row is kept. Unused cells are
/// transparent, and so are those whose image is missing or has another size.
pub fn encode(cells: Cells, images: impl IntoIterator<Item = Bitmap>) -> Result<Vec<u8>, ExportError> {
    let Cells { count, size: [width, height], .. } = cells;
    if count == 0 || width == 0 || height == 0 {
        return Err(ExportError::Empty);
    }
    let columns = cells.columns.clamp(1, count);
    let line = 4 * width as usize;
    let (mut images, mut row) = (images.into_iter(), Vec::<Bitmap>::new());
    let sheet = [width * columns as u32, height * count.div_ceil(columns) as u32];
    png::encode_drawn(sheet, |top, pixels| {
        for (y, pixels) in (top..).zip(pixels.chunks_exact_mut(line * columns)) {
            if y % height == 0 {
                row = images.by_ref().take(columns).collect();
            }
            for (image, pixels) in row.iter().zip(pixels.chunks_exact_mut(line)) {
                if let Some(from) = image.line(y % height).filter(|from| from.len() == line) {
                    pixels.copy_from_slice(from);
                }
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sheet_has_its_images_in_reading_order() {
        let plain = |shade: u8| Bitmap::new(2, 3, vec![shade; 4 * 6]).unwrap();
        let bytes = encode(Cells { count: 3, columns: 2, size: [2, 3] }, [1, 2, 3].map(plain)).unwrap();
        let sheet = image::load_from_memory(&bytes).unwrap().into_rgba8();
        assert_eq!((sheet.width(), sheet.height()), (4, 6));
        let cases = [(0, 0, 1), (1, 2, 1), (2, 0, 2), (3, 2, 2), (0, 3, 3), (1, 5, 3), (2, 3, 0), (3, 5, 0)];
        for (x, y, shade) in cases {
            assert_eq!(sheet.get_pixel(x, y).0, [shade; 4], "{x} {y}");
        }
        assert_eq!(encode(Cells { count: 0, columns: 2, size: [2, 3] }, []), Err(ExportError::Empty));
    }
}
