//! `keypose wad …` as a user runs it: arguments in; files, text, JSON and exit codes out.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::sync::{Arc, LazyLock};

use keypose::anim::time::Time;
use keypose::assets::project::{Project, UnknownLump};
use keypose::wad::archive::Archive;
use keypose::wad::decode;
use keypose::wad::kind::Kind;
use keypose::wad::pack::pack;
use keypose_app::app::work::{Store, hold};
use keypose_editor::editor::document::follow::generate_again;
use serde_json::Value;

use crate::editor_kit;
use crate::folder::Folder;
use crate::process::{keypose, ran};
use crate::root::root;
use crate::sample;

/// The archives of every folder, as the editor saves them: derived clips are those of their sources.
static ARCHIVES: LazyLock<[(&str, Vec<u8>); 3]> = LazyLock::new(|| {
    let mut changed = sample::rich();
    let model = Arc::make_mut(&mut changed.models[0]);
    Arc::make_mut(&mut model.clips[0].clip).keyframes[0].duration = Time(54_321);
    changed.levels.pop();
    [("base.wad", sample::rich()), ("small.wad", sample::small()), ("changed.wad", changed)].map(
        |(name, mut project)| {
            assert!(generate_again(&mut project, &BTreeSet::new()).is_empty());
            (name, sample::encode(&project))
        },
    )
});

/// Writes `base.wad` over: a puppet with the clips "wave" and "empty".
fn write_puppet(folder: &Desk) {
    let mut project = Project::default();
    project.add_model(editor_kit::model());
    fs::write(folder.0.join("base.wad"), sample::encode(&project)).unwrap();
}

/// A folder with `base.wad` (rich), `small.wad` and `changed.wad`.
struct Desk(Folder);

impl Desk {
    fn new(name: &str) -> Desk {
        let folder = Folder::new(&format!("command-{name}"));
        for (name, bytes) in ARCHIVES.iter() {
            fs::write(folder.join(name), bytes).unwrap();
        }
        Desk(folder)
    }

    fn store(&self) -> Store {
        Store::at(&self.0.state.join(if cfg!(windows) { "Keypose" } else { "keypose" }))
    }

    /// Runs a script on an archive with patches.
    fn edit(&self, files: &[&str], script: &str) {
        let mut edit = keypose(&self.0);
        edit.args(["edit", files[0], "--script", "-"]).args(files[1..].iter().flat_map(|patch| ["--patch", patch]));
        let mut child = edit.stdin(Stdio::piped()).spawn().unwrap();
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), script.as_bytes()).unwrap();
        assert!(child.wait().unwrap().success(), "{script}");
    }

    /// Runs `keypose wad` with these arguments in the folder. Returns exit code, stdout and stderr.
    fn wad(&self, words: &str) -> (i32, String, String) {
        ran(keypose(&self.0).arg("wad").args(words.split_whitespace()))
    }

    /// Runs a command that must succeed.
    fn done(&self, words: &str) -> String {
        let (code, out, error) = self.wad(words);
        assert_eq!(code, 0, "{words}: {error}{out}");
        out
    }

    fn json(&self, words: &str) -> Value {
        serde_json::from_str(&self.wad(words).1).unwrap()
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.0.join(name)).unwrap()
    }
}

#[test]
fn list_and_verify_speak_text_and_json() {
    let folder = Desk::new("list");
    assert!(folder.done("list base.wad").contains("knight/walk"));
    let listed = folder.json("list base.wad --json");
    let lumps = listed["lumps"].as_array().unwrap();
    assert!(lumps.iter().any(|lump| lump["kind"] == "ANIM" && lump["name"] == "knight/walk" && lump["version"] == 1));
    assert!(folder.done("verify base.wad").contains("2 models, 2 levels"));
    assert_eq!(folder.json("verify base.wad --json")["whole"], true);
    assert_eq!(folder.wad("verify").0, 2);
}

#[test]
fn an_archive_may_be_larger_than_a_file_of_another_program() {
    let folder = Desk::new("large");
    fs::copy(folder.0.join("base.wad"), folder.0.join("large.wad")).unwrap();
    fs::OpenOptions::new().write(true).open(folder.0.join("large.wad")).unwrap().set_len(1100 << 20).unwrap();
    let (code, _, error) = folder.wad("verify large.wad");
    assert!(code == 1 && !error.contains("maximum"), "it is read, and damaged: {error}");
    folder.done("repack base.wad -o large.wad");
    folder.done("verify large.wad");
}

#[test]
fn patch_merge_why_and_diff_agree() {
    let folder = Desk::new("patch");
    folder.done("patch base.wad changed.wad -o p.wad");
    assert!(folder.done("verify p.wad").contains("a patch"));
    let (_, _, error) = folder.wad("patch base.wad changed.wad -o base.wad");
    assert!(error.contains("a patch can't replace an archive that it is made from"), "{error}");
    folder.done("merge base.wad p.wad -o merged.wad");
    assert_eq!(folder.bytes("merged.wad"), folder.bytes("changed.wad"));
    assert_eq!(folder.wad("diff merged.wad changed.wad").0, 0);
    let (code, out, _) = folder.wad("diff base.wad changed.wad");
    assert_eq!(code, 1);
    assert!(out.contains("~ clip knight/walk: keyframe 1: duration") && out.contains("- level cave"), "{out}");
    let differences = folder.json("diff base.wad changed.wad --json");
    assert_eq!(differences["differences"].as_array().unwrap().len(), 5, "the clip, three derived ones, the level");
    assert_eq!(folder.wad("diff base.wad missing.wad").0, 2);
    let why = folder.done("why ANIM/knight/walk base.wad p.wad");
    assert!(why.lines().nth(1).unwrap().contains("<- used"), "{why}");
    assert_eq!(folder.json("why LEVL/cave base.wad p.wad --json")["layers"][1]["holds"], false);
    assert_eq!(folder.wad("why ANIM/nothing base.wad p.wad").0, 1);
    assert_eq!(folder.wad("why nonsense base.wad").0, 2);
}

#[test]
fn a_merge_of_a_changed_clip_and_of_one_derived_from_it_is_as_if_made_one_after_the_other() {
    let folder = Desk::new("derived");
    write_puppet(&folder);
    let edit = |script: &str| folder.edit(&["base.wad"], script);
    let (derived, changed) =
        ("clip wave; run mirrored-clip", "clip wave; auto-key always; pose hand.L rotation 0 40 10");
    edit(&format!("{derived}; save-patch a.wad"));
    edit(&format!("{changed}; save-patch b.wad"));
    edit(&format!("{changed}; {derived}; save-patch c.wad"));
    folder.done("merge base.wad a.wad b.wad -o ab.wad");
    folder.done("merge base.wad c.wad -o c-merged.wad");
    folder.edit(&["base.wad", "a.wad", "b.wad"], "save opened.wad");
    folder.done("extract c-merged.wad -o changed");
    edit(&format!("{derived}; save replaced.wad"));
    folder.done("add replaced.wad --lump changed/ANIM/puppet%2Fwave.lump");
    for other in ["ab.wad", "opened.wad", "replaced.wad"] {
        let (_, out, _) = folder.wad(&format!("diff {other} c-merged.wad"));
        assert_eq!(out, "", "{other}");
        assert!(folder.done(&format!("verify {other} --deep")).contains("undamaged"));
    }
}

/// Notes of all clips of a model are in one lump, so that a patch with another note says that the clip still follows.
#[test]
fn a_clip_that_one_patch_gave_keys_of_its_own_keeps_them() {
    let folder = Desk::new("own-keys");
    write_puppet(&folder);
    folder.edit(&["base.wad"], "clip wave; run mirrored-clip; save with.wad");
    folder.edit(&["with.wad"], "clip wave; tags x; save-patch tagged.wad");
    for own in ["auto-key always; pose hand.L rotation 0 70 0", "invulnerable 2f 4f"] {
        let own = format!("clip \"wave mirrored\"; run unlock-clip; {own}");
        folder.edit(&["with.wad"], &format!("{own}; save-patch own.wad; clip wave; tags x; save both.wad"));
        let (_, _, findings) = folder.wad("merge with.wad own.wad tagged.wad -o merged.wad");
        assert!(findings.contains("wave mirrored has keys or hits of its own"), "{findings}");
        folder.edit(&["with.wad", "own.wad", "tagged.wad"], "save opened.wad");
        for other in ["merged.wad", "opened.wad"] {
            let (_, out, _) = folder.wad(&format!("diff {other} both.wad"));
            assert_eq!(out, "", "{other}");
        }
    }
}

#[test]
fn a_clip_of_another_skeleton_is_refused() {
    let folder = Desk::new("foreign-clip");
    folder.done("extract base.wad -o out");
    for kind in ["ANIM", "BAKE"] {
        let path = |name: &str| folder.0.join(format!("out/{kind}/{name}%2Fwalk.lump"));
        fs::copy(path("knight"), path("sword")).unwrap();
    }
    let (code, _, error) = folder.wad("add base.wad --lump out/ANIM/sword%2Fwalk.lump --owner sword -o bad.wad");
    assert_eq!(code, 1);
    assert!(error.contains("lump ANIM/sword/walk: it was made for another skeleton than that of sword"), "{error}");
    assert!(!folder.0.join("bad.wad").exists());
    fs::remove_file(folder.0.join("out/BAKE/sword%2Fwalk.lump")).unwrap();
    let (code, _, error) = folder.wad("add base.wad --lump out/ANIM/sword%2Fwalk.lump --owner sword -o bad.wad");
    assert_eq!(code, 1);
    assert!(error.contains("the clip's skeleton is unknown"), "{error}");
    assert!(!folder.0.join("bad.wad").exists());
    folder.done("add base.wad --lump out/ANIM/sword%2Fwalk.lump --owner sword --any-skeleton -o forced.wad");
}

#[test]
fn extracted_lumps_can_be_added_again() {
    let folder = Desk::new("extract");
    folder.done("extract base.wad -o out");
    assert!(folder.0.join("out/TEXR/knight%2Fplate.png").exists());
    folder.done("add changed.wad --lump out/ANIM/knight%2Fwalk.lump --lump out/LEVL/cave.lump -o again.wad");
    assert_eq!(folder.bytes("again.wad"), folder.bytes("base.wad"));
    folder.done("extract base.wad ANIM/knight/walk -o one");
    for kind in ["ANIM", "BAKE"] {
        assert_eq!(fs::read_dir(folder.0.join("one").join(kind)).unwrap().count(), 1, "{kind}");
    }
    assert_eq!(folder.wad("extract base.wad ANIM/nothing -o one").0, 1);
    for words in ["--lump out/LEVL/cave.lump arm", "--from small.wad --owner arm", "--from small.wad --any-skeleton"] {
        assert_eq!(folder.wad(&format!("add changed.wad {words}")).0, 2, "arguments that have no effect: {words}");
    }
}

#[test]
fn models_can_be_added_and_lumps_removed_in_place() {
    let folder = Desk::new("add");
    folder.done("add base.wad --from small.wad arm");
    assert_eq!(decode(&folder.bytes("base.wad")).unwrap().project.models[2].name, "arm");
    assert!(folder.0.join("base.wad.1").exists(), "the version before is kept");
    folder.done("remove base.wad ANIM/knight/walk MODL/arm");
    let project = decode(&folder.bytes("base.wad")).unwrap().project;
    assert_eq!((project.models.len(), project.models[0].clips.len()), (2, 3));
    let before = folder.bytes("base.wad");
    for words in ["remove base.wad SKEL/knight", "add base.wad --from small.wad unknown", "add base.wad"] {
        assert_eq!(folder.wad(words).0, 1, "{words}");
    }
    assert_eq!(folder.bytes("base.wad"), before);
}

#[test]
fn clips_follow_those_of_a_model_that_is_added_with_theirs() {
    let folder = Desk::new("add-following");
    folder.edit(&["base.wad"], "model sword\nretarget knight walk\nsave both.wad\n");
    folder.done("add small.wad --from both.wad -o all.wad");
    let project = decode(&folder.bytes("all.wad")).unwrap().project;
    let sword = &project.models[project.model_named("sword").unwrap()];
    let retargeted = sword.clips.last().unwrap();
    let source = sword.derived(retargeted.id).unwrap().source;
    assert_eq!(project.owner_of(source).map(|(model, _)| &*model.name), Some("knight"));
    let (code, _, error) = folder.wad("add small.wad --from both.wad sword -o sword.wad");
    assert!(code == 0 && error.contains("no longer follows walk of knight, which isn't added"), "{error}");
}

#[test]
fn sockets_hold_the_models_that_are_added_with_theirs() {
    let folder = Desk::new("add-sockets");
    fs::copy(root().join("data/demo.wad"), folder.0.join("demo.wad")).unwrap();
    let held = |file: &str, name: &str| {
        let project = decode(&folder.bytes(file)).unwrap().project;
        project.models[project.model_named(name).unwrap()].sockets[0].attached.clone()
    };
    folder.edit(&["demo.wad"], "model sword; rename-model blade; model bat; rename-model sword; save other.wad");
    folder.done("add other.wad --from demo.wad knight sword -o both.wad");
    assert_eq!(held("both.wad", "knight.001"), "sword.001", "not the bat");
    let (_, _, findings) = folder.wad("add other.wad --from demo.wad knight -o alone.wad");
    assert!(findings.contains("socket weapon of knight.001 no longer has sword, which isn't added"), "{findings}");
    assert_eq!(held("alone.wad", "knight.001"), "");
    folder.done("add demo.wad --from demo.wad knight -o same.wad");
    assert_eq!(held("same.wad", "knight.001"), "sword");
}

#[test]
fn two_commands_do_not_write_one_file() {
    let folder = Desk::new("two-writers");
    let before = folder.bytes("base.wad");
    let held = hold(Some(&folder.store()), &folder.0.join("base.wad")).unwrap();
    for words in ["repack base.wad --compress", "merge small.wad -o base.wad", "remove base.wad MODL/arm"] {
        let (code, _, error) = folder.wad(words);
        assert!(code == 1 && error.contains("open in Keypose (process"), "{words}: {error}");
    }
    assert_eq!(folder.bytes("base.wad"), before);
    // A command waits a moment for another one, and says for which.
    let mut waiting = keypose(&folder.0);
    let waiting = waiting.args(["wad", "repack", "base.wad", "--compress"]);
    let mut waiting = waiting.stderr(Stdio::piped()).spawn().unwrap();
    let line = BufReader::new(waiting.stderr.take().unwrap()).lines().next().unwrap().unwrap();
    assert!(line.contains("waiting for process"), "{line}");
    drop(held);
    assert!(waiting.wait().unwrap().success());
    let mut names: Vec<_> = fs::read_dir(&*folder.0).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["base.wad", "base.wad.1", "changed.wad", "small.wad"], "no lock and no temporary is left");
}

#[test]
fn an_import_adds_clips_to_the_archive_that_another_command_wrote_last() {
    let folder = Desk::new("import-waits");
    assert!(keypose(&folder.0).args(["export", "base.wad", "-o", "clips.glb"]).status().unwrap().success());
    let held = hold(Some(&folder.store()), &folder.0.join("base.wad")).unwrap();
    let mut waiting = keypose(&folder.0);
    let waiting = waiting.args(["import", "base.wad", "clips.glb", "-o", "base.wad"]).stdout(Stdio::null());
    let mut waiting = waiting.stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(waiting.stderr.take().unwrap()).lines();
    let line = lines.next().unwrap().unwrap();
    assert!(line.contains("waiting for process"), "{line}");
    fs::copy(folder.0.join("changed.wad"), folder.0.join("base.wad")).unwrap();
    drop(held);
    assert!(waiting.wait().unwrap().success(), "{:?}", lines.next());
    let [changed, base] = ["changed.wad", "base.wad"].map(|name| decode(&folder.bytes(name)).unwrap().project);
    assert_eq!(base.levels, changed.levels);
    assert!(base.models[0].clips.len() > changed.models[0].clips.len());
}

#[cfg(unix)]
#[test]
fn extracted_files_do_not_go_through_links() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
    let folder = Desk::new("extract-links");
    fs::write(folder.0.join("victim"), "precious").unwrap();
    fs::create_dir_all(folder.0.join("out/SKEL")).unwrap();
    fs::set_permissions(folder.0.join("victim"), fs::Permissions::from_mode(0o777)).unwrap();
    symlink("../../victim", folder.0.join("out/SKEL/arm.lump")).unwrap();
    folder.done("extract small.wad SKEL/arm -o out");
    folder.done("extract small.wad SKEL/arm -o new");
    let about = |name: &str| fs::symlink_metadata(folder.0.join(name)).unwrap();
    assert!(about("out/SKEL/arm.lump").is_file());
    assert_eq!(about("out/SKEL/arm.lump").mode(), about("new/SKEL/arm.lump").mode(), "not those of the link's target");
    assert_eq!(folder.bytes("victim"), b"precious");
    fs::create_dir(folder.0.join("other")).unwrap();
    symlink("../other", folder.0.join("out/MODL")).unwrap();
    assert!(folder.wad("extract small.wad MODL/arm -o out").2.contains("a link, which is not followed"));
    assert_eq!(fs::read_dir(folder.0.join("other")).unwrap().count(), 0);
}

#[test]
fn what_a_killed_extract_left_is_deleted_by_the_next_one() {
    let folder = Desk::new("extract-killed");
    let skeletons = folder.0.join("out/SKEL");
    fs::create_dir_all(&skeletons).unwrap();
    let of_others = [".my.extracting-notes", ".my.extracting-1-b", ".other", "arm.extracting-1-0"];
    for name in [".arm.lump.extracting-1-0", ".gone.lump.extracting-1-7"].iter().chain(&of_others) {
        fs::write(skeletons.join(name), "half").unwrap();
    }
    let written = fs::File::create(skeletons.join(".arm.lump.extracting-2-0")).unwrap();
    written.lock().unwrap();
    folder.done("extract small.wad SKEL/arm -o out");
    let mut names: Vec<_> = fs::read_dir(&skeletons).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    let mut left: Vec<_> = of_others.into_iter().chain([".arm.lump.extracting-2-0", "arm.lump"]).collect();
    left.sort();
    assert_eq!(names, left);
}

#[test]
fn the_longest_names_are_extracted_and_added_again() {
    let folder = Desk::new("long-names");
    let mut project = sample::small();
    let name = format!("{}e", "\u{89aa}".repeat(26));
    project.unknown.push(UnknownLump { kind: *b"xTRA", name, version: 1, bytes: Arc::new([1, 2, 3]) });
    fs::write(folder.0.join("long.wad"), sample::encode(&project)).unwrap();
    folder.done("extract long.wad -o out");
    let path = fs::read_dir(folder.0.join("out/xTRA")).unwrap().next().unwrap().unwrap().path();
    assert_eq!(fs::read(&path).unwrap(), [1, 2, 3]);
    let path = format!("out/xTRA/{}", path.file_name().unwrap().to_str().unwrap());
    folder.done(&format!("add small.wad --lump {path} -o again.wad"));
    assert_eq!(decode(&folder.bytes("again.wad")).unwrap().project.unknown, project.unknown);
    // So are archives with long names saved.
    let long = format!("{}.wad", "n".repeat(240));
    folder.done(&format!("repack base.wad --compress -o {long}"));
    folder.done(&format!("verify {long}"));
}

/// Linux allows any bytes in names.
#[cfg(target_os = "linux")]
#[test]
fn names_that_are_no_unicode_are_printed_with_replacements() {
    use std::os::unix::ffi::OsStrExt;
    let folder = Desk::new("no-unicode");
    let named = |bytes: &[u8]| folder.0.join(std::ffi::OsStr::from_bytes(bytes));
    let (archive, new, out) = (named(b"a\xff.wad"), named(b"new\xff.wad"), named(b"out\xff"));
    fs::copy(folder.0.join("base.wad"), &archive).unwrap();
    let run = |words: &str| {
        let word = |word: &str| match word {
            "A" => archive.clone().into_os_string(),
            "NEW" => new.clone().into(),
            "OUT" => out.clone().into(),
            word => word.into(),
        };
        let words = words.split_whitespace().map(word);
        let output = keypose(&folder.0).args(words).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        (output.status.code(), text, String::from_utf8_lossy(&output.stderr).into_owned())
    };
    for words in [
        "wad list A",
        "wad verify A",
        "wad diff A A",
        "wad why MODL/knight A",
        "wad extract A -o OUT",
        "wad repack A --compress -o NEW",
        "wad merge A -o NEW",
        "wad patch A A -o NEW",
        "wad salvage A -o NEW",
        "check A",
        "inspect A",
        "import A -o NEW",
    ] {
        let (code, text, error) = run(&format!("{words} --json"));
        assert!(matches!(code, Some(0..=2)) && !error.contains("panicked"), "{words}: {code:?} {error}");
        if words != "import A -o NEW" {
            let value: Value = serde_json::from_str(&text).unwrap();
            let is_named = ["diff", "inspect"].iter().any(|word| words.contains(word)) || text.contains('\u{fffd}');
            assert!(value.is_object() && is_named, "{words}: {text} {error}");
        }
        let (code, _, error) = run(words);
        assert!(matches!(code, Some(0..=2)) && !error.contains("panicked"), "{words}: {code:?} {error}");
    }
}

#[test]
fn salvage_opens_what_a_copy_that_broke_off_still_has() {
    let folder = Desk::new("salvage");
    let bytes = folder.bytes("base.wad");
    fs::write(folder.0.join("half.wad"), &bytes[..bytes.len() - 1000]).unwrap();
    assert_eq!(folder.wad("verify half.wad").0, 1);
    let out = folder.done("salvage half.wad -o saved.wad");
    assert!(out.contains("is beyond the end"), "{out}");
    folder.done("verify saved.wad");
    assert_eq!(folder.wad("extract half.wad -o parts").0, 1);
    let out = folder.done("extract half.wad --salvage -o parts");
    assert!(out.contains("is beyond the end") && folder.0.join("parts/ANIM/knight%2Fwalk.lump").exists(), "{out}");
    fs::write(folder.0.join("foreign.wad"), b"glTF").unwrap();
    assert_eq!(folder.wad("extract foreign.wad --salvage -o parts").0, 1);
    assert_eq!(folder.wad("salvage foreign.wad -o nothing.wad").0, 1);
}

#[test]
fn repacking_back_and_forth_gives_the_same_bytes() {
    let folder = Desk::new("repack");
    folder.done("repack base.wad --compress -o packed.wad");
    let packed = folder.bytes("packed.wad");
    assert!(packed.len() < folder.bytes("base.wad").len());
    assert_eq!(folder.wad("diff base.wad packed.wad").0, 0);
    folder.done("repack packed.wad");
    assert_eq!(folder.bytes("packed.wad"), folder.bytes("base.wad"));
}

#[test]
fn an_invalid_bake_is_baked_again_and_gets_into_no_archive() {
    let folder = Desk::new("bad-bake");
    let pack_with = |name: &str, change: fn(&mut Vec<u8>)| {
        let mut lumps = Archive::open(&folder.bytes("base.wad")).unwrap().to_lumps().unwrap();
        let bake = lumps.iter_mut().find(|lump| lump.kind == Kind::BAKED && lump.name == "knight/walk").unwrap();
        change(bake.bytes.as_mut().unwrap());
        fs::write(folder.0.join(name), pack(lumps, None).unwrap()).unwrap();
    };
    // The rest is missing; the hash of the clip is another.
    pack_with("invalid.wad", |bytes| bytes.truncate(bytes.len() / 2));
    pack_with("stale.wad", |bytes| bytes[16] ^= 1);
    assert_eq!(folder.wad("verify invalid.wad").0, 1);
    for file in ["invalid.wad", "stale.wad"] {
        for command in ["repack FILE -o o.wad", "remove FILE LEVL/cave -o o.wad", "merge FILE -o o.wad"] {
            folder.done(&command.replace("FILE", file));
            let verified = folder.json("verify o.wad --json");
            assert_eq!(verified["findings"], Value::Array(Vec::new()), "{file}, {command}: {verified}");
        }
        folder.done(&format!("repack {file} -o o.wad"));
        assert_eq!(folder.bytes("o.wad"), folder.bytes("base.wad"));
    }
    let (code, _, error) = folder.wad("patch base.wad invalid.wad -o p.wad");
    assert!(code == 1 && error.contains("not written") && error.contains("BAKE/knight/walk"), "{error}");
    assert!(!folder.0.join("p.wad").exists());
    // A clip without a baked form stays so.
    folder.done("remove base.wad BAKE/knight/walk");
    folder.done("repack base.wad");
    let bytes = folder.bytes("base.wad");
    let archive = Archive::open(&bytes).unwrap();
    assert!(archive.find(Kind::BAKED, "knight/walk").is_none() && archive.find(Kind::BAKED, "knight/empty").is_some());
}

#[test]
fn two_processes_write_the_same_bytes() {
    let folder = Desk::new("same");
    folder.done("repack base.wad --compress -o a.wad");
    folder.done("repack base.wad --compress -o b.wad");
    assert_eq!(folder.bytes("a.wad"), folder.bytes("b.wad"));
}

/// Every subcommand: its text output, and the keys of its JSON output.
#[test]
fn every_command_prints_text_and_json() {
    let cases: [(&str, &str, &[&str]); 11] = [
        ("list base.wad", "ANIM        1", &["file", "bytes", "format", "hash", "base", "lumps"]),
        ("verify base.wad", "base.wad: undamaged; 2 models", &["file", "whole", "contents", "findings"]),
        ("diff base.wad base.wad", "", &["differences"]),
        ("why ANIM/knight/walk base.wad", "<- used", &["lump", "layers", "winner"]),
        ("extract base.wad -o out", "files written to out", &["written"]),
        ("add base.wad --from small.wad -o a.wad", "a.wad: ", &["file", "lumps", "bytes", "hash", "findings"]),
        ("remove base.wad LEVL/cave -o r.wad", "r.wad: ", &["file", "lumps", "bytes", "hash", "findings"]),
        ("patch base.wad changed.wad -o p.wad", "p.wad: ", &["file", "lumps", "bytes", "hash"]),
        ("merge base.wad p.wad -o m.wad", "m.wad: ", &["file", "lumps", "bytes", "hash", "findings"]),
        (
            "salvage base.wad -o s.wad",
            "0 are lost",
            &["file", "lumps", "bytes", "hash", "whole_lumps", "lost", "findings", "models", "levels"],
        ),
        ("repack base.wad --compress -o c.wad", "c.wad: ", &["file", "lumps", "bytes", "hash", "findings"]),
    ];
    let folder = Desk::new("speech");
    for (words, text, keys) in cases {
        let (code, out, error) = folder.wad(words);
        assert_eq!((code, error.as_str()), (0, ""), "{words}: a pipe gets no progress");
        assert!(out.contains(text) && !out.contains('{'), "{words}: {out}");
        let json = folder.json(&format!("{words} --json"));
        let found: Vec<_> = json.as_object().unwrap().keys().map(String::as_str).collect();
        let mut keys = keys.to_vec();
        keys.sort();
        assert_eq!(found, keys, "{words}");
        // The bytes are the same, however they are written.
        if let Some(file) = json["file"].as_str().filter(|_| json["lumps"].is_u64()) {
            assert_eq!(json["bytes"], folder.bytes(file).len(), "{words}");
        }
    }
}

#[test]
fn every_refusal_names_file_place_and_reason_in_text_and_json() {
    let folder = Desk::new("refusals");
    let mut bytes = folder.bytes("base.wad");
    // A place where there is never padding.
    let middle = bytes.len() / 2 / 64 * 64;
    bytes[middle] ^= 1;
    fs::write(folder.0.join("bad.wad"), bytes).unwrap();
    fs::write(folder.0.join("foreign.wad"), b"glTF").unwrap();
    folder.done("patch base.wad changed.wad -o p.wad");
    let cases = [
        ("list bad.wad", 1, "bad.wad: lump "),
        ("verify bad.wad", 1, "checksum mismatch"),
        ("diff bad.wad base.wad", 2, "bad.wad: lump "),
        ("why ANIM/a bad.wad", 1, "bad.wad: lump "),
        ("why ANIM/a base.wad", 1, "no archive has the lump ANIM/a"),
        ("extract base.wad ANIM/a -o out", 1, "base.wad: no lump ANIM/a"),
        ("add base.wad --from foreign.wad", 1, "foreign.wad: not a Keypose archive"),
        ("add base.wad --lump base.wad", 1, "base.wad: not KIND/NAME.lump"),
        ("remove base.wad ANIM/a", 1, "base.wad: "),
        ("patch base.wad p.wad -o x.wad", 1, "p.wad: this is a patch"),
        ("merge p.wad base.wad -o x.wad", 1, "x.wad: "),
        ("salvage foreign.wad -o x.wad", 1, "foreign.wad: nothing could be recovered"),
        ("repack missing.wad", 1, "missing.wad: no such file"),
        ("repack base.wad -o foreign.wad", 1, "foreign.wad: an existing file that is not an archive is not replaced"),
    ];
    for (words, wanted, reason) in cases {
        let (code, _, error) = folder.wad(words);
        assert_eq!(code, wanted, "{words}: {error}");
        assert!(
            error.starts_with("keypose: ") && error.contains(reason) && error.lines().count() == 1,
            "{words}: {error}"
        );
        let (code, out, _) = folder.wad(&format!("{words} --json"));
        let json: Value = serde_json::from_str(&out).unwrap_or_else(|bad| panic!("{words}: {bad}: {out}"));
        assert_eq!(code, wanted, "{words}");
        assert_eq!(format!("keypose: {}\n", json["error"].as_str().unwrap()), error, "{words}");
    }
    assert_eq!(folder.bytes("foreign.wad"), b"glTF");
    let verified = folder.json("verify bad.wad --json");
    assert_eq!(verified["whole"], false);
    assert!(verified["lump"].as_str().unwrap().contains('/') && verified["offset"].as_u64().unwrap() > 0, "{verified}");
    assert!(!folder.0.join("x.wad").exists());
}

#[test]
fn help_lists_the_exit_codes() {
    let folder = Desk::new("help");
    let commands = "list verify diff why extract add remove merge patch salvage repack";
    for command in ["", commands].iter().flat_map(|words| words.split(' ')) {
        let help = folder.done(&format!("{command} --help"));
        assert!(help.contains("Exit codes:\n  0  success") && help.contains("\n  2  "), "{command}: {help}");
    }
}
