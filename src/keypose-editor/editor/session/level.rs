//! The level mode: the open level, its camera, tool and selection, while the viewport shows a level instead of a model.

use std::collections::BTreeSet;

use glam::Vec2;

use crate::editor::session::selection::Pick;
use keypose::assets::level::mover::Mover;
use keypose::assets::level::slope::Slope;
use keypose::assets::level::thing::{Thing, ThingKind, ThingRef};
use keypose::assets::level::{Decor, DecorShape, FoeKind, FoePlace, Goal, Level, Rect};

/// The smallest step in metres to which things snap, and their smallest side.
pub const GRID: f32 = 0.1;

/// How dragged things snap to the grid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Snap {
    pub is_on: bool,
    /// The step in metres: one of [`Snap::STEPS`].
    pub step: f32,
}

impl Snap {
    /// The available steps, in metres.
    pub const STEPS: [f32; 4] = [GRID, 0.25, 0.5, 1.0];
}

impl Default for Snap {
    fn default() -> Snap {
        Snap { is_on: true, step: GRID }
    }
}

/// The open level and the selection in it.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelDesk {
    /// The index of the level.
    pub level: usize,
    /// The point of the plane of play at the centre of the viewport.
    pub aim: Vec2,
    /// The distance of the camera, relative to the game's camera.
    pub zoom: f32,
    /// The action of the left button.
    pub tool: LevelTool,
    /// The selected things.
    pub picked: BTreeSet<ThingRef>,
    /// The one that was selected last: one of them.
    pub active: Option<ThingRef>,
    /// The item under the mouse.
    pub hot: Option<Hot>,
    /// The index of the kind of foe that the inspector shows, and that is placed.
    pub kind: usize,
}

/// The action of the left button.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LevelTool {
    /// Selects, moves and resizes.
    #[default]
    Select,
    /// Draws or places a thing of a kind.
    Draw(ThingKind),
}

/// The item under the mouse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hot {
    Thing(ThingRef),
    /// A handle of the only selected thing.
    Handle(Sides),
    /// The mark at the other end of the only selected thing, a platform that moves.
    FarEnd,
}

/// The sides of a box that a handle moves: -1 is the left or the bottom, 1 the right or the top, 0 neither.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sides {
    pub x: i8,
    pub y: i8,
}

impl Sides {
    /// The handles of a box.
    pub const ALL: [Sides; 8] = [
        Sides { x: -1, y: -1 },
        Sides { x: 0, y: -1 },
        Sides { x: 1, y: -1 },
        Sides { x: 1, y: 0 },
        Sides { x: 1, y: 1 },
        Sides { x: 0, y: 1 },
        Sides { x: -1, y: 1 },
        Sides { x: -1, y: 0 },
    ];

    /// The place of the handle on a box.
    pub fn on(self, rect: &Rect) -> Vec2 {
        let along = |side: i8, min: f32, max: f32| match side {
            -1 => min,
            0 => (min + max) * 0.5,
            _ => max,
        };
        Vec2::new(along(self.x, rect.min.x, rect.max.x), along(self.y, rect.min.y, rect.max.y))
    }
}

impl LevelDesk {
    /// The range of `zoom`.
    pub const ZOOM: [f32; 2] = [0.1, 12.0];

    /// A level whose start is in the middle of the viewport.
    pub fn new(at: usize, level: &Level) -> LevelDesk {
        LevelDesk {
            level: at,
            aim: level.spawn + Vec2::new(0.0, 2.0),
            zoom: 1.0,
            tool: LevelTool::Select,
            picked: BTreeSet::new(),
            active: None,
            hot: None,
            kind: 0,
        }
    }

    /// Changes the selection. The last of the things becomes the active one, if it is selected.
    pub fn pick(&mut self, things: &[ThingRef], pick: Pick) {
        pick.change(&mut self.picked, things);
        self.active = things.iter().rev().copied().find(|thing| self.picked.contains(thing)).or(self.active);
        self.tidy_active();
    }

    /// The selected things; the active one is the last.
    pub fn active_last(&self) -> Vec<ThingRef> {
        let others = self.picked.iter().copied().filter(|at| Some(*at) != self.active);
        others.chain(self.active).collect()
    }

    /// Deselects things that the level doesn't have.
    pub fn tidy(&mut self, level: &Level) {
        let exists = |at: &ThingRef| at.index < level.count(at.kind);
        self.picked.retain(exists);
        self.tidy_active();
        self.hot = self.hot.filter(|hot| matches!(hot, Hot::Thing(at) if exists(at)));
        self.kind = self.kind.min(level.kinds.len().saturating_sub(1));
    }

    fn tidy_active(&mut self) {
        let active = self.active.filter(|active| self.picked.contains(active));
        self.active = active.or_else(|| self.picked.last().copied());
    }

    /// The selected things as they are.
    pub fn picked_things(&self, level: &Level) -> Vec<(ThingRef, Thing)> {
        self.picked.iter().filter_map(|at| Some((*at, level.thing(*at)?))).collect()
    }

    /// A new thing of a kind with a corner at a point, in its usual size.
    pub fn new_thing(&self, kind: ThingKind, level: &Level, at: Vec2) -> Thing {
        let rect = Rect { min: at, max: at + usual_size(kind) };
        match kind {
            ThingKind::Spawn => Thing::Spawn(at),
            ThingKind::Goal => {
                let after = level.goal.as_ref().map(|old| old.after.clone()).unwrap_or_default();
                Thing::Goal(Goal { rect, after })
            }
            ThingKind::Checkpoint => Thing::Checkpoint(at),
            ThingKind::Solid => Thing::Solid(rect),
            ThingKind::Slope => Thing::Slope(Slope { rect, rises_left: false }),
            ThingKind::Platform => Thing::Platform(rect),
            ThingKind::Mover => Thing::Mover(Mover::new(rect)),
            ThingKind::Ladder => Thing::Ladder(rect),
            ThingKind::Spikes => Thing::Spikes(rect),
            ThingKind::Coin => Thing::Coin(at),
            ThingKind::Foe => {
                let kind = level.kinds.get(self.kind).map_or_else(|| FoeKind::default().name, |kind| kind.name.clone());
                Thing::Foe(FoePlace { kind, place: at, faces_left: true })
            }
            ThingKind::Decor => {
                let last = self.active.filter(|at| at.kind == kind).and_then(|at| level.thing(at));
                let usual = Decor { shape: DecorShape::Box, rect, z: -4.0, depth: 1.0, color: [122, 140, 112] };
                match last {
                    Some(Thing::Decor(last)) => Thing::Decor(Decor { rect, ..last }),
                    _ => Thing::Decor(usual),
                }
            }
        }
    }
}

/// The size of a new thing that is placed by a click. Things without a size have none.
pub fn usual_size(kind: ThingKind) -> Vec2 {
    match kind {
        ThingKind::Solid | ThingKind::Decor => Vec2::new(2.0, 1.0),
        ThingKind::Slope => Vec2::new(3.0, 1.5),
        ThingKind::Platform => Vec2::new(2.0, 0.2),
        ThingKind::Mover => Vec2::new(2.0, 0.2),
        ThingKind::Ladder => Vec2::new(0.7, 3.0),
        ThingKind::Spikes => Vec2::new(1.0, 0.4),
        ThingKind::Goal => Vec2::new(2.1, 3.0),
        ThingKind::Spawn | ThingKind::Checkpoint | ThingKind::Coin | ThingKind::Foe => Vec2::ZERO,
    }
}

/// An action of the level mode.
#[derive(Clone, Debug, PartialEq)]
pub enum LevelAction {
    /// Opens the first level, or leaves the mode.
    Toggle,
    /// Opens a level by its index.
    Open(usize),
    /// Adds a level with a ground, and opens it.
    New,
    /// Renames the open level.
    Rename(String),
    /// Removes the open level.
    Remove,
    /// Chooses the tool of the left button.
    Tool(LevelTool),
    /// Selects things.
    Pick {
        things: Vec<ThingRef>,
        /// How the selection changes.
        pick: Pick,
    },
    /// Selects the thing of a finding of the game, or offers to if another level or none is open.
    Blame {
        /// The index of the level.
        level: usize,
        thing: ThingRef,
        /// The finding.
        text: String,
    },
    /// Selects all things.
    PickAll,
    /// Selects nothing.
    PickNone,
    /// Sets how dragged things snap.
    SetSnap(Snap),
    /// Shows a kind of foe in the inspector.
    PickKind(usize),
    /// Adds a thing and selects it.
    Add(Thing),
    /// Starts to move the selected things with the mouse.
    Move,
    /// Moves the selected things.
    Shift(Vec2),
    /// Copies the selected things and starts to move the copies with the mouse.
    Duplicate,
    /// Copies the selected things, moved by an offset.
    DuplicateBy(Vec2),
    /// Copies the selected things.
    Copy,
    /// Pastes the copied things, moved by an offset; without one, where the same things aren't yet.
    Paste(Option<Vec2>),
    /// Deletes the selected things. The spawn point stays.
    Delete,
    /// Adds a kind of foe like the one that the inspector shows.
    AddKind,
    /// Removes the kind of foe that the inspector shows, if no foe has it.
    RemoveKind,
    /// Plays the level from the selected thing, or from the mouse.
    PlayFromHere,
}
