//! The poses of characters: their state machine, and what fits its pose to the surroundings. Cosmetic: nothing here affects the
//! simulation. It is advanced in ticks, so that frames between two ticks show the same at any rate.

pub mod animator;
pub mod clip_events;
pub mod depth;
pub mod fallen;
pub mod feet;
pub mod gaze;
pub mod hands;
pub mod headroom;
pub mod ledge;
pub mod machine_inputs;
pub mod springs;
pub mod stand_in;
pub mod wall_room;

use glam::Vec2;

use crate::game::pose::animator::Animator;
use crate::game::rules::actor::Actor;
use crate::game::world::cast::Performer;
use crate::game::world::news::News;
use crate::game::world::stage::Stage;

/// Advances the pose of a character by one tick, after the simulation. `seen` is the point that it looks at.
pub fn step(
    animator: &mut Animator,
    actor: &Actor,
    (stage, performer): (&Stage, Option<&Performer>),
    seen: Option<Vec2>,
    news: &mut Vec<News>,
) {
    animator.step(actor, performer);
    feet::step(animator, actor, stage, performer);
    hands::step(animator, actor, stage, performer);
    ledge::step(animator, actor, stage);
    headroom::step(animator, actor, stage, performer);
    wall_room::step(animator, actor, stage, performer);
    fallen::step(animator, actor, stage, performer);
    gaze::step(animator, actor, seen);
    springs::step(animator, actor, performer);
    clip_events::meet(animator, actor, performer, news);
}
