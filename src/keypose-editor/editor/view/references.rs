//! Reference images and films: how they are drawn and changed. Each is a rectangle in the world, with the proportions of its image.

use std::f32::consts::FRAC_PI_2;
use std::sync::{Arc, LazyLock};

use glam::{Mat4, Vec2, Vec3};

use crate::editor::document::edit::{Edit, ModelEdit};
use crate::render::frame::{ModelDraw, Shadow, Surface};
use keypose::anim::pose::ModelPose;
use keypose::anim::skeleton::{Bone, Skeleton};
use keypose::anim::transform::Transform;
use keypose::assets::material::{AlphaMode, Material, Shading, Wrap};
use keypose::assets::mesh::{Binding, Mesh};
use keypose::assets::model::{MeshSlot, Model, Visibility};
use keypose::assets::reference::{Depth, Facing, Lock, Reference};
use keypose::assets::texture::Texture;

/// The maximum side length of a reference image in pixels; larger images are scaled down.
pub const LONGEST_SIDE: u32 = 2048;

/// The mesh that all rectangles share on the GPU.
struct Square {
    mesh: Arc<Mesh>,
    skeleton: Arc<Skeleton>,
    pose: Arc<ModelPose>,
}

static SQUARE: LazyLock<Square> = LazyLock::new(|| {
    let corners = [[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]];
    let mesh = Mesh {
        name: "reference image".into(),
        positions: corners.map(|[u, v]: [f32; 2]| Vec3::new(u - 0.5, 1.0 - v, 0.0)).to_vec(),
        normals: vec![Vec3::Z; 4],
        uvs: corners.map(Vec2::from).to_vec(),
        colors: Vec::new(),
        indices: vec![0, 1, 2, 0, 2, 3],
        influences: Vec::new(),
        morphs: Vec::new(),
        material: 0,
        binding: Binding::Bone(0),
    };
    let root = Bone { name: "root".into(), parent: None, rest: Transform::IDENTITY };
    let skeleton = Arc::new(Skeleton::new(vec![root]).unwrap_or_default());
    Square { mesh: Arc::new(mesh), pose: Arc::new(skeleton.rest_model_pose()), skeleton }
});

/// The draw call of a reference image, or of a film with this frame.
pub fn draw(reference: &Reference, image: Arc<Texture>) -> ModelDraw {
    let material = Material {
        base_color: [1.0, 1.0, 1.0, reference.opacity],
        texture: Some(0),
        wrap: [Wrap::Clamp; 2],
        alpha_mode: AlphaMode::Blend,
        double_sided: true,
        shading: Shading::Unlit,
        ..Material::default()
    };
    let model = Model {
        skeleton: SQUARE.skeleton.clone(),
        meshes: vec![MeshSlot { mesh: SQUARE.mesh.clone(), visibility: Visibility::Shown }],
        materials: vec![Arc::new(material)],
        textures: vec![image],
        ..Model::default()
    };
    let surface = match reference.depth {
        Depth::Behind => Surface::Backdrop,
        Depth::Before => Surface::Sheet,
    };
    let world_from_model = world_from_square(reference);
    ModelDraw {
        surface,
        shadow: Shadow::None,
        world_from_model,
        ..ModelDraw::new(Arc::new(model), SQUARE.pose.clone())
    }
}

/// From a unit square that stands on its lower edge and faces +z.
fn world_from_square(reference: &Reference) -> Mat4 {
    let Reference { image, facing, offset, height, .. } = reference;
    let width = height * image.width as f32 / image.height.max(1) as f32;
    let turn = match facing {
        Facing::Front => 0.0,
        Facing::Side => FRAC_PI_2,
    };
    Mat4::from_rotation_y(turn)
        * Mat4::from_translation(offset.extend(0.0))
        * Mat4::from_scale(Vec3::new(width, *height, 1.0))
}

/// The edits that change a reference image; empty if it is locked and stays locked.
pub fn changed(model: usize, all: &[Arc<Reference>], at: usize, change: impl FnOnce(&mut Reference)) -> Vec<Edit> {
    let mut references = all.to_vec();
    let Some(reference) = references.get_mut(at) else { return Vec::new() };
    let before = reference.clone();
    change(Arc::make_mut(reference));
    let is_kept = before.lock == Lock::Locked && reference.lock == Lock::Locked;
    if is_kept && before.visibility == reference.visibility {
        return Vec::new();
    }
    vec![ModelEdit::SetReferences { model, references }.into()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_stands_on_its_lower_edge_and_keeps_its_shape() {
        let pixels = vec![0; 4 * 4 * 2].into();
        let image = Texture { name: "a".into(), width: 4, height: 2, data: pixels, source_format: String::new() };
        let mut reference = Reference { offset: Vec2::new(1.0, 0.5), ..Reference::new(Arc::new(image), 3.0) };
        let corner = |reference: &Reference, x, y| world_from_square(reference).transform_point3(Vec3::new(x, y, 0.0));
        assert!(corner(&reference, -0.5, 0.0).abs_diff_eq(Vec3::new(-2.0, 0.5, 0.0), 1e-5));
        assert!(corner(&reference, 0.5, 1.0).abs_diff_eq(Vec3::new(4.0, 3.5, 0.0), 1e-5));
        reference.facing = Facing::Side;
        // Seen from +x, right is −z.
        assert!(corner(&reference, 0.5, 1.0).abs_diff_eq(Vec3::new(0.0, 3.5, -4.0), 1e-5));
    }

    #[test]
    fn a_locked_one_is_only_shown_hidden_or_unlocked() {
        let pixels = vec![0; 4].into();
        let image = Texture { name: "a".into(), width: 1, height: 1, data: pixels, source_format: String::new() };
        let all = [Arc::new(Reference { lock: Lock::Locked, ..Reference::new(Arc::new(image), 1.0) })];
        assert!(changed(0, &all, 0, |one| one.opacity = 1.0).is_empty());
        assert_eq!(changed(0, &all, 0, |one| one.visibility = Visibility::Hidden).len(), 1);
        assert_eq!(changed(0, &all, 0, |one| one.lock = Lock::Open).len(), 1);
        assert!(changed(0, &all, 1, |one| one.lock = Lock::Open).is_empty());
    }
}
