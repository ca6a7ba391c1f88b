//! Plumes and cloth swing behind the body: the springs of the model's rig.

use glam::{Mat3, Mat4, Quat};

use crate::game::pose::animator::Animator;
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
    /// The local rotation of each bone with a spring, before the last tick and after it.
    rotations: Vec<[Quat; 2]>,
}

/// Advances by one tick, after the simulation and the animation.
pub fn step(animator: &mut Animator, actor: &Actor, performer: Option<&Performer>) {
    let Some(performer) = performer.filter(|performer| !performer.springs.is_empty()) else { return };
    if actor.is_held {
        return animator.swung.rotations.iter_mut().for_each(|[before, now]| *before = *now);
    }
    let skeleton = &performer.playable.character.model.skeleton;
    let Some(machine) = &animator.machine else { return };
    let (mut local, mut pose) = (skeleton.rest_pose(), ModelPose::default());
    machine.sample(&mut Scratch::default(), &mut local);
    pose.compute(skeleton, &local);
    let fit = &performer.playable.fit;
    let place = place(&world_from_model(animator, fit, metres_of(actor.drawn_feet()), 1.0), fit);
    let Swung { swinging, rotations } = &mut animator.swung;
    performer.springs.step(skeleton, &place, swinging, &mut local, &mut pose);
    let now = performer.springs.bones().map(|bone| local.get(usize::from(bone)).rotation);
    if rotations.len() == now.len() {
        rotations.iter_mut().zip(now).for_each(|(shown, now)| *shown = [shown[1], now]);
    } else {
        *rotations = now.map(|now| [now; 2]).collect();
    }
}

/// The place of a model in units of its own; how a landing presses it down swings nothing.
fn place(placed: &Mat4, fit: &Fit) -> Place {
    let turn = Mat3::from_mat4(*placed);
    let turn = Mat3::from_cols(turn.x_axis.normalize(), turn.y_axis.normalize(), turn.z_axis.normalize());
    let feet = placed.transform_point3(fit.base);
    Place { rotation: Quat::from_mat3(&turn).normalize(), translation: feet / fit.scale - turn * fit.base }
}

impl Swung {
    /// Rotates the bones with springs, `back` of a tick ago.
    pub fn apply(&self, springs: &Springs, back: f32, pose: &mut LocalPose) {
        for (bone, [before, now]) in springs.bones().map(usize::from).zip(&self.rotations) {
            let mut local = pose.get(bone);
            local.rotation = now.slerp(*before, back);
            pose.set(bone, &local);
        }
    }
}
