//! What is dropped on the window: opened, added in one undo step, asked about, or refused by name.

use std::path::PathBuf;
use std::sync::Arc;

use keypose::assets::material::Material;
use keypose::assets::model::Model;
use keypose::assets::project::Project;
use keypose::editor::session::dropped::{DroppedFiles, Refused};
use keypose::editor::session::notice::NoticeKind;
use keypose::editor::state::Editor;
use keypose::editor::state::action::{DocumentAction, DropAnswer, FileAction, Origin};
use keypose::editor::state::effect::{Effect, ImagePurpose};

fn project(names: &[&str]) -> Project {
    let mut project = Project::default();
    for name in names {
        let materials = vec![Arc::new(Material { name: "Skin".into(), ..Material::default() })];
        project.add_model(Model { name: (*name).into(), materials, ..Model::default() });
    }
    project
}

fn editor() -> Editor {
    Editor::new(project(&["hero"]), &Origin::New)
}

fn dropped(names: &[&str]) -> DroppedFiles {
    let mut dropped = DroppedFiles::default();
    names.iter().for_each(|name| dropped.add(name.into()));
    dropped
}

fn imported(effects: &[Effect]) -> (Vec<PathBuf>, Vec<Refused>) {
    let import = effects.iter().find_map(|effect| match effect {
        Effect::Import { files, refused } => Some((files.clone(), refused.clone())),
        _ => None,
    });
    import.unwrap_or_else(|| panic!("{effects:?}"))
}

fn message(editor: &Editor) -> (NoticeKind, &str) {
    let notice = editor.session.transient.notice.as_ref().unwrap();
    (notice.kind, &notice.text)
}

#[test]
fn a_single_file_is_opened() {
    for name in ["knight.wad", "knight.glb"] {
        let effects = editor().update(FileAction::Dropped(dropped(&[name])));
        assert!(matches!(&effects[..], [Effect::Open(path)] if path.ends_with(name)), "{effects:?}");
    }
    let mut editor = editor();
    editor.update(FileAction::Dropped(dropped(&["skin.png"])));
    assert!(editor.session.transient.dropped.is_some(), "asked what it is for");
}

#[test]
fn the_models_of_a_folder_are_added_even_if_it_is_one() {
    let files = DroppedFiles { has_folder: true, ..dropped(&["knight.glb"]) };
    assert_eq!(imported(&editor().update(FileAction::Dropped(files))).0, [PathBuf::from("knight.glb")]);
}

#[test]
fn several_models_are_added_in_one_undo_step_and_one_message_reports_all() {
    let mut editor = editor();
    let effects = editor.update(FileAction::Dropped(dropped(&["a.glb", "song.ogg", "b.gltf", "c.glb"])));
    let (files, mut refused) = imported(&effects);
    assert_eq!(files.len(), 3);
    refused.push(Refused { name: "c.glb".into(), reason: "the file is empty".into() });
    let projects = vec![("a.glb".into(), project(&["a"])), ("b.gltf".into(), project(&["b", "c"]))];
    editor.update(FileAction::LoadedToAdd { projects, refused });
    assert_eq!(editor.document.models.len(), 4);
    assert_eq!(editor.model().unwrap().name, "a", "the first one is shown");
    let expected = "3 models added from 2 files, 2 refused: song.ogg: not a model, an archive or an image; c.glb: the file is empty";
    assert_eq!(message(&editor), (NoticeKind::Warning, expected));
    editor.update(DocumentAction::Undo);
    assert_eq!(editor.document.models.len(), 1);
}

#[test]
fn one_model_is_reported_with_its_path() {
    let mut editor = editor();
    editor.update(FileAction::LoadedToAdd { projects: vec![("a/b.glb".into(), project(&["b"]))], refused: vec![] });
    assert_eq!(message(&editor), (NoticeKind::Info, "Added b from a/b.glb"));
    editor.update(FileAction::LoadedToAdd { projects: vec![("a/c.wad".into(), project(&[]))], refused: vec![] });
    assert_eq!(message(&editor), (NoticeKind::Warning, "1 refused: c.wad: it has no models"));
    assert_eq!(editor.history.undo_count(), 1, "nothing was added");
}

#[test]
fn archives_among_several_files_are_asked_about() {
    let ask = |answer: DropAnswer| {
        let mut editor = editor();
        assert!(editor.update(FileAction::Dropped(dropped(&["a.glb", "b.wad"]))).is_empty());
        assert!(editor.session.transient.dropped_files.is_some());
        let effects = editor.update(FileAction::AnswerDrop(answer));
        assert!(editor.session.transient.dropped_files.is_none());
        effects
    };
    assert!(ask(DropAnswer::Nothing).is_empty());
    assert_eq!(imported(&ask(DropAnswer::Add)).0, [PathBuf::from("a.glb"), "b.wad".into()]);
    assert!(matches!(&ask(DropAnswer::Open("b.wad".into()))[..], [Effect::Open(path)] if path.ends_with("b.wad")));
}

#[test]
fn images_replace_textures_of_the_same_name() {
    let mut editor = editor();
    let effects = editor.update(FileAction::Dropped(dropped(&["skin.png", "rust.png"])));
    let Some(Effect::ReadImage { path, place }) = effects.first() else { panic!("{effects:?}") };
    assert_eq!((path.to_str(), &place.purpose), (Some("skin.png"), &ImagePurpose::Texture("Skin".into())));
    let expected = "1 texture is replaced. 1 refused: rust.png: no material or texture has this name; drop it alone to choose its use";
    assert_eq!(message(&editor), (NoticeKind::Warning, expected));
}

#[test]
fn the_log_has_every_refused_file() {
    let mut editor = editor();
    let names: Vec<String> = (0..6).map(|at| format!("{at}.ogg")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    editor.update(FileAction::Dropped(dropped(&names)));
    assert!(message(&editor).1.ends_with("and 3 more, which the log lists"), "{:?}", message(&editor));
    for name in names {
        assert!(editor.session.workspace.log.iter().any(|line| line.text.starts_with(name)), "{name}");
    }
}
