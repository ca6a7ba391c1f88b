//! Scale: multiplies all lengths of a model. Scales of bones stay as they are, so nothing is left to be applied later.

use std::sync::Arc;

use glam::Vec3;

use crate::anim::clip::Clip;
use crate::anim::key::{Channel, Key};
use crate::anim::skin::Skin;
use crate::anim::spring::Swing;
use crate::anim::transform::Transform;
use crate::assets::combat::Volume;
use crate::assets::model::Model;
use crate::assets::spring_notes::{SpringNotes, SpringTip};

/// Scales a model about its origin.
pub fn scale(model: &mut Model, factor: f32) {
    if factor == 1.0 {
        return;
    }
    let scaled = |_, rest: Transform| Transform { translation: rest.translation * factor, ..rest };
    let Ok(skeleton) = model.skeleton.with_rests(scaled) else { return };
    model.skeleton = Arc::new(skeleton);
    for skin in &mut model.skins {
        scale_skin(Arc::make_mut(skin), factor);
    }
    for slot in &mut model.meshes {
        let mesh = Arc::make_mut(&mut slot.mesh);
        let differences = mesh.morphs.iter_mut().flat_map(|morph| &mut morph.positions);
        mesh.positions.iter_mut().chain(differences).for_each(|position| *position *= factor);
    }
    for slot in &mut model.clips {
        slot.clip = Arc::new(scaled_clip(&slot.clip, factor));
    }
    for socket in &mut model.sockets {
        socket.transform.translation *= factor;
    }
    if !model.rig.springs.is_empty() {
        scale_springs(&mut model.rig.springs, factor);
    }
    model.combat_mut().volumes_mut().for_each(|volume| scale_volume(volume, factor));
}

/// Speeds of tips are lengths in a second.
fn scale_springs(springs: &mut SpringNotes, factor: f32) {
    springs.wind *= factor;
    springs.colliders.iter_mut().for_each(|collider| scale_volume(collider, factor));
    for spring in springs.bones.values_mut() {
        let Swing { stiffness, gravity, radius, .. } = &mut spring.swing;
        *stiffness *= factor;
        *gravity *= factor;
        *radius *= factor;
        if let SpringTip::Point(point) = &mut spring.tip {
            *point *= factor;
        }
    }
}

/// `S · T⁻¹ · S⁻¹`: a uniform scale changes only the translation.
fn scale_skin(skin: &mut Skin, factor: f32) {
    for matrix in &mut skin.inverse_binds {
        let moved: Vec3 = matrix.w_axis.truncate() * factor;
        matrix.w_axis = moved.extend(matrix.w_axis.w);
    }
}

fn scale_volume(volume: &mut Volume, factor: f32) {
    volume.from *= factor;
    volume.to *= factor;
    volume.radius *= factor;
}

fn scaled_clip(clip: &Clip, factor: f32) -> Clip {
    let mut clip = clip.clone();
    let scaled = |key: &Key| match key.channel {
        Channel::Translation => key.mapped(|value| value * factor, |tangent| tangent * factor),
        Channel::Rotation | Channel::Scale | Channel::Scalar(_) => *key,
    };
    for keyframe in clip.keyframes.iter_mut() {
        if keyframe.keys.iter().any(|key| key.channel == Channel::Translation) {
            keyframe.keys = keyframe.keys.iter().map(scaled).collect();
        }
    }
    clip
}
