//! The journal: replaying restores document and history, torn or not.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::Vec3;
use keypose::anim::clip::{Clip, Keyframe, KeyframeKind};
use keypose::anim::key::{Channel, Key};
use keypose::anim::shared_list::SharedList;
use keypose::anim::time::Time;
use keypose::assets::draft::Draft;
use keypose::assets::id::ClipId;
use keypose::assets::model::{ClipSlot, Model};
use keypose::assets::project::{Project, unique_name};
use keypose::wad::archive::Archive;
use keypose::wad::directory::Codec;
use keypose::wad::journal::{CLIP_CHANGE, Event, HEAD_BYTES, KeyPlace, Place, Read, delta, head, read, record, replay};
use keypose::wad::kind::Kind;
use keypose::wad::pack::{Lump, pack};
use keypose::wad::{decode, diff::diff};
use xxhash_rust::xxh3::xxh3_64;

use super::fixtures::is_full;
use crate::sample::{encode, rich, small};

/// An editing session: the oracle.
struct Session {
    base: Vec<u8>,
    journal: Vec<u8>,
    sequence: u64,
    states: Vec<Project>,
    labels: Vec<String>,
    done: usize,
    /// The number of steps before the first state.
    first: usize,
    random: u64,
    /// How many kinds of actions there are: the last four change long clips.
    actions: usize,
}

impl Session {
    fn new(base: &[u8]) -> Session {
        let start = if base.is_empty() { Project::default() } else { decode(base).unwrap().project };
        Session {
            base: base.to_vec(),
            journal: head(),
            sequence: 0,
            states: vec![start],
            labels: vec![],
            done: 0,
            first: 0,
            random: 7,
            actions: 10,
        }
    }

    fn random(&mut self, below: usize) -> usize {
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.random >> 33) as usize % below.max(1)
    }

    fn hash(&self) -> u64 {
        if self.base.is_empty() { 0 } else { Archive::open(&self.base).unwrap().header().hash }
    }

    fn append(&mut self, event: &Event) {
        self.journal.extend(record(event, self.sequence, self.hash()).unwrap());
        self.sequence += 1;
    }

    fn place(&mut self) -> Place {
        let key = KeyPlace { keyframe: 1, bone: 2, channel: Channel::Rotation };
        let time = Time(self.random(1_000_000) as i64);
        Place { model: 0, clip: Some(1), time, bones: vec![3, 1], keyframes: vec![0, 2], keys: vec![key] }
    }

    fn commit(&mut self, label: &str, project: Project) {
        let lumps = delta(&self.states[self.done], &project).unwrap();
        let (before, after) = (self.place(), self.place());
        self.append(&Event::Step { label: label.into(), before, after, lumps });
        self.states.truncate(self.done + 1);
        self.labels.truncate(self.done);
        self.states.push(project);
        self.labels.push(label.into());
        self.done += 1;
    }

    fn undo_to(&mut self, done: usize) {
        let place = self.place();
        self.append(&Event::Position { done: (self.first + done) as u32, place });
        self.done = done;
    }

    /// Performs one random action.
    fn act(&mut self) {
        let mut project = self.states[self.done].clone();
        let step = self.random(1_000_000);
        let model = Arc::make_mut(&mut project.models[0]);
        let at = self.random(model.clips.len());
        match self.random(self.actions) {
            0 => return self.undo_to(self.done.saturating_sub(1)),
            1 => return self.undo_to((self.done + 1).min(self.states.len() - 1)),
            2 => {
                let place = self.place();
                return self.append(&Event::Place(place));
            }
            3 if model.clips.len() > 1 => drop(model.clips.remove(at)),
            4 => {
                let name = unique_name("new", |name| model.clip_named(name).is_some());
                let mut clip = (*model.clips[at].clip).clone();
                clip.name = name;
                project.next_id += 1;
                let id = ClipId(project.next_id);
                Arc::make_mut(&mut project.models[0]).clips.push(ClipSlot { id, clip: Arc::new(clip) });
            }
            5 => {
                let name = format!("clip {step}");
                Arc::make_mut(&mut model.clips[at].clip).name = name;
            }
            6 => {
                let (id, keys) = (model.clips[at].id, vec![Key::scale(1, Vec3::splat(step as f32))]);
                model.drafts = vec![Draft { clip: Some(id), time: Time(1), kind: KeyframeKind::Breakdown, keys }];
            }
            7 => model.clips.rotate_left(1),
            8 => model.machine = Default::default(),
            10.. => change_keys(Arc::make_mut(&mut model.clips[at].clip), step),
            _ => {
                let clip = Arc::make_mut(&mut model.clips[at].clip);
                clip.keyframes.insert(0, Default::default());
                clip.keyframes[0].duration = Time(1 + step as i64);
                clip.keyframes[0].set(Key::translation(0, Vec3::splat(step as f32)));
            }
        }
        let gone = |draft: &Draft| draft.clip.is_none_or(|id| project.models[0].clip(id).is_some());
        let drafts = project.models[0].drafts.iter().filter(|draft| gone(draft)).cloned().collect();
        Arc::make_mut(&mut project.models[0]).drafts = drafts;
        self.commit(&format!("step {step}"), project);
    }

    /// Compares a replayed journal with the session.
    fn check(&self, journal: &[u8], base: &[u8]) {
        let contents = read(journal).unwrap();
        assert_eq!((contents.torn.as_deref(), contents.whole_bytes), (None, journal.len()));
        let replayed = replay(base, contents).unwrap();
        assert_eq!(replayed.done, self.done);
        assert_eq!(
            replayed.steps.iter().map(|step| &step.label).collect::<Vec<_>>(),
            self.labels.iter().collect::<Vec<_>>()
        );
        let states = std::iter::once(&replayed.start).chain(replayed.steps.iter().map(|step| &step.project));
        let mut ids = BTreeMap::new();
        for (replayed, was) in states.zip(&self.states) {
            assert_eq!(diff(was, replayed), []);
            let slots =
                |project: &Project| project.models.iter().flat_map(|model| model.clips.clone()).collect::<Vec<_>>();
            for (was, replayed) in slots(was).iter().zip(slots(replayed)) {
                assert_eq!(
                    *ids.entry(was.id).or_insert(replayed.id),
                    replayed.id,
                    "{} keeps its id",
                    replayed.clip.name
                );
            }
        }
        let distinct: std::collections::BTreeSet<_> = ids.values().collect();
        assert_eq!(distinct.len(), ids.len(), "no id is given twice");
        assert_eq!(diff(replayed.project(), &self.states[self.done]), []);
    }
}

/// Changes, inserts, removes and moves keyframes of a clip that is long enough to be stored as a difference.
fn change_keys(clip: &mut Clip, step: usize) {
    while clip.keyframes.len() < 30 {
        let number = clip.keyframes.len() as f32;
        let keys = (0..3).map(|bone| Key::translation(bone, Vec3::new(number, 0.0, f32::from(bone)))).collect();
        clip.keyframes.insert(0, Keyframe { duration: Time(1000), keys, ..Keyframe::default() });
    }
    let at = step % 25;
    match step / 25 % 6 {
        0 => clip.keyframes[at].set(Key::translation(0, Vec3::splat(step as f32))),
        1 => drop(clip.keyframes.remove(at)),
        2 => {
            let moved = clip.keyframes.remove(at + 3);
            clip.keyframes.insert(at, moved);
        }
        3 => drop(clip.keyframes[at].remove(1, Channel::Translation)),
        4 => {
            let keyframe = clip.keyframes[at].clone();
            (0..step % 5).for_each(|_| clip.keyframes.insert(at + 2, keyframe.clone()));
        }
        _ => {
            clip.keyframes[at].duration = Time(step as i64 + 1);
            clip.keyframes[at + 4].duration = Time(step as i64 + 2);
            clip.name = format!("renamed {step}");
        }
    }
}

#[test]
fn a_session_is_restored_with_its_history() {
    for seed in 0..4 {
        let mut session = Session::new(&encode(&rich()));
        (session.random, session.actions) = (seed, if seed % 2 == 0 { 10 } else { 14 });
        (0..60).for_each(|_| session.act());
        session.check(&session.journal, &session.base);
    }
}

#[test]
fn a_document_without_a_file_is_restored() {
    let mut session = Session::new(&[]);
    session.commit("import", rich());
    (0..10).for_each(|_| session.act());
    session.check(&session.journal, &[]);
}

/// A journal that was shortened begins with what leads from the base to a later state.
#[test]
fn a_shortened_journal_starts_at_a_later_state() {
    let mut session = Session::new(&encode(&rich()));
    session.actions = 14;
    (0..20).for_each(|_| session.act());
    let from = session.done / 2;
    let lumps = delta(&session.states[0], &session.states[from]).unwrap();
    let start = Event::Start { first: from as u32, saved: vec![2], lumps };
    let (mut later, steps) = (Session::new(&session.base), session.done);
    // Records and steps are numbered from those before.
    (later.sequence, later.first) = (17, from);
    later.append(&start);
    later.append(&Event::Saved { hash: 3 });
    (later.states[0], later.random) = (session.states[from].clone(), 9);
    for at in from..steps {
        later.commit(&session.labels[at], session.states[at + 1].clone());
    }
    (0..20).for_each(|_| later.act());
    later.check(&later.journal, &later.base);
    let contents = read(&later.journal).unwrap();
    assert_eq!((contents.first_sequence, replay(&later.base, contents.clone()).unwrap().first), (17, from));
    assert_eq!(contents.saved().collect::<Vec<_>>(), [2, 3]);
    assert_eq!(contents.labels(), later.labels[..later.done]);
    assert_eq!(diff(&replay(&later.base, contents).unwrap().base, &rich()), []);
}

/// A save counts as long as undo and redo lead back to it.
#[test]
fn a_journal_counts_the_steps_since_a_save() {
    let place = Place::default;
    let saved = |hash| Event::Saved { hash };
    let step = || Event::Step { label: "Turn bone".into(), before: place(), after: place(), lumps: vec![] };
    let undo_to = |done| Event::Position { done, place: place() };
    let start = |hashes: &[u64]| Event::Start { first: 9, saved: hashes.to_vec(), lumps: vec![] };
    let cases = [
        (vec![], Some(7), Some(0)),
        (vec![], Some(1), None),
        (vec![], None, Some(0)),
        (vec![step(), step()], Some(7), Some(2)),
        (vec![step(), undo_to(0)], Some(7), Some(0)),
        (vec![step(), saved(1), Event::Place(place())], Some(1), Some(0)),
        (vec![step(), saved(1), step()], Some(1), Some(1)),
        (vec![step(), saved(1), undo_to(0)], Some(1), Some(1)),
        (vec![step(), saved(1), undo_to(0), undo_to(1)], Some(1), Some(0)),
        // The saved state was discarded.
        (vec![step(), saved(1), undo_to(0), step()], Some(1), None),
        // A later step came while the file was written.
        (vec![step(), step(), saved(1), undo_to(2)], Some(1), None),
        (vec![step(), saved(1), step(), saved(2)], Some(1), Some(1)),
        (vec![start(&[2, 3])], Some(2), Some(0)),
        (vec![start(&[2, 3])], Some(3), None),
    ];
    for (events, hash, steps) in cases {
        let read = Read { events, base: 7, ..Read::default() };
        assert_eq!(read.steps_since_save(hash), steps, "{hash:?} {:?}", read.events);
        assert_eq!(read.is_saved_as(hash), steps == Some(0) || read.is_empty());
    }
    let saved_at = |events| Read { events, base: 7, ..Read::default() }.saved_at();
    assert_eq!(saved_at(vec![step(), saved(1), step(), saved(2), step()]), Some(2));
    assert_eq!(saved_at(vec![start(&[2]), step(), saved(3), undo_to(9)]), Some(10));
    assert_eq!(saved_at(vec![step(), saved(1), undo_to(0), step()]), None);
}

/// Complete records with impossible events are refused with the offset of the record.
#[test]
fn an_impossible_event_is_refused_with_its_offset() {
    let place = Place::default();
    let lost = Lump { kind: Kind::CLIP, name: "arm/wave".into(), version: 1, codec: Codec::Store, bytes: None };
    let step = |lumps| Event::Step { label: "s".into(), before: Place::default(), after: Place::default(), lumps };
    let cases = [
        (Event::Position { done: 2, place: place.clone() }, "a position past the last step"),
        (Event::Start { first: 0, saved: vec![], lumps: vec![] }, "a second start record"),
        (step(vec![lost]), "lump MODL/arm: its lump ANIM/arm/wave is missing"),
    ];
    for (event, reason) in cases {
        let mut journal = head();
        for (sequence, event) in (0..).zip([Event::Place(place.clone()), event]) {
            let at = journal.len();
            journal.extend(record(&event, sequence, 7).unwrap());
            assert_eq!(read(&journal).unwrap().offsets.last(), Some(&at));
        }
        let contents = read(&journal).unwrap();
        let at = contents.offsets[1];
        let error = replay(&encode(&small()), contents).unwrap_err();
        assert_eq!(error.to_string(), format!("journal, record 1, offset {at}: {reason}"));
        assert_eq!(error.offset(), Some(at as u64));
    }
}

/// A record with invalid bytes and the right checksum: the offset is that of the value.
#[test]
fn an_invalid_record_is_cut_off_with_the_offset_of_its_fault() {
    let mut session = Session::new(&encode(&small()));
    session.act();
    let good = session.journal.clone();
    let word = HEAD_BYTES + 24 + 4;
    let mut wrong = good.clone();
    wrong[word] = 99;
    let length = u32::from_le_bytes(good[HEAD_BYTES + 24..word].try_into().unwrap()) as usize;
    let mut no_patch = good.clone();
    no_patch[word + length] = 0;
    for (mut bytes, at, reason) in
        [(wrong, word, "integer `99`, expected variant index"), (no_patch, word + length, "not a Keypose archive")]
    {
        let (frame, payload) = bytes[HEAD_BYTES..].split_at_mut(24);
        let sum = xxh3_64(payload) ^ xxh3_64(&frame[8..]);
        frame[4..8].copy_from_slice(&sum.to_le_bytes()[..4]);
        let contents = read(&bytes).unwrap();
        assert_eq!((contents.events.len(), contents.whole_bytes), (0, HEAD_BYTES));
        let torn = contents.torn.unwrap();
        assert!(torn.starts_with(&format!("offset {at}: ")) && torn.contains(reason), "{torn}");
    }
}

#[test]
fn a_torn_tail_is_cut_at_every_byte() {
    let mut session = Session::new(&encode(&small()));
    let mut ends = vec![session.journal.len()];
    for _ in 0..8 {
        session.act();
        ends.push(session.journal.len());
    }
    let whole = read(&session.journal).unwrap().events;
    for length in 0..session.journal.len() {
        let torn = &session.journal[..length];
        if length < HEAD_BYTES {
            assert!(read(torn).is_err());
            continue;
        }
        let contents = read(torn).unwrap();
        let count = ends.iter().filter(|&&end| end <= length).count() - 1;
        assert_eq!(
            (contents.events.as_slice(), contents.whole_bytes),
            (&whole[..count], ends[count]),
            "{length} bytes"
        );
        let is_whole = ends[count] == length;
        assert_eq!(contents.torn.is_some(), !is_whole);
        // Between the ends of records, the same events are read at each length.
        if is_whole || length.is_multiple_of(16) {
            replay(&session.base, contents).unwrap();
        }
    }
}

#[test]
fn a_changed_bit_loses_only_the_records_after_it() {
    let mut session = Session::new(&encode(&small()));
    (0..4).for_each(|_| session.act());
    let whole = read(&session.journal).unwrap().events;
    for at in 0..session.journal.len() {
        // One bit of each byte, or all: a checksum finds any.
        for bit in if is_full() { 0..8 } else { at % 8..at % 8 + 1 } {
            let mut journal = session.journal.clone();
            journal[at] ^= 1 << bit;
            let contents = read(&journal).unwrap_or_default();
            assert!(contents.events.len() < whole.len(), "bit {bit} of byte {at}");
            assert!(whole.starts_with(&contents.events));
        }
    }
}

#[test]
fn records_out_of_order_or_of_another_archive_are_not_read() {
    let event = Event::Place(Place::default());
    let cases = [((1, 5), 0), ((0, 6), 1), ((0, 5), 1), ((2, 5), 1)];
    for ((sequence, base), expected) in cases {
        let mut journal = head();
        if expected > 0 {
            journal.extend(record(&event, 0, 5).unwrap());
        }
        journal.extend(record(&event, sequence, base).unwrap());
        let Read { events, torn, .. } = read(&journal).unwrap();
        assert_eq!((events.len(), torn.is_some()), (expected, true));
    }
}

#[test]
fn a_forged_history_never_panics() {
    let of = |events| Read { events, ..Read::default() };
    let base = encode(&small());
    let mut session = Session::new(&base);
    (0..6).for_each(|_| session.act());
    let events = read(&session.journal).unwrap().events;
    for drop in 0..events.len() {
        let mut some = events.clone();
        some.remove(drop);
        let _ = replay(&base, of(some));
        let _ = replay(&encode(&rich()), of(events[drop..].to_vec()));
    }
    let far = Event::Position { done: 99, place: Place::default() };
    assert!(replay(&base, of(vec![far])).unwrap_err().to_string().contains("journal"));
    assert!(replay(b"glTF", of(vec![])).is_err());
}

#[test]
fn the_size_of_a_step_is_that_of_the_change() {
    let before = rich();
    let mut after = before.clone();
    let model: &mut Model = Arc::make_mut(&mut after.models[0]);
    Arc::make_mut(&mut model.clips[0].clip).keyframes[0].duration = Time(3);
    let lumps = delta(&before, &after).unwrap();
    assert_eq!(lumps.iter().map(|lump| lump.name.as_str()).collect::<Vec<_>>(), ["knight/walk"]);
    assert_eq!(delta(&before, &before.clone()).unwrap(), []);
}

/// A model with one clip of that many keyframes of 60 keys each.
fn long(keyframes: usize) -> Project {
    let keys: Vec<Key> = (0..60).map(|bone| Key::translation(bone, Vec3::splat(f32::from(bone)))).collect();
    let mut project = small();
    let clip = Arc::make_mut(&mut Arc::make_mut(&mut project.models[0]).clips[0].clip);
    clip.keyframes =
        vec![Keyframe { duration: Time(1000), keys: keys.into(), ..Keyframe::default() }; keyframes].into();
    clip.events = SharedList::default();
    project
}

#[test]
fn the_size_of_a_key_is_that_of_the_key_and_not_of_its_clip() {
    let before = long(300);
    let mut after = before.clone();
    let clip = Arc::make_mut(&mut Arc::make_mut(&mut after.models[0]).clips[0].clip);
    clip.keyframes[100].set(Key::translation(7, Vec3::ONE));
    clip.keyframes[200].remove(9, Channel::Translation);
    clip.keyframes[250].duration = Time(3);
    let lumps = delta(&before, &after).unwrap();
    assert_eq!(
        lumps.iter().map(|lump| (lump.kind, lump.name.as_str())).collect::<Vec<_>>(),
        [(CLIP_CHANGE, "arm/wave")]
    );
    let step = Event::Step { label: "key".into(), before: Place::default(), after: Place::default(), lumps };
    let bytes = record(&step, 0, 0).unwrap().len();
    assert!(bytes < 1500, "{bytes} bytes");
    let journal = [head(), record(&step, 0, 0).unwrap()].concat();
    let replayed = replay(&encode(&before), read(&journal).unwrap()).unwrap();
    assert_eq!(diff(replayed.project(), &after), []);
}

/// A difference that doesn't fit its clip is refused, whatever it says.
#[test]
fn a_change_of_another_clip_is_refused() {
    let (before, other) = (long(30), long(20));
    let mut after = before.clone();
    let clip = Arc::make_mut(&mut Arc::make_mut(&mut after.models[0]).clips[0].clip);
    clip.keyframes[10].remove(9, Channel::Translation);
    clip.keyframes.remove(25);
    let lumps = delta(&before, &after).unwrap();
    let step = Event::Step { label: "key".into(), before: Place::default(), after: Place::default(), lumps };
    let journal = [head(), record(&step, 0, 0).unwrap()].concat();
    for base in [&other, &after, &small()] {
        let error = replay(&encode(base), read(&journal).unwrap()).unwrap_err().to_string();
        assert!(error.contains("journal, record 0") && error.contains("KEYS/arm/wave"), "{error}");
    }
}

/// Lumps may have any name in an archive; steps name them as Keypose does.
#[test]
fn steps_of_an_archive_with_other_lump_names_are_replayed() {
    let mut archive = encode(&small());
    let mut lumps = Archive::open(&archive).unwrap().to_lumps().unwrap();
    lumps.retain(|lump| lump.kind != Kind::BAKED);
    for lump in &mut lumps {
        let bytes = lump.bytes.as_mut().unwrap();
        let text = b"arm/wave";
        if lump.kind == Kind::MODEL
            && let Some(at) = bytes.windows(text.len()).position(|window| window == text)
        {
            bytes[at..at + text.len()].copy_from_slice(b"xyz/clip");
        }
        if lump.kind == Kind::CLIP {
            lump.name = "xyz/clip".into();
        }
    }
    archive = pack(lumps, None).unwrap();
    let mut session = Session::new(&archive);
    (0..12).for_each(|_| session.act());
    session.check(&session.journal, &archive);
}
