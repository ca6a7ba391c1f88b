//! Edits of materials and their textures.

use std::sync::Arc;

use crate::editor::document::apply::{checked_name, refused};
use crate::editor::document::edit::EditError;
use crate::editor::document::scalars;
use keypose::anim::scalar::Scalar;
use keypose::assets::material::Material;
use keypose::assets::model::Model;
use keypose::assets::project::unique_name;
use keypose::assets::texture::Texture;

/// Replaces a material. The frame of its texture sheet follows its name.
pub fn set_material(model: &mut Model, at: usize, material: &Material) -> Result<(), EditError> {
    let has_textures = material.textures().all(|texture| texture < model.textures.len());
    let checked = material.check().and(if has_textures { Ok(()) } else { Err("the texture does not exist") });
    checked.map_err(|reason| refused(model, format!("material {}: {reason}", material.name)))?;
    let is_taken =
        |name: &str| model.materials.iter().enumerate().any(|(other, material)| other != at && material.name == name);
    let name = checked_name(&material.name, is_taken)?;
    let before = std::mem::replace(slot(model, at)?, Arc::new(Material { name, ..material.clone() }));
    match model.frame_of(&before).filter(|_| before.name != material.name) {
        None => Ok(()),
        Some((scalar, _)) => {
            let frame = model.skeleton.scalars()[usize::from(scalar)].clone();
            scalars::set(model, scalar, &Scalar { name: Scalar::frame_name(&material.name), ..frame })
        }
    }
}

/// Replaces the image of a material's texture for every material that shares it. Creates a texture if there is none.
pub fn set_image(model: &mut Model, material: usize, image: &Arc<Texture>) -> Result<(), EditError> {
    if !image.is_valid() {
        return Err(refused(model, format!("image {}: size and pixel count disagree", image.name)));
    }
    let before = slot(model, material)?.texture;
    let others = model.textures.iter().enumerate().filter(|(at, _)| before != Some(*at));
    let names: Vec<&str> = others.map(|(_, texture)| texture.name.as_str()).collect();
    let name = unique_name(&image.name, |name| names.contains(&name));
    let image = if name == image.name { image.clone() } else { Arc::new(Texture { name, ..Texture::clone(image) }) };
    match before.and_then(|at| model.textures.get_mut(at)) {
        Some(texture) => *texture = image,
        None => {
            model.textures.push(image);
            let last = model.textures.len() - 1;
            Arc::make_mut(slot(model, material)?).texture = Some(last);
        }
    }
    Ok(())
}

fn slot(model: &mut Model, at: usize) -> Result<&mut Arc<Material>, EditError> {
    let missing = EditError::NoMaterial { model: model.name.clone(), material: at };
    model.materials.get_mut(at).ok_or(missing)
}
