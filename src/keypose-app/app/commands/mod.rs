//! The command line: one file per command.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use clap::{CommandFactory, Parser, Subcommand};

use keypose::assets::character::Character;
use keypose::assets::guarded::is_guarded;
use keypose::assets::model::Model;
use keypose::assets::printable::printable;
use keypose::assets::project::Project;
use keypose::wad::archive::set_id;
use keypose::wad::encode;
use keypose_editor::editor::session::preferences::ModelFiles;
use keypose_tools::import::format::extension_list;

use crate::app::files::import_process;
use crate::app::files::save::save_atomically;
use crate::app::files::watch::{self, WatchedFiles};
use crate::app::files::{FileKind, Opened, Opening};
use crate::app::work::{Held, Refusal, Store, header_at, hold};
use crate::app::{console, files};

mod check;
mod clip;
mod doctor;
mod edit;
mod export;
mod frames;
mod import;
mod inspect;
mod level;
mod mcp;
mod one_of;
pub mod own_output;
mod play;
mod read_model;
mod recover;
mod reimport;
mod render;
mod rig;
mod shell_files;
mod sprites;
mod thumbnail;
pub mod wad;
mod weights;

/// A keyframe pose editor and game runtime: pose, animate, save and play characters.
#[derive(Parser)]
#[command(name = "keypose", version, args_conflicts_with_subcommands = true)]
struct CommandLine {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    edit: edit::Arguments,
}

#[derive(Subcommand)]
enum Command {
    Edit(edit::Arguments),
    Play(play::Arguments),
    Import(Box<import::Arguments>),
    Inspect(inspect::Arguments),
    Check(check::Arguments),
    Frames(frames::Arguments),
    Doctor(doctor::Arguments),
    Render(render::Arguments),
    Sprites(Box<sprites::Arguments>),
    Export(export::Arguments),
    Reimport(reimport::Arguments),
    Rig(rig::Arguments),
    Weights(weights::Arguments),
    Clip(clip::Arguments),
    Level(level::Arguments),
    Recover(recover::Arguments),
    Mcp(mcp::Arguments),
    Wad(wad::Arguments),
    Thumbnail(thumbnail::Arguments),
    Completions(shell_files::Completions),
    ManPages(shell_files::ManPages),
    #[command(hide = true)]
    ReadModel(read_model::Arguments),
}

/// The help of an argument that takes any document.
fn document_help() -> String {
    format!("An archive (.wad) or a model ({})", extension_list())
}

/// The file to open.
#[derive(clap::Args)]
struct Files {
    #[arg(help = document_help())]
    file: Option<PathBuf>,
    /// Apply a patch to FILE; several are applied in this order
    #[arg(long = "patch", value_name = "PATCH", requires = "file")]
    patches: Vec<PathBuf>,
    #[command(flatten)]
    any_files: AnyFiles,
}

impl Files {
    /// The file, then its patches.
    fn all(&self) -> Vec<PathBuf> {
        self.file.iter().chain(&self.patches).cloned().collect()
    }
}

/// Permission for an imported model to refer to other files.
#[derive(clap::Args)]
struct AnyFiles {
    /// Let a model refer to files outside its folder
    #[arg(long)]
    any_files: bool,
}

impl AnyFiles {
    fn model_files(&self) -> ModelFiles {
        if self.any_files { ModelFiles::Anywhere } else { ModelFiles::InFolder }
    }

    fn opening(&self) -> Opening {
        Opening { model_files: self.model_files(), ..Opening::default() }
    }

    /// As [`AnyFiles::opening`], without baked clips of an imported model.
    fn opening_unbaked(&self) -> Opening {
        Opening { leaves_clips_unbaked: true, ..self.opening() }
    }
}

/// The file that a command reads.
#[derive(clap::Args)]
struct Source {
    #[arg(help = document_help())]
    file: PathBuf,
    #[command(flatten)]
    any_files: AnyFiles,
}

impl Source {
    fn open(&self) -> Result<Opened, String> {
        files::open_with(&self.file, &self.any_files.opening())
    }

    /// The indices of the models with this name, or of all models without one.
    fn models(&self, opened: &Opened, name: Option<&str>) -> Result<Vec<usize>, String> {
        match name {
            Some(_) => Ok(vec![files::model_index(&opened.project, name, &self.file)?]),
            None => Ok((0..opened.project.models.len()).collect()),
        }
    }
}

/// The model that a command reads.
#[derive(clap::Args)]
struct ModelSource {
    #[command(flatten)]
    source: Source,
    /// Name of the model; by default the first
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
}

impl ModelSource {
    fn file(&self) -> &Path {
        &self.source.file
    }

    /// Opens the file without baked clips of an imported model.
    fn open_unbaked(&self) -> Result<Opened, String> {
        files::open_with(self.file(), &self.source.any_files.opening_unbaked())
    }

    fn index(&self, opened: &Opened) -> Result<usize, String> {
        files::model_index(&opened.project, self.model.as_deref(), self.file())
    }

    fn find<'o>(&self, opened: &'o Opened) -> Result<&'o Arc<Model>, String> {
        self.index(opened).map(|at| &opened.project.models[at])
    }

    /// Calls `write` after a change of the file, until the program is stopped. Errors are printed, because the next save may fix
    /// them.
    fn follow(&self, opened: Opened, write: impl Fn(&Opened) -> Result<(), String>) -> Result<(), String> {
        let (sender, changes) = channel();
        let known = WatchedFiles {
            files: vec![self.file().to_owned()],
            digest: opened.digest,
            model_files: self.source.any_files.model_files(),
            characters: opened.characters,
        };
        let watched = watch::watch(known, move |change| {
            // The receiver ends with the program.
            let _ = sender.send(change);
        });
        while let Ok(change) = changes.recv() {
            // Of the saves during a long write only the newest is written.
            let change = changes.try_iter().last().unwrap_or(change);
            if let Err(reason) = change.opened.and_then(|opened| write(&opened)) {
                console::warn(format_args!("keypose: {reason}"));
            }
        }
        drop(watched);
        Ok(())
    }
}

/// A test of the window.
#[derive(clap::Args)]
struct ContextTest {
    /// Lose the graphics context after FRAMES frames, as a reset of the graphics card does, and make everything again
    #[arg(long, value_name = "FRAMES", value_parser = clap::value_parser!(u32).range(1..))]
    simulate_context_loss: Option<u32>,
}

/// A file that a command writes. Until it is dropped, no editor and no other command writes it.
struct Target<'a> {
    path: &'a Path,
    _held: Option<Held>,
}

impl Target<'_> {
    /// Locks a file, before it is read if the command changes it.
    fn hold(path: &Path) -> Result<Target<'_>, String> {
        Ok(Target { path, _held: wait_to_hold(path)? })
    }

    /// Saves an archive atomically, in place of nothing else. The file keeps its id.
    fn save(&self, bytes: &[u8]) -> Result<(), String> {
        files::require_archive(self.path)?;
        let mut bytes = bytes.to_vec();
        if let Ok(Some(header)) = header_at(self.path) {
            set_id(&mut bytes, header.id);
        }
        save_atomically(self.path, &bytes).map_err(|error| error.to_string())
    }
}

/// Time to wait for another command that holds the file.
const WAIT: Duration = Duration::from_secs(2);
const WAIT_STEP: Duration = Duration::from_millis(50);

/// Locks a file. Waits a moment if it is in use, and says so.
fn wait_to_hold(path: &Path) -> Result<Option<Held>, String> {
    let (store, start) = (Store::of_user(), Instant::now());
    let mut is_waiting = false;
    loop {
        match hold(store.as_ref(), path) {
            Ok(held) => return Ok(held),
            Err(Refusal::Kept(reason)) => return Err(reason),
            Err(Refusal::Open(holder)) if start.elapsed() >= WAIT => {
                return Err(format!("{}: open in Keypose ({holder}); save and close it there first", path.display()));
            }
            Err(Refusal::Open(holder)) => {
                if !std::mem::replace(&mut is_waiting, true) {
                    console::warn(format!("{}: waiting for {holder}", path.display()));
                }
                std::thread::sleep(WAIT_STEP);
            }
        }
    }
}

/// A panic in a decoder that becomes an error is not printed.
fn keep_guarded_panics_quiet() {
    let print = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !is_guarded() {
            print(panic);
        }
    }));
}

/// Makes a write beyond the limit of the size of a file (`ulimit -f`) fail with an error; by default its signal ends the program.
#[cfg(unix)]
fn survive_file_size_limits() {
    // Fails only if the system refuses the handler; the signal then ends the program, as before.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
}

/// Prints help, the version, or an error about arguments, which names them: they could control the terminal.
fn about_arguments(error: &clap::Error) -> ExitCode {
    let text = error.to_string();
    let is_plain = text.lines().all(|line| printable(line) == line);
    if error.use_stderr() && !is_plain {
        text.lines().for_each(console::warn);
    } else if error.print().is_err() {
        return ExitCode::FAILURE;
    }
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}

/// Opens a file that has to be an archive.
fn open_archive(path: &Path) -> Result<Opened, String> {
    let opened = files::open(path)?;
    if opened.kind == FileKind::Archive {
        Ok(opened)
    } else {
        Err(format!("{}: this is not an archive", path.display()))
    }
}

/// Saves a project as an archive. Clips that `baked` lacks are baked. Returns the size of the archive.
fn save_archive(target: &Target<'_>, project: &Project, baked: &[Arc<Character>]) -> Result<usize, String> {
    let bytes = encode(project, baked).map_err(in_file(target.path))?;
    target.save(&bytes).map(|()| bytes.len())
}

/// Prints the findings about a file.
fn warn_all(findings: &[String]) {
    findings.iter().for_each(|finding| console::warn(format_args!("keypose: {finding}")));
}

/// Adds the file to an error.
fn in_file<E: ToString>(file: &Path) -> impl Fn(E) -> String {
    let file = file.display().to_string();
    move |error| format!("{file}: {}", error.to_string())
}

/// The complaint about a first argument that is neither a file nor a command, but nearly one. Otherwise it would be a file to open.
fn misspelled(first: &str) -> Option<String> {
    let commands = CommandLine::command();
    let names = || commands.get_subcommands().filter(|command| !command.is_hide_set()).map(clap::Command::get_name);
    if first.starts_with('-') || names().any(|name| name == first) || Path::new(first).exists() {
        return None;
    }
    let nearest = names().map(|name| (strsim::osa_distance(first, name), name)).min()?;
    let is_near = nearest.0 <= nearest.1.len() / 3;
    is_near.then(|| format!("{}: no such command or file. Did you mean {}?", printable(first), nearest.1))
}

/// Runs the command line. Errors are printed as one sentence to stderr.
pub fn run() -> ExitCode {
    import_process::enable();
    keep_guarded_panics_quiet();
    #[cfg(unix)]
    survive_file_size_limits();
    if let Some(reason) = std::env::args_os().nth(1).and_then(|first| misspelled(first.to_str()?)) {
        console::warn(format_args!("keypose: {reason}"));
        return ExitCode::from(2);
    }
    let arguments = match CommandLine::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return about_arguments(&error),
    };
    let done = match arguments.command.unwrap_or(Command::Edit(arguments.edit)) {
        Command::Edit(arguments) => edit::run(&arguments),
        Command::Play(arguments) => play::run(&arguments),
        Command::Import(arguments) => import::run(&arguments),
        Command::Inspect(arguments) => inspect::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
        Command::Frames(arguments) => frames::run(&arguments),
        Command::Doctor(arguments) => doctor::run(&arguments),
        Command::Render(arguments) => render::run(&arguments),
        Command::Sprites(arguments) => sprites::run(&arguments),
        Command::Export(arguments) => export::run(&arguments),
        Command::Reimport(arguments) => reimport::run(&arguments),
        Command::Rig(arguments) => rig::run(&arguments),
        Command::Weights(arguments) => weights::run(&arguments),
        Command::Clip(arguments) => clip::run(&arguments),
        Command::Level(arguments) => level::run(&arguments),
        Command::Thumbnail(arguments) => thumbnail::run(&arguments),
        Command::Completions(arguments) => shell_files::completions(&arguments),
        Command::ManPages(arguments) => shell_files::man_pages(&arguments),
        Command::Recover(arguments) => recover::run(&arguments),
        Command::Mcp(arguments) => mcp::run(&arguments),
        Command::Wad(arguments) => wad::run(&arguments),
        Command::ReadModel(arguments) => read_model::run(&arguments),
    };
    match done {
        Ok(_) if console::is_incomplete() => ExitCode::FAILURE,
        Ok(code) => code,
        Err(reason) => {
            console::warn(format_args!("keypose: {reason}"));
            #[cfg(windows)]
            crate::app::win32::show_error(&reason);
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::misspelled;

    #[test]
    fn a_misspelled_command_is_named() {
        for (word, command) in [("chek", "check"), ("sprits", "sprites"), ("impotr", "import"), ("plya", "play")] {
            let expected = format!("{word}: no such command or file. Did you mean {command}?");
            assert_eq!(misspelled(word), Some(expected));
        }
        for word in ["check", "clip", "hero.wad", "--version", "x", "k.wad"] {
            assert_eq!(misspelled(word), None, "{word}");
        }
    }
}
