//! The bytes of an archive to its project: opened, each lump read, put together. Everything is verified and validated;
//! what could be mended stands in the findings.

use std::sync::Arc;

use crate::assets::bytes::Bytes;
use crate::assets::character::Character;
use crate::assets::project::Project;
use crate::assets::texture::Texture;
use crate::wad::archive::Archive;
use crate::wad::assemble::{self, Assembled, ClipIds, assemble};
use crate::wad::bakes;
use crate::wad::directory::Entry;
use crate::wad::error::{WadError, one_line};
use crate::wad::kind::Kind;
use crate::wad::parallel;
use crate::wad::part::{Part, Parts};
use crate::wad::reading::Checksums;
use crate::wad::record::texture;

/// What an archive holds.
#[derive(Clone, Debug, Default)]
pub struct Decoded {
    /// Its models and levels.
    pub project: Project,
    /// Its models with their clips baked, in the same order.
    pub characters: Vec<Arc<Character>>,
    /// What was not as it should be and could be mended, a sentence each.
    pub findings: Vec<String>,
}

/// As [`decode`]; pixels stay where they lie in the bytes of the file.
pub fn decode_shared(bytes: &Bytes) -> Result<Decoded, WadError> {
    decode_archive(&Archive::open_shared(bytes, &Checksums::default())?)
}

/// Reads an archive; see [`Archive::open`] for what is verified.
pub fn decode(bytes: &[u8]) -> Result<Decoded, WadError> {
    decode_archive(&Archive::open(bytes)?)
}

/// Reads an archive that was opened.
pub fn decode_archive(archive: &Archive<'_>) -> Result<Decoded, WadError> {
    let Assembled { project, models, mut findings } = read(archive)?;
    let characters = bakes::characters(archive, &project, &models, &mut findings);
    findings.sort();
    Ok(Decoded { project, characters, findings: lines(&findings) })
}

/// What was made by hand, put together and valid.
pub(super) fn read(archive: &Archive<'_>) -> Result<Assembled, WadError> {
    let parts = read_parts(archive)?;
    let assembled = assemble(&parts, &mut ClipIds::new(), 0);
    let checked = assembled.and_then(|assembled| assemble::check(&assembled, &parts).map(|()| assembled));
    checked.map_err(|unfit| unfit.in_archive(archive))
}

/// Reads what it can: what is missing or not valid is left out or replaced by a placeholder, with a finding. For what
/// was salvaged.
pub(super) fn decode_leniently(archive: &Archive<'_>) -> Result<Decoded, WadError> {
    refuse_patch(archive)?;
    let (mut parts, mut findings) = (Parts::new(), Vec::new());
    for entry in authored(archive) {
        match read_part(archive, entry) {
            Ok(part) => drop(parts.insert((entry.kind, entry.name.clone()), part)),
            Err(error) => findings.push(error.to_string()),
        }
    }
    super::mend::mend(&mut parts, &mut findings);
    let Assembled { mut project, mut models, findings: mended } =
        assemble(&parts, &mut ClipIds::new(), 0).map_err(|unfit| unfit.in_archive(archive))?;
    findings.extend(mended);
    let pairs = std::mem::take(&mut project.models).into_iter().zip(std::mem::take(&mut models));
    for (model, lumps) in pairs {
        match model.check() {
            Ok(()) => {
                project.models.push(model);
                models.push(lumps);
            }
            Err(reason) => findings.push(format!("model {}: {reason}; it was left out", model.name)),
        }
    }
    let characters = bakes::characters(archive, &project, &models, &mut findings);
    Ok(Decoded { project, characters, findings: lines(&findings) })
}

fn lines(findings: &[String]) -> Vec<String> {
    findings.iter().map(|finding| one_line(finding)).collect()
}

/// The value of every lump but the baked clips.
pub(super) fn read_parts(archive: &Archive<'_>) -> Result<Parts, WadError> {
    refuse_patch(archive)?;
    let read = |entry: &Entry| {
        let part = read_part(archive, entry)?;
        Ok(((entry.kind, entry.name.clone()), part))
    };
    let entries: Vec<&Entry> = authored(archive).collect();
    parallel::map(&entries, archive.file_bytes(), |entry| read(entry)).into_iter().collect()
}

fn read_part(archive: &Archive<'_>, entry: &Entry) -> Result<Part, WadError> {
    let part = Part::read(entry.kind, entry.version, &entry.name, &archive.lump(entry)?, |part| archive.share(part));
    part.map_err(|error| archive.locate(error))
}

/// What was made by hand; baked clips are read once the clips are known.
fn authored<'a>(archive: &'a Archive<'_>) -> impl Iterator<Item = &'a Entry> {
    archive.entries().iter().filter(|entry| entry.kind != Kind::BAKED)
}

fn refuse_patch(archive: &Archive<'_>) -> Result<(), WadError> {
    let reason = "it is a patch; it can only be read over the archive that it was made for";
    archive.header().base.map_or(Ok(()), |_| Err(archive.header().refuse_flags(reason)))
}

/// The texture that a lump holds; `None` for another kind, or one that can't be read.
pub fn texture_of(entry: &Entry, bytes: &[u8]) -> Option<Texture> {
    let texture = texture::read(bytes, |pixels| pixels.to_vec().into()).ok()?;
    (entry.kind == Kind::TEXTURE && texture.is_valid()).then_some(texture)
}
