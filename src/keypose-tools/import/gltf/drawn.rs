//! Toon shading and outlines of materials, from the notes of our own export or from MToon
//! (VRMC_materials_mtoon 1.0).

use gltf::json::material::Material as JsonMaterial;
use serde_json::Value;

use crate::assets::material::{Outline, Shading};
use crate::import::gltf::own;

/// Shading and outline.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Drawn {
    pub shading: Shading,
    pub outline: Outline,
}

/// Reads them from a material.
pub fn drawn(json: &JsonMaterial) -> Drawn {
    let extensions = json.extensions.as_ref();
    let is_unlit = extensions.is_some_and(|extensions| extensions.unlit.is_some());
    let mtoon = extensions.and_then(|extensions| extensions.others.get("VRMC_materials_mtoon"));
    let notes = own::notes(&json.extras);
    let own_shading = notes.as_ref().and_then(|notes| notes.get("shading")?.as_str());
    let shading = match (own_shading.and_then(Shading::named), mtoon) {
        (Some(shading), _) => shading,
        // Files with MToon are unlit for programs that don't know it.
        (None, Some(_)) => Shading::Toon,
        (None, None) if is_unlit => Shading::Unlit,
        (None, None) => Shading::Lit,
    };
    let own_outline = notes.as_ref().and_then(|notes| outline(notes.get("outline")?, "width", "color"));
    Drawn { shading, outline: own_outline.or_else(|| of_mtoon(mtoon?)).unwrap_or_default() }
}

/// The outline of a material with MToon, if its width is in metres.
fn of_mtoon(mtoon: &Value) -> Option<Outline> {
    match mtoon.get("outlineWidthMode")?.as_str()? {
        "worldCoordinates" => outline(mtoon, "outlineWidthFactor", "outlineColorFactor"),
        _ => None,
    }
}

/// An outline from members with these names; numbers are clamped.
fn outline(json: &Value, width: &str, color: &str) -> Option<Outline> {
    let number = |value: &Value| value.as_f64().map(own::float).filter(|number| number.is_finite());
    let width = number(json.get(width)?)?.clamp(0.0, Outline::MAX_WIDTH);
    let part = |at: usize| number(json.get(color)?.get(at)?).map(|part| part.clamp(0.0, 1.0));
    Some(Outline { width, color: [0, 1, 2].map(|at| part(at).unwrap_or(0.0)) })
}
