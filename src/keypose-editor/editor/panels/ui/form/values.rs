//! The parts of values that number and colour fields change.

use crate::render::frame::color::Color;

/// A part of a value that number fields change.
pub trait Quantity: Copy {
    /// The number.
    fn get(self) -> f32;
    /// The quantity of a number.
    fn of(number: f32) -> Self;
}

impl Quantity for f32 {
    fn get(self) -> f32 {
        self
    }

    fn of(number: f32) -> f32 {
        number
    }
}

macro_rules! whole_quantities {
    ($($integer:ty)*) => {
        $(impl Quantity for $integer {
            fn get(self) -> f32 {
                self as f32
            }

            fn of(number: f32) -> $integer {
                number.round() as $integer
            }
        })*
    };
}

whole_quantities!(u8 u16 u32 usize);

/// A part of a value that a colour field changes.
pub trait Tint: Copy {
    /// The colour.
    fn color(self) -> Color;
    /// Changes the colour.
    fn with(self, color: Color) -> Self;
}

/// sRGB-encoded bytes.
impl Tint for [u8; 3] {
    fn color(self) -> Color {
        let [r, g, b] = self.map(|part| f32::from(part) / 255.0);
        Color { r, g, b, a: 1.0 }
    }

    fn with(self, color: Color) -> [u8; 3] {
        [color.r, color.g, color.b].map(|part| (part * 255.0).round() as u8)
    }
}

/// Linear red, green, blue and alpha, which stays.
impl Tint for [f32; 4] {
    fn color(self) -> Color {
        Color::of_linear(self)
    }

    fn with(self, color: Color) -> [f32; 4] {
        color.to_linear()
    }
}

/// Linear red, green and blue.
impl Tint for [f32; 3] {
    fn color(self) -> Color {
        let [r, g, b] = self;
        [r, g, b, 1.0].color()
    }

    fn with(self, color: Color) -> [f32; 3] {
        let [r, g, b, _] = color.to_linear();
        [r, g, b]
    }
}

/// sRGB-encoded components.
impl Tint for Color {
    fn color(self) -> Color {
        self
    }

    fn with(self, color: Color) -> Color {
        color
    }
}
