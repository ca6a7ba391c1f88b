//! The bytes of an archive to its project: opened, each lump read, put together. Everything is verified and validated;
//! what could be mended stands in the findings.

use std::sync::Arc;

use crate::assets::character::Character;
use crate::assets::model::Model;
use crate::assets::project::Project;
use crate::assets::texture::Texture;
use crate::wad::archive::Archive;
use crate::wad::assemble::{ClipIds, assemble};
use crate::wad::directory::Entry;
use crate::wad::error::WadError;
use crate::wad::kind::Kind;
use crate::wad::part::{Part, Parts};
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

/// Reads an archive; see [`Archive::open`] for what is verified.
pub fn decode(bytes: &[u8]) -> Result<Decoded, WadError> {
    decode_archive(&Archive::open(bytes)?)
}

/// Reads an archive that was opened.
pub fn decode_archive(archive: &Archive<'_>) -> Result<Decoded, WadError> {
    let mut assembled = assemble(&read_parts(archive)?, &mut ClipIds::new(), 0)?;
    let characters = check_and_bake(&assembled.project)?;
    assembled.findings.sort();
    Ok(Decoded { project: assembled.project, characters, findings: assembled.findings })
}

/// Reads what it can: what is missing or not valid is left out or replaced by a placeholder, with a finding. For what
/// was salvaged.
pub(super) fn decode_leniently(archive: &Archive<'_>) -> Result<Decoded, WadError> {
    refuse_patch(archive)?;
    let (mut parts, mut findings) = (Parts::new(), Vec::new());
    for entry in archive.entries() {
        match archive.lump(entry).and_then(|bytes| Part::read(entry.kind, entry.version, &entry.name, &bytes)) {
            Ok(part) => drop(parts.insert((entry.kind, entry.name.clone()), part)),
            Err(error) => findings.push(error.to_string()),
        }
    }
    super::mend::mend(&mut parts, &mut findings);
    let assembled = assemble(&parts, &mut ClipIds::new(), 0)?;
    let mut project = assembled.project;
    findings.extend(assembled.findings);
    project.models.retain(|model| match model.check() {
        Ok(()) => true,
        Err(reason) => {
            findings.push(format!("model {}: {reason}; it was left out", model.name));
            false
        }
    });
    let characters = check_and_bake(&project)?;
    Ok(Decoded { project, characters, findings })
}

/// Every lump's value.
pub(super) fn read_parts(archive: &Archive<'_>) -> Result<Parts, WadError> {
    refuse_patch(archive)?;
    let read = |entry: &Entry| {
        let part = Part::read(entry.kind, entry.version, &entry.name, &archive.lump(entry)?)?;
        Ok(((entry.kind, entry.name.clone()), part))
    };
    archive.entries().iter().map(read).collect()
}

fn refuse_patch(archive: &Archive<'_>) -> Result<(), WadError> {
    if archive.header().base.is_none() {
        return Ok(());
    }
    let reason = "it is a patch; it can only be read over the archive that it was made for".to_owned();
    Err(WadError::Content { place: "archive".into(), reason })
}

/// The models ready to play. Nothing that is not valid gets that far.
fn check_and_bake(project: &Project) -> Result<Vec<Arc<Character>>, WadError> {
    let bake = |model: &Arc<Model>| {
        let content = |reason| WadError::Content { place: format!("model {}", model.name), reason };
        model.check().map_err(content)?;
        Ok(Arc::new(Character::bake(model, None)))
    };
    project.models.iter().map(bake).collect()
}

/// The texture that a lump holds; `None` for another kind, or one that can't be read.
pub fn texture_of(entry: &Entry, bytes: &[u8]) -> Option<Texture> {
    let texture = texture::read(bytes).ok()?;
    (entry.kind == Kind::TEXTURE && texture.is_valid()).then_some(texture)
}
