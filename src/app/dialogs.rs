//! The system's file dialogs, each in its own thread so that the window stays responsive. On machines without them, the
//! panels' path field remains.

use std::path::{Path, PathBuf};

use winit::event_loop::EventLoopProxy;

use crate::app::message::Message;
use crate::editor::state::effect::PathPurpose;

/// Shows the system's dialog, starting at a path. It answers with [`Message::Picked`].
pub fn ask(ask: PathPurpose, start: PathBuf, proxy: &EventLoopProxy<Message>) {
    let proxy = proxy.clone();
    let show = move || {
        let path = dialog(ask, &start);
        // The event loop may have ended already.
        let _ = proxy.send_event(Message::Picked { ask, path });
    };
    if cfg!(target_os = "macos") {
        // macOS shows dialogs on the main thread only.
        show();
    } else {
        std::thread::spawn(show);
    }
}

fn dialog(ask: PathPurpose, start: &Path) -> Option<PathBuf> {
    let mut dialog = rfd::FileDialog::new();
    if let Some(folder) = start.parent().filter(|folder| folder.is_dir()) {
        dialog = dialog.set_directory(folder);
    }
    match ask {
        PathPurpose::Image => {
            let name = start.file_name().map_or("picture.gif".into(), |name| name.to_string_lossy());
            dialog.set_title("Export").add_filter("Pictures", &["gif", "png"]).set_file_name(name).save_file()
        }
        PathPurpose::Open => {
            dialog.set_title("Open").add_filter("Archives and models", &["wad", "glb", "gltf"]).pick_file()
        }
        PathPurpose::Import => {
            dialog.set_title("Add a model").add_filter("Models and archives", &["glb", "gltf", "wad"]).pick_file()
        }
        PathPurpose::Reference => {
            dialog.set_title("Add a reference image").add_filter("Images", &["png", "jpg", "jpeg"]).pick_file()
        }
        PathPurpose::Texture => {
            dialog.set_title("Swap the image").add_filter("Images", &["png", "jpg", "jpeg"]).pick_file()
        }
        PathPurpose::SaveAs | PathPurpose::SavePatch => {
            let name = start.file_name().map_or("untitled.wad".into(), |name| name.to_string_lossy());
            let title = if ask == PathPurpose::SaveAs { "Save as" } else { "Save what changed as a patch" };
            dialog.set_title(title).add_filter("Archive", &["wad"]).set_file_name(name).save_file()
        }
    }
}
