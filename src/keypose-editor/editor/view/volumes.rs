//! The volumes in the viewport: hurt volumes as thin yellow lines, as they are at the playhead, and what hits in red. Clips that have
//! nothing to do with attacks are shown without them.

use std::sync::Arc;

use glam::Vec3;

use crate::editor::session::Session;
use crate::editor::session::opponent::{Distance, OpponentChoice};
use crate::editor::session::selection::{Selection, VolumePick};
use crate::editor::session::switch::Switch;
use crate::editor::session::volumes::Picked;
use crate::editor::view::frame_data::{frame_data, sweeps_of};
use crate::editor::view::ghosts::{Ghost, Of};
use crate::editor::view::opponent::Opponent;
use crate::editor::view::springs::COLLIDER;
use crate::editor::view::{Source, View};
use crate::render::frame::Frame;
use crate::render::frame::bounds::Aabb;
use crate::render::frame::clip_volumes::{self, HIT, HURT, Look, draw_capsule, draw_volume, hurt_at, placed};
use crate::render::frame::color::Color;
use crate::render::frame::overlay::{Layer, Stroke, Triangle};
use keypose::anim::pose::ModelPose;
use keypose::assets::combat::capsule::Capsule;
use keypose::assets::combat::sweep::Sweep;
use keypose::assets::combat::{LaneKind, Volume, dummy};
use keypose::assets::fit::Fit;
use keypose::assets::id::ClipId;
use keypose::assets::model::Model;

/// A volume with words in the viewport.
#[derive(Clone, Debug)]
pub struct Label {
    /// The end of the volume in world space.
    pub at: Vec3,
    pub side: Side,
    pub name: String,
    /// Quiet words behind the name: "10 damage", "+5".
    pub detail: String,
}

/// Where a label is, so that it covers neither figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Over both figures.
    Above,
    /// On the far side of the opponent.
    Beyond,
    /// Below the feet.
    Below,
}

/// The boxes in world space around the figure on screen and its opponent; `None` without one.
pub fn figures(source: Source<'_>, view: &View) -> Option<[Aabb; 2]> {
    let model = view.model.as_ref()?;
    let opponent = opponent(source, view, model)?;
    let bounds = |model: &Model, pose: &ModelPose| source.caches.bounds(model).posed(pose);
    let other = bounds(&opponent.draw.model, &opponent.draw.pose).transformed(&opponent.draw.world_from_model);
    Some([bounds(model, &view.pose), other])
}

/// The labels of the opponent's distance, of the hits on screen and of the volume that they strike.
pub fn labels(source: Source<'_>, view: &View) -> Vec<Label> {
    let (Some(model), Some(id)) = (&view.model, view.clip_id) else { return Vec::new() };
    let Some(opponent) = opponent(source, view, model) else { return Vec::new() };
    let lanes = model.combat.lanes_of(id);
    let fit = source.caches.root_speeds.fit(model);
    let name = if source.session.focus.opponent.distance == Distance::Reach { "reach" } else { "distance" };
    let at = fit.base.midpoint(opponent.feet);
    let mut labels =
        vec![Label { at, side: Side::Below, name: name.to_owned(), detail: format!("{:.2} m", opponent.metres) }];
    for hit in lanes.hits.iter().filter(|hit| hit.range.contains(view.time)) {
        let Some(volume) = hit.volumes.first().and_then(|volume| placed(model, &view.pose, volume)) else { continue };
        let name = hit.volumes.first().map_or(String::new(), |volume| volume.bone.clone());
        labels.push(Label { at: volume.to, side: Side::Above, name, detail: format!("{} damage", hit.strike.damage) });
    }
    if let Some(struck) = opponent.struck(model, view, &lanes, &fit) {
        let (name, volume) = &opponent.volumes[struck];
        let on_hit = frame_data(source.caches, model, id).and_then(|data| data.on_hit);
        let detail = on_hit.map_or(String::new(), |ticks| format!("{ticks:+}"));
        labels.push(Label { at: volume.to, side: Side::Beyond, name: format!("hit: {name}"), detail });
    }
    labels
}

/// The opponent on screen: only of clips that hit, and not in the rig mode.
pub fn opponent(source: Source<'_>, view: &View, model: &Arc<Model>) -> Option<Opponent> {
    let session = source.session;
    let is_rig = session.transient.scene.rig().is_some();
    let is_on = session.is_on(Switch::Volumes) && session.is_on(Switch::Overlays) && session.shows_clip() && !is_rig;
    let id = view.clip_id?;
    let lanes = model.combat.lanes.get(&id)?;
    (is_on && !lanes.hits.is_empty()).then(|| chosen_opponent(source, model, id))
}

/// The opponent of a clip of a model that the user chose.
pub fn chosen_opponent(source: Source<'_>, model: &Arc<Model>, id: ClipId) -> Opponent {
    let OpponentChoice { model: other, distance } = &source.session.focus.opponent;
    let other = source.document.models.iter().find(|one| one.name == *other).unwrap_or(model);
    let fits = &source.caches.root_speeds;
    let fit = fits.fit(model);
    let metres = match *distance {
        Distance::Metres(metres) => metres,
        Distance::Reach => reach(source, model, id, &fit).unwrap_or(dummy::DISTANCE),
    };
    Opponent::of(other, &fits.fit(other), &fit, metres)
}

/// How far the hits of a clip reach in front of a model of this size, in metres in the game. `None` while it is being baked, or if they reach
/// nothing.
fn reach(source: Source<'_>, model: &Arc<Model>, id: ClipId, fit: &Fit) -> Option<f32> {
    let sweeps = sweeps_of(source.caches, model, id)?;
    let ends = sweeps.iter().flat_map(|sweep| &sweep.ticks);
    let farthest = ends.map(|capsule| capsule.from.z.max(capsule.to.z) + capsule.radius - fit.base.z);
    let reach = farthest.fold(f32::MIN, f32::max) * fit.scale;
    (reach.is_finite() && reach > MIN_REACH).then_some(reach.min(MAX_REACH))
}

/// The range of the distance at reach, in metres: a figure in the attacker or out of view shows nothing.
const MIN_REACH: f32 = 0.4;
const MAX_REACH: f32 = 4.0;

/// Draws the distance to the opponent as a line on the ground between the feet.
fn draw_distance(opponent: &Opponent, fit: &Fit, frame: &mut Frame) {
    let stroke = Stroke { color: Color::WHITE.with_alpha(0.5), width: 1.1, layer: Layer::Above };
    let tick = Vec3::Y * ((opponent.feet - fit.base).length() * 0.02);
    frame.overlay.line(fit.base, opponent.feet, stroke);
    for end in [fit.base, opponent.feet] {
        frame.overlay.line(end - tick, end + tick, stroke);
    }
}

/// Draws the hurt volumes of the opponent as thin lines, and the struck one full.
pub fn draw_opponent(source: Source<'_>, view: &View, model: &Model, opponent: &Opponent, frame: &mut Frame) {
    let Some(lanes) = view.clip_id.and_then(|id| model.combat.lanes.get(&id)) else { return };
    let fit = source.caches.root_speeds.fit(model);
    draw_distance(opponent, &fit, frame);
    let struck = opponent.struck(model, view, lanes, &fit);
    for (at, (_, volume)) in opponent.volumes.iter().enumerate() {
        let look = if struck == Some(at) { Look::STRUCK } else { Look::thin(HURT, 0.45) };
        draw_capsule(volume, look, frame);
    }
}

/// Draws the volumes of the pose on screen: hurt volumes if the clip has ranges, or if a range or a volume is selected.
pub fn draw(model: &Model, view: &View, selection: &Selection, frame: &mut Frame) {
    let lanes = view.clip_id.map(|id| model.combat.lanes_of(id)).unwrap_or_default();
    if lanes.is_empty() && selection.range.is_none() && selection.volume.is_none() {
        return;
    }
    clip_volumes::draw(model, &lanes, (view.time, &view.pose), frame);
}

/// Draws the volumes of the clip on its ghosts, as faint as these are.
pub fn draw_on_ghosts(model: &Model, view: &View, ghosts: &[Ghost], frame: &mut Frame) {
    let lanes = view.clip_id.map(|id| model.combat.lanes_of(id)).unwrap_or_default();
    if lanes.is_empty() {
        return;
    }
    for ghost in ghosts {
        let (Of::Neighbour(time) | Of::Pinned(time)) = ghost.of else { continue };
        let mut draw = |volume: &Volume, color: Color| {
            draw_volume(model, &ghost.pose, volume, Look::thin(color, ghost.color.a), frame);
        };
        hurt_at(model, &lanes, time).into_iter().for_each(|volume| draw(volume, HURT));
        let hits = lanes.hits.iter().filter(|hit| hit.range.contains(time));
        hits.flat_map(|hit| &hit.volumes).for_each(|volume| draw(volume, HIT));
    }
}

/// Draws the path of the ends of hit volumes as a faint red line with a dot on each tick; that of a selected hit as a band.
pub fn draw_sweeps(sweeps: &[Sweep], selection: &Selection, frame: &mut Frame) {
    let (right, up) = frame.camera.right_and_up();
    for way in sweeps {
        let is_picked = selection.range == Some((LaneKind::Hits, way.hit));
        let stroke = Stroke { color: HIT.with_alpha(0.4), width: 1.1, layer: Layer::Above };
        let color = HIT.with_alpha(0.14);
        let finite = |it: &Capsule| it.from.is_finite() && it.to.is_finite();
        for Capsule { to, radius, .. } in way.ticks.iter().filter(|it| finite(it)) {
            let size = *radius * 0.12;
            frame.overlay.ring(*to, right * size, up * size, stroke);
        }
        for pair in way.ticks.windows(2).filter(|pair| pair.iter().all(finite)) {
            let [a, b] = [pair[0], pair[1]];
            frame.overlay.line(a.to, b.to, stroke);
            if !is_picked {
                continue;
            }
            let band = Triangle { corners: [a.from, a.to, b.to], color, layer: Layer::Above };
            frame.overlay.triangles.extend([band, Triangle { corners: [a.from, b.to, b.from], ..band }]);
        }
    }
}

/// Draws the selected volume over the others, whatever the time.
pub fn draw_selected(model: &Arc<Model>, view: &View, session: &Session, frame: &mut Frame) {
    let Some(picked) = Picked::of(model, &session.focus) else { return };
    let color = match (session.focus.selection.volume, session.focus.selection.range) {
        (Some(VolumePick::Collider(_)), _) => COLLIDER,
        (Some(VolumePick::OfRange(_)), Some((LaneKind::Hits, _))) => HIT,
        _ => HURT,
    };
    let Some(volume) = picked.volume() else { return };
    draw_volume(model, &view.pose, volume, Look::full(color.mix(Color::WHITE, 0.35)), frame);
}
