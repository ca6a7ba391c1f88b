//! Shaders from disk, for those who change them: the folder that `KEYPOSE_SHADERS` names stands in for what was built
//! in, file by file, and is followed while the program runs.

use std::fs;
use std::path::PathBuf;
use std::time::SystemTime;

use crate::render::shaders::Shaders;

/// The folder and the state in which it was read last.
pub struct ShaderFiles {
    folder: Option<PathBuf>,
    read_at: Vec<Option<SystemTime>>,
}

impl ShaderFiles {
    /// The folder of the environment; without it nothing is ever read.
    pub fn of_environment() -> ShaderFiles {
        ShaderFiles { folder: std::env::var_os("KEYPOSE_SHADERS").map(PathBuf::from), read_at: Vec::new() }
    }

    /// All shaders where a file of the folder changed since the last call.
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
            if let Ok(text) = fs::read_to_string(folder.join(name)) {
                shaders.replace(name, text);
            }
        }
        Some(shaders)
    }
}
