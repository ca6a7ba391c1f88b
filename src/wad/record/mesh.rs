//! MESH: vertex streams, triangles and influences as plain numbers. They are held against the model after reading.

use serde::{Deserialize, Serialize};

use crate::anim::skin::cpu::InfluenceSet;
use crate::assets::mesh::{Binding, Mesh};
use crate::wad::error::Fault;
use crate::wad::record::{Record, from_bytes, index, to_bytes, to_index};
use crate::wad::sections::{floats, join, split};

#[derive(Serialize, Deserialize)]
struct MeshRecordV1 {
    name: String,
    /// Into the model's materials.
    material: u32,
    binding: BindingRecordV1,
}

#[derive(Serialize, Deserialize)]
enum BindingRecordV1 {
    /// Into the model's skins.
    Skin(u32),
    Bone(u16),
}

/// Bytes of one value of each section.
pub const SIZES: [usize; 9] = [12, 12, 8, 4, 4, 8, 16, 8, 16];

impl Record for MeshRecordV1 {
    const MAX_BYTES: usize = 0x1_0000;
}

pub fn write(mesh: &Mesh) -> Result<Vec<u8>, String> {
    let binding = match mesh.binding {
        Binding::Skin(skin) => BindingRecordV1::Skin(index(skin, "skin")?),
        Binding::Bone(bone) => BindingRecordV1::Bone(bone),
    };
    let record = MeshRecordV1 { name: mesh.name.clone(), material: index(mesh.material, "material")?, binding };
    let mut sections = vec![
        floats(&mesh.positions, "positions")?,
        floats(&mesh.normals, "normals")?,
        floats(&mesh.uvs, "texture coordinates")?,
        mesh.colors.as_flattened().to_vec(),
        bytemuck::cast_slice(&mesh.indices).to_vec(),
    ];
    for set in &mesh.influences {
        sections.push(bytemuck::cast_slice(&set.joints).to_vec());
        sections.push(floats(&set.weights, "weights")?);
    }
    join(&to_bytes(&record)?, &sections)
}

pub fn read(bytes: &[u8]) -> Result<Mesh, Fault> {
    let mut parts = split(bytes)?;
    let record: MeshRecordV1 = from_bytes(parts.record)?;
    let mut mesh = Mesh {
        name: record.name,
        positions: parts.values("positions")?,
        normals: parts.values("normals")?,
        uvs: parts.values("texture coordinates")?,
        colors: parts.values("colours")?,
        indices: parts.values("indices")?,
        influences: Vec::new(),
        material: to_index(record.material),
        binding: match record.binding {
            BindingRecordV1::Skin(skin) => Binding::Skin(to_index(skin)),
            BindingRecordV1::Bone(bone) => Binding::Bone(bone),
        },
    };
    while parts.left() > 0 && mesh.influences.len() < 2 {
        mesh.influences.push(InfluenceSet { joints: parts.values("joints")?, weights: parts.values("weights")? });
    }
    parts.end()?;
    Ok(mesh)
}
