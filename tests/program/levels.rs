//! `keypose level …` as a user runs it.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use keypose::assets::level::text;
use keypose::wad::archive::Archive;
use keypose::wad::decode;
use keypose::wad::kind::Kind;
use keypose::wad::pack::pack;

use crate::folder::folder;
use crate::sample;

struct Folder(PathBuf);

impl Folder {
    /// A folder with `base.wad`, which has two levels.
    fn new(name: &str) -> Folder {
        let folder = folder(&format!("level-{name}"));
        fs::write(folder.join("base.wad"), sample::encode(&sample::rich())).unwrap();
        Folder(folder)
    }

    /// Runs `keypose level` in the folder. Returns whether it succeeded, stdout and stderr.
    fn level(&self, arguments: &str) -> (bool, String, String) {
        let words = arguments.split_whitespace();
        let output = Command::new(env!("CARGO_BIN_EXE_keypose")).arg("level").args(words).current_dir(&self.0).output();
        let output = output.unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.success(), text(output.stdout), text(output.stderr))
    }

    fn refused(&self, arguments: &str) -> String {
        let before = fs::read(self.0.join("base.wad")).unwrap();
        let (is_done, _, error) = self.level(arguments);
        assert!(!is_done, "{arguments}");
        assert_eq!(fs::read(self.0.join("base.wad")).unwrap(), before, "{arguments}");
        error.trim_end().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_level_goes_out_as_text_and_comes_back_changed() {
    let folder = Folder::new("round");
    let (is_done, printed, _) = folder.level("export base.wad");
    assert!(is_done && printed.starts_with("keypose-level 1\nname meadow\n"), "{printed}");
    assert!(folder.level("export base.wad --level cave -o cave.txt").0);
    let path = folder.0.join("cave.txt");
    let cave = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("{cave}coin 9.1 2\n")).unwrap();
    assert!(folder.level("import base.wad cave.txt").0);
    let changed = decode(&fs::read(folder.0.join("base.wad")).unwrap()).unwrap().project;
    let before = sample::rich();
    assert_eq!(changed.levels[1].coins.len(), before.levels[1].coins.len() + 1);
    assert_eq!((&changed.levels[0], changed.models.len()), (&before.levels[0], before.models.len()));
    assert_eq!(changed.unknown, before.unknown);
    // A new name is a new level, behind the others.
    fs::write(&path, cave.replace("name cave", "name tower")).unwrap();
    assert!(folder.level("import base.wad cave.txt -o other.wad").0);
    let other = decode(&fs::read(folder.0.join("other.wad")).unwrap()).unwrap().project;
    let names: Vec<&str> = other.levels.iter().map(|level| level.name.as_str()).collect();
    assert_eq!(names, ["meadow", "cave", "tower"]);
    // An exported level may be replaced by another one.
    assert!(folder.level("export base.wad -o cave.txt").0);
    assert_eq!(text::read(&fs::read_to_string(&path).unwrap()).as_ref(), Ok(&*before.levels[0]));
}

#[test]
fn a_level_of_a_newer_version_is_not_replaced() {
    let folder = Folder::new("newer");
    let mut lumps = Archive::open(&sample::encode(&sample::rich())).unwrap().to_lumps().unwrap();
    lumps.iter_mut().filter(|lump| lump.kind == Kind::LEVEL).for_each(|lump| lump.version = 99);
    fs::write(folder.0.join("base.wad"), pack(lumps, None).unwrap()).unwrap();
    fs::write(folder.0.join("cave.txt"), text::write(&sample::rich().levels[1])).unwrap();
    assert!(folder.refused("import base.wad cave.txt").contains("version 99 of the kind LEVL"));
}

#[test]
fn refusals_name_file_line_and_reason_and_change_nothing() {
    let folder = Folder::new("refused");
    fs::write(folder.0.join("bad.txt"), "keypose-level 1\nname x\nspawn 0 nan\n").unwrap();
    fs::write(folder.0.join("binary.txt"), [0xff, 0xfe, 0]).unwrap();
    fs::write(folder.0.join("notes.txt"), "buy milk\n").unwrap();
    let cases = [
        ("import base.wad bad.txt", "keypose: bad.txt: line 3: nan is not a finite number"),
        ("import base.wad binary.txt", "keypose: binary.txt: not a text file"),
        ("import base.wad none.txt", "keypose: none.txt: no such file"),
        ("export base.wad --level x", "keypose: base.wad: no level \"x\"; its levels: meadow, cave"),
        ("export base.wad -o notes.txt", "keypose: notes.txt: an existing file that is not a level is not replaced"),
        ("export base.wad -o base.wad", "keypose: base.wad: an existing file that is not a level is not replaced"),
    ];
    for (arguments, expected) in cases {
        assert_eq!(folder.refused(arguments), expected);
    }
    assert_eq!(fs::read_to_string(folder.0.join("notes.txt")).unwrap(), "buy milk\n");
}
