//! `keypose wad verify` on archives whose checksums are right and whose contents are not. `hostile/` has some that an attack
//! made from the format's document alone.

use std::path::PathBuf;
use std::sync::Arc;

use glam::Quat;
use keypose::anim::clip::{Clip, Keyframe};
use keypose::anim::key::Key;
use keypose::anim::time::Time;
use keypose::anim::transform::Transform;
use keypose::assets::id::ClipId;
use keypose::assets::model::{ClipSlot, Model, Socket};
use keypose::assets::project::Project;
use keypose::wad::archive::Archive;
use keypose::wad::directory::Codec;
use keypose::wad::error::WadError;
use keypose::wad::kind::Kind;
use keypose::wad::pack::{Lump, pack};
use keypose::wad::verify::{Depth, verify};
use keypose::wad::{decode, encode};
use xxhash_rust::xxh3::xxh3_64;

use crate::folder::Folder;
use crate::process::{keypose, ran};
use crate::root::root;
use crate::sample;

fn hostile(name: &str) -> PathBuf {
    root().join("tests/program/hostile").join(name)
}

/// Exit code and what was printed.
fn run(folder: &Folder, arguments: &[&str]) -> (i32, String) {
    let (code, printed, errors) = ran(keypose(folder).args(arguments));
    (code, printed + &errors)
}

/// A model whose clip turns a bone each second for two minutes.
fn turning() -> Project {
    let keyframe = |at: u16| Keyframe {
        duration: Time::SECOND,
        keys: [Key::rotation(1, Quat::from_rotation_z(f32::from(at % 7) * 0.2))].into_iter().collect(),
        ..Keyframe::default()
    };
    let clip = Clip { keyframes: (0..120).map(keyframe).collect(), ..Clip::new("wave") };
    let clips = vec![ClipSlot { id: ClipId(0), clip: Arc::new(clip) }];
    let mut project = Project::default();
    project.add_model(Model { name: "figure".into(), skeleton: sample::skeleton(2), clips, ..Model::default() });
    project
}

/// An archive whose checksums and records are right, but which has the bake of a clip with another key.
fn lying(changed_keyframe: usize) -> Vec<u8> {
    let (project, mut changed) = (turning(), turning());
    let clip = Arc::make_mut(&mut Arc::make_mut(&mut changed.models[0]).clips[0].clip);
    clip.keyframes[changed_keyframe].keys = [Key::rotation(1, Quat::from_rotation_z(-1.0))].into_iter().collect();
    let lumps = |project: &Project| Archive::open(&sample::encode(project)).unwrap().to_lumps().unwrap();
    let hash = |lumps: &[Lump]| {
        let clip = lumps.iter().find(|lump| lump.kind == Kind::CLIP).unwrap();
        xxh3_64(clip.bytes.as_ref().unwrap()).to_le_bytes()
    };
    let (mut written, other) = (lumps(&project), lumps(&changed));
    let (of_clip, of_other) = (hash(&written), hash(&other));
    let mut bake = other.into_iter().find(|lump| lump.kind == Kind::BAKED).unwrap();
    let bytes = bake.bytes.as_mut().unwrap();
    let at = bytes.windows(8).position(|window| window == of_other).unwrap();
    bytes[at..at + 8].copy_from_slice(&of_clip);
    *written.iter_mut().find(|lump| lump.kind == Kind::BAKED).unwrap() = bake;
    pack(written, None).unwrap()
}

#[test]
fn bakes_that_are_not_those_of_their_clips_are_found_when_they_are_compared() {
    let folder = Folder::new("lie");
    // The second one is wrong only behind its first minute.
    for changed_keyframe in [3, 90] {
        std::fs::write(folder.join("a.wad"), lying(changed_keyframe)).unwrap();
        assert_eq!(run(&folder, &["wad", "verify", "a.wad"]).0, 0, "the records are valid: {changed_keyframe}");
        let (code, text) = run(&folder, &["wad", "verify", "--deep", "a.wad"]);
        assert_eq!(code, 1, "{changed_keyframe}: {text}");
        assert!(text.contains("wave") && text.contains("it is not the bake of its clip"), "{text}");
        let (code, text) = run(&folder, &["check", "a.wad"]);
        assert_eq!(code, 1, "{changed_keyframe}: {text}");
    }
}

#[test]
fn what_can_not_be_extracted_is_not_undamaged() {
    let archive = hostile("bake-bad-lz4.wad");
    let (code, text) = run(&Folder::new("bad-lz4"), &["wad", "verify", archive.to_str().unwrap()]);
    assert!(
        code == 1 && text.contains("lump BAKE/two bones/wave both") && text.contains("can't decompress it"),
        "{text}"
    );
}

#[test]
fn a_patch_with_an_image_that_lacks_pixels_is_not_undamaged() {
    let whole = sample::encode(&sample::rich());
    let base = Archive::open(&whole).unwrap();
    let mut image = base.to_lumps().unwrap().into_iter().find(|lump| lump.kind == Kind::TEXTURE).unwrap();
    image.codec = Codec::Store;
    let bytes = image.bytes.as_mut().unwrap();
    bytes.truncate(bytes.len() - 4);
    let name = image.name.clone();
    let folder = Folder::new("nonsense");
    std::fs::write(folder.join("a.wad"), pack(vec![image], Some(base.header().hash)).unwrap()).unwrap();
    let (code, text) = run(&folder, &["wad", "verify", "a.wad"]);
    assert!(code == 1 && text.contains(&format!("lump TEXR/{name}")) && text.contains("bytes"), "{text}");
}

#[test]
fn an_archive_that_was_just_written_is_verified_in_depth() {
    for project in [sample::rich(), sample::small()] {
        let verified = verify(&sample::encode(&project), Depth::Bakes).unwrap();
        assert_eq!(verified.findings, [""; 0]);
    }
}

#[test]
fn a_socket_without_a_rotation_is_refused() {
    let mut project = sample::small();
    let model = Arc::make_mut(&mut project.models[0]);
    let socket = |w| {
        let transform = Transform { rotation: glam::Quat::from_xyzw(0.0, 0.0, 0.0, w), ..Transform::IDENTITY };
        Socket { name: "hand".into(), bone: 0, transform, attached: String::new() }
    };
    model.sockets = vec![socket(1.0)];
    let good = encode(&project, &[]).unwrap();
    assert_eq!(decode(&good).unwrap().project.models[0].sockets.len(), 1);
    for w in [0.0, 5.0, 1.2, -0.5] {
        Arc::make_mut(&mut project.models[0]).sockets = vec![socket(w)];
        let refused = encode(&project, &[]).unwrap_err();
        assert!(
            matches!(&refused, WadError::Content { reason, .. } if reason.contains("unit quaternion")),
            "{refused}"
        );
    }
}
