//! The model that a retargeted clip comes from, beside the one that it is for, in the same time.

use std::sync::Arc;

use glam::{Mat4, Vec3};

use crate::editor::ops::pose::model_pose;
use crate::editor::session::switch::Switch;
use crate::editor::view::scene::shaded;
use crate::editor::view::{Source, View};
use crate::render::frame::bones::{self, BoneStyle};
use crate::render::frame::bounds::Aabb;
use crate::render::frame::{Frame, ModelDraw, Surface};
use keypose::anim::clip::Clip;
use keypose::anim::pose::ModelPose;
use keypose::anim::skeleton::BoneIndex;
use keypose::anim::time::Time;
use keypose::assets::clip_notes::Derivation;
use keypose::assets::model::Model;

/// The gap between both models, as a fraction of the height.
const GAP: f32 = 0.15;
/// Maximum half width of a model, as a fraction of its height: in a T-pose the arms are wider than in most clips.
const MAX_HALF: f32 = 0.35;

/// The source model of a retargeted clip, posed.
#[derive(Clone, Debug)]
pub struct Beside {
    /// The model of the source.
    pub model: Arc<Model>,
    pub pose: Arc<ModelPose>,
    pub world_from_model: Mat4,
}

/// The source model beside the active one; `None` unless that shows a clip of another model.
pub fn beside(source: Source<'_>, view: &View) -> Option<Beside> {
    let target = view.model.as_ref()?;
    let (model, clip, time) = shown(source, view)?;
    let pose = model_pose(&model.skeleton, &source.caches.bakes.pose(clip, &model.skeleton, time));
    let (own, other) = (room(source, target), room(source, model));
    let apart = own.half + other.half + GAP * own.height.max(other.height);
    let world_from_model = Mat4::from_translation(Vec3::X * -apart);
    Some(Beside { model: model.clone(), pose: Arc::new(pose), world_from_model })
}

/// The model and the clip that are followed, and their time.
fn shown<'a>(source: Source<'a>, view: &View) -> Option<(&'a Arc<Model>, &'a Arc<Clip>, Time)> {
    let session = source.session;
    if let Some(preview) = session.transient.pose.retargeting() {
        let (model, clip) = source.document.owner_of(preview.source)?;
        return Some((model, clip, preview.time));
    }
    if !session.is_on(Switch::SourceBeside) || !session.shows_clip() {
        return None;
    }
    let derived = view.model.as_ref()?.derived(view.clip_id?)?;
    let (model, clip) = source.document.owner_of(derived.source)?;
    (derived.how == Derivation::Retargeted).then_some((model, clip, view.time))
}

/// The room that a model needs at rest.
#[derive(Clone, Copy)]
struct Room {
    /// Half of its width.
    half: f32,
    height: f32,
}

fn room(source: Source<'_>, model: &Model) -> Room {
    let bounds = source.caches.bounds(model).posed(&model.skeleton.rest_model_pose());
    let size = if bounds.is_empty() { Vec3::ONE } else { bounds.max - bounds.min };
    Room { half: (size.x * 0.5).min(size.y * MAX_HALF), height: size.y }
}

impl Beside {
    /// The box around it in the world.
    pub fn bounds(&self, source: Source<'_>) -> Aabb {
        source.caches.bounds(&self.model).posed(&self.pose).transformed(&self.world_from_model)
    }

    /// Draws the model, and its bones like those of the active one. A model without meshes consists of bones.
    pub fn draw(&self, source: Source<'_>, frame: &mut Frame) {
        let session = source.session;
        let draw = ModelDraw::new(self.model.clone(), self.pose.clone());
        let surface = match session.workspace.display.shading.surface(None) {
            Surface::Weights(_) => Surface::Weights(BoneIndex::MAX),
            surface => surface,
        };
        let (world_from_model, bounds) = (self.world_from_model, Some(source.caches.bounds(&self.model)));
        frame.models.push(ModelDraw { world_from_model, bounds, ..shaded(draw, surface) });
        let shows_bones = session.is_on(Switch::Skeleton) && session.is_on(Switch::Overlays);
        if shows_bones || self.model.meshes.is_empty() {
            let shapes = bones::shapes(&self.model.skeleton, &self.pose, &self.world_from_model);
            bones::draw(&mut frame.overlay, &frame.camera, &shapes, |_| Some(BoneStyle::PLAIN));
        }
    }
}
