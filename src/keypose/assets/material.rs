//! A material: base colour, transparency, emission, and how it reflects light.

use glam::Vec2;

use crate::anim::choice::choice;

/// Alpha mode (glTF 2.0, section 3.9.6).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum AlphaMode {
    /// Alpha is ignored.
    #[default]
    Opaque,
    /// Pixels whose alpha is less than this cutoff, 0..=1, are not drawn.
    Mask(f32),
    /// Blended with the background.
    Blend,
}

choice! {
    /// Wrapping of texture coordinates outside 0..1.
    #[derive(Default)]
    pub enum Wrap {
        /// The texture repeats.
        #[default]
        Repeat = "repeat",
        /// The texture repeats, every other time mirrored.
        Mirror = "mirror",
        /// The edge is extended.
        Clamp = "clamp",
    }
}

choice! {
    /// Texture filter.
    #[derive(Default)]
    pub enum Filter {
        /// Linear, with mipmaps.
        #[default]
        Linear = "smooth",
        /// Nearest pixel.
        Nearest = "pixels",
    }
}

choice! {
    /// Shading model of a surface.
    #[derive(Default)]
    pub enum Shading {
        /// Smoothly, with reflection.
        #[default]
        Lit = "lit",
        /// In flat tones, like a drawing: lit, half lit, and in shadow. There is no reflection.
        Toon = "toon",
        /// Not at all: plain colours.
        Unlit = "unlit",
    }
}

/// An outline around the silhouette of a surface.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outline {
    /// Width in metres, 0..=[`Outline::MAX_WIDTH`]; 0 for none.
    pub width: f32,
    /// Linear RGB, 0..=1.
    pub color: [f32; 3],
}

impl Outline {
    /// Maximum width.
    pub const MAX_WIDTH: f32 = 1.0;
}

/// The sheen of cloth: fibres that shine where they are seen from the side (KHR_materials_sheen).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sheen {
    /// Linear RGB, 0..=1; black for none.
    pub color: [f32; 3],
    /// 0 (a thin edge) to 1 (a wide one).
    pub roughness: f32,
}

impl Default for Sheen {
    fn default() -> Sheen {
        Sheen { color: [0.0; 3], roughness: 0.5 }
    }
}

/// Transforms texture coordinates before sampling: `offset + rotate(scale * uv)` (KHR_texture_transform).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UvTransform {
    /// Added last.
    pub offset: Vec2,
    /// Radians, counter-clockwise about the origin.
    pub rotation: f32,
    /// Applied first.
    pub scale: Vec2,
}

impl Default for UvTransform {
    fn default() -> UvTransform {
        UvTransform { offset: Vec2::ZERO, rotation: 0.0, scale: Vec2::ONE }
    }
}

impl UvTransform {
    /// The transform `scale * uv + offset` of coordinates that begin at the bottom of the texture; ours begin at its top. None at all if a
    /// number would not be finite.
    pub fn from_bottom(offset: Vec2, scale: Vec2) -> UvTransform {
        let offset = Vec2::new(offset.x, 1.0 - scale.y - offset.y);
        if offset.is_finite() { UvTransform { offset, rotation: 0.0, scale } } else { UvTransform::default() }
    }
}

/// The material of a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Unique within its model.
    pub name: String,
    /// Linear RGB and alpha, 0..=1; multiplies the texture.
    pub base_color: [f32; 4],
    /// An index into the model's textures.
    pub texture: Option<usize>,
    /// Transforms the texture coordinates of all textures.
    pub uv_transform: UvTransform,
    /// Horizontal and vertical, of all textures.
    pub wrap: [Wrap; 2],
    /// Filter of all textures.
    pub filter: Filter,
    /// How alpha is used.
    pub alpha_mode: AlphaMode,
    /// Whether the back faces of triangles are drawn.
    pub double_sided: bool,
    /// Shading model.
    pub shading: Shading,
    /// Linear RGB of the light that it emits, 0..=[`Material::MAX_EMISSION`]; multiplies its texture.
    pub emissive: [f32; 3],
    /// Texture that multiplies `emissive`: an index into the model's textures, like those below.
    pub emissive_texture: Option<usize>,
    /// Normals in tangent space, x to the right and y up in the image.
    pub normal_texture: Option<usize>,
    /// Multiplies x and y of the normals of the texture.
    pub normal_scale: f32,
    /// 0 (not a metal) to 1 (a metal); multiplies the blue of its texture.
    pub metallic: f32,
    /// 0 (a mirror) to 1 (matte); multiplies the green of its texture.
    pub roughness: f32,
    /// Roughness in green, metalness in blue, both linear.
    pub metallic_roughness_texture: Option<usize>,
    /// Texture whose red channel, linear, multiplies the ambient light; less than 1 in creases.
    pub occlusion_texture: Option<usize>,
    /// 0 (the occlusion is ignored) to 1.
    pub occlusion_strength: f32,
    /// The line around it.
    pub outline: Outline,
    /// The sheen of a lit material.
    pub sheen: Sheen,
}

impl Material {
    /// Maximum of each component of the emission.
    pub const MAX_EMISSION: f32 = 1e4;
    /// Maximum scale of normals, and its negative the minimum.
    pub const MAX_NORMAL_SCALE: f32 = 100.0;

    /// All its textures: base colour, emission, normals, metalness with roughness, occlusion.
    pub fn textures(&self) -> impl Iterator<Item = usize> {
        let others = [self.normal_texture, self.metallic_roughness_texture, self.occlusion_texture];
        [self.texture, self.emissive_texture].into_iter().chain(others).flatten()
    }

    /// As [`Material::textures`], to be changed.
    pub fn textures_mut(&mut self) -> impl Iterator<Item = &mut usize> {
        let Material { texture, emissive_texture, normal_texture, .. } = self;
        let others = [&mut self.metallic_roughness_texture, &mut self.occlusion_texture];
        [texture, emissive_texture, normal_texture].into_iter().chain(others).flatten()
    }

    /// Checks that all values are finite and in their ranges. Whether the textures exist is checked with the model.
    pub fn check(&self) -> Result<(), &'static str> {
        let is_part = |part: f32| (0.0..=1.0).contains(&part);
        if !self.base_color.iter().copied().all(is_part) {
            return Err("the colour or opacity is outside 0 to 1");
        }
        if let AlphaMode::Mask(cutoff) = self.alpha_mode
            && !is_part(cutoff)
        {
            return Err("the cutoff is outside 0 to 1");
        }
        if !self.emissive.iter().all(|part| (0.0..=Material::MAX_EMISSION).contains(part)) {
            return Err("the emission is negative or too bright");
        }
        if !is_part(self.metallic) || !is_part(self.roughness) {
            return Err("metalness or roughness is outside 0 to 1");
        }
        if !(-Material::MAX_NORMAL_SCALE..=Material::MAX_NORMAL_SCALE).contains(&self.normal_scale) {
            return Err("the scale of normals is out of range");
        }
        if !is_part(self.occlusion_strength) {
            return Err("the strength of the occlusion is outside 0 to 1");
        }
        if !(0.0..=Outline::MAX_WIDTH).contains(&self.outline.width) || !self.outline.color.into_iter().all(is_part) {
            return Err("the width or colour of the outline is out of range");
        }
        if !self.sheen.color.into_iter().chain([self.sheen.roughness]).all(is_part) {
            return Err("the colour or roughness of the sheen is outside 0 to 1");
        }
        let UvTransform { offset, rotation, scale } = self.uv_transform;
        if offset.is_finite() && rotation.is_finite() && scale.is_finite() {
            Ok(())
        } else {
            Err("the texture transform is not finite")
        }
    }
}

impl Default for Material {
    fn default() -> Material {
        Material {
            name: "default".into(),
            base_color: [1.0; 4],
            texture: None,
            uv_transform: UvTransform::default(),
            wrap: [Wrap::Repeat; 2],
            filter: Filter::Linear,
            alpha_mode: AlphaMode::Opaque,
            double_sided: false,
            shading: Shading::default(),
            emissive: [0.0; 3],
            emissive_texture: None,
            normal_texture: None,
            normal_scale: 1.0,
            metallic: 0.0,
            roughness: 1.0,
            metallic_roughness_texture: None,
            occlusion_texture: None,
            occlusion_strength: 1.0,
            outline: Outline::default(),
            sheen: Sheen::default(),
        }
    }
}
