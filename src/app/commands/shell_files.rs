//! `keypose completions` and `keypose man-pages`: what shells and `man` want to know of the command line.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::CommandFactory as _;
use clap_complete::Shell;

use crate::app::commands::CommandLine;
use crate::app::console;

/// Print what a shell needs to complete the command line
#[derive(clap::Args)]
pub struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Write manual pages of all commands, as man reads them, to a folder
#[derive(clap::Args)]
pub struct ManPages {
    /// The folder; it is made if there is none
    folder: PathBuf,
}

/// Prints the completions.
pub fn completions(arguments: &Completions) -> Result<ExitCode, String> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut CommandLine::command(), "keypose", &mut script);
    console::print_lines(&String::from_utf8_lossy(&script));
    Ok(ExitCode::SUCCESS)
}

/// Writes the pages.
pub fn man_pages(arguments: &ManPages) -> Result<ExitCode, String> {
    let folder = &arguments.folder;
    let written = || -> io::Result<()> {
        std::fs::create_dir_all(folder)?;
        clap_mangen::generate_to(CommandLine::command(), folder)
    };
    written().map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(ExitCode::SUCCESS)
}
