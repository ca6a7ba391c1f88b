//! Materials: their colours and factors. The textures that they refer to are in [`super::maps`].

use glam::Vec2;
use gltf::json::material::{AlphaMode as JsonAlphaMode, Material as JsonMaterial};
use gltf::json::validation::Checked;
use gltf::json::{Index, Root};

use crate::anim::scalar::{Scalar, ScalarKind};
use crate::assets::material::{AlphaMode, Material};
use crate::import::assembly::names::Names;
use crate::import::gltf::cloth;
use crate::import::gltf::drawn::{Drawn, drawn};
use crate::import::gltf::images::Images;
use crate::import::gltf::maps::Maps;
use crate::import::gltf::own;
use crate::import::gltf::specular::{self, Reflection};
use crate::import::gltf::vrm::old_mtoon;
use crate::import::report::{Findings, Report};

/// The materials of a file, and the lookup for primitives.
pub struct Materials {
    /// The file's materials in order, then a default one if a primitive has none.
    pub all: Vec<Material>,
    /// The indices of those with outlines whose widths are at the model's size in the file.
    pub outlines: Vec<usize>,
    /// The texture coordinate set of each.
    coordinate_sets: Vec<u32>,
    default: Option<usize>,
    names: Names,
}

impl Materials {
    /// Imports every material of the file and decodes their textures.
    pub fn of(root: &Root, scalars: &[Scalar], images: &mut Images<'_, '_>, report: &mut Report) -> Materials {
        let mut materials = Materials {
            all: Vec::new(),
            outlines: Vec::new(),
            coordinate_sets: Vec::new(),
            default: None,
            names: Names::of("material"),
        };
        for (index, json) in root.materials.iter().enumerate() {
            let findings = &mut report.at(format_args!("material {index}"));
            let name = materials.names.take(json.name.as_deref(), findings);
            let drawn = drawn(json, old_mtoon(root, index), findings);
            if drawn.is_of_file && drawn.outline.width > 0.0 {
                materials.outlines.push(index);
            }
            let mut material = plain(json, name, drawn, findings);
            let maps = Maps::of(json, findings);
            let frame = frame_at_rest(scalars, &material.name);
            maps.add_to((&mut material, json), frame, root, images, findings);
            cloth::add(&mut material, json, findings);
            materials.coordinate_sets.push(maps.coordinate_set());
            materials.all.push(material);
        }
        images.textures.keep_used(&mut materials.all);
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

/// The offset of the frame that a material shows at rest; `None` if its texture is not divided into frames.
fn frame_at_rest(scalars: &[Scalar], material: &str) -> Option<Vec2> {
    let offset = |scalar: &Scalar| match scalar.kind {
        ScalarKind::Frame(sheet) if scalar.material() == Some(material) => Some(sheet.offset(scalar.default)),
        _ => None,
    };
    scalars.iter().find_map(offset)
}

/// The material without its textures.
fn plain(json: &JsonMaterial, name: String, drawn: Drawn, findings: &mut Findings<'_>) -> Material {
    let Reflection { base_color: factor, metallic, roughness } = reflection(json);
    let mut base_color = factor.map(in_range);
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
    // A cutoff greater than 1 makes all of the material transparent (glTF 2.0, 3.9.4).
    if matches!(alpha_mode, AlphaMode::Mask(_)) && cutoff > 1.0 {
        base_color[3] = 0.0;
    }
    let Drawn { shading, outline, .. } = drawn;
    Material {
        name,
        base_color,
        alpha_mode,
        shading,
        outline,
        double_sided: json.double_sided,
        emissive: emissive(json, findings),
        metallic: in_range(metallic),
        roughness: in_range(roughness),
        ..Material::default()
    }
}

fn in_range(number: f32) -> f32 {
    if number.is_finite() { number.clamp(0.0, 1.0) } else { 1.0 }
}

/// The factors of base colour, metalness and roughness.
fn reflection(json: &JsonMaterial) -> Reflection {
    let extensions = json.extensions.as_ref();
    match extensions.and_then(|extensions| extensions.pbr_specular_glossiness.as_ref()) {
        Some(specular) => specular::converted(specular),
        None => Reflection {
            base_color: json.pbr_metallic_roughness.base_color_factor.0,
            metallic: json.pbr_metallic_roughness.metallic_factor.0,
            roughness: json.pbr_metallic_roughness.roughness_factor.0,
        },
    }
}

#[allow(clippy::arithmetic_side_effects)] // Floating point only.
fn emissive(json: &JsonMaterial, findings: &mut Findings<'_>) -> [f32; 3] {
    let extensions = json.extensions.as_ref();
    let strength = extensions.and_then(|extensions| extensions.emissive_strength.as_ref());
    let strength = strength.map(|strength| strength.emissive_strength.0).or_else(|| own::emissive_strength(json));
    let strength = strength.unwrap_or(1.0);
    let factor = json.emissive_factor.0.map(|part| part * strength);
    let emissive = factor.map(|part| if part.is_nan() { 0.0 } else { part.clamp(0.0, Material::MAX_EMISSION) });
    if emissive != factor {
        findings.add("the emission is out of range; clamped");
    }
    emissive
}
