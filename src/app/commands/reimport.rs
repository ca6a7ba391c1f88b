//! `keypose reimport`: brings a changed model into an archive. What was authored stays.

use std::path::PathBuf;
use std::process::ExitCode;

use super::{AnyFiles, Target};
use crate::app::console;
use crate::app::files::{self, FileKind, Opening};
use crate::assets::character::Character;
use crate::assets::import_options::ImportOptions;
use crate::assets::reimport::{Reimport, SameClips, reimport, summary};
use crate::editor::document::Document;
use crate::editor::document::edit::ModelEdit;
use crate::wad;

/// Bring a changed model into an archive: clips, sockets and poses stay
#[derive(clap::Args)]
pub struct Arguments {
    /// The archive to change (.wad)
    archive: PathBuf,
    /// The changed model (.glb, .gltf, .vrm, .fbx, .dae, .obj); the options of its import are used again
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
    let opened = files::open_with(&arguments.archive, &arguments.any_files.opening())?;
    if opened.kind != FileKind::Archive {
        return Err(format!("{}: this is not an archive", arguments.archive.display()));
    }
    let at = files::model_index(&opened.project, arguments.model.as_deref(), &arguments.archive)?;
    let options = ImportOptions::clone(&opened.project.models[at].import_options);
    let opening = Opening { options, ..arguments.any_files.opening_unbaked() };
    let read = files::open_with(&arguments.file, &opening)?;
    read.report.iter().for_each(|line| console::warn(format_args!("keypose: {line}")));
    let changed = files::model_index(&read.project, None, &arguments.file)?;
    let same_clips = if arguments.replace_clips { SameClips::Replace } else { SameClips::Keep };
    let done = reimport(&opened.project.models[at], &read.project.models[changed], same_clips);
    let Reimport { model, table } = done.map_err(|reason| format!("{}: {reason}", arguments.file.display()))?;
    table.iter().for_each(console::print);
    let line = format!("{}: {}", model.name, summary(&table));
    if arguments.dry_run {
        console::print(format_args!("{line}; nothing was changed"));
        return Ok(ExitCode::SUCCESS);
    }
    let edit = ModelEdit::Reimport { model: at, with: Box::new(model) }.into();
    let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", arguments.archive.display());
    let document = Document::new(opened.project).with(&[edit]).map_err(|error| failed(&error))?;
    let characters = Character::bake_all(&document.models, &opened.characters);
    let bytes = wad::encode(document.project(), &characters).map_err(|error| failed(&error))?;
    target.save(&bytes)?;
    console::print(format_args!("{line} -> {}", arguments.archive.display()));
    Ok(ExitCode::SUCCESS)
}
