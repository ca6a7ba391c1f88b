//! Tests of the editor without a page.

use super::*;
use keypose_editor::editor::session::Question;
use keypose_editor::editor::session::command::Command;
use keypose_editor::editor::session::preferences::{Prefer, Shade};
use keypose_tools::export::bitmap::Bitmap;
use keypose_tools::export::png;
use keypose_tools::unplayed_clip::is_played;

const KNIGHT: &[u8] = include_bytes!("../../demo.wad");

fn demo() -> PageEditor {
    let mut page = PageEditor::new(KNIGHT.to_vec());
    page.update(FileAction::OpenDemo);
    page.take_requests();
    page
}

fn downloaded(page: &mut PageEditor) -> Vec<(String, Vec<u8>)> {
    let requests = page.take_requests().into_iter();
    let download = |request| if let Request::Download { name, bytes } = request { Some((name, bytes)) } else { None };
    requests.filter_map(download).collect()
}

#[test]
fn a_document_is_downloaded_and_opened_again() {
    let mut page = demo();
    let models = page.editor.document.models.len();
    page.update(FileAction::Save);
    let [(name, bytes)]: [_; 1] = downloaded(&mut page).try_into().unwrap();
    assert_eq!(name, "demo.wad");
    assert!(!page.editor.is_dirty());
    let mut other = PageEditor::new(Vec::new());
    other.keep_file(&name, bytes.clone());
    other.dropped(vec![name.into()]);
    assert_eq!(other.editor.document.models.len(), models);
    other.update(FileAction::Save);
    assert_eq!(downloaded(&mut other), [("demo.wad".into(), bytes.clone())], "the same bytes under its own name");
    // At the next visit it is a recent file, in case its download didn't arrive.
    let mut later = PageEditor::new(Vec::new());
    later.prefer("{}");
    later.remember("demo.wad", bytes);
    let recent = later.editor.session.workspace.preferences.recent[0].clone();
    later.update(FileAction::Open(Some(recent)));
    assert_eq!(later.editor.document.models.len(), models);
    assert!(!later.editor.is_dirty());
}

#[test]
fn a_picked_model_is_imported_with_what_lies_beside_it() {
    let mut page = demo();
    page.update(FileAction::ExportModel(None));
    let [(name, glb)]: [_; 1] = downloaded(&mut page).try_into().unwrap();
    assert_eq!(name, "knight.glb");
    let mut page = PageEditor::new(Vec::new());
    page.update(FileAction::Open(None));
    let [Request::Pick { takes_many, .. }] = &page.take_requests()[..] else { panic!("asks for files") };
    assert!(*takes_many, "and those beside it");
    page.keep_file("body.png", Vec::new());
    page.keep_file(&name, glb);
    page.picked(vec!["body.png".into(), name.into()]);
    assert_eq!(page.editor.model().unwrap().clips.len(), 23);
    page.update(FileAction::Open(Some("gone.glb".into())));
    let text = &page.editor.session.transient.notice.as_ref().unwrap().text;
    assert!(text.contains("gone.glb: no such file on this page"), "{text}");
}

/// A model of one triangle, whose material has an image, and that image.
fn painted(name: &str, images: [&str; 2]) -> [(String, Vec<u8>); 2] {
    let [first, second] = images;
    let library = format!("newmtl a\nmap_Kd {first}\nnewmtl b\nmap_Kd {second}\n");
    let shape = format!(
        "mtllib {name}.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl a\nf 1/1 2/1 3/1\nusemtl b\nf 1/1 2/1 3/1\n"
    );
    [(format!("{name}.obj"), shape.into_bytes()), (format!("{name}.mtl"), library.into_bytes())]
}

#[test]
fn a_model_gets_files_of_its_own_pick_only() {
    let white = Bitmap::new(1, 1, vec![255; 4]).unwrap();
    let image = ("skin.png".to_owned(), png::encode(&white).unwrap());
    let mut page = PageEditor::new(Vec::new());
    let mut report = |model: [(String, Vec<u8>); 2], image: Option<&(String, Vec<u8>)>| {
        let path = PathBuf::from(&model[0].0);
        model.iter().chain(image).for_each(|(name, bytes)| page.keep_file(name, bytes.clone()));
        page.dropped(vec![path.clone()]);
        page.read(&path, false, &ImportOptions::default()).unwrap().report.join("\n")
    };
    assert_eq!(report(painted("red", ["skin.png"; 2]), Some(&image)), "");
    let alone = report(painted("blue", ["skin.png"; 2]), None);
    assert!(alone.contains("skin.png was not found beside the model"), "{alone}");
    let twice = report(painted("two", ["one/skin.png", "two/skin.png"]), Some(&image));
    assert!(twice.contains("skin.png was not found") && twice.lines().count() == 1, "one of the two: {twice}");
}

#[test]
fn a_model_is_imported_again_with_its_own_options() {
    let mut page = PageEditor::new(Vec::new());
    let prefer = |page: &mut PageEditor, scale| {
        let options = ImportOptions { scale, ..ImportOptions::default() };
        page.update(Action::Prefer(Prefer::ImportOptions(Box::new(options))));
    };
    prefer(&mut page, 2.0);
    painted("red", ["skin.png"; 2]).into_iter().for_each(|(name, bytes)| page.keep_file(&name, bytes));
    page.dropped(vec!["red.obj".into()]);
    prefer(&mut page, 3.0);
    page.update(FileAction::Reimport(Some("red.obj".into())));
    let Some(Question::Reimport(pending)) = &page.editor.session.transient.question else { panic!("is asked") };
    assert_eq!(pending.changed.import_options.scale, 2.0);
}

#[test]
fn unsaved_work_is_stored_and_comes_back() {
    let mut page = demo();
    page.update(Action::Clip(keypose_editor::editor::state::action::ClipAction::Duplicate));
    let changed = page.editor.document.project().clone();
    page.store(0.0);
    assert_eq!(page.take_requests(), []);
    assert!(page.is_moving(), "until it is stored, though there is no event");
    page.store_at_once();
    assert!(!page.is_moving());
    let [Request::Store { name, bytes }] = &page.take_requests()[..] else { panic!("is stored") };
    let mut later = PageEditor::new(KNIGHT.to_vec());
    later.recover(name, bytes.clone());
    assert_eq!(later.editor.document.project().models[0].clips.len(), changed.models[0].clips.len());
    assert_eq!(later.editor.title, "demo.wad");
    later.store(2.0 * STORE_AFTER_SECS);
    let is_kept = |request: &Request| matches!(request, Request::Store { bytes, .. } if !bytes.is_empty());
    assert!(later.take_requests().iter().all(is_kept), "it stays until it is saved");
    later.update(FileAction::Save);
    later.store(2.0 * STORE_AFTER_SECS);
    assert!(!later.take_requests().iter().any(is_kept), "and no longer");
    later.recover("broken.wad", vec![1, 2, 3]);
    assert!(later.editor.session.transient.notice.as_ref().unwrap().text.contains("can't be read"));
}

#[test]
fn the_game_shows_an_open_clip_that_no_state_plays() {
    let mut page = demo();
    page.update(Action::Clip(keypose_editor::editor::state::action::ClipAction::Duplicate));
    let name = page.editor.clip().unwrap().clip.name.clone();
    assert!(!is_played(page.editor.model().unwrap(), &name));
    page.update(FileAction::PlayTest);
    let requests = page.take_requests();
    let [Request::Store { bytes: stored, .. }, Request::Play { bytes }] = &requests[..] else {
        panic!("stores, then plays")
    };
    assert!(!stored.is_empty());
    assert!(is_played(&wad::decode(bytes).unwrap().project.models[0], &name));
}

#[test]
fn preferences_and_shortcuts_come_back() {
    let mut page = demo();
    page.store_preferences();
    page.take_requests();
    page.update(Action::Prefer(Prefer::Shade(Shade::Light)));
    page.editor.session.workspace.bindings.set(Command::Breakdown, vec!["Ctrl+Alt+B".parse().unwrap()]);
    page.store_preferences();
    page.store_preferences();
    let [Request::Prefer { text }] = &page.take_requests()[..] else { panic!("is stored once") };
    let mut later = PageEditor::new(KNIGHT.to_vec());
    later.prefer(text);
    let (before, after) = (&page.editor.session.workspace, &later.editor.session.workspace);
    assert_eq!((after.preferences.shade, &after.bindings), (Shade::Light, &before.bindings));
    later.store_preferences();
    assert_eq!(later.take_requests(), [], "nothing changed");
    later.prefer("{");
    assert!(later.editor.session.transient.notice.as_ref().unwrap().text.contains("can't be read"));
}

#[test]
fn games_that_show_the_pose_need_the_program() {
    let mut page = demo();
    page.update(ViewAction::Toggle(Switch::Follow));
    assert!(!page.editor.session.is_on(Switch::Follow));
    assert!(page.editor.session.transient.notice.as_ref().unwrap().text.contains("need the installed program"));
}

/// Each command changes something, asks the page for something, or gives a notice.
#[test]
fn no_command_is_without_an_answer() {
    let opened = demo();
    for command in Command::ALL.into_iter().filter(|command| command.can_run(&opened.editor).is_ok()) {
        let mut page = PageEditor::new(KNIGHT.to_vec());
        (page.editor, page.characters) = (opened.editor.clone(), opened.characters.clone());
        for effect in page.editor.update(command.action(&opened.editor)) {
            page.editor.session.transient.notice = None;
            let (document, copied) = (page.editor.document.clone(), page.clipboard.borrow().clone());
            page.perform(effect.clone());
            let is_changed = !Arc::ptr_eq(document.project(), page.editor.document.project());
            let is_noticed = page.editor.session.transient.notice.is_some();
            let is_copied = *page.clipboard.borrow() != copied;
            let has_answer = is_changed || is_noticed || is_copied || !page.requests.is_empty();
            assert!(has_answer || matches!(effect, Effect::Notice(_)), "{command:?}: {effect:?}");
        }
    }
}
