//! Levels of detail: coarser meshes of a model, known by their names, as in other programs. `Body_LOD1` is the first coarser mesh of
//! `Body` or `Body_LOD0`.

use std::collections::BTreeSet;

use crate::assets::model::{MeshSlot, Visibility};
use crate::assets::project::stem_of;

/// Mark before the level number in a mesh's name, in any case.
const MARK: &str = "_lod";

/// The name of a mesh without its level, and the level: 0 for the finest mesh. A number that was added to make the name unique
/// (`Body_LOD1.001`) belongs to the name.
fn split_name(name: &str) -> (String, usize) {
    let stem = stem_of(name);
    let number = name.strip_prefix(stem).unwrap_or_default();
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

/// Hides meshes that are coarser levels of another one. Returns the number of those that were shown. `Body_LOD1.001` is a level of
/// `Body.001`, and of `Body`, which may have fewer parts.
pub fn hide_coarser(meshes: &mut [MeshSlot]) -> usize {
    let names = || meshes.iter().map(|slot| split_name(&slot.mesh.name));
    let finest: BTreeSet<String> = names().filter(|(_, level)| *level == 0).map(|(base, _)| base).collect();
    let is_coarser = |slot: &&mut MeshSlot| {
        let (base, level) = split_name(&slot.mesh.name);
        let has_finest = finest.contains(&base) || finest.contains(stem_of(&base));
        level > 0 && slot.visibility == Visibility::Shown && has_finest
    };
    meshes.iter_mut().filter(is_coarser).map(|slot| slot.visibility = Visibility::Hidden).count()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::assets::mesh::{Binding, Mesh};

    #[test]
    fn the_level_of_a_mesh_is_the_end_of_its_name() {
        let cases = [
            ("Body", "Body", 0),
            ("Body_LOD0", "Body", 0),
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
    }

    #[test]
    fn levels_are_hidden_if_the_finest_mesh_is_there() {
        use Visibility::{Hidden, Shown};
        let slot = |name| MeshSlot { mesh: Arc::new(Mesh::empty(name, Binding::Bone(0))), visibility: Shown };
        let mut slots = ["Body", "Body_LOD1", "Tree_LOD1", "Rock_LOD2", "Body_LOD1.001"].map(slot);
        slots[3].visibility = Hidden;
        assert_eq!(hide_coarser(&mut slots), 2);
        assert_eq!(slots.map(|slot| slot.visibility), [Shown, Hidden, Shown, Hidden, Hidden]);
    }
}
