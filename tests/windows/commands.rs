//! The commands: each once, with what they write read again.

use std::fs;

use keypose_tools::import::format::EXTENSIONS;

use crate::Desk;
use crate::root::root;

fn data(name: &str) -> String {
    root().join("data").join(name).display().to_string()
}

#[test]
fn an_archive_is_checked_exported_and_drawn() {
    let desk = Desk::new("commands");
    let demo = data("demo.wad");
    assert!(desk.ok(&["--version"]).starts_with("keypose "));
    assert!(desk.ok(&["inspect", &demo]).contains("knight"));
    desk.ok(&["wad", "verify", &demo]);
    desk.ok(&["check", &demo]);
    desk.ok(&["export", &demo, "-o", "demo.glb"]);
    desk.ok(&["import", "demo.glb", "-o", "again.wad"]);
    assert!(desk.ok(&["inspect", "again.wad"]).contains("knight"));
    desk.ok(&["render", &demo, "--clip", "walk", "--time", "0", "--size", "200x200", "-o", "walk.png"]);
    let picture = image::open(desk.path("walk.png")).unwrap().into_rgba8();
    let first = *picture.get_pixel(0, 0);
    assert!(picture.pixels().filter(|pixel| **pixel != first).count() > 1000, "the knight is missing");
}

/// One model of each format; a file of the repository, or a short one. A .vrm or .vrma is read as a .glb is.
#[test]
fn each_format_is_imported() {
    let desk = Desk::new("import");
    for name in ["limb.glb", "z_up_matrices.gltf", "fbx/limb2.fbx", "collada/limb2.dae"] {
        let extension = name.split('.').next_back().unwrap();
        fs::copy(data(&format!("tests/models/{name}")), desk.path(&format!("a.{extension}"))).unwrap();
    }
    fs::write(desk.path("a.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    let bvh = "HIERARCHY\nROOT hips\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n\
               MOTION\nFrames: 2\nFrame Time: 0.1\n0 0 0\n10 0 0\n";
    fs::write(desk.path("a.bvh"), bvh).unwrap();
    let formats = EXTENSIONS.iter().filter(|extension| !extension.starts_with("vrm"));
    assert_eq!(formats.clone().count(), 6);
    for extension in formats {
        let archive = format!("{extension}.wad");
        desk.ok(&["import", &format!("a.{extension}"), "-o", &archive]);
        desk.ok(&["wad", "verify", &archive]);
    }
}

/// The process that reads it ends alone.
#[test]
fn a_damaged_model_is_one_sentence() {
    let desk = Desk::new("damaged");
    let bytes = fs::read(data("tests/models/fbx/limb2.fbx")).unwrap();
    fs::write(desk.path("cut.fbx"), &bytes[..bytes.len() / 2]).unwrap();
    let error = desk.error(&["inspect", "cut.fbx"]);
    assert!(error.starts_with("keypose: cut.fbx: the FBX file can't be read: "), "{error}");
    let bytes = fs::read(data("demo.wad")).unwrap();
    fs::write(desk.path("cut.wad"), &bytes[..bytes.len() / 2]).unwrap();
    let error = desk.error(&["inspect", "cut.wad"]);
    assert!(error.starts_with("keypose: cut.wad: "), "{error}");
}

#[test]
fn a_script_poses_keys_and_saves() {
    let desk = Desk::new("script");
    fs::copy(data("demo.wad"), desk.path("a.wad")).unwrap();
    let script = "clip walk; seek 3f; select spine; pose spine rotation 0 0 20; key I => dirty = yes\nsave; seek 3f => dirty = no\n\
                  show pose spine rotation\n";
    fs::write(desk.path("steps.txt"), script).unwrap();
    let before = desk.ok(&["edit", "a.wad", "--script", "steps.txt", "--journal"]);
    assert!(before.contains("20"), "{before}");
    fs::write(desk.path("look.txt"), "clip walk; seek 3f; show pose spine rotation\n").unwrap();
    assert_eq!(desk.ok(&["edit", "a.wad", "--script", "look.txt"]), before);
    assert!(desk.path("a.wad.1").exists(), "the previous version is kept");
}

/// The folder of the work is renamed then, which must not have open files.
#[test]
fn work_continues_under_another_name() {
    let desk = Desk::new("save-as");
    fs::copy(data("demo.wad"), desk.path("a.wad")).unwrap();
    let script = "clip walk; rename-clip one; save b.wad; clip one; rename-clip two\nshow steps\n";
    fs::write(desk.path("steps.txt"), script).unwrap();
    desk.ok(&["edit", "a.wad", "--script", "steps.txt", "--journal"]);
    fs::write(desk.path("look.txt"), "show clips\n").unwrap();
    assert!(desk.ok(&["edit", "b.wad", "--script", "look.txt", "--journal"]).contains("two"), "recovered");
    assert!(desk.ok(&["edit", "a.wad", "--script", "look.txt"]).contains("walk"), "unchanged");
}

/// Unsaved work is whole even if the file is overwritten: the base replaced its second name, which Windows refuses while one is open.
#[test]
fn the_base_of_unsaved_work_is_a_copy() {
    let desk = Desk::new("base");
    fs::copy(data("demo.wad"), desk.path("a.wad")).unwrap();
    fs::write(desk.path("steps.txt"), "clip walk; rename-clip stroll\n").unwrap();
    desk.ok(&["edit", "a.wad", "--script", "steps.txt", "--journal"]);
    fs::write(desk.path("a.wad"), "written by another program").unwrap();
    let work = fs::read_dir(desk.0.state.join("Keypose/work")).unwrap().next().unwrap().unwrap().path();
    desk.ok(&["wad", "verify", &work.join("base.wad").display().to_string()]);
}
