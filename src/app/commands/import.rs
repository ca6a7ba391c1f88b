//! `keypose import`: a glTF file to an archive.

use std::path::PathBuf;
use std::process::ExitCode;

/// Import a glTF file and write it as an archive
#[derive(clap::Args)]
pub struct Arguments {
    /// A glTF file (.gltf, .glb)
    file: PathBuf,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    Err(format!("import {:?}: not built yet", arguments.file))
}
