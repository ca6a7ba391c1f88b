//! EXT_mesh_gpu_instancing: a mesh that is drawn many times becomes one mesh with all copies.

use glam::{Mat3, Mat4, Quat, Vec3};
use gltf::json::scene::Node;
use gltf::json::{Index, accessor::Accessor};

use crate::anim::morph::MorphTarget;
use crate::assets::mesh::Mesh;
use crate::import::assembly::triangles::unit_normal;
use crate::import::error::Fault;
use crate::import::gltf::accessor::Reader;

/// The name of the extension.
pub const NAME: &str = "EXT_mesh_gpu_instancing";

/// Bytes of a copied vertex, and of an index.
const BYTES_PER_VERTEX: usize = 64;
const BYTES_PER_INDEX: usize = 4;

/// The transforms of the copies of a node's mesh; empty without the extension.
pub fn of(node: &Node, reader: &Reader<'_>, place: &str) -> Result<Vec<Mat4>, Fault> {
    let extension = node.extensions.as_ref().and_then(|all| all.others.get(NAME)?.get("attributes"));
    let Some(attributes) = extension else { return Ok(Vec::new()) };
    let column = |name: &str| {
        let index = attributes.get(name)?.as_u64().and_then(|index| u32::try_from(index).ok())?;
        Some((Index::<Accessor>::new(index), format!("{place}, instances, {name}")))
    };
    let vectors = |name: &str| match column(name) {
        Some((index, place)) => Ok(reader.floats::<3>(index, &place)?.into_iter().map(Vec3::from_array).collect()),
        None => Ok(Vec::new()),
    };
    let (moved, scaled): (Vec<Vec3>, Vec<Vec3>) = (vectors("TRANSLATION")?, vectors("SCALE")?);
    let turned: Vec<Quat> = match column("ROTATION") {
        Some((index, place)) => reader.floats::<4>(index, &place)?.into_iter().map(Quat::from_array).collect(),
        None => Vec::new(),
    };
    let count = moved.len().max(scaled.len()).max(turned.len());
    let matrix = |at: usize| {
        let rotation = turned.get(at).copied().unwrap_or_default();
        let rotation = if rotation.length_squared() > 1e-12 { rotation.normalize() } else { Quat::IDENTITY };
        let scale = scaled.get(at).copied().unwrap_or(Vec3::ONE);
        Mat4::from_scale_rotation_translation(scale, rotation, moved.get(at).copied().unwrap_or_default())
    };
    let matrices: Vec<Mat4> = (0..count).map(matrix).collect();
    match matrices.iter().position(|matrix| !matrix.is_finite()) {
        Some(at) => Err(Fault::at(place, format!("instance {at} is not finite"))),
        None => Ok(matrices),
    }
}

/// Replaces a mesh without influences by its copies. Their memory is taken from the budget.
#[allow(clippy::arithmetic_side_effects)] // Floating point only.
pub fn expand(mesh: &mut Mesh, instances: &[Mat4], reader: &Reader<'_>, place: &str) -> Result<(), Fault> {
    let moved = mesh.morphs.iter().map(|target| target.vertices.len()).sum::<usize>();
    let per_copy = mesh.positions.len().saturating_add(moved).saturating_mul(BYTES_PER_VERTEX);
    let per_copy = per_copy.saturating_add(mesh.indices.len().saturating_mul(BYTES_PER_INDEX));
    reader.charge(per_copy.saturating_mul(instances.len()), place)?;
    let count = u32::try_from(mesh.positions.len()).unwrap_or(u32::MAX);
    let (mut positions, mut normals, mut indices) = (Vec::new(), Vec::new(), Vec::new());
    for (at, matrix) in (0_u32..).zip(instances) {
        let moved = mesh.positions.iter().map(|position| matrix.transform_point3(*position));
        positions.extend(moved.map(|position| if position.is_finite() { position } else { Vec3::ZERO }));
        let of_normals = of_normals(matrix);
        normals.extend(mesh.normals.iter().map(|normal| unit_normal(of_normals * *normal)));
        let first = count.saturating_mul(at);
        let is_mirrored = matrix.determinant() < 0.0;
        for corners in mesh.indices.as_chunks::<3>().0 {
            let [a, b, c] = corners.map(|index| index.saturating_add(first));
            indices.extend(if is_mirrored { [a, c, b] } else { [a, b, c] });
        }
    }
    mesh.morphs.iter_mut().for_each(|target| *target = copied(target, (&mesh.normals, count), instances));
    mesh.uvs = mesh.uvs.repeat(instances.len());
    mesh.colors = mesh.colors.repeat(instances.len());
    (mesh.positions, mesh.normals, mesh.indices) = (positions, normals, indices);
    Ok(())
}

/// The transform of normals by the copy of a mesh, up to their length.
fn of_normals(matrix: &Mat4) -> Mat3 {
    Mat3::from_mat4(*matrix).inverse().transpose()
}

/// A morph target of a mesh with these normals and this number of vertices for its copies.
#[allow(clippy::arithmetic_side_effects)] // Floating point only.
fn copied(target: &MorphTarget, (normals, count): (&[Vec3], u32), instances: &[Mat4]) -> MorphTarget {
    let mut all = MorphTarget { scalar: target.scalar, ..MorphTarget::default() };
    let finite = |vector: Vec3| if vector.is_finite() { vector } else { Vec3::ZERO };
    for (at, matrix) in (0_u32..).zip(instances) {
        let (first, of_normals) = (count.saturating_mul(at), of_normals(matrix));
        all.vertices.extend(target.vertices.iter().map(|vertex| vertex.saturating_add(first)));
        all.positions.extend(target.positions.iter().map(|by| finite(matrix.transform_vector3(*by))));
        let normal = |vertex: &u32| usize::try_from(*vertex).ok().and_then(|vertex| normals.get(vertex).copied());
        all.normals.extend(target.normals.iter().zip(&target.vertices).map(|(by, vertex)| {
            let length = normal(vertex).map_or(1.0, |normal| (of_normals * normal).length());
            finite(of_normals * *by / length)
        }));
    }
    all
}
