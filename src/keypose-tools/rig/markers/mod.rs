//! Markers: places on a mesh by which a template is fitted, proposed from the mesh, and as text.

mod figure;
mod slices;

use std::collections::BTreeMap;

use glam::Vec3;

use crate::rig::RigError;
use crate::rig::markers::slices::{SYMMETRIC, Slices};
use crate::rig::surface::Surface;
use crate::rig::template::{Marker, Place, SIDES, Sides, Template};
use crate::rig::volume::Volume;

/// Places in model space by the name of the marker, with its side.
pub type Markers = BTreeMap<String, Vec3>;

/// Markers found on a mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Proposed {
    /// All markers of the template.
    pub markers: Markers,
    /// The share of the volume whose mirror image is in the volume, too, from 0 to 1.
    pub symmetry: f32,
    /// Findings about missing features, whose markers are at their usual places: "no gap between the legs".
    pub notes: Vec<String>,
}

/// Proposes the markers of a template for a mesh that stands upright on y, and faces +Z or -Z. Of a humanoid in a T- or A-pose, joints
/// are found by its extremities; other markers are at their usual places in the box around the mesh.
pub fn propose(surface: &Surface, volume: &Volume, template: &Template) -> Proposed {
    let mut slices = Slices::new(surface, volume);
    let (mut markers, mut notes) = (Markers::new(), Vec::new());
    let is_figure = template.markers.iter().any(|marker| marker.name == "chin");
    if is_figure {
        slices.front = figure::front(&slices);
    }
    for marker in template.markers {
        place(marker, &slices, &mut markers);
    }
    if is_figure {
        figure::find(&slices, &mut markers, &mut notes);
    }
    if slices.symmetry < SYMMETRIC && template.markers.iter().any(|marker| marker.sides == Sides::Both) {
        notes.push(format!("only {:.0} % of the mesh is symmetric", 100.0 * slices.symmetry));
    }
    // Of a mesh with one side, that of the other one would be beside it.
    let (min, max) = surface.bounds();
    markers.values_mut().for_each(|marker| *marker = marker.clamp(min, max));
    Proposed { markers, symmetry: slices.symmetry, notes }
}

/// Adds a marker at its usual place.
fn place(marker: &Marker, slices: &Slices<'_>, markers: &mut Markers) {
    match (marker.place, marker.sides) {
        (Place::Along(fraction), _) => {
            markers.insert(marker.name.to_owned(), slices.along_longest(fraction));
        }
        (Place::Box(place), Sides::Middle) => {
            markers.insert(marker.name.to_owned(), slices.in_box(place));
        }
        (Place::Box([across, up, front]), Sides::Both) => {
            for (side, across) in SIDES.iter().zip([across, -across]) {
                markers.insert(format!("{}{side}", marker.name), slices.in_box([across, up, front]));
            }
        }
    }
}

/// Markers as text: a line for each, such as "elbow.L 0.41 1.2 -0.03".
pub fn to_text(markers: &Markers) -> String {
    markers.iter().map(|(name, at)| format!("{name} {} {} {}\n", at.x, at.y, at.z)).collect()
}

/// Reads markers from text. Empty lines and lines that start with # are skipped.
///
/// # Errors
/// If a line is not a marker of the template with three numbers, or a marker occurs twice.
pub fn from_text(text: &str, template: &Template) -> Result<Markers, RigError> {
    let mut markers = Markers::new();
    let names: Vec<String> = template.marker_names().collect();
    for (line, content) in (1..).zip(text.lines()) {
        let mut words = content.split_whitespace();
        let Some(name) = words.next().filter(|name| !name.starts_with('#')) else { continue };
        let fail = |reason: String| RigError::MarkerLine { line, reason };
        if !names.iter().any(|known| known == name) {
            return Err(fail(format!("\"{name}\" is no marker of {}; these are {}", template.name, names.join(", "))));
        }
        let numbers: Vec<f32> =
            words.map_while(|word| word.parse().ok().filter(|number: &f32| number.is_finite())).collect();
        let Ok(place) = <[f32; 3]>::try_from(numbers) else {
            return Err(fail(format!("{name} needs three numbers: x, y and z")));
        };
        if markers.insert(name.to_owned(), Vec3::from_array(place)).is_some() {
            return Err(fail(format!("{name} occurs twice")));
        }
    }
    Ok(markers)
}
