//! The second implementation, tools/wad_reader.py, agrees: it accepts what Keypose writes and refuses what is bad.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use keypose::wad::archive::Archive;
use keypose::wad::directory::Codec;
use keypose::wad::kind::Kind;
use keypose::wad::pack::{Lump, pack};

use super::fixtures::bad_archives;
use crate::needs;
use crate::sample::{compressed, encode, every_form, rich, small};

fn python(arguments: &[&Path]) -> Option<Output> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tools/wad_reader.py");
    let output = Command::new("python3").arg("-B").arg(script).args(arguments).output();
    if output.is_err() {
        needs::missing("python", "python3 is missing");
    }
    output.ok()
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("wad-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn python_lists_and_verifies_what_keypose_writes() {
    let folder = folder("python");
    let forms = every_form(&rich(), 1).0;
    let archives =
        [("small", encode(&small())), ("rich", encode(&rich())), ("compressed", compressed()), ("forms", forms)];
    for (name, bytes) in archives {
        let file = folder.join(name);
        fs::write(&file, &bytes).unwrap();
        let Some(verified) = python(&[Path::new("verify"), &file]) else { return };
        assert!(verified.status.success(), "{name}: {}", String::from_utf8_lossy(&verified.stderr));
        let said = String::from_utf8_lossy(&verified.stdout).into_owned();
        assert!(!said.contains("bakes again"), "{name}: {said}");
        let listed = String::from_utf8(python(&[Path::new("list"), &file]).unwrap().stdout).unwrap();
        for entry in Archive::open(&bytes).unwrap().entries() {
            let (kind, digest, size) = (entry.kind, entry.hash, entry.raw_bytes);
            let line = listed.lines().find(|line| line.contains(&format!("{digest:016x}  {}", entry.name)));
            let line = line.unwrap_or_else(|| panic!("{name}: {} is not listed in\n{listed}", entry.title()));
            assert!(line.starts_with(&kind.to_string()) && line.contains(&format!(" {size} ")), "{line}");
        }
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn python_computes_the_same_checksums_at_every_length() {
    let folder = folder("lengths");
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
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn python_extracts_the_bytes_of_every_lump() {
    let folder = folder("extract");
    let bytes = compressed();
    let file = folder.join("a.wad");
    fs::write(&file, &bytes).unwrap();
    let Some(output) = python(&[Path::new("extract"), &file, &folder]) else { return };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let archive = Archive::open(&bytes).unwrap();
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
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn python_refuses_what_the_container_or_a_record_gets_wrong() {
    let folder = folder("bad");
    let file = folder.join("bad.wad");
    // What only the meaning of the numbers tells is left to Keypose.
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
    ];
    for (name, bytes, _) in bad_archives() {
        if meaning.iter().any(|prefix| name.starts_with(prefix)) {
            continue;
        }
        fs::write(&file, bytes).unwrap();
        let Some(output) = python(&[Path::new("verify"), &file]) else { return };
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(1) && error.lines().count() == 1, "{name}: {error}");
    }
    fs::remove_dir_all(folder).unwrap();
}
