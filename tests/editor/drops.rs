//! Files dropped on the window: opened, added in one undo step, asked about, or refused by name.

use std::path::PathBuf;
use std::sync::Arc;

use glam::Quat;
use keypose::anim::clip::{Clip, Keyframe, LoopMode};
use keypose::anim::key::Key;
use keypose::anim::skeleton::{Bone, Skeleton};
use keypose::anim::transform::Transform;
use keypose::assets::id::ClipId;
use keypose::assets::material::Material;
use keypose::assets::model::{ClipSlot, Model, Socket};
use keypose::assets::project::Project;
use keypose_editor::editor::session::Question;
use keypose_editor::editor::session::dropped::{DroppedFiles, Refused};
use keypose_editor::editor::session::notice::NoticeKind;
use keypose_editor::editor::state::Editor;
use keypose_editor::editor::state::action::{DocumentAction, DropAnswer, FileAction, Origin, ReadFiles};
use keypose_editor::editor::state::effect::{Adding, Effect, ImagePurpose};

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
        Effect::Import { files, refused, .. } => Some((files.clone(), refused.clone())),
        _ => None,
    });
    import.unwrap_or_else(|| panic!("{effects:?}"))
}

fn message(editor: &Editor) -> (NoticeKind, &str) {
    let notice = editor.session.transient.notice.as_ref().unwrap();
    (notice.kind, &notice.text)
}

fn loaded(projects: Vec<(PathBuf, Project)>, refused: Vec<Refused>, adding: Adding) -> FileAction {
    FileAction::LoadedToAdd { read: ReadFiles { projects, refused, ..ReadFiles::default() }, adding }
}

#[test]
fn a_single_file_is_opened() {
    for name in ["knight.wad", "knight.glb"] {
        let effects = editor().update(FileAction::Dropped(dropped(&[name])));
        assert!(matches!(&effects[..], [Effect::Open(path)] if path.ends_with(name)), "{effects:?}");
    }
    let mut editor = editor();
    editor.update(FileAction::Dropped(dropped(&["skin.png"])));
    assert_eq!(editor.session.transient.question, Some(Question::DroppedImage("skin.png".into())));
}

#[test]
fn the_models_of_a_folder_are_added_even_if_it_is_one() {
    let files = DroppedFiles { has_folder: true, ..dropped(&["knight.glb"]) };
    assert_eq!(imported(&editor().update(FileAction::Dropped(files))).0, [PathBuf::from("knight.glb")]);
}

#[test]
fn several_models_are_added_in_one_undo_step_and_one_message_reports_all() {
    let mut editor = editor();
    let effects = editor.update(FileAction::Dropped(dropped(&["a.glb", "a/song.ogg", "b.gltf", "c.glb"])));
    let (files, mut refused) = imported(&effects);
    assert_eq!(files.len(), 3);
    refused.push(Refused { name: "c.glb".into(), reason: "the file is empty".into() });
    let projects = vec![("a.glb".into(), project(&["a"])), ("b.gltf".into(), project(&["b", "c"]))];
    editor.update(loaded(projects, refused, Adding::Models));
    assert_eq!(editor.document.models.len(), 4);
    assert_eq!(editor.model().unwrap().name, "a", "the first one is shown");
    let expected = "3 models added from 2 files, 2 refused: song.ogg: not a model, an archive, an image, a film or a sound; c.glb: the file is empty";
    assert_eq!(message(&editor), (NoticeKind::Warning, expected));
    editor.update(DocumentAction::Undo);
    assert_eq!(editor.document.models.len(), 1);
}

#[test]
fn an_imported_model_holds_what_was_imported_with_it() {
    let mut file = project(&["knight", "hero"]);
    let socket = Socket { name: "hand".into(), bone: 0, transform: Transform::IDENTITY, attached: "hero".into() };
    let knight = Arc::make_mut(&mut file.models[0]);
    knight.skeleton = rig("knight", &["Hand"], None).models[0].skeleton.clone();
    knight.sockets.push(socket);
    let mut editor = editor();
    editor.update(loaded(vec![("a.wad".into(), file)], vec![], Adding::Models));
    let [_, knight, hero] = &editor.document.models[..] else { panic!() };
    assert_eq!((&*hero.name, &*knight.sockets[0].attached), ("hero.001", "hero.001"));
}

#[test]
fn one_model_is_reported_with_its_path() {
    let mut editor = editor();
    editor.update(loaded(vec![("a/b.glb".into(), project(&["b"]))], vec![], Adding::Models));
    assert_eq!(message(&editor), (NoticeKind::Info, "Added b from a/b.glb"));
    editor.update(loaded(vec![("a/c.wad".into(), project(&[]))], vec![], Adding::Models));
    assert_eq!(message(&editor), (NoticeKind::Warning, "1 refused: c.wad: it has no models"));
    assert_eq!(editor.history.undo_count(), 1, "nothing was added");
}

#[test]
fn archives_among_several_files_are_asked_about() {
    let ask = |answer: DropAnswer| {
        let mut editor = editor();
        assert!(editor.update(FileAction::Dropped(dropped(&["a.glb", "b.wad"]))).is_empty());
        assert!(matches!(editor.session.transient.question, Some(Question::DroppedFiles(_))));
        let effects = editor.update(FileAction::AnswerDrop(answer));
        assert_eq!(editor.session.transient.question, None);
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

/// A model with these bones; without a mesh, and with a clip that turns each of them, if `clip` is given.
pub fn rig(name: &str, bones: &[&str], clip: Option<&str>) -> Project {
    let bone = |name: &&str| Bone { name: (*name).into(), parent: None, rest: Transform::IDENTITY };
    let skeleton = Arc::new(Skeleton::new(bones.iter().map(bone).collect()).unwrap());
    let mut model = Model { name: name.into(), skeleton, ..Model::default() };
    if let Some(clip) = clip {
        let keys = model.skeleton.indices().map(|bone| Key::rotation(bone, Quat::from_rotation_x(0.5))).collect();
        let keyframes = [Keyframe { keys, ..Keyframe::default() }].into_iter().collect();
        let clip = Clip { keyframes, loop_mode: LoopMode::Loop, ..Clip::new(clip) };
        model.clips.push(ClipSlot { id: ClipId(1), clip: Arc::new(clip) });
    }
    let mut project = Project::default();
    project.add_model(model);
    project
}

fn clips(editor: &Editor) -> Vec<&str> {
    editor.document.models[0].clips.iter().map(|slot| slot.clip.name.as_str()).collect()
}

#[test]
fn a_dropped_file_without_a_mesh_gives_its_clips_to_the_open_character() {
    let mut editor = Editor::new(rig("hero", &["rig:Hips", "rig:Head"], None), &Origin::New);
    let effects = editor.update(FileAction::Dropped(dropped(&["walk.fbx"])));
    assert!(matches!(&effects[..], [Effect::Import { adding: Adding::ClipsOrOpen, .. }]), "{effects:?}");
    let library = |clip: &str| ("a/walk.fbx".into(), rig("walk", &["Hips", "Head", "Tail"], Some(clip)));
    let loaded = |project| loaded(vec![project], vec![], Adding::ClipsOrOpen);
    editor.update(loaded(library("walk")));
    assert_eq!((clips(&editor), editor.document.models.len()), (vec!["walk"], 1));
    assert_eq!(editor.clip().map(|slot| &*slot.clip.name), Some("walk"), "it can be played at once");
    assert_eq!(editor.document.models[0].clips[0].clip.loop_mode, LoopMode::Loop);
    let log = &editor.session.workspace.log;
    let added = "Added 1 clip to hero, some bones did not match, which the log lists";
    assert!(log.iter().any(|line| line.text == added), "{log:?}");
    assert!(log.iter().any(|line| line.text.contains("walk.fbx: hero has no bone for Tail")), "{log:?}");
    editor.update(DocumentAction::Undo);
    assert!(clips(&editor).is_empty());
    // Another character is opened.
    let effects = editor.update(loaded(("a/b.fbx".into(), rig("wheel", &["Axle"], Some("spin")))));
    assert!(matches!(&effects[..], [Effect::Open(path)] if path.ends_with("b.fbx")), "{effects:?}");
}

#[test]
fn a_character_and_its_clips_can_be_dropped_at_once() {
    let mut editor = Editor::new(Project::default(), &Origin::New);
    let projects = vec![
        ("idle.fbx".into(), rig("idle", &["x:Hips"], Some("idle"))),
        ("hero.fbx".into(), rig("hero", &["x:Hips"], None)),
        ("walk.fbx".into(), rig("walk", &["x:Hips"], Some("walk"))),
    ];
    editor.update(loaded(projects, vec![], Adding::Models));
    assert_eq!((clips(&editor), editor.document.models.len()), (vec!["idle", "walk"], 1));
    assert_eq!(message(&editor).1, "Added hero, Added 2 clips to hero");
}

#[test]
fn clips_of_another_character_are_added_on_request_and_strangers_refused() {
    let mut editor = Editor::new(rig("hero", &["Hips"], Some("walk")), &Origin::New);
    let projects = vec![
        ("a.glb".into(), rig("other", &["Hips"], Some("walk"))),
        ("b.glb".into(), rig("wheel", &["Axle"], Some("spin"))),
        ("c.glb".into(), rig("still", &["Hips"], None)),
    ];
    editor.update(loaded(projects, vec![], Adding::Clips));
    assert_eq!(clips(&editor), ["walk", "walk.001"]);
    let expected =
        "Added 1 clip to hero, 2 refused: b.glb: none of its bones is a bone of hero; c.glb: it has no clips";
    assert_eq!(message(&editor), (NoticeKind::Warning, expected));
    assert_eq!(editor.document.models.len(), 1);
}
