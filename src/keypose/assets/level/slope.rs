//! A slope of a level: a solid triangle that is walked up and down.

use glam::Vec2;

use crate::assets::level::Rect;

/// A ramp: the part of its box below a diagonal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Slope {
    /// Bounding box, at most as high as wide.
    pub rect: Rect,
    /// Whether its high end is the left one.
    pub rises_left: bool,
}

/// Maximum excess of height over width, in metres: the noise of sums.
const TOLERANCE: f32 = 1e-3;

impl Slope {
    /// Returns the corners: the low end, the foot of the high end, the top of the high end.
    pub fn corners(&self) -> [Vec2; 3] {
        let Rect { min, max } = self.rect;
        let (low, high) = if self.rises_left { (max.x, min.x) } else { (min.x, max.x) };
        [Vec2::new(low, min.y), Vec2::new(high, min.y), Vec2::new(high, max.y)]
    }

    /// The height of its surface at an x inside of its box.
    pub fn height_at(&self, x: f32) -> f32 {
        let Rect { min, max } = self.rect;
        let way = if self.rises_left { max.x - x } else { x - min.x };
        min.y + (max.y - min.y) * (way / (max.x - min.x)).clamp(0.0, 1.0)
    }

    /// Returns true if the slope is too steep to walk.
    pub fn is_steep(&self) -> bool {
        let size = self.rect.size();
        size.y > size.x + TOLERANCE
    }

    /// Lowers a slope that is too steep to its width. The top or the bottom stays.
    pub fn walkable(mut self, stays: SlopeEnd) -> Slope {
        if self.is_steep() {
            let width = self.rect.size().x;
            match stays {
                SlopeEnd::Bottom => self.rect.max.y = self.rect.min.y + width,
                SlopeEnd::Top => self.rect.min.y = self.rect.max.y - width,
            }
        }
        self
    }
}

/// The edge of a slope that stays when the height changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlopeEnd {
    /// The bottom edge stays.
    Bottom,
    /// The top edge stays.
    Top,
}
