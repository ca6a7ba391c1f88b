//! Linear blend skinning: sums the matrices of a vertex's influences, then transforms it.
#![allow(unsafe_code)]

use glam::{Vec3, Vec4};

use crate::anim::simd::registers::eight::Four;
use crate::anim::simd::registers::matrix::{self, Sum};
use crate::anim::skin::cpu::{Influences, LineMat4, Skinned, Source};

/// The four slots of a set for every vertex.
pub type Slots<'m> = (&'m [[u16; 4]], &'m [[f32; 4]]);

/// Skins all vertices but the last and returns their number. `columns` ends with an identity; every set is as long as
/// the positions, `out` has the lengths of the source.
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma"))]
pub fn skin(influences: &Influences<'_>, columns: &[LineMat4], source: &Source<'_>, out: &mut Skinned) -> usize {
    let count = source.positions.len();
    if columns.is_empty() || count == 0 || out.positions.len() != count {
        return 0;
    }
    let zero = matrix::nothing();
    match (influences.per_vertex, influences.sets) {
        (slots, [set]) => {
            let set = (&set.joints[..count], &set.weights[..count]);
            match slots {
                1 => each(source, out, |vertex| summed::<1>(columns, set, vertex, zero)),
                2 => each(source, out, |vertex| summed::<2>(columns, set, vertex, zero)),
                _ => each(source, out, |vertex| summed::<4>(columns, set, vertex, zero)),
            }
        }
        (_, [first, second]) => {
            let first = (&first.joints[..count], &first.weights[..count]);
            let second = (&second.joints[..count], &second.weights[..count]);
            each(source, out, |vertex| summed::<4>(columns, second, vertex, summed::<4>(columns, first, vertex, zero)))
        }
        _ => 0,
    }
}

/// There is at least one position, and `out` has as many.
#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
fn each(source: &Source<'_>, out: &mut Skinned, summed: impl Fn(usize) -> Sum) -> usize {
    let last = source.positions.len() - 1;
    let has_normals = out.normals.len() > last && source.normals.len() > last;
    let has_tangents = out.tangents.len() > last && source.tangents.len() > last;
    for vertex in 0..last {
        let sum = summed(vertex);
        // SAFETY: this vertex is not the last of the positions, nor of the normals if there are any.
        unsafe {
            put4(&mut out.positions, vertex, matrix::point(sum, load4(source.positions, vertex)));
            if has_normals {
                put4(&mut out.normals, vertex, matrix::direction(sum, load4(source.normals, vertex)));
            }
        }
        if has_tangents {
            let tangent = Four::from(source.tangents[vertex]);
            out.tangents[vertex] = Vec4::from(matrix::with_w(matrix::direction(sum, tangent), tangent));
        }
    }
    last
}

/// Adds the first `N` slots of a vertex. `columns` is not empty.
#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
fn summed<const N: usize>(columns: &[LineMat4], (joints, weights): Slots<'_>, vertex: usize, mut sum: Sum) -> Sum {
    let (joints, weights) = (&joints[vertex], &weights[vertex]);
    let joints = matrix::up_to((columns.len() - 1).min(usize::from(u16::MAX)) as u16, joints);
    for (slot, weight) in weights[..N].iter().enumerate() {
        let joint = (joints >> (16 * slot)) as usize & usize::from(u16::MAX);
        debug_assert!(joint < columns.len());
        // SAFETY: the joint is clamped to the last matrix above.
        sum = matrix::with(unsafe { columns.get_unchecked(joint) }, weight, sum);
    }
    sum
}

/// Loads x, y, z and the next x.
///
/// # Safety
/// `vertex` is before the last one.
#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
pub unsafe fn load4(from: &[Vec3], vertex: usize) -> Four {
    debug_assert!(vertex + 1 < from.len());
    // SAFETY: there are two vectors, six floats, of which four are read.
    unsafe { from.as_ptr().add(vertex).cast::<Four>().read_unaligned() }
}

/// Writes x, y, z, and overwrites the next x, which must be written later.
///
/// # Safety
/// `vertex` is before the last one.
#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
pub unsafe fn put4(out: &mut [Vec3], vertex: usize, xyz: Four) {
    debug_assert!(vertex + 1 < out.len());
    // SAFETY: there are two vectors, six floats, of which four are written.
    unsafe { out.as_mut_ptr().add(vertex).cast::<Four>().write_unaligned(xyz) }
}
