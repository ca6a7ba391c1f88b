//! A graphics context that is lost while the editor runs.
#![cfg(target_os = "linux")]

use std::time::Instant;

use crate::folder::Folder;
use crate::window::{Editor, Screen, demo_in, quit};

#[test]
fn the_editor_looks_and_works_the_same_after_its_context_was_lost() {
    let Some(screen) = Screen::open() else { return };
    let folder = Folder::new("loss");
    let file = demo_in(&folder);
    let editor = Editor::open(&screen, &file, &folder);
    let before = screen.settled_picture();
    quit(editor);

    let mut editor = Editor::open_with(&screen, &file, &folder, &["--simulate-context-loss", "12"]);
    let since = Instant::now();
    let printed = || std::fs::read_to_string(folder.join("stderr.txt")).unwrap();
    while !printed().contains("lost its context") {
        editor.must_run(since, "loss of the context");
    }
    // Thumbnails are drawn later, and the status bar shows when the journal was written.
    let different = || {
        let after = screen.picture();
        before.chunks_exact(4).zip(after.chunks_exact(4)).filter(|(a, b)| a != b).count()
    };
    while different() * 200 * 4 > before.len() {
        editor.must_run(since, "picture as before");
    }
    editor.press("n", |title| title == "• knight.wad – Keypose");
    drop(editor);
}
