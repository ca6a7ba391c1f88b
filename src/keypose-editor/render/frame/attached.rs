//! Models attached to the sockets of a drawn model, such as a sword. One level deep: attached models have no
//! attachments.

use std::sync::Arc;

use crate::render::frame::{ModelDraw, Surface};
use keypose::anim::skeleton::BoneIndex;
use keypose::assets::model::{Model, Socket};

/// The models attached to the sockets of a drawn model, in their rest poses, with its surface, tint and shadow. Unknown
/// names, and a model attached to itself, are ignored.
pub fn attached(draw: &ModelDraw, models: &[Arc<Model>]) -> Vec<ModelDraw> {
    attached_by(draw, |at| {
        let socket = draw.model.sockets.get(at).filter(|socket| !socket.attached.is_empty())?;
        models.iter().find(|model| model.name == socket.attached)
    })
}

/// As [`attached`], with the names of the models on all sockets, as the events of a clip put them there.
pub fn attached_as(draw: &ModelDraw, models: &[Arc<Model>], names: &[impl AsRef<str>]) -> Vec<ModelDraw> {
    attached_by(draw, |at| {
        let name = names.get(at).map(AsRef::as_ref).filter(|name| !name.is_empty())?;
        models.iter().find(|model| model.name == name)
    })
}

/// As [`attached`], with the model of each socket, which is given by its index.
pub fn attached_by<'m>(draw: &ModelDraw, model_of: impl Fn(usize) -> Option<&'m Arc<Model>>) -> Vec<ModelDraw> {
    // Weights are shown for a bone of the other model.
    let surface = match draw.surface {
        Surface::Weights(_) => Surface::Weights(BoneIndex::MAX),
        surface => surface,
    };
    let of_socket = |(at, socket): (usize, &Socket)| {
        let model = model_of(at).filter(|model| !Arc::ptr_eq(model, &draw.model))?;
        let model_from_socket = draw.bone(socket.bone).to_mat4() * socket.transform.to_mat4();
        Some(ModelDraw {
            model: model.clone(),
            pose: Arc::new(model.skeleton.rest_model_pose()),
            world_from_model: draw.world_from_model * model_from_socket,
            surface,
            method: model.skinning,
            next: None,
            bounds: None,
            ..draw.clone()
        })
    };
    draw.model.sockets.iter().enumerate().filter_map(of_socket).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::frame::NextPose;
    use glam::{Mat4, Vec3};
    use keypose::anim::mat34::Mat3x4;
    use keypose::anim::skeleton::{Bone, Skeleton};
    use keypose::anim::skin::method::Method;
    use keypose::anim::transform::Transform;

    #[test]
    fn a_sword_follows_the_hand() {
        let rest = Transform::from_translation(Vec3::new(1.0, 2.0, 0.0));
        let skeleton = Skeleton::new(vec![Bone { name: "hand".into(), parent: None, rest }]).unwrap();
        let socket = |attached: &str| Socket {
            name: attached.into(),
            bone: 0,
            transform: Transform::from_translation(Vec3::Z),
            attached: attached.into(),
        };
        let sockets = ["sword", "gone", "knight", ""].map(socket).to_vec();
        let knight = Model { name: "knight".into(), skeleton: Arc::new(skeleton), sockets, ..Model::default() };
        let knight = Arc::new(knight);
        let models = [knight.clone(), Arc::new(Model { name: "sword".into(), ..Model::default() })];
        let mut draw = ModelDraw::new(knight.clone(), Arc::new(knight.skeleton.rest_model_pose()));
        draw.world_from_model = Mat4::from_translation(Vec3::X * 10.0);
        let drawn = attached(&draw, &models);
        assert_eq!(drawn.len(), 1);
        assert_eq!(drawn[0].model.name, "sword");
        assert_eq!(drawn[0].world_from_model.w_axis.truncate(), Vec3::new(11.0, 2.0, 1.0));
        // Between two keyframes of interpolated matrices, where the hand is drawn.
        let mut moved = knight.skeleton.rest_model_pose();
        moved.bones[0] = Mat3x4::from_mat4(&Mat4::from_translation(Vec3::new(5.0, 2.0, 0.0)));
        (draw.method, draw.next) = (Method::Interpolated, Some(NextPose { pose: Arc::new(moved), fraction: 0.5 }));
        let drawn = attached(&draw, &models);
        assert_eq!(drawn[0].world_from_model.w_axis.truncate(), Vec3::new(13.0, 2.0, 1.0));
        assert_eq!((drawn[0].method, &drawn[0].next), (Method::Linear, &None), "those are of the knight's bones");
    }
}
