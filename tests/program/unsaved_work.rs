//! Unsaved work after a crash, whatever became of the file meanwhile: renames, moves, copies, links, second windows, commands.
#![cfg(unix)]

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Output;

use keypose::wad;
use keypose::wad::archive::{Archive, set_id};
use keypose::wad::directory::Codec;
use keypose::wad::journal::{self, Event, Place, outline};
use keypose::wad::kind::Kind;
use keypose::wad::pack::Lump;
use keypose_app::app::files::layers;
use keypose_app::app::work::recorder::Recorder;
use keypose_app::app::work::{Store, list};
use keypose_editor::editor::state::Editor;

use crate::folder::Folder;
use crate::process::{Program, fed, keeps_in, keypose_with};
use crate::root::root;
use crate::sample;

/// A folder with `project/a.wad` and `project/other.wad`, and one for what programs keep.
struct Desk {
    folder: Folder,
}

impl Desk {
    fn new(name: &str) -> Desk {
        let folder = Folder::new(&format!("work-{name}"));
        fs::create_dir_all(folder.join("project")).unwrap();
        let desk = Desk { folder };
        fs::write(desk.path("a.wad"), sample::encode(&sample::small())).unwrap();
        fs::write(desk.path("other.wad"), sample::encode(&sample::rich())).unwrap();
        desk
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join("project").join(name)
    }

    fn open(&self, name: &str) -> Program {
        Program::start(Some(self.path(name).as_os_str()), &self.folder)
    }

    /// Opens a file, saves a pose and kills the editor.
    fn crash(&self, name: &str, pose: &str) {
        let mut program = self.open(name);
        work(&mut program, pose);
        program.kill();
    }

    /// What an editor of a file shows.
    fn shown(&self, name: &str) -> String {
        let mut program = self.open(name);
        program.send("show poses");
        let shown = program.read();
        program.kill();
        shown.trim_start_matches("poses =").trim().to_owned()
    }

    /// `keypose` in the folder of the documents, with input.
    fn run(&self, arguments: &[&str], input: &str) -> Output {
        let mut command = keypose_with(&self.folder);
        fed(command.current_dir(self.folder.join("project")).args(arguments), input)
    }

    /// The titles of the unsaved work that is listed, the newest first.
    fn listed(&self) -> Vec<String> {
        let output = self.run(&["recover", "--json"], "");
        let list: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it prints a list");
        list.as_array().unwrap().iter().map(|entry| entry["title"].as_str().unwrap().to_owned()).collect()
    }
}

fn reports(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Saves a pose; returns when that is acknowledged.
fn work(program: &mut Program, pose: &str) {
    program.send(&format!("save-pose {pose}; show steps"));
    assert!(program.read().starts_with("steps = "));
}

fn poses_in(archive: &Path) -> Vec<String> {
    let project = wad::decode(&fs::read(archive).unwrap()).unwrap().project;
    project.models[0].poses.iter().map(|pose| pose.name.clone()).collect()
}

fn id_in(archive: &Path) -> u64 {
    Archive::open(&fs::read(archive).unwrap()).unwrap().header().id
}

/// The poses in `other.wad`.
const OTHER: &str = "fist \"Faust ü\"";

/// What happens to `a.wad` after a crash, and what editors of files show then.
type Case = (&'static str, fn(&Desk), &'static [(&'static str, &'static str)]);

const CASES: &[Case] = &[
    ("opened again", |_| (), &[("a.wad", "one")]),
    ("renamed", |desk| desk.rename("a.wad", "b.wad"), &[("b.wad", "one")]),
    ("moved", |desk| desk.rename("a.wad", "sub/a.wad"), &[("sub/a.wad", "one")]),
    (
        "its folder is renamed",
        |desk| {
            desk.rename("a.wad", "sub/a.wad");
            desk.rename("sub", "sub2");
        },
        &[("sub2/a.wad", "one")],
    ),
    ("copied", |desk| desk.copy("a.wad", "b.wad"), &[("b.wad", ""), ("a.wad", "one"), ("b.wad", "")]),
    (
        "moved by a copy",
        |desk| {
            desk.copy("a.wad", "sub/a.wad");
            fs::remove_file(desk.path("a.wad")).unwrap();
        },
        &[("sub/a.wad", "one")],
    ),
    ("linked", |desk| symlink("a.wad", desk.path("b.wad")).unwrap(), &[("b.wad", "one"), ("a.wad", "one")]),
    (
        "linked as a file",
        |desk| fs::hard_link(desk.path("a.wad"), desk.path("b.wad")).unwrap(),
        &[("b.wad", "one"), ("a.wad", "one")],
    ),
    (
        "its names were exchanged",
        |desk| {
            desk.rename("a.wad", "b.wad");
            desk.rename("other.wad", "a.wad");
            desk.rename("b.wad", "other.wad");
        },
        &[("a.wad", OTHER), ("other.wad", "one")],
    ),
    (
        "another file has its name",
        |desk| {
            desk.rename("a.wad", "b.wad");
            desk.copy("other.wad", "a.wad");
        },
        &[("a.wad", OTHER), ("b.wad", "one")],
    ),
    (
        "read-only",
        |desk| fs::set_permissions(desk.path("a.wad"), Permissions::from_mode(0o444)).unwrap(),
        &[("a.wad", "one")],
    ),
    (
        "in a read-only folder",
        |desk| fs::set_permissions(desk.path(""), Permissions::from_mode(0o555)).unwrap(),
        &[("a.wad", "one")],
    ),
];

impl Desk {
    fn rename(&self, from: &str, to: &str) {
        fs::create_dir_all(self.path(to).parent().unwrap()).unwrap();
        fs::rename(self.path(from), self.path(to)).unwrap();
    }

    fn copy(&self, from: &str, to: &str) {
        fs::create_dir_all(self.path(to).parent().unwrap()).unwrap();
        fs::write(self.path(to), fs::read(self.path(from)).unwrap()).unwrap();
    }
}

/// The folder of the work gets another name while files in it wait for their sync.
#[test]
fn a_save_under_another_name_right_after_an_edit_reports_nothing() {
    let desk = Desk::new("save-as");
    let mut program = desk.open("a.wad");
    program.send(&format!("save-pose one; save {}; show poses", desk.path("b.wad").display()));
    assert_eq!(program.read(), "poses = one");
    assert_eq!(program.finish(), "");
}

/// What may come out differently where the file has no id, so that its work is found by its content.
const WITHOUT_ID: [&str; 4] = ["renamed", "copied", "linked", "its names were exchanged"];

/// As the file was made, which may be without an id, and after a save, which gives it one.
#[test]
fn work_is_found_whatever_became_of_the_file() {
    for is_saved in [false, true] {
        for (name, arrange, wanted) in CASES.iter().filter(|(name, ..)| is_saved || WITHOUT_ID.contains(name)) {
            let desk = Desk::new("found");
            if is_saved {
                let mut program = desk.open("a.wad");
                program.send("clip wave; save");
                program.finish();
                assert_ne!(id_in(&desk.path("a.wad")), 0);
            }
            desk.crash("a.wad", "one");
            arrange(&desk);
            assert_eq!(desk.listed(), ["a.wad"], "{name}");
            for (file, poses) in *wanted {
                assert_eq!(desk.shown(file), *poses, "{name}, saved: {is_saved}, {file}");
            }
            fs::set_permissions(desk.path(""), Permissions::from_mode(0o755)).unwrap();
        }
    }
}

/// Steps, a save, further steps, and then another content under the same id.
#[test]
fn work_on_another_version_of_the_file_opens_as_a_new_document() {
    let restored = |desk: &Desk| desk.rename("a.wad.1", "a.wad");
    let deleted = |desk: &Desk| fs::remove_file(desk.path("a.wad")).unwrap();
    let changed = |desk: &Desk| {
        let mut bytes = sample::encode(&sample::rich());
        set_id(&mut bytes, id_in(&desk.path("a.wad")));
        fs::remove_file(desk.path("a.wad")).unwrap();
        fs::write(desk.path("a.wad"), bytes).unwrap();
    };
    type Arrange = fn(&Desk);
    let cases: [(&str, Arrange, bool); 2] = [("an older version", restored, true), ("another", changed, false)];
    for (name, arrange, is_of_file) in cases {
        let desk = Desk::new("version");
        let mut program = desk.open("a.wad");
        program.send("save-pose one; save; save-pose two; show poses");
        assert_eq!(program.read(), "poses = one two");
        program.kill();
        arrange(&desk);
        let before = fs::read(desk.path("a.wad")).unwrap();
        let mut program = desk.open("a.wad");
        program.send("show poses; show steps");
        assert_eq!([program.read(), program.read()], ["poses = one two", "steps = 2 undo, 0 redo"], "{name}");
        program.send(&if is_of_file { "save".to_owned() } else { format!("save {}", desk.path("b.wad").display()) });
        let errors = program.finish();
        assert_eq!(errors.contains("changed by another program"), !is_of_file, "{name}: {errors}");
        assert_eq!(fs::read(desk.path("a.wad")).unwrap() == before, !is_of_file, "{name}");
        assert_eq!(desk.listed(), [""; 0], "{name}");
    }
    let desk = Desk::new("version");
    desk.crash("a.wad", "one");
    deleted(&desk);
    assert_eq!(desk.listed(), ["a.wad"]);
    assert!(desk.run(&["recover", "1", "-o", "b.wad"], "").status.success());
    assert_eq!(poses_in(&desk.path("b.wad")), ["one"]);
    assert!(desk.run(&["recover", "1", "--discard"], "").status.success());
    assert_eq!(desk.listed(), [""; 0]);
    assert_eq!(desk.run(&["recover", "1", "--discard"], "").status.code(), Some(1));
}

/// Imported, untitled and built-in documents have no archive of their own.
#[test]
fn work_without_an_archive_is_listed_and_recovered() {
    let model = root().join("data/tests/models/limb.glb");
    let cases = [("untitled", None), ("demo.wad", Some("built in/demo.wad")), ("limb.glb", model.to_str())];
    for (title, file) in cases {
        let desk = Desk::new("without");
        let start = || Program::start(file.map(std::ffi::OsStr::new), &desk.folder);
        let commands =
            format!("import \"{}\"; save-pose one; show steps", root().join("data/tests/two_bones.wad").display());
        let mut killed: Vec<Program> = Vec::new();
        for _ in 0..2 {
            let mut program = start();
            program.send(&commands);
            assert!(program.read().starts_with("steps = "), "{title}");
            killed.push(program);
        }
        killed.into_iter().for_each(|program| drop(program.kill()));
        assert_eq!(desk.listed(), [title; 2], "{title}");
        let list = String::from_utf8(desk.run(&["recover"], "").stdout).unwrap();
        assert!(list.contains(&format!("1  2 steps on {title}, the last one \"Save pose\"")), "{list}");
        let steps = steps_of(&desk.folder);
        // The window opens an entry by the path of its steps.
        let mut program = Program::start(Some(steps[0].as_os_str()), &desk.folder);
        program.send("show steps; show dirty");
        assert_eq!([program.read(), program.read()], ["steps = 2 undo, 0 redo", "dirty = yes"], "{title}");
        program.send(&format!("save {}", desk.path("new.wad").display()));
        program.finish();
        assert_eq!(desk.listed(), [title], "{title}");
        assert!(wad::decode(&fs::read(desk.path("new.wad")).unwrap()).is_ok());
    }
}

/// The files with steps in a folder for application state.
fn steps_of(state: &Path) -> Vec<PathBuf> {
    let folders = fs::read_dir(state.join("keypose/work")).unwrap().map(|entry| entry.unwrap().path().join("steps"));
    folders.filter(|steps| steps.exists()).collect()
}

#[test]
fn a_second_window_does_not_overwrite_and_loses_nothing() {
    let desk = Desk::new("second");
    let mut first = desk.open("a.wad");
    work(&mut first, "one");
    desk.copy("a.wad", "copy.wad");
    symlink("a.wad", desk.path("link.wad")).unwrap();
    // A copy is another document.
    let mut copy = desk.open("copy.wad");
    copy.send("save-pose copied; save");
    copy.finish();
    assert_eq!(poses_in(&desk.path("copy.wad")), ["copied"]);
    assert!(![0, id_in(&desk.path("a.wad"))].contains(&id_in(&desk.path("copy.wad"))));
    let mut second = desk.open("link.wad");
    work(&mut second, "two");
    let before = fs::read(desk.path("a.wad")).unwrap();
    for line in ["save".to_owned(), format!("save {}", desk.path("a.wad").display())] {
        let mut third = desk.open("a.wad");
        third.send(&format!("save-pose three; {line}"));
        let errors = third.fail();
        let names = "is open in another Keypose (process";
        assert!(errors.matches(names).count() == 2 && errors.contains("read-only here"), "{errors}");
    }
    let repacked = desk.run(&["wad", "repack", "a.wad"], "");
    assert!(reports(&repacked).contains("open in Keypose (process"), "{}", reports(&repacked));
    assert_eq!(fs::read(desk.path("a.wad")).unwrap(), before);
    second.kill();
    let store = Store::at(&desk.folder.join("keypose"));
    assert_eq!(list::locked_count(&store), 1, "the list leaves out the work that has an editor, and knows");
    first.send("save");
    first.finish();
    assert_eq!(list::locked_count(&store), 0);
    assert_eq!(poses_in(&desk.path("a.wad")), ["one"]);
    assert_eq!(desk.listed().len(), 3, "what the others did is kept");
}

#[test]
fn commands_do_not_replace_an_archive_with_unsaved_work() {
    let desk = Desk::new("waiting");
    desk.crash("a.wad", "one");
    let before = fs::read(desk.path("a.wad")).unwrap();
    for (command, input) in [
        (&["wad", "repack", "a.wad"][..], ""),
        (&["wad", "merge", "a.wad", "-o", "a.wad"], ""),
        (&["edit", "a.wad", "--script", "-"], "save-pose two; save\n"),
        (&["edit", "other.wad", "--journal", "--script", "-"], "save a.wad\n"),
    ] {
        let refused = desk.run(command, input);
        assert!(!refused.status.success() && reports(&refused).contains("unsaved work"), "{}", reports(&refused));
        assert_eq!(fs::read(desk.path("a.wad")).unwrap(), before, "{command:?}");
    }
    // What was saved does not wait.
    let mut program = desk.open("a.wad");
    program.send("save; show poses");
    assert_eq!(program.read(), "poses = one");
    program.kill();
    assert_eq!(desk.listed(), [""; 0]);
    let id = id_in(&desk.path("a.wad"));
    let repacked = desk.run(&["wad", "repack", "a.wad"], "");
    assert!(repacked.status.success(), "{}", reports(&repacked));
    assert_eq!(id_in(&desk.path("a.wad")), id, "a command keeps the id");
}

#[test]
fn work_whose_records_are_damaged_is_listed_and_nothing_replaces_its_archive() {
    for at in [0, 1, 3] {
        let desk = Desk::new(&format!("damage-{at}"));
        for pose in ["one", "two", "three"] {
            desk.crash("a.wad", pose);
        }
        let steps = steps_of(&desk.folder).remove(0);
        let mut bytes = fs::read(&steps).unwrap();
        let place = outline(&bytes).unwrap().offsets[at] + 40;
        bytes[place] ^= 1;
        fs::write(&steps, &bytes).unwrap();
        assert_eq!(desk.listed(), ["a.wad"], "record {at}");
        let repacked = desk.run(&["wad", "repack", "a.wad"], "");
        assert!(!repacked.status.success() && reports(&repacked).contains("unsaved work"), "{}", reports(&repacked));
        desk.shown("a.wad");
        // What can't be read at all stays; what can be is continued.
        assert_eq!(fs::read(&steps).unwrap() == bytes, at < 2, "record {at}");
    }
}

/// Work with a state that no archive could hold stays as it is; its last valid state is recovered.
#[test]
fn the_last_valid_state_of_invalid_work_is_recovered() {
    let gone = Lump { kind: Kind::CLIP, name: "arm/wave".into(), version: 1, codec: Codec::Store, bytes: None };
    let place = Place::default();
    let invalid = |lumps| Event::Step { label: "Invalid".into(), before: place.clone(), after: place.clone(), lumps };
    let desk = Desk::new("invalid");
    for pose in ["one", "two"] {
        desk.crash("a.wad", pose);
    }
    let steps = steps_of(&desk.folder).remove(0);
    let mut bytes = fs::read(&steps).unwrap();
    let read = journal::read(&bytes).unwrap();
    let sequence = read.first_sequence + read.events.len() as u64;
    bytes.extend(journal::record(&invalid(vec![gone]), sequence, read.base).unwrap());
    fs::write(&steps, &bytes).unwrap();
    let mut program = desk.open("a.wad");
    program.send("show poses");
    assert_eq!(program.read(), "poses = ");
    let errors = program.finish();
    assert!(
        errors.contains("Unsaved work on this document can't be read") && errors.contains("It stays in"),
        "{errors}"
    );
    assert_eq!(fs::read(&steps).unwrap(), bytes);
    let recovered = desk.run(&["recover", "1", "-o", "b.wad"], "");
    assert!(recovered.status.success() && reports(&recovered).contains("lump ANIM/arm/wave is missing"));
    assert_eq!(poses_in(&desk.path("b.wad")), ["one", "two"]);
    assert_eq!(fs::read(&steps).unwrap(), bytes);
}

#[test]
fn what_was_saved_between_reading_and_locking_is_read_again() {
    let desk = Desk::new("between");
    let script = ["edit", "a.wad", "--script", "-"];
    assert!(desk.run(&script, "save-pose one; save-patch p.wad").status.success());
    let cases = [
        (vec![desk.path("a.wad")], "save-pose two; save"),
        (vec![desk.path("a.wad"), desk.path("p.wad")], "save-pose two; save-patch p.wad"),
    ];
    for (files, commands) in cases.into_iter().rev() {
        let opened = layers::open(&files, &Default::default()).unwrap();
        let origin = layers::origin(&files, opened.kind);
        let mut editor = Editor::new(opened.project, &origin);
        // Another editor saves here.
        assert!(desk.run(&script, commands).status.success());
        let store = Some(Store::at(&desk.folder.join("keypose")));
        let (recorder, notes) = Recorder::attach_in(store, &mut editor, &origin, Some(opened.digest));
        let shown: Vec<&str> = editor.document.models[0].poses.iter().map(|pose| pose.name.as_str()).collect();
        assert_eq!((notes.len(), shown, editor.is_dirty()), (0, vec!["two"], false), "{files:?}");
        assert!(editor.file.is_some());
        recorder.close();
    }
}

#[test]
fn work_on_a_patch_is_found_over_its_archives() {
    let desk = Desk::new("patch");
    let script = ["edit", "a.wad", "--journal", "--script", "-"];
    for patch in ["p", "q"] {
        let done = desk.run(&script, &format!("save-pose {patch}; save-patch {patch}.wad"));
        assert!(done.status.success(), "{}", reports(&done));
    }
    let layers = |patches: &[&str]| {
        let mut files = vec![desk.path("a.wad").into_os_string()];
        patches.iter().for_each(|patch| files.extend(["--patch".into(), desk.path(patch).into_os_string()]));
        Program::start_with(&files, &desk.folder)
    };
    let mut first = layers(&["p.wad"]);
    work(&mut first, "one");
    let output = layers(&["q.wad", "p.wad"]).finish();
    assert!(output.contains("p.wad is open in another Keypose"), "{output}");
    first.kill();
    let mut again = layers(&["p.wad"]);
    again.send("show poses");
    assert_eq!(again.read(), "poses = p one");
    again.send("save");
    again.finish();
    assert_eq!(desk.listed(), [""; 0]);
    // The archive below changes: the work is a document of its own.
    let mut first = layers(&["p.wad"]);
    work(&mut first, "two");
    first.kill();
    assert!(desk.run(&script, "save-pose base; save").status.success());
    assert!(desk.run(&["recover", "1", "-o", "new.wad"], "").status.success());
    assert_eq!(poses_in(&desk.path("new.wad")), ["p", "one", "two"]);
}

#[test]
fn a_document_is_saved_again_by_whatever_path_it_was_named() {
    let desk = Desk::new("path");
    symlink("project", desk.folder.join("link")).unwrap();
    let linked = desk.folder.join("link/linked.wad");
    for path in ["relative.wad", linked.to_str().unwrap()] {
        let input = format!("import a.wad\nsave {path}\nsave-pose one\nsave\n");
        let saved = desk.run(&["edit", "--journal", "--script", "-"], &input);
        assert!(saved.status.success(), "{path}: {}", reports(&saved));
        assert_eq!(poses_in(&desk.path(path)), ["one"], "{path}");
    }
    // A link that leads to another file by then is not followed.
    symlink("a.wad", desk.path("l.wad")).unwrap();
    let mut program = desk.open("l.wad");
    work(&mut program, "one");
    fs::remove_file(desk.path("l.wad")).unwrap();
    symlink("other.wad", desk.path("l.wad")).unwrap();
    let before = fs::read(desk.path("other.wad")).unwrap();
    program.send("save");
    let errors = program.fail();
    assert!(errors.contains("leads to another file now"), "{errors}");
    assert_eq!(fs::read(desk.path("other.wad")).unwrap(), before);
}

#[test]
fn names_of_any_length_and_bytes_are_saved_and_recovered() {
    use std::os::unix::ffi::OsStrExt;
    let desk = Desk::new("names");
    let long = |letter: &str, bytes: usize| format!("{}.wad", letter.repeat((bytes - 4) / letter.len())).into_bytes();
    for name in [long("n", 240), long("ñ", 240), long("n", 253), b"x\xff.wad".to_vec(), b"x\n.wad".to_vec()] {
        let path = desk.path("").join(std::ffi::OsStr::from_bytes(&name));
        if fs::copy(desk.path("a.wad"), &path).is_err() {
            // Some systems allow only Unicode.
            continue;
        }
        let start = || Program::start(Some(path.as_os_str()), &desk.folder);
        let mut program = start();
        program.send("save-pose one; save; save-pose two; save");
        work(&mut program, "three");
        program.kill();
        assert_eq!(poses_in(&path), ["one", "two"]);
        let mut program = start();
        program.send("show poses");
        assert_eq!(program.read(), "poses = one two three");
        program.send("save");
        program.finish();
    }
}

#[test]
fn a_script_fails_if_what_it_did_could_not_be_recorded() {
    let desk = Desk::new("homeless");
    let edit = |input: &str| {
        let mut command = keypose_with(&desk.folder);
        for (variable, _) in keeps_in(&desk.folder) {
            command.env_remove(variable);
        }
        fed(command.current_dir(desk.path("")).args(["edit", "a.wad", "--journal", "--script", "-"]), input)
    };
    let lost = edit("save-pose one\n");
    assert!(!lost.status.success() && reports(&lost).contains("could not be recorded"), "{}", reports(&lost));
    assert!(reports(&lost).contains("not protected") && !reports(&lost).contains("will be recovered"));
}

#[test]
fn a_home_that_is_a_file_has_no_unsaved_work() {
    let desk = Desk::new("home-is-a-file");
    let run = |input: &str| {
        let mut command = keypose_with(&desk.folder);
        for (variable, _) in keeps_in(&desk.folder) {
            command.env_remove(variable);
        }
        command.env("HOME", desk.path("a.wad"));
        fed(command.current_dir(desk.path("")).args(["edit", "a.wad", "--script", "-"]), input)
    };
    let saved = run("save-pose one\nsave\n");
    assert!(saved.status.success(), "{}", reports(&saved));
    assert!(String::from_utf8_lossy(&run("show poses\n").stdout).contains("poses = one"));
}
