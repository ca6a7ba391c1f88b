//! The panel of materials, driven by mouse and keys.

use std::sync::Arc;

use keypose::assets::material::{AlphaMode, Filter, Material, Shading, Wrap};
use keypose::assets::model::Visibility;
use keypose::assets::project::Project;
use keypose::assets::reference::{Depth, Reference};
use keypose::assets::texture::Texture;
use keypose_editor::editor::document::edit::ModelEdit;
use keypose_editor::editor::panels::window::layout::Panel;
use keypose_editor::editor::posing::change::Change;
use keypose_editor::editor::state::action::{DocumentAction, FoundImages, MaterialAction};
use keypose_editor::editor::state::effect::{Effect, PathPurpose};

use crate::driver::{Driver, arm};

fn project() -> Project {
    let mut project = arm();
    let model = Arc::make_mut(&mut project.models[0]);
    let material = |name: &str, texture| Arc::new(Material { name: name.into(), texture, ..Material::default() });
    model.materials = vec![material("plate", Some(0)), material("cloth", None)];
    let pixels = vec![200; 16].into();
    let steel = Texture { name: "steel".into(), width: 2, height: 2, data: pixels, source_format: "png".into() };
    model.textures = vec![Arc::new(steel)];
    project
}

fn driver() -> Driver {
    let mut driver = Driver::new(project(), [1280.0, 900.0]);
    driver.show(Panel::Materials);
    driver
}

fn material(driver: &Driver, at: usize) -> Material {
    Material::clone(&driver.model().materials[at])
}

#[test]
fn a_drag_of_a_number_is_one_step_and_its_menu_resets() {
    let mut driver = driver();
    driver.drag("Opacity0", [-60.0, 0.0]);
    let opacity = material(&driver, 0).base_color[3];
    assert!(opacity < 0.95, "{opacity}");
    assert_eq!(driver.editor.history.labels().collect::<Vec<_>>(), ["Set opacity"]);
    driver.choose_in_menu("Opacity0", "Reset");
    assert_eq!(material(&driver, 0).base_color[3], 1.0);
}

#[test]
fn glow_metalness_and_roughness_are_set() {
    let mut driver = driver();
    driver.drag("Metallic0", [60.0, 0.0]);
    driver.drag("Roughness0", [-60.0, 0.0]);
    let set = material(&driver, 0);
    assert!(set.metallic > 0.05 && set.roughness < 0.95, "{set:?}");
    driver.click("Glow");
    driver.frames(3);
    driver.drag("picker-Glow", [20.0, -30.0]);
    assert_ne!(material(&driver, 0).emissive, [0.0; 3]);
    let labels: Vec<_> = driver.editor.history.labels().collect();
    assert_eq!(labels, ["Set metalness", "Set roughness", "Set glow"]);
}

#[test]
fn a_drag_in_the_picker_is_one_step() {
    let mut driver = driver();
    driver.click("Colour");
    driver.frames(3);
    driver.drag("picker-Colour", [20.0, 30.0]);
    assert_ne!(material(&driver, 0).base_color, [1.0; 4]);
    assert_eq!(material(&driver, 0).base_color[3], 1.0);
    assert_eq!(driver.editor.history.labels().collect::<Vec<_>>(), ["Set colour"]);
}

#[test]
fn every_choice_is_a_step_on_the_material_that_is_picked() {
    let mut driver = driver();
    for id in ["Alpha-Mask", "Sides-Both", "Shading-Unlit", "Filter-Pixels", "Wrap U-Mirror", "Wrap V-Clamp"] {
        driver.click(id);
    }
    let plate = material(&driver, 0);
    assert_eq!(plate.alpha_mode, AlphaMode::Mask(0.5));
    assert_eq!((plate.double_sided, plate.shading, plate.filter), (true, Shading::Unlit, Filter::Nearest));
    assert_eq!(plate.wrap, [Wrap::Mirror, Wrap::Clamp]);
    assert_eq!(driver.editor.history.undo_count(), 6);
    driver.click("Sides-Both");
    assert_eq!(driver.editor.history.undo_count(), 6, "what is chosen already is no step");
    driver.click("material1");
    driver.click("Alpha-Blend");
    assert_eq!(material(&driver, 1).alpha_mode, AlphaMode::Blend);
    assert_eq!(material(&driver, 0), plate);
}

#[test]
fn a_texture_is_removed_chosen_again_and_requested() {
    let mut driver = driver();
    driver.click("remove-texture");
    assert_eq!(material(&driver, 0).texture, None);
    assert!(!driver.has("texture-picture") && !driver.has("Filter-Pixels"));
    driver.choose("Texture", "steel");
    assert_eq!(material(&driver, 0).texture, Some(0));
    driver.click("replace-texture");
    assert!(matches!(driver.effects.last(), Some(Effect::AskPath(PathPurpose::Texture))));
}

#[test]
fn a_reference_image_is_dragged_locked_and_removed() {
    let mut driver = Driver::new(project(), [1280.0, 900.0]);
    let image = driver.model().textures[0].clone();
    let references = vec![Arc::new(Reference::new(image, 2.0))];
    let change = Change::Edits(vec![ModelEdit::SetReferences { model: 0, references }.into()]);
    driver.update(DocumentAction::Edit { label: "add".into(), change });
    driver.show(Panel::References);
    driver.drag("Offset0", [30.0, 0.0]);
    assert!(driver.model().references[0].offset.x > 0.0);
    driver.click("Depth-In front");
    assert_eq!(driver.model().references[0].depth, Depth::Before);
    driver.click("eye0");
    assert_eq!(driver.model().references[0].visibility, Visibility::Hidden);
    driver.click("lock0");
    driver.frames(2);
    assert!(!driver.has("Offset0"), "what is locked shows no values");
    driver.click("lock0");
    driver.frames(2);
    driver.click("remove-reference");
    assert!(driver.model().references.is_empty());
    assert_eq!(driver.editor.history.undo_count(), 7);
    driver.click("AddReference");
    assert!(matches!(driver.effects.last(), Some(Effect::AskPath(PathPurpose::Reference))));
}

#[test]
fn a_dropped_image_is_asked_about() {
    let mut driver = driver();
    driver.update(MaterialAction::DropImage("a/rust.png".into()));
    driver.frames(3);
    driver.click("dropped0");
    assert!(matches!(driver.effects.last(), Some(Effect::ReadImage { .. })));
    assert_eq!(driver.editor.session.transient.question, None);
}

#[test]
fn without_materials_there_is_nothing_to_set() {
    let mut driver = Driver::new(arm(), [1280.0, 900.0]);
    driver.show(Panel::Materials);
    assert!(!driver.has("materials") && !driver.has("Colour"));
}

#[test]
fn missing_images_are_marked_and_found_below_a_folder_in_one_step() {
    let mut project = project();
    let model = Arc::make_mut(&mut project.models[0]);
    let missing = |name: &str| {
        let (name, pixels, source_format) = (name.into(), vec![255; 4].into(), Texture::MISSING.into());
        Arc::new(Texture { name, width: 1, height: 1, data: pixels, source_format })
    };
    model.textures.extend([missing("skin.png"), missing("hair.png")]);
    let material = |name: &str, texture| Arc::new(Material { name: name.into(), texture, ..Material::default() });
    model.materials.extend([material("skin", Some(1)), material("lips", Some(1)), material("hair", Some(2))]);
    let mut driver = Driver::new(project, [1280.0, 1400.0]);
    driver.show(Panel::Materials);
    driver.frames(2);
    assert!(!driver.has("missing-image0") && driver.has("missing-image2") && !driver.has("find-textures"));
    driver.click("material2");
    driver.frames(2);
    driver.click("find-textures");
    assert!(matches!(driver.effects.last(), Some(Effect::AskPath(PathPurpose::TextureFolder))));
    driver.update(MaterialAction::FindTextures(Some("textures".into())));
    let Some(Effect::FindImages { search, .. }) = driver.effects.last().cloned() else {
        panic!("{:?}", driver.effects)
    };
    assert_eq!(search.names, ["skin.png", "hair.png"]);
    let image = |name: &str| Arc::new(Texture { source_format: "tga".into(), ..Texture::clone(&missing(name)) });
    let found = FoundImages { folder: "textures".into(), images: vec![image("skin.png")], faults: Vec::new() };
    driver.update(MaterialAction::ImagesFound { search, found });
    driver.frames(2);
    assert!(!driver.has("missing-image2") && !driver.has("missing-image3") && driver.has("missing-image4"));
    assert_eq!(driver.notice(), "Found 1 of 2 images below textures");
    assert_eq!(driver.editor.session.workspace.log.last().unwrap().details, ["not found: hair.png"]);
    assert_eq!(driver.editor.history.labels().collect::<Vec<_>>(), ["Find textures"]);
}
