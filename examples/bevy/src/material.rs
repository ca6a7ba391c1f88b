//! Materials of `bevy_pbr`, or none without the feature `pbr`.

#[cfg(feature = "pbr")]
pub use self::pbr::{MaterialHandle, add, component, init};

#[cfg(not(feature = "pbr"))]
pub use self::none::{MaterialHandle, add, component, init};

#[cfg(feature = "pbr")]
mod pbr {
    use bevy_app::App;
    use bevy_asset::{Handle, LoadContext, RenderAssetUsages};
    use bevy_color::Color;
    use bevy_ecs::bundle::Bundle;
    use bevy_image::Image;
    use wgpu_types::{Extent3d, TextureDimension, TextureFormat};
    use bevy_pbr::{MeshMaterial3d, StandardMaterial};
    use keypose::assets::material::{AlphaMode, Material, Shading};
    use keypose::assets::model::Model;
    use keypose::assets::texture::Texture;

    pub type MaterialHandle = Handle<StandardMaterial>;

    pub fn init(app: &mut App) {
        crate::init::<Image>(app);
        crate::init::<StandardMaterial>(app);
    }

    /// Adds the materials of a model, with their base colour textures.
    pub fn add(materials: &mut Vec<MaterialHandle>, model: &Model, context: &mut LoadContext<'_>) {
        for material in &model.materials {
            let at = materials.len();
            let texture = material.texture.map(|texture| image(&model.textures[texture]));
            let texture = texture.map(|image| context.add_labeled_asset(format!("texture {at}"), image));
            materials.push(context.add_labeled_asset(format!("material {at}"), standard(material, texture)));
        }
    }

    /// The component that draws a mesh with a material.
    pub fn component(material: &MaterialHandle) -> impl Bundle + use<> {
        MeshMaterial3d(material.clone())
    }

    fn standard(material: &Material, texture: Option<Handle<Image>>) -> StandardMaterial {
        let [red, green, blue, alpha] = material.base_color;
        StandardMaterial {
            base_color: Color::linear_rgba(red, green, blue, alpha),
            base_color_texture: texture,
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

    fn image(texture: &Texture) -> Image {
        let size = Extent3d { width: texture.width, height: texture.height, depth_or_array_layers: 1 };
        let (pixels, format) = (texture.pixels.to_vec(), TextureFormat::Rgba8UnormSrgb);
        Image::new(size, TextureDimension::D2, pixels, format, RenderAssetUsages::default())
    }
}

#[cfg(not(feature = "pbr"))]
mod none {
    use bevy_app::App;
    use bevy_asset::LoadContext;
    use bevy_ecs::bundle::Bundle;
    use keypose::assets::model::Model;

    pub type MaterialHandle = ();

    pub fn init(_: &mut App) {}

    pub fn add(materials: &mut Vec<MaterialHandle>, model: &Model, _: &mut LoadContext<'_>) {
        materials.extend(model.materials.iter().map(|_| ()));
    }

    pub fn component((): &MaterialHandle) -> impl Bundle + use<> {}
}
