//! Heads turn to what a character has in mind: the player's to the nearest foe, a foe's to the player it hunts.

use glam::{Mat4, Vec2, Vec3};

use crate::game::pose::animator::{Animator, Between};
use crate::game::rules::actor::Actor;
use crate::game::rules::foe::{Foe, Mood};
use crate::game::scene::smooth;
use crate::game::world::stage::Stage;
use crate::game::world::units::metres_of;
use keypose::anim::ik::look::{Aim, solve};
use keypose::anim::pose::LocalPose;
use keypose::anim::skeleton::{BoneIndex, Skeleton};
use keypose::assets::bone_match::PartBones;
use keypose::assets::fit::STANDING_HEIGHT;
use keypose::assets::machine::State;
use keypose::assets::model::Model;

/// The player looks at foes that are at most this far away, in metres.
const SIGHT: f32 = 5.5;
/// Where eyes are, in heights of the body.
const EYES: f32 = 0.86;
/// Maximum rotation of neck and head together, in radians.
const MAX_ANGLE: f32 = 0.6;
/// Change of the part of that rotation in a tick.
const TURN_STEP: f32 = 0.05;
/// The part of its way to another target that the point goes in a tick.
const FOLLOW: f32 = 0.15;
/// The states in which the clip doesn't say where to look.
const FREE: [State; 6] = [State::Idle, State::Walk, State::Run, State::Crouch, State::CrouchWalk, State::Land];

/// The bones that look, from the neck on, with their parts of the rotation.
pub type Neck = Vec<(BoneIndex, f32)>;

/// The neck and the head of a model, found by their names. Empty without a head.
pub fn neck(model: &Model) -> Neck {
    let parts = PartBones::of(model.into());
    let Some(head) = parts.find(" head") else { return Neck::new() };
    let neck = parts.find(" neck").filter(|&neck| neck != head && model.skeleton.is_below(head, neck));
    neck.map(|neck| (neck, 0.4)).into_iter().chain([(head, 1.0)]).collect()
}

/// Where a head turns.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gaze {
    /// A point of the level in metres.
    place: Vec2,
    /// How much, 0 to 1.
    part: f32,
}

/// Finds the player's target: the nearest living foe in front of it.
pub fn of_player(player: &Actor, foes: &[Foe], stage: &Stage) -> Option<Vec2> {
    let from = metres_of(player.feet);
    let is_ahead = |at: &Vec2| (at.x - from.x) * player.facing.sign() > 0.3 && at.distance(from) < SIGHT;
    let alive = foes.iter().filter(|foe| foe.is_there() && foe.actor.vitals.is_alive());
    let eyes = alive.map(|foe| eyes(&foe.actor, stage.kinds[foe.kind].size)).filter(is_ahead);
    eyes.min_by(|a, b| a.distance_squared(from).total_cmp(&b.distance_squared(from)))
}

/// Finds a foe's target: the player, unless the foe only patrols.
pub fn of_foe(foe: &Foe, player: &Actor) -> Option<Vec2> {
    (foe.mood != Mood::Patrol && player.vitals.is_alive()).then(|| eyes(player, 1.0))
}

fn eyes(actor: &Actor, size: f32) -> Vec2 {
    metres_of(actor.drawn_feet()) + Vec2::new(0.0, STANDING_HEIGHT * EYES * size)
}

/// Advances by one tick, after the simulation and the animation.
pub fn step(animator: &mut Animator, actor: &Actor, target: Option<Vec2>) {
    let Gaze { place, part } = &mut animator.gaze;
    let target = target.filter(|_| FREE.contains(&actor.state()));
    match target {
        Some(target) if *part == 0.0 => *place = target,
        Some(target) => *place += (target - *place) * FOLLOW,
        None => {}
    }
    let wanted = if target.is_some() { 1.0 } else { 0.0 };
    *part += (wanted - *part).clamp(-TURN_STEP, TURN_STEP);
}

/// Turns the head of a pose.
pub fn apply(shown: &Between<'_>, neck: &Neck, skeleton: &Skeleton, world_from_model: &Mat4, pose: &mut LocalPose) {
    let part = shown.value(|it| it.gaze.part);
    let Some(&(head, _)) = neck.last().filter(|_| part > 0.0) else { return };
    // A head that begins to turn has looked at no point before.
    let is_new = shown.before.gaze.part == 0.0;
    let place = if is_new { shown.now.gaze.place } else { shown.value(|it| it.gaze.place) };
    let rest = skeleton.rest_model_pose().get(head).to_mat4();
    let aim = Aim {
        target: world_from_model.inverse().transform_point3(place.extend(0.0)),
        // Models look along z.
        axis: rest.inverse().transform_vector3(Vec3::Z),
        max_angle: MAX_ANGLE * smooth(part),
    };
    solve(skeleton, pose, neck, &aim);
}
