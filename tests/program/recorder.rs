//! The editor and its journal: after a crash at any moment the document, its history and the place are there again.

use std::fs;
use std::io::{BufRead, BufReader, Error};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use glam::Quat;
use keypose::assets::project::Project;
use keypose::wad;
use keypose::wad::archive::Archive;
use keypose::wad::diff::diff;
use keypose::wad::edit::uncompress;
use keypose::wad::pack::pack;
use keypose_app::app::files::FileKind;
use keypose_app::app::folders;
use keypose_app::app::journal::{self, in_state_folder};
use keypose_app::app::layers;
use keypose_app::app::recorder::{JournalToSave, Recorder, save_patch, save_with_journal};
use keypose_editor::editor::document::Document;
use keypose_editor::editor::posing::change::Change;
use keypose_editor::editor::session::command::Command;
use keypose_editor::editor::state::Editor;
use keypose_editor::editor::state::action::{Action, DocumentAction, FileAction, Origin};

use crate::editor_kit::dice::Dice;
use crate::editor_kit::{model, posed};

fn bytes_of(document: &Document) -> Vec<u8> {
    wad::encode(document.project(), &[]).unwrap()
}

/// A folder with an archive of the small model.
fn desk(name: &str) -> (PathBuf, PathBuf) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("recorder-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let mut project = Project::default();
    project.add_model(model());
    let archive = folder.join("a.wad");
    fs::write(&archive, bytes_of(&Document::new(project))).unwrap();
    (folder, archive)
}

/// The editor as it is after it opened the archive, with what was recovered.
fn opened(archive: &Path) -> (Editor, Recorder, Vec<String>) {
    let project = wad::decode(&fs::read(archive).unwrap()).unwrap().project;
    let origin = Origin::Archive(archive.to_owned());
    let mut editor = Editor::new(project, &origin);
    let (recorder, notes) = Recorder::attach(&mut editor, &origin);
    (editor, recorder, notes)
}

fn act(editor: &mut Editor, recorder: &mut Recorder, action: Action) {
    editor.update(action);
    editor.session.transient.prompt = None;
    recorder.observe(editor).unwrap();
}

fn pose(editor: &mut Editor, recorder: &mut Recorder, degrees: f32) {
    let change = Change::Pose(vec![posed(1, Quat::from_rotation_z(degrees.to_radians()))]);
    act(editor, recorder, Action::Document(DocumentAction::Edit { label: "pose".into(), change }));
}

/// Everything that the two say is the same, step by step.
fn check_same(was: &mut Editor, is: &mut Editor) {
    was.update(DocumentAction::Commit);
    let labels = |editor: &Editor| editor.history.labels().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(labels(is), labels(was));
    assert_eq!(
        (is.history.undo_count(), is.history.redo_count()),
        (was.history.undo_count(), was.history.redo_count())
    );
    assert_eq!(diff(is.document.project(), was.document.project()), []);
    let done = was.history.undo_count();
    for step in (0..labels(was).len()).rev().chain([done]) {
        was.update(DocumentAction::GoToStep(step));
        is.update(DocumentAction::GoToStep(step));
        assert_eq!(diff(is.document.project(), was.document.project()), [], "step {step}");
    }
}

#[test]
fn a_random_session_survives_a_crash_with_its_history() {
    for seed in 0..6 {
        let (folder, archive) = desk("walk");
        let (mut editor, mut recorder, notes) = opened(&archive);
        assert_eq!(notes, Vec::<String>::new());
        let mut dice = Dice(seed);
        for number in 0..300 {
            let action = dice.action(&editor);
            if !matches!(action, Action::Run(Command::New)) {
                act(&mut editor, &mut recorder, action);
            }
            if number % 100 == 99 {
                editor.update(DocumentAction::Commit);
                recorder.observe(&editor).unwrap();
                drop(recorder);
                let (mut again, new_recorder, notes) = opened(&archive);
                assert!(notes.len() == 1 && notes[0].starts_with("Recovered"), "{notes:?}");
                check_same(&mut editor, &mut again);
                assert_eq!(again.is_dirty(), editor.is_dirty());
                (editor, recorder) = (again, new_recorder);
                recorder.observe(&editor).unwrap();
            }
        }
        fs::remove_dir_all(folder).unwrap();
    }
}

#[test]
fn undo_reaches_back_over_a_save_and_a_crash() {
    let (folder, archive) = desk("save");
    let (mut editor, mut recorder, _) = opened(&archive);
    for degrees in [10.0, 20.0, 30.0] {
        pose(&mut editor, &mut recorder, degrees);
    }
    save_with_journal(&recorder.journal(), &archive, editor.document.project(), &bytes_of(&editor.document)).unwrap();
    pose(&mut editor, &mut recorder, 40.0);
    drop(recorder);
    let (mut again, recorder, _) = opened(&archive);
    assert!(again.is_dirty(), "the last pose was not saved");
    check_same(&mut editor, &mut again);
    save_with_journal(&recorder.journal(), &archive, again.document.project(), &bytes_of(&again.document)).unwrap();
    drop(recorder);
    let (again, recorder, _) = opened(&archive);
    assert!(!again.is_dirty(), "everything was saved");
    recorder.close();
    let (again, _, notes) = opened(&archive);
    assert_eq!((again.history.undo_count(), notes.len()), (0, 0), "closed is closed");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn saving_under_another_name_takes_the_history_along() {
    let (folder, archive) = desk("save-as");
    let (mut editor, mut recorder, _) = opened(&archive);
    pose(&mut editor, &mut recorder, 10.0);
    let other = folder.join("b.wad");
    save_with_journal(&recorder.journal(), &other, editor.document.project(), &bytes_of(&editor.document)).unwrap();
    pose(&mut editor, &mut recorder, 20.0);
    drop(recorder);
    let (mut again, recorder, _) = opened(&other);
    check_same(&mut editor, &mut again);
    drop(recorder);
    assert!(opened(&archive).2.is_empty(), "the old file has nothing left to recover");
    fs::remove_dir_all(folder).unwrap();
}

/// Journals of patches and of second editors are stored in the state folder, which the environment sets: such a test runs
/// in a process and a folder of its own. Returns true in that process.
fn has_own_state(test: &str) -> bool {
    if std::env::var_os("KEYPOSE_TEST_STATE").is_some() {
        return true;
    }
    let (folder, _) = desk(&format!("state-{test}"));
    let mut alone = std::process::Command::new(std::env::current_exe().unwrap());
    alone.args(["--exact", &format!("recorder::{test}"), "--test-threads=1"]).env("KEYPOSE_TEST_STATE", "1");
    for variable in ["XDG_STATE_HOME", "HOME", "LOCALAPPDATA"] {
        alone.env(variable, &folder);
    }
    assert!(alone.status().unwrap().success());
    fs::remove_dir_all(folder).unwrap();
    false
}

/// Makes an archive read-only, or writable again.
fn set_read_only(archive: &Path, is_read_only: bool) {
    let mut permissions = fs::metadata(archive).unwrap().permissions();
    permissions.set_readonly(is_read_only);
    fs::set_permissions(archive, permissions).unwrap();
}

#[test]
fn what_two_editors_of_a_read_only_file_did_is_offered_when_it_is_writable() {
    if !has_own_state("what_two_editors_of_a_read_only_file_did_is_offered_when_it_is_writable") {
        return;
    }
    let (folder, archive) = desk("read-only");
    set_read_only(&archive, true);
    let (mut first, mut of_first, _) = opened(&archive);
    let (mut second, mut of_second, _) = opened(&archive);
    pose(&mut first, &mut of_first, 10.0);
    pose(&mut second, &mut of_second, 20.0);
    drop((of_first, of_second));
    set_read_only(&archive, false);
    let (mut again, _of_again, notes) = opened(&archive);
    assert!(notes.iter().any(|note| note.contains("closed without saving")), "{notes:?}");
    check_same(&mut first, &mut again);
    let (mut other, _of_other, notes) = opened(&archive);
    assert!(notes.iter().any(|note| note.starts_with("Recovered 1 step")), "{notes:?}");
    check_same(&mut second, &mut other);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn saving_as_a_patch_takes_the_history_along() {
    if !has_own_state("saving_as_a_patch_takes_the_history_along") {
        return;
    }
    for steps_before in [0, 2] {
        let (folder, base) = desk(&format!("patch-{steps_before}"));
        let (mut editor, mut recorder, _) = opened(&base);
        for degrees in 0..steps_before {
            pose(&mut editor, &mut recorder, degrees as f32);
        }
        let (below, patch) = ([base.clone()], folder.join("p.wad"));
        let bytes = layers::encode_over(&below, &patch, &editor.document, &[]).unwrap();
        save_patch(&recorder.journal(), &patch, &below, &bytes).unwrap();
        pose(&mut editor, &mut recorder, 40.0);
        drop(recorder);
        let files = [base.clone(), patch.clone()];
        let origin = layers::origin(&files, FileKind::Archive);
        let reopened = || {
            let mut editor = Editor::new(layers::open(&files, &Default::default()).unwrap().project, &origin);
            let (recorder, notes) = Recorder::attach(&mut editor, &origin);
            (editor, recorder, notes)
        };
        let (mut again, recorder, notes) = reopened();
        assert!(notes.len() == 1 && notes[0].starts_with("Recovered"), "{notes:?}");
        assert!(again.is_dirty(), "the last pose was not saved");
        assert_eq!((again.file.clone(), again.below.clone()), (Some(patch), below.to_vec()));
        check_same(&mut editor, &mut again);
        let (_, _second, notes) = reopened();
        assert!(notes[0].contains("read-only here"), "{notes:?}");
        recorder.close();
        assert!(opened(&base).2.is_empty(), "the base has nothing to recover");
        fs::remove_dir_all(folder).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn what_could_not_be_written_is_written_with_the_next_step() {
    if !has_own_state("what_could_not_be_written_is_written_with_the_next_step") {
        return;
    }
    let (folder, archive) = desk("full");
    // The journal of an imported model has no other place than the folder for application state.
    let origin = Origin::Imported(archive.clone());
    let attached = || {
        let mut editor = Editor::new(wad::decode(&fs::read(&archive).unwrap()).unwrap().project, &origin);
        let (recorder, _) = Recorder::attach(&mut editor, &origin);
        (editor, recorder)
    };
    let (mut editor, mut recorder) = attached();
    // A folder in the journal's place, and in those of spare ones: no file can be made there.
    let name = archive.canonicalize().unwrap().into_os_string().into_encoded_bytes();
    let place = |name: &[u8]| in_state_folder(&folders::state().unwrap(), name);
    let own = place(&name).into_os_string().into_encoded_bytes();
    let spares = (2..=16).map(|number| place(&[&own, format!("\n{number}").as_bytes()].concat()));
    let places: Vec<PathBuf> = [place(&name)].into_iter().chain(spares).collect();
    places.iter().for_each(|place| fs::create_dir(place).unwrap());
    for degrees in [10.0, 20.0] {
        let change = Change::Pose(vec![posed(1, Quat::from_rotation_z(degrees))]);
        editor.update(DocumentAction::Edit { label: "pose".into(), change });
        let error = recorder.observe(&editor).unwrap_err();
        assert!(error.contains("could not be written") && error.contains("a crash would lose edits"), "{error}");
    }
    places.iter().for_each(|place| fs::remove_dir(place).unwrap());
    pose(&mut editor, &mut recorder, 30.0);
    drop(recorder);
    let (mut again, recorder) = attached();
    check_same(&mut editor, &mut again);
    recorder.close();
    // A spare one takes its place.
    let (mut editor, mut recorder) = attached();
    fs::create_dir(&places[0]).unwrap();
    let change = Change::Pose(vec![posed(1, Quat::from_rotation_z(1.0))]);
    editor.update(DocumentAction::Edit { label: "pose".into(), change });
    let note = recorder.observe(&editor).unwrap().unwrap();
    assert!(note.contains("could not be written") && note.contains("changes are recorded in"), "{note}");
    pose(&mut editor, &mut recorder, 2.0);
    drop(recorder);
    fs::remove_dir(&places[0]).unwrap();
    let (mut again, _) = attached();
    check_same(&mut editor, &mut again);
    fs::remove_dir_all(folder).unwrap();
}

#[cfg(unix)]
#[test]
fn a_journal_that_cannot_be_written_beside_the_archive_is_continued_elsewhere() {
    if !has_own_state("a_journal_that_cannot_be_written_beside_the_archive_is_continued_elsewhere") {
        return;
    }
    let (folder, archive) = desk("elsewhere");
    let journal = journal::beside(&archive);
    let (mut editor, mut recorder, _) = opened(&archive);
    pose(&mut editor, &mut recorder, 5.0);
    let kept = fs::read(&journal).unwrap();
    drop(recorder);
    // The disk fails during a second session.
    let (_, mut recorder, _) = opened(&archive);
    recorder.journal().shared.lock().unwrap().iter().for_each(|journal| journal.sync_failed(&Error::other("EIO")));
    let note = recorder.observe(&editor).unwrap().unwrap();
    assert!(note.contains("EIO") && note.contains("changes are recorded in"), "{note}");
    assert!(!journal.exists(), "it has nothing that the other one has not");
    assert!(!recorder.has_failed(), "it is reported once");
    pose(&mut editor, &mut recorder, 10.0);
    assert!(journal::holder(&archive).is_some(), "the archive stays locked");
    // What is left of the old journal is older work.
    fs::write(&journal, &kept).unwrap();
    drop(recorder);
    let (mut again, mut recorder, notes) = opened(&archive);
    assert!(notes.len() == 1 && notes[0].starts_with("Recovered 2 steps"), "{notes:?}");
    check_same(&mut editor, &mut again);
    assert!(journal.is_file(), "the journal is beside the archive again");
    // It fails once more, and a save brings it back.
    recorder.journal().shared.lock().unwrap().iter().for_each(|journal| journal.sync_failed(&Error::other("EIO")));
    assert!(recorder.observe(&again).unwrap().is_some() && !journal.exists());
    let document = again.document.clone();
    save_with_journal(&recorder.journal(), &archive, document.project(), &bytes_of(&document)).unwrap();
    again.update(FileAction::Saved { document, path: archive.clone(), below: vec![] });
    assert!(journal.is_file() && journal::holder(&archive).is_some(), "the journal is beside the archive, and locked");
    pose(&mut again, &mut recorder, 20.0);
    drop(recorder);
    let (mut last, recorder, notes) = opened(&archive);
    assert!(notes.len() == 1 && notes[0].starts_with("Recovered 3 steps"), "{notes:?}");
    check_same(&mut again, &mut last);
    recorder.close();
    let left: Vec<_> = fs::read_dir(folders::state().unwrap()).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(left.is_empty(), "{left:?}");
    fs::remove_dir_all(folder).unwrap();
}

/// The journal doesn't know of a save, as if its disk had been full. A folder may stand in the way of writing it again.
#[test]
fn a_save_whose_journal_fails_loses_no_history() {
    if !has_own_state("a_save_whose_journal_fails_loses_no_history") {
        return;
    }
    for obstacle in ["a.wad.journal.other", "a.wad.journal.rewritten"] {
        let (folder, archive) = desk("stale");
        let (mut editor, mut recorder, _) = opened(&archive);
        for degrees in [10.0, 20.0] {
            pose(&mut editor, &mut recorder, degrees);
        }
        fs::create_dir_all(folder.join(obstacle).join("x")).unwrap();
        let document = editor.document.clone();
        // Editing went on while the archive was written.
        pose(&mut editor, &mut recorder, 30.0);
        let journal = JournalToSave { known: Vec::new(), ..recorder.journal() };
        save_with_journal(&journal, &archive, document.project(), &bytes_of(&document)).unwrap();
        drop(journal);
        editor.update(DocumentAction::Undo);
        editor.update(FileAction::Saved { document, path: archive.clone(), below: vec![] });
        let observed = recorder.observe(&editor);
        let is_elsewhere = matches!(&observed, Ok(Some(note)) if note.contains("changes are recorded in"));
        assert_eq!(is_elsewhere, obstacle.ends_with(".rewritten"), "{observed:?}");
        fs::remove_dir_all(folder.join(obstacle)).unwrap();
        pose(&mut editor, &mut recorder, 40.0);
        drop(recorder);
        let (mut again, recorder, notes) = opened(&archive);
        assert!(notes.len() == 1 && notes[0].starts_with("Recovered 3 steps"), "{notes:?}");
        check_same(&mut editor, &mut again);
        drop(recorder);
        fs::remove_dir_all(folder).unwrap();
    }
}

#[test]
fn what_was_saved_before_the_kill_opens_as_saved() {
    let (folder, archive) = desk("saved");
    let (mut editor, mut recorder, _) = opened(&archive);
    pose(&mut editor, &mut recorder, 10.0);
    let document = editor.document.clone();
    save_with_journal(&recorder.journal(), &archive, document.project(), &bytes_of(&document)).unwrap();
    act(&mut editor, &mut recorder, Action::File(FileAction::Saved { document, path: archive.clone(), below: vec![] }));
    drop(recorder);
    let (mut again, mut recorder, notes) = opened(&archive);
    assert!(
        !again.is_dirty() && notes.len() == 2 && notes[1].starts_with("All recovered work is already saved"),
        "{notes:?}"
    );
    check_same(&mut editor, &mut again);
    again.update(DocumentAction::Undo);
    assert!(again.is_dirty());
    again.update(DocumentAction::Redo);
    pose(&mut again, &mut recorder, 20.0);
    drop(recorder);
    let (third, _, notes) = opened(&archive);
    assert!(third.is_dirty() && notes.len() == 1, "{notes:?}");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn an_archive_that_another_program_changed_is_saved_with_the_history() {
    let (folder, archive) = desk("foreign");
    let (mut editor, mut recorder, _) = opened(&archive);
    pose(&mut editor, &mut recorder, 10.0);
    fs::write(&archive, bytes_of(&Document::default())).unwrap();
    let document = editor.document.clone();
    save_with_journal(&recorder.journal(), &archive, document.project(), &bytes_of(&document)).unwrap();
    editor.update(FileAction::Saved { document, path: archive.clone(), below: vec![] });
    pose(&mut editor, &mut recorder, 20.0);
    drop(recorder);
    check_same(&mut editor, &mut opened(&archive).0);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_second_editor_says_who_has_the_file_and_saves_under_another_name() {
    if !has_own_state("a_second_editor_says_who_has_the_file_and_saves_under_another_name") {
        return;
    }
    let (folder, archive) = desk("second");
    let (first, mut first_recorder, _) = opened(&archive);
    let (mut second, mut recorder, notes) = opened(&archive);
    assert_eq!(first.file.as_deref(), Some(archive.as_path()));
    let locked = second.locked.clone().unwrap();
    assert_eq!((&second.file, &locked.path), (&None, &archive));
    let who = format!("process {}", std::process::id());
    assert!(locked.holder.starts_with(&who), "{locked:?}");
    assert!(notes.len() == 1 && notes[0].contains(&who) && notes[0].contains("read-only"), "{notes:?}");
    pose(&mut second, &mut recorder, 10.0);
    let old = fs::read(&archive).unwrap();
    let refused =
        save_with_journal(&recorder.journal(), &archive, second.document.project(), &bytes_of(&second.document))
            .unwrap_err();
    assert!(refused.contains("a.wad is open in another Keypose") && refused.contains(&who), "{refused}");
    assert_eq!(fs::read(&archive).unwrap(), old);

    let (own, document) = (folder.join("own.wad"), second.document.clone());
    save_with_journal(&recorder.journal(), &own, document.project(), &bytes_of(&document)).unwrap();
    act(&mut second, &mut recorder, Action::File(FileAction::Saved { document, path: own.clone(), below: vec![] }));
    assert_eq!((&second.locked, second.file.as_ref()), (&None, Some(&own)));
    pose(&mut second, &mut recorder, 20.0);
    drop(recorder);
    let (mut again, _own_recorder, notes) = opened(&own);
    assert!(
        notes.len() == 1 && notes[0].starts_with("Recovered 2 steps"),
        "its own file has its own journal: {notes:?}"
    );
    check_same(&mut second, &mut again);
    first_recorder.observe(&first).unwrap();
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_second_editor_loses_nothing_either() {
    if !has_own_state("a_second_editor_loses_nothing_either") {
        return;
    }
    let (folder, archive) = desk("second-crash");
    let (mut first, mut first_recorder, _) = opened(&archive);
    let (mut second, mut second_recorder, _) = opened(&archive);
    let (mut third, mut third_recorder, _) = opened(&archive);
    for degrees in [10.0, 20.0] {
        pose(&mut second, &mut second_recorder, degrees);
        pose(&mut third, &mut third_recorder, -degrees);
    }
    act(&mut second, &mut second_recorder, Action::Document(DocumentAction::Undo));
    // The first one saves meanwhile: the file is another one by then.
    pose(&mut first, &mut first_recorder, 77.0);
    let document = first.document.clone();
    save_with_journal(&first_recorder.journal(), &archive, document.project(), &bytes_of(&document)).unwrap();
    act(
        &mut first,
        &mut first_recorder,
        Action::File(FileAction::Saved { document, path: archive.clone(), below: vec![] }),
    );

    drop((second_recorder, third_recorder));
    let (mut again, again_recorder, notes) = opened(&archive);
    assert!(again.locked.is_some() && notes.iter().any(|note| note.starts_with("Recovered 1 steps")), "{notes:?}");
    check_same(&mut second, &mut again);
    let (mut other, other_recorder, _) = opened(&archive);
    check_same(&mut third, &mut other);
    drop(first_recorder);
    again_recorder.close();

    let left = |notes: &[String]| notes.iter().any(|note| note.contains("Another window with a.wad closed without"));
    let (alone, alone_recorder, notes) = opened(&archive);
    assert!(alone.locked.is_none() && diff(alone.document.project(), first.document.project()).is_empty());
    assert!(!left(&notes), "the other one still runs: {notes:?}");
    drop((other_recorder, alone_recorder));
    let (_, alone_recorder, notes) = opened(&archive);
    assert!(left(&notes), "{notes:?}");
    let (mut other, other_recorder, _) = opened(&archive);
    check_same(&mut third, &mut other);
    other_recorder.close();
    alone_recorder.close();
    assert!(!left(&opened(&archive).2));
    fs::remove_dir_all(folder).unwrap();
}

#[cfg(unix)]
#[test]
fn a_link_to_a_file_is_the_same_document() {
    if !has_own_state("a_link_to_a_file_is_the_same_document") {
        return;
    }
    let (folder, archive) = desk("link");
    let link = folder.join("link.wad");
    std::os::unix::fs::symlink(&archive, &link).unwrap();
    let (_, first, _) = opened(&archive);
    assert!(opened(&link).0.locked.is_some());
    drop(first);
    let (mut editor, mut recorder, _) = opened(&link);
    pose(&mut editor, &mut recorder, 10.0);
    save_with_journal(&recorder.journal(), &archive, editor.document.project(), &bytes_of(&editor.document)).unwrap();
    pose(&mut editor, &mut recorder, 20.0);
    drop(recorder);
    check_same(&mut editor, &mut opened(&archive).0);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_drag_is_one_step_and_its_preview_is_not_written() {
    let (folder, archive) = desk("drag");
    let (mut editor, mut recorder, _) = opened(&archive);
    act(&mut editor, &mut recorder, Action::Document(DocumentAction::Begin { label: "drag".into() }));
    for degrees in 0..50 {
        let change = Change::Pose(vec![posed(1, Quat::from_rotation_z(degrees as f32 / 50.0))]);
        act(&mut editor, &mut recorder, Action::Document(DocumentAction::Preview(change)));
    }
    assert!(!folder.join("a.wad.journal").exists() && recorder.written().is_none());
    let before = std::time::Instant::now();
    act(&mut editor, &mut recorder, Action::Document(DocumentAction::Commit));
    assert!(recorder.written().is_some_and(|written| written >= before), "the status bar shows its age");
    drop(recorder);
    let (again, ..) = opened(&archive);
    assert_eq!(again.history.labels().collect::<Vec<_>>(), ["drag"]);
    fs::remove_dir_all(folder).unwrap();
}

/// Lets the journal be shortened when it has more than that many bytes.
fn shorten_over(recorder: &Recorder, bytes: u64) {
    recorder.journal().shared.lock().unwrap().as_mut().unwrap().compact_over(bytes);
}

/// Waits until the journal is not being shortened, and returns its size.
fn settled_bytes(recorder: &Recorder) -> u64 {
    let shared = recorder.journal().shared;
    while shared.lock().unwrap().as_ref().unwrap().is_compacting() {
        std::thread::yield_now();
    }
    shared.lock().unwrap().as_ref().unwrap().bytes()
}

/// The last states of the two are the same: as many as `is` has.
fn check_same_end(was: &mut Editor, is: &mut Editor) {
    assert_eq!(diff(is.document.project(), was.document.project()), []);
    while is.history.undo_count() > 0 {
        assert_eq!(is.history.undo_label(), was.history.undo_label());
        is.update(DocumentAction::Undo);
        was.update(DocumentAction::Undo);
        assert_eq!(diff(is.document.project(), was.document.project()), []);
    }
}

#[test]
fn a_journal_stays_within_four_times_its_document() {
    const FLOOR: u64 = 16 << 10;
    let (folder, archive) = desk("bound");
    let (mut editor, mut recorder, _) = opened(&archive);
    shorten_over(&recorder, FLOOR);
    let mut largest = 0;
    for number in 0..400_u16 {
        act(
            &mut editor,
            &mut recorder,
            Action::Run(if number % 50 < 45 { Command::FrameForward } else { Command::FrameBack }),
        );
        pose(&mut editor, &mut recorder, f32::from(number % 360));
        act(&mut editor, &mut recorder, Action::Run(Command::KeyPose));
        if number % 90 == 89 {
            let document = editor.document.clone();
            let bytes = bytes_of(&document);
            save_with_journal(&recorder.journal(), &archive, document.project(), &bytes).unwrap();
            editor.update(FileAction::Saved { document, path: archive.clone(), below: vec![] });
            shorten_over(&recorder, FLOOR);
        }
        largest = largest.max(settled_bytes(&recorder));
    }
    let mut lumps = Archive::open(&bytes_of(&editor.document)).unwrap().to_lumps().unwrap();
    uncompress(&mut lumps);
    let document = pack(lumps, None).unwrap().len() as u64;
    assert!(largest < 4 * document.max(FLOOR), "{largest} bytes for a document of {document}");
    drop(recorder);
    let (mut again, _, notes) = opened(&archive);
    assert!(notes.len() == 1 && again.history.undo_count() > 20, "{notes:?}, {} steps", again.history.undo_count());
    check_same_end(&mut editor, &mut again);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_save_fits_a_journal_that_was_shortened_just_before() {
    let (folder, archive) = desk("late-save");
    let (mut editor, mut recorder, _) = opened(&archive);
    shorten_over(&recorder, 8 << 10);
    let first = |recorder: &Recorder| recorder.journal().shared.lock().unwrap().as_ref().unwrap().first();
    for number in 0..200_u16 {
        let (journal, before) = (recorder.journal(), first(&recorder));
        pose(&mut editor, &mut recorder, f32::from(number));
        settled_bytes(&recorder);
        if first(&recorder) > before {
            let document = &editor.document;
            save_with_journal(&journal, &archive, document.project(), &bytes_of(document)).unwrap();
            if number > 100 {
                break;
            }
        }
    }
    assert!(first(&recorder) > 20);
    let steps = editor.history.undo_count();
    // As if the program were killed now.
    let (copy, of_copy) = desk("late-save-copy");
    for name in ["a.wad", "a.wad.journal"] {
        fs::copy(folder.join(name), copy.join(name)).unwrap();
    }
    let (again, _, notes) = opened(&of_copy);
    assert!(notes.iter().all(|note| !note.contains("renamed")), "{notes:?}");
    assert_eq!(diff(again.document.project(), editor.document.project()), []);
    assert_eq!(again.history.undo_label(), editor.history.undo_label());
    assert!(again.history.undo_count() > 0 && again.history.undo_count() < steps);
    drop(recorder);
    fs::remove_dir_all(copy).unwrap();
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn undo_past_the_start_of_a_shortened_journal_is_recorded() {
    let (folder, archive) = desk("past");
    let (mut editor, mut recorder, _) = opened(&archive);
    shorten_over(&recorder, 8 << 10);
    for number in 0..200_u16 {
        pose(&mut editor, &mut recorder, f32::from(number));
        settled_bytes(&recorder);
    }
    let first = recorder.journal().shared.lock().unwrap().as_ref().unwrap().first();
    assert!(first > 20, "{first} steps were left out");
    for steps in [first + 3, first - 1, first - 20, 0] {
        act(&mut editor, &mut recorder, Action::Document(DocumentAction::GoToStep(steps)));
        // As if the program were killed now.
        let (copy, of_copy) = desk(&format!("past-{steps}"));
        for name in ["a.wad", "a.wad.journal"] {
            fs::copy(folder.join(name), copy.join(name)).unwrap();
        }
        let (again, _, notes) = opened(&of_copy);
        assert_eq!(diff(again.document.project(), editor.document.project()), [], "{steps}: {notes:?}");
        assert_eq!(again.history.redo_label(), editor.history.redo_label(), "{steps}");
        assert_eq!(again.history.undo_count().min(1), steps.min(1), "{steps}: a step back is there");
        fs::remove_dir_all(copy).unwrap();
    }
    drop(recorder);
    fs::remove_dir_all(folder).unwrap();
}

/// The other side of `no_step_is_lost_by_a_kill_while_the_journal_is_shortened`: edits, saves and says each step.
#[test]
fn writer_of_the_shortening_kill_test() {
    let Ok(archive) = std::env::var("KEYPOSE_TEST_SHORTENER") else { return };
    let archive = Path::new(&archive);
    let (mut editor, mut recorder, _) = opened(archive);
    shorten_over(&recorder, 2 << 10);
    let done = editor.history.undo_label().and_then(|label| label.parse().ok()).unwrap_or(0_u64);
    for number in done + 1.. {
        let turn = Quat::from_rotation_z((number % 6000) as f32 / 1000.0);
        let change = Change::Pose(vec![posed(1, turn)]);
        act(
            &mut editor,
            &mut recorder,
            Action::Document(DocumentAction::Edit { label: number.to_string().into(), change }),
        );
        if number % 11 == 0 {
            act(&mut editor, &mut recorder, Action::Document(DocumentAction::Undo));
            act(&mut editor, &mut recorder, Action::Document(DocumentAction::Redo));
        }
        if number % 37 == 0 {
            let document = editor.document.clone();
            let bytes = bytes_of(&document);
            save_with_journal(&recorder.journal(), archive, document.project(), &bytes).unwrap();
            editor.update(FileAction::Saved { document, path: archive.to_owned(), below: vec![] });
            shorten_over(&recorder, 2 << 10);
        }
        println!("done {number}");
    }
}

#[test]
fn no_step_is_lost_by_a_kill_while_the_journal_is_shortened() {
    let (folder, archive) = desk("shortened-kill");
    let kills = std::env::var("KEYPOSE_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(20_u64);
    let (mut acknowledged, mut random, mut shortened) = (0, 1_u64, 0);
    for kill in 0..kills {
        let mut writer = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "recorder::writer_of_the_shortening_kill_test", "--nocapture", "--test-threads=1"])
            .env("KEYPOSE_TEST_SHORTENER", &archive)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let wanted = (random >> 33) % 200;
        let number = |line: &str| line.rsplit_once("done ").and_then(|(_, step)| step.parse::<u64>().ok());
        let mut lines = BufReader::new(writer.stdout.take().unwrap()).lines();
        for _ in 0..=wanted {
            let line = lines.next().expect("the writer runs until it is killed").unwrap();
            acknowledged = number(&line).unwrap_or(acknowledged);
        }
        writer.kill().unwrap();
        // Lines printed between the last read and the kill count, too.
        acknowledged = lines.map_while(Result::ok).filter_map(|line| number(&line)).last().unwrap_or(acknowledged);
        writer.wait().unwrap();
        let (editor, recorder, notes) = opened(&archive);
        let found = editor.history.undo_label().and_then(|label| label.parse().ok()).unwrap_or(0);
        assert!(found >= acknowledged, "kill {kill}: {acknowledged} was acknowledged, {found} was found: {notes:?}");
        assert!(notes.iter().all(|note| !note.contains("renamed") && !note.contains("kept")), "kill {kill}: {notes:?}");
        acknowledged = found;
        shortened += usize::from(editor.history.undo_count() < usize::try_from(found).unwrap());
        drop(recorder);
    }
    assert!(shortened > 0, "the journal was shortened");
    println!("{kills} kills, {acknowledged} steps, none lost");
    fs::remove_dir_all(folder).unwrap();
}
