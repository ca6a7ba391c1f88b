//! Low ceilings: a pose that is higher than the room over the feet is drawn with bent knees, so that no head is in a
//! block.

use crate::game::pose::animator::{Animator, Between};
use crate::game::rules::actor::Actor;
use crate::game::rules::collide::Platforms;
use crate::game::rules::collide::room_upward;
use crate::game::world::cast::Performer;
use crate::game::world::stage::Stage;
use crate::game::world::units::{grains, metres};
use keypose::anim::pose::LocalPose;

/// Change in a tick, in metres: down, and up again.
const STEP: [f32; 2] = [0.2, 0.06];
/// Distance between a head and a ceiling in metres.
const GAP: f32 = 0.03;
/// The part of its height by which a body is pressed down at most.
const MAX_PART: f32 = 0.45;

/// Follows the ceiling for one tick, after the animation.
pub fn step(animator: &mut Animator, actor: &Actor, stage: &Stage, performer: Option<&Performer>) {
    let wanted = performer.and_then(|performer| surplus(animator, actor, stage, performer)).unwrap_or_default();
    animator.headroom += (wanted - animator.headroom).clamp(-STEP[1], STEP[0]);
}

/// How much higher its head is than the ceiling over it, in metres. `None` without a ceiling near it, and for a model without a head.
fn surplus(animator: &Animator, actor: &Actor, stage: &Stage, performer: &Performer) -> Option<f32> {
    let (fit, skeleton) = (&performer.playable.fit, &performer.playable.character.model.skeleton);
    let (body, high) = (actor.body(), fit.height * fit.scale);
    let tall = body.max.y - body.min.y;
    // A pose may be higher than the model stands.
    let reach = (grains(high * 1.3) - tall).max(0);
    let room = room_upward(stage, &body, reach, Platforms::Passed);
    let &(head, _) = performer.neck.last().filter(|_| room < reach)?;
    let above_head = fit.base.y + fit.height - skeleton.rest_model_pose().get(head).translation().y;
    let top = animator.model_pose(performer)?.get(head).translation().y + above_head - fit.base.y;
    Some((top * fit.scale - metres(tall + room) + GAP).clamp(0.0, high * MAX_PART))
}

/// Bends the knees of a pose.
pub fn apply(shown: &Between<'_>, performer: &Performer, pose: &mut LocalPose) {
    let drop = shown.value(|it| it.headroom);
    if let Some(legs) = performer.legs.as_ref().filter(|_| drop > 0.0) {
        let playable = &performer.playable;
        legs.lower(&playable.character.model.skeleton, drop / playable.fit.scale, pose);
    }
}
