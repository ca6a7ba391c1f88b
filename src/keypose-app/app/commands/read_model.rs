//! `keypose read-model`, a hidden command: the child process of [`crate::app::files::import_process`].

use std::path::PathBuf;
use std::process::ExitCode;

use super::AnyFiles;
use crate::app::files::import_process;

/// Import standard input (a u64 length, then the bytes) as the file of this name, and write the report and an archive to standard output
#[derive(clap::Args)]
pub struct Arguments {
    /// The file's path, which is not read
    file: PathBuf,
    #[command(flatten)]
    any_files: AnyFiles,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    import_process::answer(&arguments.file, arguments.any_files.model_files())?;
    Ok(ExitCode::SUCCESS)
}
