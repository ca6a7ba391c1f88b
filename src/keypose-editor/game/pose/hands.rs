//! Hands and feet on the rungs of a ladder: one that doesn't move over the level is on the nearest rung.

use glam::{Mat4, Vec3};

use crate::game::pose::animator::{Animator, Between};
use crate::game::rules::actor::{Actor, Footing};
use crate::game::scene::world_from_model;
use crate::game::world::cast::Performer;
use crate::game::world::stage::Stage;
use crate::game::world::units::metres_of;
use crate::render::frame::scenery::{LADDER_Z, RUNG_HALF, nearest_rung};
use keypose::anim::ik::two_bone::{Goal, TwoBone, solve};
use keypose::anim::pose::{LocalPose, ModelPose};
use keypose::assets::leg_bones::arm_bones;
use keypose::assets::level::Rect;
use keypose::assets::model::Model;

/// Number of hands that hold rungs, and of hands and feet.
const HANDS: usize = 2;
const LIMBS: usize = 4;
/// Where the wrist of a hand is that holds a rung: below it and towards the climber, in metres.
const WRIST: Vec3 = Vec3::new(0.0, -0.03, 0.11);
/// Distance of hands from the sides of a ladder in metres.
const SIDE: f32 = 0.1;
/// Maximum change of a hand's way to its rung in a tick, in metres.
const STEP: f32 = 0.025;
/// A hand holds a rung while it moves by less than this part of the climb, or less than these metres in a tick.
const HOLDING: (f32, f32) = (0.5, 0.004);
/// Of two rungs it holds the lower one if that is farther by at most twice this, in metres: an arm over the head is nearly straight.
const LOWER: f32 = 0.06;
/// A hand that is farther away from its rung, in metres, reaches for none.
const REACH: f32 = 0.35;

/// The arms of a model that can hold rungs: a left and a right one. Empty for others.
pub fn arms(model: &Model) -> Vec<TwoBone> {
    let arms = arm_bones((&*model.skeleton).into());
    if arms.len() == HANDS { arms } else { Vec::new() }
}

/// A hand or a foot: where the clip has it in metres, and its way from there to the rung.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Hand {
    clip: Vec3,
    way: Vec3,
}

/// Both hands, then both feet.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Hands([Hand; LIMBS]);

/// The limbs of a model in that order, with the height of the ankle over the sole in metres for legs.
fn limbs(performer: &Performer) -> impl Iterator<Item = (&TwoBone, Option<f32>)> {
    let legs = performer.ankles().map(|(leg, ankle)| (leg, Some(ankle)));
    performer.arms.iter().map(|arm| (arm, None)).chain(legs)
}

/// Follows the rungs for one tick, after the simulation and the animation.
pub fn step(animator: &mut Animator, actor: &Actor, stage: &Stage, performer: Option<&Performer>) {
    let ladder = match actor.footing {
        Footing::Ladder(hold) if animator.away >= 1.0 => stage.ladders.get(hold.ladder),
        _ => None,
    };
    let is_at_rest = animator.hands.0.iter().all(|hand| hand.way == Vec3::ZERO);
    let Some(performer) = performer.filter(|one| one.arms.len() == HANDS && (ladder.is_some() || !is_at_rest)) else {
        return;
    };
    let Some(pose) = animator.model_pose(performer) else { return };
    let placed = world_from_model(&Between::at(animator), &performer.playable.fit, metres_of(actor.drawn_feet()));
    let ladder = ladder.map(|area| Rect { min: metres_of(area.min), max: metres_of(area.max) });
    let climbed = metres_of(actor.feet - actor.before.feet).y.abs();
    for (hand, (limb, ankle)) in animator.hands.0.iter_mut().zip(limbs(performer)) {
        let clip = placed.transform_point3(pose.get(limb.tip).translation());
        let moved = clip.distance(hand.clip);
        let holds = moved < (climbed * HOLDING.0).max(HOLDING.1);
        let rung = ladder.as_ref().filter(|_| holds).and_then(|ladder| match ankle {
            Some(ankle) => way_onto_rung(ladder, clip, ankle),
            None => way_to_rung(ladder, clip),
        });
        let change = (rung.unwrap_or_default() - hand.way).clamp_length_max(STEP);
        *hand = Hand { clip, way: hand.way + change };
    }
}

/// The way of a wrist to the nearest rung, if it is within reach.
fn way_to_rung(ladder: &Rect, wrist: Vec3) -> Option<Vec3> {
    let height = nearest_rung(ladder, wrist.y - WRIST.y - LOWER)?;
    let [left, right] = [ladder.min.x + SIDE, ladder.max.x - SIDE];
    let across = if left < right { wrist.x.clamp(left, right) } else { ladder.center().x };
    let way = Vec3::new(across, height, LADDER_Z) + WRIST - wrist;
    (way.length() < REACH).then_some(way)
}

/// The way of an ankle up or down, so that its sole is on the nearest rung, if that is within reach.
fn way_onto_rung(ladder: &Rect, ankle: Vec3, height: f32) -> Option<Vec3> {
    let rung = nearest_rung(ladder, ankle.y - height)?;
    let way = rung + RUNG_HALF + height - ankle.y;
    (way.abs() < REACH).then_some(Vec3::Y * way)
}

/// Bends the arms and legs of a pose.
pub fn apply(shown: &Between<'_>, performer: &Performer, world_from_model: &Mat4, pose: &mut LocalPose) {
    let skeleton = &performer.playable.character.model.skeleton;
    let ways: [Vec3; LIMBS] = std::array::from_fn(|at| shown.value(|it| it.hands.0[at].way));
    if ways == [Vec3::ZERO; LIMBS] {
        return;
    }
    let model_from_world = world_from_model.inverse();
    let mut placed = ModelPose::default();
    placed.compute(skeleton, pose);
    for ((limb, _), way) in limbs(performer).zip(ways) {
        let target = placed.get(limb.tip).translation() + model_from_world.transform_vector3(way);
        solve(skeleton, pose, *limb, &Goal::at(target));
    }
}
