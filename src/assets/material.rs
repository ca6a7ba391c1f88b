//! A material: base colour, texture and transparency.

use glam::Vec2;

/// How alpha is used (glTF 2.0, section 3.9.6).
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

/// How texture coordinates outside 0..1 are handled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wrap {
    /// The texture repeats.
    #[default]
    Repeat,
    /// The texture repeats, every other time mirrored.
    Mirror,
    /// The edge is extended.
    Clamp,
}

impl Wrap {
    /// All, in display order.
    pub const ALL: [Wrap; 3] = [Wrap::Repeat, Wrap::Mirror, Wrap::Clamp];

    /// The name in panels and scripts.
    pub fn name(self) -> &'static str {
        match self {
            Wrap::Repeat => "repeat",
            Wrap::Mirror => "mirror",
            Wrap::Clamp => "clamp",
        }
    }
}

/// How a texture is sampled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Filter {
    /// Linear, with mipmaps.
    #[default]
    Linear,
    /// Nearest pixel.
    Nearest,
}

impl Filter {
    /// All, in display order.
    pub const ALL: [Filter; 2] = [Filter::Linear, Filter::Nearest];

    /// The name in panels and scripts.
    pub fn name(self) -> &'static str {
        match self {
            Filter::Linear => "smooth",
            Filter::Nearest => "pixels",
        }
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

/// The material of a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Unique within its model.
    pub name: String,
    /// Linear RGB and alpha, 0..=1; multiplies the texture.
    pub base_color: [f32; 4],
    /// An index into the model's textures.
    pub texture: Option<usize>,
    /// Transforms the texture coordinates.
    pub uv_transform: UvTransform,
    /// Horizontal and vertical.
    pub wrap: [Wrap; 2],
    /// How the texture is sampled.
    pub filter: Filter,
    /// How alpha is used.
    pub alpha_mode: AlphaMode,
    /// Whether the back faces of triangles are drawn.
    pub double_sided: bool,
    /// Whether lighting is ignored.
    pub unlit: bool,
}

impl Material {
    /// Checks that all values are finite, and that colour, alpha and cutoff are in 0..=1. Whether the texture exists is checked
    /// with the model.
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
        let UvTransform { offset, rotation, scale } = self.uv_transform;
        match offset.is_finite() && rotation.is_finite() && scale.is_finite() {
            true => Ok(()),
            false => Err("the texture transform is not finite"),
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
            unlit: false,
        }
    }
}
