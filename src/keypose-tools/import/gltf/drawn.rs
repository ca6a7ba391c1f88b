//! Toon shading and outlines of materials, from the notes of our own export or from MToon (VRMC_materials_mtoon 1.0, and that of
//! VRM 0.x).

use std::sync::Arc;

use gltf::json::material::Material as JsonMaterial;
use serde_json::Value;

use crate::assets::fit::fit;
use crate::assets::material::{Outline, Shading};
use crate::assets::model::Model;
use crate::assets::srgb::linear;
use crate::import::gltf::json::finite;
use crate::import::gltf::own;
use crate::import::report::Findings;

/// Shading and outline.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Drawn {
    pub shading: Shading,
    pub outline: Outline,
    /// Whether the width of the outline is at the model's size in the file.
    pub is_of_file: bool,
}

/// Reads them from a material. `old` are its properties if it has MToon of VRM 0.x.
pub fn drawn(json: &JsonMaterial, old: Option<&Value>, findings: &mut Findings<'_>) -> Drawn {
    let extensions = json.extensions.as_ref();
    let is_unlit = extensions.is_some_and(|extensions| extensions.unlit.is_some());
    let mtoon = extensions.and_then(|extensions| extensions.others.get("VRMC_materials_mtoon"));
    let notes = own::notes(&json.extras);
    let own_shading = notes.as_ref().and_then(|notes| notes.get("shading")?.as_str());
    let shading = match (own_shading.and_then(Shading::named), mtoon.or(old)) {
        (Some(shading), _) => shading,
        // Files with MToon are unlit for programs that don't know it.
        (None, Some(_)) => Shading::Toon,
        (None, None) if is_unlit => Shading::Unlit,
        (None, None) => Shading::Lit,
    };
    let own_outline = notes.as_ref().and_then(|notes| outline(notes.get("outline")?, "width", "color"));
    let is_of_file = own_outline.is_none();
    let of_file = own_outline.or_else(|| mtoon.map_or_else(|| of_old_mtoon(old?), of_mtoon));
    let is_of_screen = |mode: &Value| *mode == "screenCoordinates" || mode.as_f64() == Some(2.0);
    let mode = mtoon.and_then(|it| it.get("outlineWidthMode")).or(old.and_then(|it| it.pointer(OLD_MODE)));
    if of_file.is_none() && mode.is_some_and(is_of_screen) {
        findings.report.not_imported("outlines whose width is a part of the picture");
    }
    Drawn { shading, outline: of_file.unwrap_or_default(), is_of_file }
}

/// Scales outlines whose widths are at the model's size in the file to its size in the game, by the indices of their materials.
#[allow(clippy::arithmetic_side_effects)] // Floating point only.
pub fn scale_outlines(model: &mut Model, materials: &[usize]) {
    if materials.is_empty() {
        return;
    }
    let scale = fit(model).scale;
    for material in materials {
        if let Some(material) = model.materials.get_mut(*material) {
            let outline = &mut Arc::make_mut(material).outline;
            outline.width = (outline.width * scale).clamp(0.0, Outline::MAX_WIDTH);
        }
    }
}

const OLD_MODE: &str = "/floatProperties/_OutlineWidthMode";

/// The outline of a material with MToon of VRM 0.x, if its width is of the world: in centimetres.
#[allow(clippy::arithmetic_side_effects)] // Floating point only.
fn of_old_mtoon(old: &Value) -> Option<Outline> {
    if old.pointer(OLD_MODE)?.as_f64()? != 1.0 {
        return None;
    }
    let width = finite(old.pointer("/floatProperties/_OutlineWidth")?)? * 0.01;
    let color = old.pointer("/vectorProperties/_OutlineColor");
    // Of that version, colours are as on the screen.
    let part =
        |at: usize| color.and_then(|color| finite(color.get(at)?)).map_or(0.0, |part| linear(part.clamp(0.0, 1.0)));
    Some(Outline { width: width.clamp(0.0, Outline::MAX_WIDTH), color: [0, 1, 2].map(part) })
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
    let width = finite(json.get(width)?)?.clamp(0.0, Outline::MAX_WIDTH);
    let part = |at: usize| finite(json.get(color)?.get(at)?).map(|part| part.clamp(0.0, 1.0));
    Some(Outline { width, color: [0, 1, 2].map(|at| part(at).unwrap_or(0.0)) })
}
