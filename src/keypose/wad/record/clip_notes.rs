//! cLPN: folders, tags and sources of clips. Clips are identified by their lumps, because ids are not saved. See
//! docs/wad-format.md, "cLPN".

use crate::assets::clip_notes::{ClipLayer, Derivation, LayerBlend};
use crate::wad::error::Fault;
use crate::wad::record::stored::record;
use crate::wad::record::{Input, value};

/// The notes of a clip, with clips as lump names.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedNotes {
    pub clip: String,
    pub folder: String,
    pub tags: Vec<String>,
    pub mask: Vec<String>,
    /// The source, and how the clip is derived from it.
    pub derived: Option<(String, Derivation<String>)>,
}

type NamedDerivation = Derivation<String>;
type NamedLayer = ClipLayer<String>;

record! {
    struct NotesRecordV1 of NamedNotes {
        clip: String,
        folder: String,
        tags: Vec<String>,
        mask: Vec<String>,
        derived: Option<(String, DerivationRecordV1)>,
    }
}

record! {
    enum DerivationRecordV1 of NamedDerivation {
        Mirrored,
        Reversed,
        Retimed(percent: u32),
        Trimmed(from: i64, to: i64),
        Retargeted,
        Layered(layer: LayerRecordV1),
    }
}

record! {
    struct LayerRecordV1 of NamedLayer { clip: String, blend: LayerBlendRecordV1, percent: u32, is_muted: bool }
}

record! { enum LayerBlendRecordV1 of LayerBlend { Add, Replace } }

pub fn read(input: Input<'_>) -> Result<Vec<NamedNotes>, Fault> {
    let notes: Vec<NamedNotes> = value::<Vec<NotesRecordV1>, _>(input)?;
    for NamedNotes { clip, derived, .. } in &notes {
        if let Some((_, derivation)) = derived {
            derivation.check().map_err(|reason| Fault::from(format!("clip {clip}: {reason}")))?;
        }
    }
    Ok(notes)
}
