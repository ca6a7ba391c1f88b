//! Exact places: whole grains of 1/4096 m, so that touching is touching and nothing sinks in by a rounding error.

use glam::{I64Vec2, Vec2};

use crate::assets::level::Rect;

/// Grains in a metre.
pub const GRAINS_PER_METRE: i64 = 4096;
/// The length of a tick in seconds.
pub const TICK_SECS: f32 = 1.0 / 60.0;
/// What lies farther out than this, in metres, is brought back to it.
pub const FARTHEST: f32 = 10_000.0;

/// The nearest whole grain of a length in metres; NaN gives zero, far values the farthest.
pub fn grains(metres: f32) -> i64 {
    (metres.clamp(-FARTHEST, FARTHEST) * GRAINS_PER_METRE as f32).round() as i64
}

/// Metres.
pub fn metres(grains: i64) -> f32 {
    grains as f32 / GRAINS_PER_METRE as f32
}

/// The nearest whole grains of a place.
pub fn grains_of(place: Vec2) -> I64Vec2 {
    I64Vec2::new(grains(place.x), grains(place.y))
}

/// A place in metres.
pub fn metres_of(place: I64Vec2) -> Vec2 {
    Vec2::new(metres(place.x), metres(place.y))
}

/// A rectangle in grains; `max` is beyond `min`. Two that touch do not overlap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Area {
    /// Bottom left.
    pub min: I64Vec2,
    /// Top right.
    pub max: I64Vec2,
}

impl Area {
    /// The nearest grains of a rectangle; `None` where nothing of it is left.
    pub fn of(rect: &Rect) -> Option<Area> {
        let area = Area { min: grains_of(rect.min), max: grains_of(rect.max) };
        (rect.is_valid() && area.min.cmplt(area.max).all()).then_some(area)
    }

    /// True where the two share more than an edge.
    pub fn overlaps(&self, other: &Area) -> bool {
        self.overlaps_across(other) && self.overlaps_upward(other)
    }

    /// True where the two share more than an edge, seen from above.
    pub fn overlaps_across(&self, other: &Area) -> bool {
        self.min.x < other.max.x && other.min.x < self.max.x
    }

    /// True where the two share more than an edge, seen from the side.
    pub fn overlaps_upward(&self, other: &Area) -> bool {
        self.min.y < other.max.y && other.min.y < self.max.y
    }

    /// The same area elsewhere.
    pub fn moved(&self, by: I64Vec2) -> Area {
        Area { min: self.min + by, max: self.max + by }
    }

    /// The smallest area around both.
    pub fn union(&self, other: &Area) -> Area {
        Area { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// The middle from left to right.
    pub fn middle(&self) -> i64 {
        (self.min.x + self.max.x) / 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_come_back_and_bad_ones_stay_finite() {
        for length in [0.0, 0.5, -3.25, 1.8, 9_999.0] {
            assert!((metres(grains(length)) - length).abs() < 2e-4, "{length}");
        }
        assert_eq!(grains(f32::NAN), 0);
        assert_eq!(grains(f32::INFINITY), grains(FARTHEST));
        assert_eq!(grains(-1e30), -grains(FARTHEST));
    }

    #[test]
    fn only_a_rectangle_with_an_area_is_one() {
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
