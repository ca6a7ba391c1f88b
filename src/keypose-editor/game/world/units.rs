//! Exact positions: whole grains of 1/4096 m, so that collisions have no rounding errors.

use glam::{I64Vec2, Vec2};

use keypose::assets::level::Rect;

/// The number of whole units of length in a metre.
pub const GRAINS_PER_METRE: i64 = 4096;
/// Duration of a tick in seconds.
pub const TICK_SECS: f32 = 1.0 / 60.0;
/// Maximum coordinate in metres. Larger values are clamped.
pub const MAX_COORDINATE: f32 = 10_000.0;

/// Converts metres to the nearest whole grain. NaN becomes zero; large values are clamped.
pub fn grains(metres: f32) -> i64 {
    (metres.clamp(-MAX_COORDINATE, MAX_COORDINATE) * GRAINS_PER_METRE as f32).round() as i64
}

/// Converts grains to metres.
pub fn metres(grains: i64) -> f32 {
    grains as f32 / GRAINS_PER_METRE as f32
}

/// Converts a position to the nearest whole grains.
pub fn grains_of(place: Vec2) -> I64Vec2 {
    I64Vec2::new(grains(place.x), grains(place.y))
}

/// Converts a position to metres.
pub fn metres_of(place: I64Vec2) -> Vec2 {
    Vec2::new(metres(place.x), metres(place.y))
}

/// A rectangle in grains with `max` greater than `min`. Two that touch don't overlap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Area {
    /// Bottom left.
    pub min: I64Vec2,
    /// Top right.
    pub max: I64Vec2,
}

impl Area {
    /// Converts a rectangle. `None` if it has no area.
    pub fn of(rect: &Rect) -> Option<Area> {
        let area = Area { min: grains_of(rect.min), max: grains_of(rect.max) };
        (rect.is_valid() && area.min.cmplt(area.max).all()).then_some(area)
    }

    /// Returns true if both share more than an edge.
    pub fn overlaps(&self, other: &Area) -> bool {
        self.overlaps_across(other) && self.overlaps_upward(other)
    }

    /// Returns true if both share more than an edge horizontally.
    pub fn overlaps_across(&self, other: &Area) -> bool {
        self.min.x < other.max.x && other.min.x < self.max.x
    }

    /// Returns true if both share more than an edge vertically.
    pub fn overlaps_upward(&self, other: &Area) -> bool {
        self.min.y < other.max.y && other.min.y < self.max.y
    }

    /// The area moved by an offset.
    pub fn moved(&self, by: I64Vec2) -> Area {
        Area { min: self.min + by, max: self.max + by }
    }

    /// The smallest area around both.
    pub fn union(&self, other: &Area) -> Area {
        Area { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// The horizontal centre.
    pub fn middle(&self) -> i64 {
        (self.min.x + self.max.x) / 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_round_trip_and_invalid_ones_stay_finite() {
        for length in [0.0, 0.5, -3.25, 1.8, 9_999.0] {
            assert!((metres(grains(length)) - length).abs() < 2e-4, "{length}");
        }
        assert_eq!(grains(f32::NAN), 0);
        assert_eq!(grains(f32::INFINITY), grains(MAX_COORDINATE));
        assert_eq!(grains(-1e30), -grains(MAX_COORDINATE));
    }

    #[test]
    fn rectangles_without_area_are_refused() {
        let cases = [
            (Rect::new(0.0, 0.0, 1.0, 1.0), true),
            (Rect::new(1.0, 0.0, 0.0, 1.0), false),
            (Rect::new(0.0, 0.0, 1e-6, 1.0), false),
            (Rect::new(f32::NAN, 0.0, 1.0, 1.0), false),
            (Rect::new(0.0, 0.0, f32::INFINITY, 1.0), false),
            (Rect::new(1e9, 0.0, 2e9, 1.0), false),
        ];
        for (rect, good) in cases {
            assert_eq!(Area::of(&rect).is_some(), good, "{rect:?}");
        }
    }
}
