//! `keypose wad`: lists, verifies, compares and changes archives.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::{Value, json};

use output::Output;

use keypose::wad::directory::{Codec, Entry};
use keypose::wad::kind::Kind;

use crate::app::files;

mod add_models;
mod change;
pub mod extract;
pub(super) mod output;
mod show;

/// The exit codes of all commands, for `--help`.
const EXIT_CODES: &str = "\
Exit codes:
  0  success; verify: undamaged; diff: equal
  1  error, see stderr; verify: damaged; diff: different; why: no file has the lump
  2  invalid arguments; diff: a file can't be read";

/// List, verify, compare and change archives
#[derive(clap::Args)]
#[command(after_help = EXIT_CODES)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
    /// Print the result as JSON, or {"error": REASON}
    #[arg(long, global = true)]
    json: bool,
}

#[derive(clap::Subcommand)]
enum Command {
    /// List the lumps of an archive: kind, schema version, size, checksum, name
    #[command(after_help = EXIT_CODES)]
    List(show::OneArchive),
    /// Verify the checksums and the contents of an archive
    #[command(after_help = EXIT_CODES)]
    Verify(show::Verify),
    /// Compare the contents of two archives: clips, keys, bones, meshes
    #[command(after_help = EXIT_CODES)]
    Diff(show::TwoArchives),
    /// Show which archive a lump comes from, given a base and its patches
    #[command(after_help = EXIT_CODES)]
    Why(show::Why),
    /// Write lumps to files: FOLDER/KIND/NAME.lump, and textures also as .png
    #[command(after_help = EXIT_CODES)]
    Extract(extract::Arguments),
    /// Add models of another archive, or single lumps, to an archive
    #[command(after_help = EXIT_CODES)]
    Add(change::Add),
    /// Remove lumps from an archive; a model is removed with its parts
    #[command(after_help = EXIT_CODES)]
    Remove(change::Remove),
    /// Merge a base and its patches to one archive
    #[command(after_help = EXIT_CODES)]
    Merge(change::Merge),
    /// Write the patch that changes one archive to another
    #[command(after_help = EXIT_CODES)]
    Patch(change::Patch),
    /// Recover the undamaged lumps of an archive
    #[command(after_help = EXIT_CODES)]
    Salvage(change::Salvage),
    /// Rewrite an archive, compressed or uncompressed
    #[command(after_help = EXIT_CODES)]
    Repack(change::Repack),
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    let out = Output::new(arguments.json);
    let done = match &arguments.command {
        Command::List(arguments) => show::list(arguments, &out),
        Command::Verify(arguments) => show::verify(arguments, &out),
        Command::Diff(arguments) => show::diff(arguments, &out),
        Command::Why(arguments) => show::why(arguments, &out),
        Command::Extract(arguments) => extract::run(arguments, &out),
        Command::Add(arguments) => change::add(arguments, &out),
        Command::Remove(arguments) => change::remove(arguments, &out),
        Command::Merge(arguments) => change::merge(arguments, &out),
        Command::Patch(arguments) => change::patch(arguments, &out),
        Command::Salvage(arguments) => change::salvage(arguments, &out),
        Command::Repack(arguments) => change::repack(arguments, &out),
    };
    if let Err(reason) = &done {
        out.json(|| json!({ "error": reason }));
    }
    done
}

/// KIND/NAME on the command line.
#[derive(Clone, Debug)]
struct Title {
    kind: Kind,
    name: String,
}

fn parse_title(text: &str) -> Result<Title, String> {
    let (kind, name) = text.split_once('/').ok_or("expected KIND/NAME, like ANIM/knight/walk")?;
    let kind = Kind::parse(kind).ok_or("expected a kind of four letters, like ANIM")?;
    Ok(Title { kind, name: name.to_owned() })
}

fn entry_json(entry: &Entry) -> Value {
    json!({
        "kind": entry.kind.to_string(),
        "name": entry.name,
        "version": entry.version,
        "codec": match entry.codec {
            Codec::Store => "store",
            Codec::Lz4 => "lz4",
            Codec::Pixels => "pixels",
            Codec::Numbers => "numbers",
        },
        "deleted": entry.tombstone,
        "offset": entry.offset,
        "stored_bytes": entry.stored_bytes,
        "raw_bytes": entry.raw_bytes,
        "hash": hash(entry.hash),
    })
}

/// Formats a checksum.
fn hash(hash: u64) -> String {
    format!("{hash:016x}")
}

/// Reads a file.
pub(super) fn read(file: &Path, out: &Output) -> Result<Vec<u8>, String> {
    out.stage("reading", file);
    let bytes = files::read(file);
    out.stage("verifying", file);
    bytes
}

/// Reads several files.
fn read_all(files: &[PathBuf], out: &Output) -> Result<Vec<Vec<u8>>, String> {
    files.iter().map(|file| read(file, out)).collect()
}
