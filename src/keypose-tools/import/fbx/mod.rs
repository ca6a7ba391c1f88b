//! Imports FBX, binary and ASCII. The crate `ufbx` (C) reads the file and resolves units, axes, pivots, pre-rotations and modes
//! of inheritance; this module converts its scene. Lights and cameras are not imported; the report lists them.
//!
//! A fault in the C code could end the process, so the program runs this module in a child process
//! (`docs/decisions/0241-foreign-files-are-bounded-by-counting.md`).

use ufbx::Scene;

use crate::anim::skin::method::Method;
use crate::assets::model::Model;
use crate::import::assembly::parts::Parts;
use crate::import::error::Fault;
use crate::import::fbx::materials::Materials;
use crate::import::fbx::meshes::Meshes;
use crate::import::report::Report;
use crate::import::{ReadFile, stem};

mod clips;
mod convert;
mod extrapolation;
mod facing;
mod layers;
mod materials;
mod meshes;
mod morphs;
mod nodes;
mod scene;
mod skins;
mod vertices;

/// Imports a file. `name` is the file's name, for the model, its source and clips without a name of their own; `read` reads its
/// textures.
pub fn import(name: &str, bytes: &[u8], read: &mut ReadFile<'_>, report: &mut Report) -> Result<Model, Fault> {
    let scene = scene::load(bytes)?;
    report_unread(&scene, report);
    let mut bones = nodes::bones(&scene, report)?;
    let mut materials = Materials::new(&scene, name, read);
    let mut meshes = Meshes::new(&bones, scene::moved_joints(&scene, bytes)?, bytes.len());
    meshes.read(&scene, &mut materials, report)?;
    let Meshes { slots, sources, skins, mut shapes, .. } = meshes;
    let skeleton = std::mem::take(&mut bones.skeleton).with_scalars(std::mem::take(&mut shapes.scalars));
    bones.skeleton = skeleton.map_err(|error| Fault::at("blend shapes", error))?;
    let clips = clips::clips(&scene, stem(name), (&bones, &shapes), report, bytes.len());
    let (has_dual_quaternions, has_blend_weights) = (skins.has_dual_quaternions, skins.has_blend_weights);
    let parts = Parts {
        bones,
        meshes: slots,
        sources,
        skins: skins.all,
        materials: materials.all,
        textures: materials.textures.all,
        clips,
    };
    let mut model = parts.into_model(name, report);
    if has_dual_quaternions {
        let how = if has_blend_weights { "; their blend weights are left out" } else { ", as in the file" };
        report.add("skins", format_args!("skinned by dual quaternions{how}"));
        model.skinning = Method::Dual;
    }
    facing::turn_to_front(&mut model, report);
    Ok(model)
}

/// Returns true if the bytes begin like a binary or an ASCII FBX file.
pub fn looks_like_fbx(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(&[0xEF, 0xBB, 0xBF]).unwrap_or(bytes).trim_ascii_start();
    bytes.starts_with(b"Kaydara FBX Binary") || text.starts_with(b"; FBX") || text.starts_with(b"FBXHeaderExtension:")
}

/// Counts elements that are not imported, and passes on the reader's warnings.
fn report_unread(scene: &Scene, report: &mut Report) {
    let unread = [
        ("cameras", scene.cameras.count),
        ("lights", scene.lights.count),
        ("constraints", scene.constraints.count),
        ("curves and NURBS", scene.nurbs_curves.count.saturating_add(scene.nurbs_surfaces.count)),
        ("geometry caches", scene.cache_deformers.count),
    ];
    for (kind, count) in unread {
        report.not_imported_many(kind, count);
    }
    for warning in scene.metadata.warnings.iter() {
        let times = if warning.count > 1 { format!(" ({} times)", warning.count) } else { String::new() };
        report.add("file", format_args!("{}{times}", &*warning.description));
    }
}
