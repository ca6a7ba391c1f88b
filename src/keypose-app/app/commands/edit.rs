//! `keypose edit`: opens the editor.

use std::path::PathBuf;
use std::process::ExitCode;

use super::Files;
use crate::app::scripted::{self, Journal};
use crate::app::window::desktop::{self, Start, StartMode};

/// Open an archive or a model in the editor, or show the start screen
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    files: Files,
    /// Run the commands of a script (-: standard input) without opening a window; docs/scripts.md describes them
    #[arg(long, value_name = "SCRIPT")]
    script: Option<PathBuf>,
    /// With --script: record unsaved changes as the window does, and first recover those of the previous run
    #[arg(long, requires = "script")]
    journal: bool,
    #[command(flatten)]
    context: super::ContextTest,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    let (files, model_files) = (arguments.files.all(), arguments.files.any_files.model_files());
    if let Some(script) = &arguments.script {
        let journal = if arguments.journal { Journal::Kept } else { Journal::None };
        return scripted::run(&files, script, journal, model_files);
    }
    let start = Start::new(files, StartMode::Edit, model_files);
    desktop::run(Start { loses_context_after: arguments.context.simulate_context_loss, ..start })
}
