//! A level of the side-scroller: boxes, ladders, where things start, and the shapes around it that are only seen. Play
//! happens in the plane z = 0, seen from +z.

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

    /// The middle.
    pub fn center(&self) -> Vec2 {
        (self.min + self.max) * 0.5
    }

    /// True where it is finite and has an area.
    pub fn is_valid(&self) -> bool {
        self.min.is_finite() && self.max.is_finite() && self.min.cmplt(self.max).all()
    }

    /// True where the two share an area; touching edges do not.
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
    /// Four sides that meet in a point at the middle of the top: a mountain, a roof, a fir.
    Pyramid,
    /// An ellipsoid: a crown of leaves, a bush, a cloud, a hill.
    Round,
}

/// A shape that is only seen. One that lies far behind moves slowly past: the camera has perspective.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Decor {
    /// Its form.
    pub shape: DecorShape,
    /// Its place and size as seen from the front.
    pub rect: Rect,
    /// Its middle in depth: 0 is the plane of play, negative is behind it.
    pub z: f32,
    /// Its thickness in depth, more than 0.
    pub depth: f32,
    /// sRGB.
    pub color: [u8; 3],
}

/// The colours of a level, sRGB.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LevelLook {
    /// The sky at the top of the picture.
    pub sky_top: [u8; 3],
    /// The sky at the horizon, and the haze that far things fade into.
    pub sky_bottom: [u8; 3],
    /// Sides of solids.
    pub solid: [u8; 3],
    /// What lies on top of solids: grass, snow, moss.
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

/// What one stands on, climbs and starts at, and what it looks like.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Level {
    /// Unique within its archive.
    pub name: String,
    /// Solid from every side.
    pub solids: Vec<Rect>,
    /// Solid from above only.
    pub platforms: Vec<Rect>,
    /// Climbable. A ladder that should be left at its top ends at the height of what one steps onto.
    pub ladders: Vec<Rect>,
    /// Where the player's feet start, and start again after a fall out of the level.
    pub spawn: Vec2,
    /// The name of the model that the player is; empty takes the first model.
    pub player: String,
    /// Shapes that are only seen.
    pub decor: Vec<Decor>,
    /// Colours.
    pub look: LevelLook,
}
