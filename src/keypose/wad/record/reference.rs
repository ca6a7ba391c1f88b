//! rEFI: the reference images of a model. Their pixels are lumps of their own (rIMG). See docs/wad-format.md, "rEFI".

use crate::assets::reference::{Depth, Facing, Lock, Reference};
use crate::wad::record::Record;
use crate::wad::record::stored::{Invalid, Stored, record};

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
    }
}

record! { enum FacingRecordV1 of Facing { Front, Side } }
record! { enum DepthRecordV1 of Depth { Behind, Before } }

impl Stored<bool> for Lock {
    fn to_record(&self) -> Result<bool, Invalid> {
        Ok(*self == Lock::Locked)
    }

    fn from_record(is_locked: bool) -> Result<Lock, Invalid> {
        Ok(if is_locked { Lock::Locked } else { Lock::Open })
    }
}

impl Record for Vec<ReferenceRecordV1> {
    const MAX_BYTES: usize = 0x1_0000;
}
