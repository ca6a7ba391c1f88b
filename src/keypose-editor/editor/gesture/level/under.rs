//! Picking in the level mode: the thing under the mouse, and the things in a box of pixels.

use glam::{Vec2, Vec3};

use crate::editor::gesture::screen::Screen;
use crate::editor::session::Session;
use crate::editor::session::level::{Hot, LevelDesk, Sides};
use crate::editor::view::level::{camera, handles, only_mover, only_picked, outline, plane_of};
use keypose::assets::level::thing::{Thing, ThingKind, ThingRef};
use keypose::assets::level::{Decor, DecorShape, Level, Rect};

/// Distance in points at which a handle is under the mouse.
const HANDLE_REACH: f32 = 9.0;

/// The camera of the mode with the size of the viewport.
pub fn screen(session: &Session, desk: &LevelDesk) -> Screen {
    Screen { camera: camera(desk), size: session.workspace.viewport }
}

/// The point of a plane across z under a pixel.
pub fn point_in(screen: &Screen, pixel: Vec2, z: f32) -> Vec2 {
    screen.on_plane(pixel, Vec3::Z * z, Vec3::Z).map(Vec3::truncate).unwrap_or_default()
}

/// Picks at the mouse: a handle of the only selected thing, or the thing in front.
pub fn hot(session: &Session, desk: &LevelDesk, level: &Level, pixel: Vec2) -> Option<Hot> {
    let found = handle(session, desk, level, pixel).map(Hot::Handle).or_else(|| far_end(session, desk, level, pixel));
    found.or_else(|| thing(session, desk, level, pixel).map(Hot::Thing))
}

fn far_end(session: &Session, desk: &LevelDesk, level: &Level, pixel: Vec2) -> Option<Hot> {
    let (_, mover) = only_mover(desk, level)?;
    let center = mover.far().center().extend(plane_of(&Thing::Mover(mover)));
    let place = screen(session, desk).pixel(center)?;
    let reach = HANDLE_REACH * session.workspace.pixels_per_point;
    (place.distance(pixel) <= reach).then_some(Hot::FarEnd)
}

fn handle(session: &Session, desk: &LevelDesk, level: &Level, pixel: Vec2) -> Option<Sides> {
    let thing = level.thing(only_picked(desk)?)?;
    let (rect, z, screen) = (thing.rect()?, plane_of(&thing), screen(session, desk));
    let reach = HANDLE_REACH * session.workspace.pixels_per_point;
    let places = handles(session, desk, &rect, z).map(|sides| (sides, sides.on(&rect).extend(z)));
    screen.nearest(places, pixel, reach)
}

/// The thing under a pixel. What is played in comes before decor behind it, small things before large ones, near decor before far.
fn thing(session: &Session, desk: &LevelDesk, level: &Level, pixel: Vec2) -> Option<ThingRef> {
    let screen = screen(session, desk);
    let hit = |(at, thing): (ThingRef, Thing)| {
        let (rect, z) = (outline(&thing, level), plane_of(&thing));
        let point = point_in(&screen, pixel, z);
        let is_inside = covers(&thing, &rect, point);
        let (size, is_decor) = (rect.size(), at.kind == ThingKind::Decor && z < 0.0);
        is_inside.then_some((is_decor, if is_decor { -z } else { 0.0 }, size.x * size.y, at))
    };
    let order = |a: &(bool, f32, f32, ThingRef), b: &(bool, f32, f32, ThingRef)| {
        a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.total_cmp(&b.2))
    };
    level.things().filter_map(hit).min_by(order).map(|hit| hit.3)
}

/// Whether a thing covers a point: the form of decor, the box of the others.
fn covers(thing: &Thing, rect: &Rect, point: Vec2) -> bool {
    // From -1 to 1 on both axes of the box.
    let place = (point - rect.center()) / (rect.size() * 0.5);
    let is_in_box = place.abs().max_element() <= 1.0;
    match thing {
        Thing::Slope(slope) => is_in_box && point.y <= slope.height_at(point.x),
        Thing::Decor(Decor { shape: DecorShape::Round, .. }) => place.length_squared() <= 1.0,
        Thing::Decor(Decor { shape: DecorShape::Pyramid, .. }) => is_in_box && place.x.abs() <= (1.0 - place.y) * 0.5,
        _ => is_in_box,
    }
}

/// Decor behind this z is scenery: a box doesn't select it, and it must be selected before it can be dragged, because a box may
/// begin over it.
const SCENERY_Z: f32 = -2.0;

/// Whether a thing is scenery.
pub fn is_scenery(level: &Level, at: ThingRef) -> bool {
    at.kind == ThingKind::Decor && level.thing(at).is_some_and(|thing| plane_of(&thing) < SCENERY_Z)
}

/// The things whose centre is in a box of pixels.
pub fn in_box(session: &Session, desk: &LevelDesk, level: &Level, corners: [Vec2; 2]) -> Vec<ThingRef> {
    let screen = screen(session, desk);
    let (low, high) = (corners[0].min(corners[1]), corners[0].max(corners[1]));
    let is_in = |thing: &Thing| {
        let z = plane_of(thing);
        let pixel = screen.pixel(outline(thing, level).center().extend(z));
        pixel.is_some_and(|pixel| pixel.cmpge(low).all() && pixel.cmple(high).all())
    };
    let things = level.things().filter(|(at, thing)| is_in(thing) && !is_scenery(level, *at));
    things.map(|(at, _)| at).collect()
}
