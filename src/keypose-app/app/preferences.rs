//! The preference file: JSON in the platform's folder for preferences. Unreadable parts get their defaults and are
//! reported, and the file is kept. A thread writes the file atomically.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use serde_json::{Map, Value, json};

use keypose::assets::import_options::{ImportOptions, words_of};
use keypose_editor::editor::commands::CATALOGUE;
use keypose_editor::editor::session::command::Command;
use keypose_editor::editor::session::preferences::{Arrangement, FileDialogs, ModelFiles, Preferences, Shade};
use keypose_editor::editor::session::printed_keys::PrintedKeys;
use keypose_editor::editor::session::shortcuts::{Bindings, Stroke};

use crate::app::files::{folders, own_files, regular_files, save};
use crate::app::play::controls::{Controls, stored};

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
    let (kept, faults) = parse(&bytes);
    let mut notes = if faults.is_empty() { Vec::new() } else { vec![set_aside(path, &faults.join("; "))] };
    let unknown = unknown_commands(&bytes);
    if !unknown.is_empty() {
        let (shown, names) = (path.display(), unknown.join(", "));
        notes.push(format!(
            "{shown}: no such commands: {names}. Their keys are ignored; set them again in the preferences"
        ));
    }
    (kept, notes)
}

/// Parses the file. Returns problems, one each.
pub fn parse(bytes: &[u8]) -> (SavedState, Vec<String>) {
    let value = match serde_json::from_slice::<Value>(bytes) {
        Ok(Value::Object(fields)) => fields,
        Ok(_) => return (SavedState::default(), vec!["not a JSON object".into()]),
        Err(error) => return (SavedState::default(), vec![error.to_string()]),
    };
    let mut reader = Reader { fields: value, faults: Vec::new() };
    let mut kept = SavedState::default();
    let preferences = &mut kept.preferences;
    reader.take("theme", |value| named(value, &Shade::ALL, Shade::name), &mut preferences.shade);
    let scale = |value: &Value| value.as_u64().and_then(|scale| u16::try_from(scale).ok());
    let mut percent = preferences.scale_percent;
    reader.take("size", scale, &mut percent);
    preferences.set_scale(percent);
    let arrangement = |value: &Value| named(value, &Arrangement::ALL, Arrangement::name);
    reader.take("layout", arrangement, &mut preferences.arrangement);
    reader.take("auto_perspective", Value::as_bool, &mut preferences.auto_perspective);
    reader.take("knows_first_steps", Value::as_bool, &mut preferences.knows_first_steps);
    preferences.recent = reader.paths("recent", Preferences::MAX_RECENT);
    preferences.folders = reader.paths("folders", Preferences::MAX_FOLDERS);
    preferences.favourites = reader.paths("favourites", usize::MAX);
    let dialogs = |value: &Value| named(value, &FileDialogs::ALL, FileDialogs::name);
    reader.take("dialogs", dialogs, &mut preferences.dialogs);
    let files = |value: &Value| named(value, &ModelFiles::ALL, ModelFiles::name);
    reader.take("model_files", files, &mut preferences.model_files);
    reader.take("import_options", import_options, &mut preferences.import_options);
    reader.take("printed_keys", printed_keys, &mut preferences.printed_keys);
    reader.take("muted", Value::as_bool, &mut preferences.is_muted);
    reader.take("window", |value| sides(value).map(Some), &mut kept.window);
    reader.take("maximized", Value::as_bool, &mut kept.is_maximized);
    reader.take("keys", bindings, &mut kept.bindings);
    reader.take("controls", stored::read, &mut kept.controls);
    reader.take("panels", |value| layout(value).map(Some), &mut kept.layout);
    (kept, reader.faults)
}

/// Formats the file.
pub fn text(kept: &SavedState) -> String {
    let SavedState { preferences, bindings, controls, window, is_maximized, layout } = kept;
    let strokes = |strokes: &Vec<Stroke>| strokes.iter().map(Stroke::to_string).collect::<Vec<_>>();
    let keys = bindings.changed().iter().map(|(command, list)| (name_of(*command), json!(strokes(list))));
    let paths = |paths: &[PathBuf]| json!(paths.iter().map(|path| path.to_string_lossy()).collect::<Vec<_>>());
    let printed = preferences.printed_keys.pairs().map(|(place, printed)| (place.to_string(), json!(printed)));
    let mut value = json!({
        "theme": preferences.shade.name(),
        "size": preferences.scale_percent,
        "layout": preferences.arrangement.name(),
        "auto_perspective": preferences.auto_perspective,
        "knows_first_steps": preferences.knows_first_steps,
        "recent": paths(&preferences.recent),
        "folders": paths(&preferences.folders),
        "favourites": paths(&preferences.favourites),
        "dialogs": preferences.dialogs.name(),
        "model_files": preferences.model_files.name(),
        "import_options": words_of(&preferences.import_options.for_any_file()),
        "printed_keys": printed.collect::<Map<String, Value>>(),
        "muted": preferences.is_muted,
        "maximized": is_maximized,
        "keys": keys.collect::<Map<String, Value>>(),
        "controls": stored::value(controls),
    });
    if let Some(size) = window {
        value["window"] = json!(size);
    }
    if let Some(layout) = layout {
        value["panels"] = layout_value(layout);
    }
    format!("{value:#}\n")
}

/// Reads fields one by one, so that an invalid one affects only itself.
struct Reader {
    fields: Map<String, Value>,
    faults: Vec<String>,
}

impl Reader {
    fn paths(&mut self, name: &str, max: usize) -> Vec<PathBuf> {
        let mut paths = Vec::new();
        self.take(name, strings, &mut paths);
        paths.into_iter().take(max).map(PathBuf::from).collect()
    }

    fn take<T>(&mut self, name: &str, read: impl Fn(&Value) -> Option<T>, into: &mut T) {
        match self.fields.get(name).map(read) {
            Some(Some(value)) => *into = value,
            Some(None) => self.faults.push(format!("\"{name}\" is not valid")),
            None => {}
        }
    }
}

fn named<T: Copy>(value: &Value, all: &[T], name: fn(T) -> &'static str) -> Option<T> {
    let wanted = value.as_str()?;
    all.iter().copied().find(|&one| name(one).eq_ignore_ascii_case(wanted))
}

pub(super) fn strings(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|one| Some(one.as_str()?.to_owned())).collect()
}

fn sides(value: &Value) -> Option<[f64; 2]> {
    let [width, height] = value.as_array()?.as_slice() else { return None };
    let sides = [width.as_f64()?, height.as_f64()?];
    sides.iter().all(|side| (100.0..=50_000.0).contains(side)).then_some(sides)
}

/// The commands with changed keys that this version doesn't have.
fn unknown_commands(bytes: &[u8]) -> Vec<String> {
    let fields: Value = serde_json::from_slice(bytes).unwrap_or_default();
    let names = fields["keys"].as_object().into_iter().flat_map(Map::keys);
    names.filter(|name| command_of(name).is_none()).map(|name| format!("\"{}\"", name.escape_debug())).collect()
}

/// Commands of other versions are ignored.
fn bindings(value: &Value) -> Option<Bindings> {
    let mut bindings = Bindings::default();
    for (name, list) in value.as_object()? {
        let strokes: Option<Vec<Stroke>> = strings(list)?.iter().map(|stroke| stroke.parse().ok()).collect();
        if let Some(command) = command_of(name) {
            bindings.set(command, strokes?);
        }
    }
    Some(bindings)
}

fn import_options(value: &Value) -> Option<ImportOptions> {
    ImportOptions::of_words(&strings(value)?).ok()
}

/// From a character of a US keyboard to the printed one.
fn printed_keys(value: &Value) -> Option<PrintedKeys> {
    let one = |text: &str| text.parse::<char>().ok().filter(|letter| !letter.is_control());
    value.as_object()?.iter().map(|(place, printed)| Some((one(place)?, one(printed.as_str()?)?))).collect()
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

fn command_of(name: &str) -> Option<Command> {
    CATALOGUE.iter().map(|def| def.command).find(|&command| name_of(command) == name)
}

fn name_of(command: Command) -> String {
    format!("{command:?}")
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
    sender: Option<Sender<String>>,
    worker: Option<JoinHandle<()>>,
    troubles: Receiver<String>,
}

impl StateWriter {
    /// Writes to a path, or nowhere without one. `known` is the current content of the file.
    pub fn new(path: Option<PathBuf>, known: SavedState) -> StateWriter {
        let (sender, texts) = channel::<String>();
        let (trouble, troubles) = channel();
        let write_all = move |path: PathBuf| {
            let mut has_failed = false;
            while let Ok(text) = texts.recv() {
                // Only the last one matters.
                let text = texts.try_iter().last().unwrap_or(text);
                let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
                let done = folder.and_then(|()| save::replace(&path, text.as_bytes()));
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
            let _ = sender.send(text(&kept));
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
