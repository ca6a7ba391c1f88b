//! `keypose weights`: lists problems of the weights of a model, or computes weights for its bones.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::builder::PossibleValue;

use keypose::anim::skeleton::BoneIndex;
use keypose::assets::model::Model;
use keypose::choice;
use keypose_editor::editor::ops::sentence::counted;
use keypose_tools::rig::problems::{Kind, Problem, find, weights_of};
use keypose_tools::rig::surface::Surface;
use keypose_tools::rig::weights::{Distances, Method, Options, Weights, from_distances, mixed, proposed, rigid};
use keypose_tools::rig::{RigError, bind, segments, transfer};
use keypose_tools::side_names::mirror_of;

use super::{ModelSource, Target, in_file, save_archive, warn_all};
use crate::app::commands::one_of::one_of;
use crate::app::commands::wad::output::Output;
use crate::app::files::progress::Progress;
use crate::app::{console, files};

/// List problems of the weights of a model, or compute weights for its bones
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    source: ModelSource,
    /// The archive to write with computed weights (.wad); without it, the weights that the model has are checked
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Take the weights of a character in the same place, for clothes and capes; a model without bones gets those of the character
    #[arg(long, value_name = "FILE", requires = "output", conflicts_with_all = ["parts", "falloff", "smoothing"])]
    from: Option<PathBuf>,
    #[command(flatten)]
    choices: Choices,
}

/// How weights are computed.
#[derive(clap::Args)]
pub struct Choices {
    /// How connected parts of the mesh follow bones
    #[arg(long, value_parser = one_of(&Parts::ALL, parts), default_value = "mixed")]
    parts: Parts,
    /// Maximum number of bones for each vertex
    #[arg(long, value_name = "NUMBER", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=8))]
    influences: u32,
    /// How soon the weights of farther bones fall, from 1 (soft) to 16 (sharp)
    #[arg(long, value_name = "NUMBER", default_value_t = Options::default().falloff)]
    falloff: f32,
    /// How often weights are averaged with those of neighbours
    #[arg(long, value_name = "NUMBER", default_value_t = Options::default().smoothing, value_parser = clap::value_parser!(u32).range(..=100))]
    smoothing: u32,
}

choice! {
    /// How connected parts of the mesh follow bones.
    pub enum Parts {
        Mixed = "mixed",
        Smooth = "smooth",
        Rigid = "rigid",
    }
}

fn parts(parts: Parts) -> PossibleValue {
    PossibleValue::new(parts.name()).help(match parts {
        Parts::Mixed => "Small parts that one bone moves, such as armour, are rigid",
        Parts::Smooth => "All parts bend",
        Parts::Rigid => "Each part follows one bone, as those of robots do",
    })
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    let target = arguments.output.as_deref().map(Target::hold).transpose()?;
    let mut opened = arguments.source.open_unbaked()?;
    warn_all(&opened.report);
    let at = arguments.source.index(&opened)?;
    let model = &opened.project.models[at];
    let Some(target) = target else {
        let problems = check(model, &arguments.choices).map_err(in_file(arguments.source.file()))?;
        return Ok(if problems > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS });
    };
    let bound = match &arguments.from {
        Some(from) => dressed(model, from, arguments)?,
        None => bound(model, arguments.source.file(), &arguments.choices).map_err(in_file(arguments.source.file()))?,
    };
    opened.project.models[at] = Arc::new(bound);
    let bytes = save_archive(&target, &opened.project, &opened.characters)?;
    console::print(format_args!("{}, {bytes} bytes", target.path.display()));
    Ok(ExitCode::SUCCESS)
}

/// The model with the weights of the first character of another file.
fn dressed(model: &Model, from: &Path, arguments: &Arguments) -> Result<Model, String> {
    let opened = files::open_with(from, &arguments.source.source.any_files.opening_unbaked())?;
    let models = &opened.project.models;
    let character =
        models.iter().find(|model| model.is_skinned()).ok_or_else(|| in_file(from)("it has no mesh with weights"))?;
    let options = arguments.choices.options()?;
    let file = arguments.source.file();
    let (model, found) = Output::new(false)
        .watched("binding", file, |progress| transfer::onto(model, None, character, &options, &mut heard(progress)))
        .map_err(in_file(file))?;
    model.check().map_err(|error| error.to_string())?;
    let count = found.weights.len();
    console::print(format_args!("{}: {} of {count} vertices match {}", model.name, found.matched, character.name));
    Ok(model)
}

/// The model of a file with computed weights. Prints figures and problems.
pub fn bound(model: &Model, file: &Path, choices: &Choices) -> Result<Model, String> {
    let options = choices.options()?;
    let surface = Surface::of(model).map_err(|error| error.to_string())?;
    let (distances, automatic) = Output::new(false)
        .watched("binding", file, |progress| {
            let distances = Distances::new(&surface, &segments::for_new_weights(model, &[]))?;
            let automatic = from_distances(&surface, &distances, &options, &mut heard(progress))?;
            Ok::<_, RigError>((distances, automatic))
        })
        .map_err(|error| error.to_string())?;
    let (weights, stiff) = match choices.parts {
        Parts::Smooth => (automatic, 0),
        Parts::Rigid => (rigid(&surface, &automatic), surface.part_count()),
        Parts::Mixed => {
            let methods = proposed(&surface, &distances, &automatic);
            let stiff = methods.iter().filter(|method| **method == Method::Rigid).count();
            (mixed(&surface, automatic, &methods), stiff)
        }
    };
    console::print(format_args!(
        "{}: {} vertices bound; {} of {} parts are rigid",
        model.name,
        surface.positions.len(),
        stiff,
        surface.part_count()
    ));
    print_problems(model, &surface, &weights, &distances, options.influences);
    let bound = bind::bound(model, &surface, &weights).map_err(|error| error.to_string())?;
    bound.check().map_err(|error| error.to_string())?;
    Ok(bound)
}

/// Shows progress.
fn heard(progress: &Progress) -> impl FnMut(f32) -> Result<(), RigError> + '_ {
    |part| {
        progress.set(part);
        Ok(())
    }
}

impl Choices {
    fn options(&self) -> Result<Options, String> {
        if !(1.0..=16.0).contains(&self.falloff) {
            return Err(format!("--falloff {}: use a number from 1 to 16", self.falloff));
        }
        let (influences, falloff, smoothing) = (self.influences as usize, self.falloff, self.smoothing);
        Ok(Options { influences, falloff, smoothing, ..Options::default() })
    }
}

/// Prints the problems of the weights that a model has, and returns how many there are.
fn check(model: &Model, choices: &Choices) -> Result<usize, String> {
    let surface = Surface::of(model).map_err(|error| error.to_string())?;
    let distances = Distances::new(&surface, &segments::of_model(model)).map_err(|error| error.to_string())?;
    let weights = weights_of(model, &surface);
    Ok(print_problems(model, &surface, &weights, &distances, choices.influences as usize))
}

fn print_problems(
    model: &Model,
    surface: &Surface,
    weights: &Weights,
    distances: &Distances,
    influences: usize,
) -> usize {
    let name = |bone: BoneIndex| model.skeleton.get(bone).map_or("?", |bone| bone.name.as_str());
    let mirror = |bone: BoneIndex| mirror_of(&model.skeleton, bone).unwrap_or(bone);
    let problems = find(surface, weights, distances, influences, mirror);
    for Problem { kind, vertices } in &problems {
        let count = counted(vertices.len(), "vertex");
        let what = match kind {
            Kind::NoWeight => "with no weight".to_owned(),
            Kind::TooMany => format!("with more than {influences} bones"),
            Kind::Leak(bone) => format!("with weights of {}, which is far away", name(*bone)),
            Kind::Asymmetric => "with other weights than on the other side".to_owned(),
        };
        console::print(format_args!("{count} {what}"));
    }
    if problems.is_empty() {
        console::print(format_args!("{}: no problems of weights found", model.name));
    }
    problems.len()
}
