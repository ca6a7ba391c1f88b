//! The opponent of an attack: a model as a grey figure in a guard pose, before the model on screen. The volume that is struck is
//! tinted, nothing else of it.

use std::sync::Arc;

use glam::{Mat4, Vec3};

use crate::editor::ops::pose::stance;
use crate::editor::view::View;
use crate::render::frame::clip_volumes;
use crate::render::frame::color::Color;
use crate::render::frame::{ModelDraw, Shadow, Surface};
use keypose::anim::pose::ModelPose;
use keypose::anim::time::Time;
use keypose::assets::combat::capsule::Capsule;
use keypose::assets::combat::{Lanes, Volume, dummy};
use keypose::assets::fit::Fit;
use keypose::assets::model::Model;

/// The colour that is mixed over the materials of the figure.
const GREY: Color = Color::hex(0x565b63);
/// How much of it.
const OPACITY: f32 = 0.86;

/// The figure, as it is drawn.
pub struct Opponent {
    pub draw: ModelDraw,
    /// Hurt volumes in world space, with their names. The training dummy of the game for a model without any.
    pub volumes: Vec<(String, Capsule)>,
    /// The point between its feet.
    pub feet: Vec3,
    /// Distance from the attacker, in metres in the game.
    pub metres: f32,
}

impl Opponent {
    /// A model of this size as the opponent of one of `facing`'s size, which faces +z, `metres` away in the game.
    pub fn of(model: &Arc<Model>, fit: &Fit, facing: &Fit, metres: f32) -> Opponent {
        let pose = Arc::new(stance(model, &["guard", "block", "idle", "stand"]));
        let size = fit.scale / facing.scale;
        let feet = facing.base + Vec3::Z * (metres / facing.scale);
        let turned = Mat4::from_rotation_y(std::f32::consts::PI) * Mat4::from_scale(Vec3::splat(size));
        let world_from_model = Mat4::from_translation(feet) * turned * Mat4::from_translation(-fit.base);
        let volumes = volumes(model, &pose, world_from_model, size);
        let volumes = if volumes.is_empty() {
            let Capsule { from, to, radius } = dummy::capsule(facing);
            let [from, to] = [from, to].map(|at| at.with_z(feet.z));
            vec![("body".to_owned(), Capsule { from, to, radius })]
        } else {
            volumes
        };
        let (tint, surface, shadow) = (GREY.with_alpha(OPACITY), Surface::XRay, Shadow::None);
        let draw = ModelDraw { world_from_model, tint, surface, shadow, ..ModelDraw::new(model.clone(), pose) };
        Opponent { draw, volumes, feet, metres }
    }

    /// The places of its volumes.
    pub fn targets(&self) -> Vec<Capsule> {
        self.volumes.iter().map(|(_, volume)| *volume).collect()
    }

    /// The index of the volume that the hits of a clip touch on the tick on screen.
    pub fn struck(&self, model: &Model, view: &View, lanes: &Lanes, fit: &Fit) -> Option<usize> {
        let tick = view.time.0.div_euclid(Time::TICK.0);
        if !lanes.hits.iter().any(|hit| hit.range.ticks().contains(&tick)) {
            return None;
        }
        let at = |tick: i64| view.model_pose_at((Time::TICK * tick).max(Time::ZERO));
        // With the draft, which poses of other times lack.
        let now = if view.time == Time::TICK * tick { view.pose.clone() } else { at(tick) };
        dummy::struck(model, fit, (&lanes.hits, &self.targets()), tick, [&at(tick - 1), &now])
    }
}

/// The hurt volumes of the figure.
fn volumes(model: &Model, pose: &ModelPose, world_from_model: Mat4, size: f32) -> Vec<(String, Capsule)> {
    let placed = |volume: &Volume| {
        let Capsule { from, to, radius } = clip_volumes::placed(model, pose, volume)?;
        let [from, to] = [from, to].map(|at| world_from_model.transform_point3(at));
        Some((volume.name.clone(), Capsule { from, to, radius: radius * size }))
    };
    model.combat.hurt.iter().filter_map(placed).collect()
}
