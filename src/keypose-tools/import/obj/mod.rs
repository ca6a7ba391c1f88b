//! Imports Wavefront OBJ with its MTL files: a prop on one bone, so that it can be posed and attached. OBJ has no units, skins and
//! animations; curves, surfaces, lines and points are not imported.

use std::sync::Arc;

use crate::anim::transform::Transform;
use crate::assets::mesh::{Binding, Mesh};
use crate::assets::model::{MeshSlot, MeshSource, Model, Visibility};
use crate::import::assembly::hierarchy::{self, Node};
use crate::import::assembly::names::Names;
use crate::import::assembly::parts::Parts;
use crate::import::assembly::text::decoded;
use crate::import::assembly::vertices::Vertices;
use crate::import::error::Fault;
use crate::import::obj::geometry::Geometry;
use crate::import::obj::materials::Materials;
use crate::import::report::Report;
use crate::import::{ReadFile, stem};

mod geometry;
mod lines;
mod materials;
mod smooth;

/// Imports a file. `name` is the file's name, for the model, its source and its bone; `read` reads its materials and textures.
pub fn import(name: &str, bytes: &[u8], read: &mut ReadFile<'_>, report: &mut Report) -> Result<Model, Fault> {
    let text = decoded(bytes, name, report);
    let geometry = Geometry::read(&text, report)?;
    let mut materials = Materials::read(&geometry.libraries, name, read, report);
    let (mut names, mut slots, mut sources) = (Names::of("mesh"), Vec::new(), Vec::new());
    for (part, vertices) in geometry.parts {
        if vertices.indices.is_empty() {
            continue;
        }
        let own = if part.object.is_empty() { stem(name) } else { &part.object };
        let source = MeshSource { node: 0, mesh: 0, primitive: u32::try_from(slots.len()).unwrap_or(u32::MAX) };
        sources.push(Some(source));
        let mesh = mesh(names.take_quietly(own), vertices, materials.find(&part.material, report));
        slots.push(MeshSlot { mesh: Arc::new(mesh), visibility: Visibility::Shown });
    }
    let node = Node {
        name: Some(stem(name).to_owned()),
        parent: None,
        rest: Transform::IDENTITY,
        is_wanted: !slots.is_empty(),
        is_joint: false,
    };
    let parts = Parts {
        bones: hierarchy::bones(&[node], report)?,
        meshes: slots,
        sources,
        skins: Vec::new(),
        materials: materials.all,
        textures: materials.textures.all,
        clips: Vec::new(),
    };
    Ok(parts.into_model(name, report))
}

fn mesh(name: String, vertices: Vertices, material: usize) -> Mesh {
    Mesh { material, ..vertices.into_mesh(name, Binding::Bone(0)) }
}
