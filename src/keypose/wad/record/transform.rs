//! A transform inside other records. See docs/wad-format.md, "Inside a lump".

use crate::anim::transform::Transform;
use crate::wad::record::stored::record;

record! {
    struct TransformRecordV1 of Transform {
        translation: [f32; 3],
        /// x, y, z, w.
        rotation: [f32; 4],
        scale: [f32; 3],
    }
}
