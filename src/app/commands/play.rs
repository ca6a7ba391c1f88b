//! `keypose play`: opens the gameplay mode.

use std::path::PathBuf;
use std::process::ExitCode;

/// Play an archive or a glTF file in the gameplay mode
#[derive(clap::Args)]
pub struct Arguments {
    /// An archive (.wad) or a glTF file (.gltf, .glb)
    file: Option<PathBuf>,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    Err(format!("play {:?}: not built yet", arguments.file))
}
