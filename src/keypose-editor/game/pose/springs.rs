//! Plumes and cloth swing behind the body: the springs of the model's rig.

use glam::{Mat3, Mat4, Quat};

use crate::game::pose::animator::{Animator, Between};
use crate::game::rules::actor::Actor;
use crate::game::scene::world_from_model;
use crate::game::world::cast::Performer;
use crate::game::world::units::metres_of;
use keypose::anim::machine::play::Scratch;
use keypose::anim::pose::{LocalPose, ModelPose};
use keypose::anim::spring::{Place, Springs, Swinging};
use keypose::assets::fit::Fit;

/// The swinging bones of a character.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Swung {
    swinging: Swinging,
    /// The local rotation of each bone with a spring.
    rotations: Vec<Quat>,
}

/// Advances by one tick, after the simulation and the animation.
pub fn step(animator: &mut Animator, actor: &Actor, performer: Option<&Performer>) {
    let Some(performer) = performer.filter(|it| !it.springs.is_empty() && !actor.is_held) else { return };
    let skeleton = &performer.playable.character.model.skeleton;
    let Some(machine) = &animator.machine else { return };
    let (mut local, mut pose) = (skeleton.rest_pose(), ModelPose::default());
    machine.sample(&mut Scratch::default(), &mut local);
    pose.compute(skeleton, &local);
    let fit = &performer.playable.fit;
    let place = place(&world_from_model(&Between::at(animator), fit, metres_of(actor.drawn_feet())), fit);
    let Swung { swinging, rotations } = &mut animator.swung;
    performer.springs.step(skeleton, &place, swinging, &mut local, &mut pose);
    rotations.clear();
    rotations.extend(performer.springs.bones().map(|bone| local.get(usize::from(bone)).rotation));
}

/// The place of a model in units of its own; how a landing presses it down swings nothing.
fn place(placed: &Mat4, fit: &Fit) -> Place {
    let turn = Mat3::from_mat4(*placed);
    let turn = Mat3::from_cols(turn.x_axis.normalize(), turn.y_axis.normalize(), turn.z_axis.normalize());
    let feet = placed.transform_point3(fit.base);
    Place { rotation: Quat::from_mat3(&turn).normalize(), translation: feet / fit.scale - turn * fit.base }
}

/// Rotates the bones with springs.
pub fn apply(shown: &Between<'_>, springs: &Springs, pose: &mut LocalPose) {
    let [before, now] = [&shown.before.swung.rotations, &shown.now.swung.rotations];
    // Another character has no rotations before.
    let before = if before.len() == now.len() { before } else { now };
    for (bone, (before, now)) in springs.bones().map(usize::from).zip(before.iter().zip(now)) {
        let mut local = pose.get(bone);
        local.rotation = now.slerp(*before, shown.back);
        pose.set(bone, &local);
    }
}
