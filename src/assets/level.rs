//! A level of the side-scroller: boxes, ladders and where things start, in the plane z = 0.

use glam::Vec2;

/// A rectangle in the plane of the level, in world units, y up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rect {
    /// Bottom left.
    pub min: Vec2,
    /// Top right, beyond `min` on both axes.
    pub max: Vec2,
}

/// What one stands on, climbs and starts at.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Level {
    /// Unique within its archive.
    pub name: String,
    /// Solid from every side.
    pub solids: Vec<Rect>,
    /// Solid from above only.
    pub platforms: Vec<Rect>,
    /// Climbable.
    pub ladders: Vec<Rect>,
    /// Where the player's feet start.
    pub spawn: Vec2,
    /// The name of the model that the player is; empty takes the first model.
    pub player: String,
}
