//! Walls beside a character: a pose in which its head or a hand is in one is drawn aside of it.

use glam::I64Vec2;

use crate::game::pose::animator::{Animator, Between, approach};
use crate::game::rules::actor::{Actor, Footing};
use crate::game::rules::collide::room_across;
use crate::game::scene::world_from_model;
use crate::game::world::cast::Performer;
use crate::game::world::stage::Stage;
use crate::game::world::units::{Area, grains, metres, metres_of};

/// Change in a tick, in metres: off a wall, and back.
const STEP: [f32; 2] = [0.14, 0.06];
/// Walls that are farther away than this part of the height of a character are not looked for.
const REACH: f32 = 0.7;
/// A block that is lower than this over the feet, in metres, is a step, not a wall.
const WALL: f32 = 0.45;
/// The distances of the middle of a head and of a wrist from a wall, as parts of the height of a character.
const HEAD: f32 = 0.13;
const WRIST: f32 = 0.05;
/// The part of its height by which a character is drawn aside at most.
const MAX_PART: f32 = 0.22;

/// Follows the walls for one tick, after the animation.
pub fn step(animator: &mut Animator, actor: &Actor, stage: &Stage, performer: Option<&Performer>) {
    let is_free = matches!(actor.footing, Footing::Ladder(_)) || !actor.vitals.is_alive();
    let performer = performer.filter(|_| !is_free);
    let wanted = performer.and_then(|performer| aside(animator, actor, stage, performer)).unwrap_or_default();
    let step = if wanted.abs() > animator.wall_room.abs() { STEP[0] } else { STEP[1] };
    approach(&mut animator.wall_room, wanted, step);
}

/// How far to the right it is drawn, in metres. `None` without a wall near it, and for a model without a head.
fn aside(animator: &Animator, actor: &Actor, stage: &Stage, performer: &Performer) -> Option<f32> {
    let (fit, body, feet) = (&performer.playable.fit, actor.body(), actor.drawn_feet());
    let high = fit.height * fit.scale;
    let low = body.min.y + grains(WALL);
    let trunk = Area { min: I64Vec2::new(feet.x - 1, low), max: I64Vec2::new(feet.x + 1, body.max.y.max(low + 1)) };
    let reach = grains(REACH * high);
    let [left, right] = [-reach, reach].map(|by| room_across(stage, &trunk, by));
    if left == -reach && right == reach {
        return None;
    }
    let &(head, _) = performer.neck.last()?;
    let pose = animator.model_pose(performer)?;
    let placed = world_from_model(&Between::at(animator), fit, metres_of(feet));
    let ends = performer.arms.iter().map(|arm| (arm.tip, WRIST)).chain([(head, HEAD)]);
    let [mut least, mut most] = [0.0_f32; 2];
    for (bone, beside) in ends {
        let x = placed.transform_point3(pose.get(bone).translation()).x - metres(feet.x);
        (least, most) = (least.min(x - beside * high), most.max(x + beside * high));
    }
    let over = [metres(left) - least, most - metres(right)].map(|over| over.max(0.0));
    let by = if over[0] > 0.0 && over[1] > 0.0 { (over[0] - over[1]) * 0.5 } else { over[0] - over[1] };
    Some(by.clamp(-high * MAX_PART, high * MAX_PART))
}
