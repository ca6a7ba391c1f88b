//! Drags in the level mode: moving, copying, resizing and drawing things. Each change is the whole since
//! the start, snapped to the grid; Ctrl switches that.

use glam::Vec2;

use crate::editor::document::edit::{Label, LevelEdit};
use crate::editor::gesture::typed::TypedNumber;
use crate::editor::gesture::{Drag, end};
use crate::editor::posing::change::Change;
use crate::editor::session::Session;
use crate::editor::session::level::{GRID, LevelDesk, Sides, Snap, usual_size};
use crate::editor::session::pointer::{Axis, ModalKey, PointerEvent};
use crate::editor::view::level::{only_mover, plane_of};
use keypose::assets::level::mover::Mover;
use keypose::assets::level::slope::SlopeEnd;
use keypose::assets::level::thing::{Thing, ThingKind, ThingRef};
use keypose::assets::level::{Level, Rect};

mod under;

pub use under::{hot, in_box, is_scenery, point_in, screen};

/// A drag in the level mode.
#[derive(Clone, Debug)]
pub struct LevelDrag {
    level: usize,
    what: What,
    /// The z of the plane in which the mouse is measured.
    plane: f32,
    /// The point under the mouse at the start.
    from: Vec2,
    /// The point under it now.
    to: Vec2,
    /// How it snaps; Ctrl switches that.
    snap: Snap,
    is_free: bool,
    lock: Option<Axis>,
    /// A distance in metres, in place of the mouse: along the locked axis, else along x.
    typed: TypedNumber,
    /// Whether a key started it: it ends with a click. Otherwise the button is down until it ends.
    is_modal: bool,
}

/// The things that a drag changes.
#[derive(Clone, Debug)]
enum What {
    /// Moves things; the first one snaps.
    Move(Vec<(ThingRef, Thing)>),
    /// As `Move`, of copies.
    Copy(Vec<Thing>),
    /// Moves sides of a box.
    Resize(ThingRef, Thing, Sides),
    /// Moves the other end of a platform that moves.
    Lead(ThingRef, Mover),
    /// Draws a new thing.
    Draw(Thing),
}

impl LevelDrag {
    /// Moves the selected things until a click.
    pub fn moving_modal(session: &Session, desk: &LevelDesk, level: &Level, pixel: Vec2) -> Option<LevelDrag> {
        Some(LevelDrag { is_modal: true, ..LevelDrag::moving_held(session, desk, level, pixel)? })
    }

    /// Moves the selected things while the button is down.
    pub fn moving_held(session: &Session, desk: &LevelDesk, level: &Level, pixel: Vec2) -> Option<LevelDrag> {
        let things = first_active(desk, level);
        let plane = plane_of(&things.first()?.1);
        Some(LevelDrag::new(session, desk, What::Move(things), plane, pixel))
    }

    /// Copies the selected things and moves the copies.
    pub fn copying(session: &Session, desk: &LevelDesk, level: &Level, pixel: Vec2) -> Option<LevelDrag> {
        let things: Vec<Thing> = first_active(desk, level).into_iter().map(|(_, thing)| thing).collect();
        let things: Vec<Thing> = things.into_iter().filter(|thing| !thing.kind().is_single()).collect();
        let plane = plane_of(things.first()?);
        Some(LevelDrag { is_modal: true, ..LevelDrag::new(session, desk, What::Copy(things), plane, pixel) })
    }

    /// Resizes a thing by a handle.
    pub fn resizing(
        session: &Session,
        desk: &LevelDesk,
        level: &Level,
        sides: Sides,
        pixel: Vec2,
    ) -> Option<LevelDrag> {
        let at = desk.active?;
        let thing = level.thing(at)?;
        let (plane, what) = (plane_of(&thing), What::Resize(at, thing, sides));
        Some(LevelDrag::new(session, desk, what, plane, pixel))
    }

    /// Moves the other end of the only selected thing, a platform that moves.
    pub fn leading(session: &Session, desk: &LevelDesk, level: &Level, pixel: Vec2) -> Option<LevelDrag> {
        let (at, mover) = only_mover(desk, level)?;
        let plane = plane_of(&Thing::Mover(mover));
        Some(LevelDrag::new(session, desk, What::Lead(at, mover), plane, pixel))
    }

    /// Draws a new thing of a kind.
    pub fn drawing(session: &Session, desk: &LevelDesk, level: &Level, kind: ThingKind, pixel: Vec2) -> LevelDrag {
        let thing = desk.new_thing(kind, level, Vec2::ZERO);
        let plane = plane_of(&thing);
        LevelDrag::new(session, desk, What::Draw(thing), plane, pixel)
    }

    fn new(session: &Session, desk: &LevelDesk, what: What, plane: f32, pixel: Vec2) -> LevelDrag {
        let from = point_in(&screen(session, desk), pixel, plane);
        let snap = session.workspace.level_snap;
        LevelDrag {
            level: desk.level,
            what,
            plane,
            from,
            to: from,
            snap,
            is_free: !snap.is_on,
            lock: None,
            typed: TypedNumber::default(),
            is_modal: false,
        }
    }

    /// The name of its undo step.
    pub fn label(&self) -> Label {
        match &self.what {
            What::Move(_) => "Move things".into(),
            What::Copy(_) => "Duplicate things".into(),
            What::Resize(..) => "Resize thing".into(),
            What::Lead(..) => "Set way".into(),
            What::Draw(thing) => format!("Add {}", thing.kind().name()).into(),
        }
    }

    /// The status line: what moves by how much.
    pub fn status(&self) -> String {
        let by = self.offset();
        match &self.what {
            What::Move(_) | What::Copy(_) => format!("Move {:.2}, {:.2} m{}", by.x, by.y, self.typed.status()),
            What::Resize(_, thing, sides) => {
                let size = self.resized(thing, *sides).rect().map(|rect| rect.size()).unwrap_or_default();
                format!("Size {:.2} × {:.2} m", size.x, size.y)
            }
            What::Lead(_, mover) => {
                let way = self.led(mover).way;
                format!("Path {:.2}, {:.2} m", way.x, way.y)
            }
            What::Draw(_) => match self.drawn().map(|thing| (thing.rect(), thing.place())) {
                Some((Some(rect), _)) => format!("{:.2} × {:.2} m", rect.size().x, rect.size().y),
                Some((None, place)) => format!("{:.2}, {:.2} m", place.x, place.y),
                None => String::new(),
            },
        }
    }

    /// The things that it adds to a level.
    pub fn added(&self, level: &Level) -> Vec<ThingRef> {
        let things = match &self.what {
            What::Copy(things) => things.as_slice(),
            What::Draw(thing) => std::slice::from_ref(thing),
            What::Move(_) | What::Resize(..) | What::Lead(..) => &[],
        };
        let mut after = level.clone();
        things.iter().map(|thing| after.add_thing(thing.clone())).collect()
    }

    /// Handles the mouse.
    pub fn pointer(&mut self, session: &Session, event: &PointerEvent) -> Drag {
        if let Some(end) = end(event.kind, self.is_modal) {
            return end;
        }
        let Some(desk) = session.transient.scene.level() else { return Drag::Cancel };
        self.to = point_in(&screen(session, desk), event.pixel, self.plane);
        self.is_free = event.held.ctrl == self.snap.is_on;
        Drag::Preview(self.change())
    }

    /// Handles a key of the keyboard.
    pub fn key(&mut self, key: ModalKey) -> Drag {
        if let ModalKey::Axis(axis @ (Axis::X | Axis::Y)) = key {
            self.lock = (self.lock != Some(axis)).then_some(axis);
        } else if let Some(done) = self.typed.key(key) {
            return done;
        }
        Drag::Preview(self.change())
    }

    /// The whole change since the start.
    pub fn change(&self) -> Change {
        let (level, by) = (self.level, self.offset());
        let edit = match &self.what {
            What::Move(things) => {
                let things = things.iter().map(|(at, thing)| (*at, moved(thing, by))).collect();
                LevelEdit::SetThings { level, things }
            }
            What::Copy(things) => {
                LevelEdit::AddThings { level, things: things.iter().map(|thing| moved(thing, by)).collect() }
            }
            What::Resize(at, thing, sides) => {
                LevelEdit::SetThings { level, things: vec![(*at, self.resized(thing, *sides))] }
            }
            What::Lead(at, mover) => LevelEdit::SetThings { level, things: vec![(*at, Thing::Mover(self.led(mover)))] },
            What::Draw(_) => LevelEdit::AddThings { level, things: self.drawn().into_iter().collect() },
        };
        Change::Edits(vec![edit.into()])
    }

    /// How far things are moved. The first one snaps to the grid on each axis on which it moves.
    fn offset(&self) -> Vec2 {
        if let Some(typed) = self.typed.value() {
            let along = if self.lock == Some(Axis::Y) { Vec2::Y } else { Vec2::X };
            return along * typed as f32;
        }
        let raw = match self.lock {
            Some(Axis::X) => (self.to - self.from).with_y(0.0),
            Some(Axis::Y) => (self.to - self.from).with_x(0.0),
            _ => self.to - self.from,
        };
        let place = match &self.what {
            What::Move(things) => things.first().map(|(_, thing)| thing.place()),
            What::Copy(things) => things.first().map(Thing::place),
            What::Resize(..) | What::Lead(..) | What::Draw(_) => None,
        };
        let place = place.unwrap_or_default();
        let along = |raw: f32, place: f32| {
            if raw.abs() < self.snap.step * 0.5 && !self.is_free { 0.0 } else { self.snapped(place + raw) - place }
        };
        Vec2::new(along(raw.x, place.x), along(raw.y, place.y))
    }

    fn snapped(&self, value: f32) -> f32 {
        if self.is_free { tidy(value) } else { tidy((value / self.snap.step).round() * self.snap.step) }
    }

    fn resized(&self, thing: &Thing, sides: Sides) -> Thing {
        let mut thing = thing.clone();
        let by = self.to - self.from;
        if let Some(rect) = thing.rect_mut() {
            let moved = |side: i8, min: &mut f32, max: &mut f32, by: f32| match side {
                -1 => *min = self.snapped(*min + by).min(tidy(*max - GRID)),
                1 => *max = self.snapped(*max + by).max(tidy(*min + GRID)),
                _ => {}
            };
            moved(sides.x, &mut rect.min.x, &mut rect.max.x, by.x);
            moved(sides.y, &mut rect.min.y, &mut rect.max.y, by.y);
        }
        if let Thing::Slope(slope) = &mut thing {
            *slope = slope.walkable(if sides.y < 0 { SlopeEnd::Top } else { SlopeEnd::Bottom });
        }
        thing
    }

    fn led(&self, mover: &Mover) -> Mover {
        let way = mover.way + self.to - self.from;
        Mover { way: Vec2::new(self.snapped(way.x), self.snapped(way.y)), ..*mover }.slowed()
    }

    /// The new thing between the start and the mouse. A side that is too short gets the usual length.
    fn drawn(&self) -> Option<Thing> {
        let What::Draw(thing) = &self.what else { return None };
        let mut thing = thing.clone();
        let snapped = |point: Vec2| Vec2::new(self.snapped(point.x), self.snapped(point.y));
        let (from, to, usual) = (snapped(self.from), snapped(self.to), usual_size(thing.kind()));
        match thing.rect_mut() {
            Some(rect) => {
                let (min, max) = (from.min(to), from.max(to));
                let is_short = (max - min).cmplt(Vec2::splat(GRID));
                let max = Vec2::select(is_short, min + usual, max);
                *rect = Rect { min, max: Vec2::new(tidy(max.x), tidy(max.y)) };
                if let Thing::Slope(slope) = &mut thing {
                    // It rises where the drag does.
                    let way = to - from;
                    *slope = slope.walkable(SlopeEnd::Bottom);
                    slope.rises_left = way.x * way.y < 0.0;
                }
                Some(thing)
            }
            None => Some(thing.at(to)),
        }
    }
}

/// The selected things, the active one first.
fn first_active(desk: &LevelDesk, level: &Level) -> Vec<(ThingRef, Thing)> {
    let mut things = desk.picked_things(level);
    things.sort_by_key(|(at, _)| Some(*at) != desk.active);
    things
}

/// A number without the noise of sums: to a tenth of a millimetre.
fn tidy(value: f32) -> f32 {
    ((f64::from(value) * 10_000.0).round() / 10_000.0) as f32
}

/// A thing moved by an offset.
pub fn moved(thing: &Thing, by: Vec2) -> Thing {
    let along = |value: f32, by: f32| if by == 0.0 { value } else { tidy(value + by) };
    let add = |place: Vec2| Vec2::new(along(place.x, by.x), along(place.y, by.y));
    let mut thing = thing.clone();
    match thing.rect_mut() {
        Some(rect) => {
            *rect = Rect { min: add(rect.min), max: add(rect.max) };
            thing
        }
        None => {
            let place = add(thing.place());
            thing.at(place)
        }
    }
}
