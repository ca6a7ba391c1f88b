//! sRCE: the source file and nodes of an imported model. See docs/wad-format.md, "sRCE".

use crate::assets::model::{MeshSource, Source};
use crate::wad::record::stored::record;

record! {
    struct SourceRecordV1 of Source {
        file: String,
        bone_nodes: Vec<Option<u32>>,
        meshes: Vec<Option<MeshSourceRecordV1>>,
    }
}

record! { struct MeshSourceRecordV1 of MeshSource { node: u32, mesh: u32, primitive: u32 } }
