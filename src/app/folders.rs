//! The platform's folders for what a program keeps beside documents.

use std::path::PathBuf;

/// For state that is not worth a backup: journals. `None` where the system names no home.
pub fn state() -> Option<PathBuf> {
    of("LOCALAPPDATA", "XDG_STATE_HOME", ".local/state")
}

/// For preferences. `None` where the system names no home.
pub fn config() -> Option<PathBuf> {
    of("APPDATA", "XDG_CONFIG_HOME", ".config")
}

fn of(windows: &str, xdg: &str, in_home: &str) -> Option<PathBuf> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if cfg!(windows) {
        return Some(variable(windows)?.join("Keypose"));
    }
    if cfg!(target_os = "macos") {
        return Some(variable("HOME")?.join("Library/Application Support/Keypose"));
    }
    variable(xdg).or_else(|| Some(variable("HOME")?.join(in_home))).map(|folder| folder.join("keypose"))
}
