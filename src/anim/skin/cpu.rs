//! Skinning on the CPU: the reference for the shader, and the way to exact vertices without GL.

use glam::Vec3;

use crate::anim::mat34::Mat3x4;

/// Up to four influences of every vertex; a mesh has one or two of these sets.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InfluenceSet {
    /// Indices into the skin's joint list, per vertex.
    pub joints: Vec<[u16; 4]>,
    /// Over all sets of a mesh the weights of a vertex sum to 1; a slot that is not used has weight 0.
    pub weights: Vec<[f32; 4]>,
}

/// The weighted sum of the palette for one vertex (linear blend skinning). Joints past the palette count as identity.
pub fn blended(sets: &[InfluenceSet], palette: &[Mat3x4], vertex: usize) -> Mat3x4 {
    let mut sum = Mat3x4 { rows: [glam::Vec4::ZERO; 3] };
    for set in sets {
        for (joint, weight) in set.joints[vertex].into_iter().zip(set.weights[vertex]) {
            let matrix = palette.get(usize::from(joint)).copied().unwrap_or_default();
            sum.rows.iter_mut().zip(matrix.rows).for_each(|(sum, row)| *sum += row * weight);
        }
    }
    sum
}

/// Skins positions with the palette into `out`, as long as `positions` after.
pub fn positions(sets: &[InfluenceSet], palette: &[Mat3x4], positions: &[Vec3], out: &mut Vec<Vec3>) {
    out.clear();
    let skinned = positions.iter().enumerate();
    out.extend(skinned.map(|(vertex, &position)| blended(sets, palette, vertex).transform_point(position)));
}
