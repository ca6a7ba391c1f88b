//! The real program on a French keyboard (AZERTY): shortcuts and amounts by the keys that have them printed, and the
//! names of keys.
#![cfg(target_os = "linux")]

use std::process::Command;

use crate::folder::folder;
use crate::needs;
use crate::window::{Editor, Screen, demo_in, quit};

/// Keys by their number on the keyboard, which no layout changes.
const Q: &str = "24";
const W: &str = "25";
const R: &str = "27";
const DIGIT_2: &str = "11";
const ENTER: &str = "36";
const BRACKET_RIGHT: &str = "35";

#[test]
fn on_azerty_shortcuts_amounts_and_names_follow_the_printed_keys() {
    let Some(screen) = Screen::open() else { return };
    let folder = folder("azerty");
    let file = demo_in(&folder);
    let mut editor = Editor::open(&screen, &file, &folder);
    // Not before: without a client, the display returns to its first layout.
    let layout = Command::new("setxkbmap").args(["-display", &screen.name, "fr"]).output();
    if !layout.is_ok_and(|output| output.status.success()) {
        return needs::missing("window", "setxkbmap is missing");
    }
    editor.press("n", |title| title == "• knight.wad – Keypose");
    screen.xdotool(&["key", "Escape"]);
    // The key of W has a Z.
    editor.press(&format!("ctrl+{W}"), |title| title == "knight.wad – Keypose");
    // A on the key of Q selects all bones; the key of 2 types "é", which is an amount of 2.
    screen.xdotool(&["mousemove", "700", "250"]);
    for key in [Q, R, DIGIT_2, ENTER] {
        screen.xdotool(&["key", "--delay", "300", key]);
    }
    editor.press("Shift_L", |title| title == "• knight.wad – Keypose");
    editor.press("ctrl+s", |title| title == "knight.wad – Keypose");
    screen.xdotool(&["key", BRACKET_RIGHT]);
    quit(editor);
    let kept = std::fs::read_to_string(folder.join("keypose/preferences.json")).unwrap();
    let kept: serde_json::Value = serde_json::from_str(&kept).unwrap();
    let printed = &kept["printed_keys"];
    for (place, sign) in [("Q", "A"), ("W", "Z"), ("]", "$")] {
        assert_eq!(printed[place], sign, "{printed}");
    }
    let _ = std::fs::remove_dir_all(&folder);
}
