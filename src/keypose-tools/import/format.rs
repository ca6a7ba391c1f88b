//! Formats of foreign files: recognises them by their first bytes, and by the extension of the name if the bytes don't say.

use crate::assets::model::Model;
use crate::import::error::Fault;
use crate::import::report::Report;
use crate::import::{ReadFile, bvh, collada, fbx, gltf, obj};

/// A format that can be imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// glTF 2.0, .gltf and .glb.
    Gltf,
    /// FBX 3.0 to 7.7, binary and ASCII.
    Fbx,
    /// COLLADA 1.4 and 1.5, .dae.
    Collada,
    /// Wavefront .obj with .mtl.
    Obj,
    /// Motion capture, .bvh.
    Bvh,
}

/// The extensions of all formats, in lower case.
pub const EXTENSIONS: [&str; 8] = ["glb", "gltf", "vrm", "fbx", "dae", "obj", "bvh", "vrma"];

/// The extensions for people: ".glb, .gltf, …".
pub fn extension_list() -> String {
    EXTENSIONS.map(|extension| format!(".{extension}")).join(", ")
}

impl Format {
    /// The format of a file; `None` if it is none of them.
    pub fn of(name: &str, bytes: &[u8]) -> Option<Format> {
        if bytes.is_empty() {
            return None;
        }
        if fbx::looks_like_fbx(bytes) {
            return Some(Format::Fbx);
        }
        if collada::looks_like_collada(bytes) {
            return Some(Format::Collada);
        }
        if gltf::looks_like_gltf(bytes) {
            return Some(Format::Gltf);
        }
        if bvh::looks_like_bvh(bytes) {
            return Some(Format::Bvh);
        }
        let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
        match extension.as_deref() {
            Some("fbx") => Some(Format::Fbx),
            Some("dae") => Some(Format::Collada),
            // It has no magic number, and may begin with anything.
            Some("obj") => Some(Format::Obj),
            Some("bvh") => Some(Format::Bvh),
            _ => None,
        }
    }

    /// Returns true if reading the file runs code of others, which could crash or hang: ufbx, written in C, or the young
    /// draco-core.
    pub fn is_risky(self, bytes: &[u8]) -> bool {
        match self {
            Format::Gltf => gltf::needs_draco(bytes),
            Format::Collada | Format::Obj | Format::Bvh => false,
            Format::Fbx => true,
        }
    }

    /// Returns true if the clips of a file say whether they have root motion: it is from our export.
    pub(super) fn has_root_motion(self, bytes: &[u8]) -> bool {
        self == Format::Gltf && gltf::has_root_motion(bytes)
    }

    pub(super) fn read(
        self,
        name: &str,
        bytes: &[u8],
        read: &mut ReadFile<'_>,
        report: &mut Report,
    ) -> Result<Model, Fault> {
        match self {
            Format::Gltf => gltf::import(name, bytes, read, report),
            Format::Fbx => fbx::import(name, bytes, read, report),
            Format::Collada => collada::import(name, bytes, read, report),
            Format::Obj => obj::import(name, bytes, read, report),
            Format::Bvh => bvh::import(name, bytes, report),
        }
    }
}
