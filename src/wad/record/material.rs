//! MATL: base colour, texture and transparency. See docs/wad-format.md, "MATL".

use crate::assets::material::{AlphaMode, Filter, Material, UvTransform, Wrap};
use crate::wad::error::Fault;
use crate::wad::record::stored::record;
use crate::wad::record::{Input, Record, write_value};

record! {
    struct MaterialRecordV1 of Material {
        name: String,
        base_color: [f32; 4],
        /// Into the model's textures.
        texture: Option<u32>,
        uv_transform: UvTransformRecordV1,
        wrap: [WrapRecordV1; 2],
        filter: FilterRecordV1,
        alpha_mode: AlphaModeRecordV1,
        double_sided: bool,
        unlit: bool,
    }
}

record! { struct UvTransformRecordV1 of UvTransform { offset: [f32; 2], rotation: f32, scale: [f32; 2] } }
record! { enum WrapRecordV1 of Wrap { Repeat, Mirror, Clamp } }
record! { enum FilterRecordV1 of Filter { Linear, Nearest } }
record! { enum AlphaModeRecordV1 of AlphaMode { Opaque, Mask(cutoff: f32), Blend } }

impl Record for MaterialRecordV1 {
    const MAX_BYTES: usize = 0x1_0000;
}

pub fn write(material: &Material) -> Result<Vec<u8>, String> {
    write_value::<MaterialRecordV1>(material)
}

pub fn read(input: Input<'_>) -> Result<Material, Fault> {
    input.value::<MaterialRecordV1, _>()
}
