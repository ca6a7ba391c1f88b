//! Short forms for the volumes and lanes of generated models.

use glam::Vec3;
use keypose::assets::combat::{Lanes, Volume};
use keypose::assets::model::Model;

/// A sphere on a bone.
pub fn sphere(name: &str, bone: &str, center: [f32; 3], radius: f32) -> Volume {
    Volume::sphere(name, bone, Vec3::from_array(center), radius)
}

/// A capsule on a bone.
pub fn capsule(name: &str, bone: &str, from: [f32; 3], to: [f32; 3], radius: f32) -> Volume {
    Volume { name: name.into(), bone: bone.into(), from: Vec3::from_array(from), to: Vec3::from_array(to), radius }
}

/// Sets the lanes of a clip. The clip gets its id here if it has none yet.
pub fn set_lanes(model: &mut Model, clip: &str, lanes: Lanes) {
    if model.clips.iter().any(|slot| slot.id == Default::default()) {
        (1..).zip(&mut model.clips).for_each(|(id, slot)| slot.id = keypose::assets::id::ClipId(id));
    }
    let id = model.clips.iter().find(|slot| slot.clip.name == clip).map(|slot| slot.id);
    model.combat_mut().set_lanes(id.unwrap_or_else(|| panic!("there is no clip {clip}")), lanes);
}
