//! A level of the side-scroller: solids, platforms, ladders, spikes, the spawn point, foes, what is to be reached, and decoration. The game is played in the plane
//! z = 0, seen from +z.

use glam::Vec2;

use crate::assets::level::thing::{Thing, ThingRef};

pub mod text;
pub mod thing;

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

/// A kind of foe: its model, and what it does. Its attacks are those of the model's clips.
#[derive(Clone, Debug, PartialEq)]
pub struct FoeKind {
    /// Unique in the level, not empty.
    pub name: String,
    /// The name of its model; empty for the player's.
    pub model: String,
    /// Its size relative to the player, 0.2 to 5.
    pub size: f32,
    /// The points of damage that it survives less than; 0 for a training dummy, which stands still and can't die.
    pub health: u16,
    /// Metres that it walks to each side of its place before it sees the player, 0 to 1,000.
    pub patrol: f32,
    /// Metres from which it sees the player, 0 to 1,000; 0 for never.
    pub notice: f32,
    /// Metres from which it attacks, 0 to 100.
    pub reach: f32,
    /// Ticks after an attack before the next.
    pub pause: u16,
    /// Its speed while it walks about, relative to the player's walk, 0 to 5.
    pub speed: f32,
    /// Its speed while it chases the player, relative to the player's walk, 0 to 5.
    pub chase: f32,
    /// Which of the player's hits reach it: those that have one of these bits in their mask.
    pub mask: u32,
    /// What only some kinds do.
    pub nature: FoeNature,
}

/// What only some kinds of foes do.
#[derive(Clone, Debug, PartialEq)]
pub struct FoeNature {
    /// Whether it flies: it hovers at the height of its place, comes down to strike, and falls when it dies.
    pub flies: bool,
    /// Whether it strikes with its stab instead of its attack.
    pub stabs: bool,
    /// A hit of less damage than this hurts it, but stops nothing that it does.
    pub poise: u16,
    /// The name of the kind that it becomes, with its model and numbers; empty for none. Its health stays.
    pub becomes: String,
    /// The part of its health below which it becomes that kind, 0 to 1.
    pub below: f32,
}

impl Default for FoeNature {
    fn default() -> FoeNature {
        FoeNature { flies: false, stabs: false, poise: 0, becomes: String::new(), below: 0.5 }
    }
}

impl Default for FoeKind {
    fn default() -> FoeKind {
        FoeKind {
            name: "foe".into(),
            model: String::new(),
            size: 1.0,
            health: 30,
            patrol: 2.5,
            notice: 6.0,
            reach: 1.1,
            pause: 50,
            speed: 0.5,
            chase: 0.9,
            mask: FoeKind::FOE,
            nature: FoeNature::default(),
        }
    }
}

impl FoeKind {
    /// The bit of the player in the mask of a hit.
    pub const PLAYER: u32 = 1;
    /// The usual bit of foes in the mask of a hit.
    pub const FOE: u32 = 2;
    /// The usual bit of training dummies in the mask of a hit.
    pub const DUMMY: u32 = 4;

    /// Whether it is a training dummy.
    pub fn is_dummy(&self) -> bool {
        self.health == 0
    }

    fn check(&self) -> Result<(), String> {
        let in_range = |what: &str, value: f32, low: f32, high: f32| match (low..=high).contains(&value) {
            true => Ok(()),
            false => Err(format!("the {what} {value} is not in {low} to {high}")),
        };
        if self.name.trim().is_empty() {
            return Err("the name is empty".into());
        }
        in_range("size", self.size, 0.2, 5.0)?;
        in_range("patrol", self.patrol, 0.0, 1000.0)?;
        in_range("notice", self.notice, 0.0, 1000.0)?;
        in_range("reach", self.reach, 0.0, 100.0)?;
        in_range("speed", self.speed, 0.0, 5.0)?;
        in_range("chase", self.chase, 0.0, 5.0)?;
        in_range("part", self.nature.below, 0.0, 1.0)
    }
}

/// A foe at its place.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FoePlace {
    /// The name of its kind.
    pub kind: String,
    /// The position of its feet. It falls to the ground below unless it flies.
    pub place: Vec2,
    /// Whether it faces towards -x.
    pub faces_left: bool,
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
    /// The level is finished when the player enters it.
    pub goal: Option<Rect>,
}

impl Level {
    /// The maximum count of solids, platforms, ladders and spikes together: each body looks at them in each tick.
    pub const MAX_SHAPES: usize = 4096;
    /// The maximum count of foes, and of their kinds.
    pub const MAX_FOES: usize = 256;
    /// The maximum count of coins, and of checkpoints.
    pub const MAX_MARKS: usize = 1024;

    /// Checks counts, names and numbers. Foes of an unknown kind are allowed: the game reports them.
    pub fn check(&self) -> Result<(), String> {
        let within = |what: &str, count: usize, most: usize| match count <= most {
            true => Ok(()),
            false => Err(format!("{count} {what}; the maximum is {most}")),
        };
        let shapes = self.solids.len() + self.platforms.len() + self.ladders.len() + self.spikes.len();
        within("solids, platforms, ladders and spikes", shapes, Level::MAX_SHAPES)?;
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
