//! MODL: the lists that hold a model together. Parts are named by their lumps; the lists keep their order.

use serde::{Deserialize, Serialize};

use crate::assets::model::{Socket, Visibility};
use crate::wad::error::Fault;
use crate::wad::record::transform::TransformRecordV1;
use crate::wad::record::{Record, from_bytes, to_bytes};
use crate::wad::sections::{join, split};

#[derive(Serialize, Deserialize)]
struct ModelRecordV1 {
    name: String,
    /// Its place among the models.
    order: u32,
    skins: Vec<String>,
    meshes: Vec<MeshSlotRecordV1>,
    materials: Vec<String>,
    textures: Vec<String>,
    clips: Vec<String>,
    sockets: Vec<SocketRecordV1>,
}

#[derive(Serialize, Deserialize)]
struct MeshSlotRecordV1 {
    lump: String,
    hidden: bool,
}

#[derive(Serialize, Deserialize)]
struct SocketRecordV1 {
    name: String,
    bone: u16,
    transform: TransformRecordV1,
    attached: String,
}

impl Record for ModelRecordV1 {
    const MAX_BYTES: usize = 0x100_0000;
}

/// A model with its parts named by their lumps. Skeleton, machine, poses, notes, drafts and source have the model's own lump name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelLists {
    pub name: String,
    pub order: u32,
    pub skins: Vec<String>,
    pub meshes: Vec<(String, Visibility)>,
    pub materials: Vec<String>,
    pub textures: Vec<String>,
    pub clips: Vec<String>,
    pub sockets: Vec<Socket>,
}

pub fn write(lists: &ModelLists) -> Result<Vec<u8>, String> {
    let socket = |socket: &Socket| {
        let transform = TransformRecordV1::from_transform(&socket.transform)
            .map_err(|reason| format!("socket {}: {reason}", socket.name))?;
        Ok(SocketRecordV1 {
            name: socket.name.clone(),
            bone: socket.bone,
            transform,
            attached: socket.attached.clone(),
        })
    };
    let mesh = |(lump, visibility): &(String, Visibility)| MeshSlotRecordV1 {
        lump: lump.clone(),
        hidden: *visibility == Visibility::Hidden,
    };
    let record = ModelRecordV1 {
        name: lists.name.clone(),
        order: lists.order,
        skins: lists.skins.clone(),
        meshes: lists.meshes.iter().map(mesh).collect(),
        materials: lists.materials.clone(),
        textures: lists.textures.clone(),
        clips: lists.clips.clone(),
        sockets: lists.sockets.iter().map(socket).collect::<Result<_, String>>()?,
    };
    join(&to_bytes(&record)?, &[])
}

pub fn read(bytes: &[u8]) -> Result<ModelLists, Fault> {
    let parts = split(bytes)?;
    let record: ModelRecordV1 = from_bytes(parts.record)?;
    parts.end()?;
    let mesh = |slot: MeshSlotRecordV1| {
        let visibility = if slot.hidden { Visibility::Hidden } else { Visibility::Shown };
        (slot.lump, visibility)
    };
    let socket = |socket: SocketRecordV1| Socket {
        name: socket.name,
        bone: socket.bone,
        transform: socket.transform.to_transform(),
        attached: socket.attached,
    };
    Ok(ModelLists {
        name: record.name,
        order: record.order,
        skins: record.skins,
        meshes: record.meshes.into_iter().map(mesh).collect(),
        materials: record.materials,
        textures: record.textures,
        clips: record.clips,
        sockets: record.sockets.into_iter().map(socket).collect(),
    })
}
