//! Hit and hurt volumes of a clip: hurt volumes as thin yellow lines, and what hits in red.

use glam::Vec3;

use crate::render::frame::Frame;
use crate::render::frame::color::Color;
use crate::render::frame::overlay::{Layer, Stroke};
use keypose::anim::pose::ModelPose;
use keypose::anim::time::Time;
use keypose::assets::combat::capsule::Capsule;
use keypose::assets::combat::placed::BoundVolume;
use keypose::assets::combat::{Lanes, Volume};
use keypose::assets::model::Model;

/// The colour of what hits.
pub const HIT: Color = Color::hex(0xff5a4f);
/// The colour of what can be hit.
pub const HURT: Color = Color::hex(0xf2c14e);

/// How a volume is drawn.
#[derive(Clone, Copy)]
pub struct Look {
    pub color: Color,
    /// Width of its outline in points.
    pub width: f32,
    /// Opacity of its inside.
    pub fill: f32,
}

impl Look {
    /// The look of hits and of the selected volume.
    pub const fn full(color: Color) -> Look {
        Look { color, width: 2.0, fill: 0.12 }
    }

    /// A quiet look for hurt volumes, because they cover the figure.
    pub fn thin(color: Color, opacity: f32) -> Look {
        Look { color: color.with_alpha(color.a * opacity), width: 1.1, fill: 0.0 }
    }

    /// The look of the struck volume.
    pub const STRUCK: Look = Look { color: HIT, width: 2.0, fill: 0.28 };
}

/// Draws the volumes of a pose at a time of a clip with these lanes.
pub fn draw(model: &Model, lanes: &Lanes, (time, pose): (Time, &ModelPose), frame: &mut Frame) {
    let is_safe = lanes.invulnerable.iter().any(|range| range.contains(time));
    for volume in hurt_at(model, lanes, time) {
        // While it can't be hit, fainter.
        let look = Look::thin(HURT, if is_safe { 0.2 } else { 0.5 });
        draw_volume(model, pose, volume, look, frame);
    }
    for hit in lanes.hits.iter().filter(|hit| hit.range.contains(time)) {
        hit.volumes.iter().for_each(|volume| draw_volume(model, pose, volume, Look::full(HIT), frame));
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

/// Draws a volume of a pose, if its bone exists.
pub fn draw_volume(model: &Model, pose: &ModelPose, volume: &Volume, look: Look, frame: &mut Frame) {
    if let Some(capsule) = placed(model, pose, volume) {
        draw_capsule(&capsule, look, frame);
    }
}

/// A volume in the space of the model; `None` if its bone doesn't exist.
pub fn placed(model: &Model, pose: &ModelPose, volume: &Volume) -> Option<Capsule> {
    let bound = BoundVolume::new(volume, &model.skeleton).filter(|it| it.bone() < pose.bones.len())?;
    Some(bound.place(pose))
}

/// Draws the outline of a capsule as seen from the camera.
pub fn draw_capsule(capsule: &Capsule, look: Look, frame: &mut Frame) {
    let Capsule { from, to, radius } = *capsule;
    if !(from.is_finite() && to.is_finite()) {
        return;
    }
    let middle = from.midpoint(to);
    let to_eye = frame.camera.to_eye(middle);
    let axis = to - from;
    // Across the view, with the ends that are nearest to each other along it.
    let along = (axis - to_eye * axis.dot(to_eye)).try_normalize().unwrap_or_else(|| to_eye.any_orthonormal_vector());
    let side = to_eye.cross(along);
    let half = |end: Vec3, sign: f32| {
        let at = move |step: usize| {
            let (sin, cos) = (step as f32 / ARC as f32 * std::f32::consts::PI).sin_cos();
            end + (side * cos + along * sin) * (radius * sign)
        };
        (0..=ARC).map(at)
    };
    let mut rim: Vec<Vec3> = half(to, 1.0).chain(half(from, -1.0)).collect();
    rim.push(rim[0]);
    if look.fill > 0.0 {
        frame.overlay.fan(middle, &rim, look.color.with_alpha(look.color.a * look.fill), Layer::Above);
    }
    frame.overlay.polyline(&rim, Stroke { color: look.color, width: look.width, layer: Layer::Above });
}

/// Segments of the half circle at each end of a capsule.
const ARC: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;
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
