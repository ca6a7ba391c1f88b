//! `keypose level`: writes levels as texts, and reads them into archives.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use keypose::assets::level::{Level, text};
use keypose::assets::line_text::has_head;
use keypose::assets::printable::printable;
use keypose::wad;

use super::wad::output::Output;
use super::wad::read;
use super::{Target, in_file, open_archive, own_output, save_archive, warn_all};
use crate::app::{console, files};

/// Write a level of an archive as text, or read one from text, to compare and merge versions
#[derive(clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Write a level as text
    Export(Export),
    /// Add the level of a text to an archive, or replace the one of its name
    Import(Import),
}

#[derive(clap::Args)]
struct Export {
    /// An archive (.wad)
    file: PathBuf,
    /// Name of the level; by default the first
    #[arg(long, value_name = "NAME")]
    level: Option<String>,
    /// The text to write; by default it is printed
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(clap::Args)]
struct Import {
    /// The archive to change (.wad)
    file: PathBuf,
    /// The text of a level
    text: PathBuf,
    /// Write to this file instead of changing FILE
    #[arg(short, long)]
    output: Option<PathBuf>,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    match &arguments.command {
        Command::Export(arguments) => export(arguments),
        Command::Import(arguments) => import(arguments),
    }
}

fn export(Export { file, level, output }: &Export) -> Result<ExitCode, String> {
    let decoded = wad::decode(&read(file, &Output::new(false))?).map_err(in_file(file))?;
    let levels: Vec<&Level> = decoded.project.levels.iter().map(|level| &**level).collect();
    let text = text::write(find(&levels, level.as_deref()).map_err(in_file(file))?);
    own_output::check_text(&text).map_err(in_file(file))?;
    own_output::write_or_print(output.as_deref(), &text, "a level", |old| has_head(old, text::HEAD))?;
    Ok(ExitCode::SUCCESS)
}

fn find<'a>(levels: &[&'a Level], name: Option<&str>) -> Result<&'a Level, String> {
    let Some(name) = name else {
        return levels.first().copied().ok_or_else(|| "no levels".into());
    };
    let names = || levels.iter().map(|level| printable(&level.name)).collect::<Vec<_>>().join(", ");
    let found = levels.iter().copied().find(|level| level.name == name);
    found.ok_or_else(|| format!("no level \"{name}\"; its levels: {}", names()))
}

fn import(Import { file, text, output }: &Import) -> Result<ExitCode, String> {
    let target = Target::hold(output.as_ref().unwrap_or(file))?;
    let mut opened = open_archive(file)?;
    warn_all(&opened.report);
    let level = Arc::new(text::read(&files::read_text(text)?).map_err(in_file(text))?);
    let name = level.name.clone();
    let levels = &mut opened.project.levels;
    match levels.iter_mut().find(|old| old.name == name) {
        Some(old) => *old = level,
        None => levels.push(level),
    }
    let bytes = save_archive(&target, &opened.project, &opened.characters)?;
    console::print(format_args!("{name} -> {}, {bytes} bytes", target.path.display()));
    Ok(ExitCode::SUCCESS)
}
