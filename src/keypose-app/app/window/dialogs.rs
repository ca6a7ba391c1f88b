//! The system's file dialogs, each in its own thread so that the window stays responsive. Not every Linux system has them; then
//! [`Outcome::Missing`] is the answer, and the file browser is shown.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use winit::event_loop::EventLoopProxy;

use keypose_editor::editor::state::effect::PathPurpose;

use crate::app::host::message::Message;

/// A dialog that closes without a path earlier than this was never shown.
const TOO_SOON: Duration = Duration::from_millis(120);

/// How a dialog ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The user chose files; one, unless the purpose takes several.
    Picked(Vec<PathBuf>),
    /// The user cancelled it.
    Cancelled,
    /// The system has no dialogs.
    Missing,
}

/// Shows the system's dialog, starting at a path. It answers with [`Message::Picked`].
pub fn ask(purpose: PathPurpose, start: PathBuf, proxy: &EventLoopProxy<Message>) {
    let proxy = proxy.clone();
    let show = move || {
        let outcome = show(purpose, &start);
        // The event loop may have ended already.
        let _ = proxy.send_event(Message::Picked { purpose, start, outcome });
    };
    if cfg!(target_os = "macos") {
        // macOS shows dialogs on the main thread only.
        show();
    } else {
        std::thread::spawn(show);
    }
}

fn show(purpose: PathPurpose, start: &Path) -> Outcome {
    if !is_available() {
        return Outcome::Missing;
    }
    let began = Instant::now();
    match dialog(purpose, start) {
        Some(paths) if !paths.is_empty() => Outcome::Picked(paths),
        _ if began.elapsed() < TOO_SOON => Outcome::Missing,
        _ => Outcome::Cancelled,
    }
}

fn dialog(purpose: PathPurpose, start: &Path) -> Option<Vec<PathBuf>> {
    let (label, extensions) = purpose.files();
    let mut dialog = rfd::FileDialog::new().set_title(purpose.title()).add_filter(label, extensions);
    let folder = if start.is_dir() { Some(start) } else { start.parent() };
    if let Some(folder) = folder.filter(|folder| folder.is_dir()) {
        dialog = dialog.set_directory(folder);
    }
    match purpose {
        _ if purpose.is_save() => {
            let name = start.file_name().map_or("untitled".into(), |name| name.to_string_lossy());
            dialog.set_file_name(name).save_file().map(|path| vec![path])
        }
        _ if purpose.is_folder() => dialog.pick_folder().map(|path| vec![path]),
        _ if purpose.takes_several() => dialog.pick_files(),
        _ => dialog.pick_file().map(|path| vec![path]),
    }
}

#[cfg(not(all(unix, not(target_os = "macos"))))]
fn is_available() -> bool {
    true
}

/// Whether this system has a program for dialogs: a desktop portal for files, or zenity.
#[cfg(all(unix, not(target_os = "macos")))]
fn is_available() -> bool {
    let list = |name: &str, default: &str| {
        let value = std::env::var_os(name).filter(|value| !value.is_empty()).unwrap_or_else(|| default.into());
        std::env::split_paths(&value).collect::<Vec<_>>()
    };
    let data: Vec<PathBuf> = ["XDG_DATA_HOME", "XDG_DATA_DIRS"]
        .into_iter()
        .flat_map(|name| list(name, "/usr/local/share:/usr/share"))
        .collect();
    let has_bus = std::env::var_os("DBUS_SESSION_BUS_ADDRESS").is_some()
        || std::env::var_os("XDG_RUNTIME_DIR").is_some_and(|folder| Path::new(&folder).join("bus").exists());
    (has_bus && has_portal(&data)) || list("PATH", "").iter().any(|folder| folder.join("zenity").is_file())
}

/// Whether data folders have a desktop portal with a backend for files.
#[cfg(all(unix, not(target_os = "macos")))]
fn has_portal(data: &[PathBuf]) -> bool {
    let service = "dbus-1/services/org.freedesktop.portal.Desktop.service";
    let chooses_files = |path: PathBuf| {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        text.contains("org.freedesktop.impl.portal.FileChooser")
    };
    let has_backend = |folder: &PathBuf| {
        let portals = folder.join("xdg-desktop-portal/portals");
        let mut names = crate::app::files::folder_names::names_in(&portals).into_iter().flatten().map_while(Result::ok);
        names.any(|name| chooses_files(portals.join(name)))
    };
    data.iter().any(|folder| folder.join(service).is_file()) && data.iter().any(has_backend)
}

#[cfg(all(test, unix, not(target_os = "macos")))]
mod tests {
    use super::has_portal;

    #[test]
    fn a_portal_needs_a_backend_for_files() {
        let data = std::env::temp_dir().join(format!("keypose-portal-{}", std::process::id()));
        let write = |name: &str, text: &str| {
            let path = data.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        let has = || has_portal(std::slice::from_ref(&data));
        assert!(!has());
        write("dbus-1/services/org.freedesktop.portal.Desktop.service", "");
        write("xdg-desktop-portal/portals/a.portal", "Interfaces=org.freedesktop.impl.portal.Settings;");
        assert!(!has());
        write("xdg-desktop-portal/portals/b.portal", "Interfaces=org.freedesktop.impl.portal.FileChooser;");
        assert!(has());
        std::fs::remove_dir_all(data).unwrap();
    }
}
