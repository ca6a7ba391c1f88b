//! A material: base colour, transparency, emission, and how it reflects light.

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
    /// Transforms the texture coordinates of all textures.
    pub uv_transform: UvTransform,
    /// Horizontal and vertical, of all textures.
    pub wrap: [Wrap; 2],
    /// How the textures are sampled.
    pub filter: Filter,
    /// How alpha is used.
    pub alpha_mode: AlphaMode,
    /// Whether the back faces of triangles are drawn.
    pub double_sided: bool,
    /// Whether lighting is ignored.
    pub unlit: bool,
    /// Linear RGB of the light that it emits, 0..=[`Material::MAX_EMISSION`]; multiplies its texture.
    pub emissive: [f32; 3],
    /// Its colours multiply `emissive`. An index into the model's textures, like those below.
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
}

impl Material {
    /// Maximum of each component of the emission.
    pub const MAX_EMISSION: f32 = 1e4;
    /// Maximum scale of normals, and its negative the minimum.
    pub const MAX_NORMAL_SCALE: f32 = 100.0;

    /// All its textures: base colour, emission, normals, metalness with roughness.
    pub fn textures(&self) -> impl Iterator<Item = usize> {
        [self.texture, self.emissive_texture, self.normal_texture, self.metallic_roughness_texture]
            .into_iter()
            .flatten()
    }

    /// As [`Material::textures`], to be changed.
    pub fn textures_mut(&mut self) -> impl Iterator<Item = &mut usize> {
        let Material { texture, emissive_texture, normal_texture, metallic_roughness_texture, .. } = self;
        [texture, emissive_texture, normal_texture, metallic_roughness_texture].into_iter().flatten()
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
            emissive: [0.0; 3],
            emissive_texture: None,
            normal_texture: None,
            normal_scale: 1.0,
            metallic: 0.0,
            roughness: 1.0,
            metallic_roughness_texture: None,
        }
    }
}
