//! Root speeds: how fast clips move the character in the level, read from the planted feet. For the bench and for blends.

use std::sync::Arc;

use crate::editor::view::cache::Cache;
use crate::editor::view::caches::Bakes;
use crate::render::frame::bounds::Shape;
use keypose::anim::clip::Clip;
use keypose::assets::fit::{Fit, deform_bones, fit};
use keypose::assets::gait::{Gait, walking};
use keypose::assets::model::Model;
use keypose::assets::recent::ByAddress;
use keypose_tools::balance::Volumes;
use keypose_tools::clip_check::Footing;

/// The size of a model in the level, the bones that deform it, and their volumes.
#[derive(Clone, Debug)]
pub struct Proportions {
    pub fit: Fit,
    pub bones: Arc<[usize]>,
    pub volumes: Arc<Volumes>,
}

impl Proportions {
    /// Reads every vertex of the model.
    pub fn of(model: &Model) -> Proportions {
        Proportions { fit: fit(model), bones: deform_bones(model).into(), volumes: Arc::new(Volumes::of(model)) }
    }
}

/// Cached measures of models and clips.
#[derive(Clone, Debug, Default)]
pub struct RootSpeeds {
    models: Cache<Shape, Proportions, 4>,
    gaits: Cache<(Shape, ByAddress<Clip>), Gait, 8>,
}

impl RootSpeeds {
    /// The model's size in the level.
    pub fn fit(&self, model: &Model) -> Fit {
        self.proportions(model).fit
    }

    /// The gait of a clip, read from the feet; the default if the character doesn't stand on them. `None` while its bake is made, which is
    /// sampled: keys take longer the more there are.
    pub fn gait(&self, model: &Model, clip: &Arc<Clip>, bakes: &Bakes) -> Option<Gait> {
        if Footing::of(model, &clip.name) == Footing::OffGround {
            return Some(Gait::default());
        }
        let key = (Shape::of(model), ByAddress::from(clip));
        if let Some(gait) = self.gaits.peek(&key) {
            return Some(gait);
        }
        let baked = bakes.ready(clip, model)?;
        let Proportions { fit, bones, .. } = self.proportions(model);
        let compute = || walking(&model.skeleton, &baked, &bones, fit.height);
        Some(self.gaits.get(key, compute))
    }

    /// The speed of a clip in the level, in metres per second; negative if it walks backwards. `None` while its bake is made.
    pub fn speed(&self, model: &Model, clip: &Arc<Clip>, bakes: &Bakes) -> Option<f32> {
        let secs = clip.length().secs() as f32;
        let distance = self.gait(model, clip, bakes)?.travel.z * self.fit(model).scale;
        Some(if secs > 0.0 { distance / secs } else { 0.0 })
    }

    /// The proportions of a model.
    pub fn proportions(&self, model: &Model) -> Proportions {
        self.models.get(Shape::of(model), || Proportions::of(model))
    }

    /// Adds proportions that are known.
    pub(super) fn put(&self, shape: Shape, proportions: Proportions) {
        self.models.get(shape, || proportions);
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;
    use keypose::anim::skeleton::{Bone, Skeleton};
    use keypose::anim::transform::Transform;
    use keypose::assets::mesh::{Binding, Mesh};
    use keypose::assets::model::{MeshSlot, Visibility};

    use super::*;

    #[test]
    fn a_model_is_measured_again_after_a_mesh_is_hidden() {
        let root = Bone { name: "root".into(), parent: None, rest: Transform::IDENTITY };
        let slot = |height: f32| {
            let positions = vec![Vec3::ZERO, Vec3::Y * height];
            let mesh = Mesh { positions, ..Mesh::empty("mesh", Binding::Bone(0)) };
            MeshSlot { mesh: mesh.into(), visibility: Visibility::Shown }
        };
        let skeleton = Skeleton::new(vec![root]).unwrap();
        let meshes = vec![slot(2.0), slot(3.0)];
        let mut model = Model { skeleton: skeleton.into(), meshes, ..Model::default() };
        let speeds = RootSpeeds::default();
        assert_eq!(speeds.fit(&model).height, 3.0);
        model.meshes[1].visibility = Visibility::Hidden;
        assert_eq!(speeds.fit(&model).height, 2.0);
    }
}
