//! A level of the side-scroller: solids, platforms, ladders, the spawn point and decoration. The game is played in the plane
//! z = 0, seen from +z.

use glam::Vec2;

/// A rectangle in the plane of the level, in world units (metres), y up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rect {
    /// Bottom left.
    pub min: Vec2,
    /// Top right, beyond `min` on both axes.
    pub max: Vec2,
}

impl Rect {
    /// From the left, bottom, right and top.
    pub const fn new(left: f32, bottom: f32, right: f32, top: f32) -> Rect {
        Rect { min: Vec2::new(left, bottom), max: Vec2::new(right, top) }
    }

    /// Width and height.
    pub fn size(&self) -> Vec2 {
        self.max - self.min
    }

    /// The centre.
    pub fn center(&self) -> Vec2 {
        (self.min + self.max) * 0.5
    }

    /// Whether it is finite and has an area.
    pub fn is_valid(&self) -> bool {
        self.min.is_finite() && self.max.is_finite() && self.min.cmplt(self.max).all()
    }

    /// Whether both have a common area; touching edges have none.
    pub fn overlaps(&self, other: &Rect) -> bool {
        self.min.cmplt(other.max).all() && other.min.cmplt(self.max).all()
    }

    /// The smallest rectangle around both.
    pub fn union(&self, other: &Rect) -> Rect {
        Rect { min: self.min.min(other.min), max: self.max.max(other.max) }
    }
}

/// The form of a piece of decoration inside its box.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DecorShape {
    /// A block.
    #[default]
    Box,
    /// A pyramid with its apex at the middle of the top: a mountain, a roof, a fir.
    Pyramid,
    /// An ellipsoid: a treetop, a bush, a cloud, a hill.
    Round,
}

/// A decorative shape without collision. Distant ones move slowly past, because the camera has perspective.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Decor {
    /// Its shape.
    pub shape: DecorShape,
    /// Its position and size seen from the front.
    pub rect: Rect,
    /// The z of its centre: 0 is the plane of play, negative is behind it.
    pub z: f32,
    /// Its extent along z, positive.
    pub depth: f32,
    /// sRGB.
    pub color: [u8; 3],
}

/// The colours of a level, sRGB.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LevelLook {
    /// The sky at the top of the viewport.
    pub sky_top: [u8; 3],
    /// The sky at the horizon, and the colour of haze.
    pub sky_bottom: [u8; 3],
    /// Sides of solids.
    pub solid: [u8; 3],
    /// The tops of solids: grass, snow, moss.
    pub ground: [u8; 3],
    /// Platforms and ladders.
    pub wood: [u8; 3],
}

impl Default for LevelLook {
    fn default() -> LevelLook {
        LevelLook {
            sky_top: [92, 141, 196],
            sky_bottom: [214, 228, 236],
            solid: [122, 116, 112],
            ground: [112, 150, 84],
            wood: [158, 112, 68],
        }
    }
}

/// A level.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Level {
    /// Unique within its archive.
    pub name: String,
    /// Solid from every side.
    pub solids: Vec<Rect>,
    /// Solid from above only.
    pub platforms: Vec<Rect>,
    /// Climbable. A ladder that can be left at its top ends at the height of the floor there.
    pub ladders: Vec<Rect>,
    /// The position of the player's feet at the start and after a fall out of the level.
    pub spawn: Vec2,
    /// The name of the player's model; empty for the first model.
    pub player: String,
    /// Shapes without collision.
    pub decor: Vec<Decor>,
    /// Colours.
    pub look: LevelLook,
}
