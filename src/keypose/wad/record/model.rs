//! MODL: the lists that hold a model together, and how it is skinned and baked. The lists name the lumps of its parts and keep
//! their order. See docs/wad-format.md, "MODL".

use crate::anim::bake::SampleFormat;
use crate::anim::skin::method::Method;
use crate::assets::model::{Socket, Visibility};
use crate::wad::kind::List;
use crate::wad::record::stored::record;
use crate::wad::record::transform::TransformRecordV1;

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
    pub skinning: Method,
    /// How its clips are baked.
    pub samples: SampleFormat,
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

record! {
    struct ModelRecordV1 of ModelLists {
        name: String,
        order: u32,
        skins: Vec<String>,
        /// The lump, and whether it is hidden.
        meshes: Vec<(String, bool)>,
        materials: Vec<String>,
        textures: Vec<String>,
        clips: Vec<String>,
        sockets: Vec<SocketRecordV1>,
        skinning: MethodRecordV1,
        samples: SampleFormatRecordV1,
    }
}

record! { enum MethodRecordV1 of Method { Linear, Dual, Rigid, Interpolated } }
record! { enum SampleFormatRecordV1 of SampleFormat { F32, Quantized, Packed } }

record! {
    struct SocketRecordV1 of Socket { name: String, bone: u16, transform: TransformRecordV1, attached: String }
}
