//! `keypose inspect`: prints bones, clips, meshes and poses as JSON.

use std::path::PathBuf;
use std::process::ExitCode;

/// Print bones, clips, meshes and poses
#[derive(clap::Args)]
pub struct Arguments {
    /// An archive (.wad) or a glTF file (.gltf, .glb)
    file: PathBuf,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    Err(format!("inspect {:?}: not built yet", arguments.file))
}
