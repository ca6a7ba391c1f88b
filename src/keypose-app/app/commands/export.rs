//! `keypose export`: writes a model for other programs, or a page that plays it, once or at each change of its file.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::builder::PossibleValue;

use keypose_tools::export::baked_json::Rate;
use keypose_tools::export::gltf::{GlbOptions, LoopNames};

use super::{ModelSource, in_file, warn_all};
use crate::app::commands::one_of::one_of;
use crate::app::console;
use crate::app::files::Opened;
use crate::app::files::exports::{self, ExportFormat, ExportReport, Exported};
use crate::app::files::own_files::canonical;
use crate::app::files::web_page::{self, Start};

/// Write a model for other programs: GLB with all clips, baked clips as JSON, or a page for browsers that plays them
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    source: ModelSource,
    /// The file to write (.glb, .json, .html)
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Names of looping clips in a GLB
    #[arg(long, value_parser = one_of(&LoopNames::ALL, loop_names), default_value = "plain")]
    loop_names: LoopNames,
    /// Frames per second of JSON, up to 1000; by default those of each clip
    #[arg(long)]
    fps: Option<f64>,
    /// The page plays the game instead of the clips
    #[arg(long, conflicts_with = "model")]
    game: bool,
    /// Write the file again whenever FILE is saved, until the program is stopped
    #[arg(long)]
    watch: bool,
    /// Replace an existing file that is not an export of Keypose
    #[arg(long)]
    force: bool,
}

fn loop_names(names: LoopNames) -> PossibleValue {
    match names {
        LoopNames::Plain => PossibleValue::new("plain").help("Unchanged"),
        LoopNames::Godot => PossibleValue::new("godot").help("Ending in -loop, which Godot imports as a loop"),
    }
}

/// The kind of the output file.
#[derive(Clone, Copy)]
enum Kind {
    /// One model, for other programs.
    Model(ExportFormat),
    /// A page with the whole archive.
    Page,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    let kind = kind(arguments)?;
    check_target(arguments)?;
    let opened = if arguments.watch { arguments.source.source.open() } else { arguments.source.open_unbaked() }?;
    export(arguments, kind, &opened)?;
    if arguments.watch {
        arguments.source.follow(opened, |opened| {
            // Another program may have written something else there.
            check_target(arguments)?;
            export(arguments, kind, opened)
        })?;
    }
    Ok(ExitCode::SUCCESS)
}

fn kind(arguments: &Arguments) -> Result<Kind, String> {
    let is_of = |kind: &str| arguments.output.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(kind));
    if arguments.loop_names != LoopNames::Plain && !is_of("glb") {
        return Err("--loop-names is for GLB".into());
    }
    match (is_of("html"), arguments.fps) {
        (true, Some(_)) => Err("--fps is for JSON; a page shows as many frames per second as the browser".into()),
        (true, None) => Ok(Kind::Page),
        (false, _) if arguments.game => Err("--game is for pages: the name of the file must end in .html".into()),
        (false, _) => format(arguments).map(Kind::Model),
    }
}

fn format(arguments: &Arguments) -> Result<ExportFormat, String> {
    let shown = arguments.output.display();
    let format = ExportFormat::of(&arguments.output).ok_or_else(|| {
        format!(
            "{shown}: the name must end in .glb, .json or .html; `keypose render` writes images and `keypose import` archives"
        )
    })?;
    match (format, arguments.fps) {
        (ExportFormat::Glb(_), Some(_)) => Err("--fps is for JSON; a GLB has the keys of its clips".into()),
        (ExportFormat::Glb(_), None) => Ok(ExportFormat::Glb(GlbOptions { loop_names: arguments.loop_names })),
        (ExportFormat::Json(_), Some(fps)) if !(0.001..=1000.0).contains(&fps) => {
            Err(format!("--fps {fps}: use up to 1000 frames per second"))
        }
        (ExportFormat::Json(_), fps) => Ok(ExportFormat::Json(fps.map_or(Rate::OfClip, Rate::Fps))),
    }
}

/// Refuses to replace a file of other programs: a typing error must not cost the model itself.
fn check_target(arguments: &Arguments) -> Result<(), String> {
    let (output, shown) = (&arguments.output, arguments.output.display());
    if canonical(output) == canonical(arguments.source.file()) {
        return Err(format!("{shown}: a file can't be replaced by its own export"));
    }
    if arguments.force || !output.is_file() || exports::is_own(output)? {
        return Ok(());
    }
    Err(format!("{shown}: not an export of Keypose, so it is not replaced; --force replaces it"))
}

/// Writes the file and prints a summary.
fn export(arguments: &Arguments, kind: Kind, opened: &Opened) -> Result<(), String> {
    let output = arguments.output.as_path();
    warn_all(&opened.report);
    let encoded = match kind {
        Kind::Model(format) => exports::encode(arguments.source.find(opened)?, format),
        Kind::Page => page(arguments, opened),
    };
    let Exported { bytes, report: ExportReport { summary, findings } } =
        encoded.map_err(in_file(arguments.source.file()))?;
    exports::write(output, &bytes)?;
    findings.iter().for_each(|finding| console::warn(format_args!("keypose: {}: {finding}", output.display())));
    console::print(format_args!("{summary} -> {}, {} bytes", output.display(), bytes.len()));
    Ok(())
}

/// A page, whose title is the name of the file.
fn page(arguments: &Arguments, opened: &Opened) -> Result<Exported, String> {
    let title = arguments.source.file().file_stem().unwrap_or_default().to_string_lossy();
    let (start, summary) = match arguments.game {
        true => (Start::Game, format!("{title}: a game")),
        false => (Start::Viewer(arguments.source.find(opened)?.name.clone()), format!("{title}: a viewer")),
    };
    let bytes = web_page::encode(opened, &title, &start)?;
    Ok(Exported { bytes, report: ExportReport { summary, findings: Vec::new() } })
}
