//! Materials and their images.

use std::path::PathBuf;
use std::sync::Arc;

use crate::assets::material::Material;
use crate::assets::texture::Texture;
use crate::editor::document::edit::Edit;
use crate::editor::editor::Editor;
use crate::editor::effect::{Ask, Effect, ImagePlace, NoticeKind};
use crate::editor::update::{notice, step, steps};

/// Reads an image for the texture of the material that is shown, or asks for a path.
pub fn swap_image(editor: &mut Editor, path: Option<PathBuf>, effects: &mut Vec<Effect>) {
    let place = editor.model().zip(editor.material()).map(|(model, (_, material))| ImagePlace {
        opened: editor.opened,
        model: model.name.clone(),
        material: material.name.clone(),
    });
    let Some(place) = place else {
        return notice(editor, NoticeKind::Info, NEEDS_MATERIAL, effects);
    };
    effects.push(match path {
        None => Effect::AskPath(Ask::Image),
        Some(path) => Effect::ReadImage { path, place },
    });
}

/// Why there is nothing to give an image to.
pub const NEEDS_MATERIAL: &str = "The model has no material: materials come with its meshes.";

/// An image was read: one step, unless what it was meant for is gone.
pub fn image_read(editor: &mut Editor, place: &ImagePlace, image: Arc<Texture>, effects: &mut Vec<Effect>) {
    let model = editor.document.model_named(&place.model).filter(|_| editor.opened == place.opened);
    let named = |material: &Arc<Material>| material.name == place.material;
    let found = model.and_then(|model| Some((model, editor.document.models[model].materials.iter().position(named)?)));
    let Some((model, material)) = found else {
        let text = format!("{}: the material {} is gone that it was for.", image.name, place.material);
        return notice(editor, NoticeKind::Warning, text, effects);
    };
    steps::commit(editor);
    step(editor, "swap image", vec![Edit::SetImage { model, material, image }], effects);
}

/// Shows the material without a texture; the texture stays, for others and for this one again.
pub fn take_image_off(editor: &mut Editor, effects: &mut Vec<Effect>) {
    let Some((at, material)) = editor.material() else { return };
    let with = Material { texture: None, ..Material::clone(material) };
    let edit = Edit::SetMaterial { model: editor.session.model, material: at, with };
    step(editor, "take texture off", vec![edit], effects);
}
