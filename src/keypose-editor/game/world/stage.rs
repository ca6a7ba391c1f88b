//! A level prepared for the simulation: in whole grains, without invalid parts, with walls at its ends and a valid
//! start position. Every level gives a playable stage.

use std::sync::Arc;

use glam::I64Vec2;

use crate::game::rules::actor::{BODY_HALF_WIDTH, STANDING_HEIGHT};
use crate::game::rules::lift::Lift;
use crate::game::rules::ramp::Ramp;
use crate::game::world::units::{Area, grains, grains_of, metres_of};
use keypose::assets::level::thing::{ThingKind, ThingRef};
use keypose::assets::level::{FoeKind, FoeNature, FoePlace, Level, Rect};

/// Distance below the lowest part, in metres, at which a falling player starts again.
const FALL_DEPTH: f32 = 8.0;
/// Extent of the end walls above and below the level, in metres.
const WALL_REACH: f32 = 2_000.0;

/// The part of a level that the simulation reads.
#[derive(Clone, Debug)]
pub struct Stage {
    /// The source, for drawing.
    pub level: Arc<Level>,
    /// Solid from all sides. The last two are the walls at the ends.
    pub solids: Vec<Area>,
    /// Slopes.
    pub ramps: Vec<Ramp>,
    /// Solid from above only: platforms, the tops of ladders, then platforms that move.
    pub platforms: Vec<Area>,
    /// Platforms that move. The last of `platforms` are where these are now.
    pub lifts: Vec<Lift>,
    /// Climbable.
    pub ladders: Vec<Area>,
    /// Hurt who touches them.
    pub spikes: Vec<Area>,
    /// The start position of the feet: outside of solids, above ground.
    pub spawn: I64Vec2,
    /// The bounds of everything.
    pub bounds: Area,
    /// A player whose feet are below this height starts again.
    pub abyss: i64,
    /// The kinds of foes, with numbers in their ranges.
    pub kinds: Vec<FoeKind>,
    /// The kind that each kind becomes.
    pub next_kinds: Vec<Option<usize>>,
    /// The foes at the start: their kinds, and where they stand.
    pub foes: Vec<(usize, FoePlace, I64Vec2)>,
    /// Where the player continues after a fall, from left to right.
    pub checkpoints: Vec<I64Vec2>,
    /// The centres of coins.
    pub coins: Vec<I64Vec2>,
    /// Where the level ends.
    pub goal: Option<Area>,
    /// The index of the kind of foes that keep the goal closed while one of them lives.
    pub guards: Option<usize>,
    /// Problems of the level.
    pub findings: Findings,
}

/// Problems of a level.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// One sentence each, with the name of the level.
    pub texts: Vec<String>,
    /// The thing that the first sentence is about.
    pub first: Option<ThingRef>,
}

impl Findings {
    fn add(&mut self, level: &Level, thing: Option<ThingRef>, text: &str) {
        if self.texts.is_empty() {
            self.first = thing;
        }
        self.texts.push(format!("level \"{}\": {text}", level.name));
    }
}

impl Stage {
    /// Ignores invalid parts and reports them.
    pub fn new(level: Arc<Level>) -> Stage {
        let mut findings = Findings::default();
        let mut report = |thing, text: &str| findings.add(&level, Some(thing), text);
        let mut solids = keep(ThingKind::Solid, "solids", &level.solids, Area::of, &mut report);
        let mut platforms = keep(ThingKind::Platform, "platforms", &level.platforms, Area::of, &mut report);
        let ladders = keep(ThingKind::Ladder, "ladders", &level.ladders, Area::of, &mut report);
        let spikes = keep(ThingKind::Spikes, "spikes", &level.spikes, Area::of, &mut report);
        let ramps = keep(ThingKind::Slope, "slopes", &level.slopes, Ramp::of, &mut report);
        let lifts = keep(ThingKind::Mover, "moving platforms", &level.movers, Lift::of, &mut report);
        platforms.extend(&ladders);
        platforms.extend(lifts.iter().map(|lift| lift.area_at(0)));
        if solids.is_empty() && platforms.is_empty() && ramps.is_empty() {
            findings.add(&level, None, "nothing to stand on; a ground was added");
            solids.push(ground_under(grains_of(level.spawn)));
        }
        let things = solids.iter().chain(&platforms).copied().chain(ramps.iter().map(|ramp| ramp.area));
        let things = things.chain(lifts.iter().map(Lift::reach));
        let bounds = widened(things.reduce(|a, b| a.union(&b)).unwrap_or_default());
        let abyss = bounds.min.y - grains(FALL_DEPTH);
        let coins = level.coins.iter().take(Level::MAX_MARKS).filter(|place| place.is_finite());
        let coins = coins.map(|place| grains_of(*place)).collect();
        let goal = level.goal.as_ref().and_then(|goal| Area::of(&goal.rect));
        let (kinds, foes, checkpoints) = (Vec::new(), Vec::new(), Vec::new());
        let mut stage = Stage {
            level,
            solids,
            ramps,
            platforms,
            lifts,
            ladders,
            spikes,
            spawn: I64Vec2::ZERO,
            bounds,
            abyss,
            kinds,
            next_kinds: Vec::new(),
            foes,
            checkpoints,
            coins,
            goal,
            guards: None,
            findings,
        };
        stage.spawn = stage.start_position();
        stage.place_foes();
        stage.guards = stage.find_guards();
        stage.place_checkpoints();
        stage.solids.extend(end_walls(&bounds));
        stage
    }

    /// Where the platforms that move are now.
    pub fn lift_places(&self) -> &[Area] {
        &self.platforms[self.platforms.len() - self.lifts.len()..]
    }

    /// Moves the platforms that move.
    pub(in crate::game) fn set_lift_places(&mut self, places: &[Area]) {
        let first = self.platforms.len() - self.lifts.len();
        self.platforms[first..].copy_from_slice(places);
    }

    /// Foes outside of solids and inside of the level. Those of an unknown kind become the first kind.
    fn place_foes(&mut self) {
        let level = self.level.clone();
        self.kinds = level.kinds.iter().take(Level::MAX_FOES).map(in_range).collect();
        let mut unknown: Vec<(usize, &str)> = Vec::new();
        for (at, foe) in level.foes.iter().take(Level::MAX_FOES).enumerate().filter(|(_, foe)| foe.place.is_finite()) {
            let kind = self.kinds.iter().position(|kind| kind.name == foe.kind);
            if kind.is_none() && !unknown.iter().any(|(_, name)| *name == foe.kind) {
                unknown.push((at, &foe.kind));
            }
            if self.kinds.is_empty() {
                self.kinds.push(FoeKind::default());
            }
            let feet = self.inside(foe.place);
            self.foes.push((kind.unwrap_or(0), foe.clone(), feet));
        }
        for (kind, name) in self.kinds.iter().map(|kind| (&kind.name, &kind.nature.becomes)) {
            let at = self.kinds.iter().position(|kind| kind.name == *name);
            if at.is_none() && !name.is_empty() {
                let text = format!("the foe \"{kind}\" becomes \"{name}\", which doesn't exist");
                self.findings.add(&level, None, &text);
            }
            self.next_kinds.push(at);
        }
        for (index, name) in unknown {
            let (thing, kind) = (ThingRef { kind: ThingKind::Foe, index }, &self.kinds[0].name);
            let text = format!("the kind of {thing}, \"{name}\", doesn't exist; \"{kind}\" is used");
            self.findings.add(&level, Some(thing), &text);
        }
    }

    /// The kind that the goal waits for. A goal that would never open is open.
    fn find_guards(&mut self) -> Option<usize> {
        let level = self.level.clone();
        let name = &level.goal.as_ref().filter(|goal| !goal.after.is_empty())?.after;
        let kind = self.kinds.iter().position(|kind| kind.name == *name);
        let found = kind.filter(|kind| self.foes.iter().any(|(own, ..)| own == kind));
        let reason = match found {
            Some(kind) if self.kinds[kind].is_dummy() => "which can't die",
            Some(kind) => return Some(kind),
            None => "of which there is none",
        };
        let text = format!("the goal waits for the foe \"{name}\", {reason}; it is open");
        self.findings.add(&level, Some(ThingRef { kind: ThingKind::Goal, index: 0 }), &text);
        None
    }

    fn place_checkpoints(&mut self) {
        let level = self.level.clone();
        let places = level.checkpoints.iter().take(Level::MAX_MARKS).filter(|place| place.is_finite());
        self.checkpoints = places.map(|place| self.inside(*place)).collect();
        self.checkpoints.sort_by_key(|place| (place.x, place.y));
    }

    /// A position of feet inside of the level and outside of solids.
    fn inside(&self, place: glam::Vec2) -> I64Vec2 {
        let (place, half) = (grains_of(place), grains(BODY_HALF_WIDTH));
        let across = place.x.clamp(self.bounds.min.x + half, self.bounds.max.x - half);
        self.raised(I64Vec2::new(across, place.y.max(self.abyss)))
    }

    /// Where the player continues after a fall or a death.
    pub fn restart(&self, checkpoint: Option<usize>) -> I64Vec2 {
        checkpoint.and_then(|at| self.checkpoints.get(at)).copied().unwrap_or(self.spawn)
    }

    /// The level's start if it is inside of the level and above ground, else the top of the first solid.
    fn start_position(&mut self) -> I64Vec2 {
        let wanted = grains_of(self.level.spawn);
        let half = grains(BODY_HALF_WIDTH);
        let inside = (self.bounds.min.x..=self.bounds.max.x).contains(&wanted.x);
        let clamped = wanted.x.clamp(self.bounds.min.x + half, self.bounds.max.x - half);
        let place = self.raised(I64Vec2::new(clamped, wanted.y));
        if self.level.spawn.is_finite() && inside && self.is_above_something(place) {
            return place;
        }
        let spawn = self.level.spawn;
        let text = format!("the start at ({}, {}) is not above ground; another one is used", spawn.x, spawn.y);
        self.findings.add(&self.level, Some(ThingRef { kind: ThingKind::Spawn, index: 0 }), &text);
        let boxes = self.solids.iter().chain(&self.platforms).copied();
        let first = boxes.chain(self.ramps.iter().map(|ramp| ramp.area)).next().unwrap_or(self.bounds);
        let across = first.middle().clamp(self.bounds.min.x + half, self.bounds.max.x - half);
        self.raised(I64Vec2::new(across, first.max.y))
    }

    /// The position, or the lowest one above it that is outside of solids.
    pub(in crate::game) fn raised(&self, feet: I64Vec2) -> I64Vec2 {
        let mut feet = feet;
        let body = |feet| body_area(feet, grains(STANDING_HEIGHT));
        let over = body(feet);
        let boxes = self.solids.iter().map(|solid| (*solid, solid.max.y));
        let ramps = self.ramps.iter().map(|ramp| {
            (Area { max: ramp.area.max.with_y(ramp.top_under(&over)), ..ramp.area }, ramp.top_under(&over))
        });
        let mut across: Vec<(Area, i64)> = boxes.chain(ramps).filter(|(area, _)| area.overlaps_across(&over)).collect();
        // From below: a solid that is passed stays below the feet.
        across.sort_unstable_by_key(|(area, _)| area.min.y);
        for (area, top) in across {
            if area.overlaps(&body(feet)) {
                feet.y = top;
            }
        }
        feet
    }

    fn is_above_something(&self, feet: I64Vec2) -> bool {
        let body = body_area(feet, grains(STANDING_HEIGHT));
        let within = feet.y <= self.bounds.max.y + grains(100.0);
        let mut things = self.solids.iter().chain(&self.platforms);
        let is_over = |ramp: &Ramp| ramp.area.overlaps_across(&body) && ramp.top_under(&body) <= feet.y;
        within
            && (things.any(|thing| thing.overlaps_across(&body) && thing.max.y <= feet.y)
                || self.ramps.iter().any(is_over))
    }

    pub fn bounds_metres(&self) -> Rect {
        Rect { min: metres_of(self.bounds.min), max: metres_of(self.bounds.max) }
    }
}

/// The valid ones of a level's parts. Others are reported, with the first of them.
fn keep<T, U>(
    kind: ThingKind,
    name: &str,
    parts: &[T],
    of: impl Fn(&T) -> Option<U>,
    report: &mut impl FnMut(ThingRef, &str),
) -> Vec<U> {
    let kept: Vec<Option<U>> = parts.iter().map(of).collect();
    if let Some(index) = kept.iter().position(Option::is_none) {
        let broken = kept.iter().filter(|part| part.is_none()).count();
        let text = format!("{broken} of {} {name} have no area and are ignored", parts.len());
        report(ThingRef { kind, index }, &text);
    }
    kept.into_iter().flatten().collect()
}

/// The area of a body with its feet at a position.
pub fn body_area(feet: I64Vec2, height: i64) -> Area {
    let half = grains(BODY_HALF_WIDTH);
    Area { min: I64Vec2::new(feet.x - half, feet.y), max: I64Vec2::new(feet.x + half, feet.y + height) }
}

/// A kind of foe with its numbers in their ranges.
fn in_range(kind: &FoeKind) -> FoeKind {
    let clamp = |value: f32, low: f32, high: f32| if value.is_nan() { low } else { value.clamp(low, high) };
    FoeKind {
        size: clamp(kind.size, 0.2, 5.0),
        patrol: clamp(kind.patrol, 0.0, 1000.0),
        notice: clamp(kind.notice, 0.0, 1000.0),
        reach: clamp(kind.reach, 0.0, 100.0),
        speed: clamp(kind.speed, 0.0, 5.0),
        chase: clamp(kind.chase, 0.0, 5.0),
        nature: FoeNature { below: clamp(kind.nature.below, 0.0, 1.0), ..kind.nature.clone() },
        ..kind.clone()
    }
}

fn ground_under(spawn: I64Vec2) -> Area {
    let reach = grains(20.0);
    Area { min: spawn - I64Vec2::new(reach, grains(1.0)), max: spawn + I64Vec2::new(reach, 0) }
}

/// Bounds at least as wide as a few bodies.
fn widened(bounds: Area) -> Area {
    let room = (grains(4.0) - (bounds.max.x - bounds.min.x)).max(0) / 2;
    Area { min: bounds.min - I64Vec2::new(room, 0), max: bounds.max + I64Vec2::new(room, 0) }
}

fn end_walls(bounds: &Area) -> [Area; 2] {
    let (reach, thick) = (grains(WALL_REACH), grains(10.0));
    let (bottom, top) = (bounds.min.y - reach, bounds.max.y + reach);
    let wall = |left, right| Area { min: I64Vec2::new(left, bottom), max: I64Vec2::new(right, top) };
    [wall(bounds.min.x - thick, bounds.min.x), wall(bounds.max.x, bounds.max.x + thick)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn feet_are_raised_out_of_a_stack_of_solids() {
        // Each covers the gap above the one before; the order of the list says nothing.
        let solid = |at: i32| Rect::new(-1.0, at as f32, 1.0, at as f32 + 0.5);
        let solids = (0..2000).map(|at| solid((at * 1009) % 2000)).collect();
        let stage = Stage::new(Arc::new(Level { solids, ..Level::default() }));
        assert_eq!(stage.raised(I64Vec2::ZERO).y, grains(1999.5));
        // A gap in which the body fits ends it.
        let gap = Level { solids: vec![solid(5), solid(4), solid(0), solid(1)], ..Level::default() };
        assert_eq!(Stage::new(Arc::new(gap)).raised(I64Vec2::ZERO).y, grains(1.5));
    }
}
