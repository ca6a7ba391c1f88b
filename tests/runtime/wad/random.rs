//! Random archives, of which some break one rule of the document: the second reader accepts the same ones, and finds the same
//! names, times and sizes in them. A few in every run, 10,000 with `KEYPOSE_FULL=1`.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::{Quat, Vec3};
use keypose::anim::bezier::THIRD;
use keypose::anim::clip::{Clip, Event, Keyframe, KeyframeKind, LoopMode};
use keypose::anim::key::{Ease, HandleKind, Key};
use keypose::anim::time::{FrameRate, Time};
use keypose::assets::id::ClipId;
use keypose::assets::model::{ClipSlot, Model};
use keypose::assets::project::Project;
use keypose::wad;
use keypose::wad::archive::Archive;
use keypose::wad::decode;
use keypose::wad::directory::Codec;
use keypose::wad::kind::Kind;
use keypose::wad::pack::{Lump, pack};
use serde_json::{Value, json};

use super::fixtures::is_full;
use super::python::python;
use crate::folder::Folder;
use crate::sample::{rich, small};

/// How many files one call of the other reader gets.
const AT_ONCE: usize = 100;

struct Dice(u64);

impl Dice {
    fn below(&mut self, count: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(count.max(1))) as u32
    }

    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u32) as usize]
    }

    fn name(&mut self) -> String {
        let long = "ü".repeat(60);
        self.of(&["walk", "walk", "walk.001", "a/b", "", "..", "läuft", "two words", "run.01", &long]).to_owned()
    }

    fn key(&mut self, bone: u16) -> Key {
        let turn = Quat::from_rotation_y(self.below(600) as f32 / 100.0);
        let at = Vec3::new(self.below(50) as f32, 0.5, -1.0);
        let key = self.of(&[Key::rotation(bone, turn), Key::translation(bone, at), Key::scale(bone, Vec3::ONE)]);
        let handles = self.of(&[HandleKind::Auto, HandleKind::Flat, HandleKind::Aligned]);
        let out_length = self.of(&[THIRD, 0.25, 1.0]);
        Key { ease: self.of(&Ease::ALL), handles, out_length, ..key }
    }

    fn clip(&mut self, bones: u16) -> Clip {
        let mut clip = Clip::new(self.name());
        let (frames, per_secs) = self.of(&[(30, 1), (24, 1), (30_000, 1001), (1, 1000), (1000, 1)]);
        clip.frame_rate = FrameRate::new(frames, per_secs).unwrap();
        clip.loop_mode = self.of(&LoopMode::ALL);
        for _ in 0..self.below(6) {
            let duration = Time(i64::from(self.below(1_000_000_000)) + 1);
            let mut keyframe = Keyframe { duration, kind: self.of(&KeyframeKind::ALL), ..Keyframe::default() };
            for _ in 0..self.below(5) {
                let bone = self.below(u32::from(bones)) as u16;
                keyframe.set(self.key(bone));
            }
            clip.keyframes.push(keyframe);
        }
        if self.below(2) == 0
            && let Some(last) = clip.keyframes.last_mut()
        {
            last.duration = Time::ZERO;
        }
        let (length, name) = (clip.length().0, self.name());
        let mut times: Vec<i64> = (0..self.below(3)).map(|_| i64::from(self.below(u32::MAX)) % (length + 1)).collect();
        times.sort_unstable();
        clip.events = times.into_iter().map(|time| Event { time: Time(time), name: name.clone() }).collect();
        clip
    }

    fn project(&mut self) -> Project {
        let mut project = Project::default();
        for _ in 0..=self.below(3) {
            let source = if self.below(3) == 0 { rich() } else { small() };
            let mut model = Model::clone(&source.models[0]);
            model.name = self.name();
            (model.clips, model.drafts, model.clip_notes) = (vec![], vec![], Default::default());
            model.combat_mut().lanes.clear();
            for _ in 0..self.below(5) {
                project.next_id += 1;
                let clip = Arc::new(self.clip(model.skeleton.len() as u16));
                model.clips.push(ClipSlot { id: ClipId(project.next_id), clip });
            }
            project.models.push(Arc::new(model));
        }
        project
    }
}

/// The offset of a record, and the offset and length of each section of a lump.
fn inside(bytes: &[u8]) -> (usize, Vec<(usize, usize)>) {
    let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let (record, count) = (8 + 8 * number(4), number(4));
    let mut end = record + number(0);
    let mut sections = Vec::new();
    for section in 0..count {
        let (start, length) = (end.next_multiple_of(64), number(8 + 8 * section));
        sections.push((start, length));
        end = start + length;
    }
    (record, sections)
}

fn put(bytes: &mut [u8], at: usize, value: &[u8]) {
    bytes[at..at + value.len()].copy_from_slice(value);
}

/// Changes a clip so that it may break a rule: the frame rate, a duration, the length, or a rotation.
fn bend(dice: &mut Dice, clip: &mut [u8]) {
    let (record, sections) = inside(clip);
    let name = u64::from_le_bytes(clip[record..record + 8].try_into().unwrap()) as usize;
    let (rate, durations, values) = (record + 8 + name, sections[0], sections[4]);
    let day = Time::LONGEST.0;
    let rates: [[u32; 2]; 6] = [[0, 1], [1, 0], [1001, 1], [1, 1001], [60, 1], [u32::MAX, u32::MAX]];
    match dice.below(3) {
        0 => put(clip, rate, dice.of(&rates).map(u32::to_le_bytes).as_flattened()),
        1 if durations.1 > 0 => {
            let at = durations.0 + 8 * dice.below(durations.1 as u32 / 8) as usize;
            put(clip, at, &dice.of(&[0, -1, 1, day, day + 1, i64::MAX]).to_le_bytes());
        }
        _ => {
            let factor = dice.of(&[1.01, 1.0001, 0.99, 0.0, f32::INFINITY]);
            for at in (values.0..values.0 + values.1).step_by(4) {
                let value = f32::from_le_bytes(clip[at..at + 4].try_into().unwrap()) * factor;
                put(clip, at, &value.to_le_bytes());
            }
        }
    }
}

/// The bytes of a random archive.
fn archive(dice: &mut Dice) -> Vec<u8> {
    let bytes = wad::encode(&dice.project(), &[]).unwrap();
    let mut lumps = Archive::open(&bytes).unwrap().to_lumps().unwrap();
    let is_clip = |lump: &&mut Lump| lump.kind == Kind::CLIP;
    let clips = lumps.iter_mut().filter(is_clip).count() as u32;
    if dice.below(2) == 0
        && let Some(clip) = lumps.iter_mut().filter(is_clip).nth(dice.below(clips) as usize)
    {
        bend(dice, clip.bytes.as_mut().unwrap());
    }
    if dice.below(8) == 0 {
        let lost = dice.below(lumps.len() as u32) as usize;
        lumps.remove(lost);
    }
    if dice.below(3) == 0 {
        lumps.iter_mut().for_each(|lump| lump.codec = Codec::Lz4);
    }
    let mut bytes = pack(lumps, None).unwrap();
    if dice.below(16) == 0 {
        let at = dice.below(bytes.len() as u32) as usize;
        bytes[at] ^= 1 << dice.below(8);
    }
    bytes
}

/// The findings of our reader, in the form of the other's.
fn found(bytes: &[u8]) -> Option<Value> {
    let clip = |ClipSlot { clip, .. }: &ClipSlot| {
        let (rate, keys) = (clip.frame_rate, clip.keyframes.iter().map(|keyframe| keyframe.keys.len()).sum::<usize>());
        let rate = json!([rate.frames(), rate.per_secs()]);
        let (frames, events) = (clip.keyframes.len(), clip.events.len());
        json!([clip.name, rate, clip.loop_mode.name(), clip.length().0, frames, keys, events])
    };
    let model = |model: &Arc<Model>| {
        let bones = model.skeleton.bones().iter().map(|bone| json!([bone.name, bone.parent]));
        let mesh =
            |mesh: &keypose::assets::mesh::Mesh| json!([mesh.name, mesh.positions.len(), mesh.indices.len() / 3]);
        json!({
            "name": model.name,
            "bones": bones.collect::<Vec<_>>(),
            "clips": model.clips.iter().map(clip).collect::<Vec<_>>(),
            "meshes": model.meshes.iter().map(|slot| mesh(&slot.mesh)).collect::<Vec<_>>(),
            "materials": model.materials.iter().map(|material| &material.name).collect::<Vec<_>>(),
        })
    };
    let project = decode(bytes).ok()?.project;
    Some(json!({ "models": project.models.iter().map(model).collect::<Vec<_>>() }))
}

#[test]
fn the_second_reader_agrees_about_random_archives() {
    let count = if is_full() { 10_000 } else { 100 };
    let (folder, mut dice, mut refused) = (Folder::new("wad-random"), Dice(1), 0);
    for first in (0..count).step_by(AT_ONCE) {
        let archives: Vec<Vec<u8>> = (0..AT_ONCE).map(|_| archive(&mut dice)).collect();
        let files: Vec<PathBuf> = (0..AT_ONCE).map(|number| folder.join(format!("{number}.wad"))).collect();
        files.iter().zip(&archives).for_each(|(file, bytes)| fs::write(file, bytes).unwrap());
        let arguments: Vec<&Path> =
            [Path::new("inspect")].into_iter().chain(files.iter().map(PathBuf::as_path)).collect();
        let Some(output) = python(&arguments) else { return };
        let lines = String::from_utf8(output.stdout).unwrap();
        assert_eq!(lines.lines().count(), AT_ONCE, "{}", String::from_utf8_lossy(&output.stderr));
        for ((number, bytes), line) in (first..).zip(&archives).zip(lines.lines()) {
            let theirs: Value = serde_json::from_str(line).unwrap();
            let ours = found(bytes);
            let is_refused = theirs.get("error").is_some();
            assert_eq!(ours.is_none(), is_refused, "archive {number}: {:?}, {theirs}", decode(bytes).err());
            assert!(is_refused || ours == Some(theirs), "archive {number}: {line}");
            refused += usize::from(is_refused);
        }
    }
    println!("{count} archives, {refused} of them refused by both");
    assert!(refused > count / 10 && refused < count / 2, "{refused} of {count}");
}
