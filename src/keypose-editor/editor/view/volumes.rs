//! The volumes in the viewport: hurt volumes in yellow, as they are at the playhead, and what hits in red. Clips that have nothing to do
//! with attacks are shown without them.

use std::sync::Arc;

use crate::editor::session::Session;
use crate::editor::session::selection::{Selection, VolumePick};
use crate::editor::session::volumes::Picked;
use crate::editor::view::View;
use crate::editor::view::ghosts::{Ghost, Of};
use crate::render::frame::Frame;
use crate::render::frame::color::Color;
use crate::render::frame::overlay::{Layer, Stroke, Triangle};
use keypose::anim::pose::ModelPose;
use keypose::anim::time::Time;
use keypose::assets::combat::capsule::Capsule;
use keypose::assets::combat::dummy;
use keypose::assets::combat::placed::BoundVolume;
use keypose::assets::combat::sweep::Sweep;
use keypose::assets::combat::{LaneKind, Lanes, Volume};
use keypose::assets::fit::Fit;
use keypose::assets::model::Model;

/// The colour of what hits.
pub const HIT: Color = Color::hex(0xff5a4f);
/// The colour of what can be hit.
pub const HURT: Color = Color::hex(0xf2c14e);

/// Draws the volumes of the pose on screen: hurt volumes if the clip has ranges, or if a range or a volume is selected.
pub fn draw(model: &Model, view: &View, selection: &Selection, frame: &mut Frame) {
    let lanes = view.clip_id.map(|id| model.combat.lanes_of(id)).unwrap_or_default();
    if lanes.is_empty() && selection.range.is_none() && selection.volume.is_none() {
        return;
    }
    let is_safe = lanes.invulnerable.iter().any(|range| range.contains(view.time));
    for volume in hurt_at(model, &lanes, view.time) {
        // While it can't be hit, faint.
        let color = if is_safe { HURT.with_alpha(0.25) } else { HURT.with_alpha(0.8) };
        draw_volume(model, &view.pose, volume, color, frame);
    }
    for hit in lanes.hits.iter().filter(|hit| hit.range.contains(view.time)) {
        hit.volumes.iter().for_each(|volume| draw_volume(model, &view.pose, volume, HIT, frame));
    }
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
            draw_volume(model, &ghost.pose, volume, color.with_alpha(ghost.color.a), frame);
        };
        hurt_at(model, &lanes, time).into_iter().for_each(|volume| draw(volume, HURT));
        let hits = lanes.hits.iter().filter(|hit| hit.range.contains(time));
        hits.flat_map(|hit| &hit.volumes).for_each(|volume| draw(volume, HIT));
    }
}

/// Draws the path of hit volumes as a faint red band with a ring on each tick. The band of a selected hit is stronger.
pub fn draw_sweeps(sweeps: &[Sweep], selection: &Selection, frame: &mut Frame) {
    let (right, up) = frame.camera.right_and_up();
    for way in sweeps {
        let is_picked = selection.range == Some((LaneKind::Hits, way.hit));
        let color = HIT.with_alpha(if is_picked { 0.3 } else { 0.16 });
        let stroke = Stroke { color, width: 1.1, layer: Layer::Above };
        let finite = |it: &Capsule| it.from.is_finite() && it.to.is_finite();
        for Capsule { to, radius, .. } in way.ticks.iter().filter(|it| finite(it)) {
            frame.overlay.ring(*to, right * *radius, up * *radius, stroke);
        }
        for pair in way.ticks.windows(2).filter(|pair| pair.iter().all(finite)) {
            let [a, b] = [pair[0], pair[1]];
            frame.overlay.line(a.to, b.to, stroke);
            let band = Triangle { corners: [a.from, a.to, b.to], color, layer: Layer::Above };
            frame.overlay.triangles.extend([band, Triangle { corners: [a.from, b.to, b.from], ..band }]);
        }
    }
}

/// The hurt volumes at a time of a clip with these lanes.
pub fn hurt_at<'a>(model: &'a Model, lanes: &'a Lanes, time: Time) -> Vec<&'a Volume> {
    let now = |volume: &'a Volume| {
        let changed = lanes.hurts.iter().rev().find(|hurt| hurt.volume == volume.name && hurt.range.contains(time));
        changed.map_or(Some(volume), |hurt| hurt.replaced.as_ref())
    };
    model.combat.hurt.iter().filter_map(now).collect()
}

/// Draws the selected volume over the others, whatever the time.
pub fn draw_selected(model: &Arc<Model>, view: &View, session: &Session, frame: &mut Frame) {
    let Some(picked) = Picked::of(model, &session.focus) else { return };
    let color = match session.focus.selection.range {
        Some((LaneKind::Hits, _)) if !matches!(session.focus.selection.volume, Some(VolumePick::Hurt(_))) => HIT,
        _ => HURT,
    };
    let Some(volume) = picked.volume() else { return };
    draw_volume(model, &view.pose, volume, color.mix(Color::WHITE, 0.35), frame);
}

fn draw_volume(model: &Model, pose: &ModelPose, volume: &Volume, color: Color, frame: &mut Frame) {
    let Some(bound) = BoundVolume::new(volume, &model.skeleton).filter(|it| it.bone() < pose.bones.len()) else {
        return;
    };
    draw_capsule(&bound.place(pose), color, frame);
}

/// Draws the dummy before the character: red on the ticks on which it is hit.
pub fn draw_dummy(fit: &Fit, ticks: &[i64], time: Time, frame: &mut Frame) {
    let now = time.0.div_euclid(Time::TICK.0);
    let color = if ticks.contains(&now) { HIT } else { Color::WHITE.with_alpha(0.3) };
    draw_capsule(&dummy::capsule(fit), color, frame);
}

fn draw_capsule(capsule: &Capsule, color: Color, frame: &mut Frame) {
    let Capsule { from, to, radius } = *capsule;
    if !(from.is_finite() && to.is_finite()) {
        return;
    }
    let (camera, stroke) = (frame.camera, Stroke { color, width: 1.6, layer: Layer::Above });
    frame.overlay.sphere(&camera, from, radius, stroke);
    if from == to {
        return;
    }
    frame.overlay.sphere(&camera, to, radius, stroke);
    // Its sides, as seen from the camera, and across that.
    let axis = (to - from).normalize_or_zero();
    let side = axis.cross(camera.forward()).normalize_or_zero() * radius;
    let other = axis.cross(side).normalize_or_zero() * radius;
    for side in [side, -side] {
        frame.overlay.line(from + side, to + side, stroke);
    }
    let thin = Stroke { color: color.with_alpha(color.a * 0.4), width: 1.1, ..stroke };
    for side in [other, -other] {
        frame.overlay.line(from + side, to + side, thin);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;
    use keypose::assets::combat::{Combat, Hurt, Range};

    #[test]
    fn hurt_volumes_are_replaced_or_off_in_their_ranges() {
        let volume = |name: &str, radius| Volume::sphere(name, "root", Vec3::ZERO, radius);
        let combat = Combat { hurt: vec![volume("head", 0.2), volume("trunk", 0.4)], ..Combat::default() };
        let model = Model { combat: combat.into(), ..Model::default() };
        let hurt = |first, volume: &str, replaced| Hurt {
            range: Range::of_ticks(first, first + 4),
            volume: volume.into(),
            replaced,
        };
        let lanes = Lanes {
            hurts: vec![hurt(2, "head", None), hurt(4, "trunk", Some(volume("trunk", 0.1)))],
            ..Lanes::default()
        };
        let at = |tick: i64| -> Vec<(String, f32)> {
            let found = hurt_at(&model, &lanes, Time::TICK * tick);
            found.into_iter().map(|volume| (volume.name.clone(), volume.radius)).collect()
        };
        assert_eq!(at(0), [("head".into(), 0.2), ("trunk".into(), 0.4)]);
        assert_eq!(at(3), [("trunk".into(), 0.4)]);
        assert_eq!(at(5), [("trunk".into(), 0.1)]);
        assert_eq!(at(7), [("head".into(), 0.2), ("trunk".into(), 0.1)]);
    }
}
