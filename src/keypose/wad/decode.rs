//! Decodes an archive to a project: opens it, reads every lump and assembles the project. Everything is verified; repairs
//! are listed in the findings.

use std::borrow::Cow;
use std::sync::Arc;

use crate::anim::parallel;
use crate::assets::bytes::Bytes;
use crate::assets::character::Character;
use crate::assets::model::MAX_BONE_CLIPS;
use crate::assets::printable::printable;
use crate::assets::project::Project;
use crate::assets::texture::Texture;
use crate::wad::archive::Archive;
use crate::wad::assemble::{self, Assembled, ClipIds, assemble};
use crate::wad::bakes;
use crate::wad::directory::{Codec, Entry};
use crate::wad::error::WadError;
use crate::wad::kind::Kind;
use crate::wad::part::{Part, Parts};
use crate::wad::pixels::PackedImage;
use crate::wad::reading::Checksums;
use crate::wad::record::{Input, texture};

/// A decoded archive.
#[derive(Clone, Debug, Default)]
pub struct Decoded {
    /// Models, levels and sounds.
    pub project: Project,
    /// The models of the project with baked clips, in the same order.
    pub characters: Vec<Arc<Character>>,
    /// Faults that were repaired, one sentence each.
    pub findings: Vec<String>,
    /// Whether the archive has baked clips that are invalid, out of date, or of no clip. Missing ones don't count.
    pub has_invalid_bakes: bool,
}

/// As [`decode`], without a copy of pixels: textures share the bytes of the file.
pub fn decode_shared(bytes: &Bytes) -> Result<Decoded, WadError> {
    decode_archive(&Archive::open_shared(bytes, &Checksums::default())?)
}

/// Decodes an archive; see [`Archive::open`] for what is verified.
pub fn decode(bytes: &[u8]) -> Result<Decoded, WadError> {
    decode_archive(&Archive::open(bytes)?)
}

/// Decodes an open archive.
pub fn decode_archive(archive: &Archive<'_>) -> Result<Decoded, WadError> {
    let Assembled { project, models, mut findings } = read(archive)?;
    let mut of_bakes = Vec::new();
    let characters = bakes::characters(archive, &project, &models, &mut of_bakes);
    let has_invalid_bakes = !of_bakes.is_empty();
    findings.append(&mut of_bakes);
    findings.sort();
    Ok(Decoded { project, characters, findings: lines(&findings), has_invalid_bakes })
}

/// Decodes the models and levels of an open archive, without baked clips.
pub fn decode_project(archive: &Archive<'_>) -> Result<Project, WadError> {
    Ok(read(archive)?.project)
}

/// The project without baked clips, assembled and checked.
pub(super) fn read(archive: &Archive<'_>) -> Result<Assembled, WadError> {
    let parts = read_parts(archive)?;
    let assembled = assemble(&parts, &mut ClipIds::new(), 0);
    let checked = assembled.and_then(|assembled| assemble::check(&assembled, &parts).map(|()| assembled));
    checked.map_err(|mismatch| mismatch.in_archive(archive))
}

/// Decodes the readable parts. Missing or invalid parts are removed or replaced by placeholders, each with a finding. For
/// salvaged lumps.
pub(super) fn decode_leniently(archive: &Archive<'_>) -> Result<Decoded, WadError> {
    refuse_patch(archive)?;
    check_images(archive)?;
    let (mut parts, mut findings) = (Parts::new(), Vec::new());
    for entry in authored(archive) {
        match read_part(archive, entry) {
            Ok(part) => drop(parts.insert((entry.kind, entry.name.clone()), part)),
            Err(error) => findings.push(error.to_string()),
        }
    }
    super::rebuild::rebuild(&mut parts, &mut findings);
    super::repair::repair(&mut parts, &mut findings);
    let Assembled { mut project, mut models, findings: repairs } =
        assemble(&parts, &mut ClipIds::new(), 0).map_err(|mismatch| mismatch.in_archive(archive))?;
    findings.extend(repairs);
    let pairs = std::mem::take(&mut project.models).into_iter().zip(std::mem::take(&mut models));
    let mut bone_clips = 0_usize;
    for (model, lumps) in pairs {
        let sum = bone_clips.saturating_add(model.bone_clips());
        match model.check() {
            Ok(()) if sum > MAX_BONE_CLIPS => {
                findings.push(format!("model {}: too many clips for its bones; the model was removed", model.name));
            }
            Ok(()) => {
                bone_clips = sum;
                project.models.push(model);
                models.push(lumps);
            }
            Err(reason) => findings.push(format!("model {}: {reason}; the model was removed", model.name)),
        }
    }
    let mut of_bakes = Vec::new();
    let characters = bakes::characters(archive, &project, &models, &mut of_bakes);
    let has_invalid_bakes = !of_bakes.is_empty();
    findings.append(&mut of_bakes);
    Ok(Decoded { project, characters, findings: lines(&findings), has_invalid_bakes })
}

pub(super) fn lines(findings: &[String]) -> Vec<String> {
    findings.iter().map(|finding| printable(finding).into_owned()).collect()
}

/// The values of all lumps except baked clips.
pub(super) fn read_parts(archive: &Archive<'_>) -> Result<Parts, WadError> {
    refuse_patch(archive)?;
    check_images(archive)?;
    let read = |entry: &Entry| {
        let part = read_part(archive, entry)?;
        Ok(((entry.kind, entry.name.clone()), part))
    };
    let entries: Vec<&Entry> = authored(archive).collect();
    parallel::map(&entries, archive.file_bytes(), |entry| read(entry)).into_iter().collect()
}

pub(super) fn read_part(archive: &Archive<'_>, entry: &Entry) -> Result<Part, WadError> {
    if entry.codec == Codec::Pixels && is_image(entry) && entry.kind.newest_version() == Some(entry.version) {
        return read_image(archive, entry);
    }
    let read =
        |bytes: &[u8], share: &dyn Fn(&[u8]) -> Bytes| Part::read(entry.kind, entry.version, &entry.name, bytes, share);
    let part = match archive.lump(entry)? {
        Cow::Borrowed(bytes) => read(bytes, &|part| archive.share(part)),
        Cow::Owned(raw) => {
            if is_image(entry) && texture::decoded_bytes(&raw).is_some() {
                return Err(WadError::Content { place: place(entry), reason: "a compressed image file".into() });
            }
            let raw = Bytes::from(raw);
            read(&raw, &|part| raw.view(part).unwrap_or_else(|| part.to_vec().into()))
        }
    };
    part.map_err(|error| archive.locate(error))
}

/// Reads an image whose pixels are left to their first use.
fn read_image(archive: &Archive<'_>, entry: &Entry) -> Result<Part, WadError> {
    let image = PackedImage::new(archive.share(archive.stored(entry)), entry.raw_bytes);
    let texture = image.and_then(texture::read_packed).map_err(|fault| fault.in_lump(entry.title()))?;
    Ok(if entry.kind == Kind::TEXTURE { Part::Texture(texture) } else { Part::ReferenceImage(texture) })
}

pub(super) fn is_image(entry: &Entry) -> bool {
    matches!(entry.kind, Kind::TEXTURE | Kind::REFERENCE_IMAGE)
}

fn place(entry: &Entry) -> String {
    format!("lump {}/{}", entry.kind, entry.name)
}

/// Checks that the image files of an archive decode to no more than a reader accepts. Those of compressed lumps are refused where
/// they are read.
fn check_images(archive: &Archive<'_>) -> Result<(), WadError> {
    let images = [Kind::TEXTURE, Kind::REFERENCE_IMAGE].into_iter().flat_map(|kind| archive.entries_of(kind));
    let largest = texture::max_decoded_bytes(archive.file_bytes() as u64);
    let mut decoded = 0_u64;
    for entry in images.filter(|entry| entry.codec == Codec::Store && !entry.tombstone) {
        decoded = decoded.saturating_add(texture::decoded_bytes(&archive.lump(entry)?).unwrap_or(0));
        if decoded > largest {
            let reason =
                format!("the images decode to {decoded} bytes or more; the maximum for this file is {largest}");
            return Err(WadError::Content { place: place(entry), reason });
        }
    }
    Ok(())
}

/// All lumps except baked clips, which are read after the clips.
fn authored<'a>(archive: &'a Archive<'_>) -> impl Iterator<Item = &'a Entry> {
    archive.entries().iter().filter(|entry| entry.kind != Kind::BAKED)
}

fn refuse_patch(archive: &Archive<'_>) -> Result<(), WadError> {
    let reason = "the file is a patch; open it together with its base archive, or merge both first (keypose wad merge)";
    archive.header().base.map_or(Ok(()), |_| Err(archive.header().refuse_flags(reason)))
}

/// The texture of a lump; `None` if it is of another kind or invalid.
pub fn texture_of(entry: &Entry, bytes: &[u8]) -> Option<Arc<Texture>> {
    let texture = texture::read(Input::new(bytes)).ok()?;
    (entry.kind == Kind::TEXTURE && texture.is_valid()).then_some(texture)
}
