//! What an archive may cost: memory and time follow its size, whatever it says. The figures are those of docs/limits.md.

use std::io::{self, Seek, SeekFrom, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use glam::Vec3;
use keypose::anim::clip::{Clip, Keyframe};
use keypose::anim::key::Key;
use keypose::anim::skeleton::{Bone, Skeleton};
use keypose::anim::time::Time;
use keypose::anim::transform::Transform;
use keypose::assets::bytes::Bytes;
use keypose::assets::id::ClipId;
use keypose::assets::model::{ClipSlot, Model};
use keypose::assets::project::{Project, UnknownLump};
use keypose::assets::texture::Texture;
use keypose::wad::archive::Archive;
use keypose::wad::directory::{Codec, Entry};
use keypose::wad::expanded::{Expanded, max_expanded, max_expanded_others};

use keypose::wad::journal::{self, Event, MAX_STATE_BYTES, Place};
use keypose::wad::kind::Kind;
use keypose::wad::pack::{Lump, pack};
use keypose::wad::salvage::{decode_salvaged, salvage};
use keypose::wad::{Encoder, decode, diff, edit, encode, overlay};

use xxhash_rust::xxh3::xxh3_64;

use crate::{allocator, alone, checksums};

/// Memory beyond the multiples below, in bytes.
const AT_LEAST: usize = 8 << 20;

fn lump(name: &str, bytes: Vec<u8>, codec: Codec) -> Lump {
    Lump { kind: Kind(*b"xTRA"), name: name.into(), version: 1, codec, bytes: Some(bytes) }
}

/// An LZ4 block of zeros, which has nearly the highest ratio.
fn zeros(length: usize) -> Vec<u8> {
    let rest = length - 1 - 5 - 4 - 15;
    let mut block = vec![0x1f, 0, 1, 0];
    block.resize(block.len() + rest / 255, 0xff);
    block.push((rest % 255) as u8);
    block.extend([0x50, 0, 0, 0, 0, 0]);
    block
}

/// An archive whose lumps decompress to `count` times `length` bytes.
fn bomb(count: usize, length: usize) -> Vec<u8> {
    let lumps = (0..count).map(|number| lump(&format!("b{number:04}"), zeros(length), Codec::Store));
    let mut bytes = pack(lumps.collect(), None).unwrap();
    for number in 0..count {
        let entry = 64 + 128 * number;
        bytes[entry + 6] = 1;
        bytes[entry + 24..entry + 32].copy_from_slice(&(length as u64).to_le_bytes());
    }
    checksums::forge(&mut bytes);
    bytes
}

#[test]
fn lumps_may_not_decompress_to_more_than_a_multiple_of_the_file() {
    let _alone = alone();
    let good = bomb(4, 16 << 20);
    assert!(decode(&good).is_ok(), "a sum below the limit is read");
    let bytes = bomb(5, 16 << 20);
    let (refused, peak) = allocator::peak_of_all(|| decode(&bytes).unwrap_err().to_string());
    assert!(
        refused.contains("the lumps that are not images decompress to 83886080 bytes; the maximum for a file of"),
        "{refused}"
    );
    assert!((peak as usize) < AT_LEAST, "{peak}");
    let (salvaged, peak) = allocator::peak_of_all(|| salvage(&bytes));
    assert_eq!((salvaged.lumps.len(), salvaged.lost.len()), (4, 1), "{:?}", salvaged.lost);
    assert!(salvaged.lost[0].contains("decompresses to more than a file of this size may hold"));
    assert!(peak as usize <= max_expanded_others(bytes.len()) + AT_LEAST, "{peak}");
    // Images may be larger: one of one colour is small as a file.
    let pixels = max_expanded(bytes.len()) - max_expanded_others(bytes.len());
    let images = Expanded::default().with(Kind::TEXTURE, pixels);
    assert!(images.check(1000).is_ok() && Expanded::default().with(Kind(*b"xTRA"), pixels).check(1000).is_err());
}

/// Steps that each replace a lump by other zeros, which compress to a 255th.
fn steps(count: usize, length: usize) -> Vec<Event> {
    let place = Place::default;
    let step = |number: usize| {
        let bytes = vec![number as u8; length];
        Event::Step { label: "s".into(), before: place(), after: place(), lumps: vec![lump("a", bytes, Codec::Lz4)] }
    };
    (0..count).map(step).collect()
}

/// A record holds at most a multiple of its bytes, so that a journal of many records does.
#[test]
fn a_record_of_a_journal_may_not_decompress_to_more_than_a_multiple_of_it() {
    let _alone = alone();
    let events = steps(6, 16 << 20);
    let records = (0..).zip(&events).map(|(number, event)| journal::record(event, number, 7).unwrap());
    let bytes = records.fold(journal::head(), |all, record| [all, record].concat());
    let read = journal::read(&bytes).unwrap();
    assert!(contents(&read.events) == contents(&events) && read.torn.is_none());
    // A step that is replayed takes the place of its record.
    let replayed = || journal::replay(&[], journal::read(&bytes).unwrap()).unwrap().steps.len();
    let (replayed, peak) = allocator::peak_of_all(replayed);
    println!("replay: {:.2} times {} bytes", peak as f64 / bytes.len() as f64, bytes.len());
    assert_eq!(replayed, 6);
    assert!(peak as usize <= bytes.len() * 2 + AT_LEAST, "{peak}");
    let step = Event::Step { label: "s".into(), before: Place::default(), after: Place::default(), lumps: vec![] };
    let mut bytes = [journal::head(), journal::record(&step, 0, 7).unwrap(), bomb(1, 1 << 20)].concat();
    forge_record(&mut bytes[journal::HEAD_BYTES..]);
    let (read, peak) = allocator::peak_of_all(|| journal::read(&bytes).unwrap());
    let torn = read.torn.clone().unwrap_or_default();
    assert!(torn.contains("the lumps of the record decompress to 1048576 bytes; the maximum is"), "{torn}");
    assert!(read.events.is_empty() && read.is_damaged && (peak as usize) < 1 << 20, "{peak}");
}

/// Makes the length and the checksum of a record fit all bytes that follow its head.
fn forge_record(record: &mut [u8]) {
    let (head, payload) = record.split_at_mut(24);
    head[..4].copy_from_slice(&(payload.len() as u32).to_le_bytes());
    let sum = xxh3_64(payload) ^ xxh3_64(&head[8..24]);
    head[4..8].copy_from_slice(&sum.to_le_bytes()[..4]);
}

/// The bytes of a journal with these events.
fn whole(events: &[Event], base: u64) -> Vec<u8> {
    let records = (0..).zip(events).map(|(number, event)| journal::record(event, number, base).unwrap());
    records.fold(journal::head(), |all, record| [all, record].concat())
}

/// The bytes of each step's lump.
fn contents(events: &[Event]) -> Vec<&Option<Vec<u8>>> {
    let lumps =
        events.iter().flat_map(|event| if let Event::Step { lumps, .. } = event { lumps.as_slice() } else { &[] });
    lumps.map(|lump| &lump.bytes).collect()
}

#[test]
fn a_writer_compresses_no_more_than_a_reader_accepts() {
    let _alone = alone();
    let lumps: Vec<Lump> =
        (0..18).map(|number| lump(&format!("b{number:02}"), vec![7; 16 << 20], Codec::Lz4)).collect();
    let bytes = pack(lumps.clone(), None).unwrap();
    let archive = Archive::open(&bytes).unwrap();
    assert_eq!(
        archive.to_lumps().unwrap().iter().map(|lump| &lump.bytes).collect::<Vec<_>>(),
        lumps.iter().map(|lump| &lump.bytes).collect::<Vec<_>>()
    );
    let packed = archive.entries().iter().filter(|entry| entry.codec == Codec::Lz4).count();
    assert_eq!(packed, 17);
}

/// Textures of noise, or of one colour.
fn textures(count: usize, is_noise: bool) -> Project {
    let mut state = 1_u32;
    let mut noise = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    let texture = |number: usize| {
        let pixels: Vec<u8> = (0..512 * 512 * 4).map(|_| if is_noise { noise() } else { 9 }).collect();
        let name = format!("texture {number}");
        Arc::new(Texture { name, width: 512, height: 512, data: pixels.into(), source_format: "png".into() })
    };
    let textures = (0..count).map(texture).collect();
    let model = Model { name: "a".into(), textures, ..Model::default() };
    Project { models: vec![Arc::new(model)], ..Project::default() }
}

/// A clip with one key for each keyframe.
fn keys(count: usize) -> Project {
    let key = |number: usize| Key::translation((number % 7) as u16, Vec3::splat(number as f32));
    let keyframe = |number| Keyframe { duration: Time(1), keys: vec![key(number)].into(), ..Keyframe::default() };
    let clip = Clip { keyframes: (0..count).map(keyframe).collect::<Vec<_>>().into(), ..Clip::new("c") };
    let bone = |number: usize| Bone { name: format!("b{number}"), parent: None, rest: Transform::IDENTITY };
    let skeleton = Arc::new(Skeleton::new((0..7).map(bone).collect()).unwrap());
    let clips = vec![ClipSlot { id: ClipId(1), clip: Arc::new(clip) }];
    let model = Model { name: "a".into(), skeleton, clips, ..Model::default() };
    Project { models: vec![Arc::new(model)], next_id: 1, ..Project::default() }
}

/// A file that remembers only its size.
#[derive(Default)]
struct Sink {
    at: u64,
    bytes: u64,
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.at += bytes.len() as u64;
        self.bytes = self.bytes.max(self.at);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Sink {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let SeekFrom::Start(at) = to else { return Err(io::ErrorKind::Unsupported.into()) };
        self.at = at;
        Ok(at)
    }
}

/// The editor writes an archive lump by lump, and compares it in slices.
#[test]
fn a_save_takes_the_memory_of_a_few_lumps() {
    let _alone = alone();
    let project = textures(16, true);
    let lump = 512 * 512 * 4;
    let mut sink = Sink::default();
    let (written, peak) =
        allocator::peak_of_all(|| Encoder::new(&project, &[]).unwrap().encode_into(&mut sink).unwrap());
    assert_eq!(written.bytes(), sink.bytes);
    assert!(sink.bytes > 16 * lump as u64);
    assert!((peak as usize) < 8 * lump, "{peak} bytes for lumps of {lump}");
    let bytes = encode(&project, &[]).unwrap();
    assert_eq!(Archive::open(&bytes).unwrap().header().hash, written.hash());
    let (is_same, peak) = allocator::peak_of_all(|| written.is_in(&mut bytes.as_slice()).unwrap());
    assert!(is_same && (peak as usize) < 2 << 20, "{peak}");
    for at in [0, 70, 300, bytes.len() / 2, bytes.len() - 40, bytes.len() - 1] {
        let mut other = bytes.clone();
        other[at] ^= 1;
        assert!(!written.is_in(&mut other.as_slice()).unwrap(), "{at}");
    }
    for other in [&bytes[..bytes.len() - 1], &bytes[..1000], &[], &[&bytes[..], &[0]].concat()] {
        assert!(!written.is_in(&mut &*other).unwrap(), "{}", other.len());
    }
}

/// The operations of docs/limits.md, in the order of [`multiples`].
const OPERATIONS: [&str; 6] = ["verify", "repack", "merge", "patch", "salvage", "diff"];

/// The heap that each operation takes, besides the bytes of the file and `AT_LEAST`: a multiple of the size of the archive, with what it
/// decompresses to.
fn multiples(bytes: &[u8]) -> [f64; 6] {
    let archive = Archive::open(bytes).unwrap();
    let weight = |entry: &Entry| entry.stored_bytes + if entry.codec != Codec::Store { entry.raw_bytes } else { 0 };
    let weight = archive.entries().iter().map(weight).sum::<usize>();
    let repack = || {
        let mut lumps = archive.to_lumps().unwrap();
        edit::recode(&mut lumps, Codec::Lz4);
        drop(pack(lumps, None).unwrap());
    };
    let merge = || {
        let mut merged = overlay::merge(std::slice::from_ref(&archive)).unwrap();
        edit::rebake(&mut merged.lumps).unwrap();
        drop(pack(merged.lumps, None).unwrap());
    };
    let compare = || drop(diff::diff(&decode(bytes).unwrap().project, &decode(bytes).unwrap().project));
    let peaks = [
        allocator::peak_of_all(|| drop(decode(bytes).unwrap())).1,
        allocator::peak_of_all(repack).1,
        allocator::peak_of_all(merge).1,
        allocator::peak_of_all(|| drop(overlay::patch(&archive, archive.to_lumps().unwrap()).unwrap())).1,
        allocator::peak_of_all(|| drop(decode_salvaged(&salvage(bytes)).unwrap())).1,
        allocator::peak_of_all(compare).1,
    ];
    let multiples = peaks.map(|peak| (peak as f64 - AT_LEAST as f64) / weight as f64);
    println!("{OPERATIONS:?}: {:.2?} times {weight} bytes", peaks.map(|peak| peak as f64 / weight as f64));
    multiples
}

fn assert_within(multiples: [f64; 6], bounds: [f64; 6]) {
    for ((multiple, bound), operation) in multiples.into_iter().zip(bounds).zip(OPERATIONS) {
        assert!(multiple <= bound, "{operation}: {multiple} times the weight, at most {bound}");
    }
}

#[test]
fn commands_take_a_small_multiple_of_an_archive() {
    let _alone = alone();
    let large = encode(&textures(8, true), &[]).unwrap();
    let mut recoded = Archive::open(&encode(&textures(16, false), &[]).unwrap()).unwrap().to_lumps().unwrap();
    edit::recode(&mut recoded, Codec::Lz4);
    for bytes in [&large, &pack(recoded, None).unwrap()] {
        assert_within(multiples(bytes), [1.5, 2.5, 3.5, 1.5, 3.5, 2.5]);
    }
    let shared = Bytes::new(large.clone());
    let opened = allocator::peak_of_all(|| keypose::wad::decode_shared(&shared).map(drop)).1;
    assert!((opened as usize) < AT_LEAST, "opening keeps the bytes of the file alone: {opened}");
}

/// A keyframe with one key takes more memory than bytes.
#[test]
fn commands_take_a_small_multiple_of_packed_keys() {
    let _alone = alone();
    let bytes = encode(&keys(200_000), &[]).unwrap();
    let archive = Archive::open(&bytes).unwrap();
    let packed = archive.entries().iter().find(|entry| entry.codec == Codec::Numbers).unwrap();
    let (lumps, peak) = allocator::peak_of_all(|| archive.to_lumps().unwrap());
    drop(lumps);
    let times = peak as f64 / packed.raw_bytes as f64;
    assert!(times < 2.0, "unpacking takes {times} times the lump");
    assert_within(multiples(&bytes), [5.0, 2.5, 6.0, 2.5, 6.0, 6.0]);
}

/// Four times as much must not take much more than four times as long. Something quadratic takes 16 times as long.
fn grows_in_proportion<T>(what: &str, count: usize, make: impl Fn(usize) -> T, work: impl Fn(&T)) {
    let (few, many) = (make(count), make(4 * count));
    let time = |data: &T| {
        let start = Instant::now();
        work(data);
        start.elapsed()
    };
    let (mut short, mut long) = (Duration::MAX, Duration::MAX);
    // A machine that does much else disturbs some of the rounds; something quadratic fails in all of them.
    for round in 1.. {
        (short, long) = (short.min(time(&few)).min(time(&few)), long.min(time(&many)));
        println!("{what}: {count} take {short:?}, {} take {long:?}", 4 * count);
        if long < short * 10 + Duration::from_millis(50) {
            return;
        }
        assert!(round < 6, "{what}: {short:?}, {long:?}");
    }
}

fn clips(count: usize) -> Project {
    let slot = |number: usize| ClipSlot { id: ClipId(number as u32), clip: Arc::new(Clip::new("c")) };
    let model = Model { name: "a".into(), clips: (1..=count).map(slot).collect(), ..Model::default() };
    Project { models: vec![Arc::new(model)], next_id: count as u32, ..Project::default() }
}

fn unknown(count: usize, value: u8) -> Vec<Lump> {
    (0..count).map(|number| lump(&format!("n{number:07}"), vec![value; 4], Codec::Store)).collect()
}

#[test]
fn time_grows_in_proportion_to_the_number_of_lumps() {
    let _alone = alone();
    let models = |count| Project {
        models: (0..count).map(|_| Arc::new(Model { name: "m".into(), ..Model::default() })).collect(),
        ..Project::default()
    };
    grows_in_proportion("clips of one name, written", 1000, clips, |project| drop(encode(project, &[]).unwrap()));
    let written = |project: Project| encode(&project, &[]).unwrap();
    grows_in_proportion(
        "clips of one name, read",
        1000,
        |count| written(clips(count)),
        |bytes| drop(decode(bytes).unwrap()),
    );
    grows_in_proportion("models of one name, written", 500, models, |project| drop(encode(project, &[]).unwrap()));
    grows_in_proportion(
        "models of one name, read",
        500,
        |count| written(models(count)),
        |bytes| drop(decode(bytes).unwrap()),
    );
    let archives = |count| (pack(unknown(count, 1), None).unwrap(), count);
    grows_in_proportion("lumps, patched", 4000, archives, |(base, count)| {
        drop(overlay::patch(&Archive::open(base).unwrap(), unknown(*count, 2)).unwrap());
    });
    let recorded = |count: usize| {
        let base = written(clips(count));
        let mut states = vec![decode(&base).unwrap().project];
        for number in 0..count {
            let mut next = states[number].clone();
            let slot = &mut Arc::make_mut(&mut next.models[0]).clips[number / 2];
            Arc::make_mut(&mut slot.clip).keyframes.push(Keyframe { duration: Time(1), ..Keyframe::default() });
            states.push(next);
        }
        let step = |pair: &[Project]| Event::Step {
            label: "s".into(),
            before: Place::default(),
            after: Place::default(),
            lumps: journal::delta(&pair[0], &pair[1]).unwrap(),
        };
        let steps: Vec<Event> = states.windows(2).map(step).collect();
        let journal = whole(&steps, Archive::open(&base).unwrap().header().hash);
        (base, journal)
    };
    grows_in_proportion("clips and steps of a journal", 150, recorded, |(base, journal)| {
        drop(journal::replay(base, journal::read(journal).unwrap()).unwrap());
    });
    let damaged = |count| {
        let mut bytes = written(clips(count));
        for number in 0..8 {
            // A letter of a name.
            bytes[64 + 128 * (count / 2 + 7 * number) + 48 + 3] ^= 1;
        }
        bytes
    };
    grows_in_proportion("clips, salvaged", 1000, damaged, |bytes| drop(salvage(bytes)));
    let other = |count| Project {
        unknown: (0..count)
            .map(|number| UnknownLump { kind: *b"xTRA", name: format!("u{number}"), version: 1, bytes: Arc::new([1]) })
            .collect(),
        ..Project::default()
    };
    grows_in_proportion(
        "unknown lumps, read and written",
        4000,
        |count| written(other(count)),
        |bytes| {
            drop(encode(&decode(bytes).unwrap().project, &[]).unwrap());
        },
    );
}

/// A clip of many keyframes and a journal of many steps that change one of them: each state has a list of all keyframes.
#[test]
fn recovery_keeps_as_many_states_as_fit_a_bound() {
    let _alone = alone();
    const KEYFRAMES: usize = 20_000;
    const STEPS: usize = 330;
    let keyframe = |duration: usize| Keyframe { duration: Time(duration as i64), ..Keyframe::default() };
    let clip = Clip { keyframes: (0..KEYFRAMES).map(|_| keyframe(1)).collect(), ..Clip::new("long") };
    let slot = ClipSlot { id: ClipId(1), clip: Arc::new(clip) };
    let model = Model { name: "m".into(), clips: vec![slot], ..Model::default() };
    let project = Project { models: vec![Arc::new(model)], next_id: 1, ..Project::default() };
    let base = encode(&project, &[]).unwrap();
    let mut state = decode(&base).unwrap().project;
    let mut events = Vec::new();
    for number in 0..STEPS {
        let mut next = state.clone();
        let slot = &mut Arc::make_mut(&mut next.models[0]).clips[0];
        Arc::make_mut(&mut slot.clip).keyframes[number].duration = Time(2 + number as i64);
        let lumps = journal::delta(&state, &next).unwrap();
        events.push(Event::Step { label: "s".into(), before: Place::default(), after: Place::default(), lumps });
        state = next;
    }
    let hash = Archive::open(&base).unwrap().header().hash;
    let recover = |events: &[Event]| {
        let bytes = whole(events, hash);
        let (replayed, peak) =
            allocator::peak_of_all(|| journal::replay(&base, journal::read(&bytes).unwrap()).unwrap());
        let bound = MAX_STATE_BYTES + 2 * (base.len() + bytes.len()) + AT_LEAST;
        assert!(peak < bound as isize, "{peak} bytes, at most {bound}");
        replayed
    };
    let replayed = recover(&events);
    assert!(*replayed.project() == state, "the last state has every step");
    assert_eq!((replayed.steps.len() + replayed.first, replayed.done), (STEPS, replayed.steps.len()));
    assert!(replayed.first > 0 && replayed.steps.len() > 100);
    // All were undone: the steps that can be done again are those that fit.
    events.push(Event::Position { done: 0, place: Place::default() });
    let replayed = recover(&events);
    assert!(*replayed.project() == decode(&base).unwrap().project);
    assert_eq!((replayed.done, replayed.first), (0, 0));
    assert!(replayed.steps.len() > 100 && replayed.steps.len() < STEPS);
}
