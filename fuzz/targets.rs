//! Fuzz targets: each takes any bytes, and panics if the code under it breaks a promise. Shared by cargo-fuzz
//! (`fuzz_targets`) and by the plain loop of `tests/import/fuzz`. The word "forged" means that checksums were made to fit.

use std::fs;
use std::panic;
use std::path::PathBuf;
use std::sync::{Arc, Once, OnceLock};
use std::thread;

use keypose::assets::bytes::Bytes;
use keypose::assets::character::Character;
use keypose::assets::guarded::is_guarded;
use keypose::assets::level::{Level, text};
use keypose::assets::machine::AnimationTable;
use keypose::assets::model::Model;
use keypose::assets::project::Project;
use keypose::wad::archive::Archive;
use keypose::wad::equality::is_same_content;
use keypose::wad::error::WadError;
use keypose::wad::kind::Kind;
use keypose::wad::overlay;
use keypose::wad::pack::{Lump, pack};
use keypose::wad::salvage::{decode_salvaged, salvage};
use keypose::wad::verify::{Depth, verify};
use keypose::wad::{decode, encode, journal};
use keypose_app::app::follow::protocol;
use keypose_app::app::preferences as app_preferences;
use keypose_app::app::work::Store;
use keypose_app::app::work::recorder::Recorder;
use keypose_editor::editor::script;
use keypose_editor::editor::state::Editor;
use keypose_editor::editor::state::action::{DocumentAction, Origin};
use keypose_editor::game::input::Buttons;
use keypose_editor::game::play::Play;
use keypose_editor::game::replay::Replay;
use keypose_tools::clip_text;
use keypose_tools::export::gltf::{GlbOptions, encode as encode_glb};
use keypose_tools::film::Player;
use keypose_tools::import::{self, sound};
use xxhash_rust::xxh3::xxh3_64;

#[path = "../tests/support/checksums.rs"]
mod checksums;
#[path = "../tests/support/sample.rs"]
#[allow(dead_code)]
pub mod sample;

/// One thing that reads bytes.
#[derive(Clone, Copy)]
pub struct Target {
    pub name: &'static str,
    /// Reads the bytes. Returns true if they were accepted. Panics if a promise is broken.
    pub run: fn(&[u8]) -> bool,
    /// Makes the checksums fit.
    pub forge: fn(&mut [u8]),
}

pub const ARCHIVE: Target = Target { name: "archive", run: archive, forge: checksums::forge };
pub const SALVAGE: Target = Target { name: "salvage", run: salvaged, forge: checksums::forge };
pub const RECORD: Target = Target { name: "record", run: record, forge: |_| () };
pub const JOURNAL: Target = Target { name: "journal", run: journal, forge: forge_journal };
pub const GLTF: Target = Target { name: "gltf", run: gltf, forge: |_| () };
pub const FBX: Target = Target { name: "fbx", run: fbx, forge: |_| () };
pub const COLLADA: Target = Target { name: "collada", run: collada, forge: |_| () };
pub const OBJ: Target = Target { name: "obj", run: obj, forge: |_| () };
pub const BVH: Target = Target { name: "bvh", run: bvh, forge: |_| () };
pub const IMAGE: Target = Target { name: "image", run: image, forge: forge_png };
pub const SCRIPT: Target = Target { name: "script", run: script, forge: |_| () };
pub const PATCH: Target = Target { name: "patch", run: patch, forge: checksums::forge };
pub const RECOVERY: Target = Target { name: "recovery", run: recovery, forge: forge_journal };
pub const FOLLOW: Target = Target { name: "follow", run: follow, forge: |_| () };
pub const PREFERENCES: Target = Target { name: "preferences", run: preferences, forge: |_| () };
pub const RECORDING: Target = Target { name: "recording", run: recording, forge: |_| () };
pub const LEVEL: Target = Target { name: "level", run: level, forge: |_| () };
pub const CLIP: Target = Target { name: "clip", run: text_of_clip, forge: |_| () };
pub const SOUND: Target = Target { name: "sound", run: wav, forge: |_| () };
pub const MACHINE: Target = Target { name: "machine", run: machine, forge: |_| () };
pub const FILM: Target = Target { name: "film", run: film, forge: forge_png };
pub const ALL: [Target; 21] = [
    ARCHIVE,
    SALVAGE,
    RECORD,
    PATCH,
    JOURNAL,
    RECOVERY,
    GLTF,
    FBX,
    COLLADA,
    OBJ,
    BVH,
    IMAGE,
    SCRIPT,
    FOLLOW,
    PREFERENCES,
    RECORDING,
    LEVEL,
    CLIP,
    SOUND,
    MACHINE,
    FILM,
];

impl Target {
    /// The bytes as they are, and forged.
    pub fn try_twice(&self, bytes: &[u8]) {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            let end = panic::take_hook();
            // A panic of a decoder that becomes an error is none to end for.
            panic::set_hook(Box::new(move |panic| {
                if !is_guarded() {
                    end(panic)
                }
            }));
        });
        (self.run)(bytes);
        let mut forged = bytes.to_vec();
        (self.forge)(&mut forged);
        if forged != bytes {
            (self.run)(&forged);
        }
    }
}

fn check(models: &[Arc<Model>]) {
    for model in models {
        for keyframes in model.clips.iter().map(|slot| &slot.clip.keyframes) {
            let (count, length) = (keyframes.len(), keyframes.length());
            // Looked at, they are keys, and checked as such.
            assert_eq!((keyframes.iter().count(), keyframes.length()), (count, length));
        }
        model.check().unwrap();
    }
}

/// True for one of `count` inputs: what is costly is not tried with every one.
fn is_one_of(count: u64, bytes: &[u8]) -> bool {
    xxh3_64(bytes).is_multiple_of(count)
}

/// A whole file. What is accepted is valid, and can be saved and read again.
fn archive(bytes: &[u8]) -> bool {
    match decode(bytes) {
        Ok(decoded) => {
            check(&decoded.project.models);
            assert!(decoded.findings.iter().all(|finding| !finding.contains('\n')), "{:?}", decoded.findings);
            if decoded.findings.is_empty() {
                decoded.characters.iter().for_each(|character| sample::play(character));
            }
            if is_one_of(16, bytes) {
                let again = encode(&decoded.project, &decoded.characters).unwrap();
                assert!(is_same_content(&decode(&again).unwrap().project, &decoded.project));
                decoded.project.models.iter().for_each(|model| exported(model));
                played(&decoded.characters, decoded.project.levels.first(), Bones::Forged);
            }
            true
        }
        Err(error) => {
            assert!(!error.to_string().contains('\n'), "{error}");
            false
        }
    }
}

/// Every model goes out as a GLB that comes in again with all bones and clips.
fn exported(model: &Model) {
    let glb = encode_glb(model, GlbOptions::default()).unwrap();
    if model.skeleton.is_empty() {
        return;
    }
    let back = import::import("out.glb", &glb.bytes, &mut |_| Err("no other files".into())).unwrap().model;
    assert_eq!((back.clips.len(), back.sockets.len()), (model.clips.len(), model.sockets.len()));
    assert!(back.skeleton.len() >= model.skeleton.len());
}

/// A damaged file: what is given back is valid, and can be saved and read again.
fn salvaged(bytes: &[u8]) -> bool {
    let salvaged = salvage(bytes);
    let Ok(decoded) = decode_salvaged(&salvaged) else { return false };
    check(&decoded.project.models);
    if is_one_of(16, bytes) {
        let again = decode(&encode(&decoded.project, &decoded.characters).unwrap()).unwrap().project;
        assert!(is_same_content(&again, &decoded.project));
    }
    !salvaged.lumps.is_empty()
}

/// The lumps that a record's bytes take the place of: one of each kind, several of most.
pub fn lumps() -> &'static [Lump] {
    static LUMPS: OnceLock<Vec<Lump>> = OnceLock::new();
    LUMPS.get_or_init(|| Archive::open(&sample::encode(&sample::rich())).unwrap().to_lumps().unwrap())
}

/// The first bytes of an input for [`RECORD`]: which lump of an archive the rest takes the place of.
pub fn record_head(which: usize) -> [u8; 5] {
    let kind = lumps()[which].kind;
    let number = lumps()[..which].iter().filter(|lump| lump.kind == kind).count() as u8;
    let [a, b, c, d] = kind.0;
    [a, b, c, d, number]
}

/// A lump in the place of another one, alone and among the rest.
fn record(bytes: &[u8]) -> bool {
    let Some((head, bytes)) = bytes.split_first_chunk() else { return false };
    let Some(which) = (0..lumps().len()).find(|&which| record_head(which) == *head) else { return false };
    let lump = Lump { bytes: Some(bytes.to_vec()), ..lumps()[which].clone() };
    let alone = decode(&pack(vec![lump.clone()], None).unwrap());
    if matches!(alone, Err(WadError::Lump { .. })) || !is_one_of(4, bytes) {
        return !matches!(alone, Err(WadError::Lump { .. }));
    }
    let mut all = lumps().to_vec();
    all[which] = lump;
    archive(&pack(all, None).unwrap())
}

/// The animation table of the first model, and a game that it drives.
fn machine(bytes: &[u8]) -> bool {
    let mut all = lumps().to_vec();
    let table = all.iter_mut().find(|lump| lump.kind == Kind::MACHINE).unwrap();
    table.bytes = Some(bytes.to_vec());
    let Ok(decoded) = decode(&pack(all, None).unwrap()) else { return false };
    let accepted = decoded.project.models[0].machine != AnimationTable::default();
    if accepted {
        played(&decoded.characters, decoded.project.levels.first(), Bones::Ours);
    }
    accepted
}

/// A journal over the small archive: cut or replayed, it is written again with the same events.
fn journal(bytes: &[u8]) -> bool {
    static BASE: OnceLock<Vec<u8>> = OnceLock::new();
    let base = BASE.get_or_init(|| sample::encode(&sample::small()));
    let Ok(contents) = journal::read(bytes) else { return false };
    assert!(contents.whole_bytes <= bytes.len().max(journal::HEAD_BYTES));
    let again = contents
        .events
        .iter()
        .zip(0..)
        .map(|(event, sequence)| journal::record(event, sequence, contents.base).unwrap());
    let again = [journal::head()].into_iter().chain(again).collect::<Vec<_>>().concat();
    assert_eq!(journal::read(&again).unwrap().events, contents.events);
    let has_events = !contents.events.is_empty();
    let Ok(replayed) = journal::replay(base, contents) else { return false };
    check(&replayed.project().models);
    has_events
}

/// Makes lengths, checksums, sequence and base of all records fit, as far as they can be followed.
fn forge_journal(bytes: &mut [u8]) {
    let (mut at, mut sequence) = (journal::HEAD_BYTES, 0_u64);
    let base: [u8; 8] = bytes.get(at + 16..at + 24).and_then(|base| base.try_into().ok()).unwrap_or_default();
    while let Some(frame) = bytes.get_mut(at..).filter(|rest| rest.len() >= 24) {
        let (head, payload) = frame.split_at_mut(24);
        let length = u32::from_le_bytes([head[0], head[1], head[2], head[3]]) as usize;
        let length = length.min(payload.len());
        head[..4].copy_from_slice(&(length as u32).to_le_bytes());
        head[8..16].copy_from_slice(&sequence.to_le_bytes());
        head[16..24].copy_from_slice(&base);
        forge_patch(&mut payload[..length]);
        let sum = xxh3_64(&payload[..length]) ^ xxh3_64(&head[8..24]);
        head[4..8].copy_from_slice(&sum.to_le_bytes()[..4]);
        (at, sequence) = (at + 24 + length, sequence + 1);
    }
}

/// The patch behind the word of a payload.
fn forge_patch(payload: &mut [u8]) {
    let Some(word) = payload.first_chunk().map(|length| u32::from_le_bytes(*length) as usize) else { return };
    if let Some(patch) = payload.get_mut(word.saturating_add(4)..) {
        checksums::forge(patch);
    }
}

/// The archive that patches and journals are for.
pub fn base() -> &'static [u8] {
    static BASE: OnceLock<Vec<u8>> = OnceLock::new();
    BASE.get_or_init(|| sample::encode(&sample::small()))
}

/// A patch: verified by itself, and opened over its base. What is accepted is valid, and can be saved and read again.
fn patch(bytes: &[u8]) -> bool {
    if let Err(error) = verify(bytes, Depth::Records) {
        assert!(!error.to_string().contains('\n'), "{error}");
    }
    let Ok(decoded) = overlay::decode_layers(&[base(), bytes]) else { return false };
    check(&decoded.project.models);
    if is_one_of(16, bytes) {
        let again =
            overlay::encode_patch(&[Archive::open(base()).unwrap()], &decoded.project, &decoded.characters).unwrap();
        assert_eq!(overlay::decode_layers(&[base(), &again]).unwrap().project, decoded.project);
    }
    true
}

/// The unsaved work on an archive, as a crash left it: what is recovered is valid. Returns true if there was something to recover.
fn recovery(bytes: &[u8]) -> bool {
    thread_local! {
        static OPENED: (PathBuf, Editor) = {
            let name = format!("keypose-fuzz-{}-{:?}", std::process::id(), thread::current().id());
            // Files in memory: what is on a disk waits for it.
            let memory = Some(PathBuf::from("/dev/shm")).filter(|folder| folder.is_dir());
            let folder = memory.unwrap_or_else(std::env::temp_dir).join(name);
            let origin = Origin::Archive { below: Vec::new(), path: folder.join("a.wad") };
            let editor = Editor::new(decode(base()).unwrap().project, &origin);
            (folder, editor)
        };
    }
    let (folder, mut editor) = OPENED.with(Clone::clone);
    let archive = folder.join("a.wad");
    let id = Archive::open(base()).unwrap().header().document();
    let work = folder.join(format!("work/{id:016x}"));
    fs::create_dir_all(&work).unwrap();
    for (path, bytes) in [(archive.clone(), base()), (work.join("base.wad"), base()), (work.join("steps"), bytes)] {
        fs::write(path, bytes).unwrap();
    }
    let origin = Origin::Archive { below: Vec::new(), path: archive };
    let (recorder, notes) = Recorder::attach_in(Some(Store::at(&folder)), &mut editor, &origin, None);
    editor.document.check().unwrap();
    assert!(notes.iter().all(|note| !note.contains('\n')), "{notes:?}");
    let has_recovered = editor.history.undo_count() > 0;
    drop(recorder);
    fs::remove_dir_all(&folder).unwrap();
    has_recovered
}

/// A message to a game that follows.
fn follow(bytes: &[u8]) -> bool {
    let message = protocol::read(bytes).ok().and_then(|pose| protocol::message(&pose));
    message.is_some_and(|message| message[4..] == *bytes)
}

/// The file of preferences. What was read is written and read the same.
fn preferences(bytes: &[u8]) -> bool {
    let (kept, faults, _) = app_preferences::parse(bytes);
    let text = app_preferences::text(&kept);
    assert_eq!(app_preferences::parse(text.as_bytes()), (kept, vec![], vec![]));
    faults.is_empty()
}

/// A recorded game. What was read is written and read the same.
fn recording(bytes: &[u8]) -> bool {
    let Ok(replay) = Replay::parse(&String::from_utf8_lossy(bytes)) else { return false };
    assert_eq!(Replay::parse(&replay.to_text()).as_ref(), Ok(&replay));
    true
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Bones {
    Ours,
    Forged,
}

/// The start of a game. Whatever level, machines and volumes say, the camera is at a finite place, and what is drawn, if bones are not
/// forged: their lengths may add up to more than the largest number.
fn played(characters: &[Arc<Character>], level: Option<&Arc<Level>>, bones: Bones) {
    let mut play = Play::new(characters, level, 1);
    (0..24_u16).for_each(|tick| play.tick(Buttons(tick.wrapping_mul(37) & Buttons::ALL.0)));
    let frame = play.frame_with_volumes(0.5, 1.5);
    assert!(frame.camera.eye.is_finite() && frame.camera.target.is_finite());
    for draw in frame.models.iter().filter(|_| bones == Bones::Ours) {
        assert!(draw.world_from_model.is_finite() && draw.pose.bones.iter().all(|bone| bone.is_finite()));
    }
}

/// The text of a level. What was read is valid, can be played, and is written and read the same.
fn level(bytes: &[u8]) -> bool {
    match text::read(&String::from_utf8_lossy(bytes)) {
        Ok(level) => {
            level.check().unwrap();
            assert_eq!(text::read(&text::write(&level)).as_ref(), Ok(&level));
            if is_one_of(8, bytes) {
                played(&[], Some(&Arc::new(level)), Bones::Ours);
            }
            true
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            false
        }
    }
}

/// The text of a clip, of the sample's skeleton. What was read is valid, and written and read the same.
fn text_of_clip(bytes: &[u8]) -> bool {
    static RICH: OnceLock<Project> = OnceLock::new();
    let model = &RICH.get_or_init(sample::rich).models[0];
    match clip_text::read(&String::from_utf8_lossy(bytes), &model.skeleton) {
        Ok(read) => {
            read.clip.check().unwrap();
            read.lanes.check().unwrap();
            assert_eq!(clip_text::read(&clip_text::write(&read, &model.skeleton), &model.skeleton).as_ref(), Ok(&read));
            true
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            false
        }
    }
}

/// A WAV file. What was read is valid.
fn wav(bytes: &[u8]) -> bool {
    match sound::read("fuzz", bytes) {
        Ok(sound) => {
            sound.check().unwrap();
            assert!(sound.samples.len() <= 2 * bytes.len());
            true
        }
        Err(error) => {
            assert!(!error.is_empty() && !error.contains('\n'), "{error}");
            false
        }
    }
}

/// A film in one file: frames at its start, middle and end.
fn film(bytes: &[u8]) -> bool {
    let shown = |reason: &str| assert!(!reason.is_empty() && !reason.contains('\n'), "{reason}");
    match Player::open(Box::new(Arc::new(vec![Bytes::from(bytes.to_vec())])), 0.0) {
        Ok(mut player) => {
            let frames = [0, player.count() / 2, player.count() - 1].map(|at| player.frame(at));
            frames.iter().filter_map(|frame| frame.as_ref().err()).for_each(|reason| shown(reason));
            frames.iter().all(Result::is_ok)
        }
        Err(reason) => {
            shown(&reason);
            false
        }
    }
}

/// A .glb or .gltf without other files.
fn gltf(bytes: &[u8]) -> bool {
    imported("fuzz.glb", bytes, &mut |path: &str| Err(format!("{path} doesn't exist")))
}

/// A COLLADA file without other files.
fn collada(bytes: &[u8]) -> bool {
    imported("fuzz.dae", bytes, &mut |path: &str| Err(format!("{path} doesn't exist")))
}

/// An OBJ file that is its own MTL file.
fn obj(bytes: &[u8]) -> bool {
    imported("fuzz.obj", bytes, &mut |_| Ok(bytes.to_vec()))
}

/// A BVH file.
fn bvh(bytes: &[u8]) -> bool {
    imported("fuzz.bvh", bytes, &mut |path: &str| Err(format!("{path} doesn't exist")))
}

/// An FBX file without other files.
fn fbx(bytes: &[u8]) -> bool {
    imported("fuzz.fbx", bytes, &mut |path: &str| Err(format!("{path} doesn't exist")))
}

fn imported(name: &str, bytes: &[u8], read: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>) -> bool {
    match import::import(name, bytes, read) {
        Ok(imported) => {
            imported.model.check().unwrap();
            let mut project = Project::default();
            project.add_model(imported.model);
            if is_one_of(16, bytes) {
                let saved = encode(&project, &[]).unwrap();
                assert_eq!(decode(&saved).unwrap().project.models.len(), 1);
                exported(&project.models[0]);
            }
            true
        }
        Err(error) => {
            assert!(!error.to_string().contains('\n'), "{error}");
            false
        }
    }
}

/// A model with one triangle and one texture: the bytes.
const TEXTURED: &[u8] = br#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0},"material":0}]}],
"materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}],"textures":[{"source":0}],
"images":[{"uri":"picture"}],"buffers":[{"byteLength":36,"uri":"points"}],
"bufferViews":[{"buffer":0,"byteLength":36}],
"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}]}"#;

/// An image, as the importer reads it. Returns true if it was decoded.
fn image(bytes: &[u8]) -> bool {
    let points: Vec<u8> =
        [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0_f32].iter().flat_map(|x| x.to_le_bytes()).collect();
    let read = &mut |path: &str| Ok(if path == "points" { points.clone() } else { bytes.to_vec() });
    let imported = import::import("fuzz", TEXTURED, read).unwrap();
    let texture = &imported.model.textures[0];
    assert_eq!(texture.pixels().unwrap().len(), texture.width as usize * texture.height as usize * 4);
    texture.source_format != "missing"
}

/// Makes the checksums of a PNG's chunks fit.
fn forge_png(bytes: &mut [u8]) {
    if !bytes.starts_with(b"\x89PNG") {
        return;
    }
    let mut at = 8;
    while let Some(head) = bytes.get(at..at + 8) {
        let length = u32::from_be_bytes([head[0], head[1], head[2], head[3]]) as usize;
        let Some(end) = at.checked_add(length).and_then(|end| end.checked_add(8)) else { return };
        let Some(sum) = bytes.get(at + 4..end).map(crc) else { return };
        let Some(place) = bytes.get_mut(end..end + 4) else { return };
        place.copy_from_slice(&sum.to_be_bytes());
        at = end + 4;
    }
}

/// CRC-32 as PNG has it.
pub fn crc(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 };
    !bytes.iter().fold(u32::MAX, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), step))
}

/// Words on a document: the rich one, or the small one after the word "small". After them it is valid, and undoing and redoing all comes back to it.
fn script(bytes: &[u8]) -> bool {
    thread_local! {
        static RICH: Editor = editor_of(&sample::rich());
        static SMALL: Editor = editor_of(&sample::small());
    }
    // Each edit of the rich one makes its derived clips again, which takes most of the time.
    let editor = if bytes.starts_with(b"small") { &SMALL } else { &RICH };
    let mut editor = editor.with(Editor::clone);
    let mut done = script::Run::default();
    let mut accepted = 0;
    for line in String::from_utf8_lossy(bytes).lines() {
        accepted += usize::from(script::run_line(&mut editor, line, &mut done).is_ok());
    }
    editor.update(DocumentAction::Commit);
    editor.document.check().unwrap();
    let _ = editor.view();
    let (last, steps) = (editor.document.clone(), editor.history.undo_count());
    editor.update(DocumentAction::GoToStep(0));
    editor.update(DocumentAction::GoToStep(steps));
    assert!(editor.document.is_same(&last), "undo and redo of everything");
    accepted > 0
}

/// An editor of an archive of the project.
fn editor_of(project: &Project) -> Editor {
    Editor::new(decode(&sample::encode(project)).unwrap().project, &Origin::New)
}
