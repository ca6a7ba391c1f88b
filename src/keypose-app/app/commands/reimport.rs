//! `keypose reimport`: updates a model in an archive from its changed file. Authored clips, sockets and poses stay.

use std::path::PathBuf;
use std::process::ExitCode;

use keypose::assets::import_options::ImportOptions;
use keypose_editor::editor::document::Document;
use keypose_editor::editor::document::edit::ModelEdit;
use keypose_tools::import::format::extension_list;
use keypose_tools::reimport::{Reimport, SameClips, reimport, summary};

use super::{AnyFiles, Target, in_file, open_archive, save_archive, warn_all};
use crate::app::console;
use crate::app::files::{self, Opening};

/// Update a model in an archive from its changed file; clips, sockets and poses stay
#[derive(clap::Args)]
pub struct Arguments {
    /// The archive to change (.wad)
    archive: PathBuf,
    #[arg(help = format!("The changed model ({}); its import options are used again", extension_list()))]
    file: PathBuf,
    #[command(flatten)]
    any_files: AnyFiles,
    /// Name of the model in the archive; by default the first
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
    /// Replace clips by those of the same names in FILE
    #[arg(long)]
    replace_clips: bool,
    /// Print what would change, and change nothing
    #[arg(long)]
    dry_run: bool,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    let target = Target::hold(&arguments.archive)?;
    let opened = open_archive(&arguments.archive)?;
    let at = files::model_index(&opened.project, arguments.model.as_deref(), &arguments.archive)?;
    let options = ImportOptions::clone(&opened.project.models[at].import_options);
    let opening = Opening { options, ..arguments.any_files.opening_unbaked() };
    let read = files::open_with(&arguments.file, &opening)?;
    warn_all(&read.report);
    let changed = files::model_index(&read.project, None, &arguments.file)?;
    let same_clips = if arguments.replace_clips { SameClips::Replace } else { SameClips::Keep };
    let done = reimport(&opened.project.models[at], &read.project.models[changed], same_clips);
    let Reimport { model, table } = done.map_err(in_file(&arguments.file))?;
    table.iter().for_each(console::print);
    let line = format!("{}: {}", model.name, summary(&table));
    if arguments.dry_run {
        console::print(format_args!("{line}; nothing was changed"));
        return Ok(ExitCode::SUCCESS);
    }
    let edit = ModelEdit::Replace { model: at, with: Box::new(model) }.into();
    let document = Document::new(opened.project).with(&[edit]).map_err(in_file(&arguments.archive))?;
    save_archive(&target, document.project(), &opened.characters)?;
    console::print(format_args!("{line} -> {}", arguments.archive.display()));
    Ok(ExitCode::SUCCESS)
}
