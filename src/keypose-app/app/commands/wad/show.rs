//! Commands that only read: list, verify, diff, why.

use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::json;

use keypose::wad;
use keypose::wad::archive::Archive;
use keypose::wad::diff::{Difference, Sign};
use keypose::wad::overlay::{self, Claim};
use keypose::wad::verify::{self, Contents, Depth, Verified};

use super::output::Output;
use super::{Title, entry_json, hash, parse_title, read, read_all};
use crate::app::commands::in_file;
use crate::app::console::{self, path_text};
use crate::app::files::layers::open_all;
use crate::app::files::progress::Progress;

#[derive(clap::Args)]
pub struct OneArchive {
    /// An archive (.wad)
    file: PathBuf,
}

#[derive(clap::Args)]
pub struct Verify {
    /// An archive (.wad)
    file: PathBuf,
    /// Also compare each baked clip with its keys
    #[arg(long)]
    deep: bool,
}

#[derive(clap::Args)]
pub struct TwoArchives {
    /// The old archive
    before: PathBuf,
    /// The new archive
    after: PathBuf,
}

#[derive(clap::Args)]
pub struct Why {
    /// The lump: KIND/NAME, like ANIM/knight/walk
    #[arg(value_parser = parse_title)]
    lump: Title,
    /// The base archive, then its patches in order
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

pub fn list(one: &OneArchive, out: &Output) -> Result<ExitCode, String> {
    let bytes = read(&one.file, out)?;
    let archive = Archive::open(&bytes).map_err(in_file(&one.file))?;
    out.json(|| {
        json!({
            "file": path_text(&one.file),
            "bytes": bytes.len(),
            "format": [archive.header().major, archive.header().minor],
            "hash": hash(archive.header().hash),
            "base": archive.header().base.map(hash),
            "lumps": archive.entries().iter().map(entry_json).collect::<Vec<_>>(),
        })
    });
    out.line("kind  version       bytes      stored              hash  name");
    for entry in archive.entries() {
        let bytes = if entry.tombstone { "deleted".into() } else { entry.raw_bytes.to_string() };
        let (kind, version, stored, hash) = (entry.kind, entry.version, entry.stored_bytes, hash(entry.hash));
        out.line(format_args!("{kind}  {version:>7}  {bytes:>10}  {stored:>10}  {hash}  {}", entry.name));
    }
    let patch = archive.header().base.map(|base| format!(", a patch for {}", hash(base))).unwrap_or_default();
    let (lumps, state) = (archive.entries().len(), hash(archive.header().hash));
    out.line(format_args!("{lumps} lumps, {} bytes, state {state}{patch}", bytes.len()));
    Ok(ExitCode::SUCCESS)
}

pub fn verify(one: &Verify, out: &Output) -> Result<ExitCode, String> {
    let bytes = read(&one.file, out)?;
    let depth = if one.deep { Depth::Bakes } else { Depth::Records };
    let work = |progress: &Progress| verify::verify_watched(&bytes, depth, &|part| progress.set(part));
    match out.watched("verifying", &one.file, work) {
        Ok(Verified { contents, findings }) => {
            let contents = match contents {
                Contents::Project { models, levels } => format!("{models} models, {levels} levels"),
                Contents::Patch { lumps, base } => format!("a patch of {lumps} lumps for the base {}", hash(base)),
            };
            out.json(
                || json!({ "file": path_text(&one.file), "whole": true, "contents": contents, "findings": findings }),
            );
            findings.iter().for_each(|finding| out.line(finding));
            out.line(format_args!("{}: undamaged; {contents}", one.file.display()));
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => {
            let reason = in_file(&one.file)(&error);
            let (lump, offset) = (error.lump(), error.offset());
            out.json(|| json!({ "file": path_text(&one.file), "whole": false, "error": reason, "lump": lump, "offset": offset }));
            console::warn(format_args!("keypose: {reason}"));
            Ok(ExitCode::FAILURE)
        }
    }
}

pub fn diff(two: &TwoArchives, out: &Output) -> Result<ExitCode, String> {
    let open = |file: &PathBuf| read(file, out).and_then(|bytes| wad::decode(&bytes).map_err(in_file(file)));
    let (before, after) = match (open(&two.before), open(&two.after)) {
        (Ok(before), Ok(after)) => (before, after),
        (Err(reason), _) | (_, Err(reason)) => {
            out.json(|| json!({ "error": reason }));
            console::warn(format_args!("keypose: {reason}"));
            return Ok(ExitCode::from(2));
        }
    };
    let differences = wad::diff::diff(&before.project, &after.project);
    out.json(|| {
        let one = |difference: &Difference| {
            let sign = match difference.sign {
                Sign::Added => "added",
                Sign::Removed => "removed",
                Sign::Changed => "changed",
            };
            json!({ "sign": sign, "place": difference.place, "details": difference.details })
        };
        json!({ "differences": differences.iter().map(one).collect::<Vec<_>>() })
    });
    differences.iter().for_each(|difference| out.line(difference));
    Ok(if differences.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

pub fn why(why: &Why, out: &Output) -> Result<ExitCode, String> {
    let bytes = read_all(&why.files, out)?;
    let layers = open_all(&why.files, &bytes)?;
    let claims = overlay::why(&layers, why.lump.kind, &why.lump.name);
    let title = format!("{}/{}", why.lump.kind, why.lump.name);
    let winner = claims.iter().rposition(Option::is_some).ok_or_else(|| format!("no archive has the lump {title}"))?;
    out.json(|| {
        let one = |(file, claim): (&PathBuf, &Option<Claim>)| match claim {
            None => json!({ "file": path_text(file), "holds": null }),
            Some(Claim::Deletes) => json!({ "file": path_text(file), "holds": false }),
            Some(Claim::Holds(digest)) => json!({ "file": path_text(file), "holds": true, "hash": hash(*digest) }),
        };
        let layers: Vec<_> = why.files.iter().zip(&claims).map(one).collect();
        json!({ "lump": title, "layers": layers, "winner": why.files.get(winner).map(|file| path_text(file)) })
    });
    for (number, (file, claim)) in why.files.iter().zip(&claims).enumerate() {
        let says = match claim {
            None => "no entry".to_owned(),
            Some(Claim::Deletes) => "deletes the lump".to_owned(),
            Some(Claim::Holds(digest)) => format!("has the lump, {}", hash(*digest)),
        };
        let wins = if winner == number { "  <- used" } else { "" };
        out.line(format_args!("{}: {says}{wins}", file.display()));
    }
    Ok(ExitCode::SUCCESS)
}
