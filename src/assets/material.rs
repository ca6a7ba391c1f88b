//! A material: base colour, its texture, transparency.

use glam::Vec2;

/// How alpha is used (glTF 2.0, section 3.9.6).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum AlphaMode {
    /// Alpha is ignored.
    #[default]
    Opaque,
    /// Drawn where alpha is at least this cutoff, 0..=1.
    Mask(f32),
    /// Blended over what is behind.
    Blend,
}

/// What lies outside 0..1 of a texture coordinate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wrap {
    /// It repeats.
    #[default]
    Repeat,
    /// It repeats, every other time mirrored.
    Mirror,
    /// The edge goes on.
    Clamp,
}

impl Wrap {
    /// All, in the order in which they are shown.
    pub const ALL: [Wrap; 3] = [Wrap::Repeat, Wrap::Mirror, Wrap::Clamp];

    /// The word for panels and scripts.
    pub fn name(self) -> &'static str {
        match self {
            Wrap::Repeat => "repeat",
            Wrap::Mirror => "mirror",
            Wrap::Clamp => "clamp",
        }
    }
}

/// How a texture is looked up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Filter {
    /// Smoothly, with mipmaps.
    #[default]
    Linear,
    /// Hard pixels.
    Nearest,
}

impl Filter {
    /// All, in the order in which they are shown.
    pub const ALL: [Filter; 2] = [Filter::Linear, Filter::Nearest];

    /// The word for panels and scripts.
    pub fn name(self) -> &'static str {
        match self {
            Filter::Linear => "smooth",
            Filter::Nearest => "pixels",
        }
    }
}

/// Moves texture coordinates before the look-up: `offset + rotate(scale * uv)` (KHR_texture_transform).
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

/// The look of a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Unique within its model.
    pub name: String,
    /// Linear RGB and alpha, 0..=1; multiplies the texture.
    pub base_color: [f32; 4],
    /// An index into the model's textures.
    pub texture: Option<usize>,
    /// Moves the texture's coordinates.
    pub uv_transform: UvTransform,
    /// Across and down.
    pub wrap: [Wrap; 2],
    /// How the texture is looked up.
    pub filter: Filter,
    /// How alpha is used.
    pub alpha_mode: AlphaMode,
    /// Both faces of its triangles show.
    pub double_sided: bool,
    /// Shown without light.
    pub unlit: bool,
}

impl Material {
    /// Checks that everything is finite and colour, alpha and cutoff lie in 0..=1; the error says which does not. Which
    /// textures there are only the model knows.
    pub fn check(&self) -> Result<(), &'static str> {
        let is_part = |part: f32| (0.0..=1.0).contains(&part);
        if !self.base_color.iter().copied().all(is_part) {
            return Err("its colour or opacity lies outside 0 to 1");
        }
        if let AlphaMode::Mask(cutoff) = self.alpha_mode
            && !is_part(cutoff)
        {
            return Err("its cutoff lies outside 0 to 1");
        }
        let UvTransform { offset, rotation, scale } = self.uv_transform;
        match offset.is_finite() && rotation.is_finite() && scale.is_finite() {
            true => Ok(()),
            false => Err("the place of its texture is not finite"),
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
