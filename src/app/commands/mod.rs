//! The command line: one file per command.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod check;
mod edit;
mod import;
mod inspect;
mod play;
mod render;
mod wad;

/// Poses, animates, saves and plays characters: a keyframe pose editor and game runtime.
#[derive(Parser)]
#[command(name = "keypose", version, args_conflicts_with_subcommands = true)]
struct CommandLine {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    edit: edit::Arguments,
}

#[derive(Subcommand)]
enum Command {
    Edit(edit::Arguments),
    Play(play::Arguments),
    Import(import::Arguments),
    Inspect(inspect::Arguments),
    Check(check::Arguments),
    Render(render::Arguments),
    Wad(wad::Arguments),
}

/// Archives over the one that is opened.
#[derive(clap::Args)]
struct Patches {
    /// A patch over FILE; several lie over each other in this order
    #[arg(long = "patch", value_name = "PATCH", requires = "file")]
    patches: Vec<PathBuf>,
}

impl Patches {
    /// The file, then its patches.
    fn over(&self, file: Option<&PathBuf>) -> Vec<PathBuf> {
        file.into_iter().chain(&self.patches).cloned().collect()
    }
}

/// Runs the command that the process was started with. Prints one sentence on stderr where it fails.
pub fn run() -> ExitCode {
    let arguments = CommandLine::parse();
    let done = match arguments.command {
        None => edit::run(&arguments.edit),
        Some(Command::Edit(arguments)) => edit::run(&arguments),
        Some(Command::Play(arguments)) => play::run(&arguments),
        Some(Command::Import(arguments)) => import::run(&arguments),
        Some(Command::Inspect(arguments)) => inspect::run(&arguments),
        Some(Command::Check(arguments)) => check::run(&arguments),
        Some(Command::Render(arguments)) => render::run(&arguments),
        Some(Command::Wad(arguments)) => wad::run(&arguments),
    };
    match done {
        Ok(code) => code,
        Err(reason) => {
            eprintln!("keypose: {reason}");
            ExitCode::FAILURE
        }
    }
}
