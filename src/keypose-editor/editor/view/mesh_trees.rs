//! The hierarchies of meshes for picking, kept as long as their meshes. The app makes the hierarchies of large meshes in another thread.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Arc, Weak};

use crate::editor::ops::mesh_tree::MeshTree;
use crate::editor::view::cache::Deferred;
use keypose::assets::mesh::Mesh;
use keypose::assets::model::{Model, Visibility};

/// The hierarchy of a mesh with more indices is made by the app, if it defers them: that takes longer than a frame.
const DEFERRED_INDICES: usize = 60_000;

/// The hierarchies.
#[derive(Clone, Debug, Default)]
pub struct MeshTrees {
    /// By the addresses of the meshes.
    made: RefCell<HashMap<usize, Made>>,
    deferred: Deferred<Arc<Mesh>>,
}

/// A mesh and its hierarchy.
type Made = (Weak<Mesh>, Arc<MeshTree>);

impl MeshTrees {
    /// The hierarchy of a mesh; `None` if it is to be made by the app and isn't ready.
    pub fn get(&self, mesh: &Arc<Mesh>) -> Option<Arc<MeshTree>> {
        if let Some(made) = self.made(mesh) {
            return Some(made);
        }
        if self.is_deferred(mesh) {
            return None;
        }
        let made = Arc::new(MeshTree::of(mesh));
        self.put(mesh, made.clone());
        Some(made)
    }

    /// From now on, the app makes hierarchies of large meshes, in another thread: it asks with [`MeshTrees::missing`] and answers with
    /// [`MeshTrees::put`].
    pub fn defer(&self) {
        self.deferred.turn_on();
    }

    /// A visible mesh of the model whose hierarchy the app has to make.
    pub fn missing(&self, model: &Model) -> Option<Arc<Mesh>> {
        let shown = model.meshes.iter().filter(|slot| slot.visibility == Visibility::Shown);
        let mut missing = shown.filter(|slot| self.is_deferred(&slot.mesh) && self.made(&slot.mesh).is_none());
        missing.next().map(|slot| slot.mesh.clone())
    }

    /// Adds the hierarchy of a mesh, and drops the hierarchies of deleted meshes.
    pub fn put(&self, mesh: &Arc<Mesh>, tree: Arc<MeshTree>) {
        let mut made = self.made.borrow_mut();
        made.retain(|_, (mesh, _)| mesh.strong_count() > 0);
        made.insert(address(mesh), (Arc::downgrade(mesh), tree));
    }

    fn made(&self, mesh: &Arc<Mesh>) -> Option<Arc<MeshTree>> {
        // The weak pointer keeps the address from being used again.
        self.made.borrow().get(&address(mesh)).map(|(_, tree)| tree.clone())
    }

    fn is_deferred(&self, mesh: &Mesh) -> bool {
        self.deferred.is_on() && mesh.indices.len() > DEFERRED_INDICES
    }
}

fn address(mesh: &Arc<Mesh>) -> usize {
    Arc::as_ptr(mesh) as usize
}
