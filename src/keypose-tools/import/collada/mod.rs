//! Imports COLLADA 1.4 and 1.5 (.dae). The crate `roxmltree` parses the XML; this module follows its references: geometries, skins
//! whose joints are found by SID, hierarchies of transforms, and animations of matrices and of single transforms. Units become
//! metres and y points up. Physics, lights and cameras are not imported.

use std::borrow::Cow;

use roxmltree::ParsingOptions;

use crate::assets::model::Model;
use crate::assets::printable::printable;
use crate::import::assembly::parts::Parts;
use crate::import::collada::document::Document;
use crate::import::collada::materials::Materials;
use crate::import::collada::meshes::Meshes;
use crate::import::collada::scene::Scene;
use crate::import::error::Fault;
use crate::import::report::Report;
use crate::import::{ReadFile, stem};

mod animations;
mod controllers;
mod curves;
mod document;
mod geometry;
mod markup;
mod materials;
mod meshes;
mod morphs;
mod scene;
mod skins;
mod sources;
mod transforms;

/// Elements of XML for each byte of a file, at most: `<a/>` has four.
const BYTES_PER_ELEMENT: usize = 3;

/// Imports a file. `name` is the file's name, for the model, its source and its clip; `read` reads its textures.
pub fn import(name: &str, bytes: &[u8], read: &mut ReadFile<'_>, report: &mut Report) -> Result<Model, Fault> {
    let text = text_of(bytes)?;
    let text = text.trim_start_matches('\u{feff}');
    markup::check(text).map_err(|reason| Fault::Xml { reason })?;
    let nodes_limit = u32::try_from(bytes.len().checked_div(BYTES_PER_ELEMENT).unwrap_or(0)).unwrap_or(u32::MAX);
    let options = ParsingOptions { nodes_limit: nodes_limit.saturating_add(1000), ..ParsingOptions::default() };
    let xml = roxmltree::Document::parse_with_options(text, options);
    let xml = xml.map_err(|error| Fault::Xml { reason: printable(&error.to_string()).into_owned() })?;
    let document = Document::new(&xml, report)?;
    let scene = Scene::read(&document, report)?;
    let mut bones = scene.bones(&document, report)?;
    let mut materials = Materials::new(&document, name, read);
    let mut meshes = Meshes::new(&document, &scene, &bones, bytes.len());
    meshes.read(&mut materials, report)?;
    document.check_steps()?;
    let Meshes { slots, sources, skins, mut shapes, .. } = meshes;
    let skeleton = std::mem::take(&mut bones.skeleton).with_scalars(std::mem::take(&mut shapes.scalars));
    bones.skeleton = skeleton.map_err(|error| Fault::at("morph targets", error))?;
    let of = animations::Animations { document: &document, scene: &scene, bones: &bones, shapes: &shapes };
    let clips = of.clips((stem(name), bytes.len()), report);
    document.check_steps()?;
    let parts = Parts {
        bones,
        meshes: slots,
        sources,
        skins,
        materials: materials.all,
        textures: materials.textures.all,
        clips,
    };
    Ok(parts.into_model(name, report))
}

/// The text of a file in UTF-8, or in UTF-16 of either byte order.
fn text_of(bytes: &[u8]) -> Result<Cow<'_, str>, Fault> {
    let unit: fn([u8; 2]) -> u16 = match bytes {
        [0xFF, 0xFE, ..] | [b'<', 0, ..] => u16::from_le_bytes,
        [0xFE, 0xFF, ..] | [0, b'<', ..] => u16::from_be_bytes,
        _ => {
            let text = std::str::from_utf8(bytes);
            return text.map(Cow::Borrowed).map_err(|error| Fault::Xml { reason: format!("not UTF-8: {error}") });
        }
    };
    let (units, _) = bytes.as_chunks::<2>();
    let units = units.iter().map(|pair| unit(*pair));
    let text: Result<String, _> = char::decode_utf16(units).collect();
    text.map(Cow::Owned).map_err(|error| Fault::Xml { reason: format!("not UTF-16: {error}") })
}

/// Returns true if the bytes begin like a COLLADA file.
pub fn looks_like_collada(bytes: &[u8]) -> bool {
    // Of UTF-16, one of two bytes is left.
    let is_wide = matches!(bytes, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] | [b'<', 0, ..] | [0, b'<', ..]);
    let head = bytes.get(..bytes.len().min(4096)).unwrap_or_default();
    let narrow: Vec<u8> = head.iter().copied().filter(|byte| *byte != 0 && *byte < 0xFE).collect();
    let bytes = if is_wide { &narrow } else { bytes };
    let text = bytes.strip_prefix(&[0xEF, 0xBB, 0xBF]).unwrap_or(bytes).trim_ascii_start();
    let head = text.get(..text.len().min(2048)).unwrap_or_default();
    // Any other format may hold the word in a name.
    head.starts_with(b"<") && head.windows(8).any(|window| window == b"<COLLADA")
}
