//! Foes of a level: kinds and positions.

use glam::Vec2;

use crate::assets::in_range;

/// A kind of foe: model and behaviour. The model's clips have its attacks.
#[derive(Clone, Debug, PartialEq)]
pub struct FoeKind {
    /// Unique in the level, not empty.
    pub name: String,
    /// The name of its model; empty for the player's.
    pub model: String,
    /// Size relative to the player, 0.2 to 5.
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
    /// Patrol speed relative to the player's walk, 0 to 5.
    pub speed: f32,
    /// Chase speed relative to the player's walk, 0 to 5.
    pub chase: f32,
    /// Bits of which one must be in the mask of a player's hit.
    pub mask: u32,
    /// Behaviour that only some kinds have.
    pub nature: FoeNature,
}

/// Behaviour that only some kinds of foes have.
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

    pub(super) fn check(&self) -> Result<(), String> {
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
