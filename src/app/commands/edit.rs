//! `keypose edit`: opens the editor.

use std::path::PathBuf;
use std::process::ExitCode;

use crate::app::desktop::{self, Start, StartMode};

/// Open the editor on an archive or a glTF file; without one, on the demo archive
#[derive(clap::Args)]
pub struct Arguments {
    /// An archive (.wad) or a glTF file (.gltf, .glb)
    file: Option<PathBuf>,
    /// Run the words in this file on the document instead of opening a window, and print what they show
    #[arg(long, value_name = "SCRIPT")]
    script: Option<PathBuf>,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    if let Some(script) = &arguments.script {
        return crate::app::scripted::run(arguments.file.as_deref(), script);
    }
    desktop::run(Start { file: arguments.file.clone(), mode: StartMode::Edit })
}
