//! rEFI: the reference images of a model. Their pixels (rIMG) and the files of films (rFLM) are lumps of their own. See
//! docs/wad-format.md, "rEFI".

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::assets::bytes::Bytes;
use crate::assets::reference::{Depth, Facing, Film, FilmFiles, FilmSource, Lock, Reference};
use crate::wad::error::Fault;
use crate::wad::record::stored::{Invalid, Stored, record};
use crate::wad::record::{Input, to_bytes};
use crate::wad::sections::join;

/// A reference image with the lump name of its pixels.
pub type NamedReference = Reference<String>;

record! {
    struct ReferenceRecordV1 of NamedReference {
        /// The name of its rIMG lump.
        image: String,
        facing: FacingRecordV1,
        depth: DepthRecordV1,
        offset: [f32; 2],
        height: f32,
        opacity: f32,
        /// Whether it is hidden.
        visibility: bool,
        /// Whether it is locked.
        lock: bool,
        film: Option<FilmRecordV1>,
    }
}

record! {
    struct FilmRecordV1 of Film {
        source: FilmSourceRecordV1,
        offset: f32,
        speed: f32,
    }
}

record! {
    struct FilmSourceRecordV1 of FilmSource {
        path: String,
        /// Whether they are in its rFLM lump, which has the name of its rIMG lump.
        files: bool,
        fps: f32,
    }
}

record! { enum FacingRecordV1 of Facing { Front, Side } }
record! { enum DepthRecordV1 of Depth { Behind, Before } }

impl Stored<bool> for FilmFiles {
    fn to_record(&self) -> Result<bool, Invalid> {
        Ok(*self != FilmFiles::Linked)
    }

    /// Without the files.
    fn from_record(is_kept: bool) -> Result<FilmFiles, Invalid> {
        Ok(if is_kept { FilmFiles::Kept(Arc::default()) } else { FilmFiles::Linked })
    }
}

/// The lengths of the files of a film, which follow one another.
#[derive(Serialize, Deserialize)]
struct FilesRecordV1 {
    lengths: Vec<u64>,
}

/// Writes the files of a film.
pub fn write_film(files: &Arc<Vec<Bytes>>) -> Result<Vec<u8>, String> {
    let record = FilesRecordV1 { lengths: files.iter().map(|file| file.len() as u64).collect() };
    let whole: Vec<&[u8]> = files.iter().map(|file| &**file).collect();
    join(&to_bytes(&record)?, &[whole.concat()])
}

/// Reads the files of a film. They are not looked at.
pub fn read_film(input: Input<'_>) -> Result<Arc<Vec<Bytes>>, Fault> {
    let (record, mut parts) = input.split()?;
    let FilesRecordV1 { lengths } = record;
    let section = parts.section("files")?;
    parts.end()?;
    let mut rest = section.bytes;
    let mut files = Vec::with_capacity(lengths.len());
    for length in lengths {
        let file = usize::try_from(length).ok().and_then(|length| rest.split_at_checked(length));
        let (file, after) = file.ok_or_else(|| Fault::new(section.offset, "the files of a film are cut off"))?;
        files.push((input.share)(file));
        rest = after;
    }
    Ok(Arc::new(files))
}

impl Stored<bool> for Lock {
    fn to_record(&self) -> Result<bool, Invalid> {
        Ok(*self == Lock::Locked)
    }

    fn from_record(is_locked: bool) -> Result<Lock, Invalid> {
        Ok(if is_locked { Lock::Locked } else { Lock::Open })
    }
}
