//! The balance of the pose on screen: the centre of mass, its path through the clip, the point below it, and the support polygon.

use std::sync::Arc;

use glam::{Vec2, Vec3};

use crate::editor::session::switch::Switch;
use crate::editor::view::cache::Cache;
use crate::editor::view::motion_trails::times;
use crate::editor::view::root_speed::{Proportions, RootSpeeds};
use crate::editor::view::scene::is_light;
use crate::editor::view::{Source, View};
use crate::render::frame::Frame;
use crate::render::frame::bounds::Shape;
use crate::render::frame::color::Color;
use crate::render::frame::overlay::{Layer, Stroke, circle};
use crate::render::frame::path::{self, PathPoint};
use keypose::anim::clip::Clip;
use keypose::anim::time::Time;
use keypose::assets::combat::{Lanes, Range};
use keypose::assets::model::Model;
use keypose::assets::recent::ByAddress;
use keypose_tools::balance::{Balance, BallisticArc, Stance};
use keypose_tools::exact_poses::ExactPoses;
use keypose_tools::lengths::length_text;

/// A pose that can stand.
const STANDS: Color = Color::hex(0x52d08a);
/// A pose that falls.
const FALLS: Color = Color::hex(0xff5a4f);
/// A pose in the air.
const FLIES: Color = Color::hex(0x6cb6ff);

/// A range in the air.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flight {
    /// The arc between both ends.
    pub arc: BallisticArc,
    /// The largest distance of the centre of mass from the arc, in model units.
    pub residual: f32,
}

/// The motion of the centre of mass through a clip.
#[derive(Clone, Debug)]
pub struct MassMotion {
    /// Frames and keyframes, with the centre of mass in model space.
    pub points: Vec<(Time, Vec3)>,
    pub flights: Vec<Flight>,
}

impl MassMotion {
    /// Samples the keys of a clip.
    pub fn of(clip: &Clip, balance: &Balance, lanes: &Lanes) -> MassMotion {
        let exact = ExactPoses::new(balance.skeleton(), clip);
        let poses = |time: Time| exact.model(time);
        let times: Vec<Time> = times(clip, Time::ZERO, clip.length()).into_iter().collect();
        let points: Vec<(Time, Vec3)> = times.iter().map(|&time| (time, balance.centre(&poses(time)))).collect();
        let flight = |range: Range| {
            let arc = balance.arc(range, poses);
            let inside = points.iter().filter(|(time, _)| (range.start..=range.end).contains(time));
            let residual = inside.map(|(time, place)| place.distance(arc.at(*time))).fold(0.0, f32::max);
            Flight { arc, residual }
        };
        let flights = balance.flights((clip, lanes), &times, poses).into_iter().map(flight).collect();
        MassMotion { points, flights }
    }
}

/// A shape with the masses that were chosen and the gravity, as bits.
type Weighed = (Shape, Vec<(String, u32)>, u32);
/// A clip, a weight, and contacts.
type Moved = (ByAddress<Clip>, ByAddress<Balance>, Vec<((Time, Time), String)>);

/// Weights of models, and the motions of their centres of mass.
#[derive(Clone, Debug, Default)]
pub struct BalanceCache {
    models: Cache<Weighed, Arc<Balance>, 4>,
    motions: Cache<Moved, Arc<MassMotion>, 4>,
}

impl BalanceCache {
    /// The weight of a model.
    pub fn of(&self, model: &Model, known: &RootSpeeds) -> Arc<Balance> {
        let masses = model.rig.masses.iter().map(|(bone, percent)| (bone.clone(), percent.to_bits()));
        self.models.get((Shape::of(model), masses.collect(), model.rig.gravity().to_bits()), || {
            let Proportions { fit, bones, volumes } = known.proportions(model);
            Arc::new(Balance::with(model, fit, &bones, volumes))
        })
    }

    /// The motion of the centre of mass in a clip.
    pub fn motion(&self, clip: &Arc<Clip>, balance: &Arc<Balance>, lanes: &Lanes) -> Arc<MassMotion> {
        let contacts = lanes
            .contacts
            .iter()
            .map(|contact| ((contact.range.start, contact.range.end), contact.bone.clone()))
            .collect();
        self.motions.get((clip.into(), balance.into(), contacts), || Arc::new(MassMotion::of(clip, balance, lanes)))
    }
}

/// The balance of the pose on screen; `None` without a model.
pub fn stance(source: Source<'_>, view: &View) -> Option<(Arc<Balance>, Stance)> {
    let model = view.model.as_ref()?;
    let balance = source.caches.balance.of(model, &source.caches.root_speeds);
    let stance = balance.stance(&view.pose, &lanes(source, view), view.time);
    Some((balance, stance))
}

/// The motion of the centre of mass of the open clip, if the viewport shows it.
pub fn motion(source: Source<'_>, view: &View) -> Option<Arc<MassMotion>> {
    let (model, clip) = (view.model.as_ref()?, view.clip.as_ref()?);
    let is_shown = source.session.shows_clip() && clip.length() > Time::ZERO;
    let balance = source.caches.balance.of(model, &source.caches.root_speeds);
    is_shown.then(|| source.caches.balance.motion(clip, &balance, &lanes(source, view)))
}

/// The flight at the playhead, or the next one, or the last.
pub fn flight_near(motion: &MassMotion, time: Time) -> Option<Flight> {
    motion.flights.iter().find(|flight| flight.arc.range.end >= time).or(motion.flights.last()).copied()
}

/// The lanes of the open clip; empty if none is shown.
pub fn lanes(source: Source<'_>, view: &View) -> Lanes {
    let clip = view.clip_id.filter(|_| source.session.shows_clip()).zip(view.model.as_ref());
    clip.map(|(id, model)| model.combat.lanes_of(id)).unwrap_or_default()
}

/// "in balance, 62 mm inside".
pub fn stance_text(balance: &Balance, stance: &Stance) -> String {
    let length = |units: f32| length_text(units * balance.scale);
    match stance.margin() {
        None => "in the air".to_owned(),
        Some(margin) if margin < 0.0 => format!("falls, {} outside", length(-margin)),
        Some(margin) => format!("in balance, {} inside", length(margin)),
    }
}

/// Whether the balance is shown.
pub fn is_shown(source: Source<'_>) -> bool {
    source.session.is_on(Switch::Balance) && source.session.is_on(Switch::Overlays)
}

/// The colour of a stance.
pub fn color(stance: &Stance) -> Color {
    match stance.margin() {
        None => FLIES,
        Some(margin) if margin < 0.0 => FALLS,
        Some(_) => STANDS,
    }
}

/// Draws the path of the centre of mass, the arcs of flights, the support polygon and the centre of mass over it.
pub fn draw(source: Source<'_>, view: &View, frame: &mut Frame) {
    if !is_shown(source) {
        return;
    }
    let Some((balance, stance)) = stance(source, view) else { return };
    let height = source.session.workspace.viewport.y;
    let strong = if is_light(source.session) { Color::hex(0x0e1420) } else { Color::WHITE };
    if let Some(motion) = motion(source, view) {
        draw_motion(&motion, strong, height, frame);
    }
    let color = color(&stance);
    let on_ground = |point: Vec2| Vec3::new(point.x, stance.ground, point.y);
    let corners: Vec<Vec3> = stance.support.iter().map(|corner| on_ground(*corner)).collect();
    let rim: Vec<Vec3> = corners.iter().chain(corners.first()).copied().collect();
    if let Some(first) = corners.first() {
        frame.overlay.fan(*first, &rim, color.with_alpha(0.16), Layer::OnTop);
    }
    frame.overlay.polyline(&rim, Stroke { color: color.with_alpha(0.9), width: 1.6, layer: Layer::OnTop });
    let foot = on_ground(Vec2::new(stance.centre.x, stance.centre.z));
    frame.overlay.line(stance.centre, foot, Stroke { color: color.with_alpha(0.8), width: 1.2, layer: Layer::OnTop });
    let (x, z) = (Vec3::X * balance.height * 0.018, Vec3::Z * balance.height * 0.018);
    let stroke = Stroke { color, width: 2.0, layer: Layer::Above };
    frame.overlay.ring(foot, x, z, stroke);
    frame.overlay.line(foot - x, foot + x, stroke);
    frame.overlay.line(foot - z, foot + z, stroke);
    draw_centre(stance.centre, color, source.session.workspace.pixels_per_point, height, frame);
}

/// Draws the sign of a centre of mass: a disc whose quarters alternate.
fn draw_centre(at: Vec3, color: Color, pixels_per_point: f32, height: f32, frame: &mut Frame) {
    let radius = 8.0 * pixels_per_point * frame.camera.units_per_pixel(at, height);
    let (right, up) = frame.camera.right_and_up();
    let rim = circle(at, right * radius, up * radius, 32);
    for (quarter, color) in [(0, color), (1, Color::hex(0x10141c)), (2, color), (3, Color::hex(0x10141c))] {
        frame.overlay.fan(at, &rim[quarter * 8..=quarter * 8 + 8], color, Layer::Above);
    }
    frame.overlay.polyline(&rim, Stroke { color, width: 1.6, layer: Layer::Above });
}

/// Draws the path, with dots at frames, and arcs.
fn draw_motion(motion: &MassMotion, strong: Color, height: f32, frame: &mut Frame) {
    let is_air = |time: Time| {
        motion.flights.iter().any(|flight| (flight.arc.range.start..=flight.arc.range.end).contains(&time))
    };
    let point = |(time, position): &(Time, Vec3)| {
        let color = if is_air(*time) { FLIES } else { strong.with_alpha(0.45) };
        PathPoint { position: *position, color, dot: Some((color, 2.0)) }
    };
    path::draw(frame, &motion.points.iter().map(point).collect::<Vec<_>>(), 2.0, height);
    for flight in &motion.flights {
        let Range { start, end } = flight.arc.range;
        let at = |step: i64| flight.arc.at(start + Time((end - start).0 / ARC_STEPS * step));
        let color = strong.with_alpha(0.85);
        // Dashed, as nothing moves along it yet.
        for step in (0..ARC_STEPS).step_by(2) {
            frame.overlay.line(at(step), at(step + 1), Stroke { color, width: 1.4, layer: Layer::OnTop });
        }
    }
}

/// The number of dashes and gaps of an arc.
const ARC_STEPS: i64 = 48;
