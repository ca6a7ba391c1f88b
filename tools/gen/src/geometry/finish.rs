//! From parts to a mesh: normals with hard and soft edges, triangles, texture coordinates into the palette, weights.

use glam::{DVec3, Vec2};
use keypose::anim::skin::cpu::InfluenceSet;
use keypose::assets::mesh::{Binding, Mesh};

use crate::geometry::part::{Influences, Part};
use crate::geometry::shade::Shade;
use crate::maths::{quantised, quantised_vec};

/// The palette's texture has this many swatches in a row.
pub const SWATCHES: usize = 16;

/// One corner that the mesh needs: a point of a part with its own normal and colour.
struct Corner {
    point: usize,
    normal: DVec3,
    swatch: u8,
}

/// Joins the parts. Skinned where the parts carry weights, with joint indices equal to bone indices.
pub fn mesh(name: &str, parts: &[Part], binding: Binding) -> Mesh {
    let shade = Shade::of(parts);
    let mut mesh = Mesh::empty(name, binding);
    let mut influences = InfluenceSet::default();
    for part in parts {
        append(&mut mesh, &mut influences, part, &shade);
    }
    if matches!(binding, Binding::Skin(_)) {
        mesh.influences.push(influences);
    }
    mesh
}

fn append(mesh: &mut Mesh, influences: &mut InfluenceSet, part: &Part, shade: &Shade) {
    let normals: Vec<_> = part.shape.faces.iter().map(|face| part.shape.face_normal(face)).collect();
    let mut faces_at = vec![Vec::new(); part.shape.points.len()];
    for (index, face) in part.shape.faces.iter().enumerate() {
        face.iter().for_each(|&at| faces_at[at].push(index));
    }
    let mut corners: Vec<Vec<(u32, DVec3, u8)>> = vec![Vec::new(); part.shape.points.len()];
    for (index, face) in part.shape.faces.iter().enumerate() {
        let unit = normals[index].normalize_or_zero();
        let mut polygon = Vec::with_capacity(face.len());
        for &point in face {
            let sum: DVec3 = smoothed(index, &faces_at[point], &normals, part.soft_cos).map(|face| normals[face]).sum();
            let corner = Corner { point, normal: sum.normalize_or(unit), swatch: part.swatches[index] };
            let same = |(_, normal, swatch): &&(u32, DVec3, u8)| {
                normal.distance_squared(corner.normal) < 1e-8 && *swatch == corner.swatch
            };
            let known = corners[point].iter().find(same).map(|(vertex, ..)| *vertex);
            polygon.push(known.unwrap_or_else(|| {
                let vertex = push(mesh, influences, part, &corner, shade);
                corners[point].push((vertex, corner.normal, corner.swatch));
                vertex
            }));
        }
        triangulate(part, face, &polygon, &mut mesh.indices);
    }
}

/// Of the faces around a point those that are shaded as one surface with a face: it, those that meet it at a soft angle, those that meet them so.
fn smoothed(face: usize, around: &[usize], normals: &[DVec3], soft_cos: f64) -> impl Iterator<Item = usize> {
    let is_soft = |a: usize, b: usize| normals[a].normalize_or_zero().dot(normals[b].normalize_or_zero()) >= soft_cos;
    let mut group = std::collections::BTreeSet::from([face]);
    while let Some(&next) = around.iter().find(|&&a| !group.contains(&a) && group.iter().any(|&b| is_soft(a, b))) {
        group.insert(next);
    }
    group.into_iter()
}

fn push(mesh: &mut Mesh, influences: &mut InfluenceSet, part: &Part, corner: &Corner, shade: &Shade) -> u32 {
    let position = part.shape.points[corner.point];
    mesh.positions.push(quantised_vec(position));
    mesh.normals.push(quantised_vec(corner.normal));
    let u = (f64::from(corner.swatch) + 0.5) / SWATCHES as f64;
    mesh.uvs.push(Vec2::new(quantised(u), 0.5));
    let light = shade.at(position, corner.normal);
    mesh.colors.push([light, light, light, 255]);
    if let Some(weights) = part.weights.get(corner.point) {
        let (joints, weights) = slots(weights);
        influences.joints.push(joints);
        influences.weights.push(weights);
    }
    mesh.positions.len() as u32 - 1
}

/// Four slots; the largest weight takes what rounding leaves.
fn slots(influences: &Influences) -> ([u16; 4], [f32; 4]) {
    let (mut joints, mut weights) = ([0; 4], [0.0; 4]);
    for (slot, &(bone, weight)) in influences.iter().take(4).enumerate() {
        joints[slot] = bone;
        weights[slot] = ((weight * 1024.0).round() / 1024.0) as f32;
    }
    let largest = (0..4).fold(0, |best, slot| if weights[slot] > weights[best] { slot } else { best });
    weights[largest] += 1.0 - weights.iter().sum::<f32>();
    (joints, weights)
}

/// Fans; a quad along its shorter diagonal. Triangles without area are left out.
fn triangulate(part: &Part, face: &[usize], polygon: &[u32], indices: &mut Vec<u32>) {
    let at = |corner: usize| part.shape.points[face[corner % face.len()]];
    let start = usize::from(face.len() == 4 && at(0).distance_squared(at(2)) > at(1).distance_squared(at(3)));
    for step in 1..face.len() - 1 {
        let corners = [start, start + step, start + step + 1].map(|corner| corner % face.len());
        let [a, b, c] = corners.map(at);
        if (b - a).cross(c - a).length() > 1e-9 {
            indices.extend(corners.map(|corner| polygon[corner]));
        }
    }
}
