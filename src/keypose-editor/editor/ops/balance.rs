//! Masses and gravity in the notes of a rig.

use crate::editor::ops::mirror::Pairs;
use keypose::anim::skeleton::BoneIndex;
use keypose::assets::model::Model;
use keypose::assets::rig_notes::{self, RigNotes};

/// The mass that was chosen for a bone, in percent; `None` if it follows from the volume.
pub fn chosen_mass(model: &Model, bone: BoneIndex) -> Option<f32> {
    model.rig.masses.get(&model.skeleton.get(bone)?.name).copied()
}

/// The notes with another mass of a bone and of its mirror bone, in percent; `None` for that of the volume.
pub fn with_mass(model: &Model, bone: BoneIndex, percent: Option<f32>) -> RigNotes {
    let mut rig = model.rig.clone();
    for bone in [bone, Pairs::of_model(model).partner(bone)] {
        if let Some(bone) = model.skeleton.get(bone) {
            rig_notes::put(&mut rig.masses, &bone.name, percent);
        }
    }
    rig
}
