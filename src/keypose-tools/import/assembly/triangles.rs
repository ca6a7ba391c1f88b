//! Triangles: converts strips and fans to lists. Vertex order never changes.

use std::collections::HashSet;
use std::sync::Arc;

use glam::Vec3;
use gltf::json::mesh::Mode;

use crate::assets::model::MeshSlot;
use crate::import::assembly::weights::is_one;

/// The triangle list of a primitive (glTF 2.0, section 3.7.2.1), or `None` for points and lines. An incomplete triangle
/// at the end is dropped.
pub fn list(mode: Mode, indices: Vec<u32>) -> Option<Vec<u32>> {
    let corners = |at: usize| indices.get(at..).and_then(|rest| rest.first_chunk::<3>()).copied();
    let count = indices.len().saturating_sub(2);
    match mode {
        Mode::Triangles => {
            let mut indices = indices;
            let whole = indices.len().saturating_sub(indices.len().checked_rem(3).unwrap_or(0));
            indices.truncate(whole);
            Some(indices)
        }
        Mode::TriangleStrip => {
            let turned =
                |at: usize| corners(at).map(|[a, b, c]| if at.is_multiple_of(2) { [a, b, c] } else { [a, c, b] });
            Some((0..count).filter_map(turned).flatten().collect())
        }
        Mode::TriangleFan => {
            let hub = indices.first().copied();
            let blade = |pair: &[u32]| Some([hub?, *pair.first()?, *pair.get(1)?]);
            Some(indices.get(1..)?.windows(2).filter_map(blade).flatten().collect())
        }
        _ => None,
    }
}

/// Drops triangles that show nothing: those with a corner twice, and those that are there already, with the same side in front. Returns
/// how many.
pub fn drop_unseen(meshes: &mut [MeshSlot]) -> usize {
    meshes.iter_mut().map(drop_unseen_of).fold(0, usize::saturating_add)
}

fn drop_unseen_of(slot: &mut MeshSlot) -> usize {
    let mut known = HashSet::new();
    let mut is_seen = |[a, b, c]: [u32; 3]| {
        let turned = if a < b && a < c {
            [a, b, c]
        } else if b < c {
            [b, c, a]
        } else {
            [c, a, b]
        };
        a != b && b != c && c != a && known.insert(turned)
    };
    let (triangles, _) = slot.mesh.indices.as_chunks::<3>();
    let kept: Vec<u32> = triangles.iter().copied().filter(|corners| is_seen(*corners)).flatten().collect();
    let dropped = slot.mesh.indices.len().saturating_sub(kept.len()).checked_div(3).unwrap_or(0);
    if dropped > 0 {
        Arc::make_mut(&mut slot.mesh).indices = kept;
    }
    dropped
}

/// The normalized vector, or +Y if its length is zero.
pub fn unit_normal(normal: Vec3) -> Vec3 {
    if is_one(normal.as_dvec3().length()) {
        return normal;
    }
    let unit = normal.as_dvec3().normalize_or_zero().as_vec3();
    if unit.length_squared() > 0.5 { unit } else { Vec3::Y }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assets::mesh::{Binding, Mesh};
    use crate::assets::model::Visibility;

    #[test]
    fn triangles_that_show_nothing_are_dropped() {
        let indices = vec![0, 1, 2, 1, 2, 0, 0, 2, 1, 2, 0, 1, 3, 3, 1, 3, 1, 3, 0, 1, 3];
        let mesh = Mesh { indices, ..Mesh::empty("", Binding::Bone(0)) };
        let mut meshes = [MeshSlot { mesh: Arc::new(mesh), visibility: Visibility::Shown }];
        assert_eq!(drop_unseen(&mut meshes), 4);
        assert_eq!(meshes[0].mesh.indices, [0, 1, 2, 0, 2, 1, 0, 1, 3]);
    }

    #[test]
    fn strips_and_fans_become_lists_of_the_same_winding() {
        type Case<'a> = (Mode, &'a [u32], Option<&'a [u32]>);
        let cases: &[Case<'_>] = &[
            (Mode::Triangles, &[0, 1, 2, 3], Some(&[0, 1, 2])),
            (Mode::TriangleStrip, &[0, 1, 2, 3, 4], Some(&[0, 1, 2, 1, 3, 2, 2, 3, 4])),
            (Mode::TriangleStrip, &[0, 1], Some(&[])),
            (Mode::TriangleFan, &[0, 1, 2, 3], Some(&[0, 1, 2, 0, 2, 3])),
            (Mode::TriangleFan, &[7], Some(&[])),
            (Mode::Points, &[0, 1, 2], None),
            (Mode::LineLoop, &[0, 1, 2], None),
        ];
        for (mode, indices, expected) in cases {
            assert_eq!(list(*mode, indices.to_vec()).as_deref(), *expected, "{mode:?} {indices:?}");
        }
    }
}
