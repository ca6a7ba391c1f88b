//! The pixel view: the pose that it shows, and the direction from which. The program draws the pixels.

use std::sync::Arc;

use crate::editor::session::Session;
use crate::editor::session::scene::Scene;
use crate::editor::session::switch::Switch;
use crate::editor::view::sockets::held_names;
use crate::editor::view::{Source, View, interpolated};
use crate::render::frame::bounds::ModelBounds;
use crate::render::frame::sprite_view::{Direction, directions_of};
use keypose::anim::pose::ModelPose;
use keypose::anim::skin::method::Method;
use keypose::assets::model::Model;

/// A pose to draw as the sprite sheet would.
#[derive(Clone, Debug)]
pub struct PixelPose {
    pub model: Arc<Model>,
    pub bounds: Arc<ModelBounds>,
    pub pose: Arc<ModelPose>,
    /// The names of the models on its sockets.
    pub held: Vec<String>,
    /// The one of the recipe's directions that is nearest to the camera.
    pub direction: Direction,
}

/// Whether the viewport shows pixels instead of the model.
pub fn is_shown(session: &Session) -> bool {
    session.is_on(Switch::PixelView) && matches!(session.transient.scene, Scene::Model)
}

/// The pose of the pixel view; `None` while it isn't shown.
pub fn posed(source: Source<'_>, view: &View) -> Option<PixelPose> {
    let model = view.model.as_ref().filter(|_| is_shown(source.session))?;
    let bounds = source.caches.bounds(model);
    let direction = direction(source.session, model)?;
    let held = held_names(source, view, model).into_iter().map(str::to_owned).collect();
    let is_mixed = model.skinning == Method::Interpolated && source.session.shows_clip() && view.draft.is_none();
    let clip = view.clip.as_ref().filter(|_| is_mixed);
    let mixed = clip.and_then(|clip| interpolated::mixed(clip, &model.skeleton, view.time, &view.pose));
    let pose = Arc::new(mixed.unwrap_or_else(|| view.pose.clone()));
    Some(PixelPose { model: model.clone(), bounds, pose, held, direction })
}

/// The one of the recipe's directions that is nearest to the camera.
pub fn direction(session: &Session, model: &Model) -> Option<Direction> {
    let likeness = |direction: &Direction| (direction.radians + session.focus.camera.yaw).cos();
    directions_of(&model.sprites).into_iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b)))
}
