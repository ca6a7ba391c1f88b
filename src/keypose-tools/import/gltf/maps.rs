//! The textures of a material. All of them use the texture coordinates, wrap modes and filter of the first; one that needs others
//! is reported and left out.

use glam::Vec2;
use gltf::json::Root;
use gltf::json::extensions::texture::TextureTransform;
use gltf::json::material::{Material as JsonMaterial, NormalTexture, OcclusionTexture};
use gltf::json::texture::{Info, MagFilter, WrappingMode};
use gltf::json::validation::Checked;

use crate::assets::material::{Filter, Material, UvTransform, Wrap};
use crate::import::gltf::images::Images;
use crate::import::gltf::{derived, own};
use crate::import::report::Findings;

/// The kind of the map of base colours.
const COLOR: &str = "base colour";

/// A reference to a texture.
#[derive(Clone, Copy)]
struct Map {
    texture: usize,
    coordinate_set: u32,
    transform: UvTransform,
}

/// The references of a material.
pub struct Maps {
    color: Option<Map>,
    emissive: Option<Map>,
    normal: Option<Map>,
    normal_scale: f32,
    metallic_roughness: Option<Map>,
    occlusion: Option<Map>,
    occlusion_strength: f32,
    /// Specular reflection and glossiness.
    gloss: Option<Map>,
}

impl Maps {
    /// Reads the references of a material.
    pub fn of(json: &JsonMaterial, findings: &mut Findings<'_>) -> Maps {
        let specular = json.extensions.as_ref().and_then(|extensions| extensions.pbr_specular_glossiness.as_ref());
        let metallic = &json.pbr_metallic_roughness;
        let (color, metallic_roughness) = match specular {
            Some(specular) => (specular.diffuse_texture.as_ref(), None),
            None => (metallic.base_color_texture.as_ref(), metallic.metallic_roughness_texture.as_ref()),
        };
        Maps {
            color: color.map(|info| of_info(info, findings)),
            emissive: json.emissive_texture.as_ref().map(|info| of_info(info, findings)),
            normal: json.normal_texture.as_ref().map(|normal| of_normal(normal, findings)),
            normal_scale: json.normal_texture.as_ref().map_or(1.0, |normal| normal.scale),
            metallic_roughness: metallic_roughness.map(|info| of_info(info, findings)),
            occlusion: json.occlusion_texture.as_ref().map(|occlusion| of_occlusion(occlusion, findings)),
            occlusion_strength: json.occlusion_texture.as_ref().map_or(1.0, |occlusion| occlusion.strength.0),
            gloss: specular
                .and_then(|specular| specular.specular_glossiness_texture.as_ref())
                .map(|info| of_info(info, findings)),
        }
    }

    fn first(&self) -> Option<Map> {
        self.color.or(self.gloss).or(self.emissive).or(self.normal).or(self.metallic_roughness).or(self.occlusion)
    }

    /// The set of texture coordinates.
    pub fn coordinate_set(&self) -> u32 {
        self.first().map_or(0, |map| map.coordinate_set)
    }

    /// Adds the textures to the material, whose texture transform has the offset of a frame if it shows one.
    pub fn add_to(
        &self,
        (material, json): (&mut Material, &JsonMaterial),
        frame: Option<Vec2>,
        root: &Root,
        images: &mut Images<'_, '_>,
        findings: &mut Findings<'_>,
    ) {
        let Some(first) = self.first() else { return };
        let own = frame.and_then(|frame| own::uv_offset(json, first.transform.offset, frame));
        material.uv_transform = UvTransform { offset: own.unwrap_or(first.transform.offset), ..first.transform };
        let sampling = sampling(root, first.texture);
        (material.wrap, material.filter) = sampling;
        let mut add = |map: Option<Map>, kind: &str| {
            let map = map?;
            if (map.coordinate_set, map.transform) != (first.coordinate_set, first.transform) {
                findings.add(format_args!("the {kind} texture needs texture coordinates of its own; left out"));
                return None;
            }
            if root.textures.get(map.texture).is_none() {
                let index = map.texture;
                findings.add(format_args!("texture {index} doesn't exist; drawn in the colour of its material"));
            } else if self::sampling(root, map.texture) != sampling {
                findings
                    .add(format_args!("the {kind} texture is repeated and filtered as the first of its material is"));
            }
            let texture = images.of_texture(map.texture, findings)?;
            // A missing colour keeps its place, which a user may fill.
            if kind == COLOR { Some(texture) } else { images.textures.found(texture) }
        };
        material.texture = add(self.color, COLOR);
        material.emissive_texture = add(self.emissive, "emission");
        material.normal_texture = add(self.normal, "normal");
        material.metallic_roughness_texture = add(self.metallic_roughness, "metallic-roughness");
        material.occlusion_texture = add(self.occlusion, "occlusion");
        let gloss = add(self.gloss, "specular-glossiness");
        let specular = json.extensions.as_ref().and_then(|extensions| extensions.pbr_specular_glossiness.as_ref());
        if let Some((gloss, specular)) = gloss.zip(specular) {
            let color = material.texture.and_then(|texture| images.textures.found(texture));
            match derived::metallic(&mut images.textures, specular, (color, gloss)) {
                Some((color, reflection)) => {
                    (material.texture, material.metallic_roughness_texture) = (Some(color), Some(reflection));
                    (material.metallic, material.roughness) = (1.0, 1.0);
                    material.base_color = [1.0, 1.0, 1.0, material.base_color[3]];
                }
                None => findings.add("no memory for its metalness; drawn matte"),
            }
        }
        // Factors without their texture say little: all would glow, or be of metal.
        if self.emissive.is_some() && material.emissive_texture.is_none() {
            material.emissive = [0.0; 3];
        }
        if self.metallic_roughness.is_some() && material.metallic_roughness_texture.is_none() {
            (material.metallic, material.roughness) = (0.0, 1.0);
        }
        let most = Material::MAX_NORMAL_SCALE;
        material.normal_scale = if self.normal_scale.is_nan() { 1.0 } else { self.normal_scale.clamp(-most, most) };
        let strength = self.occlusion_strength;
        material.occlusion_strength = if strength.is_nan() { 1.0 } else { strength.clamp(0.0, 1.0) };
    }
}

fn of_info(info: &Info, findings: &mut Findings<'_>) -> Map {
    let transform = info.extensions.as_ref().and_then(|extensions| extensions.texture_transform.as_ref());
    map(info.index.value(), info.tex_coord, transform, findings)
}

fn of_normal(normal: &NormalTexture, findings: &mut Findings<'_>) -> Map {
    let extensions = normal.extensions.as_ref().map(|extensions| &extensions.others);
    map(normal.index.value(), normal.tex_coord, transform_among(extensions).as_ref(), findings)
}

fn of_occlusion(occlusion: &OcclusionTexture, findings: &mut Findings<'_>) -> Map {
    let extensions = occlusion.extensions.as_ref().map(|extensions| &extensions.others);
    map(occlusion.index.value(), occlusion.tex_coord, transform_among(extensions).as_ref(), findings)
}

/// The transform among the extensions that the reader keeps as plain values.
fn transform_among(extensions: Option<&serde_json::Map<String, serde_json::Value>>) -> Option<TextureTransform> {
    serde_json::from_value(extensions?.get("KHR_texture_transform")?.clone()).ok()
}

fn map(texture: usize, set: u32, json: Option<&TextureTransform>, findings: &mut Findings<'_>) -> Map {
    let coordinate_set = json.and_then(|json| json.tex_coord).unwrap_or(set);
    let transform = json.map_or(UvTransform::default(), |json| UvTransform {
        offset: Vec2::from_array(json.offset.0),
        rotation: json.rotation.0,
        scale: Vec2::from_array(json.scale.0),
    });
    let UvTransform { offset, rotation, scale } = transform;
    if offset.is_finite() && scale.is_finite() && rotation.is_finite() {
        return Map { texture, coordinate_set, transform };
    }
    findings.add("texture transform is not finite; ignored");
    Map { texture, coordinate_set, transform: UvTransform::default() }
}

/// How a texture is repeated and filtered.
fn sampling(root: &Root, texture: usize) -> ([Wrap; 2], Filter) {
    let sampler = root.textures.get(texture).and_then(|json| root.samplers.get(json.sampler?.value()));
    let Some(sampler) = sampler else { return Default::default() };
    let is_nearest = matches!(sampler.mag_filter, Some(Checked::Valid(MagFilter::Nearest)));
    let filter = if is_nearest { Filter::Nearest } else { Filter::default() };
    ([sampler.wrap_s, sampler.wrap_t].map(wrap), filter)
}

fn wrap(mode: Checked<WrappingMode>) -> Wrap {
    match mode {
        Checked::Valid(WrappingMode::ClampToEdge) => Wrap::Clamp,
        Checked::Valid(WrappingMode::MirroredRepeat) => Wrap::Mirror,
        Checked::Valid(WrappingMode::Repeat) | Checked::Invalid => Wrap::Repeat,
    }
}
