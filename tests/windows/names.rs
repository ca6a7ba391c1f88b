//! Paths that Windows treats in its own way.

use std::fs;

use crate::Desk;
use crate::root::root;

fn demo() -> String {
    root().join("data/demo.wad").display().to_string()
}

#[test]
fn names_of_devices_are_refused_before_anything_is_opened() {
    let desk = Desk::new("devices");
    let demo = demo();
    for name in ["CON", "nul.wad", "aux.glb", r"sub\com1.wad"] {
        let error = desk.error(&["inspect", name]);
        assert!(error.contains("Windows reserves the name"), "{name}: {error}");
    }
    for arguments in [vec!["export", &demo, "-o", "nul.glb"], vec!["wad", "repack", &demo, "-o", "com1.wad"]] {
        let error = desk.error(&arguments);
        assert!(error.contains("Windows reserves the name"), "{arguments:?}: {error}");
    }
    let error = desk.error(&["export", &demo, "-o", "a:b?.glb"]);
    assert!(error.contains("can't contain"), "{error}");
    assert_eq!(fs::read_dir(&*desk.0).unwrap().count(), 0, "nothing was written");
}

#[test]
fn a_path_of_more_than_260_characters_is_used() {
    let desk = Desk::new("long");
    let mut folder = desk.0.to_path_buf();
    (0..12).for_each(|_| folder.push("a folder with a long name"));
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("b.wad").display().to_string();
    assert!(file.len() > 300);
    desk.ok(&["wad", "repack", &demo(), "-o", &file]);
    let script = desk.path("steps.txt");
    fs::write(&script, "clip walk; rename-clip stroll; save\n").unwrap();
    desk.ok(&["edit", &file, "--journal", "--script", "steps.txt"]);
    assert!(desk.ok(&["inspect", &file]).contains("stroll"));
    let name = format!("{}.wad", "n".repeat(300));
    let error = desk.error(&["wad", "repack", &demo(), "-o", &name]);
    assert!(error.contains("could not be saved"), "{error}");
}

#[test]
fn a_read_only_file_is_one_sentence() {
    let desk = Desk::new("read-only");
    let file = desk.path("a.wad");
    fs::copy(demo(), &file).unwrap();
    let mut permissions = fs::metadata(&file).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&file, permissions.clone()).unwrap();
    fs::write(desk.path("steps.txt"), "clip walk; rename-clip stroll; save\n").unwrap();
    let error = desk.error(&["edit", "a.wad", "--script", "steps.txt"]);
    assert!(error.contains("read-only; save under another name"), "{error}");
    #[expect(clippy::permissions_set_readonly_false, reason = "an attribute on Windows")]
    permissions.set_readonly(false);
    fs::set_permissions(&file, permissions).unwrap();
}

/// Paths that people see have no prefix of the system.
#[test]
fn errors_have_paths_as_they_were_typed() {
    let desk = Desk::new("shown");
    let error = desk.error(&["wad", "repack", &demo(), "-o", r"missing\a.wad"]);
    assert!(error.contains("folder doesn't exist") && !error.contains(r"\\?\"), "{error}");
}
