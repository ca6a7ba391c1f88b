//! `keypose import`: converts a model to an archive.

use std::path::PathBuf;
use std::process::ExitCode;

use super::{AnyFiles, save_archive};
use crate::app::console;
use crate::app::files::{self, FileKind, Opening};
use crate::assets::model::Model;
use crate::wad;

/// Convert a model to an archive
#[derive(clap::Args)]
pub struct Arguments {
    /// A model (.glb, .gltf, .fbx)
    file: PathBuf,
    #[command(flatten)]
    any_files: AnyFiles,
    /// The archive to write (.wad); an existing archive is replaced
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Name of the model; by default the file's name
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    let name = match arguments.name.as_deref().map(str::trim) {
        Some("") => return Err("--name: the name of a model can't be empty".into()),
        name => name,
    };
    let opening = Opening { name: name.map(str::to_owned), ..arguments.any_files.opening() };
    let opened = files::open_with(&arguments.file, &opening)?;
    if opened.kind == FileKind::Archive {
        return Err(format!("{}: this is already an archive", arguments.file.display()));
    }
    let bytes = wad::encode(&opened.project, &opened.characters);
    let bytes = bytes.map_err(|error| format!("{}: {error}", arguments.output.display()))?;
    save_archive(&arguments.output, &bytes)?;
    for line in &opened.report {
        console::print(line);
    }
    for model in &opened.project.models {
        let (output, length) = (arguments.output.display(), bytes.len());
        console::print(format_args!("{} -> {output}, {length} bytes", summary(model)));
    }
    Ok(ExitCode::SUCCESS)
}

fn summary(model: &Model) -> String {
    let vertices: usize = model.meshes.iter().map(|slot| slot.mesh.positions.len()).sum();
    let (bones, meshes, clips) = (model.skeleton.len(), model.meshes.len(), model.clips.len());
    format!("{}: {bones} bones, {meshes} meshes with {vertices} vertices, {clips} clips", model.name)
}
