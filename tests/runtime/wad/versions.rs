//! Golden files of every released schema version must open forever. `KEYPOSE_WRITE_VERSIONS=1` writes those that are missing
//! in `data/tests/versions`; existing files are never overwritten.

use std::fs;

use keypose::assets::model::Model;
use keypose::assets::project::Project;
use keypose::wad::archive::Archive;
use keypose::wad::decode;
use keypose::wad::journal::{Event, Place, delta, head, read, record, replay};
use keypose::wad::kind::Kind;

use super::baked::swinging;
use crate::root::root;
use crate::sample::{compressed, encode, every_form, painted, rich};

fn folder() -> std::path::PathBuf {
    root().join("data/tests/versions")
}

/// The rich project with a model whose clips gain by every form.
fn dancing() -> Project {
    let mut project = rich();
    let mut dancer = Model::clone(&swinging().models[0]);
    dancer.clips.truncate(4);
    project.add_model(dancer);
    project
}

/// A journal of one step from an empty document.
fn journal() -> Vec<u8> {
    let lumps = delta(&Default::default(), &rich()).unwrap();
    let (before, after) = (Place::default(), Place { bones: vec![1], ..Place::default() });
    let step = Event::Step { label: "import".into(), before, after, lumps };
    [head(), record(&step, 0, 0).unwrap()].concat()
}

#[test]
fn every_released_version_opens() {
    let files = [
        ("all-kinds-1.wad", encode(&rich())),
        ("baked-1.wad", every_form(&dancing(), 0).0),
        ("compressed-1.wad", compressed()),
        ("pixels-1.wad", encode(&painted())),
        ("journal-1", journal()),
    ];
    if std::env::var_os("KEYPOSE_WRITE_VERSIONS").is_some() {
        fs::create_dir_all(folder()).unwrap();
        for (name, bytes) in &files {
            let path = folder().join(name);
            if !path.exists() {
                fs::write(path, bytes).unwrap();
            }
        }
    }
    let mut archives = 0;
    for entry in fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        let (name, bytes) = (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(&path).unwrap());
        let project = if name.starts_with("journal") {
            let contents = read(&bytes).unwrap();
            assert_eq!(contents.torn, None, "{name}");
            replay(&[], contents).unwrap().project().clone()
        } else {
            archives += 1;
            let decoded = decode(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(decoded.findings, Vec::<String>::new(), "{name}");
            decoded.project
        };
        let again = encode(&project);
        assert_eq!(decode(&again).unwrap().project, decode(&encode(&decode(&again).unwrap().project)).unwrap().project);
        let knight = &project.models[project.model_named("knight").unwrap()];
        let walk = &knight.clip_named("walk").unwrap().clip;
        assert_eq!((walk.keyframes.len(), walk.length().0), (3, 705_612_345), "{name}");
        let figures = (knight.skeleton.len(), knight.meshes.len(), knight.drafts.len(), knight.sockets.len());
        assert_eq!((figures, project.levels.len(), project.unknown.len()), ((4, 3, 2, 1), 2, 2), "{name}");
    }
    assert!(archives >= 4);
}

#[test]
fn every_kind_is_in_a_golden_file_in_its_newest_version() {
    let mut seen = Vec::new();
    for entry in fs::read_dir(folder()).unwrap() {
        let bytes = fs::read(entry.unwrap().path()).unwrap();
        if let Ok(archive) = Archive::open(&bytes) {
            seen.extend(archive.entries().iter().map(|entry| (entry.kind, entry.version)));
        }
    }
    for known in Kind::KNOWN {
        let (kind, version) = (known.kind, known.newest_version);
        assert!(seen.contains(&(kind, version)), "no file in data/tests/versions holds {kind} version {version}");
    }
}
