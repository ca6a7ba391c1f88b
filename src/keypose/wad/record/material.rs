//! MATL: a material. Textures are indices into those of the model. See docs/wad-format.md, "MATL".

use crate::assets::material::{AlphaMode, Filter, Material, Outline, Shading, Sheen, UvTransform, Wrap};
use crate::wad::record::stored::record;

record! {
    struct MaterialRecordV1 of Material checked {
        name: String,
        base_color: [f32; 4],
        texture: Option<u32>,
        uv_transform: UvTransformRecordV1,
        wrap: [WrapRecordV1; 2],
        filter: FilterRecordV1,
        alpha_mode: AlphaModeRecordV1,
        double_sided: bool,
        shading: ShadingRecordV1,
        emissive: [f32; 3],
        emissive_texture: Option<u32>,
        normal_texture: Option<u32>,
        normal_scale: f32,
        metallic: f32,
        roughness: f32,
        metallic_roughness_texture: Option<u32>,
        occlusion_texture: Option<u32>,
        occlusion_strength: f32,
        outline: OutlineRecordV1,
        sheen: SheenRecordV1,
    }
}

record! { struct UvTransformRecordV1 of UvTransform { offset: [f32; 2], rotation: f32, scale: [f32; 2] } }
record! { enum WrapRecordV1 of Wrap { Repeat, Mirror, Clamp } }
record! { enum FilterRecordV1 of Filter { Linear, Nearest } }
record! { enum AlphaModeRecordV1 of AlphaMode { Opaque, Mask(cutoff: f32), Blend } }
record! { enum ShadingRecordV1 of Shading { Lit, Toon, Unlit } }
record! { struct OutlineRecordV1 of Outline { width: f32, color: [f32; 3] } }
record! { struct SheenRecordV1 of Sheen { color: [f32; 3], roughness: f32 } }

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wad::record::{Input, value, write_value};

    #[test]
    fn values_out_of_range_are_refused() {
        let bytes = |material: &Material| write_value::<MaterialRecordV1>(material).unwrap();
        let read = |bytes: &[u8]| value::<MaterialRecordV1, Material>(Input::new(bytes));
        let good = Material { metallic: 1.0, ..Material::default() };
        assert_eq!(read(&bytes(&good)).unwrap(), good);
        let bad = Material { metallic: 1e38, ..good };
        assert!(format!("{:?}", read(&bytes(&bad)).unwrap_err()).contains("outside 0 to 1"));
    }
}
