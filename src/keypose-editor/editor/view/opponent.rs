//! The opponent of an attack: the model itself as a grey figure in a guard pose, before the model on screen. The volume that is struck is
//! tinted, nothing else of it.

use std::sync::Arc;

use glam::{Mat4, Vec3};

use crate::editor::ops::pose::{model_pose, sample};
use crate::editor::view::View;
use crate::render::frame::color::Color;
use crate::render::frame::{ModelDraw, Shadow, Surface};
use keypose::anim::pose::ModelPose;
use keypose::anim::time::Time;
use keypose::assets::combat::capsule::Capsule;
use keypose::assets::combat::placed::BoundVolume;
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
    /// Hurt volumes in world space, with their names.
    pub volumes: Vec<(String, Capsule)>,
}

impl Opponent {
    /// The opponent of a model of this size, which faces +z.
    pub fn of(model: &Arc<Model>, fit: &Fit) -> Opponent {
        let pose = Arc::new(guard_pose(model));
        let place = fit.base + Vec3::Z * (dummy::DISTANCE / fit.scale);
        let turned = Mat4::from_rotation_y(std::f32::consts::PI);
        let world_from_model = Mat4::from_translation(place) * turned * Mat4::from_translation(-fit.base);
        let volumes = volumes(model, &pose, world_from_model, fit);
        let (tint, surface, shadow) = (GREY.with_alpha(OPACITY), Surface::XRay, Shadow::None);
        let draw = ModelDraw { world_from_model, tint, surface, shadow, ..ModelDraw::new(model.clone(), pose) };
        Opponent { draw, volumes }
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

/// The first pose of a clip that guards, else of one that stands, else the rest pose.
fn guard_pose(model: &Model) -> ModelPose {
    let named = |word: &str| model.clips.iter().find(|slot| slot.clip.name.to_lowercase().contains(word));
    let slot = ["guard", "block", "idle", "stand"].into_iter().find_map(named);
    match slot {
        Some(slot) => model_pose(&model.skeleton, &sample(&slot.clip, &model.skeleton, Time::ZERO)),
        None => model.skeleton.rest_model_pose(),
    }
}

/// The hurt volumes of the figure; without any, the training dummy of the game.
fn volumes(model: &Model, pose: &ModelPose, world_from_model: Mat4, fit: &Fit) -> Vec<(String, Capsule)> {
    let placed = |volume: &Volume| {
        let Capsule { from, to, radius } = bound(model, volume, pose)?.place(pose);
        let [from, to] = [from, to].map(|at| world_from_model.transform_point3(at));
        Some((volume.name.clone(), Capsule { from, to, radius }))
    };
    if model.combat.hurt.is_empty() {
        return vec![("body".to_owned(), dummy::capsule(fit))];
    }
    model.combat.hurt.iter().filter_map(placed).collect()
}

fn bound(model: &Model, volume: &Volume, pose: &ModelPose) -> Option<BoundVolume> {
    BoundVolume::new(volume, &model.skeleton).filter(|it| it.bone() < pose.bones.len())
}
