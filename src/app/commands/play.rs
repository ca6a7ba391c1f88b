//! `keypose play`: opens the gameplay mode.

use std::path::PathBuf;
use std::process::ExitCode;

use super::Patches;
use crate::app::desktop::{self, Start, StartMode};

/// Play an archive or a glTF file in the gameplay mode
#[derive(clap::Args)]
pub struct Arguments {
    /// An archive (.wad) or a glTF file (.gltf, .glb)
    file: Option<PathBuf>,
    #[command(flatten)]
    patches: Patches,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    let files = arguments.patches.over(arguments.file.as_ref());
    desktop::run(Start::new(files, StartMode::Play))
}
