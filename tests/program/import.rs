//! `keypose import` and `keypose reimport` as a person runs them: options, folders, patterns, JSON, and what is refused.

use std::fs;
use std::path::PathBuf;
use std::process::Output;
use std::sync::{Arc, LazyLock};

use keypose::anim::clip::Clip;
use keypose::assets::id::ClipId;
use keypose::assets::model::{ClipSlot, MeshSlot, Model};
use keypose::assets::project::Project;
use keypose::wad;
use serde_json::Value;

use crate::folder::Folder;
use crate::process::{self, done, keypose};
use crate::root::root;

/// An archive with "hero", which has two meshes and the clips "idle", "walk" and "run".
static HERO: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let arm = project(root().join("data/tests/arm.wad")).models.remove(0);
    let clip = |name: &str| Arc::new(Clip { name: name.into(), ..Clip::clone(&arm.clips[0].clip) });
    let clips = ["idle", "walk", "run"].map(|name| ClipSlot { id: ClipId::default(), clip: clip(name) });
    let mut hero = Model { name: "hero".into(), clips: clips.into(), ..Model::clone(&arm) };
    hero.meshes.push(hero.meshes[0].clone());
    Arc::make_mut(&mut hero.meshes[1].mesh).name = "shadow".into();
    let mut project = Project::default();
    project.add_model(hero);
    wad::encode(&project, &[]).unwrap()
});

/// A folder of the test's own with models: `hero.glb`, `props/sword.glb`, and `props/deep/sword two.glb`.
fn folder(name: &str) -> Folder {
    let folder = Folder::new(&format!("import-{name}"));
    fs::create_dir_all(folder.join("props/deep")).unwrap();
    fs::write(folder.join("one.wad"), &*HERO).unwrap();
    printed(&folder, &["export", "one.wad", "-o", "hero.glb"]);
    fs::copy(root().join("data/tests/two_bones.wad"), folder.join("one.wad")).unwrap();
    printed(&folder, &["export", "one.wad", "-o", "props/sword.glb"]);
    fs::copy(folder.join("props/sword.glb"), folder.join("props/deep/sword two.glb")).unwrap();
    folder
}

fn run(folder: &Folder, arguments: &[&str]) -> Output {
    keypose(folder).args(arguments).output().unwrap()
}

fn refused(folder: &Folder, arguments: &[&str]) -> String {
    process::refused(keypose(folder).args(arguments))
}

fn printed(folder: &Folder, arguments: &[&str]) -> String {
    done(keypose(folder).args(arguments)).trim_end().to_owned()
}

fn project(path: PathBuf) -> Project {
    wad::decode(&fs::read(path).unwrap()).unwrap().project
}

fn clip_names(model: &Model) -> Vec<&str> {
    model.clips.iter().map(|slot| slot.clip.name.as_str()).collect()
}

#[test]
fn options_are_applied_stored_and_used_again_by_a_reimport() {
    let folder = folder("options");
    printed(&folder, &["import", "hero.glb", "-o", "plain.wad"]);
    let options = "--scale 2 --influences 1 --drop-weights 0.02 --clip walk --clip ru? --normals flat";
    let options: Vec<&str> = options.split(' ').collect();
    let text = printed(&folder, &[&["import", "hero.glb", "-o", "hero.wad"], &options[..]].concat());
    assert!(
        text.starts_with(
            "imported with --scale 2 --clip walk --clip ru? --influences 1 --drop-weights 0.02 --normals flat"
        ),
        "{text}"
    );
    let (plain, hero) = (project(folder.join("plain.wad")), project(folder.join("hero.wad")));
    let (plain, hero) = (&plain.models[0], &hero.models[0]);
    assert!(plain.import_options.is_default());
    assert_eq!((clip_names(hero), hero.meshes.len()), (vec!["walk", "run"], plain.meshes.len()));
    let is_double = |(a, b): (&glam::Vec3, &glam::Vec3)| *a * 2.0 == *b;
    assert!(plain.meshes[0].mesh.positions.iter().zip(&hero.meshes[0].mesh.positions).all(is_double));
    let is_changed = |model: &Model| {
        let is_whole = |slot: &MeshSlot| slot.mesh.influences[0].weights.iter().all(|weights| weights[0] == 1.0);
        model.meshes.iter().map(|slot| slot.mesh.normals.is_empty() && is_whole(slot)).collect::<Vec<_>>()
    };
    assert_eq!([plain, hero].map(|model| is_changed(model)), [[false; 2], [true; 2]]);
    let same = printed(&folder, &["reimport", "hero.wad", "hero.glb", "--dry-run"]);
    assert!(same.ends_with("the same bones, meshes and clips; nothing was changed"), "{same}");
    printed(&folder, &["reimport", "hero.wad", "hero.glb"]);
    assert_eq!(*project(folder.join("hero.wad")).models[0], **hero);
}

#[test]
fn wrong_options_are_refused_before_anything_is_written() {
    let folder = folder("refused");
    let (many, long) = (["--skip-mesh", "x"].repeat(257), "a".repeat(257));
    let cases: [(&[&str], &str); 9] = [
        (&many, "keypose: more than 256 patterns of names"),
        (&["--clip", &long], "keypose: a pattern of more than 256 letters"),
        (&["--scale", "0"], "keypose: --scale: use 0.000001 to 1000000"),
        (&["--up", "up"], "keypose: --up up: use x, y, z, -x, -y or -z"),
        (&["--up", "-z", "--forward", "z"], "keypose: --forward: the front can't be along the up axis, -z"),
        (&["--influences", "9"], "keypose: --influences: use 1 to 8"),
        (&["--drop-weights", "-0.1"], "keypose: --drop-weights: use 0 to 1"),
        (&["--clip", "wlak"], "keypose: no clip matches \"wlak\"; the clips are: "),
        (&["--json", "--name", " "], "keypose: --name: the name of a model can't be empty"),
    ];
    for (options, expected) in cases {
        let reason = refused(&folder, &[&["import", "hero.glb", "-o", "hero.wad"], options].concat());
        assert!(reason.starts_with(expected), "{options:?}: {reason}");
    }
    assert!(refused(&folder, &["import", "props", "-o", "hero.wad"]).contains("this is a folder; name a model first"));
    assert!(refused(&folder, &["import", "no*.glb", "-o", "out/"]).ends_with("no*.glb: no file matches"));
    fs::create_dir(folder.join("empty")).unwrap();
    assert!(refused(&folder, &["import", "empty", "-o", "out/"]).ends_with("empty: no models in this folder"));
    let twice = refused(&folder, &["import", "props/sword.glb", "props/s*.glb", "-o", "out/"]);
    assert!(twice.contains(" would both become "), "{twice}");
    let mapped = refused(&folder, &["import", "hero.glb", "-o", "out/", "--map", "Tail=Whip"]);
    assert!(mapped.contains("--map: no clips of other files are added"), "{mapped}");
    assert!(!folder.join("hero.wad").exists() && !folder.join("out").exists());
}

#[test]
#[cfg(unix)]
fn a_link_below_the_output_folder_is_not_followed() {
    let folder = folder("linked");
    fs::create_dir_all(folder.join("models/sub")).unwrap();
    fs::create_dir_all(folder.join("victim")).unwrap();
    fs::create_dir_all(folder.join("out")).unwrap();
    fs::copy(folder.join("hero.glb"), folder.join("models/sub/hero.glb")).unwrap();
    std::os::unix::fs::symlink("../victim", folder.join("out/sub")).unwrap();
    let output = run(&folder, &["import", "models", "-o", "out/"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("a link, which is not followed"));
    assert!(fs::read_dir(folder.join("victim")).unwrap().next().is_none());
    // Nor is one that has the name of an archive.
    let kept = folder.join("victim/kept.wad");
    fs::write(&kept, "").unwrap();
    fs::copy(folder.join("hero.glb"), folder.join("models/other.glb")).unwrap();
    std::os::unix::fs::symlink("../victim/kept.wad", folder.join("out/other.wad")).unwrap();
    assert_eq!(run(&folder, &["import", "models", "-o", "out/"]).status.code(), Some(1));
    assert_eq!(fs::read(&kept).unwrap(), b"");
    // The output folder itself may be one: the user named it.
    std::os::unix::fs::symlink("victim", folder.join("named")).unwrap();
    printed(&folder, &["import", "models", "-o", "named/"]);
    assert!(folder.join("victim/sub/hero.wad").is_file());
}

#[test]
fn folders_and_patterns_become_one_archive_each() {
    let folder = folder("folders");
    fs::write(folder.join("props/broken.glb"), b"glTF").unwrap();
    let output = run(&folder, &["import", "hero.*", "props", "-o", "out/", "--json", "--scale", "0.5"]);
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let files = report["files"].as_array().unwrap();
    let figures: Vec<(&str, bool)> =
        files.iter().map(|file| (file["file"].as_str().unwrap(), file["error"].is_string())).collect();
    let expected = [
        ("hero.glb", false),
        ("props/broken.glb", true),
        ("props/deep/sword two.glb", false),
        ("props/sword.glb", false),
    ];
    assert_eq!(
        figures.iter().map(|(file, failed)| (file.replace('\\', "/"), *failed)).collect::<Vec<_>>(),
        expected.map(|(file, failed)| (file.to_owned(), failed))
    );
    assert_eq!(files[0]["models"][0]["name"], "hero");
    assert_eq!(files[0]["models"][0]["vertices"], 100);
    assert!(files[0]["bytes"].as_u64() > Some(1000));
    for name in ["hero.wad", "sword.wad", "deep/sword two.wad"] {
        assert_eq!(project(folder.join("out").join(name)).models[0].import_options.scale, 0.5, "{name}");
    }
}

#[test]
fn clips_of_a_folder_come_onto_a_model() {
    let folder = folder("clips");
    fs::create_dir(folder.join("clips")).unwrap();
    for clip in ["walk", "run", "idle"] {
        let file = format!("clips/{clip}.wad");
        printed(&folder, &["import", "hero.glb", "--clip", clip, "-o", &file]);
        printed(&folder, &["export", &file, "-o", &format!("clips/{clip}.glb")]);
    }
    let text = printed(&folder, &["import", "hero.glb", "clips", "-o", "hero.wad", "--json"]);
    let report: Value = serde_json::from_str(&text).unwrap();
    let added: Vec<_> = report["files"].as_array().unwrap().iter().map(|file| file["added_clips"].clone()).collect();
    assert_eq!(added[1..].len(), 3, "{text}");
    let hero = project(folder.join("hero.wad"));
    let names = clip_names(&hero.models[0]);
    assert!(names.ends_with(&["idle.001", "run.001", "walk.001"]), "{names:?}");
    let root = &hero.models[0].skeleton.bones()[0].name;
    let import =
        |map: &str| run(&folder, &["import", "hero.glb", "clips", "-o", "mapped.wad", "--map", "Wing=", "--map", map]);
    assert!(import(&format!("Tail={root}")).status.success());
    let map = &project(folder.join("mapped.wad")).models[0].rig.bone_map;
    assert_eq!(*map, [("Tail".to_owned(), root.clone()), ("Wing".to_owned(), String::new())].into());
    for (map, reason) in [("Tail=Whip", "has no bone \"Whip\""), ("Tail", "expected THEIRS=OURS")] {
        let output = import(map);
        assert!(!output.status.success() && String::from_utf8_lossy(&output.stderr).contains(reason), "{map}");
    }
    // The model of an archive stays as it is.
    for (flag, value, reason) in [
        ("--name", "Foo", "--name: clips are added to hero.wad"),
        ("--skip-mesh", "*", "--skip-mesh: clips are added"),
        ("--clip", "wlak", "no clip matches \"wlak\""),
    ] {
        let refused = refused(&folder, &["import", "hero.wad", "clips/walk.glb", "-o", "other.wad", flag, value]);
        assert!(refused.contains(reason), "{refused}");
    }
}

#[test]
fn a_reimport_keeps_what_was_authored_and_says_what_changed() {
    let folder = folder("reimport");
    printed(&folder, &["import", "hero.glb", "-o", "hero.wad", "--skip-clip", "walk"]);
    let before = project(folder.join("hero.wad"));
    // The changed model: another clip, and one mesh less.
    let mesh = before.models[0].meshes[0].mesh.name.clone();
    printed(&folder, &["import", "hero.glb", "-o", "changed.wad", "--skip-mesh", &mesh]);
    printed(&folder, &["export", "changed.wad", "-o", "changed.glb"]);
    let shown = printed(&folder, &["reimport", "hero.wad", "changed.glb", "--dry-run"]);
    assert!(shown.contains(&format!("mesh {mesh}: gone")) && shown.ends_with("nothing was changed"), "{shown}");
    assert_eq!(project(folder.join("hero.wad")), before);
    let done = printed(&folder, &["reimport", "hero.wad", "changed.glb"]);
    assert!(done.ends_with("hero: 1 mesh gone -> hero.wad"), "{done}");
    let after = project(folder.join("hero.wad"));
    assert_eq!(
        (clip_names(&after.models[0]), after.models[0].meshes.len()),
        (clip_names(&before.models[0]), before.models[0].meshes.len() - 1)
    );
    assert!(printed(&folder, &["wad", "verify", "hero.wad"]).contains("hero.wad"));
    let other = refused(&folder, &["reimport", "hero.wad", "props/sword.glb"]);
    assert!(other.contains("it is another model"), "{other}");
    assert!(refused(&folder, &["reimport", "hero.glb", "hero.glb"]).contains("this is not an archive"));
    assert!(refused(&folder, &["reimport", "hero.wad", "hero.glb", "--model", "x"]).contains("no model \"x\""));
}
