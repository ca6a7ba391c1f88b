//! `keypose import`: converts a model to an archive, with clips of other files.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use super::{AnyFiles, save_archive};
use crate::app::console;
use crate::app::files::{self, FileKind, Opened, Opening};
use crate::assets::character::Character;
use crate::assets::clip_library;
use crate::assets::model::{ClipSlot, Model};
use crate::assets::project::UsedNames;
use crate::wad;

/// Convert a model to an archive
#[derive(clap::Args)]
pub struct Arguments {
    /// A model (.glb, .gltf, .vrm, .fbx, .dae, .obj)
    file: PathBuf,
    /// Files whose clips are added to the model, by the names of their bones
    clips: Vec<PathBuf>,
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
    let mut opened = files::open_with(&arguments.file, &opening)?;
    if opened.kind == FileKind::Archive && arguments.clips.is_empty() {
        return Err(format!("{}: this is already an archive", arguments.file.display()));
    }
    for path in &arguments.clips {
        add_clips(&mut opened, path, &arguments.any_files.opening())?;
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

/// Adds the clips of a file to the first model.
fn add_clips(to: &mut Opened, path: &Path, opening: &Opening) -> Result<(), String> {
    let from = files::open_with(path, opening)?;
    let Some(mut model) = to.project.models.first().cloned() else {
        return Err(format!("{}: there is no model to add clips to", path.display()));
    };
    let shown = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    let mut names = UsedNames::default();
    model.clips.iter().for_each(|slot| drop(names.take(&slot.clip.name)));
    for library in &from.project.models {
        let found = clip_library::clips_for(&model, library);
        let found = found.map_err(|reason| format!("{}: {reason}", path.display()))?;
        to.report.extend(found.findings.iter().map(|finding| format!("{shown}: {finding}")));
        let model = Arc::make_mut(&mut model);
        for mut clip in found.clips {
            clip.name = names.take(&clip.name);
            model.clips.push(ClipSlot { id: to.project.new_clip_id(), clip: Arc::new(clip) });
        }
    }
    if let Some(place) = to.project.models.first_mut() {
        *place = model;
    }
    to.characters = Character::bake_all(&to.project.models, &to.characters);
    Ok(())
}

fn summary(model: &Model) -> String {
    let vertices: usize = model.meshes.iter().map(|slot| slot.mesh.positions.len()).sum();
    let (bones, meshes, clips) = (model.skeleton.len(), model.meshes.len(), model.clips.len());
    format!("{}: {bones} bones, {meshes} meshes with {vertices} vertices, {clips} clips", model.name)
}
