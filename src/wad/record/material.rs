//! MATL: base colour, texture, transparency.

use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::assets::material::{AlphaMode, Filter, Material, UvTransform, Wrap};
use crate::wad::error::Fault;
use crate::wad::record::{Record, finite, from_bytes, index, to_bytes, to_index};
use crate::wad::sections::{join, split};

#[derive(Serialize, Deserialize)]
struct MaterialRecordV1 {
    name: String,
    base_color: [f32; 4],
    /// Into the model's textures.
    texture: Option<u32>,
    uv_offset: [f32; 2],
    uv_rotation: f32,
    uv_scale: [f32; 2],
    wrap: [WrapRecordV1; 2],
    filter: FilterRecordV1,
    alpha_mode: AlphaModeRecordV1,
    double_sided: bool,
    unlit: bool,
}

#[derive(Serialize, Deserialize, Clone, Copy)]
enum WrapRecordV1 {
    Repeat,
    Mirror,
    Clamp,
}

#[derive(Serialize, Deserialize)]
enum FilterRecordV1 {
    Linear,
    Nearest,
}

#[derive(Serialize, Deserialize)]
enum AlphaModeRecordV1 {
    Opaque,
    Mask(f32),
    Blend,
}

impl Record for MaterialRecordV1 {
    const MAX_BYTES: usize = 0x1_0000;
}

pub fn write(material: &Material) -> Result<Vec<u8>, String> {
    let transform = &material.uv_transform;
    let cutoff = |cutoff| Ok::<_, String>(finite([cutoff], "alpha cutoff")?[0]);
    let record = MaterialRecordV1 {
        name: material.name.clone(),
        base_color: finite(material.base_color, "base colour")?,
        texture: material.texture.map(|texture| index(texture, "texture")).transpose()?,
        uv_offset: finite(transform.offset.to_array(), "texture offset")?,
        uv_rotation: finite([transform.rotation], "texture rotation")?[0],
        uv_scale: finite(transform.scale.to_array(), "texture scale")?,
        wrap: material.wrap.map(|wrap| match wrap {
            Wrap::Repeat => WrapRecordV1::Repeat,
            Wrap::Mirror => WrapRecordV1::Mirror,
            Wrap::Clamp => WrapRecordV1::Clamp,
        }),
        filter: match material.filter {
            Filter::Linear => FilterRecordV1::Linear,
            Filter::Nearest => FilterRecordV1::Nearest,
        },
        alpha_mode: match material.alpha_mode {
            AlphaMode::Opaque => AlphaModeRecordV1::Opaque,
            AlphaMode::Mask(alpha) => AlphaModeRecordV1::Mask(cutoff(alpha)?),
            AlphaMode::Blend => AlphaModeRecordV1::Blend,
        },
        double_sided: material.double_sided,
        unlit: material.unlit,
    };
    join(&to_bytes(&record)?, &[])
}

pub fn read(bytes: &[u8]) -> Result<Material, Fault> {
    let parts = split(bytes)?;
    let record: MaterialRecordV1 = from_bytes(parts.record)?;
    parts.end()?;
    finite(record.base_color, "base colour")?;
    let uv_transform = UvTransform {
        offset: Vec2::from_array(finite(record.uv_offset, "texture offset")?),
        rotation: finite([record.uv_rotation], "texture rotation")?[0],
        scale: Vec2::from_array(finite(record.uv_scale, "texture scale")?),
    };
    let alpha_mode = match record.alpha_mode {
        AlphaModeRecordV1::Opaque => AlphaMode::Opaque,
        AlphaModeRecordV1::Mask(cutoff) => AlphaMode::Mask(finite([cutoff], "alpha cutoff")?[0]),
        AlphaModeRecordV1::Blend => AlphaMode::Blend,
    };
    Ok(Material {
        name: record.name,
        base_color: record.base_color,
        texture: record.texture.map(to_index),
        uv_transform,
        wrap: record.wrap.map(|wrap| match wrap {
            WrapRecordV1::Repeat => Wrap::Repeat,
            WrapRecordV1::Mirror => Wrap::Mirror,
            WrapRecordV1::Clamp => Wrap::Clamp,
        }),
        filter: match record.filter {
            FilterRecordV1::Linear => Filter::Linear,
            FilterRecordV1::Nearest => Filter::Nearest,
        },
        alpha_mode,
        double_sided: record.double_sided,
        unlit: record.unlit,
    })
}
