//! The morph targets of a mesh on the GPU: a texture with the differences of each vertex, as `mesh.vert` reads them. It may be copied
//! in slices.

use crate::render::gl::context::Context;
use crate::render::gl::error::GlError;
use crate::render::gl::texture::{Format, Texture};
use keypose::assets::mesh::Mesh;

/// Texels per row of the differences, as in `mesh.vert`.
const ROW: usize = 1024;
/// Indices of texels are stored as floats, which are exact up to here.
const MAX_TEXELS: usize = 1 << 24;
const ROW_BYTES: usize = ROW * size_of::<[f32; 4]>();

/// The texture, and what is left to copy.
pub struct Morphs {
    rows: usize,
    copied: usize,
    /// `None` until the first row is copied.
    texture: Option<Texture>,
    /// All texels, until the last row is copied.
    texels: Vec<[f32; 4]>,
}

impl Morphs {
    /// Nothing is copied yet. `None` if the mesh has no morph targets, or more than the driver has room for: it is then drawn without.
    pub fn of(context: &Context, mesh: &Mesh) -> Option<Morphs> {
        let moved: usize = mesh.morphs.iter().map(|target| target.vertices.len()).sum();
        let count = mesh.positions.len() + 2 * moved;
        let rows = count.div_ceil(ROW);
        let fits = count <= MAX_TEXELS && rows <= context.limits().texture_size as usize;
        (moved > 0 && fits).then(|| Morphs { rows, copied: 0, texture: None, texels: Vec::new() })
    }

    /// Copies more rows, at most about `bytes` bytes; none if there are less than for one, unless all are wanted.
    pub fn advance(&mut self, context: &Context, mesh: &Mesh, bytes: usize) -> Result<(), GlError> {
        let rows = (bytes / ROW_BYTES).min(self.rows - self.copied);
        if rows == 0 {
            return Ok(());
        }
        let texture = match &mut self.texture {
            Some(texture) => texture,
            none => {
                self.texels = texels(mesh);
                self.texels.resize(self.rows * ROW, [0.0; 4]);
                none.insert(Texture::empty(context, Format::Rgba32F, [ROW as u32, self.rows as u32])?)
            }
        };
        texture.write_rows_at(self.copied, &self.texels[self.copied * ROW..(self.copied + rows) * ROW]);
        self.copied += rows;
        if self.copied == self.rows {
            self.texels = Vec::new();
        }
        Ok(())
    }

    /// The texture, if it is whole.
    pub fn texture(&self) -> Option<&Texture> {
        self.texture.as_ref().filter(|_| self.copied == self.rows)
    }

    /// The bytes that are copied.
    pub fn copied(&self) -> usize {
        self.copied * ROW_BYTES
    }

    /// The bytes that it has when it is whole.
    pub fn bytes(&self) -> usize {
        self.rows * ROW_BYTES
    }
}

/// For each vertex the index of its first difference and their number; then the differences, sorted by vertex: position and
/// target, then normal.
fn texels(mesh: &Mesh) -> Vec<[f32; 4]> {
    let vertices = mesh.positions.len();
    let mut counts = vec![0_usize; vertices];
    for &vertex in mesh.morphs.iter().flat_map(|target| &target.vertices) {
        counts[vertex as usize] += 1;
    }
    let mut next = vertices;
    let mut texels: Vec<[f32; 4]> = Vec::with_capacity(vertices);
    for count in counts {
        texels.push([next as f32, count as f32, 0.0, 0.0]);
        next += 2 * count;
    }
    let mut places: Vec<usize> = texels.iter().map(|[start, ..]| *start as usize).collect();
    texels.resize(next, [0.0; 4]);
    for (index, target) in mesh.morphs.iter().enumerate() {
        for (at, &vertex) in target.vertices.iter().enumerate() {
            let place = &mut places[vertex as usize];
            texels[*place] = target.positions[at].extend(index as f32).to_array();
            texels[*place + 1] = target.normals.get(at).copied().unwrap_or_default().extend(0.0).to_array();
            *place += 2;
        }
    }
    texels
}
