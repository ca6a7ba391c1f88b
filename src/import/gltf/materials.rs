//! Materials: base colour and its texture, and transparency. Metalness, roughness, normal maps and emission are
//! ignored.

use glam::Vec2;
use gltf::json::material::{AlphaMode as JsonAlphaMode, Material as JsonMaterial};
use gltf::json::texture::{Info, MagFilter, WrappingMode};
use gltf::json::validation::Checked;
use gltf::json::{Index, Root};

use crate::assets::material::{AlphaMode, Filter, Material, UvTransform, Wrap};
use crate::import::assembly::names::Names;
use crate::import::gltf::images::Images;
use crate::import::report::{Findings, Report};

/// The materials of a file, and the lookup for primitives.
pub struct Materials {
    /// The file's materials in order, then a default one if a primitive has none.
    pub all: Vec<Material>,
    /// The texture coordinate set of each.
    coordinate_sets: Vec<u32>,
    default: Option<usize>,
    names: Names,
}

impl Materials {
    /// Imports every material of the file and decodes their textures.
    pub fn of(root: &Root, images: &mut Images<'_, '_>, report: &mut Report) -> Materials {
        let mut materials =
            Materials { all: Vec::new(), coordinate_sets: Vec::new(), default: None, names: Names::of("material") };
        for (index, json) in root.materials.iter().enumerate() {
            let findings = &mut report.at(format_args!("material {index}"));
            let name = materials.names.take(json.name.as_deref(), findings);
            report_unread(json, findings.report);
            let mut material = plain(json, name, findings);
            let info = json.pbr_metallic_roughness.base_color_texture.as_ref();
            if let Some(info) = info {
                texture(root, info, &mut material, images, findings);
            }
            materials.coordinate_sets.push(info.map_or(0, coordinate_set));
            materials.all.push(material);
        }
        materials
    }

    /// Returns the index of a primitive's material and its texture coordinate set.
    pub fn find(&mut self, wanted: Option<Index<JsonMaterial>>, findings: &mut Findings<'_>) -> (usize, u32) {
        if let Some(index) = wanted.map(|index| index.value()) {
            match self.coordinate_sets.get(index) {
                Some(&set) => return (index, set),
                None => findings.add(format_args!("material {index} doesn't exist; replaced by the default material")),
            }
        }
        let next = self.all.len();
        let default = *self.default.get_or_insert(next);
        if default == next {
            self.all.push(Material { name: self.names.take_quietly("default"), ..Material::default() });
        }
        (default, 0)
    }
}

/// The material without its texture.
fn plain(json: &JsonMaterial, name: String, findings: &mut Findings<'_>) -> Material {
    let in_range = |number: f32| if number.is_finite() { number.clamp(0.0, 1.0) } else { 1.0 };
    let factor = json.pbr_metallic_roughness.base_color_factor.0;
    let base_color = factor.map(in_range);
    if base_color != factor {
        findings.add("base colour outside of 0 to 1; clamped");
    }
    let cutoff = json.alpha_cutoff.map_or(0.5, |cutoff| cutoff.0);
    let alpha_mode = match json.alpha_mode {
        Checked::Valid(JsonAlphaMode::Mask) => AlphaMode::Mask(in_range(cutoff)),
        Checked::Valid(JsonAlphaMode::Blend) => AlphaMode::Blend,
        Checked::Valid(JsonAlphaMode::Opaque) => AlphaMode::Opaque,
        Checked::Invalid => {
            findings.add("unknown alpha mode; drawn opaque");
            AlphaMode::Opaque
        }
    };
    let unlit = json.extensions.as_ref().is_some_and(|extensions| extensions.unlit.is_some());
    Material { name, base_color, alpha_mode, unlit, double_sided: json.double_sided, ..Material::default() }
}

fn report_unread(json: &JsonMaterial, report: &mut Report) {
    let unread = [
        ("normal textures", json.normal_texture.is_some()),
        ("occlusion textures", json.occlusion_texture.is_some()),
        ("emission", json.emissive_texture.is_some() || json.emissive_factor.0 != [0.0; 3]),
        ("metallic-roughness textures", json.pbr_metallic_roughness.metallic_roughness_texture.is_some()),
    ];
    unread.iter().filter(|(_, is_there)| *is_there).for_each(|(kind, _)| report.not_imported(kind));
}

fn texture(
    root: &Root,
    info: &Info,
    material: &mut Material,
    images: &mut Images<'_, '_>,
    findings: &mut Findings<'_>,
) {
    let index = info.index.value();
    let json = root.textures.get(index);
    if json.is_none() {
        findings.add(format_args!("texture {index} doesn't exist; replaced by a chequered one"));
    }
    material.texture = Some(images.texture(json.map(|json| json.source), findings.report));
    if let Some(sampler) = json.and_then(|json| root.samplers.get(json.sampler?.value())) {
        material.wrap = [sampler.wrap_s, sampler.wrap_t].map(wrap);
        if let Some(Checked::Valid(MagFilter::Nearest)) = sampler.mag_filter {
            material.filter = Filter::Nearest;
        }
    }
    let transform = info.extensions.as_ref().and_then(|extensions| extensions.texture_transform.as_ref());
    if let Some(transform) = transform {
        let (offset, scale) = (Vec2::from_array(transform.offset.0), Vec2::from_array(transform.scale.0));
        let rotation = transform.rotation.0;
        match offset.is_finite() && scale.is_finite() && rotation.is_finite() {
            true => material.uv_transform = UvTransform { offset, rotation, scale },
            false => findings.add("texture transform is not finite; ignored"),
        }
    }
}

fn wrap(mode: Checked<WrappingMode>) -> Wrap {
    match mode {
        Checked::Valid(WrappingMode::ClampToEdge) => Wrap::Clamp,
        Checked::Valid(WrappingMode::MirroredRepeat) => Wrap::Mirror,
        Checked::Valid(WrappingMode::Repeat) | Checked::Invalid => Wrap::Repeat,
    }
}

fn coordinate_set(info: &Info) -> u32 {
    let transform = info.extensions.as_ref().and_then(|extensions| extensions.texture_transform.as_ref());
    transform.and_then(|transform| transform.tex_coord).unwrap_or(info.tex_coord)
}
