//! The real program in a real window, driven by real keys: an editor is opened on a copy of the demo archive, a clip is
//! added and saved, played in the gameplay mode, and the window is closed from the keyboard. Under Xvfb, without a
//! window manager, on the software driver.
#![cfg(target_os = "linux")]

use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::folder::Folder;
use crate::needs;
use crate::root::root;

/// A drawn frame takes 50 ms on a calm machine; this is for one that does much else.
const LONGEST_WAIT: Duration = Duration::from_secs(180);
/// A key that was sent before the program listened is sent again after this.
const AGAIN: Duration = Duration::from_secs(20);

/// A child that does not outlive the test.
pub struct Running(Child);

impl Drop for Editor<'_> {
    fn drop(&mut self) {
        let folder = self.folder.clone();
        let printed = std::fs::read_to_string(folder.join("stderr.txt")).unwrap_or_default();
        eprint!("{printed}");
        let is_wrong = printed.contains("keypose: OpenGL:");
        assert!(!is_wrong || std::thread::panicking(), "the driver reports wrong calls: {printed}");
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A display without a monitor.
pub struct Screen {
    /// ":99".
    pub name: String,
    /// The folder with its picture.
    pub pixels: Folder,
    _server: Running,
}

impl Screen {
    /// A display of its own; `None` where there are no programs for it.
    pub fn open() -> Option<Screen> {
        let is_there = |program: &str| {
            let found = Command::new(program).arg("-help").stdout(Stdio::null()).stderr(Stdio::null()).status();
            found.is_ok()
        };
        if !is_there("Xvfb") || !is_there("xdotool") {
            needs::missing("window", "Xvfb or xdotool is missing");
            return None;
        }
        let pixels = Folder::new("pixels");
        let arguments = ["-displayfd", "1", "-screen", "0", "1280x720x24", "-nolisten", "tcp", "-fbdir"];
        let child =
            Command::new("Xvfb").args(arguments).arg(&*pixels).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let mut server = Running(child.unwrap());
        let mut number = String::new();
        BufReader::new(server.0.stdout.take().unwrap()).read_line(&mut number).unwrap();
        assert!(!number.trim().is_empty(), "Xvfb did not start");
        Some(Screen { name: format!(":{}", number.trim()), pixels, _server: server })
    }

    /// The picture that it shows: rows of its pixels.
    pub fn picture(&self) -> Vec<u8> {
        // An XWD file: a header of 32-bit numbers, the window's name, colours of 12 bytes, then pixels.
        let bytes = std::fs::read(self.pixels.join("Xvfb_screen0")).unwrap();
        let number = |at: usize| u32::from_be_bytes(std::array::from_fn(|part| bytes[4 * at + part])) as usize;
        let start = number(0) + 12 * number(19);
        bytes[start..start + number(12) * number(5)].to_vec()
    }

    /// The picture, after it stayed the same for a while. In the first frame, after which a busy machine takes its time, panels are empty.
    pub fn settled_picture(&self) -> Vec<u8> {
        let since = Instant::now();
        let (mut picture, mut same) = (self.picture(), 0);
        let is_empty = |picture: &[u8]| {
            let middle = &picture[picture.len() / 2..][..4];
            2 * picture.chunks_exact(4).filter(|pixel| *pixel == middle).count() > picture.len() / 4
        };
        while same < 20 || is_empty(&picture) {
            assert!(since.elapsed() < LONGEST_WAIT, "the picture does not settle");
            std::thread::sleep(Duration::from_millis(100));
            let next = self.picture();
            same = if next == picture { same + 1 } else { 0 };
            picture = next;
        }
        picture
    }

    /// What xdotool prints; `None` if it fails.
    pub fn xdotool(&self, arguments: &[&str]) -> Option<String> {
        let output = Command::new("xdotool").args(arguments).env("DISPLAY", &self.name).output().unwrap();
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }
}

/// The editor and its window.
pub struct Editor<'a> {
    /// Where it is.
    pub screen: &'a Screen,
    program: Running,
    window: String,
    folder: PathBuf,
}

impl<'a> Editor<'a> {
    /// Starts it, and waits for its window.
    pub fn open(screen: &'a Screen, file: &Path, folder: &Path) -> Editor<'a> {
        Editor::open_with(screen, file, folder, &[])
    }

    /// The same with more arguments. What it prints to stderr is in `stderr.txt` of the folder; the driver checks every call.
    pub fn open_with(screen: &'a Screen, file: &Path, folder: &Path, more: &[&str]) -> Editor<'a> {
        let arguments: Vec<&OsStr> = more.iter().map(OsStr::new).chain([file.as_os_str()]).collect();
        Editor::start(screen, folder, &arguments)
    }

    fn start(screen: &'a Screen, folder: &Path, arguments: &[&OsStr]) -> Editor<'a> {
        let mut program = Command::new(env!("CARGO_BIN_EXE_keypose"));
        program.stderr(std::fs::File::create(folder.join("stderr.txt")).unwrap()).env("KEYPOSE_GL_CHECKS", "1");
        program
            .args(arguments)
            .env("DISPLAY", &screen.name)
            .env("LIBGL_ALWAYS_SOFTWARE", "1")
            .env_remove("WAYLAND_DISPLAY");
        for name in ["HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"] {
            program.env(name, folder);
        }
        let mut editor =
            Editor { screen, program: Running(program.spawn().unwrap()), window: String::new(), folder: folder.into() };
        let since = Instant::now();
        while editor.window.is_empty() {
            editor.must_run(since, "a window");
            let found = screen.xdotool(&["search", "--onlyvisible", "--name", "Keypose$"]);
            editor.window = found.and_then(|ids| ids.lines().next().map(str::to_owned)).unwrap_or_default();
        }
        editor
    }

    fn title(&self) -> String {
        self.screen.xdotool(&["getwindowname", &self.window]).unwrap_or_default()
    }

    /// Waits a little, and fails where the program ended or nothing came.
    pub fn must_run(&mut self, since: Instant, waiting_for: &str) {
        let ended = self.program.0.try_wait().unwrap();
        assert!(ended.is_none(), "the editor ended with {ended:?} while waiting for {waiting_for}");
        let title = if self.window.is_empty() { String::new() } else { self.title() };
        assert!(since.elapsed() < LONGEST_WAIT, "no {waiting_for} after {LONGEST_WAIT:?}; the title is {title:?}");
        std::thread::sleep(Duration::from_millis(50));
    }

    /// Waits for its end.
    fn ended(&mut self) -> ExitStatus {
        let since = Instant::now();
        loop {
            if let Some(ended) = self.program.0.try_wait().unwrap() {
                return ended;
            }
            assert!(since.elapsed() < LONGEST_WAIT, "the editor does not end");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Ends it as a crash does.
    fn kill(mut self) {
        self.program.0.kill().unwrap();
        self.program.0.wait().unwrap();
    }

    /// Presses a key with the mouse over the picture, until the title is as wanted.
    pub fn press(&mut self, key: &str, wanted: impl Fn(&str) -> bool) {
        self.act(["640", "300"], &["key", key], wanted);
    }

    /// Clicks at a place, until the title is as wanted.
    fn click(&mut self, at: [&str; 2], wanted: impl Fn(&str) -> bool) {
        self.act(at, &["click", "1"], wanted);
    }

    fn act(&mut self, at: [&str; 2], action: &[&str], wanted: impl Fn(&str) -> bool) {
        let since = Instant::now();
        let mut sent: Option<Instant> = None;
        while !wanted(&self.title()) {
            if sent.is_none_or(|sent| sent.elapsed() > AGAIN) {
                self.screen.xdotool(&["mousemove", at[0], at[1], "windowfocus", &self.window]);
                // A click counts where the mouse was seen before.
                std::thread::sleep(Duration::from_millis(300));
                self.screen.xdotool(action);
                sent = Some(Instant::now());
            }
            self.must_run(since, &format!("effect of {action:?}"));
        }
    }
}

fn clips_of(file: &Path) -> usize {
    keypose::wad::decode(&std::fs::read(file).unwrap()).unwrap().project.models[0].clips.len()
}

/// Whether there is unsaved work in a folder for state.
fn has_work(folder: &Path) -> bool {
    let entries = std::fs::read_dir(folder.join("keypose/work")).into_iter().flatten().map(Result::unwrap);
    entries.into_iter().any(|entry| entry.path().join("steps").exists())
}

/// A copy of the demo.
pub fn demo_in(folder: &Path) -> PathBuf {
    let file = folder.join("knight.wad");
    std::fs::copy(root().join("data/demo.wad"), &file).unwrap();
    file
}

/// Closes the editor by its own command, and waits until it has ended.
pub fn quit(mut editor: Editor<'_>) {
    editor.screen.xdotool(&["mousemove", "640", "300", "windowfocus", &editor.window, "key", "ctrl+q"]);
    let ended = editor.ended();
    assert!(ended.success(), "{ended:?}");
}

#[test]
fn a_clip_is_added_saved_and_played_and_the_file_looks_as_it_was_left_when_it_is_opened_again() {
    let Some(screen) = Screen::open() else { return };
    let folder = Folder::new("keys");
    let file = demo_in(&folder);
    let clips = clips_of(&file);
    let view = || {
        let entry = std::fs::read_dir(folder.join("keypose/views")).unwrap().next().unwrap().unwrap();
        let value: serde_json::Value = serde_json::from_slice(&std::fs::read(entry.path()).unwrap()).unwrap();
        (entry.path(), value)
    };

    let mut editor = Editor::open(&screen, &file, &folder);
    editor.press("n", |title| title == "• knight.wad – Keypose");
    // The new clip asks for its name; Escape keeps the default one.
    editor.screen.xdotool(&["key", "Escape"]);
    editor.press("ctrl+s", |title| title == "knight.wad – Keypose");
    assert!(clips_of(&file) > clips, "the new clip is not in the file");
    editor.press("F5", |title| title == "knight.wad, playing – Keypose");
    editor.press("F5", |title| title == "knight.wad – Keypose");
    quit(editor);
    let (path, first) = view();
    assert_eq!((first["clip"].as_str(), first["time_in_flicks"].as_i64()), (Some("clip"), Some(0)), "{first}");
    assert!(!first["panels"]["lines"].as_array().unwrap().is_empty());

    let mut other = first.clone();
    other["clip"] = "walk".into();
    other["time_in_flicks"] = 141_120_000.into();
    other["hidden"] = ["head", "plume"].into();
    other["pins"] = ["foot.L"].into();
    other["bone_sets"] = serde_json::json!({ "1": ["hand.L", "hand.R"] });
    other["timeline"] = "Curves".into();
    other["camera"]["yaw"] = 1.5.into();
    other["camera"]["is_parallel"] = true.into();
    std::fs::write(&path, other.to_string()).unwrap();
    let mut editor = Editor::open(&screen, &file, &folder);
    editor.press("alt+a", |title| title == "knight.wad – Keypose");
    quit(editor);
    let (_, again) = view();
    for field in ["model", "clip", "time_in_flicks", "hidden", "pins", "bone_sets", "timeline", "camera"] {
        assert_eq!(again[field], other[field], "{field}");
    }
}

/// Keys by their number on the keyboard, which no layout changes.
const Q: &str = "24";
const W: &str = "25";
const R: &str = "27";
const DIGIT_2: &str = "11";
const ENTER: &str = "36";
const BRACKET_RIGHT: &str = "35";

/// At last on a French keyboard (AZERTY): shortcuts and amounts by the keys that have them printed, and the names of keys.
#[test]
fn keys_work_after_the_focus_was_elsewhere_and_by_what_is_printed_on_them() {
    let Some(screen) = Screen::open() else { return };
    let folder = Folder::new("focus");
    let file = demo_in(&folder);
    let mut editor = Editor::open(&screen, &file, &folder);
    editor.press("alt+a", |title| title == "knight.wad – Keypose");
    editor.press("ctrl+c", |_| folder.join("keypose/clipboard.txt").exists());
    // Without a window (1 is the root, where the pointer is), then back; the mouse stays over the viewport. What was typed just before the
    // focus goes is dropped, so a slow machine may need the keys again.
    let (since, mut sent) = (Instant::now(), None::<Instant>);
    while editor.title() != "• knight.wad – Keypose" {
        if sent.is_none_or(|sent| sent.elapsed() > AGAIN) {
            for key in ["a", "alt+r"] {
                screen.xdotool(&["windowfocus", "1", "windowfocus", &editor.window, "key", key]);
            }
            sent = Some(Instant::now());
        }
        editor.must_run(since, "pose");
    }
    editor.press("ctrl+s", |title| title == "knight.wad – Keypose");
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
}

/// `xdotool windowclose` destroys the window without asking the program.
#[test]
fn work_and_a_copied_pose_outlive_a_window_that_is_taken_away_and_a_kill() {
    let Some(screen) = Screen::open() else { return };
    let folder = Folder::new("kill");
    let file = demo_in(&folder);
    std::fs::create_dir_all(folder.join("keypose")).unwrap();
    let keys = r#"{ "keys": { "DiscardRecovered": ["F9"] }, "theme": "Light" }"#;
    std::fs::write(folder.join("keypose/preferences.json"), keys).unwrap();
    let clipboard = folder.join("keypose/clipboard.txt");

    let mut editor = Editor::open(&screen, &file, &folder);
    editor.press("alt+a", |title| title == "knight.wad – Keypose");
    editor.press("ctrl+c", |_| clipboard.exists());
    let text = std::fs::read_to_string(&clipboard).unwrap();
    assert!(text.starts_with("Keypose clipboard 1\npose ") && text.contains(" upper_arm.L\n"), "{text}");
    editor.press("n", |title| title == "• knight.wad – Keypose");
    screen.xdotool(&["windowclose", &editor.window]);
    let ended = editor.ended();
    // A panic ends with 101.
    assert_eq!(ended.code(), Some(1), "{ended:?}");
    assert!(has_work(&folder), "the work is gone");
    drop(editor);

    let mut editor = Editor::open(&screen, &file, &folder);
    editor.press("alt+a", |title| title == "• knight.wad – Keypose");
    editor.press("ctrl+s", |title| title == "knight.wad – Keypose");
    editor.press("n", |title| title == "• knight.wad – Keypose");
    editor.kill();

    let mut editor = Editor::open(&screen, &file, &folder);
    editor.press("alt+a", |title| title == "• knight.wad – Keypose");
    // The first asks, the second does.
    editor.screen.xdotool(&["mousemove", "640", "300", "windowfocus", &editor.window, "key", "F9"]);
    editor.press("F9", |title| title == "knight.wad – Keypose");
    assert!(!has_work(&folder), "the work is still there");
    editor.press("ctrl+v", |title| title == "• knight.wad – Keypose");
    drop(editor);
    let kept = std::fs::read_to_string(folder.join("keypose/preferences.json")).unwrap();
    assert!(kept.contains("\"F9\"") && kept.contains("\"Light\"") && kept.contains("knight.wad"), "{kept}");
}

/// The demo has no file that could be opened again: only the start screen leads back to it.
#[test]
fn the_start_screen_brings_back_the_demo_of_a_killed_editor() {
    let Some(screen) = Screen::open() else { return };
    let folder = Folder::new("start");
    let mut editor = Editor::start(&screen, &folder, &[]);
    // Open demo, below the title.
    let title = "demo.wad – Keypose";
    editor.click(["640", "178"], |shown| shown == title);
    editor.press("n", |shown| shown == format!("• {title}"));
    editor.kill();
    let mut editor = Editor::start(&screen, &folder, &[]);
    // Open, on the card of unsaved work.
    editor.click(["629", "240"], |shown| shown == format!("• {title}"));
    // Escape keeps the name of the new clip; undo leads back to the demo as it was.
    editor.screen.xdotool(&["key", "Escape"]);
    editor.press("ctrl+z", |shown| shown == title);
    drop(editor);
    let kept = std::fs::read_to_string(folder.join("keypose/preferences.json")).unwrap_or_default();
    assert!(!kept.contains("keypose/work"), "the recent files name the folder of unsaved work: {kept}");
}
