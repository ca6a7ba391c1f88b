//! Materials that have another name in the changed model: those of the same meshes. The frames that they show follow.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::anim::scalar::Scalar;
use crate::assets::model::Model;
use crate::assets::saved_pose;
use crate::reimport::table::{Change, Row, Subject};

/// New names by the old ones: of materials that one model alone has, on a mesh of the same name.
pub fn renamed(before: &Model, changed: &Model) -> BTreeMap<String, String> {
    let names =
        |model: &Model| model.materials.iter().map(|material| material.name.clone()).collect::<BTreeSet<String>>();
    let (old, new) = (names(before), names(changed));
    let of_mesh = |model: &Model| -> BTreeMap<String, String> {
        let slots = model.meshes.iter().map(|slot| &slot.mesh);
        slots.filter_map(|mesh| Some((mesh.name.clone(), model.materials.get(mesh.material)?.name.clone()))).collect()
    };
    let changed = of_mesh(changed);
    let pairs = of_mesh(before).into_iter().filter_map(|(mesh, from)| Some((from, changed.get(&mesh)?.clone())));
    let mut taken = BTreeSet::new();
    let mut renamed = BTreeMap::new();
    for (from, to) in pairs.filter(|(from, to)| !new.contains(from) && !old.contains(to)) {
        if !renamed.contains_key(&from) && taken.insert(to.clone()) {
            renamed.insert(from, to);
        }
    }
    renamed
}

/// The rows about them.
pub fn rows(renamed: &BTreeMap<String, String>) -> impl Iterator<Item = Row> {
    let row = |(from, to): (&String, &String)| {
        Row::new(Subject::Material, from, Change::Renamed(to.clone(), "of the same mesh"))
    };
    renamed.iter().map(row)
}

/// The model with the frames of its materials under their new names.
///
/// # Errors
/// If another value has such a name.
pub fn with_names(model: &Model, renamed: &BTreeMap<String, String>) -> Result<Model, String> {
    let mut named = model.clone();
    let mut scalars = model.skeleton.scalars().to_vec();
    for scalar in &mut scalars {
        let Some(to) = scalar.material().and_then(|material| renamed.get(material)) else { continue };
        let name = Scalar::frame_name(to);
        let bone = model.skeleton.get(scalar.bone).map_or("", |bone| &bone.name);
        saved_pose::rename_value(&mut named.poses, (bone, &scalar.name), &name);
        scalar.name = name;
    }
    let skeleton = named.skeleton.as_ref().clone().with_scalars(scalars).map_err(|error| error.to_string())?;
    named.skeleton = Arc::new(skeleton);
    Ok(named)
}
