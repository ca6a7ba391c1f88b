//! The preference file: JSON in the platform's folder for preferences. Unreadable parts get their defaults and are
//! reported, and the file is kept. A thread writes the file atomically.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use serde_json::{Value, json};

use keypose_editor::editor::commands::stored::{self, Reader, strings};
use keypose_editor::editor::session::preferences::Preferences;
use keypose_editor::editor::session::shortcuts::Bindings;

use crate::app::files::{folders, own_files, regular_files, save};
use crate::app::play::controls::{self, Controls};

/// The layout of the panels, as saved by Dear ImGui.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    /// Dear ImGui's text.
    pub ini: String,
    /// The names of all panels. The layout is only valid for the same ones.
    pub panels: Vec<String>,
    /// The size of the dock space in points, if all panels were where it puts them: the layout then follows another size.
    pub untouched: Option<[f64; 2]>,
}

/// The content of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SavedState {
    /// Preferences and recent files.
    pub preferences: Preferences,
    /// The shortcuts that differ from the defaults.
    pub bindings: Bindings,
    /// The controls of the game.
    pub controls: Controls,
    /// The window's inner size in points.
    pub window: Option<[f64; 2]>,
    /// Whether the window was maximized.
    pub is_maximized: bool,
    /// The layout of the panels.
    pub layout: Option<Layout>,
}

/// The saved state, and problems with it, one sentence each.
pub type Loaded = (SavedState, Vec<String>);

/// The path of this user's preference file. `None` if the system has no home folder.
pub fn file() -> Option<PathBuf> {
    Some(folders::config()?.join("preferences.json"))
}

/// Loads the file. Without one, returns the defaults.
pub fn load(path: &Path) -> Loaded {
    let bytes = match regular_files::read(path, regular_files::MAX_TEXT_BYTES) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Loaded::default(),
        Err(error) => return (SavedState::default(), vec![set_aside(path, &error.to_string())]),
    };
    let (kept, faults, unknown) = parse(&bytes);
    let mut notes = if faults.is_empty() { Vec::new() } else { vec![set_aside(path, &faults.join("; "))] };
    if !unknown.is_empty() {
        let (shown, names) = (path.display(), unknown.join(", "));
        notes.push(format!(
            "{shown}: no such commands: {names}. Their keys are ignored; set them again in the preferences"
        ));
    }
    (kept, notes)
}

/// Parses the file. Returns problems, one each, and the commands with changed keys that this version doesn't have.
pub fn parse(bytes: &[u8]) -> (SavedState, Vec<String>, Vec<String>) {
    match Reader::parse(bytes) {
        Ok(mut reader) => (read(&mut reader), reader.faults.clone(), reader.unknown_commands()),
        Err(fault) => (SavedState::default(), vec![fault], Vec::new()),
    }
}

fn read(reader: &mut Reader) -> SavedState {
    let (preferences, bindings) = reader.preferences();
    let mut kept = SavedState { preferences, bindings, ..SavedState::default() };
    reader.take("window", |value| sides(value).map(Some), &mut kept.window);
    reader.take("maximized", Value::as_bool, &mut kept.is_maximized);
    reader.take("controls", controls::stored::read, &mut kept.controls);
    reader.take("panels", |value| layout(value).map(Some), &mut kept.layout);
    kept
}

/// Formats the file.
pub fn text(kept: &SavedState) -> String {
    format!("{:#}\n", value(kept))
}

fn value(kept: &SavedState) -> Value {
    let SavedState { preferences, bindings, controls, window, is_maximized, layout } = kept;
    let mut value = stored::value(preferences, bindings);
    value["maximized"] = json!(is_maximized);
    value["controls"] = controls::stored::value(controls);
    if let Some(size) = window {
        value["window"] = json!(size);
    }
    if let Some(layout) = layout {
        value["panels"] = layout_value(layout);
    }
    value
}

/// The content of a file with the changes of this window from `before` to `now`: what another window wrote there stays.
fn merged(path: &Path, before: &Value, now: &Value) -> Value {
    let there = regular_files::read(path, regular_files::MAX_TEXT_BYTES).map(|bytes| parse(&bytes));
    let Some((there, ..)) = there.ok().filter(|(_, faults, _)| faults.is_empty()) else { return now.clone() };
    let mut merged = value(&there);
    for (name, field) in now.as_object().into_iter().flatten() {
        if before.get(name) != Some(field) {
            merged[name] = field.clone();
        }
    }
    merged
}

fn sides(value: &Value) -> Option<[f64; 2]> {
    let [width, height] = value.as_array()?.as_slice() else { return None };
    let sides = [width.as_f64()?, height.as_f64()?];
    sides.iter().all(|side| (100.0..=50_000.0).contains(side)).then_some(sides)
}

/// Formats a layout.
pub(super) fn layout_value(layout: &Layout) -> Value {
    let lines: Vec<&str> = layout.ini.split('\n').collect();
    json!({ "names": layout.panels, "lines": lines, "check": check(&layout.ini), "untouched": layout.untouched })
}

/// Reads a layout. Dear ImGui aborts the program on an inconsistent one, so only what it wrote itself is accepted.
pub(super) fn layout(value: &Value) -> Option<Layout> {
    let ini = strings(value.get("lines")?)?.join("\n");
    let panels = strings(value.get("names")?)?;
    let untouched = value.get("untouched").and_then(sides);
    let is_whole = value.get("check")?.as_str()? == check(&ini);
    is_whole.then_some(Layout { ini, panels, untouched })
}

fn check(ini: &str) -> String {
    format!("{:016x}", xxhash_rust::xxh3::xxh3_64(ini.as_bytes()))
}

/// Renames the file after a start with it that crashed, and returns the defaults. Without a file there is nothing to report.
pub fn load_after_crash(path: &Path) -> Loaded {
    let reason = "the program crashed when it started with these preferences";
    let notes = if path.is_file() { vec![set_aside(path, reason)] } else { Vec::new() };
    (SavedState::default(), notes)
}

/// The maximum number of files that are set aside; then the last one is replaced.
const MAX_ASIDE: u32 = 9;

/// Renames an unreadable file. Returns a sentence for the log.
fn set_aside(path: &Path, reason: &str) -> String {
    let name = |number: u32| if number == 1 { ".damaged".to_owned() } else { format!(".damaged-{number}") };
    let mut names = (1..=MAX_ASIDE).map(|number| own_files::with_ending(path, &name(number)));
    let free = names.clone().find(|beside| !own_files::is_taken(beside));
    let Some(beside) = free.or_else(|| names.next_back()) else { return String::new() };
    let shown = path.display();
    match fs::rename(path, &beside) {
        Ok(()) => format!("{shown}: {reason}. The defaults are used; the file is kept as {}", beside.display()),
        Err(_) => format!("{shown}: {reason}. The defaults are used"),
    }
}

/// Writes the state when it changes, in its own thread.
pub struct StateWriter {
    last: SavedState,
    sender: Option<Sender<Value>>,
    worker: Option<JoinHandle<()>>,
    troubles: Receiver<String>,
}

impl StateWriter {
    /// Writes to a path, or nowhere without one. `known` is the current content of the file.
    pub fn new(path: Option<PathBuf>, known: SavedState) -> StateWriter {
        let (sender, values) = channel::<Value>();
        let (trouble, troubles) = channel();
        let before = value(&known);
        let write_all = move |path: PathBuf| {
            let (mut before, mut has_failed) = (before, false);
            while let Ok(now) = values.recv() {
                // Only the last one matters.
                let now = values.try_iter().last().unwrap_or(now);
                let text = format!("{:#}\n", merged(&path, &before, &now));
                let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
                let done = folder.and_then(|()| save::replace(&path, text.as_bytes()));
                if done.is_ok() {
                    before = now;
                }
                if let (Err(error), false) = (&done, has_failed) {
                    let shown = path.display();
                    let _ = trouble.send(format!("{shown}: could not save the preferences ({error})"));
                }
                has_failed = done.is_err();
            }
        };
        let worker = path.map(|path| std::thread::spawn(move || write_all(path)));
        StateWriter { last: known, sender: worker.is_some().then_some(sender), worker, troubles }
    }

    /// The state that was saved last.
    pub fn last(&self) -> &SavedState {
        &self.last
    }

    /// Saves the state if it changed.
    pub fn save(&mut self, kept: SavedState) {
        if kept != self.last {
            self.write(kept);
        }
    }

    fn write(&mut self, kept: SavedState) {
        if let Some(sender) = &self.sender {
            // The thread ends when this value is dropped.
            let _ = sender.send(value(&kept));
        }
        self.last = kept;
    }

    /// The last error, once.
    pub fn take_error(&self) -> Option<String> {
        self.troubles.try_recv().ok()
    }
}

impl Drop for StateWriter {
    /// Waits until the last state is written.
    fn drop(&mut self) {
        self.sender = None;
        if let Some(worker) = self.worker.take() {
            let _ = worker.join();
        }
    }
}
