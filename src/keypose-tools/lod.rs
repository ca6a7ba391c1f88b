//! Levels of detail: coarser meshes of a model, for characters that are small on the screen. A mesh is one by its name, as in other
//! programs: `Body_LOD1` is the first coarser mesh of `Body` or `Body_LOD0`, `Body_LOD2` the next. It is hidden; only crowds draw
//! it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::assets::mesh::Mesh;
use crate::assets::model::{MeshSlot, Model, Visibility};

/// Mark before the level number in a mesh's name, in any case.
const MARK: &str = "_lod";

/// The name of a mesh without its level, and the level: 0 for the finest mesh. A number that was added to make the name unique
/// (`Body_LOD1.001`) belongs to the name.
pub fn split_name(name: &str) -> (String, usize) {
    let is_number = |text: &str| text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_digit());
    let (stem, number) = match name.rsplit_once('.').filter(|(_, number)| is_number(number)) {
        Some((stem, number)) => (stem, format!(".{number}")),
        None => (name, String::new()),
    };
    let level = stem.get(stem.len().saturating_sub(1)..).and_then(|digit| digit.parse::<usize>().ok());
    let before = stem.get(..stem.len().saturating_sub(1)).unwrap_or_default();
    let place = before.len().saturating_sub(MARK.len());
    match (level, before.get(..place), before.get(place..)) {
        (Some(level), Some(base), Some(mark)) if !base.is_empty() && mark.eq_ignore_ascii_case(MARK) => {
            (format!("{base}{number}"), level)
        }
        _ => (name.to_owned(), 0),
    }
}

/// The name of a level of a mesh, which may have one already.
pub fn name_of_level(name: &str, level: usize) -> String {
    format!("{}_LOD{level}", split_name(name).0)
}

/// The coarser meshes of a model.
#[derive(Debug, Default)]
pub struct Lods<'a> {
    by_name: BTreeMap<(String, usize), &'a Arc<Mesh>>,
}

impl<'a> Lods<'a> {
    /// Finds hidden levels of detail. Shown meshes are no levels.
    pub fn of(model: &'a Model) -> Lods<'a> {
        let hidden = model.meshes.iter().filter(|slot| slot.visibility == Visibility::Hidden);
        let of_level = hidden.map(|slot| (split_name(&slot.mesh.name), &slot.mesh));
        Lods { by_name: of_level.filter(|((_, level), _)| *level > 0).collect() }
    }

    /// Returns true without hidden levels.
    pub fn is_empty(&self) -> bool {
        self.by_name.is_empty()
    }

    /// Returns the levels of a mesh from 1 up to the first that is missing or has another binding or material.
    pub fn coarser(&self, mesh: &Mesh) -> Vec<Arc<Mesh>> {
        let (base, level) = split_name(&mesh.name);
        if level > 0 || self.by_name.is_empty() {
            return Vec::new();
        }
        let suits = |other: &&&Arc<Mesh>| (other.binding, other.material) == (mesh.binding, mesh.material);
        let at = |level: usize| self.by_name.get(&(base.clone(), level)).filter(suits).map(|mesh| (*mesh).clone());
        (1..=9).map_while(at).collect()
    }
}

/// Hides meshes that are coarser levels of another one. Returns the number of those that were shown.
pub fn hide_coarser(meshes: &mut [MeshSlot]) -> usize {
    let names = || meshes.iter().map(|slot| split_name(&slot.mesh.name));
    let finest: BTreeSet<String> = names().filter(|(_, level)| *level == 0).map(|(base, _)| base).collect();
    let is_coarser = |slot: &&mut MeshSlot| {
        let (base, level) = split_name(&slot.mesh.name);
        level > 0 && slot.visibility == Visibility::Shown && finest.contains(&base)
    };
    meshes.iter_mut().filter(is_coarser).map(|slot| slot.visibility = Visibility::Hidden).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assets::mesh::Binding;

    fn slot(name: &str, visibility: Visibility) -> MeshSlot {
        let mesh = Mesh::empty(name, Binding::Bone(0));
        MeshSlot { mesh: Arc::new(mesh), visibility }
    }

    #[test]
    fn the_level_of_a_mesh_is_the_end_of_its_name() {
        let cases = [
            ("Body", "Body", 0),
            ("Body_LOD0", "Body", 0),
            ("Body_LOD1", "Body", 1),
            ("body_lod2", "body", 2),
            ("Body_LOD1.001", "Body.001", 1),
            ("Body.001", "Body.001", 0),
            ("_LOD1", "_LOD1", 0),
            ("Body_LOD", "Body_LOD", 0),
            ("Body_LOD12", "Body_LOD12", 0),
            ("é1", "é1", 0),
            ("1é", "1é", 0),
            ("", "", 0),
        ];
        for (name, base, level) in cases {
            assert_eq!(split_name(name), (base.to_owned(), level), "{name}");
        }
        assert_eq!(name_of_level("Body_LOD0", 2), "Body_LOD2");
    }

    #[test]
    fn hidden_meshes_of_that_name_are_levels_up_to_the_first_gap() {
        use Visibility::{Hidden, Shown};
        let mut other = slot("Shield_LOD1", Hidden);
        Arc::make_mut(&mut other.mesh).material = 1;
        let slots = [
            slot("Body_LOD2", Hidden),
            slot("Body_LOD0", Shown),
            slot("Body_LOD1", Hidden),
            slot("Body_LOD4", Hidden),
            slot("Sword", Shown),
            slot("Sword_LOD1", Shown),
            slot("Shield", Shown),
            other,
        ];
        let model = Model { meshes: slots.to_vec(), ..Model::default() };
        let lods = Lods::of(&model);
        let names = |at: usize| -> Vec<String> {
            lods.coarser(&model.meshes[at].mesh).iter().map(|mesh| mesh.name.clone()).collect()
        };
        assert_eq!(names(1), ["Body_LOD1", "Body_LOD2"]);
        assert_eq!(names(2), [""; 0], "a level has no levels");
        assert_eq!(names(4), [""; 0], "one that is shown is drawn beside the other");
        assert_eq!(names(6), [""; 0], "one with another material");
    }

    #[test]
    fn levels_are_hidden_if_the_finest_mesh_is_there() {
        use Visibility::{Hidden, Shown};
        let mut slots = ["Body", "Body_LOD1", "Tree_LOD1", "Rock_LOD2"].map(|name| slot(name, Shown));
        slots[3].visibility = Hidden;
        assert_eq!(hide_coarser(&mut slots), 1);
        assert_eq!(slots.map(|slot| slot.visibility), [Shown, Hidden, Shown, Hidden]);
    }
}
