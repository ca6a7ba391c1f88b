//! MESH: vertex streams, triangles, influences and morph targets as plain numbers. They are checked with the model. See
//! docs/wad-format.md, "MESH".

use std::sync::Arc;

use glam::Vec3;
use serde::{Deserialize, Serialize};

use crate::anim::morph::MorphTarget;
use crate::anim::skin::cpu::InfluenceSet;
use crate::assets::mesh::{Binding, Mesh};
use crate::wad::error::Fault;
use crate::wad::record::stored::{Invalid, Stored, record};
use crate::wad::record::{Input, to_bytes};
use crate::wad::sections::{Parts, floats, join};

#[derive(Serialize, Deserialize)]
struct MeshRecordV1 {
    name: String,
    /// Into the model's materials.
    material: u32,
    binding: BindingRecordV1,
    /// Sets of influences: 0 to 2.
    sets: u32,
    targets: Vec<TargetRecordV1>,
}

/// A morph target. The numbers of all targets are stored one after the other.
#[derive(Serialize, Deserialize)]
struct TargetRecordV1 {
    scalar: u16,
    vertices: u32,
    has_normals: bool,
}

// The skin is an index into the model's skins.
record! { enum BindingRecordV1 of Binding { Skin(skin: u32), Bone(bone: u16) } }

pub fn write(mesh: &Mesh) -> Result<Vec<u8>, String> {
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
    let all = |of: fn(&MorphTarget) -> &[Vec3]| mesh.morphs.iter().flat_map(of).copied().collect::<Vec<_>>();
    let vertices: Vec<u32> = mesh.morphs.iter().flat_map(|target| &target.vertices).copied().collect();
    sections.push(bytemuck::cast_slice(&vertices).to_vec());
    sections.push(floats(&all(|target| &target.positions), "morph targets")?);
    sections.push(floats(&all(|target| &target.normals), "morph targets")?);
    let record = record_of(mesh).map_err(|error| error.to_string())?;
    join(&to_bytes(&record)?, &sections)
}

fn record_of(mesh: &Mesh) -> Result<MeshRecordV1, Invalid> {
    let target = |MorphTarget { scalar, vertices, normals, .. }: &MorphTarget| {
        let (vertices, has_normals) = (vertices.len().to_record()?, !normals.is_empty());
        Ok::<_, Invalid>(TargetRecordV1 { scalar: *scalar, vertices, has_normals })
    };
    Ok(MeshRecordV1 {
        name: mesh.name.clone(),
        material: mesh.material.to_record()?,
        binding: mesh.binding.to_record()?,
        sets: mesh.influences.len().to_record()?,
        targets: mesh.morphs.iter().map(target).collect::<Result<_, _>>()?,
    })
}

pub fn read(input: Input<'_>) -> Result<Arc<Mesh>, Fault> {
    let (record, mut parts) = input.split::<MeshRecordV1>()?;
    let mut mesh = Mesh {
        name: record.name,
        positions: parts.values("positions")?,
        normals: parts.values("normals")?,
        uvs: parts.values("texture coordinates")?,
        colors: parts.values("colours")?,
        indices: parts.values("indices")?,
        influences: Vec::new(),
        morphs: Vec::new(),
        material: Stored::from_record(record.material)?,
        binding: Stored::from_record(record.binding)?,
    };
    for _ in 0..record.sets.min(2) {
        mesh.influences.push(InfluenceSet { joints: parts.values("joints")?, weights: parts.values("weights")? });
    }
    mesh.morphs = read_targets(record.targets, &mut parts)?;
    parts.end()?;
    Ok(Arc::new(mesh))
}

fn read_targets(records: Vec<TargetRecordV1>, parts: &mut Parts<'_>) -> Result<Vec<MorphTarget>, Fault> {
    let mut vertices = parts.values::<u32>("vertices of morph targets")?.into_iter();
    let mut positions = parts.values::<Vec3>("positions of morph targets")?.into_iter();
    let mut normals = parts.values::<Vec3>("normals of morph targets")?.into_iter();
    let mut targets = Vec::with_capacity(records.len());
    for TargetRecordV1 { scalar, vertices: count, has_normals } in records {
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        targets.push(MorphTarget {
            scalar,
            vertices: vertices.by_ref().take(count).collect(),
            positions: positions.by_ref().take(count).collect(),
            normals: normals.by_ref().take(if has_normals { count } else { 0 }).collect(),
        });
        if targets.last().is_none_or(|target| target.vertices.len() != count) {
            return Err(Fault::from(format!("morph target {}: vertices are missing", targets.len().saturating_sub(1))));
        }
    }
    match (vertices.len(), positions.len(), normals.len()) {
        (0, 0, 0) => Ok(targets),
        _ => Err(Fault::from("unexpected numbers after those of the morph targets".to_owned())),
    }
}
