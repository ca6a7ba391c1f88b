//! The real watcher on real files: saves are reported, unreadable files too, and each layer counts. Waits
//! for what must come, with a generous limit, and never for nothing.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use keypose::anim::clip::Clip;
use keypose::assets::id::ClipId;
use keypose::assets::model::ClipSlot;
use keypose::assets::project::Project;
use keypose::wad;
use keypose_app::app::files::Opened;
use keypose_app::app::files::layers;
use keypose_app::app::files::save::save_atomically;
use keypose_app::app::files::watch::{Change, Watch, WatchedFiles, watch};

use crate::editor_kit;
use crate::folder::Folder;
use crate::sample::patch_to;

const LIMIT: Duration = Duration::from_secs(60);

/// The puppet, with clips of these names beside its own.
fn project(clips: &[&str]) -> Project {
    let mut model = editor_kit::model();
    let slots = (10..).zip(clips).map(|(id, name)| ClipSlot { id: ClipId(id), clip: Arc::new(Clip::new(*name)) });
    model.clips.extend(slots);
    let mut project = Project::default();
    project.add_model(model);
    project
}

fn bytes(clips: &[&str]) -> Vec<u8> {
    wad::encode(&project(clips), &[]).unwrap()
}

/// A watch on files as they are now, the state that it knows, and its reports.
fn started(files: &[PathBuf]) -> (Watch, Opened, Receiver<Change>) {
    let opened = layers::open(files, &Default::default()).unwrap();
    let known = WatchedFiles {
        files: files.to_vec(),
        digest: opened.digest,
        model_files: Default::default(),
        characters: opened.characters.clone(),
    };
    let (sender, reports) = channel();
    (watch(known, move |change| drop(sender.send(change))), opened, reports)
}

/// The next report that is not about an intermediate state.
fn next(reports: &Receiver<Change>, is_wanted: impl Fn(&Change) -> bool) -> Change {
    loop {
        let change = reports.recv_timeout(LIMIT).expect("the change is reported");
        if is_wanted(&change) {
            return change;
        }
    }
}

fn clip_count(change: &Change) -> usize {
    change.opened.as_ref().map_or(0, |opened| opened.project.models[0].clips.len())
}

#[test]
fn a_save_is_reported_and_shares_unchanged_parts() {
    let folder = Folder::new("save");
    let file = folder.join("a.wad");
    save_atomically(&file, &bytes(&[])).unwrap();
    let (watch, before, reports) = started(std::slice::from_ref(&file));
    for clips in [&["one"][..], &["one", "two"], &[]] {
        save_atomically(&file, &bytes(clips)).unwrap();
        let change = next(&reports, |change| clip_count(change) == 2 + clips.len());
        assert!(change.written.is_some());
        let model = &change.opened.unwrap().project.models[0];
        let is_new =
            |slot: &&ClipSlot| !before.project.models[0].clips.iter().any(|old| Arc::ptr_eq(&old.clip, &slot.clip));
        assert!(
            !model.clips.iter().filter(is_new).any(|slot| slot.clip.keyframes.is_packed()),
            "it keeps no whole file"
        );
        assert!(Arc::ptr_eq(&model.skeleton, &before.project.models[0].skeleton));
        assert!(Arc::ptr_eq(&model.clips[0].clip, &before.project.models[0].clips[0].clip));
    }
    drop(watch);
    assert!(
        matches!(reports.recv_timeout(LIMIT), Err(std::sync::mpsc::RecvTimeoutError::Disconnected)),
        "it has ended"
    );
}

#[test]
fn an_unreadable_file_is_reported_with_the_reason_and_so_is_its_repair() {
    let folder = Folder::new("bad");
    let file = folder.join("a.wad");
    save_atomically(&file, &bytes(&[])).unwrap();
    let (_watch, _, reports) = started(std::slice::from_ref(&file));
    let whole = bytes(&["one"]);
    fs::write(&file, &whole[..whole.len() / 2]).unwrap();
    let reason = next(&reports, |change| change.opened.is_err()).opened.unwrap_err();
    assert!(reason.contains("a.wad") && reason.contains("bytes"), "{reason}");
    fs::remove_file(&file).unwrap();
    let is_gone = |change: &Change| change.opened.as_ref().is_err_and(|reason| reason.contains("no such file"));
    next(&reports, is_gone);
    fs::write(&file, &whole).unwrap();
    next(&reports, |change| clip_count(change) == 3);
    // The same bytes after trouble are news, too.
    fs::write(&file, b"nothing").unwrap();
    next(&reports, |change| change.opened.is_err());
    fs::rename(&file, folder.join("b.wad")).unwrap();
    next(&reports, is_gone);
    fs::write(folder.join("b.wad"), &whole).unwrap();
    fs::rename(folder.join("b.wad"), &file).unwrap();
    next(&reports, |change| clip_count(change) == 3);
}

#[test]
fn every_layer_is_followed() {
    let folder = Folder::new("layers");
    let (base, patch) = (folder.join("a.wad"), folder.join("other").join("p.wad"));
    fs::create_dir(folder.join("other")).unwrap();
    let below = bytes(&[]);
    let over = |clips: &[&str]| patch_to(&below, &project(clips));
    save_atomically(&base, &below).unwrap();
    save_atomically(&patch, &over(&["one"])).unwrap();
    let (_watch, opened, reports) = started(&[base.clone(), patch.clone()]);
    assert_eq!(opened.project.models[0].clips.len(), 3);
    save_atomically(&patch, &over(&["one", "two"])).unwrap();
    next(&reports, |change| clip_count(change) == 4);
    save_atomically(&base, &bytes(&["three"])).unwrap();
    let reason = next(&reports, |change| change.opened.is_err()).opened.unwrap_err();
    assert!(reason.contains("p.wad") && reason.contains("a.wad"), "the patch no longer fits: {reason}");
    save_atomically(&base, &below).unwrap();
    next(&reports, |change| clip_count(change) == 4);
}

#[test]
fn the_files_that_a_model_refers_to_are_followed() {
    let folder = Folder::new("referred");
    let (file, material) = (folder.join("a.obj"), folder.join("a.mtl"));
    fs::write(&file, "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl paint\nf 1 2 3\n").unwrap();
    fs::write(&material, "newmtl paint\nKd 1 0 0\n").unwrap();
    let (_watch, mut before, reports) = started(&[file]);
    for color in ["0 0.5 0", "0 0 0.25"] {
        fs::write(&material, format!("newmtl paint\nKd {color}\n")).unwrap();
        let now = *next(&reports, |change| change.opened.is_ok()).opened.unwrap();
        assert_ne!(now.project.models[0].materials, before.project.models[0].materials, "{color}");
        before = now;
    }
}

/// Where the system can't watch, for its folder is not there, the files' times are enough.
#[test]
fn changes_are_reported_without_the_systems_watcher() {
    let folder = Folder::new("poll");
    let (file, away) = (folder.join("here").join("a.wad"), folder.join("away"));
    fs::create_dir(folder.join("here")).unwrap();
    save_atomically(&file, &bytes(&[])).unwrap();
    let opened = layers::open(std::slice::from_ref(&file), &Default::default()).unwrap();
    fs::rename(folder.join("here"), &away).unwrap();
    let (sender, reports) = channel();
    let known = WatchedFiles {
        files: vec![file.clone()],
        digest: opened.digest,
        model_files: Default::default(),
        characters: opened.characters,
    };
    let _watch = watch(known, move |change| drop(sender.send(change)));
    next(&reports, |change| change.opened.is_err());
    fs::write(away.join("a.wad"), bytes(&["one"])).unwrap();
    fs::rename(&away, folder.join("here")).unwrap();
    next(&reports, |change| clip_count(change) == 3);
}
