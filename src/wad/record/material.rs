//! MATL: base colour, transparency, emission, reflection, and since version 3 occlusion, toon shading and outline. Version 1 has no
//! emission, normals, metalness and roughness. See docs/wad-format.md, "MATL".

use serde::{Deserialize, Serialize};

use crate::assets::material::{AlphaMode, Filter, Material, Outline, Shading, UvTransform, Wrap};
use crate::wad::error::Fault;
use crate::wad::record::stored::{Invalid, Stored, record};
use crate::wad::record::{Input, Record, write_value};

#[derive(Serialize, Deserialize)]
struct MaterialRecordV1 {
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
}

#[derive(Serialize, Deserialize)]
struct MaterialRecordV2 {
    first: MaterialRecordV1,
    emissive: [f32; 3],
    emissive_texture: Option<u32>,
    normal_texture: Option<u32>,
    normal_scale: f32,
    metallic: f32,
    roughness: f32,
    metallic_roughness_texture: Option<u32>,
}

#[derive(Serialize, Deserialize)]
struct MaterialRecordV3 {
    first: MaterialRecordV2,
    toon: bool,
    occlusion_texture: Option<u32>,
    occlusion_strength: f32,
    outline: OutlineRecordV3,
}

record! { struct UvTransformRecordV1 of UvTransform { offset: [f32; 2], rotation: f32, scale: [f32; 2] } }
record! { enum WrapRecordV1 of Wrap { Repeat, Mirror, Clamp } }
record! { enum FilterRecordV1 of Filter { Linear, Nearest } }
record! { enum AlphaModeRecordV1 of AlphaMode { Opaque, Mask(cutoff: f32), Blend } }
record! { struct OutlineRecordV3 of Outline { width: f32, color: [f32; 3] } }

impl Record for MaterialRecordV1 {
    const MAX_BYTES: usize = 0x1_0000;
}

impl Record for MaterialRecordV2 {
    const MAX_BYTES: usize = 0x1_0000;
}

impl Record for MaterialRecordV3 {
    const MAX_BYTES: usize = 0x1_0000;
}

/// Stores a field, or reads one: an error names it.
fn field<T>(name: &str, result: Result<T, Invalid>) -> Result<T, Invalid> {
    result.map_err(|error| error.within(name))
}

impl Stored<MaterialRecordV1> for Material {
    fn to_record(&self) -> Result<MaterialRecordV1, Invalid> {
        Ok(MaterialRecordV1 {
            name: self.name.clone(),
            base_color: field("base_color", self.base_color.to_record())?,
            texture: self.texture.to_record()?,
            uv_transform: field("uv_transform", self.uv_transform.to_record())?,
            wrap: self.wrap.to_record()?,
            filter: self.filter.to_record()?,
            alpha_mode: field("alpha_mode", self.alpha_mode.to_record())?,
            double_sided: self.double_sided,
            unlit: self.shading == Shading::Unlit,
        })
    }

    fn from_record(record: MaterialRecordV1) -> Result<Material, Invalid> {
        Ok(Material {
            name: record.name,
            base_color: field("base_color", Stored::from_record(record.base_color))?,
            texture: Stored::from_record(record.texture)?,
            uv_transform: field("uv_transform", Stored::from_record(record.uv_transform))?,
            wrap: Stored::from_record(record.wrap)?,
            filter: Stored::from_record(record.filter)?,
            alpha_mode: field("alpha_mode", Stored::from_record(record.alpha_mode))?,
            double_sided: record.double_sided,
            shading: if record.unlit { Shading::Unlit } else { Shading::Lit },
            ..Material::default()
        })
    }
}

impl Stored<MaterialRecordV2> for Material {
    fn to_record(&self) -> Result<MaterialRecordV2, Invalid> {
        Ok(MaterialRecordV2 {
            first: self.to_record()?,
            emissive: field("emissive", self.emissive.to_record())?,
            emissive_texture: self.emissive_texture.to_record()?,
            normal_texture: self.normal_texture.to_record()?,
            normal_scale: field("normal_scale", self.normal_scale.to_record())?,
            metallic: field("metallic", self.metallic.to_record())?,
            roughness: field("roughness", self.roughness.to_record())?,
            metallic_roughness_texture: self.metallic_roughness_texture.to_record()?,
        })
    }

    fn from_record(record: MaterialRecordV2) -> Result<Material, Invalid> {
        Ok(Material {
            emissive: field("emissive", Stored::from_record(record.emissive))?,
            emissive_texture: Stored::from_record(record.emissive_texture)?,
            normal_texture: Stored::from_record(record.normal_texture)?,
            normal_scale: field("normal_scale", Stored::from_record(record.normal_scale))?,
            metallic: field("metallic", Stored::from_record(record.metallic))?,
            roughness: field("roughness", Stored::from_record(record.roughness))?,
            metallic_roughness_texture: Stored::from_record(record.metallic_roughness_texture)?,
            ..Stored::from_record(record.first)?
        })
    }
}

impl Stored<MaterialRecordV3> for Material {
    fn to_record(&self) -> Result<MaterialRecordV3, Invalid> {
        Ok(MaterialRecordV3 {
            first: self.to_record()?,
            toon: self.shading == Shading::Toon,
            occlusion_texture: self.occlusion_texture.to_record()?,
            occlusion_strength: field("occlusion_strength", self.occlusion_strength.to_record())?,
            outline: field("outline", self.outline.to_record())?,
        })
    }

    fn from_record(record: MaterialRecordV3) -> Result<Material, Invalid> {
        let first: Material = Stored::from_record(record.first)?;
        let shading = match (first.shading, record.toon) {
            (Shading::Unlit, true) => return Err(Invalid::new("it is both unlit and toon shaded").within("toon")),
            (shading, is_toon) => {
                if is_toon {
                    Shading::Toon
                } else {
                    shading
                }
            }
        };
        Ok(Material {
            shading,
            occlusion_texture: Stored::from_record(record.occlusion_texture)?,
            occlusion_strength: field("occlusion_strength", Stored::from_record(record.occlusion_strength))?,
            outline: field("outline", Stored::from_record(record.outline))?,
            ..first
        })
    }
}

/// The version that stores a material: 2, unless it has what only 3 can store.
pub fn version_of(material: &Material) -> u16 {
    let usual = Material::default();
    let has_occlusion = (material.occlusion_texture, material.occlusion_strength)
        != (usual.occlusion_texture, usual.occlusion_strength);
    let is_usual = material.shading != Shading::Toon && !has_occlusion && material.outline == usual.outline;
    if is_usual { 2 } else { 3 }
}

pub fn write(material: &Material) -> Result<Vec<u8>, String> {
    match version_of(material) {
        2 => write_value::<MaterialRecordV2>(material),
        _ => write_value::<MaterialRecordV3>(material),
    }
}

pub fn read(input: Input<'_>) -> Result<Material, Fault> {
    let material: Material = match input.version {
        1 => input.value::<MaterialRecordV1, _>(),
        2 => input.value::<MaterialRecordV2, _>(),
        _ => input.value::<MaterialRecordV3, _>(),
    }?;
    material.check().map_err(|reason| Fault::from(reason.to_owned()))?;
    Ok(material)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_out_of_range_are_refused() {
        let bytes = |material: &Material| write(material).unwrap();
        let read = |bytes: &[u8], version| read(Input { version, ..Input::new(bytes) });
        let good = Material { metallic: 1.0, ..Material::default() };
        assert_eq!(read(&bytes(&good), 2).unwrap(), good);
        let bad = Material { metallic: 1e38, ..good };
        assert!(format!("{:?}", read(&bytes(&bad), 2).unwrap_err()).contains("outside 0 to 1"));
    }
}
