//! `keypose mcp`: the editor for assistants.

use std::path::PathBuf;
use std::process::ExitCode;

use crate::app::mcp;

/// Serve the script commands to an assistant, by the Model Context Protocol on standard input and output
#[derive(clap::Args)]
pub struct Arguments {
    /// A folder whose files may be read and written; repeat it for several. Relative paths start in the first
    #[arg(long = "folder", value_name = "DIR", default_value = ".")]
    folders: Vec<PathBuf>,
}

/// Runs the command. It ends when its input ends.
pub fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    mcp::serve(&arguments.folders)
}
