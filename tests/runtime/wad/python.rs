//! The second reader, tools/wad_reader.py, is written from docs/wad-format.md alone. It must read the same values as ours,
//! accept what Keypose writes and refuse invalid files.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;

use glam::Vec3;
use keypose::anim::bake::BakedClip;
use keypose::anim::clip::Keyframe;
use keypose::anim::key::{Channel, Ease, Key};
use keypose::anim::pose::LocalPose;
use keypose::anim::shared_list::SharedList;
use keypose::anim::time::Time;
use keypose::anim::transform::Transform;
use keypose::assets::project::Project;
use keypose::wad::archive::Archive;
use keypose::wad::decode;
use keypose::wad::directory::Codec;
use keypose::wad::journal::{self, CLIP_CHANGE, Event, KeyPlace, Place, delta};
use keypose::wad::kind::Kind;
use keypose::wad::pack::{Lump, pack};
use serde_json::Value;

use super::baked::swinging;
use super::fixtures::bad_archives;
use crate::folder::Folder;
use crate::needs;
use crate::root::root;
use crate::sample::{compressed, encode, every_form, painted, rich, small};

pub fn python(arguments: &[&Path]) -> Option<Output> {
    let script = root().join("tools/wad_reader.py");
    let output = Command::new("python3").arg("-B").arg(script).args(arguments).output();
    if output.is_err() {
        needs::missing("python", "python3 is missing");
    }
    output.ok()
}

#[test]
fn python_lists_and_verifies_what_keypose_writes() {
    let folder = Folder::new("wad-python");
    let forms = every_form(&rich(), 1).0;
    let archives = [
        ("small", encode(&small())),
        ("rich", encode(&rich())),
        ("compressed", compressed()),
        ("forms", forms),
        ("painted", encode(&painted())),
    ];
    for (name, bytes) in archives {
        let file = folder.join(name);
        fs::write(&file, &bytes).unwrap();
        let Some(verified) = python(&[Path::new("verify"), &file]) else { return };
        assert!(verified.status.success(), "{name}: {}", String::from_utf8_lossy(&verified.stderr));
        let report = String::from_utf8_lossy(&verified.stdout).into_owned();
        assert!(!report.contains("bakes it again"), "{name}: {report}");
        let listed = String::from_utf8(python(&[Path::new("list"), &file]).unwrap().stdout).unwrap();
        for entry in Archive::open(&bytes).unwrap().entries() {
            let (kind, digest, size) = (entry.kind, entry.hash, entry.raw_bytes);
            let line = listed.lines().find(|line| line.contains(&format!("{digest:016x}  {}", entry.name)));
            let line = line.unwrap_or_else(|| panic!("{name}: {} is not listed in\n{listed}", entry.title()));
            assert!(line.starts_with(&kind.to_string()) && line.contains(&format!(" {size} ")), "{line}");
        }
    }
}

#[test]
fn python_computes_the_same_checksums_at_every_length() {
    let folder = Folder::new("wad-lengths");
    let file = folder.join("lengths.wad");
    let lump = |length: usize| Lump {
        kind: Kind(*b"zLEN"),
        name: length.to_string(),
        version: 1,
        codec: Codec::Store,
        bytes: Some((0..length).map(|at| (at * at / 7) as u8).collect()),
    };
    let lumps = (0..600).chain([1023, 1024, 1025, 1087, 1088, 1089, 2048, 2049, 5000]).map(lump);
    fs::write(&file, pack(lumps.collect(), None).unwrap()).unwrap();
    let Some(output) = python(&[Path::new("verify"), &file]) else { return };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn python_extracts_the_bytes_of_every_lump() {
    for bytes in [compressed(), encode(&painted())] {
        python_extracts(&bytes);
    }
}

fn python_extracts(bytes: &[u8]) {
    let folder = Folder::new("wad-extract");
    let file = folder.join("a.wad");
    fs::write(&file, bytes).unwrap();
    let Some(output) = python(&[Path::new("extract"), &file, &folder]) else { return };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let archive = Archive::open(bytes).unwrap();
    for kind in ["MESH", "TEXR", "ANIM"] {
        let mut found: Vec<Vec<u8>> = fs::read_dir(folder.join(kind))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "lump"))
            .map(|path| fs::read(path).unwrap())
            .collect();
        let entries = archive.entries().iter().filter(|entry| entry.kind.to_string() == kind);
        let mut expected: Vec<Vec<u8>> = entries.map(|entry| archive.lump(entry).unwrap().into_owned()).collect();
        found.sort();
        expected.sort();
        assert_eq!(found, expected, "{kind}");
    }
    assert!(folder.join("TEXR/knight%2Fplate.png").exists());
}

/// Runs the reader and parses its JSON; `None` without Python.
fn python_json(arguments: &[&Path]) -> Option<Value> {
    let output = python(arguments)?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

fn floats(values: &Value) -> Vec<f32> {
    values.as_array().unwrap().iter().map(|value| value.as_f64().unwrap() as f32).collect()
}

/// Reads the baked forms of the golden file and of new ones, and evaluates them by the rules of the document.
#[test]
fn python_samples_the_same_poses_from_every_baked_form() {
    let folder = Folder::new("wad-poses");
    let file = folder.join("poses.wad");
    let golden = fs::read(root().join("data/tests/versions/baked-1.wad")).unwrap();
    let new = |first| every_form(&swinging(), first).0;
    let mut forms = BTreeSet::new();
    for bytes in [golden, new(0), new(2)] {
        fs::write(&file, &bytes).unwrap();
        let decoded = decode(&bytes).unwrap();
        let archive = Archive::open(&bytes).unwrap();
        for (character, model) in decoded.characters.iter().zip(&decoded.project.models) {
            for (slot, baked) in model.clips.iter().zip(&character.clips) {
                let name = format!("{}/{}", model.name, slot.clip.name);
                if archive.find(Kind::BAKED, &name).is_none() {
                    continue;
                }
                let arguments = [Path::new("poses"), &file, Path::new(&name), Path::new("12")];
                let Some(found) = python_json(&arguments) else { return };
                forms.insert(found["form"].as_str().unwrap().to_owned());
                let pairs = found["times"].as_array().unwrap().iter().zip(found["poses"].as_array().unwrap());
                for (time, pose) in pairs {
                    assert_same_pose(baked, Time(time.as_i64().unwrap()), pose);
                }
            }
        }
    }
    assert_eq!(forms.len(), 4, "{forms:?}");
}

fn assert_same_pose(baked: &BakedClip, time: Time, found: &Value) {
    let mut pose = LocalPose::default();
    baked.sample_portable(time, &mut pose);
    assert_eq!(found.as_array().unwrap().len(), pose.len());
    for (bone, (transform, found)) in pose.iter().zip(found.as_array().unwrap()).enumerate() {
        let Transform { translation, rotation, scale } = transform;
        let expected = [&translation.to_array()[..], &rotation.to_array(), &scale.to_array()].concat();
        let apart = expected.iter().zip(floats(found)).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(apart < 2e-5, "{} at {time}, bone {bone}: {expected:?}, Python has {found}", baked.name);
    }
}

#[test]
fn python_reads_the_same_keys() {
    let folder = Folder::new("wad-keys");
    let file = folder.join("keys.wad");
    fs::write(&file, encode(&swinging())).unwrap();
    let Some(output) = python(&[Path::new("extract"), &file, &folder]) else { return };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for slot in &swinging().models[0].clips {
        let json = fs::read(folder.join(format!("ANIM/dancer%2F{}.json", slot.clip.name.replace(' ', "%20")))).unwrap();
        let json: Value = serde_json::from_slice(&json).unwrap();
        let keyframes = json["sections"]["keyframes"].as_array().unwrap();
        assert_eq!(
            (json["record"]["name"].as_str(), keyframes.len()),
            (Some(&*slot.clip.name), slot.clip.keyframes.len())
        );
        for (keyframe, found) in slot.clip.keyframes.iter().zip(keyframes) {
            assert_eq!(found["duration"].as_i64(), Some(keyframe.duration.0));
            let found = found["keys"].as_array().unwrap();
            assert_eq!(found.len(), keyframe.keys.len());
            for (key, found) in keyframe.keys.iter().zip(found) {
                assert_eq!(found["bone"].as_u64(), Some(key.bone.into()));
                assert_eq!(
                    found["modes"][0].as_u64(),
                    Channel::ALL.iter().position(|it| *it == key.channel).map(|at| at as u64)
                );
                assert_eq!(
                    found["modes"][1].as_u64(),
                    Ease::ALL.iter().position(|it| *it == key.ease).map(|at| at as u64)
                );
                let vectors = [("value", key.value), ("in_tangent", key.in_tangent), ("out_tangent", key.out_tangent)];
                for (name, expected) in vectors {
                    assert_eq!(floats(&found[name]), expected.to_array(), "{name}");
                }
                assert_eq!(floats(&found["lengths"]), [key.in_length, key.out_length]);
            }
        }
    }
}

/// A model with a clip of 40 keyframes; then one of them changed, and another one inserted.
fn long_clips() -> [Project; 2] {
    let keyframe = |x: u16| Keyframe {
        duration: Time(9),
        keys: vec![Key::translation(0, Vec3::X * f32::from(x))].into(),
        ..Keyframe::default()
    };
    let mut project = small();
    let clip = Arc::make_mut(&mut Arc::make_mut(&mut project.models[0]).clips[0].clip);
    clip.keyframes = (1..=40).map(keyframe).collect();
    clip.events = SharedList::default();
    let before = project.clone();
    let clip = Arc::make_mut(&mut Arc::make_mut(&mut project.models[0]).clips[0].clip);
    clip.keyframes[3] = Keyframe { duration: Time(5), ..Keyframe::default() };
    clip.keyframes.insert(4, Keyframe { duration: Time(4), ..keyframe(7) });
    [before, project]
}

#[test]
fn python_reads_the_journal() {
    let folder = Folder::new("wad-journal");
    let file = folder.join("a.journal");
    let place = Place {
        bones: vec![3],
        keys: vec![KeyPlace { keyframe: 1, bone: 2, channel: Channel::Scale }],
        ..Place::default()
    };
    let lumps = delta(&small(), &rich()).unwrap();
    let step = |lumps| Event::Step { label: "pose".into(), before: Place::default(), after: place.clone(), lumps };
    let [before, after] = long_clips();
    let keys = delta(&before, &after).unwrap();
    assert_eq!(keys.iter().map(|lump| lump.kind).collect::<Vec<_>>(), [CLIP_CHANGE]);
    let events = [
        Event::Start { first: 6, saved: vec![8], lumps: vec![] },
        step(lumps.clone()),
        Event::Position { done: 6, place: place.clone() },
        Event::Place(place.clone()),
        step(keys),
        Event::Saved { hash: 5 },
    ];
    let records = (30..).zip(&events).map(|(sequence, event)| journal::record(event, sequence, 77).unwrap());
    let mut bytes = [journal::head(), records.collect::<Vec<_>>().concat()].concat();
    bytes.extend([1, 2, 3]);
    fs::write(&file, &bytes).unwrap();
    let Some(found) = python_json(&[Path::new("journal"), &file]) else { return };
    assert_eq!(found.as_array().unwrap().len(), events.len(), "the torn tail is cut off");
    assert_eq!(found[0]["command"]["start"], serde_json::json!({"first": 6, "saved": [8]}));
    let step = &found[1];
    assert_eq!((step["base"].as_u64(), step["command"]["step"]["label"].as_str()), (Some(77), Some("pose")));
    let key = &step["command"]["step"]["after"]["keys"][0];
    assert_eq!(["keyframe", "bone", "channel"].map(|name| key[name].as_u64().unwrap()), [1, 2, 2]);
    let names = |is_deleted: bool| {
        let chosen = lumps.iter().filter(|lump| lump.bytes.is_none() == is_deleted);
        chosen.map(|lump| format!("{}/{}", lump.kind, lump.name)).collect::<BTreeSet<_>>()
    };
    for (list, expected) in [("changed", names(false)), ("deleted", names(true))] {
        let found: BTreeSet<String> = serde_json::from_value(step[list].clone()).unwrap();
        assert_eq!(found, expected, "{list}");
    }
    assert_eq!(found[2]["command"]["position"]["done"].as_u64(), Some(6));
    assert_eq!(found[3]["command"]["place"]["bones"][0].as_u64(), Some(3));
    let change = &found[4]["keys"][0];
    assert_eq!(change["spans"], serde_json::json!([["keep", 3], ["change", 1], ["insert", 1], ["keep", 36]]));
    let changed = &change["keyframes"];
    assert_eq!((&changed[0]["removed"], &changed[0]["duration"]), (&serde_json::json!([[0, 0]]), &5.into()));
    assert_eq!(changed[1]["keys"][0]["value"], serde_json::json!([7.0, 0.0, 0.0, 0.0]));
    assert_eq!(found[5]["command"]["saved"], serde_json::json!({"hash": 5}));
}

#[test]
fn python_refuses_what_the_container_or_a_record_gets_wrong() {
    let folder = Folder::new("wad-bad");
    // What the values mean is looked at by `inspect`, of all files at once.
    let meaning = [
        "missing_",
        "index_",
        "joint_",
        "weight",
        "position_",
        "duration_",
        "frame_rate_",
        "box_",
        "a_part_",
        "key_",
        "keys_",
        "sound_",
        "group_",
    ];
    let mut of_meaning = Vec::new();
    for (name, bytes, _) in bad_archives() {
        let file = folder.join(name);
        fs::write(&file, bytes).unwrap();
        if meaning.iter().any(|prefix| name.starts_with(prefix)) {
            of_meaning.push(file);
            continue;
        }
        let Some(output) = python(&[Path::new("verify"), &file]) else { return };
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(1) && error.lines().count() == 1, "{name}: {error}");
    }
    let arguments = [Path::new("inspect")].into_iter().chain(of_meaning.iter().map(PathBuf::as_path));
    let Some(output) = python(&arguments.collect::<Vec<_>>()) else { return };
    let report = String::from_utf8(output.stdout).unwrap();
    assert_eq!(report.lines().count(), of_meaning.len(), "{}", String::from_utf8_lossy(&output.stderr));
    for (file, line) in of_meaning.iter().zip(report.lines()) {
        assert!(line.starts_with("{\"error\""), "{}: {line}", file.display());
    }
}
