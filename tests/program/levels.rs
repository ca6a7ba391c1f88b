//! `keypose level …` as a user runs it.

use std::fs;
use std::process::Command;

use keypose::assets::level::text;
use keypose::wad::archive::Archive;
use keypose::wad::decode;
use keypose::wad::kind::Kind;
use keypose::wad::pack::pack;

use crate::folder::Folder;
use crate::process::{done, keypose, refused};
use crate::sample;

/// A folder with `base.wad`, which has two levels.
fn folder(name: &str) -> Folder {
    let folder = Folder::new(&format!("level-{name}"));
    fs::write(folder.join("base.wad"), sample::encode(&sample::rich())).unwrap();
    folder
}

/// `keypose level` in the folder.
fn level(folder: &Folder, arguments: &str) -> Command {
    let mut command = keypose(folder);
    command.arg("level").args(arguments.split_whitespace());
    command
}

/// The error of a command, which must change nothing.
fn unchanged(folder: &Folder, arguments: &str) -> String {
    let before = fs::read(folder.join("base.wad")).unwrap();
    let error = refused(&mut level(folder, arguments));
    assert_eq!(fs::read(folder.join("base.wad")).unwrap(), before, "{arguments}");
    error
}

#[test]
fn a_level_goes_out_as_text_and_comes_back_changed() {
    let folder = folder("round");
    let printed = done(&mut level(&folder, "export base.wad"));
    assert!(printed.starts_with("keypose-level 1\nname meadow\n"), "{printed}");
    done(&mut level(&folder, "export base.wad --level cave -o cave.txt"));
    let path = folder.join("cave.txt");
    let cave = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("{cave}coin 9.1 2\n")).unwrap();
    done(&mut level(&folder, "import base.wad cave.txt"));
    let changed = decode(&fs::read(folder.join("base.wad")).unwrap()).unwrap().project;
    let before = sample::rich();
    assert_eq!(changed.levels[1].coins.len(), before.levels[1].coins.len() + 1);
    assert_eq!((&changed.levels[0], changed.models.len()), (&before.levels[0], before.models.len()));
    assert_eq!(changed.unknown, before.unknown);
    // A new name is a new level, behind the others.
    fs::write(&path, cave.replace("name cave", "name tower")).unwrap();
    done(&mut level(&folder, "import base.wad cave.txt -o other.wad"));
    let other = decode(&fs::read(folder.join("other.wad")).unwrap()).unwrap().project;
    let names: Vec<&str> = other.levels.iter().map(|level| level.name.as_str()).collect();
    assert_eq!(names, ["meadow", "cave", "tower"]);
    // An exported level may be replaced by another one.
    done(&mut level(&folder, "export base.wad -o cave.txt"));
    assert_eq!(text::read(&fs::read_to_string(&path).unwrap()).as_ref(), Ok(&*before.levels[0]));
}

#[test]
fn a_level_of_a_newer_version_is_not_replaced() {
    let folder = folder("newer");
    let mut lumps = Archive::open(&sample::encode(&sample::rich())).unwrap().to_lumps().unwrap();
    lumps.iter_mut().filter(|lump| lump.kind == Kind::LEVEL).for_each(|lump| lump.version = 99);
    fs::write(folder.join("base.wad"), pack(lumps, None).unwrap()).unwrap();
    fs::write(folder.join("cave.txt"), text::write(&sample::rich().levels[1])).unwrap();
    assert!(unchanged(&folder, "import base.wad cave.txt").contains("version 99 of the kind LEVL"));
}

#[test]
fn refusals_name_file_line_and_reason_and_change_nothing() {
    let folder = folder("refused");
    fs::write(folder.join("bad.txt"), "keypose-level 1\nname x\nspawn 0 nan\n").unwrap();
    fs::write(folder.join("binary.txt"), [0xff, 0xfe, 0]).unwrap();
    fs::write(folder.join("notes.txt"), "buy milk\n").unwrap();
    let cases = [
        ("import base.wad bad.txt", "keypose: bad.txt: line 3: nan is not a finite number"),
        ("import base.wad binary.txt", "keypose: binary.txt: not a text file"),
        ("import base.wad none.txt", "keypose: none.txt: no such file"),
        ("export base.wad --level x", "keypose: base.wad: no level \"x\"; its levels: meadow, cave"),
        ("export base.wad -o notes.txt", "keypose: notes.txt: an existing file that is not a level is not replaced"),
        ("export base.wad -o base.wad", "keypose: base.wad: an existing file that is not a level is not replaced"),
    ];
    for (arguments, expected) in cases {
        assert_eq!(unchanged(&folder, arguments), expected);
    }
    assert_eq!(fs::read_to_string(folder.join("notes.txt")).unwrap(), "buy milk\n");
}
