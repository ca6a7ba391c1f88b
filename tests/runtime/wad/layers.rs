//! A base archive with patches, and single lumps added and removed.

use std::sync::Arc;

use keypose::anim::time::Time;
use keypose::assets::project::Project;
use keypose::wad::archive::Archive;
use keypose::wad::directory::Codec;
use keypose::wad::kind::Kind;
use keypose::wad::overlay::{Claim, decode_layers, merge, why};
use keypose::wad::pack::{Lump, pack};
use keypose::wad::{decode, edit};

use crate::sample::{encode, patch_to, rich, small};

/// The rich project with a longer walk, without the cave and the sword, with another light.
fn changed() -> Project {
    let mut project = rich();
    let model = Arc::make_mut(&mut project.models[0]);
    Arc::make_mut(&mut model.clips[0].clip).keyframes[0].duration = Time(54_321);
    model.sockets[0].attached = String::new();
    project.models.truncate(1);
    project.levels.truncate(1);
    project.unknown.truncate(1);
    project
}

#[test]
fn base_and_patch_are_the_changed_project() {
    let base = encode(&rich());
    let patch = patch_to(&base, &changed());
    assert!(patch.len() < base.len() / 2, "a patch holds only what changed");
    let decoded = decode_layers(&[&base, &patch]).unwrap();
    assert_eq!(decoded.findings, Vec::<String>::new());
    let names = |project: &Project| project.models.iter().map(|model| model.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&decoded.project), ["knight"]);
    assert_eq!(encode(&decoded.project), encode(&changed()));
    let back = patch_to(&encode(&changed()), &rich());
    let layers = [&base, &patch, &back].map(|bytes| Archive::open(bytes).unwrap());
    let merged = merge(&layers).unwrap();
    assert_eq!(pack(merged.lumps, None).unwrap(), base, "patching back gives the same bytes");
    assert_eq!(merged.findings.len(), 1, "the second patch was made for another base: {:?}", merged.findings);
}

#[test]
fn the_last_layer_with_the_lump_decides() {
    let base = encode(&rich());
    let patch = patch_to(&base, &changed());
    let layers = [&base, &patch].map(|bytes| Archive::open(bytes).unwrap());
    let walk = layers.clone().map(|layer| layer.find(Kind::CLIP, "knight/walk").unwrap().hash);
    assert_eq!(why(&layers, Kind::CLIP, "knight/walk"), walk.map(|hash| Some(Claim::Holds(hash))));
    assert_eq!(why(&layers, Kind::LEVEL, "cave")[1], Some(Claim::Deletes));
    assert_eq!(why(&layers, Kind::CLIP, "knight/empty")[1], None);
    assert_eq!(why(&layers, Kind::CLIP, "nothing"), [None, None]);
}

#[test]
fn a_patch_alone_is_refused() {
    let base = encode(&rich());
    let patch = patch_to(&base, &changed());
    for error in [decode(&patch).unwrap_err(), decode_layers(&[&patch, &base]).unwrap_err()] {
        assert!(error.to_string().contains("patch"), "{error}");
    }
}

#[test]
fn a_removed_clip_is_removed_from_its_models_list() {
    let lumps = Archive::open(&encode(&rich())).unwrap().to_lumps().unwrap();
    let remove = |kind, name: &str| {
        let mut lumps = lumps.clone();
        edit::remove(&mut lumps, kind, name).map(|()| decode(&pack(lumps, None).unwrap()).unwrap())
    };
    let decoded = remove(Kind::CLIP, "knight/walk").unwrap();
    assert!(decoded.project.models[0].clip_named("walk").is_none());
    assert_eq!(decoded.project.models[0].clips.len(), 3);
    let decoded = remove(Kind::MODEL, "knight").unwrap();
    assert_eq!(decoded.project.models.len(), 1);
    assert_eq!(
        decoded.findings,
        ["model sword: removed a note about the clip knight/walk, which is missing or follows itself"]
    );
    let decoded = remove(Kind::LEVEL, "cave").unwrap();
    assert_eq!(decoded.project.levels.len(), 1);
    let before = &rich().models[0];
    let mesh = before.meshes[0].mesh.name.clone();
    let model = &remove(Kind::MESH, &format!("knight/{mesh}")).unwrap().project.models[0];
    assert_eq!(model.meshes.len() + 1, before.meshes.len());
    assert_eq!(model.source.meshes, before.source.meshes[1..], "the sources of the others");
    for (kind, name) in [(Kind::SKELETON, "knight"), (Kind::TEXTURE, "knight/plate"), (Kind::CLIP, "knight/gone")] {
        let error = remove(kind, name).unwrap_err().to_string();
        assert!(error.contains(name), "{error}");
    }
}

#[test]
fn an_added_lump_replaces_another_or_is_listed() {
    let other = encode(&small());
    let wave = Archive::open(&other).unwrap();
    let wave = wave.to_lump(wave.find(Kind::CLIP, "arm/wave").unwrap()).unwrap();
    let mut lumps = Archive::open(&encode(&rich())).unwrap().to_lumps().unwrap();
    let new = Lump { name: "knight/wave".into(), ..wave.clone() };
    assert!(edit::put(&mut lumps, new.clone(), None).is_err());
    assert!(edit::put(&mut lumps, new.clone(), Some("bandit")).is_err());
    edit::put(&mut lumps, new, Some("knight")).unwrap();
    edit::put(&mut lumps, Lump { name: "knight/walk".into(), codec: Codec::Lz4, ..wave }, None).unwrap();
    edit::rebake(&mut lumps).unwrap();
    let decoded = decode(&pack(lumps, None).unwrap()).unwrap();
    let names: Vec<_> = decoded.project.models[0].clips.iter().map(|slot| slot.clip.name.as_str()).collect();
    assert_eq!((names.len(), names[0], names[4]), (5, "wave", "wave.001"));
    assert_eq!(decoded.findings.len(), 1, "two clips had the same name: {:?}", decoded.findings);
}
