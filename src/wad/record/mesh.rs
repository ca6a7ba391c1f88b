//! MESH: vertex streams, triangles and influences as plain numbers. They are checked with the model. See
//! docs/wad-format.md, "MESH".

use serde::{Deserialize, Serialize};

use crate::anim::skin::cpu::InfluenceSet;
use crate::assets::mesh::{Binding, Mesh};
use crate::wad::error::Fault;
use crate::wad::record::stored::{Invalid, Stored, record};
use crate::wad::record::{Input, Record, to_bytes};
use crate::wad::sections::{floats, join};

#[derive(Serialize, Deserialize)]
struct MeshRecordV1 {
    name: String,
    /// Into the model's materials.
    material: u32,
    binding: BindingRecordV1,
}

// The skin is an index into the model's skins.
record! { enum BindingRecordV1 of Binding { Skin(skin: u32), Bone(bone: u16) } }

/// Bytes of one value of each section.
pub const SIZES: [usize; 9] = [12, 12, 8, 4, 4, 8, 16, 8, 16];

impl Record for MeshRecordV1 {
    const MAX_BYTES: usize = 0x1_0000;
}

pub fn write(mesh: &Mesh) -> Result<Vec<u8>, String> {
    let record = || {
        let (material, binding) = (mesh.material.to_record()?, mesh.binding.to_record()?);
        Ok::<_, Invalid>(MeshRecordV1 { name: mesh.name.clone(), material, binding })
    };
    let record = record().map_err(|error| error.to_string())?;
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

pub fn read(input: Input<'_>) -> Result<Mesh, Fault> {
    let (record, mut parts) = input.split::<MeshRecordV1>()?;
    let mut mesh = Mesh {
        name: record.name,
        positions: parts.values("positions")?,
        normals: parts.values("normals")?,
        uvs: parts.values("texture coordinates")?,
        colors: parts.values("colours")?,
        indices: parts.values("indices")?,
        influences: Vec::new(),
        material: Stored::from_record(record.material)?,
        binding: Stored::from_record(record.binding)?,
    };
    while parts.left() > 0 && mesh.influences.len() < 2 {
        mesh.influences.push(InfluenceSet { joints: parts.values("joints")?, weights: parts.values("weights")? });
    }
    parts.end()?;
    Ok(mesh)
}
