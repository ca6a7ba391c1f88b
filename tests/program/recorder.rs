//! The editor and its recorder: after a crash at any moment, the document, its history and the place are there again.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use glam::Quat;
use keypose::assets::project::Project;
use keypose::wad;
use keypose::wad::archive::Archive;
use keypose::wad::diff::diff;
use keypose::wad::edit::uncompress;
use keypose::wad::journal;
use keypose::wad::pack::pack;
use keypose_app::app::files::FileKind;
use keypose_app::app::files::layers;
use keypose_app::app::work::recorder::Recorder;
use keypose_app::app::work::save::save;
use keypose_app::app::work::{ArchiveContent, Store};
use keypose_editor::editor::document::Document;
use keypose_editor::editor::posing::change::Change;
use keypose_editor::editor::session::command::Command;
use keypose_editor::editor::state::Editor;
use keypose_editor::editor::state::action::{Action, DocumentAction, FileAction, Origin};

use crate::editor_kit::dice::Dice;
use crate::editor_kit::{model, posed};
use crate::folder::Folder;

fn bytes_of(document: &Document) -> Vec<u8> {
    wad::encode(document.project(), &[]).unwrap()
}

/// A folder with an archive of the small model.
fn desk(name: &str) -> (Folder, PathBuf) {
    let folder = Folder::new(&format!("recorder-{name}"));
    let mut project = Project::default();
    project.add_model(model());
    let archive = folder.join("a.wad");
    fs::write(&archive, bytes_of(&Document::new(project))).unwrap();
    (folder, archive)
}

/// The editor as it is after it opened the archive, with what was recovered.
fn opened(archive: &Path) -> (Editor, Recorder, Vec<String>) {
    let project = wad::decode(&fs::read(archive).unwrap()).unwrap().project;
    let origin = Origin::Archive { below: Vec::new(), path: archive.to_owned() };
    let mut editor = Editor::new(project, &origin);
    let (recorder, notes) = Recorder::attach_in(Some(store(archive)), &mut editor, &origin, None);
    (editor, recorder, notes)
}

/// Unsaved work is kept beside the archive.
fn store(archive: &Path) -> Store {
    Store::at(archive.parent().unwrap())
}

/// The files in the folder of the only unsaved work.
fn work_file(folder: &Path, name: &str) -> PathBuf {
    let folders: Vec<_> = fs::read_dir(folder.join("work")).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(folders.len(), 1, "{folders:?}");
    folders[0].join(name)
}

/// Saves the document, and marks it as saved.
fn save_to(editor: &mut Editor, recorder: &mut Recorder, path: &Path) {
    let document = editor.document.clone();
    write(recorder, path, &document).unwrap();
    act(editor, recorder, Action::File(FileAction::Saved { document, path: path.to_owned(), below: vec![] }));
}

fn write(recorder: &Recorder, path: &Path, document: &Document) -> Result<(), String> {
    let mut content = ArchiveContent::new(wad::Encoder::new(document.project(), &[]).unwrap());
    save(&recorder.work(), path, document.project(), &mut content)
}

fn act(editor: &mut Editor, recorder: &mut Recorder, action: Action) {
    editor.update(action);
    editor.session.transient.question = None;
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
    for seed in 0..3 {
        let (_folder, archive) = desk("walk");
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
        drop(recorder);
    }
}

#[test]
fn undo_reaches_back_over_a_save_and_a_crash() {
    let (_folder, archive) = desk("save");
    let (mut editor, mut recorder, _) = opened(&archive);
    for degrees in [10.0, 20.0, 30.0] {
        pose(&mut editor, &mut recorder, degrees);
    }
    save_to(&mut editor, &mut recorder, &archive);
    pose(&mut editor, &mut recorder, 40.0);
    drop(recorder);
    let (mut again, mut recorder, _) = opened(&archive);
    assert!(again.is_dirty(), "the last pose was not saved");
    assert_eq!(recorder.recovered, 1, "saved steps are not counted");
    check_same(&mut editor, &mut again);
    again.update(DocumentAction::GoToStep(4));
    save_to(&mut again, &mut recorder, &archive);
    drop(recorder);
    let (mut again, mut recorder, notes) = opened(&archive);
    assert!(!again.is_dirty() && notes.iter().any(|note| note.starts_with("All recovered work is")), "{notes:?}");
    again.update(DocumentAction::Undo);
    assert!(again.is_dirty());
    act(&mut again, &mut recorder, Action::Document(DocumentAction::Redo));
    recorder.close();
    let (again, _, notes) = opened(&archive);
    assert_eq!((again.history.undo_count(), notes.len()), (0, 0), "closed is closed");
}

#[test]
fn saving_under_another_name_takes_the_history_along() {
    let (folder, archive) = desk("save-as");
    let id = |path: &Path| Archive::open(&fs::read(path).unwrap()).unwrap().header().id;
    let (mut editor, mut recorder, _) = opened(&archive);
    pose(&mut editor, &mut recorder, 10.0);
    save_to(&mut editor, &mut recorder, &archive);
    let first = id(&archive);
    let other = folder.join("b.wad");
    save_to(&mut editor, &mut recorder, &other);
    pose(&mut editor, &mut recorder, 20.0);
    drop(recorder);
    let (mut again, mut recorder, _) = opened(&other);
    check_same(&mut editor, &mut again);
    assert!(opened(&archive).2.is_empty(), "the old file has nothing left to recover");
    let second = id(&other);
    save_to(&mut again, &mut recorder, &other);
    assert!(first != second && [id(&archive), id(&other)] == [first, second], "a save keeps the id");
    drop(recorder);
}

#[test]
fn saving_as_a_patch_takes_the_history_along() {
    for steps_before in [0, 2] {
        let (folder, base) = desk(&format!("patch-{steps_before}"));
        let (mut editor, mut recorder, _) = opened(&base);
        for degrees in 0..steps_before {
            pose(&mut editor, &mut recorder, degrees as f32);
        }
        let (below, patch) = ([base.clone()], folder.join("p.wad"));
        let (bytes, hashes) = layers::encode_over(&below, &patch, &editor.document, &[]).unwrap();
        let mut content = ArchiveContent::Patch { bytes, below: hashes };
        save(&recorder.work(), &patch, editor.document.project(), &mut content).unwrap();
        pose(&mut editor, &mut recorder, 40.0);
        drop(recorder);
        let files = [base.clone(), patch.clone()];
        let origin = layers::origin(&files, FileKind::Archive);
        let reopened = || {
            let mut editor = Editor::new(layers::open(&files, &Default::default()).unwrap().project, &origin);
            let (recorder, notes) = Recorder::attach_in(Some(store(&base)), &mut editor, &origin, None);
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
    }
}

#[test]
#[cfg_attr(windows, ignore = "no file that is open is deleted there")]
fn what_could_not_be_written_is_written_with_the_next_step() {
    let (folder, archive) = desk("full");
    let (mut editor, mut recorder, _) = opened(&archive);
    // A folder in the place of the file: it can't be made.
    let steps = work_file(&folder, "steps");
    fs::create_dir(&steps).unwrap();
    for degrees in [10.0, 20.0] {
        let change = Change::Pose(vec![posed(1, Quat::from_rotation_z(degrees))]);
        editor.update(DocumentAction::Edit { label: "pose".into(), change });
        let error = recorder.observe(&editor).unwrap_err();
        assert!(error.contains("could not be recorded") && error.contains("a crash would lose them"), "{error}");
    }
    fs::remove_dir(&steps).unwrap();
    pose(&mut editor, &mut recorder, 30.0);
    // It is deleted, with all around it.
    fs::remove_dir_all(folder.join("work")).unwrap();
    pose(&mut editor, &mut recorder, 40.0);
    drop(recorder);
    check_same(&mut editor, &mut opened(&archive).0);
}

#[test]
#[cfg_attr(windows, ignore = "the copy has the archive open, so it is not deleted at once there")]
fn an_archive_that_another_program_changed_is_saved_with_the_history() {
    let (_folder, archive) = desk("foreign");
    let (mut editor, mut recorder, _) = opened(&archive);
    pose(&mut editor, &mut recorder, 10.0);
    fs::remove_file(&archive).unwrap();
    fs::write(&archive, bytes_of(&Document::default())).unwrap();
    write(&recorder, &archive, &editor.document.clone()).unwrap_err();
    save_to(&mut editor, &mut recorder, &archive);
    pose(&mut editor, &mut recorder, 20.0);
    drop(recorder);
    check_same(&mut editor, &mut opened(&archive).0);
}

/// As `cp` does it, into the same file. The first save warns, no other one does.
#[test]
fn a_save_warns_once_of_what_another_program_wrote_into_the_file() {
    let (_folder, archive) = desk("overwritten");
    let (mut editor, mut recorder, _) = opened(&archive);
    pose(&mut editor, &mut recorder, 10.0);
    save_to(&mut editor, &mut recorder, &archive);
    fs::write(&archive, bytes_of(&Document::default())).unwrap();
    pose(&mut editor, &mut recorder, 20.0);
    let refused = write(&recorder, &archive, &editor.document.clone()).unwrap_err();
    assert!(refused.contains("was changed by another program; save again to replace it"), "{refused}");
    save_to(&mut editor, &mut recorder, &archive);
    save_to(&mut editor, &mut recorder, &archive);
    drop(recorder);
}

#[test]
fn a_second_editor_saves_under_another_name() {
    let (folder, archive) = desk("second");
    let (first, mut first_recorder, _) = opened(&archive);
    let (mut second, mut recorder, notes) = opened(&archive);
    let locked = second.locked.clone().unwrap();
    assert_eq!((&first.file, &second.file, &locked.path), (&Some(archive.clone()), &None, &archive));
    let who = format!("process {}", std::process::id());
    assert!(locked.holder.starts_with(&who), "{locked:?}");
    assert!(notes.len() == 1 && notes[0].contains(&who) && notes[0].contains("read-only"), "{notes:?}");
    pose(&mut second, &mut recorder, 10.0);
    let old = fs::read(&archive).unwrap();
    let refused = write(&recorder, &archive, &second.document).unwrap_err();
    assert!(refused.contains("a.wad is open in another Keypose") && refused.contains(&who), "{refused}");
    assert_eq!(fs::read(&archive).unwrap(), old);
    let own = folder.join("own.wad");
    save_to(&mut second, &mut recorder, &own);
    assert_eq!((&second.locked, second.file.as_ref()), (&None, Some(&own)));
    pose(&mut second, &mut recorder, 20.0);
    drop(recorder);
    let (mut again, recorder, notes) = opened(&own);
    assert!(notes.len() == 1 && notes[0].starts_with("Recovered 1 step "), "{notes:?}");
    check_same(&mut second, &mut again);
    first_recorder.observe(&first).unwrap();
    drop((first_recorder, recorder));
}

#[test]
fn a_drag_is_one_step_and_its_preview_is_not_written() {
    let (_folder, archive) = desk("drag");
    let (mut editor, mut recorder, _) = opened(&archive);
    act(&mut editor, &mut recorder, Action::Document(DocumentAction::Begin { label: "drag".into() }));
    for degrees in 0..50 {
        let change = Change::Pose(vec![posed(1, Quat::from_rotation_z(degrees as f32 / 50.0))]);
        act(&mut editor, &mut recorder, Action::Document(DocumentAction::Preview(change)));
    }
    assert!(!recorder.is_written() && recorder.written().is_none());
    let before = std::time::Instant::now();
    act(&mut editor, &mut recorder, Action::Document(DocumentAction::Commit));
    assert!(recorder.written().is_some_and(|written| written >= before), "the status bar shows its age");
    drop(recorder);
    let (again, ..) = opened(&archive);
    assert_eq!(again.history.labels().collect::<Vec<_>>(), ["drag"]);
}

/// Lets the journal be shortened when it has more than that many bytes.
fn shorten_over(recorder: &Recorder, bytes: u64) {
    recorder.work().lock().unwrap().compact_over(bytes);
}

/// Waits until the journal is not being shortened, and returns its size.
fn settled_bytes(recorder: &Recorder) -> u64 {
    let work = recorder.work();
    while work.lock().unwrap().is_compacting() {
        std::thread::yield_now();
    }
    work.lock().unwrap().bytes()
}

#[test]
fn an_undo_while_the_journal_is_shortened_goes_behind_its_new_start() {
    let (_folder, archive) = desk("undo-while-shortened");
    let (mut editor, mut recorder, _) = opened(&archive);
    (0..100).for_each(|degrees| pose(&mut editor, &mut recorder, degrees as f32));
    let work = recorder.work();
    let place = editor.place();
    work.lock().unwrap().compact_over(0);
    let begun = work.lock().unwrap().begin_compaction(&editor.history, (&editor.document, &place));
    let compaction = begun.expect("there is more than the document");
    while editor.history.undo_count() > 0 {
        act(&mut editor, &mut recorder, Action::Document(DocumentAction::Undo));
    }
    while editor.history.redo_count() > 0 {
        act(&mut editor, &mut recorder, Action::Document(DocumentAction::Redo));
    }
    compaction.run(&work);
    settled_bytes(&recorder);
    drop((work, recorder));
    let (mut again, _, notes) = opened(&archive);
    assert!(notes.len() == 1 && notes[0].starts_with("Recovered"), "{notes:?}");
    check_same_end(&mut editor, &mut again);
}

#[test]
fn steps_that_come_while_the_journal_is_shortened_are_cut_off_by_the_next_one() {
    let (_folder, archive) = desk("quick-steps");
    let (mut editor, mut recorder, _) = opened(&archive);
    (0..20).for_each(|degrees| pose(&mut editor, &mut recorder, degrees as f32));
    let work = recorder.work();
    let place = editor.place();
    let begun = work.lock().unwrap().begin_compaction(&editor.history, (&editor.document, &place));
    shorten_over(&recorder, 4 << 10);
    // Far more than the thread copies.
    (0..400).for_each(|degrees| pose(&mut editor, &mut recorder, degrees as f32 / 7.0));
    begun.expect("there is more than the document").run(&work);
    let quick = settled_bytes(&recorder);
    pose(&mut editor, &mut recorder, 1.0);
    let next = settled_bytes(&recorder);
    assert!(next < quick / 2, "{next} of {quick}");
    drop((work, recorder));
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
    let (_folder, archive) = desk("bound");
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
            save_to(&mut editor, &mut recorder, &archive);
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
    let first = recorder.work().lock().unwrap().first();
    assert!(first > 20, "{first} steps were left out");
    let kept = folder.with_extension("kept");
    for steps in [first + 3, first - 1, first - 20, 0] {
        act(&mut editor, &mut recorder, Action::Document(DocumentAction::GoToStep(steps)));
        // As if the program were killed now.
        let _ = fs::remove_dir_all(&kept);
        fs::create_dir_all(&kept).unwrap();
        for name in ["steps", "base.wad"] {
            fs::copy(work_file(&folder, name), kept.join(name)).unwrap();
        }
        let recorded = journal::read(&fs::read(kept.join("steps")).unwrap()).unwrap();
        let again = journal::replay(&fs::read(kept.join("base.wad")).unwrap(), recorded).unwrap();
        assert_eq!(diff(again.project(), editor.document.project()), [], "{steps}");
        assert_eq!(
            again.steps.get(again.done).map(|step| step.label.as_str()),
            editor.history.labels().nth(editor.history.undo_count()),
            "{steps}"
        );
        assert_eq!(again.done.min(1), steps.min(1), "{steps}: a step back is there");
    }
    fs::remove_dir_all(kept).unwrap();
    drop(recorder);
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
            save_to(&mut editor, &mut recorder, archive);
            shorten_over(&recorder, 2 << 10);
        }
        println!("done {number}");
    }
}

#[test]
fn no_step_is_lost_by_a_kill_while_the_journal_is_shortened() {
    let (_folder, archive) = desk("shortened-kill");
    let kills = std::env::var("KEYPOSE_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(8_u64);
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
        assert!(notes.iter().all(|note| note.contains("ecovered")), "kill {kill}: {notes:?}");
        acknowledged = found;
        shortened += usize::from(editor.history.undo_count() < usize::try_from(found).unwrap());
        drop(recorder);
    }
    assert!(shortened > 0, "the journal was shortened");
    println!("{kills} kills, {acknowledged} steps, none lost");
}
