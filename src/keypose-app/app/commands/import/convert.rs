//! One archive for each model, in a folder. Models are converted at the same time; one that fails doesn't stop the others.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use keypose::anim::parallel;
use keypose_tools::apply_options::Unmatched;

use super::inputs::{self, Input};
use super::report::{Counter, FileReport, ModelFigures};
use super::{Arguments, Target, check_patterns, save_archive};
use crate::app::files::{self, FileKind, Opening};

/// Converts all models.
pub fn run(arguments: &Arguments, opening: &Opening) -> Result<ExitCode, String> {
    if arguments.name.is_some() {
        return Err("--name: each model has the name of its file if the output is a folder".into());
    }
    if !arguments.map.is_empty() {
        return Err("--map: no clips of other files are added if the output is a folder".into());
    }
    let opening = &Opening { options: opening.options.for_a_model(), ..opening.clone() };
    let named: Vec<PathBuf> = std::iter::once(&arguments.file).chain(&arguments.clips).cloned().collect();
    let jobs = jobs(&arguments.output, inputs::expand(&named)?)?;
    let counter = Counter::new(jobs.len());
    let done = parallel::map(&jobs, usize::MAX, |(input, output)| {
        let done = convert(input, (&arguments.output, output), opening);
        counter.count(&input.path);
        done
    });
    let (reports, unmatched): (Vec<FileReport>, Vec<Vec<Unmatched>>) = done.into_iter().unzip();
    let code = arguments.finish(&reports);
    check_patterns(unmatched.iter().map(Vec::as_slice)).map(|()| code)
}

/// The archive of each file. Two files with the same one are an error.
fn jobs(folder: &Path, inputs: Vec<Input>) -> Result<Vec<(Input, PathBuf)>, String> {
    let mut known: BTreeMap<String, PathBuf> = BTreeMap::new();
    let mut jobs = Vec::new();
    for input in inputs {
        let output = folder.join(&input.below).with_extension("wad");
        // Some systems don't tell "Hero" from "hero".
        let name = output.to_string_lossy().to_lowercase();
        if let Some(other) = known.insert(name, input.path.clone()) {
            let (one, two) = (other.display(), input.path.display());
            return Err(format!("{one} and {two} would both become {}; import one of them alone", output.display()));
        }
        jobs.push((input, output));
    }
    Ok(jobs)
}

/// Makes the folder of an archive below the output folder, which the user named. A link below may lead anywhere.
fn make_folder(folder: &Path, output: &Path) -> Result<(), String> {
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let below = output.parent().and_then(|parent| parent.strip_prefix(folder).ok()).unwrap_or(Path::new(""));
    let mut path = folder.to_owned();
    for part in below {
        path.push(part);
        match std::fs::symlink_metadata(&path) {
            Ok(about) if about.is_dir() => {}
            Ok(_) => return Err(format!("{}: no folder, or a link, which is not followed", path.display())),
            Err(_) => std::fs::create_dir_all(&path).map_err(|error| format!("{}: {error}", path.display()))?,
        }
    }
    Ok(())
}

/// Converts a file to an archive in a folder, and returns its report with the patterns that match nothing in it.
fn convert(input: &Input, (folder, output): (&Path, &Path), opening: &Opening) -> (FileReport, Vec<Unmatched>) {
    let mut report = FileReport::of(&input.path);
    let opened = match files::open_with(&input.path, opening) {
        Ok(opened) => opened,
        Err(error) => return (FileReport { error: Some(error), ..report }, Vec::new()),
    };
    let shown = input.path.file_name().unwrap_or_default().to_string_lossy();
    report.findings = opened.report.iter().map(|finding| format!("{shown}: {finding}")).collect();
    match make_folder(folder, output).and_then(|()| write(input, output, &opened)) {
        Ok(bytes) => {
            report.models = opened.project.models.iter().map(|model| ModelFigures::of(model)).collect();
            report.output = Some((output.to_owned(), bytes));
        }
        Err(error) => report.error = Some(error),
    }
    (report, opened.unmatched)
}

fn write(input: &Input, output: &Path, opened: &files::Opened) -> Result<usize, String> {
    if opened.kind == FileKind::Archive {
        return Err(format!("{}: this is already an archive", input.path.display()));
    }
    // A link would lead out of the folder.
    if std::fs::symlink_metadata(output).is_ok_and(|known| !known.is_file()) {
        return Err(format!("{}: no file, or a link, which is not followed", output.display()));
    }
    save_archive(&Target::hold(output)?, &opened.project, &opened.characters)
}
