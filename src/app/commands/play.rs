//! `keypose play`: opens the gameplay mode.

use std::path::PathBuf;
use std::process::ExitCode;

use crate::app::desktop::{self, Start, StartMode};

/// Play an archive or a glTF file in the gameplay mode
#[derive(clap::Args)]
pub struct Arguments {
    /// An archive (.wad) or a glTF file (.gltf, .glb)
    file: Option<PathBuf>,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    desktop::run(Start { file: arguments.file.clone(), mode: StartMode::Play })
}
