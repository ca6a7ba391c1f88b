//! `keypose rig`: gives a static mesh a skeleton of a template, and weights.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::builder::PossibleValue;

use keypose::assets::model::Model;
use keypose_tools::rig::fit::{fit, needs_bones, with_skeleton};
use keypose_tools::rig::markers::{Markers, from_text, propose, to_text};
use keypose_tools::rig::surface::Surface;
use keypose_tools::rig::template::{TEMPLATES, Template};
use keypose_tools::rig::volume::Volume;

use super::weights::{Choices, bound};
use super::{ModelSource, Target, in_file, save_archive, warn_all};
use crate::app::commands::one_of::one_of;
use crate::app::{console, files};

/// Give a static mesh the skeleton of a template, with weights
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    source: ModelSource,
    /// The kind of skeleton
    #[arg(long, value_parser = one_of(TEMPLATES, template))]
    template: Template,
    /// A text with places of markers, such as "elbow.L 0.41 1.2 -0.03", a line for each; others are found by the mesh
    #[arg(long, value_name = "FILE")]
    markers: Option<PathBuf>,
    /// Print the places of all markers as such a text, and write nothing
    #[arg(long, conflicts_with = "output")]
    print_markers: bool,
    /// The archive to write (.wad)
    #[arg(short, long, value_name = "FILE", required_unless_present = "print_markers")]
    output: Option<PathBuf>,
    #[command(flatten)]
    choices: Choices,
}

fn template(template: Template) -> PossibleValue {
    PossibleValue::new(template.name).help(template.title)
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    let target = arguments.output.as_deref().map(Target::hold).transpose()?;
    let mut opened = arguments.source.open_unbaked()?;
    warn_all(&opened.report);
    let at = arguments.source.index(&opened)?;
    let model = &opened.project.models[at];
    let about = in_file(arguments.source.file());
    check_bare(model).map_err(&about)?;
    let surface = Surface::of(model).map_err(|error| about(error.to_string()))?;
    let volume = Volume::new(&surface);
    let markers = markers(arguments, &surface, &volume)?;
    let Some(target) = target else {
        console::print_lines(&to_text(&markers));
        return Ok(ExitCode::SUCCESS);
    };
    let skeleton = fit(&arguments.template, &markers, &volume).map_err(|error| about(error.to_string()))?;
    let figure = with_skeleton(model, &surface, skeleton);
    let figure = bound(&figure, arguments.source.file(), &arguments.choices).map_err(&about)?;
    let (name, bones) = (model.name.clone(), figure.skeleton.len());
    opened.project.models[at] = Arc::new(figure);
    let bytes = save_archive(&target, &opened.project, &opened.characters)?;
    console::print(format_args!("{name}: {bones} bones -> {}, {bytes} bytes", target.path.display()));
    Ok(ExitCode::SUCCESS)
}

/// Refuses a model whose bones are in use.
fn check_bare(model: &Model) -> Result<(), String> {
    match (model.is_skinned(), needs_bones(model)) {
        (true, _) => Err("it has a skeleton with weights; `keypose weights` computes new weights for it".into()),
        (_, None) => Ok(()),
        (_, Some(what)) => Err(format!("it has {what}, which need its bones; `keypose weights` binds it to them")),
    }
}

/// The markers of the text, and those that are found for the others.
fn markers(arguments: &Arguments, surface: &Surface, volume: &Volume) -> Result<Markers, String> {
    let proposed = propose(surface, volume, &arguments.template);
    let mut markers = proposed.markers;
    let Some(path) = &arguments.markers else {
        proposed.notes.iter().for_each(|note| console::warn(format_args!("keypose: {note}")));
        return Ok(markers);
    };
    let text = String::from_utf8(files::read(path)?).map_err(in_file(path))?;
    markers.extend(from_text(&text, &arguments.template).map_err(in_file(path))?);
    Ok(markers)
}
