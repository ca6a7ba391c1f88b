//! The action that checks the archives of a pull request: which archives it looks at, its summary and its exit code.
#![cfg(unix)]

use std::fs;
use std::process::Command;

use crate::folder::Folder;
use crate::process::keeps_in;
use crate::root::root;

fn git(folder: &Folder, arguments: &[&str]) -> String {
    let identity = ["-c", "user.name=test", "-c", "user.email=test@localhost"];
    let output = Command::new("git").current_dir(&**folder).args(identity).args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// The summary, and whether the action succeeds.
fn check(folder: &Folder, variables: &[(&str, &str)]) -> (String, bool) {
    let summary = folder.join("summary.md");
    let _ = fs::remove_file(&summary);
    let mut action = Command::new(root().join(".github/actions/check/check"));
    action.current_dir(&**folder).env("KEYPOSE", env!("CARGO_BIN_EXE_keypose")).env("GITHUB_STEP_SUMMARY", &summary);
    action.envs(keeps_in(&folder.state));
    let output = action.envs(variables.iter().copied()).output().unwrap();
    (fs::read_to_string(&summary).unwrap(), output.status.success())
}

#[test]
fn the_action_checks_changed_archives_and_sums_up() {
    let folder = Folder::new("action");
    git(&folder, &["init", "--quiet"]);
    let archive = root().join("data/tests/arm.wad");
    fs::copy(&archive, folder.join("old.wad")).unwrap();
    git(&folder, &["add", "old.wad"]);
    git(&folder, &["commit", "--quiet", "-m", "old"]);
    let base = git(&folder, &["rev-parse", "HEAD"]);
    assert_eq!(check(&folder, &[("BASE", &base)]), ("No archives were changed.\n".to_owned(), true));
    fs::copy(&archive, folder.join("new | one.wad")).unwrap();
    git(&folder, &["add", "*.wad"]);
    git(&folder, &["commit", "--quiet", "-m", "new"]);
    let (summary, is_good) = check(&folder, &[("BASE", &base)]);
    assert!(is_good && summary.contains("| `new \\| one.wad` | ✓ 0 warnings"), "{summary}");
    assert!(summary.contains("<details><summary>new | one.wad</summary>") && !summary.contains("old.wad"), "{summary}");
    fs::write(folder.join("broken.wad"), &fs::read(&archive).unwrap()[..3000]).unwrap();
    let (summary, is_good) = check(&folder, &[("FILES", "old.wad broken.wad")]);
    assert!(!is_good && summary.contains("| `old.wad` | ✓") && summary.contains("| `broken.wad` | ✗"), "{summary}");
    assert!(summary.contains("cut off"), "{summary}");
}
