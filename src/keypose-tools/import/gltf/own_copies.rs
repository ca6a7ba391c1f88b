//! Copies of vertices that our export added, because tangents differ there: they are merged again if the file still has them as
//! they were written.

use gltf::json::extras::Extras;
use serde_json::Value;

use crate::anim::morph::MorphTarget;
use crate::anim::skin::cpu::InfluenceSet;
use crate::assets::mesh::Mesh;
use crate::import::gltf::own::notes;

/// Merges the copies of a mesh with the vertices of which they are.
pub fn merge(mesh: &mut Mesh, extras: &Extras) {
    let Some(copies) = copies(extras, mesh.positions.len()).filter(|copies| are_same(mesh, copies)) else { return };
    let count = mesh.positions.len().saturating_sub(copies.len());
    for index in &mut mesh.indices {
        let copy = usize::try_from(*index).ok().and_then(|index| index.checked_sub(count));
        if let Some(of) = copy.and_then(|copy| copies.get(copy)) {
            *index = *of;
        }
    }
    mesh.truncate_vertices(count);
}

/// The vertex of which each of the last vertices is a copy; `None` without any.
fn copies(extras: &Extras, vertices: usize) -> Option<Vec<u32>> {
    let notes = notes(extras)?;
    let noted = notes.get("copies")?.as_array()?;
    let count = vertices.checked_sub(noted.len())?;
    let vertex = |value: &Value| {
        let vertex = u32::try_from(value.as_u64()?).ok()?;
        (usize::try_from(vertex).ok()? < count).then_some(vertex)
    };
    noted.iter().map(vertex).collect::<Option<Vec<u32>>>().filter(|copies| !copies.is_empty())
}

fn are_same(mesh: &Mesh, copies: &[u32]) -> bool {
    fn same<T: PartialEq>(stream: &[T], copies: &[u32]) -> bool {
        let last = stream.len().checked_sub(copies.len()).and_then(|first| stream.get(first..)).unwrap_or_default();
        let mut pairs = copies.iter().zip(last);
        stream.is_empty()
            || pairs.all(|(of, copy)| usize::try_from(*of).ok().and_then(|of| stream.get(of)) == Some(copy))
    }
    let influences = |set: &InfluenceSet| same(&set.joints, copies) && same(&set.weights, copies);
    let first = u32::try_from(mesh.positions.len().saturating_sub(copies.len())).unwrap_or(u32::MAX);
    let moves = |morph: &MorphTarget| {
        let mut pairs = (first..=u32::MAX).zip(copies);
        pairs.all(|(copy, of)| morph.difference(copy) == morph.difference(*of))
    };
    same(&mesh.positions, copies)
        && same(&mesh.normals, copies)
        && same(&mesh.uvs, copies)
        && same(&mesh.colors, copies)
        && mesh.influences.iter().all(influences)
        && mesh.morphs.iter().all(moves)
}
