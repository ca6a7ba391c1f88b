//! Materials, textures and reference images: what a change becomes in the archive and in the journal, and images that are read for them.

use std::sync::Arc;

use keypose::wad;
use keypose::wad::journal::delta;
use keypose_editor::editor::script;
use keypose_editor::editor::state::Editor;
use keypose_editor::editor::state::action::{DocumentAction, DropPurpose, MaterialAction};
use keypose_editor::editor::state::effect::{Effect, PathPurpose};

use crate::editor_kit;

fn edited(words: &str) -> Editor {
    let mut editor = editor_kit::editor();
    script::run(&mut editor, words).unwrap();
    editor
}

/// The image that is asked for, as it was read.
fn answer(editor: &mut Editor, effects: Vec<Effect>, color: [u8; 4]) {
    let [Effect::ReadImage { path, place }] = &effects[..] else { panic!("{effects:?}") };
    let image = Arc::new(editor_kit::image(&path.file_stem().unwrap().to_string_lossy(), color));
    editor.update(MaterialAction::ImageRead { place: place.clone(), image });
}

#[test]
fn looks_survive_the_archive() {
    let words = "material plate color #123456; material plate opacity 0.5; material plate alpha mask 0.3; \
                 material plate filter pixels; material plate wrap mirror clamp; material cloth sides both; \
                 material cloth shading unlit";
    let mut editor = edited(words);
    let effects = editor.update(MaterialAction::ReplaceTexture(Some("a/straw.png".into())));
    answer(&mut editor, effects, [200, 180, 60, 255]);
    let bytes = wad::encode(editor.document.project(), &[]).unwrap();
    let read = wad::decode(&bytes).unwrap().project;
    let (before, after) = (&editor.document.models[0], &read.models[0]);
    assert_eq!(before.materials, after.materials);
    assert_eq!(before.textures, after.textures);
    assert_eq!(after.textures.iter().map(|texture| &*texture.name).collect::<Vec<_>>(), ["steel", "straw"]);
}

#[test]
fn a_step_writes_only_the_lumps_that_it_changed_into_the_journal() {
    // The pixels of a reference image that is moved are not written again.
    for (words, lump) in
        [("material cloth color #ff0000", "MATL/puppet/cloth"), ("reference front offset 1 2", "rEFI/puppet")]
    {
        let mut editor = editor_kit::editor();
        let before = editor.document.clone();
        script::run(&mut editor, words).unwrap();
        let lumps = delta(&before, &editor.document).unwrap();
        let names: Vec<String> = lumps.iter().map(|lump| format!("{}/{}", lump.kind, lump.name)).collect();
        assert_eq!(names, [lump]);
    }
}

#[test]
fn an_image_is_applied_to_every_material_that_shares_its_texture() {
    let mut editor = edited("material cloth texture steel; material plate");
    let effects = editor.update(MaterialAction::ReplaceTexture(Some("b/rust.png".into())));
    answer(&mut editor, effects, [120, 60, 20, 255]);
    let model = editor.model().unwrap();
    assert_eq!((model.textures.len(), &*model.textures[0].name), (1, "rust"));
    assert_eq!(model.materials.iter().map(|material| material.texture).collect::<Vec<_>>(), [Some(0), Some(0)]);
    assert_eq!(editor.history.undo_label(), Some("Replace texture image"));
    editor.update(DocumentAction::Undo);
    assert_eq!(&*editor.model().unwrap().textures[0].name, "steel");
}

#[test]
fn a_taken_name_gets_a_number() {
    let mut editor = edited("material cloth");
    let effects = editor.update(MaterialAction::ReplaceTexture(Some("steel.png".into())));
    answer(&mut editor, effects, [1, 2, 3, 255]);
    assert_eq!(script::show(&editor, "textures").unwrap(), "steel steel.001");
}

#[test]
fn an_image_for_a_material_that_is_gone_is_reported_and_changes_nothing() {
    let mut editor = edited("material plate");
    let effects = editor.update(MaterialAction::ReplaceTexture(Some("rust.png".into())));
    script::run(&mut editor, "material plate name armour").unwrap();
    let steps = editor.history.undo_count();
    answer(&mut editor, effects, [0; 4]);
    assert_eq!(editor.history.undo_count(), steps);
    assert!(editor.session.transient.notice.unwrap().text.contains("its material plate no longer exists"));
}

#[test]
fn a_reference_image_is_added_as_high_as_the_model_and_survives_the_archive() {
    let mut editor = editor_kit::editor();
    let effects = editor.update(MaterialAction::AddReference(Some("a/front.png".into())));
    answer(&mut editor, effects, [200, 180, 60, 255]);
    assert_eq!(editor.history.undo_label(), Some("Add reference image"));
    script::run(&mut editor, "reference front.001 faces side; reference front.001 stands before").unwrap();
    script::run(&mut editor, "reference front.001 offset 1 2; reference front.001 hide; reference front.001 lock")
        .unwrap();
    let bytes = wad::encode(editor.document.project(), &[]).unwrap();
    let read = wad::decode(&bytes).unwrap();
    assert_eq!(read.findings, Vec::<String>::new());
    assert_eq!(read.project.models[0].references, editor.model().unwrap().references);
    assert_eq!(read.project.models[0].references.len(), 2);
}

#[test]
fn a_dropped_image_is_for_what_the_user_says() {
    let dropped = || Some(std::path::PathBuf::from("rust.png"));
    for (answer, is_read) in [(Some(DropPurpose::Texture), true), (Some(DropPurpose::Reference), true), (None, false)] {
        let mut editor = editor_kit::editor();
        assert!(editor.update(MaterialAction::DropImage("rust.png".into())).is_empty());
        assert_eq!(editor.session.transient.dropped, dropped());
        let effects = editor.update(MaterialAction::AnswerDrop(answer));
        assert_eq!(matches!(effects[..], [Effect::ReadImage { .. }]), is_read);
        assert_eq!(editor.session.transient.dropped, None);
    }
    let mut editor = editor_kit::legs_editor();
    let effects = editor.update(MaterialAction::DropImage("rust.png".into()));
    assert!(matches!(effects[..], [Effect::ReadImage { .. }]), "without materials it can only be a reference image");
}

#[test]
fn a_missing_path_is_asked_for_and_a_missing_material_is_reported() {
    let mut editor = editor_kit::editor();
    let effects = editor.update(MaterialAction::ReplaceTexture(None));
    assert!(matches!(effects[..], [Effect::AskPath(PathPurpose::Texture)]));
    let mut editor = editor_kit::legs_editor();
    let effects = editor.update(MaterialAction::ReplaceTexture(Some("rust.png".into())));
    assert!(matches!(effects[..], [Effect::Notice(_)]));
}
