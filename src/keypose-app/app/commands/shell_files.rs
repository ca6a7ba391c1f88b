//! `keypose completions` and `keypose man-pages`: what shells and `man` want to know of the command line.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::CommandFactory as _;
use clap_complete::Shell;
use clap_mangen::Man;

use super::{in_file, own_output};
use crate::app::commands::CommandLine;
use crate::app::console;
use crate::app::files::save;

/// Print what a shell needs to complete the command line
#[derive(clap::Args)]
pub struct Completions {
    /// The shell that reads the file
    #[arg(value_enum)]
    shell: Shell,
}

/// Write manual pages of all commands, as man reads them, to a folder
#[derive(clap::Args)]
pub struct ManPages {
    /// The folder, created if it doesn't exist
    folder: PathBuf,
}

/// Prints the completions.
pub fn completions(arguments: &Completions) -> Result<ExitCode, String> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut CommandLine::command(), "keypose", &mut script);
    console::print_lines(&String::from_utf8_lossy(&script));
    Ok(ExitCode::SUCCESS)
}

/// The first bytes of every page.
const PAGE: &[u8] = b".ie \\n(.g .ds Aq";

/// Writes the pages.
pub fn man_pages(arguments: &ManPages) -> Result<ExitCode, String> {
    std::fs::create_dir_all(&arguments.folder).map_err(in_file(&arguments.folder))?;
    let mut command = CommandLine::command().disable_help_subcommand(true);
    command.build();
    save::sweep_folder(&arguments.folder);
    let mut all = Vec::new();
    pages(&command, &arguments.folder, &mut all)?;
    save::replace_all(all.into_iter().map(Ok))?;
    Ok(ExitCode::SUCCESS)
}

/// Adds the page of a command, and those of the commands in it.
fn pages(command: &clap::Command, folder: &Path, all: &mut Vec<(PathBuf, Vec<u8>)>) -> Result<(), String> {
    command.get_subcommands().filter(|one| !one.is_hide_set()).try_for_each(|one| pages(one, folder, all))?;
    let page = Man::new(command.clone());
    let (path, mut text) = (folder.join(page.get_filename()), Vec::new());
    page.render(&mut text).map_err(in_file(&path))?;
    own_output::check_in_folder(&path, "a manual page", |old| old.starts_with(PAGE))?;
    all.push((path, text));
    Ok(())
}
