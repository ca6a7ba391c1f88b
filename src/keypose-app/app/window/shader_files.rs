//! Shaders from disk, for developing them: files in the folder named by `KEYPOSE_SHADERS` replace built-in ones, and
//! are reloaded when they change.

use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::time::SystemTime;

use keypose_editor::render::shaders::Shaders;

use crate::app::console;
use crate::app::files::regular_files;

/// The folder and the state of its files when they were last read.
pub struct ShaderFiles {
    folder: Option<PathBuf>,
    read_at: Vec<Option<SystemTime>>,
}

impl ShaderFiles {
    /// The folder named by the environment. Without it, nothing is read.
    pub fn of_environment() -> ShaderFiles {
        ShaderFiles { folder: std::env::var_os("KEYPOSE_SHADERS").map(PathBuf::from), read_at: Vec::new() }
    }

    /// All shaders, if a file changed since the last call.
    pub fn changed(&mut self) -> Option<Shaders> {
        let folder = self.folder.as_ref()?;
        let time = |name| fs::metadata(folder.join(name)).and_then(|about| about.modified()).ok();
        let times: Vec<Option<SystemTime>> = Shaders::names().map(time).collect();
        if times == self.read_at {
            return None;
        }
        self.read_at = times;
        let mut shaders = Shaders::default();
        for name in Shaders::names() {
            let path = folder.join(name);
            match regular_files::read_text(&path) {
                Ok(text) => drop(shaders.replace(name, text)),
                // The folder has only the shaders that are developed.
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => console::warn(format_args!("keypose: {}: {error}; not used", path.display())),
            }
        }
        Some(shaders)
    }
}
