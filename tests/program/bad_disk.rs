//! The real program on a disk that is full, read-only or gone, in a mount namespace of its own: the file stays whole, the
//! error says what to do, and the edits are still there when the disk works again.
#![cfg(target_os = "linux")]

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::folder::Folder;
use crate::needs;
use crate::process::{keeps_in, keypose_with};
use crate::root::root;

const PROGRAM: &str = env!("CARGO_BIN_EXE_keypose");

fn arm() -> PathBuf {
    root().join("data/tests/arm.wad")
}

/// A folder of this test's own, with a folder for state in it.
fn folder(name: &str) -> Folder {
    let folder = Folder::new(&format!("disk-{name}"));
    fs::create_dir_all(folder.join("disk")).unwrap();
    folder
}

/// Runs shell commands in a mount namespace in which `$disk` is a file system of its own of 16 MiB. `edit COMMANDS…` runs the
/// editor on `$disk/a.wad`, a copy of the arm, and prints its exit code. `None` if the system has no namespaces.
fn on_disk(name: &str, commands: &str) -> Option<String> {
    let folder = folder(name);
    let unshare = |commands: &str| -> Option<Output> {
        let mut command = Command::new("unshare");
        command.args(["--map-root-user", "--mount", "sh", "-c", commands]);
        command.env("disk", folder.join("disk")).env("arm", arm()).env("folder", &*folder).env("program", PROGRAM);
        command.envs(keeps_in(&folder)).output().ok()
    };
    let has_namespaces = unshare("mount -t tmpfs tmpfs \"$disk\"").is_some_and(|output| output.status.success());
    if !has_namespaces {
        needs::missing("mount", "this system allows no mount namespace");
        return None;
    }
    let prelude = "set -u\n\
        mount -t tmpfs -o size=16m tmpfs \"$disk\"; cp \"$arm\" \"$disk/a.wad\"\n\
        edit() { echo \"$1\" > \"$folder/commands\"; shift\n\
          \"$program\" edit \"$disk/a.wad\" --script \"$folder/commands\" \"$@\" 2>&1; echo \"exit $?\"; }\n\
        fill() { head -c 20000000 /dev/zero > \"$disk/ballast\" 2>/dev/null; }\n\
        same() { cmp \"$disk/a.wad\" \"$arm\" && echo \"the file is as it was\"; ls -A \"$disk\" | tr '\\n' ' '; echo; }\n";
    let output = unshare(&format!("{prelude}{commands}")).unwrap();
    Some(format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr)))
}

fn expect(output: &str, parts: &[&str]) {
    let mut rest = output;
    for part in parts {
        let at = rest.find(part).unwrap_or_else(|| panic!("no \"{part}\" at its place in:\n{output}"));
        rest = &rest[at + part.len()..];
    }
}

#[test]
fn a_full_disk_leaves_the_file_and_says_what_to_do() {
    let commands = "fill; edit 'clip bend; rename-clip stroll; save'; same; \
                 rm \"$disk/ballast\"; edit 'clip bend; rename-clip stroll; save'; edit 'clip stroll; show clip'";
    let Some(output) = on_disk("full", commands) else { return };
    let refused = ["a.wad could not be saved", "free some space, or save to another disk", "exit 1"];
    expect(
        &output,
        &[&refused[..], &["the file is as it was", "a.wad ballast \n", "exit 0", "clip = stroll"]].concat(),
    );
}

#[test]
fn a_limit_of_file_sizes_is_an_error_and_no_signal() {
    let limited = "limited() { (ulimit -f 4; \"$@\"; echo \"exit $?\") 2>&1; }; cd \"$disk\";";
    let commands = format!(
        "{limited} limited edit 'clip bend; rename-clip stroll; save'; limited \"$program\" export a.wad -o a.glb; same"
    );
    let Some(output) = on_disk("limit", &commands) else { return };
    let parts = ["a.wad could not be saved", "File too large", "exit 1", "a.glb", "File too large", "exit 1"];
    expect(&output, &[&parts[..], &["the file is as it was", "a.wad \n"]].concat());
}

#[test]
fn a_step_is_not_shown_as_done_if_the_disk_does_not_take_it() {
    let commands = "fill; export XDG_STATE_HOME=\"$disk/state\"; \
                 edit 'clip bend; rename-clip stroll; show clip' --journal; same";
    let Some(output) = on_disk("steps", commands) else { return };
    assert!(!output.contains("clip = stroll") && !output.contains("recovered by the next run"), "{output}");
    expect(&output, &["could not be recorded", "free some space", "exit 1", "the file is as it was"]);
}

#[test]
fn the_state_of_a_document_s_disk_costs_no_work() {
    let edit = "edit 'clip bend; rename-clip stroll; show clip; rename-clip amble; show clip' --journal;";
    let again = "edit 'show clip; show steps; rename-clip trot; show clip' --journal;";
    let save = "edit 'save; show steps' --journal; edit 'show clip; show steps' --journal";
    let (lock, unlock) = ("mount -o remount,ro \"$disk\";", "mount -o remount,rw \"$disk\";");
    for (name, before, meanwhile) in
        [("full-state", "fill;", "rm \"$disk/ballast\";"), ("read-only", lock, unlock), ("became-read-only", "", "")]
    {
        let commands = format!("{before} {edit} same; {again} {meanwhile} {save}");
        let Some(output) = on_disk(name, &commands) else { return };
        let parts = ["clip = stroll", "clip = amble", "exit 0", "the file is as it was", "Recovered 2 steps"];
        expect(&output, &[&parts[..], &["steps = 2 undo, 0 redo", "clip = trot", "Recovered 3 steps"]].concat());
        expect(&output, &["clip = trot", "steps = 3 undo, 0 redo", "exit 0", "steps = 0 undo, 0 redo", "exit 0"]);
    }
}

/// The editor with its script on a pipe: it says what it did before the next commands come.
struct Piped {
    child: std::process::Child,
    out: BufReader<std::process::ChildStdout>,
}

impl Piped {
    fn open(file: &Path, folder: &Path) -> Piped {
        let mut command = keypose_with(folder);
        command.arg("edit").arg(file).args(["--script", "-"]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        Piped { child, out }
    }

    /// Says commands that show one fact, and waits for it.
    fn say(&mut self, commands: &str) -> String {
        self.send(commands);
        let mut line = String::new();
        self.out.read_line(&mut line).unwrap();
        line.trim().to_owned()
    }

    fn send(&mut self, commands: &str) {
        writeln!(self.child.stdin.as_mut().unwrap(), "{commands}").unwrap();
    }

    /// Sends the last commands and returns the output at the exit.
    fn end(mut self, commands: &str) -> (bool, String) {
        self.send(commands);
        let output = self.child.wait_with_output().unwrap();
        (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

#[test]
fn a_missing_file_is_written_again_and_a_missing_folder_is_reported() {
    let folder = folder("vanished");
    let file = folder.join("disk/a.wad");
    fs::copy(arm(), &file).unwrap();
    let mut editor = Piped::open(&file, &folder);
    assert_eq!(editor.say("clip bend; rename-clip stroll; show clip"), "clip = stroll");
    fs::remove_file(&file).unwrap();
    assert_eq!(editor.say("save; show dirty"), "dirty = no");
    assert!(keypose::wad::decode(&fs::read(&file).unwrap()).unwrap().project.models[0].clip_named("stroll").is_some());

    assert_eq!(editor.say("rename-clip amble; show clip"), "clip = amble");
    fs::remove_dir_all(folder.join("disk")).unwrap();
    let (is_saved, output) = editor.end("save");
    assert!(!is_saved && output.contains("its folder doesn't exist: save in another one"), "{output}");
}
