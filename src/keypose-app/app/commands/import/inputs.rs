//! The files that are imported: folders and patterns stand for the models in them.

use std::fs;
use std::path::{Path, PathBuf};

use keypose::assets::import_options::matches;

use crate::app::files::listing::models_below;

/// A file to import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Path of the model file.
    pub path: PathBuf,
    /// Path relative to the folder on the command line, or the file name.
    pub below: PathBuf,
}

/// The files of arguments, in order; those of a folder or a pattern sorted by path.
///
/// # Errors
/// If a folder has no models, a pattern matches nothing, or a folder can't be read.
pub fn expand(arguments: &[PathBuf]) -> Result<Vec<Input>, String> {
    let mut inputs = Vec::new();
    for argument in arguments {
        let found = match argument.to_str() {
            _ if argument.is_dir() => in_folder(argument)?,
            Some(text) if text.contains(['*', '?']) && !argument.exists() => of_pattern(argument)?,
            Some(_) | None => vec![named(argument.clone())],
        };
        inputs.extend(found);
    }
    Ok(inputs)
}

fn named(path: PathBuf) -> Input {
    let below = path.file_name().unwrap_or(path.as_os_str()).into();
    Input { path, below }
}

/// All models in a folder, also in its folders. Hidden ones and links to folders are skipped.
fn in_folder(folder: &Path) -> Result<Vec<Input>, String> {
    let (mut found, faults) = models_below(folder, usize::MAX);
    if let Some((_, fault)) = faults.into_iter().next() {
        return Err(fault);
    }
    if found.is_empty() {
        return Err(format!("{}: no models in this folder", folder.display()));
    }
    found.sort();
    let input = |path: PathBuf| {
        let below = path.strip_prefix(folder).map(Path::to_owned).unwrap_or_else(|_| path.clone());
        Input { path, below }
    };
    Ok(found.into_iter().map(input).collect())
}

/// The files whose path matches a pattern; each part of it matches names. Folders that match are as if they were named.
fn of_pattern(pattern: &Path) -> Result<Vec<Input>, String> {
    let mut found = vec![PathBuf::new()];
    for part in pattern.components() {
        let text = part.as_os_str().to_string_lossy();
        if !text.contains(['*', '?']) {
            found.iter_mut().for_each(|path| path.push(part));
            continue;
        }
        let mut next = Vec::new();
        for folder in found {
            let here = if folder.as_os_str().is_empty() { Path::new(".") } else { &folder };
            // Files and unreadable folders have no entries.
            let names = entries(here).unwrap_or_default();
            let names = names.iter().filter_map(|path| path.file_name());
            let is_match = |name: &&std::ffi::OsStr| {
                let name = name.to_string_lossy();
                matches(&text, &name) && (text.starts_with('.') || !name.starts_with('.'))
            };
            next.extend(names.filter(is_match).map(|name| folder.join(name)));
        }
        found = next;
    }
    found.retain(|path| path.exists());
    found.sort();
    let mut inputs = Vec::new();
    for path in found {
        if path.is_dir() { inputs.extend(in_folder(&path)?) } else { inputs.push(named(path)) }
    }
    if inputs.is_empty() { Err(format!("{}: no file matches", pattern.display())) } else { Ok(inputs) }
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let sentence = |error: std::io::Error| format!("{}: {error}", folder.display());
    let all = fs::read_dir(folder).map_err(sentence)?;
    all.map(|entry| entry.map(|entry| entry.path()).map_err(sentence)).collect()
}
