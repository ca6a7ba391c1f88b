//! The things of a level, one by one: what an editor adds, moves and deletes, and what a line of the text form holds.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use glam::Vec2;

use crate::anim::choice::choice;
use crate::assets::level::mover::Mover;
use crate::assets::level::slope::Slope;
use crate::assets::level::{Decor, FoePlace, Goal, Level, Rect};

/// One thing of a level.
#[derive(Clone, Debug, PartialEq)]
pub enum Thing {
    /// Start of the player. A level has exactly one.
    Spawn(Vec2),
    /// Area that the player must enter. A level has at most one.
    Goal(Goal),
    /// Checkpoint: position of the feet.
    Checkpoint(Vec2),
    /// Solid from every side.
    Solid(Rect),
    /// Solid, with a surface that rises to one side.
    Slope(Slope),
    /// Solid from above only.
    Platform(Rect),
    /// A platform that moves to and fro.
    Mover(Mover),
    /// Climbable.
    Ladder(Rect),
    /// Hurt who touches them.
    Spikes(Rect),
    /// The centre of a coin.
    Coin(Vec2),
    /// A foe at its place.
    Foe(FoePlace),
    /// A shape without collision.
    Decor(Decor),
}

choice! {
    /// The kind of a thing, in the order of the text form.
    #[derive(PartialOrd, Ord, Hash)]
    #[allow(missing_docs)]
    pub enum ThingKind {
        Spawn = "spawn",
        Goal = "goal",
        Checkpoint = "checkpoint",
        Solid = "solid",
        Slope = "slope",
        Platform = "platform",
        Mover = "mover",
        Ladder = "ladder",
        Spikes = "spikes",
        Coin = "coin",
        Foe = "foe",
        Decor = "decor",
    }
}

impl ThingKind {
    /// Whether a level has at most one.
    pub fn is_single(self) -> bool {
        matches!(self, ThingKind::Spawn | ThingKind::Goal)
    }
}

/// Refers to a thing of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ThingRef {
    /// Kind of the thing.
    pub kind: ThingKind,
    /// Index among the things of this kind.
    pub index: usize,
}

impl fmt::Display for ThingRef {
    /// "solid 3", counted from 1; "spawn".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.kind.name();
        if self.kind.is_single() { f.write_str(name) } else { write!(f, "{name} {}", self.index.saturating_add(1)) }
    }
}

impl Thing {
    /// Returns the kind of this thing.
    pub fn kind(&self) -> ThingKind {
        match self {
            Thing::Spawn(_) => ThingKind::Spawn,
            Thing::Goal(_) => ThingKind::Goal,
            Thing::Checkpoint(_) => ThingKind::Checkpoint,
            Thing::Solid(_) => ThingKind::Solid,
            Thing::Slope(_) => ThingKind::Slope,
            Thing::Platform(_) => ThingKind::Platform,
            Thing::Mover(_) => ThingKind::Mover,
            Thing::Ladder(_) => ThingKind::Ladder,
            Thing::Spikes(_) => ThingKind::Spikes,
            Thing::Coin(_) => ThingKind::Coin,
            Thing::Foe(_) => ThingKind::Foe,
            Thing::Decor(_) => ThingKind::Decor,
        }
    }

    /// Returns the box of a thing with a size.
    pub fn rect(&self) -> Option<Rect> {
        match self {
            Thing::Solid(rect) | Thing::Platform(rect) | Thing::Ladder(rect) | Thing::Spikes(rect) => Some(*rect),
            Thing::Goal(goal) => Some(goal.rect),
            Thing::Slope(slope) => Some(slope.rect),
            Thing::Mover(mover) => Some(mover.rect),
            Thing::Decor(decor) => Some(decor.rect),
            Thing::Spawn(_) | Thing::Checkpoint(_) | Thing::Coin(_) | Thing::Foe(_) => None,
        }
    }

    /// Returns the mutable box of a thing with a size.
    pub fn rect_mut(&mut self) -> Option<&mut Rect> {
        match self {
            Thing::Solid(rect) | Thing::Platform(rect) | Thing::Ladder(rect) | Thing::Spikes(rect) => Some(rect),
            Thing::Goal(goal) => Some(&mut goal.rect),
            Thing::Slope(slope) => Some(&mut slope.rect),
            Thing::Mover(mover) => Some(&mut mover.rect),
            Thing::Decor(decor) => Some(&mut decor.rect),
            Thing::Spawn(_) | Thing::Checkpoint(_) | Thing::Coin(_) | Thing::Foe(_) => None,
        }
    }

    /// Returns the bottom left of the box, or the point.
    pub fn place(&self) -> Vec2 {
        match self {
            Thing::Spawn(place) | Thing::Checkpoint(place) | Thing::Coin(place) => *place,
            Thing::Foe(foe) => foe.place,
            _ => self.rect().map_or(Vec2::ZERO, |rect| rect.min),
        }
    }

    /// The thing elsewhere: its position is `place`, its size is unchanged.
    pub fn at(mut self, place: Vec2) -> Thing {
        if let Some(rect) = self.rect_mut() {
            let by = place - rect.min;
            *rect = Rect { min: place, max: rect.max + by };
        }
        match &mut self {
            Thing::Spawn(old) | Thing::Checkpoint(old) | Thing::Coin(old) => *old = place,
            Thing::Foe(foe) => foe.place = place,
            _ => {}
        }
        self
    }

    /// Checks its numbers. The error doesn't name the thing.
    pub fn check(&self) -> Result<(), String> {
        match self.rect() {
            Some(rect) if !rect.is_valid() => {
                let Rect { min, max } = rect;
                return Err(format!("the box {} {} {} {} has no area", min.x, min.y, max.x, max.y));
            }
            None if !self.place().is_finite() => {
                let place = self.place();
                return Err(format!("the position {}, {} is not finite", place.x, place.y));
            }
            _ => {}
        }
        match self {
            Thing::Slope(slope) if slope.is_steep() => {
                let size = slope.rect.size();
                Err(format!("it is {} high and {} wide; it may be as high as wide", size.y, size.x))
            }
            Thing::Mover(mover) => mover.check(),
            Thing::Decor(decor) if !decor.z.is_finite() => Err(format!("the z {} is not finite", decor.z)),
            Thing::Decor(decor) if !(decor.depth.is_finite() && decor.depth > 0.0) => {
                Err(format!("the depth {} is not positive", decor.depth))
            }
            _ => Ok(()),
        }
    }
}

impl Level {
    /// Counts the things of a kind.
    pub fn count(&self, kind: ThingKind) -> usize {
        match kind {
            ThingKind::Spawn => 1,
            ThingKind::Goal => usize::from(self.goal.is_some()),
            ThingKind::Checkpoint => self.checkpoints.len(),
            ThingKind::Solid => self.solids.len(),
            ThingKind::Slope => self.slopes.len(),
            ThingKind::Platform => self.platforms.len(),
            ThingKind::Mover => self.movers.len(),
            ThingKind::Ladder => self.ladders.len(),
            ThingKind::Spikes => self.spikes.len(),
            ThingKind::Coin => self.coins.len(),
            ThingKind::Foe => self.foes.len(),
            ThingKind::Decor => self.decor.len(),
        }
    }

    /// All things, by kind.
    pub fn things(&self) -> impl Iterator<Item = (ThingRef, Thing)> + '_ {
        let of = |kind| (0..self.count(kind)).map(move |index| ThingRef { kind, index });
        ThingKind::ALL.into_iter().flat_map(of).filter_map(|at| Some((at, self.thing(at)?)))
    }

    /// A thing, if it exists.
    pub fn thing(&self, at: ThingRef) -> Option<Thing> {
        let ThingRef { kind, index } = at;
        match kind {
            ThingKind::Spawn => (index == 0).then_some(Thing::Spawn(self.spawn)),
            ThingKind::Goal => self.goal.clone().filter(|_| index == 0).map(Thing::Goal),
            ThingKind::Checkpoint => self.checkpoints.get(index).copied().map(Thing::Checkpoint),
            ThingKind::Solid => self.solids.get(index).copied().map(Thing::Solid),
            ThingKind::Slope => self.slopes.get(index).copied().map(Thing::Slope),
            ThingKind::Platform => self.platforms.get(index).copied().map(Thing::Platform),
            ThingKind::Mover => self.movers.get(index).copied().map(Thing::Mover),
            ThingKind::Ladder => self.ladders.get(index).copied().map(Thing::Ladder),
            ThingKind::Spikes => self.spikes.get(index).copied().map(Thing::Spikes),
            ThingKind::Coin => self.coins.get(index).copied().map(Thing::Coin),
            ThingKind::Foe => self.foes.get(index).cloned().map(Thing::Foe),
            ThingKind::Decor => self.decor.get(index).copied().map(Thing::Decor),
        }
    }

    /// Adds a thing behind the others of its kind; a single one replaces the old one.
    pub fn add_thing(&mut self, thing: Thing) -> ThingRef {
        let kind = thing.kind();
        match thing {
            Thing::Spawn(place) => self.spawn = place,
            Thing::Goal(goal) => self.goal = Some(goal),
            Thing::Checkpoint(place) => self.checkpoints.push(place),
            Thing::Solid(rect) => self.solids.push(rect),
            Thing::Slope(slope) => self.slopes.push(slope),
            Thing::Platform(rect) => self.platforms.push(rect),
            Thing::Mover(mover) => self.movers.push(mover),
            Thing::Ladder(rect) => self.ladders.push(rect),
            Thing::Spikes(rect) => self.spikes.push(rect),
            Thing::Coin(place) => self.coins.push(place),
            Thing::Foe(foe) => self.foes.push(foe),
            Thing::Decor(decor) => self.decor.push(decor),
        }
        ThingRef { kind, index: self.count(kind).saturating_sub(1) }
    }

    /// Replaces things by others of the same kinds. Returns false, and changes nothing, if one doesn't exist or the kinds differ.
    pub fn set_things(&mut self, things: &[(ThingRef, Thing)]) -> bool {
        let can_be_set = |(at, thing): &(ThingRef, Thing)| at.kind == thing.kind() && at.index < self.count(at.kind);
        if !things.iter().all(can_be_set) {
            return false;
        }
        let mut new: BTreeMap<ThingRef, Thing> = things.iter().cloned().collect();
        self.map_things(|at, old| Some(new.remove(&at).unwrap_or(old)));
        true
    }

    /// Removes things. Returns false, and changes nothing, if one of them doesn't exist or is the spawn point.
    pub fn remove_things(&mut self, gone: &BTreeSet<ThingRef>) -> bool {
        let can_be_removed = |at: &ThingRef| at.kind != ThingKind::Spawn && at.index < self.count(at.kind);
        if !gone.iter().all(can_be_removed) {
            return false;
        }
        self.map_things(|at, thing| (!gone.contains(&at)).then_some(thing));
        true
    }

    /// Replaces each thing by what `change` makes of it; `None` removes it. Things of a kind keep their order.
    fn map_things(&mut self, mut change: impl FnMut(ThingRef, Thing) -> Option<Thing>) {
        let things: Vec<Thing> = self.things().filter_map(|(at, thing)| change(at, thing)).collect();
        *self = Level {
            name: std::mem::take(&mut self.name),
            player: std::mem::take(&mut self.player),
            look: self.look,
            kinds: std::mem::take(&mut self.kinds),
            ..Level::default()
        };
        for thing in things {
            self.add_thing(thing);
        }
    }
}
