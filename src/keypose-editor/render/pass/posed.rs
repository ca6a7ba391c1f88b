//! Meshes that are skinned on the CPU, because their palette has no place on the GPU. They are skinned and uploaded again only if
//! what moves them changed.

use std::borrow::Cow;

use glam::Vec3;

use crate::render::frame::ModelDraw;
use crate::render::gl::buffer::{Buffer, Usage};
use crate::render::gl::context::Context;
use crate::render::gl::error::GlError;
use crate::render::gl::vertex_array::VertexArray;
use crate::render::pass::vertex::{GpuMesh, PosedVertex};
use keypose::anim::mat34::Mat3x4;
use keypose::anim::morph;
use keypose::anim::pose::ModelPose;
use keypose::anim::skin::cpu::Influences;
use keypose::anim::skin::method::{self, Method, Prepared};
use keypose::assets::mesh::{Binding, Mesh};
use keypose::assets::model::Model;
use keypose_tools::posed_mesh::matrices_of;

/// The posed vertices of a mesh.
pub struct PosedBuffer {
    buffer: Buffer,
    array: VertexArray,
    of: Option<Cause>,
}

/// The inputs that move the vertices of a mesh.
#[derive(PartialEq)]
struct Cause {
    method: Method,
    palette: Vec<Mat3x4>,
    weights: Vec<f32>,
}

impl PosedBuffer {
    /// For the copy of a mesh.
    pub fn new(context: &Context, mesh: &GpuMesh) -> Result<PosedBuffer, GlError> {
        let buffer = Buffer::new(context, Usage::Stream)?;
        let array = mesh.array_over(context, &buffer)?;
        Ok(PosedBuffer { buffer, array, of: None })
    }

    /// The vertices and triangles.
    pub fn array(&self) -> &VertexArray {
        &self.array
    }

    /// Skins the mesh of a model, unless it is as before.
    pub fn update(&mut self, draw: &ModelDraw, method: Method, mesh: &Mesh) {
        let weights = mesh.morphs.iter().map(|target| morph::weight(target, &draw.pose.scalars)).collect();
        let cause = Cause { method, palette: palette_of(draw, method, mesh), weights };
        if self.of.as_ref() != Some(&cause) {
            self.buffer.set(&vertices(mesh, &draw.pose, Prepared::new(method, cause.palette.clone())));
            self.of = Some(cause);
        }
    }
}

/// The matrices of the mesh's joints, or that of its bone, between both poses.
fn palette_of(draw: &ModelDraw, method: Method, mesh: &Mesh) -> Vec<Mat3x4> {
    let from = palette_in(&draw.model, mesh, &draw.pose);
    match draw.next.as_ref().filter(|_| method == Method::Interpolated) {
        Some(next) => method::interpolated(&from, &palette_in(&draw.model, mesh, &next.pose), next.fraction),
        None => from,
    }
}

fn palette_in(model: &Model, mesh: &Mesh, pose: &ModelPose) -> Vec<Mat3x4> {
    let finite = |matrix: Mat3x4| if matrix.is_finite() { matrix } else { Mat3x4::IDENTITY };
    matrices_of(model, mesh, pose).into_iter().map(finite).collect()
}

fn vertices(mesh: &Mesh, pose: &ModelPose, palette: Prepared) -> Vec<PosedVertex> {
    let (mut positions, mut normals) = (Cow::Borrowed(&mesh.positions), Cow::Borrowed(&mesh.normals));
    if mesh.morphs.iter().any(|target| morph::weight(target, &pose.scalars) != 0.0) {
        morph::deform(&mesh.morphs, &pose.scalars, positions.to_mut(), normals.to_mut());
    }
    let influences = Influences::of(&mesh.influences);
    let posed = |(vertex, position): (usize, &Vec3)| {
        let matrix = match mesh.binding {
            Binding::Bone(_) => palette.first(),
            Binding::Skin(_) => palette.matrix(&influences, vertex),
        };
        let normal = normals.get(vertex).map_or(Vec3::ZERO, |&normal| method::normal(&matrix, normal));
        PosedVertex { position: matrix.transform_point(*position).to_array(), normal: normal.to_array() }
    };
    positions.iter().enumerate().map(posed).collect()
}
