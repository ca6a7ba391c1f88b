//! Preferences and shortcuts as JSON, which the program keeps in a file and the page in the browser. Unreadable parts get their
//! defaults and are reported.

use std::path::PathBuf;

use serde_json::{Map, Value, json};

use crate::editor::commands::CATALOGUE;
use crate::editor::session::command::Command;
use crate::editor::session::preferences::{Arrangement, FileDialogs, ModelFiles, Preferences, Shade};
use crate::editor::session::printed_keys::PrintedKeys;
use crate::editor::session::shortcuts::{Bindings, Stroke};
use keypose::assets::import_options::{ImportOptions, words_of};

/// Formats preferences, and the shortcuts that differ from the defaults: an object.
pub fn value(preferences: &Preferences, bindings: &Bindings) -> Value {
    let strokes = |strokes: &Vec<Stroke>| strokes.iter().map(Stroke::to_string).collect::<Vec<_>>();
    let keys = bindings.changed().iter().map(|(command, list)| (name_of(*command), json!(strokes(list))));
    let paths = |paths: &[PathBuf]| json!(paths.iter().map(|path| path.to_string_lossy()).collect::<Vec<_>>());
    let printed = preferences.printed_keys.pairs().map(|(place, printed)| (place.to_string(), json!(printed)));
    json!({
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
        "keys": keys.collect::<Map<String, Value>>(),
    })
}

/// Reads fields one by one, so that an invalid one affects only itself.
pub struct Reader {
    fields: Map<String, Value>,
    /// Problems, one each.
    pub faults: Vec<String>,
}

impl Reader {
    /// Parses an object.
    ///
    /// # Errors
    /// The reason, if it is none.
    pub fn parse(bytes: &[u8]) -> Result<Reader, String> {
        match serde_json::from_slice::<Value>(bytes) {
            Ok(Value::Object(fields)) => Ok(Reader { fields, faults: Vec::new() }),
            Ok(_) => Err("not a JSON object".into()),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Reads what [`value`] formats.
    pub fn preferences(&mut self) -> (Preferences, Bindings) {
        let (mut preferences, mut keys) = (Preferences::default(), Bindings::default());
        self.take("theme", |value| named(value, &Shade::ALL, Shade::name), &mut preferences.shade);
        let scale = |value: &Value| value.as_u64().and_then(|scale| u16::try_from(scale).ok());
        let mut percent = preferences.scale_percent;
        self.take("size", scale, &mut percent);
        preferences.set_scale(percent);
        let arrangement = |value: &Value| named(value, &Arrangement::ALL, Arrangement::name);
        self.take("layout", arrangement, &mut preferences.arrangement);
        self.take("auto_perspective", Value::as_bool, &mut preferences.auto_perspective);
        self.take("knows_first_steps", Value::as_bool, &mut preferences.knows_first_steps);
        preferences.recent = self.paths("recent", Preferences::MAX_RECENT);
        preferences.folders = self.paths("folders", Preferences::MAX_FOLDERS);
        preferences.favourites = self.paths("favourites", usize::MAX);
        let dialogs = |value: &Value| named(value, &FileDialogs::ALL, FileDialogs::name);
        self.take("dialogs", dialogs, &mut preferences.dialogs);
        let files = |value: &Value| named(value, &ModelFiles::ALL, ModelFiles::name);
        self.take("model_files", files, &mut preferences.model_files);
        self.take("import_options", import_options, &mut preferences.import_options);
        self.take("printed_keys", printed_keys, &mut preferences.printed_keys);
        self.take("muted", Value::as_bool, &mut preferences.is_muted);
        self.take("keys", bindings, &mut keys);
        (preferences, keys)
    }

    fn paths(&mut self, name: &str, max: usize) -> Vec<PathBuf> {
        let mut paths = Vec::new();
        self.take(name, strings, &mut paths);
        paths.into_iter().take(max).map(PathBuf::from).collect()
    }

    /// Reads a field, if it is there and valid.
    pub fn take<T>(&mut self, name: &str, read: impl Fn(&Value) -> Option<T>, into: &mut T) {
        match self.fields.get(name).map(read) {
            Some(Some(value)) => *into = value,
            Some(None) => self.faults.push(format!("\"{name}\" is not valid")),
            None => {}
        }
    }

    /// The commands with changed keys that this version doesn't have.
    pub fn unknown_commands(&self) -> Vec<String> {
        let names = self.fields.get("keys").and_then(Value::as_object).into_iter().flat_map(Map::keys);
        names.filter(|name| command_of(name).is_none()).map(|name| format!("\"{}\"", name.escape_debug())).collect()
    }
}

fn named<T: Copy>(value: &Value, all: &[T], name: fn(T) -> &'static str) -> Option<T> {
    let wanted = value.as_str()?;
    all.iter().copied().find(|&one| name(one).eq_ignore_ascii_case(wanted))
}

/// The strings of an array.
pub fn strings(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|one| Some(one.as_str()?.to_owned())).collect()
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

fn command_of(name: &str) -> Option<Command> {
    CATALOGUE.iter().map(|def| def.command).find(|&command| name_of(command) == name)
}

fn name_of(command: Command) -> String {
    format!("{command:?}")
}
