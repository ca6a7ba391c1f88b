//! Materials: base colour with its texture and where that lies, and opacity. Textures are embedded, or files beside the model.

use std::collections::HashMap;

use glam::Vec2;
use ufbx::{Exporter, Material as FbxMaterial, MaterialMap, Scene, Texture as FbxTexture, WrapMode};

use crate::assets::material::{Material, UvTransform, Wrap};
use crate::import::assembly::names::Names;
use crate::import::assembly::opacity::alpha_mode;
use crate::import::assembly::textures::{Textures, find};
use crate::import::report::{Findings, Report};
use crate::import::{ReadFile, stem};

/// The materials of a file that meshes use, in the order of their first use.
pub struct Materials<'a, 'r> {
    pub all: Vec<Material>,
    pub textures: Textures<u32>,
    names: Names,
    /// Index of each material by its id; `None` is the default material.
    known: HashMap<Option<u32>, usize>,
    /// The folder in which exporters put textures: the file's name with ".fbm".
    media_folder: String,
    read: &'a mut ReadFile<'r>,
    /// Whether Blender wrote the file.
    is_of_blender: bool,
}

impl<'a, 'r> Materials<'a, 'r> {
    /// Starts without a material.
    pub fn new(scene: &Scene, name: &str, read: &'a mut ReadFile<'r>) -> Materials<'a, 'r> {
        let media_folder = format!("{}.fbm", stem(name));
        let (all, names) = (Vec::with_capacity(scene.materials.count), Names::of("material"));
        let is_of_blender = matches!(scene.metadata.exporter, Exporter::BlenderBinary | Exporter::BlenderAscii);
        let textures = Textures::default();
        Materials { all, textures, names, known: HashMap::new(), media_folder, read, is_of_blender }
    }

    /// Returns the index of a material, or of the default material without one.
    pub fn find(&mut self, wanted: Option<&FbxMaterial>, report: &mut Report) -> usize {
        let key = wanted.map(|material| material.element.element_id);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let material = match wanted {
            Some(wanted) => self.material(wanted, report),
            None => Material { name: self.names.take_quietly("default"), ..Material::default() },
        };
        let index = self.all.len();
        self.all.push(material);
        self.known.insert(key, index);
        index
    }

    fn material(&mut self, from: &FbxMaterial, report: &mut Report) -> Material {
        let findings = &mut report.at(format_args!("material {}", &*from.element.name));
        let name = self.names.take(Some(&*from.element.name), findings);
        report_unread(from, findings.report);
        let map = &from.pbr.base_color;
        let texture = file_of(map);
        let image = texture.map(|texture| self.texture(texture, findings.report));
        // In FBX a texture replaces the colour.
        let is_replaced = image.is_some_and(|image| self.textures.found(image).is_some());
        let [red, green, blue] = if is_replaced { [1.0; 3] } else { color(map, &from.pbr.base_factor) };
        let opacity = opacity(from, findings);
        let mut material = Material { name, base_color: [red, green, blue, opacity], ..Material::default() };
        let maps = [&from.pbr.opacity, &from.fbx.transparency_color, &from.fbx.transparency_factor];
        let holes = maps.into_iter().find_map(file_of);
        let is_of_color = holes.map(|holes| texture.is_some_and(|texture| key_of(holes) == key_of(texture)));
        material.alpha_mode = alpha_mode(opacity, is_of_color, findings.report);
        material.double_sided = from.features.double_sided.enabled;
        if let Some(texture) = texture {
            material.texture = image;
            material.wrap = [texture.wrap_u, texture.wrap_v].map(wrap);
            material.uv_transform = uv_transform(texture, self.is_of_blender, findings);
        }
        self.add_light(&mut material, from, findings.report);
        material
    }

    /// Adds emission, normals and, for materials that are defined by them, metalness and roughness.
    fn add_light(&mut self, material: &mut Material, from: &FbxMaterial, report: &mut Report) {
        let pbr = &from.pbr;
        let emission = file_of(&pbr.emission_color);
        let tint = if emission.is_some() { [1.0; 3] } else { color_or(&pbr.emission_color, 0.0) };
        let factor = if pbr.emission_factor.has_value { pbr.emission_factor.value_vec4.x } else { 1.0 };
        material.emissive = tint.map(|part| emitted(part, factor));
        let mut find = |texture: &FbxTexture| {
            let texture = self.texture(texture, report);
            self.textures.found(texture)
        };
        material.emissive_texture = emission.and_then(&mut find);
        material.normal_texture = file_of(&pbr.normal_map).and_then(&mut find);
        if emission.is_some() && material.emissive_texture.is_none() {
            material.emissive = [0.0; 3];
        }
        if from.features.pbr.enabled {
            let part = |map: &MaterialMap, otherwise: f32| {
                if map.has_value && map.texture.is_none() { product(map.value_vec4.x, 1.0) } else { otherwise }
            };
            (material.metallic, material.roughness) = (part(&pbr.metalness, 0.0), part(&pbr.roughness, 1.0));
        }
    }

    /// Returns the index of a texture.
    fn texture(&mut self, from: &FbxTexture, report: &mut Report) -> usize {
        let key = key_of(from);
        if let Some(known) = self.textures.known(&key) {
            return known;
        }
        let place = format!("texture {}", &*from.element.name);
        let path = [&*from.relative_filename, &*from.filename, &*from.absolute_filename];
        let path = path.into_iter().find(|path| !path.is_empty()).unwrap_or_default().replace('\\', "/");
        let file = path.rsplit('/').next().unwrap_or_default().to_owned();
        let name = if file.is_empty() { from.element.name.to_string() } else { file.clone() };
        if !from.content.is_empty() {
            return self.textures.add(key, (&name, &place), Ok(&from.content), report);
        }
        let found = find(self.read, &path, &self.media_folder);
        self.textures.add(key, (&name, &place), found.as_deref().map_err(String::clone), report)
    }
}

/// The identity of a texture: that of its file, if it has one.
fn key_of(texture: &FbxTexture) -> u32 {
    if texture.has_file { texture.file_index } else { texture.element.element_id.saturating_add(1 << 31) }
}

/// The linear colour of a material without a texture.
fn color(map: &MaterialMap, factor: &MaterialMap) -> [f32; 3] {
    let factor = if factor.has_value { factor.value_vec4.x } else { 1.0 };
    let value = map.value_vec4;
    if map.has_value {
        [product(value.x, factor), product(value.y, factor), product(value.z, factor)]
    } else {
        [1.0; 3]
    }
}

/// The first file of a map's texture.
fn file_of(map: &MaterialMap) -> Option<&FbxTexture> {
    let texture = map.texture.as_ref().filter(|_| map.texture_enabled)?;
    texture.file_textures.first().map(|texture| &**texture)
}

/// The linear colour of a map; `otherwise` without one.
fn color_or(map: &MaterialMap, otherwise: f64) -> [f64; 3] {
    let value = map.value_vec4;
    if map.has_value { [value.x, value.y, value.z] } else { [otherwise; 3] }
}

/// A component of emission in its range; 0 if it is not a number.
#[allow(clippy::cast_possible_truncation, clippy::arithmetic_side_effects)] // Rounding is intended.
fn emitted(value: f64, factor: f64) -> f32 {
    let product = (value * factor) as f32;
    if product.is_finite() { product.clamp(0.0, Material::MAX_EMISSION) } else { 0.0 }
}

/// The name of the set of texture coordinates of a material's colour; empty for the first one.
pub fn uv_set(material: &FbxMaterial) -> &str {
    file_of(&material.pbr.base_color).map_or("", |texture| &texture.uv_set)
}

/// Tiles and offsets a texture: `Scaling` tiles, then `Translation` shifts, in coordinates that begin at the bottom. Blender writes the
/// reciprocal of the scale.
#[allow(clippy::cast_possible_truncation, clippy::arithmetic_side_effects)] // Rounding is intended.
fn uv_transform(texture: &FbxTexture, is_of_blender: bool, findings: &mut Findings<'_>) -> UvTransform {
    let property = |name: &str, otherwise: f32| {
        let value = texture.element.props.find_prop(name).map(|prop| prop.value_vec4);
        let value = value.map(|value| Vec2::new(value.x as f32, value.y as f32)).filter(|value| value.is_finite());
        value.unwrap_or(Vec2::splat(otherwise))
    };
    if texture.element.props.find_prop("Rotation").is_some_and(|turn| turn.value_vec4.z != 0.0) {
        findings.report.not_imported("rotations of textures");
    }
    let scale = property("Scaling", 1.0);
    let scale = if is_of_blender { scale.map(|part| if part == 0.0 { 1.0 } else { part.recip() }) } else { scale };
    UvTransform::from_bottom(property("Translation", 0.0), scale)
}

/// The opacity, 0..=1: `Opacity` if the file has it, or what transparency leaves. Some exporters write 0 for a material that is opaque.
fn opacity(from: &FbxMaterial, findings: &mut Findings<'_>) -> f32 {
    let (map, color, factor) = (&from.pbr.opacity, &from.fbx.transparency_color, &from.fbx.transparency_factor);
    let stated = if map.has_value {
        Some(map.value_vec4.x)
    } else {
        from.element.props.find_prop("Opacity").map(|it| it.value_vec4.x)
    };
    let left = || {
        let [red, green, blue] = color_or(color, 1.0);
        let factor = if factor.has_value { factor.value_vec4.x } else { 1.0 };
        1.0 - (red + green + blue) / 3.0 * factor
    };
    let is_textured = file_of(color).is_some() || file_of(factor).is_some();
    let opacity = match stated {
        Some(stated) => product(stated, 1.0),
        None if !is_textured && (color.has_value || factor.has_value) => product(left(), 1.0),
        None => 1.0,
    };
    if opacity > 0.0 {
        return opacity;
    }
    findings.add("opacity 0; drawn opaque");
    1.0
}

/// A product within 0..=1; 1 if it is not a number.
#[allow(clippy::cast_possible_truncation, clippy::arithmetic_side_effects)] // Rounding is intended.
fn product(value: f64, factor: f64) -> f32 {
    let product = value * factor;
    if product.is_finite() { product.clamp(0.0, 1.0) as f32 } else { 1.0 }
}

fn report_unread(from: &FbxMaterial, report: &mut Report) {
    let unread = [
        ("roughness textures", &from.pbr.roughness),
        ("metalness textures", &from.pbr.metalness),
        ("specular textures", &from.fbx.specular_color),
        ("bump maps", &from.fbx.bump),
    ];
    unread.iter().filter(|(_, map)| map.texture.is_some()).for_each(|(kind, _)| report.not_imported(kind));
}

fn wrap(mode: WrapMode) -> Wrap {
    match mode {
        WrapMode::Repeat => Wrap::Repeat,
        WrapMode::Clamp => Wrap::Clamp,
    }
}
