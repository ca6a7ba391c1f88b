//! `keypose wad`: lists and verifies archives.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::{Value, json};

use crate::app::files::read;
use crate::wad;
use crate::wad::archive::Archive;
use crate::wad::directory::Entry;

/// List or verify an archive
#[derive(clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// List the lumps of an archive
    List(One),
    /// Verify every byte of an archive, and that its contents make sense
    ///
    /// Exit code 0: it is whole; 1: it is not, or can't be read.
    Verify(One),
}

#[derive(clap::Args)]
struct One {
    /// An archive (.wad)
    file: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    match &arguments.command {
        Command::List(one) => list(one),
        Command::Verify(one) => verify(one),
    }
}

fn list(one: &One) -> Result<ExitCode, String> {
    let bytes = read(&one.file)?;
    let archive = Archive::open(&bytes).map_err(in_file(&one.file))?;
    if one.json {
        print_json(&json!({
            "file": one.file,
            "bytes": bytes.len(),
            "format": [archive.header().major, archive.header().minor],
            "hash": hash(archive.header().hash),
            "base": archive.header().base.map(hash),
            "lumps": archive.entries().iter().map(entry_json).collect::<Vec<_>>(),
        }));
        return Ok(ExitCode::SUCCESS);
    }
    println!("kind  version       bytes              hash  name");
    for entry in archive.entries() {
        let bytes = if entry.tombstone { "deleted".into() } else { entry.raw_bytes.to_string() };
        println!("{}  {:>7}  {bytes:>10}  {}  {}", entry.kind, entry.version, hash(entry.hash), entry.name);
    }
    println!("{} lumps, {} bytes", archive.entries().len(), bytes.len());
    Ok(ExitCode::SUCCESS)
}

fn verify(one: &One) -> Result<ExitCode, String> {
    let decoded = read(&one.file).and_then(|bytes| wad::decode(&bytes).map_err(in_file(&one.file)));
    if one.json {
        let findings = decoded.as_ref().map(|decoded| decoded.findings.clone()).unwrap_or_default();
        print_json(&json!({
            "file": one.file,
            "whole": decoded.is_ok(),
            "error": decoded.as_ref().err(),
            "findings": findings,
        }));
        return Ok(if decoded.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    let decoded = decoded?;
    decoded.findings.iter().for_each(|finding| println!("{finding}"));
    let (models, levels) = (decoded.project.models.len(), decoded.project.levels.len());
    println!("{}: whole; {models} models, {levels} levels", one.file.display());
    Ok(ExitCode::SUCCESS)
}

fn entry_json(entry: &Entry) -> Value {
    json!({
        "kind": entry.kind.to_string(),
        "name": entry.name,
        "version": entry.version,
        "deleted": entry.tombstone,
        "offset": entry.offset,
        "stored_bytes": entry.stored_bytes,
        "raw_bytes": entry.raw_bytes,
        "hash": hash(entry.hash),
    })
}

fn hash(hash: u64) -> String {
    format!("{hash:016x}")
}

fn in_file<E: ToString>(file: &Path) -> impl Fn(E) -> String {
    let file = file.display().to_string();
    move |error| format!("{file}: {}", error.to_string())
}

fn print_json(value: &Value) {
    println!("{value:#}");
}
