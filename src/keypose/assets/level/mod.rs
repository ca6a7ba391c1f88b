//! A level of the side-scroller: solids, slopes, platforms, ladders, spikes, the spawn point, foes, objectives, and decoration. The
//! game is played in the plane z = 0, seen from +z.

use glam::Vec2;

use crate::anim::choice::choice;
use crate::assets::level::mover::Mover;
use crate::assets::level::slope::Slope;
use crate::assets::level::thing::{Thing, ThingRef};

mod foe;
pub mod mover;
pub mod slope;
pub mod text;
pub mod thing;

pub use foe::{FoeKind, FoeNature, FoePlace};

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

    /// The smallest rectangle around both.
    pub fn union(&self, other: &Rect) -> Rect {
        Rect { min: self.min.min(other.min), max: self.max.max(other.max) }
    }
}

choice! {
    /// The form of a piece of decoration inside its box.
    #[derive(Default)]
    pub enum DecorShape {
        /// A block.
        #[default]
        Box = "box",
        /// A pyramid with its apex at the middle of the top: a mountain, a roof, a fir.
        Pyramid = "pyramid",
        /// An ellipsoid: a treetop, a bush, a cloud, a hill.
        Round = "round",
        /// Water with waves; who falls into it splashes.
        Water = "water",
        /// Cloth in the wind.
        Banner = "banner",
        /// Blades in the wind.
        Grass = "grass",
        /// A fire.
        Flame = "flame",
        /// A flock of birds that circles in the box.
        Birds = "birds",
    }
}

/// A decorative shape without collision. Distant ones move slowly past, because the camera has perspective.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Decor {
    /// Shape of the decoration.
    pub shape: DecorShape,
    /// Position and size seen from the front.
    pub rect: Rect,
    /// The z of its centre: 0 is the plane of play, negative is behind it.
    pub z: f32,
    /// Extent along z, positive.
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

/// Area that the player must enter to finish the level.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Goal {
    /// Position and size.
    pub rect: Rect,
    /// The name of a kind of foe: the goal is closed until all foes of this kind are dead. Empty for a goal that is always open.
    pub after: String,
}

impl Goal {
    /// A goal that is always open.
    pub fn open(rect: Rect) -> Goal {
        Goal { rect, after: String::new() }
    }
}

/// The geometry, foes, marks and look of one level of the game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Level {
    /// Unique within its archive.
    pub name: String,
    /// Solid from every side.
    pub solids: Vec<Rect>,
    /// Solid, with a surface that rises to one side.
    pub slopes: Vec<Slope>,
    /// Solid from above only.
    pub platforms: Vec<Rect>,
    /// Platforms that move to and fro.
    pub movers: Vec<Mover>,
    /// Hurt who touches them.
    pub spikes: Vec<Rect>,
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
    /// The kinds of foes, by unique names.
    pub kinds: Vec<FoeKind>,
    /// The foes at the start.
    pub foes: Vec<FoePlace>,
    /// The positions of feet at which the player continues after a fall or a death, once it was there.
    pub checkpoints: Vec<Vec2>,
    /// The centres of coins to collect.
    pub coins: Vec<Vec2>,
    /// The level is finished when the player enters it. None if it has no end.
    pub goal: Option<Goal>,
}

impl Level {
    /// The maximum count of solids, slopes, platforms, moving ones, ladders and spikes together: each body looks at them in each
    /// tick.
    pub const MAX_SHAPES: usize = 4096;
    /// The maximum count of pieces of decor: each is drawn.
    pub const MAX_DECOR: usize = 4096;
    /// The maximum count of foes, and of their kinds.
    pub const MAX_FOES: usize = 256;
    /// The maximum count of coins, and of checkpoints.
    pub const MAX_MARKS: usize = 1024;

    /// Checks counts, names and numbers. Foes of an unknown kind are allowed: the game reports them.
    pub fn check(&self) -> Result<(), String> {
        let within = |what: &str, count: usize, most: usize| {
            if count <= most { Ok(()) } else { Err(format!("{count} {what}; the maximum is {most}")) }
        };
        let boxes = [&self.solids, &self.platforms, &self.ladders, &self.spikes];
        let shapes = self.slopes.len() + self.movers.len() + boxes.map(Vec::len).iter().sum::<usize>();
        within("solids, slopes, platforms, moving platforms, ladders and spikes", shapes, Level::MAX_SHAPES)?;
        within("pieces of decor", self.decor.len(), Level::MAX_DECOR)?;
        within("kinds of foes", self.kinds.len(), Level::MAX_FOES)?;
        within("foes", self.foes.len(), Level::MAX_FOES)?;
        within("checkpoints", self.checkpoints.len(), Level::MAX_MARKS)?;
        within("coins", self.coins.len(), Level::MAX_MARKS)?;
        let mut names = std::collections::BTreeSet::new();
        for kind in &self.kinds {
            kind.check().map_err(|reason| format!("the foe \"{}\": {reason}", kind.name))?;
            if !names.insert(&kind.name) {
                return Err(format!("two kinds of foes have the name \"{}\"", kind.name));
            }
        }
        let check = |(at, thing): (ThingRef, Thing)| thing.check().map_err(|reason| format!("{at}: {reason}"));
        self.things().try_for_each(check)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foes_and_marks_out_of_range_are_refused() {
        let good = Level { kinds: vec![FoeKind::default()], coins: vec![Vec2::ONE], ..Level::default() };
        assert_eq!(good.check(), Ok(()));
        let kind = |kind: FoeKind| Level { kinds: vec![kind], ..Level::default() };
        let bad = [
            kind(FoeKind { size: 0.0, ..FoeKind::default() }),
            kind(FoeKind { size: f32::NAN, ..FoeKind::default() }),
            kind(FoeKind { speed: f32::INFINITY, ..FoeKind::default() }),
            kind(FoeKind { reach: -1.0, ..FoeKind::default() }),
            kind(FoeKind { name: " ".into(), ..FoeKind::default() }),
            Level { kinds: vec![FoeKind::default(); 2], ..Level::default() },
            Level { decor: vec![Decor::default(); Level::MAX_DECOR + 1], ..Level::default() },
            Level { foes: vec![FoePlace::default(); Level::MAX_FOES + 1], ..Level::default() },
            Level {
                solids: vec![Rect::default(); Level::MAX_SHAPES],
                ladders: vec![Rect::default()],
                ..Level::default()
            },
            Level { foes: vec![FoePlace { place: Vec2::NAN, ..FoePlace::default() }], ..Level::default() },
            Level { coins: vec![Vec2::ONE; Level::MAX_MARKS + 1], ..Level::default() },
            Level { checkpoints: vec![Vec2::splat(f32::INFINITY)], ..Level::default() },
        ];
        for level in bad {
            assert!(level.check().is_err(), "{level:?}");
        }
    }
}
