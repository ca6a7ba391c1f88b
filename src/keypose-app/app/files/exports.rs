//! Exports for other programs: GLB, and baked clips as JSON. The command line and the editor use it.

use std::path::Path;
use std::sync::Arc;

use keypose::anim::bake::BakeOptions;
use keypose::assets::character::Character;
use keypose::assets::model::Model;
use keypose_editor::editor::ops::sentence::counted;
use keypose_tools::export::baked_json::{self, Rate};
use keypose_tools::export::gltf::{self, Glb, GlbOptions};

use crate::app::files;
use crate::app::files::{save, web_page};

/// The format of an export, with its options.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ExportFormat {
    /// Binary glTF.
    Glb(GlbOptions),
    /// Baked clips.
    Json(Rate),
}

/// An encoded file.
#[derive(Clone, Debug)]
pub struct Exported {
    /// The file's content.
    pub bytes: Vec<u8>,
    /// A report of its content.
    pub report: ExportReport,
}

/// The content of an exported file, for the user.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExportReport {
    /// "knight: 41 bones, 15 meshes, 76 clips"; empty for images.
    pub summary: String,
    /// Losses, because the format can't hold something: one sentence each.
    pub findings: Vec<String>,
}

impl ExportFormat {
    /// The format of a file with this name, with default options.
    pub fn of(path: &Path) -> Option<ExportFormat> {
        let extension = path.extension().unwrap_or_default();
        let is = |known: &str| extension.eq_ignore_ascii_case(known);
        match () {
            () if is("glb") => Some(ExportFormat::Glb(GlbOptions::default())),
            () if is("json") => Some(ExportFormat::Json(Rate::default())),
            () => None,
        }
    }
}

/// Encodes a model. The error is a sentence.
pub fn encode(model: &Arc<Model>, format: ExportFormat) -> Result<Exported, String> {
    let Glb { bytes, findings } = match format {
        ExportFormat::Glb(options) => gltf::encode(model, options).map_err(|error| error.to_string())?,
        ExportFormat::Json(rate) => {
            let baked = Character::bake_with(model, None, &BakeOptions::EXACT);
            let text = baked_json::encode(model, &baked.clips, rate)?;
            Glb { bytes: text.into_bytes(), findings: Vec::new() }
        }
    };
    let (bones, clips) = (counted(model.skeleton.len(), "bone"), counted(model.clips.len(), "clip"));
    let meshes = match format {
        ExportFormat::Glb(_) => format!("{}, ", counted(model.meshes.len(), "mesh")),
        ExportFormat::Json(_) => String::new(),
    };
    let summary = format!("{}: {bones}, {meshes}{clips}", model.name);
    Ok(Exported { bytes, report: ExportReport { summary, findings } })
}

/// Encodes a model as the extension of the path says, and writes it if `may_write` allows it then.
pub fn export(
    model: &Arc<Model>,
    path: &Path,
    may_write: impl FnOnce() -> Result<(), String>,
) -> Result<ExportReport, String> {
    let unknown = || format!("{}: the name must end in .glb or .json", path.display());
    let exported = encode(model, ExportFormat::of(path).ok_or_else(unknown)?);
    let exported = exported.map_err(|reason| format!("{}: {reason}", path.display()))?;
    may_write()?;
    write(path, &exported.bytes).map(|()| exported.report)
}

/// Replaces a file by an export: the old or the new file exists, whole. A pipe or a device is written to.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let sentence = |error| format!("{}: could not be written: {error}{}", path.display(), save::advice(&error));
    save::replace_or_write(path, bytes).map_err(sentence)
}

/// The bytes of a file of clips in which its format stands.
const START_BYTES: usize = 4096;

/// Whether a file is an export of ours, or there is none: replacing it loses nothing that is nowhere else.
pub fn is_own(path: &Path) -> Result<bool, String> {
    if !path.exists() {
        return Ok(true);
    }
    let bytes = files::read(path)?;
    let is_glb = || gltf::generator_of(&bytes).is_some_and(|generator| generator.starts_with("Keypose "));
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(START_BYTES)]);
    let is_clips = start.contains("\"format\": \"keypose-clips\"");
    Ok(bytes.is_empty() || is_glb() || is_clips || web_page::is_page(&start))
}
