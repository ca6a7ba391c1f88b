//! The vectors of one tier: those of this frame, and those that the GPU has.

use crate::render::pass::palette::Counter;

/// Vectors for the GPU.
#[derive(Debug, Default)]
pub struct Shelf {
    /// Vectors of this frame.
    pub rows: Vec<[f32; 4]>,
    sent: Vec<[f32; 4]>,
}

impl Shelf {
    /// Removes those of the last frame.
    pub fn clear(&mut self) {
        self.rows.clear();
    }

    /// Forgets what the GPU has.
    pub fn forget(&mut self) {
        self.sent.clear();
    }

    /// The vectors, which continue on a new page if the current one lacks room for `rows` of them.
    pub fn with_page(&mut self, rows: usize, page: usize) -> &mut Vec<[f32; 4]> {
        if self.rows.len() % page + rows > page {
            self.fill_page(page);
        }
        &mut self.rows
    }

    /// Fills the last page up with zeros.
    pub fn fill_page(&mut self, page: usize) {
        let pages = self.rows.len().div_ceil(page);
        self.rows.resize(pages * page, [0.0; 4]);
    }

    /// Uploads all vectors, unless the GPU has them.
    pub fn send(&mut self, uploads: &Counter, upload: impl FnOnce(&[[f32; 4]])) {
        let is_same = self.sent.len() == self.rows.len() && bits(&self.sent) == bits(&self.rows);
        if !is_same {
            upload(&self.rows);
            uploads.add(self.rows.len());
            self.sent.clone_from(&self.rows);
        }
    }
}

/// Bytes compare faster than floats, and also tell one NaN from another.
fn bits(rows: &[[f32; 4]]) -> &[u8] {
    bytemuck::cast_slice(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_palette_is_within_one_page() {
        let mut shelf = Shelf::default();
        for (rows, start) in [(6, 0), (4, 6), (3, 10), (10, 20)] {
            let page = shelf.with_page(rows, 10);
            assert_eq!(page.len(), start);
            page.resize(start + rows, [0.0; 4]);
        }
        shelf.fill_page(10);
        assert_eq!(shelf.rows.len(), 30);
    }
}
