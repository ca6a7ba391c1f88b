//! Work that waits to be recovered, in whatever place: commands and saves neither replace its archive nor bring it back over another
//! version, and no journal takes the name of another one whose bytes are not kept.
#![cfg(unix)]

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use keypose::wad::archive::Archive;
use keypose::wad::journal::{HEAD_BYTES, read};
use keypose::wad::kind::Kind;
use keypose::wad::pack::pack;

use crate::hold::{desk, is_kept, journals, open, poses, poses_in, reports, run, work};
use crate::process::Program;
use crate::sample;

/// The journal of the state folder: the only file there that is no lock.
fn elsewhere(folder: &Path) -> PathBuf {
    let found = journals(&folder.join("keypose/.."));
    let found: Vec<PathBuf> = found.into_iter().filter(|path| path.parent().unwrap().ends_with("keypose")).collect();
    assert_eq!(found.len(), 1, "{found:?}");
    found[0].clone()
}

/// A command that would replace the archive is refused with these words.
fn is_refused(folder: &Path, file: &str, words: &str) {
    let archive = folder.join("project").join(file);
    let before = fs::read(&archive).unwrap();
    let refused = run(&folder.join("project"), &["wad", "repack", file], "", Some(folder));
    assert!(!refused.status.success() && reports(&refused).contains(words), "{}", reports(&refused));
    assert_eq!(fs::read(&archive).unwrap(), before);
}

const WAITING: &str = "an editor ended without saving it";

#[test]
fn a_save_that_was_noted_but_not_done_does_not_hide_what_waits() {
    let (folder, archive) = desk("waiting-noted");
    let before = fs::read(&archive).unwrap();
    let versions = [1, 2, 3].map(|number| archive.with_file_name(format!("a.wad.{number}")));
    fs::write(&versions[0], "x").unwrap();
    fs::write(&versions[1], "y").unwrap();
    fs::create_dir(&versions[2]).unwrap();
    let mut program = open(&archive, &folder);
    work(&mut program, "one");
    program.send("save");
    assert!(program.fail().contains("could not be saved"));
    is_refused(&folder, "a.wad", WAITING);
    // As if it was killed between the note and the new name.
    versions[..2].iter().for_each(|version| fs::remove_file(version).unwrap());
    fs::remove_dir(&versions[2]).unwrap();
    let mut program = open(&archive, &folder);
    assert_eq!(poses(&mut program), "poses = one");
    program.send("save; show poses");
    program.read();
    program.kill();
    fs::write(&archive, before).unwrap();
    is_refused(&folder, "a.wad", WAITING);
    assert_eq!(poses(&mut open(&archive, &folder)), "poses = one");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_waits_in_any_place_keeps_commands_from_replacing_the_archive() {
    let (folder, archive) = desk("waiting-places");
    let journal = folder.join("project/a.wad.journal");
    let mut program = open(&archive, &folder);
    work(&mut program, "one");
    fs::remove_file(&journal).unwrap();
    work(&mut program, "two");
    program.kill();
    is_refused(&folder, "a.wad", WAITING);
    let kept = elsewhere(&folder);
    fs::rename(&kept, kept.with_extension("journal.unread3")).unwrap();
    is_refused(&folder, "a.wad", WAITING);
    let mut program = open(&archive, &folder);
    assert_eq!(poses(&mut program), "poses = one two");
    program.kill();
    for ending in [".unread", ".unread2", ".unread9", ".rewritten", ".next"] {
        let other = folder.join(format!("project/a.wad.journal{ending}"));
        fs::rename(&journal, &other).unwrap();
        is_refused(&folder, "a.wad", WAITING);
        fs::rename(&other, &journal).unwrap();
    }
    // What is left of a journal that was written again is no work while the journal itself is whole.
    let mut program = open(&archive, &folder);
    let unsaved = fs::read(&journal).unwrap();
    program.send("save; show poses");
    program.read();
    program.kill();
    fs::write(folder.join("project/a.wad.journal.rewritten"), unsaved).unwrap();
    let repacked = run(&folder.join("project"), &["wad", "repack", "a.wad"], "", Some(&folder));
    assert!(repacked.status.success(), "{}", reports(&repacked));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_patch_whose_changes_wait_is_not_replaced() {
    let (folder, archive) = desk("waiting-patch");
    let project = folder.join("project");
    let script = ["edit", "a.wad", "--script", "-"];
    assert!(run(&project, &script, "save-pose p; save-patch p.wad", Some(&folder)).status.success());
    fs::copy(&archive, project.join("b.wad")).unwrap();
    assert!(run(&project, &["edit", "b.wad", "--script", "-"], "save-pose b; save", Some(&folder)).status.success());
    let patch = project.join("p.wad");
    let layers = || {
        let files = [archive.as_os_str(), "--patch".as_ref(), patch.as_os_str()];
        Program::start_with(&files, &folder)
    };
    let mut program = layers();
    work(&mut program, "one");
    program.kill();
    let before = fs::read(&patch).unwrap();
    let refused = run(&project, &["wad", "patch", "a.wad", "b.wad", "-o", "p.wad"], "", Some(&folder));
    assert!(!refused.status.success() && reports(&refused).contains(WAITING), "{}", reports(&refused));
    assert_eq!(fs::read(&patch).unwrap(), before);
    let mut program = layers();
    assert_eq!(poses(&mut program), "poses = p one");
    program.send("save");
    program.finish();
    let done = run(&project, &["wad", "patch", "a.wad", "b.wad", "-o", "p.wad"], "", Some(&folder));
    assert!(done.status.success(), "{}", reports(&done));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_file_whose_lock_cannot_be_made_is_held_all_the_same() {
    for planted in ["", "folder", "link"] {
        let (folder, archive) = desk("waiting-lock");
        let name = if planted.is_empty() { format!("{}.wad", "x".repeat(246)) } else { "a.wad".into() };
        let file = archive.with_file_name(&name);
        fs::rename(&archive, &file).unwrap();
        let lock = archive.with_file_name("a.wad.journal.lock");
        match planted {
            "folder" => fs::create_dir(&lock).unwrap(),
            "link" => symlink("nowhere", &lock).unwrap(),
            _ => {}
        }
        let mut program = open(&file, &folder);
        work(&mut program, "one");
        is_refused(&folder, &name, "open in Keypose");
        let output = open(&file, &folder).finish();
        assert!(output.contains("is open in another Keypose"), "{planted}: {output}");
        program.send("save");
        program.finish();
        assert_eq!(poses_in(&file), ["one"], "{planted}");
        assert_eq!(fs::symlink_metadata(&lock).is_ok(), !planted.is_empty(), "{planted}: what is another's stays");
        let repacked = run(&folder.join("project"), &["wad", "repack", &name], "", Some(&folder));
        assert!(repacked.status.success(), "{planted}: {}", reports(&repacked));
        fs::remove_dir_all(folder).unwrap();
    }
}

#[test]
fn an_editor_whose_folder_became_writable_still_holds_its_file() {
    let (folder, archive) = desk("waiting-writable");
    let lock = archive.with_file_name("a.wad.journal.lock");
    fs::create_dir(&lock).unwrap();
    let mut program = open(&archive, &folder);
    work(&mut program, "one");
    fs::remove_dir(&lock).unwrap();
    is_refused(&folder, "a.wad", "open in Keypose");
    let output = open(&archive, &folder).finish();
    assert!(output.contains("is open in another Keypose"), "{output}");
    program.send("save");
    program.finish();
    assert_eq!(poses_in(&archive), ["one"]);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_lock_with_other_text_is_not_deleted() {
    let (folder, archive) = desk("waiting-text");
    let lock = archive.with_file_name("a.wad.journal.lock");
    fs::write(&lock, "my notes").unwrap();
    let mut program = open(&archive, &folder);
    work(&mut program, "one");
    program.send("save");
    program.finish();
    assert_eq!(fs::read_to_string(&lock).unwrap(), "my notes");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn an_older_version_stays_where_it_is_while_its_changes_wait_elsewhere() {
    let (folder, archive) = desk("waiting-older");
    let version = archive.with_file_name("a.wad.1");
    let save = |pose: &str| {
        let mut program = open(&archive, &folder);
        program.send(&format!("save-pose {pose}; save"));
        program.finish();
    };
    ["a", "b"].into_iter().for_each(save);
    fs::set_permissions(&version, Permissions::from_mode(0o444)).unwrap();
    let before = fs::read(&version).unwrap();
    let mut other = open(&version, &folder);
    work(&mut other, "work");
    save("c");
    other.kill();
    ["d", "e"].into_iter().for_each(save);
    assert_eq!(fs::read(&version).unwrap(), before);
    assert_eq!(poses(&mut open(&version, &folder)), "poses = a work");
    fs::remove_dir_all(folder).unwrap();
}

/// The bytes of a journal with unsaved work on another version of the archive.
fn of_another_version(folder: &Path, archive: &Path) -> Vec<u8> {
    let before = fs::read(archive).unwrap();
    fs::write(archive, sample::encode(&sample::rich())).unwrap();
    let mut program = open(archive, folder);
    work(&mut program, "precious");
    program.kill();
    fs::write(archive, before).unwrap();
    let journal = folder.join("project/a.wad.journal");
    let bytes = fs::read(&journal).unwrap();
    fs::remove_file(journal).unwrap();
    bytes
}

#[test]
fn a_journal_that_another_one_replaces_is_kept_whatever_it_is() {
    let (folder, archive) = desk("waiting-replaced");
    let project = folder.join("project");
    let journal = project.join("a.wad.journal");
    let other = of_another_version(&folder, &archive);
    let mut program = open(&archive, &folder);
    work(&mut program, "mine");
    program.kill();
    let mine = fs::read(&journal).unwrap();
    let newer = [&other[..8], &[99], &other[9..]].concat();
    for (here, there, ending) in [
        (&other, &mine, ".rewritten"),
        (&newer, &mine, ".rewritten"),
        (&other, &mine, ".unread"),
        (&newer, &mine, ".unread"),
        (&mine, &other, ".rewritten"),
    ] {
        let written = project.join(format!("a.wad.journal{ending}"));
        fs::write(&journal, here).unwrap();
        fs::write(&written, there).unwrap();
        let mut program = open(&archive, &folder);
        assert_eq!(poses(&mut program), "poses = mine", "{ending}");
        program.kill();
        assert!(is_kept(&project, here) && is_kept(&project, there), "{ending}");
        for left in fs::read_dir(&project).unwrap().map(|entry| entry.unwrap().path()).filter(|path| *path != archive) {
            fs::remove_file(left).unwrap();
        }
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_journal_that_cannot_be_renamed_is_not_replaced() {
    let (folder, archive) = desk("waiting-names");
    let project = folder.join("project");
    let journal = project.join("a.wad.journal");
    let other = of_another_version(&folder, &archive);
    for number in 1..1000 {
        let number = if number == 1 { String::new() } else { number.to_string() };
        fs::write(project.join(format!("a.wad.journal.orphan{number}")), "x").unwrap();
    }
    let mut program = open(&archive, &folder);
    work(&mut program, "one");
    let mine = fs::read(&journal).unwrap();
    fs::remove_file(&journal).unwrap();
    work(&mut program, "two");
    program.kill();
    fs::write(&journal, &other).unwrap();
    let mut again = open(&archive, &folder);
    assert_eq!(poses(&mut again), "poses = one two");
    work(&mut again, "three");
    again.kill();
    assert_eq!(fs::read(&journal).unwrap(), other);
    assert_eq!(poses(&mut open(&archive, &folder)), "poses = one two three");
    fs::remove_file(elsewhere(&folder)).unwrap();
    fs::write(project.join("a.wad.journal.rewritten"), mine).unwrap();
    poses(&mut open(&archive, &folder));
    assert_eq!(fs::read(&journal).unwrap(), other);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn an_archive_that_is_overwritten_with_its_time_kept_is_noticed() {
    let (folder, archive) = desk("waiting-time");
    let before = fs::metadata(&archive).unwrap();
    // Another archive of the same size: one letter of a name differs.
    let mut other = sample::small();
    let name = other.models[0].clips[0].clip.name.clone();
    let clip = Arc::make_mut(&mut Arc::make_mut(&mut other.models[0]).clips[0].clip);
    clip.name = name.replace(name.chars().next().unwrap(), "Q");
    let other = sample::encode(&other);
    assert!(other.len() as u64 == before.len() && other != fs::read(&archive).unwrap());
    let mut program = open(&archive, &folder);
    work(&mut program, "one");
    fs::write(&archive, other).unwrap();
    let file = fs::File::options().write(true).open(&archive).unwrap();
    file.set_times(fs::FileTimes::new().set_modified(before.modified().unwrap())).unwrap();
    work(&mut program, "two");
    program.kill();
    assert_eq!(fs::read(elsewhere(&folder)).map(|journal| read(&journal).unwrap().base).unwrap(), 0);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn work_that_the_file_cannot_lead_to_is_continued_where_it_is() {
    let (folder, archive) = desk("waiting-base");
    let bytes = fs::read(&archive).unwrap();
    let mut other = sample::small();
    Arc::make_mut(&mut Arc::make_mut(&mut other.models[0]).clips[0].clip).name = "another".into();
    let other = sample::encode(&other);
    let lumps = |bytes: &[u8]| Archive::open(bytes).unwrap().to_lumps().unwrap();
    // A clip with another name than its lump says.
    let mut mixed = lumps(&bytes);
    let renamed = lumps(&other).into_iter().find(|lump| lump.kind == Kind::CLIP && lump.name.ends_with("another"));
    mixed.retain(|lump| lump.kind != Kind::BAKED);
    mixed.iter_mut().find(|lump| lump.kind == Kind::CLIP).unwrap().bytes = renamed.unwrap().bytes;
    let mut program = open(&archive, &folder);
    work(&mut program, "one");
    fs::write(&archive, pack(mixed, None).unwrap()).unwrap();
    work(&mut program, "two");
    program.kill();
    for pose in ["three", "four"] {
        let mut again = open(&archive, &folder);
        let found = poses(&mut again);
        assert!(found.starts_with("poses = one two"), "{found}");
        work(&mut again, pose);
        again.kill();
    }
    let mut again = open(&archive, &folder);
    assert_eq!(poses(&mut again), "poses = one two three four");
    again.send("save");
    again.finish();
    assert_eq!(poses_in(&archive), ["one", "two", "three", "four"]);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_pipe_in_the_place_of_an_archive_hangs_nothing() {
    let (folder, archive) = desk("waiting-pipe");
    let pipe = archive.with_file_name("p.wad");
    let make = |path: &Path| assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    make(&pipe);
    let refused = run(&folder.join("project"), &["wad", "merge", "a.wad", "-o", "p.wad"], "", Some(&folder));
    assert!(!refused.status.success() && reports(&refused).contains("not a regular file"), "{}", reports(&refused));
    let bytes = fs::read(&archive).unwrap();
    let mut program = open(&archive, &folder);
    work(&mut program, "one");
    fs::remove_file(&archive).unwrap();
    make(&archive);
    work(&mut program, "two");
    program.kill();
    fs::remove_file(&archive).unwrap();
    fs::write(&archive, bytes).unwrap();
    assert_eq!(poses(&mut open(&archive, &folder)), "poses = one two");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_link_that_leads_to_another_file_is_not_saved_over() {
    let (folder, archive) = desk("waiting-link");
    let victim = archive.with_file_name("victim.wad");
    fs::copy(&archive, &victim).unwrap();
    let before = fs::read(&victim).unwrap();
    let link = folder.join("link.wad");
    symlink(&archive, &link).unwrap();
    let mut program = open(&link, &folder);
    work(&mut program, "one");
    fs::remove_file(&link).unwrap();
    symlink(&victim, &link).unwrap();
    program.send("save");
    let output = program.fail();
    assert!(output.contains("leads to another file now"), "{output}");
    assert_eq!(fs::read(&victim).unwrap(), before);
    let mut again = open(&archive, &folder);
    assert_eq!(poses(&mut again), "poses = one");
    again.send("save; show poses");
    again.read();
    // A link to another name of the file is as good.
    fs::remove_file(&link).unwrap();
    symlink(&archive, &link).unwrap();
    again.send(&format!("save-pose two; save {}", link.display()));
    again.finish();
    assert_eq!(poses_in(&archive), ["one", "two"]);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_journal_follows_its_folder() {
    let (folder, archive) = desk("waiting-moved");
    let link = folder.join("link");
    symlink("project", &link).unwrap();
    let file = link.join("a.wad");
    for is_edited in [true, false] {
        let mut program = open(&file, &folder);
        work(&mut program, "one");
        fs::rename(folder.join("project"), folder.join("moved")).unwrap();
        fs::remove_file(&link).unwrap();
        symlink("moved", &link).unwrap();
        if is_edited {
            work(&mut program, "two");
        }
        program.send("save");
        work(&mut program, "three");
        program.kill();
        let poses_now = if is_edited { "poses = one two three" } else { "poses = one three" };
        let mut again = open(&file, &folder);
        assert_eq!(poses(&mut again), poses_now);
        again.send("answer discard; undo; undo; undo");
        again.kill();
        fs::remove_dir_all(&folder).unwrap();
        desk("waiting-moved");
        symlink("project", &link).unwrap();
    }
    assert!(archive.exists());
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_history_that_was_written_elsewhere_is_found_to_be_the_newer_one() {
    let (folder, archive) = desk("waiting-newer");
    let mut program = open(&archive, &folder);
    work(&mut program, "one");
    // A history that is written again has no records of the playhead.
    std::thread::sleep(Duration::from_millis(300));
    program.send("seek 3f; show time");
    program.read();
    fs::remove_file(archive.with_file_name("a.wad.journal.lock")).unwrap();
    work(&mut program, "two");
    work(&mut program, "three");
    program.kill();
    assert!(archive.with_file_name("a.wad.journal").exists());
    let mut again = open(&archive, &folder);
    assert_eq!(poses(&mut again), "poses = one two three");
    let output = again.finish();
    assert!(!output.contains("closed without saving"), "{output}");
    assert_eq!(journals(&folder), [archive.with_file_name("a.wad.journal")]);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_torn_journal_of_the_state_folder_is_taken_in() {
    let (folder, archive) = desk("waiting-torn");
    fs::set_permissions(&archive, Permissions::from_mode(0o444)).unwrap();
    let mut program = open(&archive, &folder);
    ["one", "two"].into_iter().for_each(|pose| work(&mut program, pose));
    program.kill();
    fs::set_permissions(&archive, Permissions::from_mode(0o644)).unwrap();
    let kept = elsewhere(&folder);
    let whole = fs::read(&kept).unwrap();
    let last = *read(&whole).unwrap().offsets.last().unwrap();
    let damaged = [&whole[..last + 60], &[whole[last + 60] ^ 1], &whole[last + 61..]].concat();
    for (bytes, is_copied) in [(&whole[..last + 30], false), (&damaged, true)] {
        fs::write(&kept, bytes).unwrap();
        let mut again = open(&archive, &folder);
        assert_eq!(poses(&mut again), "poses = one");
        again.kill();
        let copy = archive.with_file_name("a.wad.journal.damaged");
        assert_eq!(copy.exists(), is_copied);
        assert!(!is_copied || fs::read(copy).unwrap() == damaged);
        fs::remove_file(archive.with_file_name("a.wad.journal")).unwrap();
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_save_over_a_file_whose_changes_wait_elsewhere_is_refused() {
    let (folder, archive) = desk("waiting-over");
    let other = folder.join("project/b.wad");
    fs::copy(&archive, &other).unwrap();
    fs::set_permissions(&other, Permissions::from_mode(0o444)).unwrap();
    let mut program = open(&other, &folder);
    work(&mut program, "one");
    program.kill();
    fs::set_permissions(&other, Permissions::from_mode(0o644)).unwrap();
    let mut program = open(&archive, &folder);
    program.send(&format!("save-pose two; save {}", other.display()));
    assert!(program.fail().contains(WAITING));
    assert_eq!(poses_in(&other), [""; 0]);
    assert_eq!(poses(&mut open(&other, &folder)), "poses = one");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn damage_that_makes_a_record_longer_costs_no_byte() {
    let (folder, archive) = desk("waiting-longer");
    let journal = archive.with_file_name("a.wad.journal");
    let mut program = open(&archive, &folder);
    ["one", "two", "three"].into_iter().for_each(|pose| work(&mut program, pose));
    // A record without lumps, too.
    program.send("undo; show poses");
    program.read();
    program.kill();
    let whole = fs::read(&journal).unwrap();
    let offsets = read(&whole).unwrap().offsets;
    assert_eq!((offsets.len(), offsets[0]), (4, HEAD_BYTES));
    let since = Instant::now();
    for (number, &at) in offsets.iter().enumerate() {
        // All of the journal, the record as the last one, and as the last one before one that was never finished.
        let ends = [whole.len(), *offsets.get(number + 1).unwrap_or(&whole.len())];
        let torn = offsets.get(number + 1).into_iter().flat_map(|next| [1, 7, 23, 40].map(|part| next + part));
        for end in ends.into_iter().chain(torn).filter(|end| *end <= whole.len()) {
            let flips: [&[(usize, u8)]; 4] =
                [&[(1, 0x80)], &[(1, 0x80), (4, 1)], &[(3, 1), (4, 1)], &[(0, 0xff), (1, 0xff), (2, 0xff), (5, 0xff)]];
            for flip in flips {
                let mut damaged = whole[..end].to_vec();
                flip.iter().for_each(|(offset, bits)| damaged[at + offset] ^= bits);
                fs::write(&journal, &damaged).unwrap();
                let found = read(&damaged).unwrap();
                assert!(found.is_damaged() && found.events.len() == number, "{number}, {end}, {flip:?}");
            }
        }
    }
    assert!(since.elapsed() < Duration::from_secs(60));
    let mut damaged = whole[..offsets[3]].to_vec();
    (damaged[offsets[2] + 1], damaged[offsets[2] + 4]) = (damaged[offsets[2] + 1] ^ 0x80, damaged[offsets[2] + 4] ^ 1);
    fs::write(&journal, &damaged).unwrap();
    let output = open(&archive, &folder).finish();
    assert!(output.contains("Recovered 2 steps") && output.contains("a.wad.journal.damaged"), "{output}");
    assert!(is_kept(&folder.join("project"), &damaged));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn changed_notes_of_a_clip_are_unsaved_work() {
    let (folder, archive) = desk("waiting-notes");
    let mut program = open(&archive, &folder);
    program.send("folder talk; tags one two; show dirty");
    assert_eq!(program.read(), "dirty = yes");
    program.kill();
    for _ in 0..2 {
        is_refused(&folder, "a.wad", WAITING);
        let mut program = open(&archive, &folder);
        program.send("show dirty");
        assert_eq!(program.read(), "dirty = yes");
        program.kill();
    }
    let mut program = open(&archive, &folder);
    program.send("save; show dirty");
    assert_eq!(program.read(), "dirty = no");
    program.finish();
    let project = keypose::wad::decode(&fs::read(&archive).unwrap()).unwrap().project;
    let notes = project.models[0].clip_notes.values().next().unwrap();
    assert_eq!((&*notes.folder, notes.tags.len()), ("talk", 2));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn work_that_was_saved_does_not_wait_in_a_journal_elsewhere() {
    let (folder, archive) = desk("saved-elsewhere");
    // Nothing of Keypose goes through a link: the journal is in the folder for application state.
    symlink("nowhere", folder.join("project/a.wad.journal.lock")).unwrap();
    let mut program = open(&archive, &folder);
    work(&mut program, "one");
    program.send("save; show dirty");
    assert_eq!(program.read(), "dirty = no");
    program.kill();
    let repack = || run(&folder, &["wad", "repack", "project/a.wad"], "", Some(&folder));
    assert!(repack().status.success(), "{}", reports(&repack()));
    let mut program = open(&archive, &folder);
    work(&mut program, "two");
    program.kill();
    assert!(reports(&repack()).contains("ended without saving it"), "{}", reports(&repack()));
    fs::remove_dir_all(folder).unwrap();
}
