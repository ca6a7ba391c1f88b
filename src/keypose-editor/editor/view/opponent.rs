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
use keypose::assets::combat::capsule::{Capsule, first_touch};
use keypose::assets::combat::placed::BoundVolume;
use keypose::assets::combat::{Hit, Lanes, Volume, dummy};
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

    /// The index of the volume that the hits of a clip touch at the time on screen, in the plane of play.
    pub fn struck(&self, model: &Model, view: &View, lanes: &Lanes, fit: &Fit) -> Option<usize> {
        let hits: Vec<&Hit> = lanes.hits.iter().filter(|hit| hit.range.contains(view.time)).collect();
        if hits.is_empty() {
            return None;
        }
        let before = view.model_pose_at((view.time - Time::TICK).max(Time::ZERO));
        let flat = |capsule: &Capsule| {
            let [from, to] = [capsule.from, capsule.to].map(|at| at.with_x(fit.base.x));
            Capsule { from, to, ..*capsule }
        };
        let blows = hits.iter().flat_map(|hit| &hit.volumes).filter_map(|volume| {
            let bound = bound(model, volume, &view.pose)?;
            Some([flat(&bound.place(&before)), flat(&bound.place(&view.pose))])
        });
        let blows: Vec<[Capsule; 2]> = blows.collect();
        let first = |volume: &Capsule| {
            let volume = flat(volume);
            let touches = blows.iter().filter_map(|[from, to]| first_touch([from, to], [&volume, &volume]));
            touches.min_by(f32::total_cmp)
        };
        let touched = self.volumes.iter().enumerate().filter_map(|(at, (_, volume))| Some((at, first(volume)?)));
        touched.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(at, _)| at)
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
