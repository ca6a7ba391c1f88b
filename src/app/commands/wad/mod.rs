//! `keypose wad`: lists, verifies, compares and changes archives.
//!
//! Exit codes: 0 done (verify: whole; diff: the same); 1 refused or failed, with a sentence on stderr (diff: different);
//! 2 the words of the command line, and for diff a file that can't be read.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::{Value, json};

use crate::app::files::read;
use crate::wad::archive::Archive;
use crate::wad::directory::{Codec, Entry};
use crate::wad::kind::Kind;

mod change;
mod extract;
mod show;

/// List, verify, compare and change archives
#[derive(clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// List the lumps of an archive: kind, schema version, size, checksum, name
    List(show::One),
    /// Verify every byte of an archive, and that its contents make sense (exit code 1 where not)
    Verify(show::One),
    /// Compare two archives by meaning: clips, keys, bones, meshes (exit code 0 same, 1 different, 2 trouble)
    Diff(show::Two),
    /// Say which of several archives a lump comes from: the base first, then its patches
    Why(show::Why),
    /// Write lumps as files: FOLDER/KIND/NAME.lump, textures as .png too
    Extract(extract::Arguments),
    /// Put models of another archive, or single lumps, into an archive
    Add(change::Add),
    /// Take lumps out of an archive; a model takes its parts with it
    Remove(change::Remove),
    /// Put a base and its patches together into one archive
    Merge(change::Merge),
    /// Write the patch that makes one archive out of another
    Patch(change::Patch),
    /// Save what is whole of a damaged archive
    Salvage(change::Salvage),
    /// Write an archive again, compressed or not
    Repack(change::Repack),
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    match &arguments.command {
        Command::List(arguments) => show::list(arguments),
        Command::Verify(arguments) => show::verify(arguments),
        Command::Diff(arguments) => show::diff(arguments),
        Command::Why(arguments) => show::why(arguments),
        Command::Extract(arguments) => extract::run(arguments),
        Command::Add(arguments) => change::add(arguments),
        Command::Remove(arguments) => change::remove(arguments),
        Command::Merge(arguments) => change::merge(arguments),
        Command::Patch(arguments) => change::patch(arguments),
        Command::Salvage(arguments) => change::salvage(arguments),
        Command::Repack(arguments) => change::repack(arguments),
    }
}

/// KIND/NAME on the command line.
#[derive(Clone, Debug)]
struct Title {
    kind: Kind,
    name: String,
}

fn parse_title(text: &str) -> Result<Title, String> {
    let (kind, name) = text.split_once('/').ok_or("it should be KIND/NAME, like ANIM/knight/walk")?;
    let kind = Kind::parse(kind).ok_or("the kind should be four letters, like ANIM")?;
    Ok(Title { kind, name: name.to_owned() })
}

fn entry_json(entry: &Entry) -> Value {
    json!({
        "kind": entry.kind.to_string(),
        "name": entry.name,
        "version": entry.version,
        "codec": match entry.codec { Codec::Store => "store", Codec::Lz4 => "lz4" },
        "deleted": entry.tombstone,
        "offset": entry.offset,
        "stored_bytes": entry.stored_bytes,
        "raw_bytes": entry.raw_bytes,
        "hash": hash(entry.hash),
    })
}

/// A checksum as it is printed.
fn hash(hash: u64) -> String {
    format!("{hash:016x}")
}

/// An error with its file.
fn in_file<E: ToString>(file: &Path) -> impl Fn(E) -> String {
    let file = file.display().to_string();
    move |error| format!("{file}: {}", error.to_string())
}

/// The bytes of several files.
fn read_all(files: &[PathBuf]) -> Result<Vec<Vec<u8>>, String> {
    files.iter().map(|file| read(file)).collect()
}

/// Archives over the bytes of their files.
fn open_all<'a>(files: &[PathBuf], bytes: &'a [Vec<u8>]) -> Result<Vec<Archive<'a>>, String> {
    files.iter().zip(bytes).map(|(file, bytes)| Archive::open(bytes).map_err(in_file(file))).collect()
}

fn print_json(value: &Value) {
    println!("{value:#}");
}
