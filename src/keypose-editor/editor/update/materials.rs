//! Actions on materials, their textures and reference images.

use std::path::PathBuf;
use std::sync::Arc;

use crate::editor::commands::needs;
use crate::editor::document::edit::{Edit, ModelEdit};
use crate::editor::session::Question;
use crate::editor::session::browser::kinds::FileKind;
use crate::editor::session::notice::{Notice, NoticeKind};
use crate::editor::session::switch::Switch;
use crate::editor::state::Editor;
use crate::editor::state::action::{DropPurpose, FoundImages, MaterialAction};
use crate::editor::state::effect::{Effect, ImagePlace, ImagePurpose, ImageSearch, PathPurpose};
use crate::editor::update::notices::show;
use crate::editor::update::{ask_if_free, info, step, step_all, transaction, warning};
use crate::editor::view::references::changed;
use keypose::anim::time::FrameRate;
use keypose::assets::material::Material;
use keypose::assets::model::Model;
use keypose::assets::project::unique_name;
use keypose::assets::reference::{Film, FilmSource, Reference};
use keypose::assets::texture::Texture;

/// Handles an action on materials or reference images.
pub fn act(editor: &mut Editor, action: MaterialAction) {
    match action {
        MaterialAction::Pick(material) => editor.session.focus.material = material,
        MaterialAction::ReplaceTexture(path) => replace_texture(editor, path),
        MaterialAction::FindTextures(folder) => find_textures(editor, folder),
        MaterialAction::ImagesFound { search, found } => images_found(editor, &search, &found),
        MaterialAction::RemoveTexture => remove_texture(editor),
        MaterialAction::AddReference(path) => add_reference(editor, path),
        MaterialAction::AddFilm(path) => match editor.model() {
            Some(_) => read(editor, path, ImagePurpose::Film, PathPurpose::Film),
            None => info(editor, needs::NO_MODEL),
        },
        MaterialAction::KeepFilm(at) => keep_film(editor, at),
        MaterialAction::PickReference(reference) => editor.session.focus.reference = reference,
        MaterialAction::DropImage(path) => drop_image(editor, path),
        MaterialAction::AnswerDrop(purpose) => answer_drop(editor, purpose),
        MaterialAction::ImageRead { place, image } => image_read(editor, &place, image),
        MaterialAction::FilmRead { place, image, source } => film_read(editor, &place, image, source),
    }
}

/// Reads an image for the texture of the active material, or asks for a path.
fn replace_texture(editor: &mut Editor, path: Option<PathBuf>) {
    let Some((_, material)) = editor.material() else {
        return info(editor, needs::NO_MATERIAL);
    };
    let purpose = ImagePurpose::Texture(material.name.clone());
    read(editor, path, purpose, PathPurpose::Texture);
}

/// Reads a reference image, or asks for a path.
fn add_reference(editor: &mut Editor, path: Option<PathBuf>) {
    match editor.model() {
        Some(_) => read(editor, path, ImagePurpose::Reference, PathPurpose::Reference),
        None => info(editor, needs::NO_MODEL),
    }
}

fn read(editor: &mut Editor, path: Option<PathBuf>, purpose: ImagePurpose, ask: PathPurpose) {
    let model = editor.model().map(|model| model.name.clone()).unwrap_or_default();
    editor.effects.push(match path {
        None => Effect::AskPath(ask),
        Some(path) => Effect::ReadImage { path, place: ImagePlace { opened: editor.opened, model, purpose } },
    });
}

/// Reads the files of a film, to keep them.
fn keep_film(editor: &mut Editor, at: usize) {
    let reference = editor.model().and_then(|model| model.references.get(at)).cloned();
    let Some((reference, film)) = reference.as_ref().and_then(|one| Some((one, one.film.as_ref()?))) else { return };
    let purpose = ImagePurpose::FilmFiles(reference.name().to_owned());
    read(editor, Some(film.source.path.clone().into()), purpose, PathPurpose::Film);
}

/// Adds a film that was read, or keeps its files, in one undo step, unless its model is gone.
fn film_read(editor: &mut Editor, place: &ImagePlace, image: Arc<Texture>, mut source: FilmSource) {
    let model = editor.document.model_named(&place.model);
    let (Some(model), true) = (model, editor.opened == place.opened) else {
        return warning(editor, format!("{}: its model {} no longer exists.", image.name, place.model));
    };
    transaction::commit(editor);
    if let ImagePurpose::FilmFiles(name) = &place.purpose {
        let all = editor.document.models[model].references.clone();
        let is_it = |one: &Arc<Reference>| one.name() == name && one.film.is_some();
        let Some(at) = all.iter().position(is_it) else {
            return warning(editor, format!("{name}: the film no longer exists."));
        };
        let keep = |one: &mut Reference| one.film.iter_mut().for_each(|film| film.source.files = source.files.clone());
        return step_all(editor, "Keep film in archive", changed(model, &all, at, keep));
    }
    if source.fps > 0.0 {
        source.fps = editor.clip().map_or(FrameRate::FPS_30, |slot| slot.clip.frame_rate).fps() as f32;
    }
    place_reference(editor, model, image, Some(Film::new(source)));
}

/// Asks for the purpose of a dropped image; a film, and an image without a material it can only be a reference image.
fn drop_image(editor: &mut Editor, path: PathBuf) {
    match editor.material() {
        Some(_) if FileKind::of(&path) != FileKind::Film => {
            ask_if_free(editor, Question::DroppedImage(path));
        }
        _ => add_reference(editor, Some(path)),
    }
}

/// Reads the dropped image for the purpose that the user picked.
fn answer_drop(editor: &mut Editor, purpose: Option<DropPurpose>) {
    let Some(Question::DroppedImage(path)) = editor.session.transient.question.take() else { return };
    match purpose {
        Some(DropPurpose::Texture) => replace_texture(editor, Some(path)),
        Some(DropPurpose::Reference) => add_reference(editor, Some(path)),
        None => {}
    }
}

/// Applies an image that was read, in one undo step, unless its model or material is gone.
fn image_read(editor: &mut Editor, place: &ImagePlace, image: Arc<Texture>) {
    let model = editor.document.model_named(&place.model);
    let (Some(model), true) = (model, editor.opened == place.opened) else {
        return warning(editor, format!("{}: its model {} no longer exists.", image.name, place.model));
    };
    transaction::commit(editor);
    let name = match &place.purpose {
        ImagePurpose::Reference | ImagePurpose::Film | ImagePurpose::FilmFiles(_) => {
            return place_reference(editor, model, image, None);
        }
        ImagePurpose::Texture(name) => name,
    };
    let materials = &editor.document.models[model].materials;
    match materials.iter().position(|material| material.name == *name) {
        Some(material) => step(editor, "Replace texture image", ModelEdit::SetImage { model, material, image }),
        None => {
            warning(editor, format!("{}: its material {name} no longer exists.", image.name));
        }
    }
}

/// Finds the missing images of the active model below a folder, or asks for it.
fn find_textures(editor: &mut Editor, folder: Option<PathBuf>) {
    let Some(model) = editor.model() else { return info(editor, needs::NO_MODEL) };
    let names: Vec<String> = model.missing_textures().map(|texture| texture.name.clone()).collect();
    if names.is_empty() {
        return info(editor, needs::ALL_FOUND);
    }
    let search = ImageSearch { model: model.name.clone(), names };
    editor.effects.push(match folder {
        Some(folder) => Effect::FindImages { folder, search },
        None => Effect::AskPath(PathPurpose::TextureFolder),
    });
}

/// Applies the images that were found, in one undo step, and says how many.
fn images_found(editor: &mut Editor, search: &ImageSearch, found: &FoundImages) {
    let Some(index) = editor.document.model_named(&search.model) else { return };
    transaction::commit(editor);
    let model = &editor.document.models[index];
    let edit = |image: &Arc<Texture>| -> Option<Edit> {
        let is_it = |texture: &Arc<Texture>| texture.is_missing() && texture.name == image.name;
        let texture = model.textures.iter().position(is_it)?;
        let material = model.materials.iter().position(|material| material.texture == Some(texture))?;
        Some(ModelEdit::SetImage { model: index, material, image: image.clone() }.into())
    };
    let edits: Vec<Edit> = found.images.iter().filter_map(edit).collect();
    let (count, wanted) = (edits.len(), search.names.len());
    if count > 0 {
        step_all(editor, "Find textures", edits);
    }
    let images = if wanted == 1 { "image" } else { "images" };
    let text = format!("Found {count} of {wanted} {images} below {}", found.folder.display());
    let lost = search.names.iter().filter(|name| found.images.iter().all(|image| image.name != **name));
    let lost = lost.map(|name| format!("not found: {name}"));
    let details: Vec<String> = lost.chain(found.faults.iter().cloned()).collect();
    let kind = if count == wanted { NoticeKind::Info } else { NoticeKind::Warning };
    show(editor, Notice::with_details(kind, &text, &details));
}

/// Adds a reference image or film with the height of the model, makes it active and shows it.
fn place_reference(editor: &mut Editor, at: usize, image: Arc<Texture>, film: Option<Film>) {
    let model = editor.document.models[at].clone();
    let name = unique_name(&image.name, |name| model.references.iter().any(|other| other.name() == name));
    let image = if name == image.name { image } else { Arc::new(Texture { name, ..Texture::clone(&image) }) };
    let mut references = model.references.clone();
    let label = if film.is_some() { "Add reference film" } else { "Add reference image" };
    references.push(Arc::new(Reference { film, ..Reference::new(image, height_of(editor, &model)) }));
    editor.session.focus.reference = references.len() - 1;
    editor.session.workspace.switches.insert(Switch::References);
    step(editor, label, ModelEdit::SetReferences { model: at, references });
}

/// The height from the ground to the top of the model at rest; 1 for a model without meshes and bones.
fn height_of(editor: &Editor, model: &Arc<Model>) -> f32 {
    let bounds = editor.caches.bounds(model).posed(&model.skeleton.rest_model_pose());
    let height = bounds.max.y - bounds.min.y.min(0.0);
    if bounds.is_empty() || !height.is_finite() || height <= 1e-3 { 1.0 } else { height }
}

/// Removes the texture from the material; the model keeps the texture, for other materials and to be set again.
fn remove_texture(editor: &mut Editor) {
    let Some((at, material)) = editor.material() else { return };
    let with = Material { texture: None, ..Material::clone(material) };
    let edit = ModelEdit::SetMaterial { model: editor.session.focus.model, material: at, with };
    step(editor, "Remove texture", edit);
}
