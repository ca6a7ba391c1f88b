//! Saved poses of a model: they follow the bones and weights of a re-import, as drafts do.

use crate::anim::skeleton::Skeleton;
use crate::assets::model::Model;
use crate::bone_data::{change_saved_bones, moved_saved};
use crate::reimport::merge::Merged;

/// Brings the saved poses of the model before to the merged skeleton, except the names of bones. What it lacks stays: a pose is for other
/// models, too.
pub fn keep(model: &mut Model, before: &Skeleton, merged: &Merged) {
    change_saved_bones(model, |saved| {
        let Some(bone) = before.find(&saved.bone) else { return };
        *saved = moved_saved(saved, bone, |key| merged.key_of_before(key));
        for (name, _) in &mut saved.scalars {
            let found = before.find_scalar(bone, name).and_then(|scalar| merged.scalar_of_before(scalar));
            if let Some(scalar) = found.and_then(|scalar| merged.skeleton.scalar(scalar)) {
                name.clone_from(&scalar.name);
            }
        }
    });
}
