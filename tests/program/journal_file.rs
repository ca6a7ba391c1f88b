//! The journal's file: recovered after every kind of end, torn, orphaned, locked, killed.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use keypose::anim::time::Time;
use keypose::assets::project::Project;
use keypose::wad::archive::Archive;
use keypose::wad::decode;
use keypose::wad::diff::diff;
use keypose::wad::directory::Codec;
use keypose::wad::journal::{Event, HEAD_BYTES, Place, delta, head, record};
use keypose::wad::kind::Kind;
use keypose::wad::pack::Lump;
use keypose_app::app::journal::{JournalFile, Opening, beside, holder, in_state_folder, open, open_with};

use crate::sample;

/// A folder with an archive, removed at the end.
struct Desk {
    folder: PathBuf,
    archive: PathBuf,
}

impl Desk {
    fn new(name: &str) -> Desk {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("journal-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let archive = folder.join("a.wad");
        fs::write(&archive, sample::encode(&sample::small())).unwrap();
        Desk { folder, archive }
    }

    fn bytes(&self) -> Vec<u8> {
        fs::read(&self.archive).unwrap()
    }

    fn open(&self) -> Opening {
        open(&beside(&self.archive), &self.bytes()).unwrap()
    }

    fn files(&self) -> Vec<String> {
        let names = fs::read_dir(&self.folder).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
        names.retain(|name| !name.ends_with(".lock"));
        names.sort();
        names
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// The project with another duration: what a step makes of it.
fn longer(project: &Project, flicks: i64) -> Project {
    let mut project = project.clone();
    let model = Arc::make_mut(&mut project.models[0]);
    Arc::make_mut(&mut model.clips[0].clip).keyframes[0].duration = Time(flicks);
    project
}

fn step(before: &Project, after: &Project) -> Event {
    let lumps = delta(before, after).unwrap();
    Event::Step { label: "longer".into(), before: Place::default(), after: Place::default(), lumps }
}

/// Appends steps that set the duration to 1, 2, … and gives back the last document.
fn work(journal: &mut JournalFile, mut project: Project, durations: std::ops::Range<i64>) -> Project {
    for flicks in durations {
        let after = longer(&project, flicks);
        journal.append(&step(&project, &after)).unwrap();
        project = after;
    }
    project
}

#[test]
fn what_was_not_saved_is_recovered() {
    let desk = Desk::new("recover");
    let Opening { journal, recovered, notes, .. } = desk.open();
    assert!(recovered.is_none() && notes.is_empty());
    let start = decode(&desk.bytes()).unwrap().project;
    let mut journal = journal.unwrap();
    assert_eq!(desk.files(), ["a.wad"], "looking leaves nothing behind");
    let last = work(&mut journal, start.clone(), 1..6);
    drop(journal);
    let Opening { journal, recovered, notes, .. } = desk.open();
    let recovered = recovered.unwrap();
    assert_eq!((recovered.done, recovered.steps.len()), (5, 5));
    assert_eq!(diff(recovered.project(), &last), []);
    assert_eq!(diff(&recovered.start, &start), []);
    assert_eq!(notes, ["Recovered 5 steps of the last session"]);
    let mut journal = journal.unwrap();
    work(&mut journal, last, 10..12);
    drop(journal);
    let Opening { journal, recovered, .. } = desk.open();
    assert_eq!(recovered.unwrap().done, 7, "the recovered journal continues");
    journal.unwrap().close();
    assert_eq!(desk.files(), ["a.wad"]);
    assert!(desk.open().recovered.is_none());
}

/// Version 1 differs only in what version 2 added.
#[test]
fn a_journal_of_the_older_version_is_recovered_and_continued() {
    let desk = Desk::new("version");
    let start = decode(&desk.bytes()).unwrap().project;
    let last = work(&mut desk.open().journal.unwrap(), start, 1..6);
    let path = beside(&desk.archive);
    let mut bytes = fs::read(&path).unwrap();
    bytes[8] = 1;
    fs::write(&path, &bytes).unwrap();
    let Opening { journal, recovered, notes, .. } = desk.open();
    assert_eq!((recovered.unwrap().done, notes), (5, vec!["Recovered 5 steps of the last session".to_owned()]));
    work(&mut journal.unwrap(), last, 6..9);
    let bytes = fs::read(&path).unwrap();
    assert_eq!(bytes[..HEAD_BYTES], head());
    assert_eq!(desk.open().recovered.unwrap().done, 8);
    assert_eq!(desk.files(), ["a.wad", "a.wad.journal"]);
}

/// Older versions of the program had no such limit.
#[test]
fn a_journal_beyond_the_limit_is_recovered_up_to_it_and_kept_whole() {
    let desk = Desk::new("beyond");
    let base = Archive::open(&desk.bytes()).unwrap().header().hash;
    let step = |number: u8| Event::Step {
        label: format!("step {number}"),
        before: Place::default(),
        after: Place::default(),
        lumps: vec![Lump {
            kind: Kind(*b"xTRA"),
            name: "zeros".into(),
            version: 1,
            codec: Codec::Lz4,
            bytes: Some([vec![number], vec![0; 30 << 20]].concat()),
        }],
    };
    let records = (0..4).flat_map(|number| record(&step(number as u8), number, base).unwrap());
    let journal: Vec<u8> = head().into_iter().chain(records).collect();
    assert!(journal.len() < 1 << 20);
    fs::write(beside(&desk.archive), &journal).unwrap();
    let Opening { recovered, notes, .. } = desk.open();
    assert_eq!(recovered.unwrap().done, 2);
    assert!(notes[0].contains("was kept with the rest in"), "{notes:?}");
    assert_eq!(desk.files(), ["a.wad", "a.wad.journal", "a.wad.journal.damaged"]);
    assert_eq!(fs::read(desk.folder.join("a.wad.journal.damaged")).unwrap(), journal);
    assert_eq!(desk.open().recovered.unwrap().done, 2);
}

#[test]
fn a_document_without_an_archive_starts_with_itself() {
    let desk = Desk::new("untitled");
    let path = in_state_folder(&desk.folder.join("state"), "untitled 1");
    let mut journal = open(&path, &[]).unwrap().journal.unwrap();
    let start = sample::rich();
    journal.start_with(Event::Start { lumps: delta(&Project::default(), &start).unwrap() });
    let last = work(&mut journal, start.clone(), 5..8);
    drop(journal);
    let recovered = open(&path, &[]).unwrap().recovered.unwrap();
    assert_eq!(diff(&recovered.start, &start), []);
    assert_eq!(diff(recovered.project(), &last), []);
}

#[test]
fn a_tail_torn_at_any_byte_is_cut_and_the_journal_continues() {
    let desk = Desk::new("torn");
    let start = decode(&desk.bytes()).unwrap().project;
    let mut journal = desk.open().journal.unwrap();
    let (mut project, mut ends) = (start, vec![(HEAD_BYTES, None)]);
    for flicks in 1..4 {
        project = work(&mut journal, project, flicks..flicks + 1);
        let bytes = fs::metadata(beside(&desk.archive)).unwrap().len() as usize;
        ends.push((bytes, Some(project.clone())));
    }
    drop(journal);
    let whole = fs::read(beside(&desk.archive)).unwrap();
    for length in HEAD_BYTES..whole.len() {
        fs::write(beside(&desk.archive), &whole[..length]).unwrap();
        let Opening { journal, recovered, notes, .. } = desk.open();
        let steps = ends.iter().rposition(|(end, _)| *end <= length).unwrap();
        let (end, last) = &ends[steps];
        assert_eq!(recovered.as_ref().map_or(0, |recovered| recovered.done), steps, "{length} bytes: {notes:?}");
        assert_eq!(
            notes.iter().any(|note| note.contains("incomplete")),
            steps > 0 && *end < length,
            "{length} bytes: {notes:?}"
        );
        let Some(last) = last else { continue };
        assert_eq!(diff(recovered.unwrap().project(), last), [], "{length} bytes");
        if length % 16 == 0 {
            work(&mut journal.unwrap(), last.clone(), 50..51);
            assert_eq!(desk.open().recovered.unwrap().done, steps + 1, "{length} bytes");
        }
    }
}

/// A bit is flipped anywhere in a journal of five steps: what stands before it comes back, and every byte is kept.
#[test]
fn a_flipped_bit_costs_no_byte_of_the_journal() {
    let desk = Desk::new("flipped");
    let start = decode(&desk.bytes()).unwrap().project;
    let mut journal = desk.open().journal.unwrap();
    let (mut project, mut ends) = (start, vec![HEAD_BYTES]);
    for flicks in 1..6 {
        project = work(&mut journal, project, flicks..flicks + 1);
        ends.push(fs::metadata(beside(&desk.archive)).unwrap().len() as usize);
    }
    drop(journal);
    let whole = fs::read(beside(&desk.archive)).unwrap();
    for at in (0..whole.len()).step_by(13) {
        let mut damaged = whole.clone();
        damaged[at] ^= 1;
        fs::write(beside(&desk.archive), &damaged).unwrap();
        let Opening { journal, recovered, notes, .. } = desk.open();
        let steps = ends.iter().rposition(|&end| end <= at).unwrap_or(0);
        assert_eq!(recovered.map_or(0, |recovered| recovered.done), steps, "byte {at}: {notes:?}");
        let kept = desk.files().into_iter().find(|name| name.contains(".damaged") || name.contains(".orphan"));
        let kept = desk.folder.join(kept.unwrap_or_else(|| panic!("byte {at}: {notes:?}")));
        assert!(fs::read(&kept).unwrap() == damaged, "byte {at}");
        let name = kept.file_name().unwrap().to_str().unwrap();
        assert!(notes.len() == 1 && notes[0].contains(name), "byte {at}: {notes:?}");
        let behind = format!("{} whole records", 4 - steps.min(4));
        assert!(steps == 0 || notes[0].contains(&behind), "byte {at}: {notes:?}");
        journal.unwrap().close();
        fs::remove_file(kept).unwrap();
        assert_eq!(desk.files(), ["a.wad"], "byte {at}");
    }
}

/// Makes a file too large to be read, or gives it its length back.
fn set_length(path: &Path, bytes: u64) {
    fs::OpenOptions::new().write(true).open(path).unwrap().set_len(bytes).unwrap();
}

#[test]
fn a_journal_that_cannot_be_read_is_kept_and_read_the_next_time() {
    let desk = Desk::new("unread");
    let start = decode(&desk.bytes()).unwrap().project;
    let last = work(&mut desk.open().journal.unwrap(), start.clone(), 1..4);
    let unread = desk.folder.join("a.wad.journal.unread");
    let bytes = fs::metadata(beside(&desk.archive)).unwrap().len();
    for is_edited in [false, true] {
        set_length(&beside(&desk.archive), 1 << 43);
        let Opening { journal, recovered, notes, .. } = desk.open();
        assert!(recovered.is_none() && notes.len() == 1 && notes[0].contains("could not be read"), "{notes:?}");
        let mut journal = journal.unwrap();
        if is_edited {
            work(&mut journal, start.clone(), 10..12);
        }
        drop(journal);
        set_length(&unread, bytes);
        let Opening { recovered, others, .. } = desk.open();
        let recovered = recovered.unwrap();
        match is_edited {
            false => assert_eq!((diff(recovered.project(), &last), others.len()), (vec![], 0)),
            // The new work is continued; the other is handed to another editor.
            true => assert_eq!((recovered.done, others), (2, vec![unread.clone()])),
        }
    }
}

#[test]
fn a_journal_kept_elsewhere_is_taken_in() {
    let desk = Desk::new("elsewhere");
    let start = decode(&desk.bytes()).unwrap().project;
    let elsewhere = in_state_folder(&desk.folder.join("state"), "a.wad");
    let mut journal = open(&elsewhere, &[]).unwrap().journal.unwrap();
    journal.start_with(Event::Start { lumps: delta(&Project::default(), &start).unwrap() });
    let last = work(&mut journal, start.clone(), 1..4);
    drop(journal);
    let take = || open_with(&beside(&desk.archive), &desk.bytes(), std::slice::from_ref(&elsewhere)).unwrap();
    let Opening { journal, recovered, others, .. } = take();
    let recovered = recovered.unwrap();
    assert_eq!(diff(recovered.project(), &last), []);
    assert_eq!((diff(&recovered.start, &start), others.len(), elsewhere.exists()), (vec![], 0, false));
    work(&mut journal.unwrap(), last.clone(), 4..5);
    assert_eq!(take().recovered.unwrap().done, 4, "the journal beside the archive continues");
}

#[test]
fn a_journal_torn_within_its_head_holds_nothing() {
    let desk = Desk::new("head");
    for length in 0..HEAD_BYTES {
        fs::write(beside(&desk.archive), &head()[..length]).unwrap();
        let Opening { recovered, notes, .. } = desk.open();
        assert!(recovered.is_none() && notes.is_empty(), "{length} bytes: {notes:?}");
        assert_eq!(desk.files(), ["a.wad"], "{length} bytes");
    }
}

#[test]
fn the_journal_of_another_archive_is_set_aside() {
    let desk = Desk::new("orphan");
    let start = decode(&desk.bytes()).unwrap().project;
    for round in 1..3 {
        work(&mut desk.open().journal.unwrap(), start.clone(), 1..4);
        fs::write(&desk.archive, sample::encode(&longer(&start, 1000 + round))).unwrap();
        let Opening { recovered, notes, .. } = desk.open();
        assert!(recovered.is_none());
        assert!(notes.len() == 1 && notes[0].contains(".orphan"), "{notes:?}");
    }
    assert_eq!(desk.files(), ["a.wad", "a.wad.journal.orphan", "a.wad.journal.orphan2"]);
    fs::write(beside(&desk.archive), b"something else").unwrap();
    assert!(desk.open().notes[0].contains("orphan3"));
}

#[test]
fn a_second_editor_only_reads_and_says_who_writes() {
    let desk = Desk::new("lock");
    let first = desk.open();
    let second = desk.open();
    assert!(first.journal.is_some() && second.journal.is_none());
    let who = format!("process {}", std::process::id());
    assert!(second.holder.is_some_and(|holder| holder.starts_with(&who)));
    assert!(holder(&desk.archive).is_some_and(|holder| holder.starts_with(&who)));
    drop(first);
    assert_eq!(holder(&desk.archive), None);
    assert!(desk.open().journal.is_some());
}

/// What a journal notes before it is saved.
fn saving(saved: &Project, oldest: &Project, base: u64) -> Event {
    Event::Saved { base, from: 0, lumps: delta(saved, oldest).unwrap() }
}

/// Where the program dies in a save.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Death {
    BeforeWriting,
    AfterWriting,
    AfterFinishing,
    Never,
}

#[test]
fn dying_in_a_save_loses_neither_document_nor_history() {
    for death in [Death::BeforeWriting, Death::AfterWriting, Death::AfterFinishing, Death::Never] {
        let desk = Desk::new("save");
        let start = decode(&desk.bytes()).unwrap().project;
        let mut journal = desk.open().journal.unwrap();
        let saved = work(&mut journal, start.clone(), 1..4);
        let new = sample::encode(&saved);
        let hash = Archive::open(&new).unwrap().header().hash;
        journal.begin_save(saving(&saved, &start, hash)).unwrap();
        // Editing continues while the archive is written.
        let mut last = work(&mut journal, saved.clone(), 4..6);
        if death != Death::BeforeWriting {
            fs::write(&desk.archive, &new).unwrap();
        }
        if [Death::AfterFinishing, Death::Never].contains(&death) {
            journal.finish_save(hash, &Arc::new(start.clone()), new.len() as u64);
        }
        if death == Death::Never {
            last = work(&mut journal, last, 6..8);
        }
        drop(journal);
        let Opening { recovered, notes, .. } = desk.open();
        let recovered = recovered.unwrap_or_else(|| panic!("{death:?}: {notes:?}"));
        assert_eq!(diff(recovered.project(), &last), [], "{death:?}");
        assert_eq!(diff(&recovered.start, &start), [], "{death:?}: undo reaches back over the save");
        assert_eq!(recovered.done, if death == Death::Never { 7 } else { 5 });
        assert_eq!(desk.files(), ["a.wad", "a.wad.journal"], "{death:?}");
    }
}

#[test]
fn a_save_that_fails_leaves_the_journal_as_it_was() {
    let desk = Desk::new("failed-save");
    let start = decode(&desk.bytes()).unwrap().project;
    let mut journal = desk.open().journal.unwrap();
    let saved = work(&mut journal, start.clone(), 1..4);
    let hash = Archive::open(&sample::encode(&saved)).unwrap().header().hash;
    journal.begin_save(saving(&saved, &start, hash)).unwrap();
    journal.abandon_save();
    work(&mut journal, saved, 4..5);
    drop(journal);
    assert_eq!(desk.open().recovered.unwrap().done, 4);
    assert_eq!(desk.files(), ["a.wad", "a.wad.journal"]);
}

/// The other side of `no_acknowledged_step_is_lost_by_a_kill`: appends for ever, and says each step when it is done.
#[test]
fn writer_of_the_kill_test() {
    let Ok(archive) = std::env::var("KEYPOSE_TEST_WRITER") else { return };
    let archive = Path::new(&archive);
    let bytes = fs::read(archive).unwrap();
    let Opening { journal, recovered, .. } = open(&beside(archive), &bytes).unwrap();
    let mut journal = journal.unwrap();
    let mut project = recovered.map_or_else(|| decode(&bytes).unwrap().project, |contents| contents.project().clone());
    let done = project.models[0].clips[0].clip.keyframes[0].duration.0;
    for flicks in done + 1.. {
        let after = longer(&project, flicks);
        journal.append(&step(&project, &after)).unwrap();
        project = after;
        println!("done {flicks}");
    }
}

#[test]
fn no_acknowledged_step_is_lost_by_a_kill() {
    let desk = Desk::new("kill");
    fs::write(&desk.archive, sample::encode(&longer(&sample::small(), 1000))).unwrap();
    let kills = std::env::var("KEYPOSE_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(20_u64);
    let (mut acknowledged, mut random) = (1000, 1_u64);
    for kill in 0..kills {
        let mut writer = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "journal_file::writer_of_the_kill_test", "--nocapture", "--test-threads=1"])
            .env("KEYPOSE_TEST_WRITER", &desk.archive)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let wanted = (random >> 33) % 100;
        let mut lines = BufReader::new(writer.stdout.take().unwrap()).lines();
        let mut seen = 0;
        while seen <= wanted {
            let line = lines.next().expect("the writer runs until it is killed").unwrap();
            if let Some(step) = line.rsplit_once("done ").and_then(|(_, step)| step.parse().ok()) {
                (acknowledged, seen) = (step, seen + 1);
            }
        }
        writer.kill().unwrap();
        // Lines printed between the last read and the kill count, too.
        for line in lines.map_while(Result::ok) {
            if let Some(step) = line.strip_prefix("done ").and_then(|step| step.parse().ok()) {
                acknowledged = step;
            }
        }
        writer.wait().unwrap();
        let Opening { recovered, .. } = desk.open();
        let found = recovered.unwrap().project().models[0].clips[0].clip.keyframes[0].duration.0;
        assert!(found >= acknowledged, "kill {kill}: step {acknowledged} was acknowledged, {found} was found");
        acknowledged = found;
        if kill % 10 == 9 {
            desk.open().journal.unwrap().close();
            fs::write(&desk.archive, sample::encode(&longer(&sample::small(), found))).unwrap();
        }
    }
    println!("{kills} kills, {} steps, none lost", acknowledged - 1000);
}
