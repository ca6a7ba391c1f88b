//! Glass and cloth: the light that shines through a surface (KHR_materials_transmission, with the tint of KHR_materials_volume) makes
//! it see-through, and fibres have a sheen (KHR_materials_sheen). Other layers, such as clear coats, are left out.

use gltf::json::material::Material as JsonMaterial;
use serde_json::Value;

use crate::assets::material::{AlphaMode, Material, Sheen};
use crate::import::gltf::json::finite;
use crate::import::gltf::own;
use crate::import::report::Findings;

/// Opacity of a surface that all light shines through.
const MIN_OPACITY: f32 = 0.25;

/// Adds both to a material.
pub fn add(material: &mut Material, json: &JsonMaterial, findings: &mut Findings<'_>) {
    add_transmission(material, json, findings);
    let Some(sheen) = extension(json, "KHR_materials_sheen").cloned().or_else(|| own::sheen(json)) else { return };
    let roughness = number(sheen.get("sheenRoughnessFactor")).unwrap_or(0.0);
    material.sheen = Sheen { color: color(&sheen, "sheenColorFactor").unwrap_or_default(), roughness };
    if ["sheenColorTexture", "sheenRoughnessTexture"].iter().any(|texture| sheen.get(texture).is_some()) {
        findings.add("the textures of its sheen are not imported; all of it has the same");
    }
}

#[allow(clippy::arithmetic_side_effects)] // Floating point only.
fn add_transmission(material: &mut Material, json: &JsonMaterial, findings: &mut Findings<'_>) {
    let Some(transmission) = extension(json, "KHR_materials_transmission") else { return };
    let factor = number(transmission.get("transmissionFactor")).unwrap_or(0.0);
    if factor <= 0.0 {
        return;
    }
    if transmission.get("transmissionTexture").is_some() {
        findings.add("its texture of transmission is not imported; all of it is see-through");
    }
    let tint = extension(json, "KHR_materials_volume").and_then(|volume| color(volume, "attenuationColor"));
    for (part, tint) in material.base_color.iter_mut().zip(tint.unwrap_or([1.0; 3])) {
        *part *= 1.0 + (tint - 1.0) * factor;
    }
    // The alpha of an opaque material has no meaning.
    let alpha = if material.alpha_mode == AlphaMode::Opaque { 1.0 } else { material.base_color[3] };
    material.base_color[3] = alpha * (1.0 + (MIN_OPACITY - 1.0) * factor);
    material.alpha_mode = AlphaMode::Blend;
}

fn extension<'j>(json: &'j JsonMaterial, name: &str) -> Option<&'j Value> {
    json.extensions.as_ref()?.others.get(name)
}

/// A number of 0 to 1.
fn number(value: Option<&Value>) -> Option<f32> {
    finite(value?).map(|number| number.clamp(0.0, 1.0))
}

fn color(extension: &Value, name: &str) -> Option<[f32; 3]> {
    let part = |at: usize| number(extension.get(name)?.get(at));
    Some([part(0)?, part(1)?, part(2)?])
}
