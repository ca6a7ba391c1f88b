//! `keypose render`: renders a clip without a display.

use std::path::PathBuf;
use std::process::ExitCode;

/// Render a clip to a PNG or GIF without a display
#[derive(clap::Args)]
pub struct Arguments {
    /// An archive (.wad) or a glTF file (.gltf, .glb)
    file: PathBuf,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    Err(format!("render {:?}: not built yet", arguments.file))
}
