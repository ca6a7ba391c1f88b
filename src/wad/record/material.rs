//! MATL: base colour, transparency, emission and reflection. Version 1 has no emission, normals, metalness and roughness. See
//! docs/wad-format.md, "MATL".

use serde::{Deserialize, Serialize};

use crate::assets::material::{AlphaMode, Filter, Material, UvTransform, Wrap};
use crate::wad::error::Fault;
use crate::wad::record::stored::{Invalid, Stored, record};
use crate::wad::record::{Input, Record, write_value};

#[derive(Serialize, Deserialize)]
struct MaterialRecordV1 {
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

record! {
    struct MaterialRecordV2 of Material {
        name: String,
        base_color: [f32; 4],
        /// Into the model's textures, like the others.
        texture: Option<u32>,
        uv_transform: UvTransformRecordV1,
        wrap: [WrapRecordV1; 2],
        filter: FilterRecordV1,
        alpha_mode: AlphaModeRecordV1,
        double_sided: bool,
        unlit: bool,
        emissive: [f32; 3],
        emissive_texture: Option<u32>,
        normal_texture: Option<u32>,
        normal_scale: f32,
        metallic: f32,
        roughness: f32,
        metallic_roughness_texture: Option<u32>,
    }
}

record! { struct UvTransformRecordV1 of UvTransform { offset: [f32; 2], rotation: f32, scale: [f32; 2] } }
record! { enum WrapRecordV1 of Wrap { Repeat, Mirror, Clamp } }
record! { enum FilterRecordV1 of Filter { Linear, Nearest } }
record! { enum AlphaModeRecordV1 of AlphaMode { Opaque, Mask(cutoff: f32), Blend } }

impl Record for MaterialRecordV1 {
    const MAX_BYTES: usize = 0x1_0000;
}

impl Record for MaterialRecordV2 {
    const MAX_BYTES: usize = 0x1_0000;
}

pub fn write(material: &Material) -> Result<Vec<u8>, String> {
    write_value::<MaterialRecordV2>(material)
}

pub fn read(input: Input<'_>) -> Result<Material, Fault> {
    match input.version {
        1 => Ok(of_version_1(input.record()?)?),
        _ => input.value::<MaterialRecordV2, _>(),
    }
}

fn of_version_1(record: MaterialRecordV1) -> Result<Material, Invalid> {
    Ok(Material {
        name: record.name,
        base_color: Stored::from_record(record.base_color).map_err(|error: Invalid| error.within("base_color"))?,
        texture: Stored::from_record(record.texture)?,
        uv_transform: Stored::from_record(record.uv_transform)
            .map_err(|error: Invalid| error.within("uv_transform"))?,
        wrap: Stored::from_record(record.wrap)?,
        filter: Stored::from_record(record.filter)?,
        alpha_mode: Stored::from_record(record.alpha_mode).map_err(|error: Invalid| error.within("alpha_mode"))?,
        double_sided: record.double_sided,
        unlit: record.unlit,
        ..Material::default()
    })
}
