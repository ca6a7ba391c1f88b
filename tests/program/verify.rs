//! `keypose wad verify` on archives whose checksums are right and whose contents are not. `hostile/` has those that an attack
//! made from the format's document alone.

use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

use keypose::anim::transform::Transform;
use keypose::assets::model::Socket;
use keypose::wad::error::WadError;
use keypose::wad::verify::{Depth, verify};
use keypose::wad::{decode, encode};

use crate::root::root;
use crate::sample;

fn hostile(name: &str) -> PathBuf {
    root().join("tests/program/hostile").join(name)
}

/// Exit code and what was printed.
fn run(arguments: &[&str]) -> (i32, String) {
    let done = Command::new(env!("CARGO_BIN_EXE_keypose")).args(arguments).output().unwrap();
    let text = String::from_utf8([done.stdout, done.stderr].concat()).unwrap();
    (done.status.code().unwrap(), text)
}

#[test]
fn bakes_that_are_not_those_of_their_clips_are_found_when_they_are_compared() {
    for (name, clip) in [("lie_arm.wad", "bend"), ("lie_two.wad", "wave"), ("lie60.wad", "wave")] {
        let file = hostile(name);
        let file = file.to_str().unwrap();
        assert_eq!(run(&["wad", "verify", file]).0, 0, "the records are valid: {name}");
        let (code, text) = run(&["wad", "verify", "--deep", file]);
        assert_eq!(code, 1, "{name}: {text}");
        assert!(text.contains(clip) && text.contains("it is not the bake of its clip"), "{text}");
        // The last one is wrong only behind its first minute.
        let (code, text) = run(&["check", file]);
        assert_eq!(code, 1, "{name}: {text}");
    }
}

#[test]
fn what_can_not_be_extracted_is_not_undamaged() {
    let (code, text) = run(&["wad", "verify", hostile("bake-bad-lz4.wad").to_str().unwrap()]);
    assert!(
        code == 1 && text.contains("lump BAKE/two bones/wave both") && text.contains("can't decompress it"),
        "{text}"
    );
    let (code, text) = run(&["wad", "verify", hostile("verify-patch-nonsense.wad").to_str().unwrap()]);
    assert!(code == 1 && text.contains("lump TEXR/knight/plate") && text.contains("pixels need 4 bytes"), "{text}");
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
