//! sRCE: where the parts of an imported model come from.

use serde::{Deserialize, Serialize};

use crate::assets::model::{MeshSource, Source};
use crate::wad::error::Fault;
use crate::wad::record::{Record, from_bytes, to_bytes};
use crate::wad::sections::{join, split};

#[derive(Serialize, Deserialize)]
struct SourceRecordV1 {
    file: String,
    bone_nodes: Vec<Option<u32>>,
    /// Node, mesh, primitive.
    meshes: Vec<Option<[u32; 3]>>,
}

impl Record for SourceRecordV1 {
    const MAX_BYTES: usize = 0x100_0000;
}

pub fn write(source: &Source) -> Result<Vec<u8>, String> {
    let mesh = |mesh: &Option<MeshSource>| mesh.map(|mesh| [mesh.node, mesh.mesh, mesh.primitive]);
    let record = SourceRecordV1 {
        file: source.file.clone(),
        bone_nodes: source.bone_nodes.clone(),
        meshes: source.meshes.iter().map(mesh).collect(),
    };
    join(&to_bytes(&record)?, &[])
}

pub fn read(bytes: &[u8]) -> Result<Source, Fault> {
    let parts = split(bytes)?;
    let record: SourceRecordV1 = from_bytes(parts.record)?;
    parts.end()?;
    let mesh = |[node, mesh, primitive]: [u32; 3]| MeshSource { node, mesh, primitive };
    let meshes = record.meshes.into_iter().map(|source| source.map(mesh)).collect();
    Ok(Source { file: record.file, bone_nodes: record.bone_nodes, meshes })
}
