//! The knight: his skeleton, his armour part by part, and his sword.

pub mod arms;
pub mod bones;
pub mod clips;
pub mod cloth;
pub mod combat;
pub mod head;
pub mod legs;
pub mod machine;
pub mod palette;
pub mod plume;
pub mod springs;
pub mod sword;
pub mod torso;

use std::sync::Arc;

use keypose::anim::transform::Transform;
use keypose::assets::mesh::Binding;
use keypose::assets::model::{MeshSlot, Model, Socket, Visibility};

use crate::geometry::finish::mesh;
use crate::geometry::part::Part;
use crate::maths::{quantised_quat, turn};
use crate::rig::Rig;

/// Where a hand holds a grip, in the hand's space.
pub const GRIP: glam::DVec3 = glam::DVec3::new(-0.03, 0.088, 0.0);

/// The knight with his clips.
///
/// # Errors
///
/// A wrong line in the text of a clip.
pub fn model(rig: &Rig) -> Result<Model, String> {
    let mesh = mesh("knight", &parts(rig), Binding::Skin(0));
    let mut model = Model {
        name: "knight".into(),
        skeleton: Arc::new(rig.skeleton()),
        skins: vec![Arc::new(rig.skin("knight"))],
        meshes: vec![MeshSlot { mesh: Arc::new(mesh), visibility: Visibility::Shown }],
        materials: vec![Arc::new(palette::material())],
        textures: vec![Arc::new(palette::texture())],
        sockets: vec![socket(rig, "weapon", 0.0), socket(rig, "scabbard", 90.0)],
        ..Model::default()
    };
    clips::add(&mut model)?;
    model.machine.graph = Some(machine::graph(&model));
    model.combat_mut().hurt = combat::hurt();
    model.rig.springs = springs::notes();
    Ok(model)
}

/// The sword along a bone, turned about its own length.
fn socket(rig: &Rig, bone: &str, degrees: f64) -> Socket {
    Socket {
        name: bone.into(),
        bone: rig.bone(bone) as u16,
        transform: Transform::from_rotation(quantised_quat(turn(glam::DVec3::Y, degrees))),
        attached: "sword".into(),
    }
}

/// Everything that he wears.
fn parts(rig: &Rig) -> Vec<Part> {
    let both = |parts: Vec<Part>| {
        let right: Vec<_> = parts.iter().map(|part| part.mirrored(&rig.other_side)).collect();
        parts.into_iter().chain(right)
    };
    let mut parts = torso::parts(rig);
    parts.extend(cloth::parts(rig));
    parts.extend(both(cloth::left(rig)));
    parts.extend(head::parts(rig));
    parts.extend(both(head::left(rig)));
    parts.extend(plume::parts(rig));
    parts.extend(both(arms::left(rig)));
    parts.extend(both(legs::left(rig)));
    parts
}
