//! sRCE: the source file and nodes of an imported model. See docs/wad-format.md, "sRCE".

use crate::assets::model::{MeshSource, Source};
use crate::wad::error::Fault;
use crate::wad::record::stored::record;
use crate::wad::record::{Input, Record, write_value};

record! {
    struct SourceRecordV1 of Source {
        file: String,
        bone_nodes: Vec<Option<u32>>,
        meshes: Vec<Option<MeshSourceRecordV1>>,
    }
}

record! { struct MeshSourceRecordV1 of MeshSource { node: u32, mesh: u32, primitive: u32 } }

impl Record for SourceRecordV1 {
    const MAX_BYTES: usize = 0x100_0000;
}

pub fn write(source: &Source) -> Result<Vec<u8>, String> {
    write_value::<SourceRecordV1>(source)
}

pub fn read(input: Input<'_>) -> Result<Source, Fault> {
    input.value::<SourceRecordV1, _>()
}
