//! A finished sheet with its colours, and what may be wrong with it.

use crate::sprites::palette::{MAX_COLORS, Palette};
use crate::sprites::sheet::Sheet;

/// A sheet and its colours.
#[derive(Clone, Debug)]
pub struct Sprites {
    /// The frames.
    pub sheet: Sheet,
    /// All colours of the first layer; incomplete if there are more than 255.
    pub palette: Palette,
    /// Palette and measures, with which a frame alone gets the same pixels.
    pub shared: Shared,
    /// The number of different colours.
    pub colors: usize,
    /// Mean distance in OKLab of pixels to the colours that they had before the palette.
    pub difference: f32,
}

/// Palette and measures that all frames of a sheet share.
#[derive(Clone, Debug, PartialEq)]
pub struct Shared {
    /// The height of the ground.
    pub ground: f32,
    /// The nearest and the farthest depth along the view, in pixels in front of the origin.
    pub depth: [f32; 2],
    /// The colours, if the recipe asks for a palette.
    pub palette: Option<Palette>,
}

/// Something that may be wrong with a sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// A phrase with a count.
    pub text: String,
    /// The index of a frame that shows it.
    pub frame: usize,
}

impl Sprites {
    /// Returns what may be wrong: frames that touch the border, so that a part may be cut off, and more colours than an indexed file holds.
    pub fn warnings(&self) -> Vec<Warning> {
        let sheet = &self.sheet;
        let touches = |at: &usize| {
            let placed = sheet.frames[*at].placed;
            let size = sheet.size_of(placed.picture);
            (0..2).any(|axis| placed.at[axis] == 0 || placed.at[axis] + size[axis] >= sheet.canvas[axis])
        };
        let clipped: Vec<usize> = (0..sheet.frames.len()).filter(touches).collect();
        let mut warnings = Vec::new();
        if let Some(&frame) = clipped.first() {
            let what = if clipped.len() == 1 { "frame touches" } else { "frames touch" };
            warnings.push(Warning { text: format!("{} {what} the border", clipped.len()), frame });
        }
        if self.colors > MAX_COLORS {
            let text = format!("{} colours, more than {MAX_COLORS}", self.colors);
            warnings.push(Warning { text, frame: self.largest() });
        }
        warnings
    }

    /// The index of the frame with the largest picture.
    pub fn largest(&self) -> usize {
        let area = |at: &usize| self.sheet.size_of(self.sheet.frames[*at].placed.picture).iter().product::<u32>();
        (0..self.sheet.frames.len()).max_by_key(area).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::bitmap::Bitmap;
    use crate::sprites::marks::Marks;
    use crate::sprites::sheet::SheetFrame;

    #[test]
    fn frames_at_the_border_and_too_many_colors_are_warned_about() {
        let mut sheet = Sheet::new(vec!["color".into()], [8, 8], [4, 7], 20.0);
        for (name, corner, side) in [("a", [2, 2], 4), ("b", [5, 2], 3), ("c", [0, 1], 2)] {
            let image = Bitmap::new(side, side, [9, 9, 9, 255].repeat((side * side) as usize)).unwrap();
            let placed = sheet.place(vec![image], corner);
            sheet.frames.push(SheetFrame {
                name: name.into(),
                placed,
                millis: 80,
                marks: Marks::default(),
                is_by_hand: false,
            });
        }
        let shared = Shared { ground: 0.0, depth: [1.0, 0.0], palette: None };
        let sprites = Sprites { sheet, palette: Palette::default(), shared, colors: 255, difference: 0.0 };
        let border = Warning { text: "2 frames touch the border".into(), frame: 1 };
        assert_eq!(sprites.warnings(), std::slice::from_ref(&border));
        let colorful = Sprites { colors: 256, ..sprites };
        assert_eq!(colorful.warnings(), [border, Warning { text: "256 colours, more than 255".into(), frame: 0 }]);
    }
}
