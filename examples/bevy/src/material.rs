//! Materials of `bevy_pbr`, or none without the feature `pbr`.

use crate::ArchiveError;

#[cfg(feature = "pbr")]
pub use self::pbr::{MaterialHandle, add, component, init};

#[cfg(not(feature = "pbr"))]
pub use self::none::{MaterialHandle, add, component, init};

/// An error is a texture whose file can't be decoded.
type Added = Result<(), ArchiveError>;

#[cfg(feature = "pbr")]
mod pbr {
    use bevy_app::App;
    use bevy_asset::{Handle, LoadContext, RenderAssetUsages};
    use bevy_color::{Color, LinearRgba};
    use bevy_ecs::bundle::Bundle;
    use bevy_image::{Image, ImageAddressMode, ImageSampler, ImageSamplerDescriptor};
    use bevy_math::Affine2;
    use bevy_pbr::{MeshMaterial3d, StandardMaterial};
    use keypose::assets::material::{AlphaMode, Filter, Material, Shading, Wrap};
    use keypose::assets::model::Model;
    use keypose::assets::texture::Texture;
    use wgpu_types::{Extent3d, TextureDimension, TextureFormat};

    use crate::ArchiveError;
    use crate::material::Added;

    pub type MaterialHandle = Handle<StandardMaterial>;

    pub fn init(app: &mut App) {
        crate::init::<Image>(app);
        crate::init::<StandardMaterial>(app);
    }

    /// Adds the materials of a model, with their textures.
    pub fn add(materials: &mut Vec<MaterialHandle>, model: &Model, context: &mut LoadContext<'_>) -> Added {
        for material in &model.materials {
            let at = materials.len();
            let mut add = |texture: Option<usize>, kind: &str, format| {
                let Some(texture) = texture else { return Ok::<_, ArchiveError>(None) };
                let image = image(&model.textures[texture], material, format)?;
                Ok(Some(context.add_labeled_asset(format!("{kind} {at}"), image)))
            };
            let (srgb, linear) = (TextureFormat::Rgba8UnormSrgb, TextureFormat::Rgba8Unorm);
            let made = StandardMaterial {
                base_color_texture: add(material.texture, "colour", srgb)?,
                emissive_texture: add(material.emissive_texture, "emission", srgb)?,
                metallic_roughness_texture: add(material.metallic_roughness_texture, "reflection", linear)?,
                occlusion_texture: add(material.occlusion_texture, "occlusion", linear)?,
                ..standard(material)
            };
            materials.push(context.add_labeled_asset(format!("material {at}"), made));
        }
        Ok(())
    }

    /// The component that draws a mesh with a material.
    pub fn component(material: &MaterialHandle) -> impl Bundle + use<> {
        MeshMaterial3d(material.clone())
    }

    fn standard(material: &Material) -> StandardMaterial {
        let [red, green, blue, alpha] = material.base_color;
        let (uvs, [emitted_red, emitted_green, emitted_blue]) = (&material.uv_transform, material.emissive);
        let (scale, offset) = (uvs.scale.to_array().into(), uvs.offset.to_array().into());
        StandardMaterial {
            base_color: Color::linear_rgba(red, green, blue, alpha),
            uv_transform: Affine2::from_scale_angle_translation(scale, -uvs.rotation, offset),
            emissive: LinearRgba::rgb(emitted_red, emitted_green, emitted_blue),
            metallic: material.metallic,
            perceptual_roughness: material.roughness,
            unlit: material.shading == Shading::Unlit,
            double_sided: material.double_sided,
            cull_mode: (!material.double_sided).then_some(wgpu_types::Face::Back),
            alpha_mode: match material.alpha_mode {
                AlphaMode::Opaque => bevy_material::AlphaMode::Opaque,
                AlphaMode::Mask(cutoff) => bevy_material::AlphaMode::Mask(cutoff),
                AlphaMode::Blend => bevy_material::AlphaMode::Blend,
            },
            ..StandardMaterial::default()
        }
    }

    /// The texture, sampled as the material says.
    fn image(texture: &Texture, material: &Material, format: TextureFormat) -> Result<Image, ArchiveError> {
        let failed = |reason| ArchiveError::Texture { name: texture.name.clone(), reason };
        let size = Extent3d { width: texture.width, height: texture.height, depth_or_array_layers: 1 };
        let pixels = texture.pixels().map_err(failed)?.to_vec();
        let mut image = Image::new(size, TextureDimension::D2, pixels, format, RenderAssetUsages::default());
        let filtered = match material.filter {
            Filter::Linear => ImageSamplerDescriptor::linear(),
            Filter::Nearest => ImageSamplerDescriptor::nearest(),
        };
        let [address_mode_u, address_mode_v] = material.wrap.map(|wrap| match wrap {
            Wrap::Repeat => ImageAddressMode::Repeat,
            Wrap::Mirror => ImageAddressMode::MirrorRepeat,
            Wrap::Clamp => ImageAddressMode::ClampToEdge,
        });
        image.sampler = ImageSampler::Descriptor(ImageSamplerDescriptor { address_mode_u, address_mode_v, ..filtered });
        Ok(image)
    }
}

#[cfg(not(feature = "pbr"))]
mod none {
    use bevy_app::App;
    use bevy_asset::LoadContext;
    use bevy_ecs::bundle::Bundle;
    use keypose::assets::model::Model;

    use crate::material::Added;

    pub type MaterialHandle = ();

    pub fn init(_: &mut App) {}

    pub fn add(materials: &mut Vec<MaterialHandle>, model: &Model, _: &mut LoadContext<'_>) -> Added {
        materials.extend(model.materials.iter().map(|_| ()));
        Ok(())
    }

    pub fn component((): &MaterialHandle) -> impl Bundle + use<> {}
}
