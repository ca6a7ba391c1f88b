//! The platform's folders for application data.

use std::path::PathBuf;

/// The folder for application state, such as journals. `None` if the system has no home folder.
pub fn state() -> Option<PathBuf> {
    of("LOCALAPPDATA", "XDG_STATE_HOME", ".local/state")
}

/// The folder for preferences. `None` if the system has no home folder.
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
    // The XDG Base Directory Specification has relative paths ignored.
    variable(xdg)
        .filter(|folder| folder.is_absolute())
        .or_else(|| Some(variable("HOME")?.join(in_home)))
        .map(|folder| folder.join("keypose"))
}
