//! `keypose wad`: lists and verifies archives.

use std::path::PathBuf;
use std::process::ExitCode;

/// List or verify an archive
#[derive(clap::Args)]
pub struct Arguments {
    /// An archive (.wad)
    file: PathBuf,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    Err(format!("wad {:?}: not built yet", arguments.file))
}
