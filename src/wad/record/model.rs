//! MODL: the lists that hold a model together, and since version 2 how it is skinned. They name its parts by their lumps and keep their order. See
//! docs/wad-format.md, "MODL".

use serde::{Deserialize, Serialize};

use crate::anim::skin::method::Method;
use crate::assets::model::{Socket, Visibility};
use crate::wad::error::Fault;
use crate::wad::kind::List;
use crate::wad::record::stored::{Invalid, Stored, record};
use crate::wad::record::transform::TransformRecordV1;
use crate::wad::record::{Input, Record, write_value};

/// A model as the lump names of its parts. The parts that a model has once have the name of the model's own lump.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelLists {
    pub name: String,
    /// The index among the models of the archive.
    pub order: u32,
    pub skins: Vec<String>,
    pub meshes: Vec<(String, Visibility)>,
    pub materials: Vec<String>,
    pub textures: Vec<String>,
    pub clips: Vec<String>,
    pub sockets: Vec<Socket>,
    /// Stored by version 2, if it is not linear.
    pub skinning: Method,
}

impl ModelLists {
    /// The lump names of one of the lists.
    pub fn names(&self, list: List) -> Vec<&String> {
        match list {
            List::Skins => self.skins.iter().collect(),
            List::Meshes => self.meshes.iter().map(|(lump, _)| lump).collect(),
            List::Materials => self.materials.iter().collect(),
            List::Textures => self.textures.iter().collect(),
            List::Clips => self.clips.iter().collect(),
        }
    }
}

#[derive(Serialize, Deserialize)]
struct ModelRecordV1 {
    name: String,
    order: u32,
    skins: Vec<String>,
    /// The lump, and whether it is hidden.
    meshes: Vec<(String, bool)>,
    materials: Vec<String>,
    textures: Vec<String>,
    clips: Vec<String>,
    sockets: Vec<SocketRecordV1>,
}

record! {
    struct ModelRecordV2 of ModelLists {
        name: String,
        order: u32,
        skins: Vec<String>,
        /// The lump, and whether it is hidden.
        meshes: Vec<(String, bool)>,
        materials: Vec<String>,
        textures: Vec<String>,
        clips: Vec<String>,
        sockets: Vec<SocketRecordV1>,
        skinning: MethodRecordV2,
    }
}

record! { enum MethodRecordV2 of Method { Linear, Dual, Rigid, Interpolated } }

record! {
    struct SocketRecordV1 of Socket { name: String, bone: u16, transform: TransformRecordV1, attached: String }
}

impl Record for ModelRecordV1 {
    const MAX_BYTES: usize = 0x100_0000;
}

impl Record for ModelRecordV2 {
    const MAX_BYTES: usize = 0x100_0000;
}

impl Stored<ModelRecordV1> for ModelLists {
    fn to_record(&self) -> Result<ModelRecordV1, Invalid> {
        let record: ModelRecordV2 = self.to_record()?;
        let ModelRecordV2 { name, order, skins, meshes, materials, textures, clips, sockets, skinning: _ } = record;
        Ok(ModelRecordV1 { name, order, skins, meshes, materials, textures, clips, sockets })
    }

    fn from_record(record: ModelRecordV1) -> Result<ModelLists, Invalid> {
        let ModelRecordV1 { name, order, skins, meshes, materials, textures, clips, sockets } = record;
        let skinning = MethodRecordV2::Linear;
        Stored::from_record(ModelRecordV2 { name, order, skins, meshes, materials, textures, clips, sockets, skinning })
    }
}

/// The version that stores the lists of a model.
pub fn version_of(lists: &ModelLists) -> u16 {
    if lists.skinning == Method::default() { 1 } else { 2 }
}

pub fn write(lists: &ModelLists) -> Result<Vec<u8>, String> {
    match version_of(lists) {
        1 => write_value::<ModelRecordV1>(lists),
        _ => write_value::<ModelRecordV2>(lists),
    }
}

pub fn read(input: Input<'_>) -> Result<ModelLists, Fault> {
    match input.version {
        1 => input.value::<ModelRecordV1, _>(),
        _ => input.value::<ModelRecordV2, _>(),
    }
}
