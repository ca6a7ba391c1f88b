//! `keypose import`: converts a model to an archive, with clips of other files; or each of many models to an archive of its own.

mod convert;
mod flags;
mod inputs;
mod report;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use keypose::anim::parallel;
use keypose::assets::model::{ClipSlot, Model};
use keypose::assets::project::UsedNames;
use keypose_tools::apply_options::Unmatched;
use keypose_tools::clip_library::{self, Fit};
use keypose_tools::import::format::extension_list;

use self::flags::Flags;
use self::inputs::Input;
use self::report::{Counter, FileReport, Findings, ModelFigures};
use super::{AnyFiles, Target, save_archive};
use crate::app::files::{self, FileKind, Opened, Opening};

/// Convert a model to an archive, or each model of a folder
#[derive(clap::Args)]
pub struct Arguments {
    #[arg(help = format!("A model ({}), or a folder or pattern like models/*.glb if the output is a folder", extension_list()))]
    file: PathBuf,
    /// More files, folders or patterns: their clips are added to the model, or each becomes an archive in the output folder
    clips: Vec<PathBuf>,
    #[command(flatten)]
    any_files: AnyFiles,
    /// The archive to write (.wad), or a folder for one archive per model; existing archives are replaced
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Name of the model; by default the file's name
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Print a JSON report, file by file
    #[arg(long)]
    json: bool,
    /// Print all findings instead of the ten worst of each file
    #[arg(long)]
    verbose: bool,
    /// Let bone OURS follow the bone THEIRS of the clips' files, or none if OURS is left out; can be repeated
    #[arg(long, value_name = "THEIRS=OURS")]
    map: Vec<String>,
    #[command(flatten)]
    flags: Flags,
}

impl Arguments {
    fn opening(&self) -> Result<Opening, String> {
        Ok(Opening { options: self.flags.options()?, ..self.any_files.opening() })
    }

    /// Whether the output is a folder.
    fn is_folder(&self) -> bool {
        files::ends_as_folder(&self.output) || self.output.is_dir()
    }

    /// Prints reports. Returns whether all files were imported.
    fn finish(&self, reports: &[FileReport]) -> ExitCode {
        if self.json {
            report::print_json(reports);
        } else {
            let wanted = if self.verbose { Findings::All } else { Findings::First };
            reports.iter().for_each(|report| report.print(wanted));
        }
        let has_failed = reports.iter().any(|report| report.error.is_some());
        if has_failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
    }
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    let name = match arguments.name.as_deref().map(str::trim) {
        Some("") => return Err("--name: the name of a model can't be empty".into()),
        name => name,
    };
    let opening = arguments.opening()?;
    if arguments.is_folder() {
        return convert::run(arguments, &opening);
    }
    if arguments.file.is_dir() {
        let (folder, output) = (arguments.file.display(), arguments.output.display());
        return Err(format!(
            "{folder}: this is a folder; name a model first, or end the output with a slash for one archive for each model ({output}/)"
        ));
    }
    let opening = Opening { name: name.map(str::to_owned), ..opening };
    let reports = join(arguments, &opening)?;
    Ok(arguments.finish(&reports))
}

/// Imports a model and adds the clips of other files to it. All files are read at the same time.
fn join(arguments: &Arguments, opening: &Opening) -> Result<Vec<FileReport>, String> {
    // The clips may be added to the archive that is written.
    let target = Target::hold(&arguments.output)?;
    let of_a_model = arguments.name.as_ref().map(|_| "--name").or_else(|| arguments.flags.of_a_model());
    if let Some(flag) = of_a_model.filter(|_| files::begins_as_archive(&arguments.file)) {
        return Err(format!("{flag}: clips are added to {}, whose model stays as it is", arguments.file.display()));
    }
    let inputs = inputs::expand(&arguments.clips)?;
    let first = Input { path: arguments.file.clone(), below: PathBuf::new() };
    let all: Vec<(usize, Input)> = std::iter::once(first).chain(inputs).enumerate().collect();
    let counter = Counter::new(all.len());
    let read = parallel::map(&all, usize::MAX, |(at, input)| {
        let is_first = *at == 0;
        let options = if is_first { opening.options.for_a_model() } else { opening.options.clone() };
        let own = Opening {
            options,
            name: if is_first { opening.name.clone() } else { None },
            leaves_clips_unbaked: !is_first,
            ..opening.clone()
        };
        let opened = files::open_with(&input.path, &own);
        counter.count(&input.path);
        opened
    });
    let mut opened = Vec::with_capacity(read.len());
    for one in read {
        opened.push(one?);
    }
    let imported = opened.iter().filter(|opened| opened.kind == FileKind::Imported);
    check_patterns(imported.map(|opened| opened.unmatched.as_slice()))?;
    let mut others = opened.into_iter();
    let mut model = others.next().ok_or("there is nothing to import")?;
    if model.kind == FileKind::Archive && all.len() == 1 {
        return Err(format!("{}: this is already an archive", arguments.file.display()));
    }
    if let Some(first) = model.project.models.first_mut() {
        map_bones(Arc::make_mut(first), &arguments.map)?;
    }
    let mut reports =
        vec![FileReport { findings: std::mem::take(&mut model.report), ..FileReport::of(&arguments.file) }];
    for ((_, input), from) in all[1..].iter().zip(others) {
        reports.push(add_clips(&mut model, input, from, (&opening.options).into())?);
    }
    let bytes = save_archive(&target, &model.project, &model.characters)?;
    // The figures are those of the archive, so they come last.
    let with_figures = if arguments.json { 0 } else { reports.len() - 1 };
    reports[with_figures].output = Some((arguments.output.clone(), bytes));
    reports[with_figures].models = model.project.models.iter().map(|model| ModelFigures::of(model)).collect();
    Ok(reports)
}

/// Adds choices to the bone map of a model.
fn map_bones(model: &mut Model, choices: &[String]) -> Result<(), String> {
    for choice in choices {
        let (theirs, ours) = choice
            .split_once('=')
            .filter(|(theirs, _)| !theirs.is_empty())
            .ok_or_else(|| format!("--map {choice}: expected THEIRS=OURS, two names of bones"))?;
        if !ours.is_empty() && model.skeleton.find(ours).is_none() {
            return Err(format!("--map {choice}: {} has no bone \"{ours}\"", model.name));
        }
        model.rig.bone_map.insert(theirs.to_owned(), ours.to_owned());
    }
    Ok(())
}

/// The error for a pattern of names that matches in none of the files.
fn check_patterns<'o>(files: impl Iterator<Item = &'o [Unmatched]> + Clone) -> Result<(), String> {
    let first = files.clone().next().unwrap_or_default();
    let nowhere = first.iter().find(|one| files.clone().all(|file| file.iter().any(|other| other.is_same(one))));
    nowhere.map_or(Ok(()), |one| Err(one.sentence.clone()))
}

/// Adds the clips of a file to the first model.
fn add_clips(to: &mut Opened, input: &Input, from: Opened, fit: Fit) -> Result<FileReport, String> {
    let path = &input.path;
    let Some(mut model) = to.project.models.first().cloned() else {
        return Err(format!("{}: there is no model to add clips to", path.display()));
    };
    let shown = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    let mut report = FileReport::of(path);
    let mut names = UsedNames::default();
    model.clips.iter().for_each(|slot| drop(names.take(&slot.clip.name)));
    for library in clip_library::libraries(&from.project.models) {
        let found = clip_library::clips_for(&model, library, fit);
        let found = found.map_err(|reason| format!("{}: {reason}", path.display()))?;
        report.findings.extend(found.findings.iter().map(|finding| format!("{shown}: {finding}")));
        let model = Arc::make_mut(&mut model);
        for (slot, mut clip) in library.clips.iter().zip(found.clips) {
            clip.name = names.take(&clip.name);
            report.added_clips.push(clip.name.clone());
            let id = to.project.new_clip_id();
            model.clips.push(ClipSlot { id, clip: Arc::new(clip) });
            if let Some(from) = library.clip_notes.get(&slot.id) {
                model.note(id, |notes| notes.tags.clone_from(&from.tags));
            }
        }
    }
    if let Some(place) = to.project.models.first_mut() {
        *place = model;
    }
    Ok(report)
}
