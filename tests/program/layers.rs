//! A base and patches over it, as files: made in the editor, opened by the program, refused where they don't fit.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use keypose::assets::project::Project;
use keypose::wad;
use keypose::wad::archive::Archive;
use keypose_app::app::files::layers;

use crate::editor_kit;
use crate::folder::Folder;
use crate::process::keypose;

/// A folder of a test's own with `base.wad`: a puppet with the clips "wave" and "empty".
fn folder(name: &str) -> Folder {
    let folder = Folder::new(&format!("layers-{name}"));
    let mut project = Project::default();
    project.add_model(editor_kit::model());
    std::fs::write(folder.join("base.wad"), wad::encode(&project, &[]).unwrap()).unwrap();
    folder
}

/// The editor on a base under patches; the first of `files` is the base.
fn editor(folder: &Folder, files: &[&Path]) -> Command {
    let mut command = keypose(folder);
    command.arg("edit").arg(files[0]).args(files[1..].iter().flat_map(|patch| [Path::new("--patch"), patch]));
    command
}

/// Runs words on a base under patches.
fn edit(folder: &Folder, files: &[&Path], words: &str) -> Output {
    std::fs::write(folder.join("words"), words).unwrap();
    editor(folder, files).args(["--script", "words"]).output().unwrap()
}

fn done(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).replace('\r', "")
}

fn refused(output: &Output) -> String {
    assert!(!output.status.success());
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn clips(files: &[PathBuf]) -> Vec<String> {
    let opened = layers::open(files, &Default::default()).unwrap();
    opened.project.models[0].clips.iter().map(|slot| slot.clip.name.clone()).collect()
}

/// Opens files with a script on standard input, changes a file, and lets the script save.
fn save_after(folder: &Folder, files: &[&Path], change: impl FnOnce()) -> Output {
    let mut command = editor(folder, files);
    let command = command.args(["--script", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let (mut words, mut shown) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.as_mut().unwrap()));
    writeln!(words, "clip empty; event 0f mine; show models").unwrap();
    shown.read_line(&mut String::new()).unwrap();
    change();
    let _ = writeln!(words, "save");
    drop(words);
    child.wait_with_output().unwrap()
}

const LENGTHEN: &str = "clip wave; duration 1 77; ";

#[test]
fn what_changed_is_saved_as_a_patch_and_opened_over_its_base() {
    let folder = folder("round");
    let (base, patch, whole) = (folder.join("base.wad"), folder.join("p.wad"), folder.join("whole.wad"));
    let before = std::fs::read(&base).unwrap();
    let words =
        format!("{LENGTHEN}clip empty; run delete-clip; save-patch {}; save {}", patch.display(), whole.display());
    done(&edit(&folder, &[&base], &words));
    assert_eq!(std::fs::read(&base).unwrap(), before, "the base is not touched");
    let bytes = std::fs::read(&patch).unwrap();
    assert!(bytes.len() < before.len(), "{} of {} bytes", bytes.len(), before.len());
    let archive = Archive::open(&bytes).unwrap();
    assert_eq!(archive.header().base, Some(Archive::open(&before).unwrap().header().hash));
    assert!(archive.entries().iter().any(|entry| entry.tombstone && entry.name == "puppet/empty"));
    let over = layers::open(&[base.clone(), patch.clone()], &Default::default()).unwrap();
    assert_eq!(over.report, Vec::<String>::new());
    let alone = layers::open(&[whole], &Default::default()).unwrap();
    assert!(over.project == alone.project, "base and patch together are the document");
    assert!(done(&edit(&folder, &[&base, &patch], "clip wave; show strip")).contains("77f"));
    let mut why = keypose(&folder);
    let output = done(&why.args(["wad", "why", "ANIM/puppet/wave"]).args([&base, &patch]).output().unwrap());
    let winner = output.lines().find(|line| line.ends_with("<- used")).unwrap();
    assert!(winner.contains("p.wad"), "{output}");
}

#[test]
fn save_writes_the_topmost_patch_and_nothing_below_it() {
    let folder = folder("stack");
    let (base, first, second) = (folder.join("base.wad"), folder.join("p.wad"), folder.join("q.wad"));
    done(&edit(&folder, &[&base], &format!("{LENGTHEN}save-patch {}", first.display())));
    // A patch of nothing lies on top at first.
    done(&edit(&folder, &[&base], &format!("save-patch {}", second.display())));
    let below = [std::fs::read(&base).unwrap(), std::fs::read(&first).unwrap()];
    done(&edit(&folder, &[&base, &first, &second], "clip wave; show strip; rename-clip rest; save"));
    assert_eq!([std::fs::read(&base).unwrap(), std::fs::read(&first).unwrap()], below);
    let three = [base.clone(), first.clone(), second.clone()];
    assert!(clips(&three).contains(&"rest".to_owned()));
    assert!(!clips(&three[..2]).contains(&"rest".to_owned()));
    let shown = done(&edit(&folder, &[&base, &first, &second], "clip rest; show strip"));
    assert!(shown.contains("77f"), "both patches count: {shown}");
    // The order matters: the first does not know of the new name.
    let turned = edit(&folder, &[&base, &second, &first], "clip wave; show strip");
    assert!(!String::from_utf8_lossy(&turned.stdout).contains("rest"));
}

#[test]
fn a_patch_that_does_not_fit_is_refused_by_name() {
    let folder = folder("wrong");
    let (base, patch, other) = (folder.join("base.wad"), folder.join("p.wad"), folder.join("other.wad"));
    done(&edit(
        &folder,
        &[&base],
        &format!("{LENGTHEN}save-patch {}; run new-clip; save {}", patch.display(), other.display()),
    ));
    let cases: [(&[&Path], &[&str]); 4] = [
        (&[&other, &patch], &["p.wad", "other.wad", "another"]),
        (&[&patch], &["p.wad", "patch"]),
        (&[&patch, &base], &["p.wad", "patch"]),
        (&[&base, &folder.join("gone.wad")], &["gone.wad", "no such file"]),
    ];
    for (files, words) in cases {
        let reason = refused(&edit(&folder, files, "print"));
        assert!(words.iter().all(|word| reason.contains(word)), "{files:?}: {reason}");
    }
    let text = folder.join("text.wad");
    std::fs::write(&text, "no archive").unwrap();
    assert!(refused(&edit(&folder, &[&base, &text], "print")).contains("text.wad"));
    let itself = edit(&folder, &[&base], &format!("{LENGTHEN}save-patch {}", base.display()));
    assert!(String::from_utf8_lossy(&itself.stderr).contains("is the base"), "a base is not overwritten by its patch");
    let unnamed = keypose(&folder).args(["play", "--patch", "p.wad"]).output().unwrap();
    assert_eq!(unnamed.status.code(), Some(2));
}

#[test]
fn a_script_does_not_replace_what_another_program_saved() {
    let folder = folder("changed");
    let (base, patch, old) = (folder.join("base.wad"), folder.join("p.wad"), folder.join("old.wad"));
    done(&edit(&folder, &[&base], &format!("{LENGTHEN}save-patch {}", patch.display())));
    done(&save_after(&folder, &[&base, &patch], || ()));
    let before = std::fs::read(&patch).unwrap();
    for (files, changed) in [(&[&*base][..], &base), (&[&base, &patch], &patch), (&[&base, &patch], &base)] {
        std::fs::copy(changed, &old).unwrap();
        let words = "clip wave; event 1f theirs; save";
        let theirs: &[&Path] = if changed == &patch { &[&base, &patch] } else { &[&base] };
        let reason = refused(&save_after(&folder, files, || drop(done(&edit(&folder, theirs, words)))));
        let saved = files.last().unwrap().file_name().unwrap().to_str().unwrap();
        assert!(reason.contains(saved) && reason.contains("was changed by another program"), "{reason}");
        assert!(done(&edit(&folder, theirs, "clip wave; show events")).contains("theirs"));
        std::fs::copy(&old, changed).unwrap();
    }
    assert!(std::fs::read(&patch).unwrap() == before);
}
