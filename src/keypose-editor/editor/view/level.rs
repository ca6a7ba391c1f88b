//! The level mode: the open level as the game draws it, with outlines and handles of the selection.

use std::sync::Arc;

use glam::{Vec2, Vec3};

use crate::editor::ops::pose::model_pose;
use crate::editor::session::Session;
use crate::editor::session::level::{Hot, LevelDesk, Sides};
use crate::editor::session::switch::Switch;
use crate::editor::view::Source;
use crate::render::frame::attached::attached;
use crate::render::frame::camera::Camera;
use crate::render::frame::color::Color;
use crate::render::frame::marks::{COIN, FLAG_Z, Flag, GATE_Z, add_coin, add_flag, add_gate};
use crate::render::frame::moving::Moment;
use crate::render::frame::overlay::{Layer, Overlay, Stroke};
use crate::render::frame::scenery::{self, LADDER_Z, PLATFORM_DEPTH, SOLID_DEPTH, SPIKES_DEPTH};
use crate::render::frame::side_view::{self, FOE_TINT};
use crate::render::frame::{Frame, ModelDraw};
use keypose::anim::pose::LocalPose;
use keypose::anim::time::Time;
use keypose::assets::clip_names;
use keypose::assets::fit::STANDING_HEIGHT;
use keypose::assets::level::mover::Mover;
use keypose::assets::level::thing::{Thing, ThingRef};
use keypose::assets::level::{Level, Rect};
use keypose::assets::machine::State;
use keypose::assets::model::Model;

/// Half the width of a character that stands.
const BODY_HALF_WIDTH: f32 = 0.35;
const SELECTED: Color = Color::hex(0xffb454);
const HOVERED: Color = Color::hex(0xffffff);

/// The game's camera, nearer or farther.
pub fn camera(desk: &LevelDesk) -> Camera {
    let target = desk.aim.extend(0.0);
    let camera = side_view::camera(target);
    Camera { eye: target + (camera.eye - target) * desk.zoom, ..camera }
}

/// The rectangle that a thing covers, seen from the front.
pub fn outline(thing: &Thing, level: &Level) -> Rect {
    let body = |feet: Vec2, size: f32| {
        let half = Vec2::new(BODY_HALF_WIDTH * size, 0.0);
        Rect { min: feet - half, max: feet + half + Vec2::new(0.0, STANDING_HEIGHT * size) }
    };
    match thing {
        Thing::Spawn(feet) => body(*feet, 1.0),
        Thing::Foe(foe) => {
            let kind = level.kinds.iter().find(|kind| kind.name == foe.kind).or(level.kinds.first());
            body(foe.place, kind.map_or(1.0, |kind| kind.size))
        }
        Thing::Checkpoint(feet) => Rect { min: *feet - Vec2::new(0.1, 0.0), max: *feet + Vec2::new(0.9, 2.4) },
        Thing::Coin(center) => Rect { min: *center - COIN * 1.15, max: *center + COIN * 1.15 },
        Thing::Solid(rect) | Thing::Platform(rect) | Thing::Ladder(rect) | Thing::Spikes(rect) => *rect,
        Thing::Goal(goal) => goal.rect,
        Thing::Slope(slope) => slope.rect,
        Thing::Mover(mover) => mover.rect,
        Thing::Decor(decor) => decor.rect,
    }
}

/// The z of the front side of a thing, where the mouse drags it.
pub fn plane_of(thing: &Thing) -> f32 {
    match thing {
        Thing::Solid(_) | Thing::Slope(_) => SOLID_DEPTH[1],
        Thing::Platform(_) | Thing::Mover(_) => PLATFORM_DEPTH[1],
        Thing::Ladder(_) => LADDER_Z,
        Thing::Spikes(_) => SPIKES_DEPTH[1],
        Thing::Goal(_) => GATE_Z,
        Thing::Checkpoint(_) => FLAG_Z,
        Thing::Decor(decor) => decor.z + decor.depth * 0.5,
        Thing::Spawn(_) | Thing::Coin(_) | Thing::Foe(_) => 0.0,
    }
}

/// The frame to draw; `None` if the level is gone.
pub fn frame(source: Source<'_>, desk: &LevelDesk) -> Option<Frame> {
    let level = source.document.levels.get(desk.level)?;
    let mut frame = scenery::frame(&level.look, camera(desk));
    frame.pixels_per_point = source.session.workspace.pixels_per_point;
    frame.solids = scenery::solids(level, &Moment::default());
    level.movers.iter().for_each(|mover| scenery::add_mover(&mover.rect, &level.look, &mut frame.solids));
    for (at, coin) in level.coins.iter().enumerate() {
        add_coin(*coin, at as f32 * 9.0, &mut frame.solids);
    }
    level.checkpoints.iter().for_each(|feet| add_flag(*feet, Flag::Waiting, 0.0, &mut frame.solids));
    if let Some(goal) = &level.goal {
        let raised = if goal.after.is_empty() { 1.0 } else { 0.0 };
        add_gate(&goal.rect, raised, 0.0, &mut frame.solids);
    }
    add_characters(source, level, &mut frame);
    if source.session.is_on(Switch::Overlays) {
        draw_things(source.session, desk, level, &mut frame.overlay);
    }
    Some(frame)
}

/// The player at the spawn point, and the foes.
fn add_characters(source: Source<'_>, level: &Level, frame: &mut Frame) {
    let models = &source.document.models;
    let named = |name: &str| models.iter().find(|model| model.name == name);
    let Some(player) = named(&level.player).or(models.first()) else { return };
    add_character(source, player, Figure { feet: level.spawn, side: 1.0, size: 1.0, tint: Color::CLEAR }, frame);
    for foe in &level.foes {
        let kind = level.kinds.iter().find(|kind| kind.name == foe.kind).or(level.kinds.first());
        let model = kind.and_then(|kind| named(&kind.model)).unwrap_or(player);
        let side = if foe.faces_left { -1.0 } else { 1.0 };
        let tint = if Arc::ptr_eq(model, player) { FOE_TINT } else { Color::CLEAR };
        let size = kind.map_or(1.0, |kind| kind.size);
        add_character(source, model, Figure { feet: foe.place, side, size, tint }, frame);
    }
}

/// How a character stands.
struct Figure {
    feet: Vec2,
    /// 1 if it faces right, -1 if left.
    side: f32,
    size: f32,
    tint: Color,
}

fn add_character(source: Source<'_>, model: &Arc<Model>, figure: Figure, frame: &mut Frame) {
    let Figure { feet, side, size, tint } = figure;
    let pose = model_pose(&model.skeleton, &idle(source, model));
    let fit = source.caches.root_speeds.fit(model);
    let mut draw = ModelDraw::new(model.clone(), Arc::new(pose));
    draw.world_from_model =
        side_view::world_from_model(&fit, side_view::yaw(side), Vec3::splat(size), feet.extend(0.0));
    if tint != Color::CLEAR {
        draw.tint = tint;
    }
    let props = attached(&draw, &source.document.models);
    frame.models.extend(props.into_iter().map(|prop| ModelDraw { tint: draw.tint, ..prop }));
    frame.models.push(draw);
}

/// The first pose of the clip in which a model stands.
fn idle(source: Source<'_>, model: &Arc<Model>) -> LocalPose {
    let names: Vec<&str> = model.clips.iter().map(|slot| slot.clip.name.as_str()).collect();
    let clip = clip_names::find(State::Idle, &names).and_then(|at| model.clips.get(at));
    clip.map_or_else(
        || model.skeleton.rest_pose(),
        |slot| LocalPose::clone(&source.caches.bakes.pose(&slot.clip, &model.skeleton, Time::ZERO)),
    )
}

/// Draws outlines of the selected and hovered things, and the handles if one box is selected.
fn draw_things(session: &Session, desk: &LevelDesk, level: &Level, overlay: &mut Overlay) {
    let draw = |at: &ThingRef, color: Color, width: f32, overlay: &mut Overlay| {
        let Some(thing) = level.thing(*at) else { return };
        let (rect, z) = (outline(&thing, level), plane_of(&thing));
        let corners = match &thing {
            Thing::Slope(slope) => slope.corners().to_vec(),
            _ => vec![rect.min, Vec2::new(rect.max.x, rect.min.y), rect.max, Vec2::new(rect.min.x, rect.max.y)],
        };
        let stroke = Stroke { color, width, layer: Layer::Above };
        for (at, corner) in corners.iter().enumerate() {
            overlay.line(corner.extend(z), corners[(at + 1) % corners.len()].extend(z), stroke);
        }
    };
    if let Some(Hot::Thing(at)) = desk.hot.filter(|hot| !matches!(hot, Hot::Thing(at) if desk.picked.contains(at))) {
        draw(&at, HOVERED.with_alpha(0.7), 1.0, overlay);
    }
    for at in &desk.picked {
        let is_active = Some(*at) == desk.active;
        draw(at, SELECTED.with_alpha(if is_active { 1.0 } else { 0.75 }), if is_active { 2.0 } else { 1.5 }, overlay);
    }
    let picked = desk.picked.iter().filter_map(|at| level.thing(*at));
    picked.for_each(|thing| draw_patrol(&thing, level, overlay));
    for mover in &level.movers {
        draw_way(mover, overlay);
    }
    if let Some((_, mover)) = only_mover(desk, level) {
        let color = if desk.hot == Some(Hot::FarEnd) { HOVERED } else { SELECTED };
        draw_mark(session, desk, mover.far().center().extend(PLATFORM_DEPTH[1]), color, overlay);
    }
    let only = only_picked(desk).and_then(|at| level.thing(at));
    if let Some((rect, thing)) = only.and_then(|thing| Some((thing.rect()?, thing))) {
        draw_handles(session, desk, &rect, plane_of(&thing), overlay);
    }
}

/// Draws how far a foe walks to both sides before it sees the player.
fn draw_patrol(thing: &Thing, level: &Level, overlay: &mut Overlay) {
    let Thing::Foe(foe) = thing else { return };
    let Some(kind) = level.kinds.iter().find(|kind| kind.name == foe.kind) else { return };
    let stroke = Stroke { color: SELECTED.with_alpha(0.6), width: 1.5, layer: Layer::Above };
    let [left, right] = [-kind.patrol, kind.patrol].map(|x| (foe.place + Vec2::new(x, 0.06)).extend(0.0));
    overlay.line(left, right, stroke);
    for end in [left, right] {
        overlay.line(end - Vec3::Y * 0.06, end + Vec3::Y * 0.2, stroke);
    }
}

/// The selected thing, if there is only one.
pub fn only_picked(desk: &LevelDesk) -> Option<ThingRef> {
    if desk.picked.len() == 1 { desk.active } else { None }
}

/// The only selected thing if it is a platform that moves.
pub fn only_mover(desk: &LevelDesk, level: &Level) -> Option<(ThingRef, Mover)> {
    let at = only_picked(desk)?;
    match level.thing(at)? {
        Thing::Mover(mover) => Some((at, mover)),
        _ => None,
    }
}

/// Draws the path of a moving platform: a line to its other end, and its outline there.
fn draw_way(mover: &Mover, overlay: &mut Overlay) {
    let z = PLATFORM_DEPTH[1];
    let stroke = Stroke { color: SELECTED.with_alpha(0.5), width: 1.2, layer: Layer::Above };
    let Rect { min, max } = mover.far();
    overlay.line(mover.rect.center().extend(z), mover.far().center().extend(z), stroke);
    let corners = [min, Vec2::new(max.x, min.y), max, Vec2::new(min.x, max.y), min];
    overlay.polyline(&corners.map(|corner| corner.extend(z)), stroke);
}

fn draw_mark(session: &Session, desk: &LevelDesk, center: Vec3, color: Color, overlay: &mut Overlay) {
    let workspace = &session.workspace;
    let half = HANDLE * 1.5 * workspace.pixels_per_point * camera(desk).units_per_pixel(center, workspace.viewport.y);
    let corner = |x: f32, y: f32| center + Vec3::new(x, y, 0.0) * half;
    overlay.fan(corner(-1.0, 0.0), &[corner(0.0, -1.0), corner(1.0, 0.0), corner(0.0, 1.0)], color, Layer::Above);
}

/// Half the side of a handle in points.
const HANDLE: f32 = 4.0;
/// The length in points that a side needs for the handles at its ends.
const ROOM: f32 = 28.0;

/// The handles of a box at a z: none at the ends of a side that is too short on the screen.
pub fn handles(session: &Session, desk: &LevelDesk, rect: &Rect, z: f32) -> impl Iterator<Item = Sides> + use<> {
    let workspace = &session.workspace;
    let units = camera(desk).units_per_pixel(rect.center().extend(z), workspace.viewport.y);
    let has_room = rect.size().cmpge(Vec2::splat(ROOM * workspace.pixels_per_point * units));
    let fits = move |sides: &Sides| (sides.x == 0 || has_room.x) && (sides.y == 0 || has_room.y);
    Sides::ALL.into_iter().filter(fits)
}

fn draw_handles(session: &Session, desk: &LevelDesk, rect: &Rect, z: f32, overlay: &mut Overlay) {
    let (camera, workspace) = (camera(desk), &session.workspace);
    for sides in handles(session, desk, rect, z) {
        let center = sides.on(rect).extend(z);
        let half = HANDLE * workspace.pixels_per_point * camera.units_per_pixel(center, workspace.viewport.y);
        let is_hot = desk.hot == Some(Hot::Handle(sides));
        let (half, color) = if is_hot { (half * 1.35, HOVERED) } else { (half, SELECTED) };
        let corner = |x: f32, y: f32| center + Vec3::new(x, y, 0.0) * half;
        let rim = [corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
        overlay.fan(corner(-1.0, -1.0), &rim, color, Layer::Above);
    }
}
