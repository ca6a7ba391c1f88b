//! Texture frames: the division of a material's texture into a sheet, and poses of the frame that it shows.

use glam::{Vec2, Vec4};

use crate::editor::document::edit::{Edit, ModelEdit};
use crate::editor::ops::posed::Posed;
use keypose::anim::key::Channel;
use keypose::anim::scalar::{Scalar, ScalarIndex, ScalarKind, Sheet};
use keypose::assets::material::Material;
use keypose::assets::model::Model;

/// The edits that divide the texture of a material into frames, or undo that and delete the keys of its frame.
pub fn sheet_edits(index: usize, model: &Model, material: usize, sheet: Option<Sheet>) -> Vec<Edit> {
    let Some(before) = model.materials.get(material) else { return Vec::new() };
    let found = model.frame_of(before);
    let kind = sheet.map(ScalarKind::Frame);
    let edit = match (found, kind) {
        (Some((scalar, _)), Some(kind)) => model.skeleton.scalar(scalar).map(|before| ModelEdit::SetScalar {
            model: index,
            scalar,
            with: Scalar { kind, ..before.clone() },
        }),
        (Some((scalar, _)), None) => Some(ModelEdit::RemoveScalar { model: index, scalar }),
        (None, Some(kind)) => {
            let mesh = model.meshes.iter().position(|slot| slot.mesh.material == material);
            let (bone, name) = (mesh.map_or(0, |mesh| model.bone_of(mesh)), Scalar::frame_name(&before.name));
            Some(ModelEdit::AddScalar { model: index, scalar: Scalar { name, bone, kind, default: 0.0 } })
        }
        (None, None) => None,
    };
    let mut with = Material::clone(before);
    with.uv_transform.scale = fitted(model, material, found.map(|(_, sheet)| sheet), sheet);
    // Also if it stays: the edits may be previewed over a document in which it is another one.
    let set = edit.is_some().then_some(ModelEdit::SetMaterial { model: index, material, with });
    edit.into_iter().chain(set).map(Edit::from).collect()
}

/// The scale of the texture with another sheet. Texture coordinates that cover the whole image, or a frame of the sheet before, are
/// scaled to one frame; others, which are those of the first frame, stay.
fn fitted(model: &Model, material: usize, before: Option<Sheet>, sheet: Option<Sheet>) -> Vec2 {
    let frame = |sheet: Option<Sheet>| sheet.map_or(Vec2::ONE, Sheet::size);
    let uvs = model.meshes.iter().filter(|slot| slot.mesh.material == material).flat_map(|slot| &slot.mesh.uvs);
    let (low, high) = uvs.fold((Vec2::INFINITY, Vec2::NEG_INFINITY), |(low, high), uv| (low.min(*uv), high.max(*uv)));
    let scale = model.materials[material].uv_transform.scale;
    let (old, new, span) = (frame(before), frame(sheet), (high - low) * scale);
    let is_whole = |axis: usize| before.is_some() || span[axis] > new[axis] * 1.01;
    let of =
        |axis: usize| if (scale[axis] - old[axis]).abs() < 1e-5 && is_whole(axis) { new[axis] } else { scale[axis] };
    Vec2::new(of(0), of(1))
}

/// The frame of a material's texture sheet, or else the first one of the model.
pub fn frame_near(model: &Model, material: usize) -> Option<(ScalarIndex, Sheet)> {
    let of = |material| model.frame_of(material);
    let mut all = model.materials.iter().map(|material| &**material);
    model.materials.get(material).and_then(|material| of(material)).or_else(|| all.find_map(of))
}

/// The pose in which a frame is shown.
pub fn posed(model: &Model, scalar: ScalarIndex, frame: f32) -> Vec<Posed> {
    let bone = model.skeleton.scalar(scalar).map_or(0, |scalar| scalar.bone);
    vec![Posed { bone, channel: Channel::Scalar(scalar), value: Vec4::X * frame }]
}
