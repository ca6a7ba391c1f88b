//! Lines along the normals of a posed model.

use glam::Vec3;

use crate::render::frame::ModelDraw;
use crate::render::frame::color::Color;
use crate::render::frame::overlay::{Overlay, Stroke};
use keypose::assets::mesh::Mesh;
use keypose_tools::posed_mesh::PosedMesh;

/// The colour of the lines.
pub const COLOR: Color = Color::hex(0x49c7f0);
/// More lines than this only hide the surface: of a larger model every second vertex has one, or fewer.
const MAX_LINES: usize = 20_000;

/// Adds a line along the normal of each vertex of the visible meshes, `length` world units long.
pub fn draw(overlay: &mut Overlay, draw: &ModelDraw, length: f32) {
    let model = &*draw.model;
    let shown = || model.meshes.iter().filter(|slot| model.is_visible(slot, &draw.pose)).map(|slot| &*slot.mesh);
    let vertices: usize = shown().map(|mesh: &Mesh| mesh.positions.len()).sum();
    let step = vertices.div_ceil(MAX_LINES).max(1);
    for mesh in shown() {
        let posed = PosedMesh::new(model, mesh, &draw.pose);
        for vertex in (0..mesh.positions.len()).step_by(step) {
            let from = draw.world_from_model.transform_point3(posed.position(vertex));
            let along = draw.world_from_model.transform_vector3(posed.normal(vertex)).normalize_or_zero();
            if along != Vec3::ZERO && from.is_finite() {
                overlay.line(from, from + along * length, Stroke::new(COLOR, 1.0));
            }
        }
    }
}
