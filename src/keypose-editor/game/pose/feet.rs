//! Feet on slopes and steps: each leg bends to the ground below its foot, and the hips go down with the lower one that
//! stands.

use glam::{I64Vec2, Mat4, Vec3};

use crate::game::pose::animator::{Animator, Between};
use crate::game::rules::actor::{Actor, Footing};
use crate::game::scene::{smooth, world_from_model};
use crate::game::world::cast::Performer;
use crate::game::world::stage::Stage;
use crate::game::world::units::{Area, GRAINS_PER_METRE, grains, metres, metres_of};
use keypose::anim::ik::foot::{Foot, Footing as Limits, Ground, place_lowered};
use keypose::anim::ik::two_bone::TwoBone;
use keypose::anim::pose::LocalPose;
use keypose::anim::skeleton::{BoneIndex, Skeleton};
use keypose::assets::leg_bones::{leg_bones, pelvis_of};
use keypose::assets::model::Model;

/// Number of feet that follow the ground.
const FEET: usize = 2;
/// The ground is followed this far above and below the feet, in grains.
const REACH: i64 = GRAINS_PER_METRE * 9 / 20;
/// Maximum change of a foot's height over the level in a tick, in metres.
const HEIGHT_STEP: f32 = 0.1;
/// Maximum change in a tick of the slope to which a foot turns, in metres per metre.
const TILT_STEP: f32 = 0.12;
/// The part of their way that hips go in a tick, and the metres that they go at least.
const HIPS_RATE: (f32, f32) = (0.2, 0.003);
/// A foot stands if its clip lifts it by less than the first, and swings above the second, in metres.
const LIFTED: [f32; 2] = [0.04, 0.2];
/// The part of its clip's height that a swinging foot loses over rising ground.
const CLEARED: f32 = 0.7;
/// Maximum slope to which a foot turns, in radians.
const MAX_TILT: f32 = 0.7;
/// Distance in metres to each side within which flat ground needs no change.
const FLAT_REACH: f32 = 0.7;

/// The legs of a model that can follow the ground.
#[derive(Clone, Debug, PartialEq)]
pub struct Legs {
    pelvis: BoneIndex,
    legs: Vec<TwoBone>,
    /// The heights of the ankles in the rest pose, in model units.
    rest: Vec<f32>,
}

impl Legs {
    /// The bone above both legs.
    pub fn pelvis(&self) -> BoneIndex {
        self.pelvis
    }

    /// The two legs, the left one first.
    pub fn limbs(&self) -> &[TwoBone] {
        &self.legs
    }

    /// The heights of the ankles in the rest pose, in model units.
    pub fn rest_heights(&self) -> &[f32] {
        &self.rest
    }

    /// Lowers the hips of a pose by a distance in model units; the feet stay where they are.
    pub fn lower(&self, skeleton: &Skeleton, drop: f32, pose: &mut LocalPose) {
        let ground = Some(Ground { height: 0.0, normal: Vec3::ZERO });
        let feet: Vec<Foot> = self.legs.iter().map(|leg| Foot { leg: *leg, ground }).collect();
        let limits = Limits { up: Vec3::Y, max_drop: f32::MAX, max_tilt: 0.0 };
        place_lowered(skeleton, pose, self.pelvis, drop, &feet, &limits);
    }

    /// The legs of a model with two of them, found by the names of bones.
    pub fn of(model: &Model) -> Option<Legs> {
        let mut legs = leg_bones((&*model.skeleton).into());
        let pelvis = pelvis_of(&model.skeleton, &legs)?;
        let pose = model.skeleton.rest_model_pose();
        let left = |leg: &TwoBone| pose.get(leg.tip).translation().x;
        legs.sort_by(|a, b| left(b).total_cmp(&left(a)));
        let rest = legs.iter().map(|leg| pose.get(leg.tip).translation().y).collect();
        (legs.len() == FEET).then_some(Legs { pelvis, legs, rest })
    }
}

/// The ground below a foot, relative to the ground under the character.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::game) struct Contact {
    /// In metres.
    pub height: f32,
    /// The rise along the level, in metres per metre.
    tilt: f32,
}

/// The visible position of both feet.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Stand {
    feet: [Contact; FEET],
    /// How far the hips are lowered, in metres.
    drop: f32,
}

/// How the feet stand.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Feet {
    stand: Stand,
    /// The height of the ground under the character, in grains; `None` in the air.
    ground: Option<i64>,
}

/// Follows the ground for one tick, after the simulation and the animation.
pub fn step(animator: &mut Animator, actor: &Actor, stage: &Stage, performer: Option<&Performer>) {
    let contacts = performer.and_then(|performer| contacts(animator, actor, stage, performer));
    let ground = contacts.map(|_| actor.drawn_feet().y);
    let Feet { stand, ground: earlier } = &mut animator.feet;
    // A foot that stands keeps its height over the level while the character rises or sinks.
    let rise = metres(ground.zip(*earlier).map_or(0, |(now, before)| now - before).clamp(-REACH, REACH));
    let wanted = contacts.unwrap_or_default();
    for (foot, wanted) in stand.feet.iter_mut().zip(wanted) {
        let kept = foot.height - rise;
        foot.height = kept + (wanted.height - kept).clamp(-HEIGHT_STEP, HEIGHT_STEP);
        foot.tilt += (wanted.tilt - foot.tilt).clamp(-TILT_STEP, TILT_STEP);
    }
    let lowest = wanted.iter().fold(0.0, |lowest: f32, foot| lowest.min(foot.height));
    let way = -lowest - stand.drop;
    let step = (way.abs() * HIPS_RATE.0).max(HIPS_RATE.1);
    stand.drop += way.clamp(-step, step);
    *earlier = ground;
}

/// The ground below the feet of a character that stands on uneven ground; `None` for all others.
fn contacts(animator: &Animator, actor: &Actor, stage: &Stage, performer: &Performer) -> Option<[Contact; FEET]> {
    let is_standing = actor.footing == Footing::Ground && actor.vitals.is_alive() && !actor.is_rolling();
    let feet = actor.drawn_feet();
    let legs = performer.legs.as_ref().filter(|_| is_standing && !is_flat(stage, feet))?;
    let pose = animator.model_pose(performer)?;
    let world_from_model = world_from_model(&Between::at(animator), &performer.playable.fit, metres_of(feet));
    let scale = scale_of(&world_from_model);
    let mut below = [Contact::default(); FEET];
    for (contact, (leg, rest)) in below.iter_mut().zip(legs.legs.iter().zip(&legs.rest)) {
        let ankle = pose.get(leg.tip).translation();
        let lifted = (ankle.y - rest) * scale;
        let weight = standing_part(lifted);
        let ground = contact_at(stage, feet, world_from_model.transform_point3(ankle).x, REACH).unwrap_or_default();
        // A foot that swings clears what rises under it, and doesn't reach down.
        let stands = ground.height * weight;
        let height = if stands < 0.0 { stands } else { stands.max(ground.height - lifted.max(0.0) * CLEARED) };
        *contact = Contact { height, tilt: ground.tilt * weight };
    }
    Some(below)
}

/// How much a foot stands that its clip lifts by some metres: 1 to 0.
fn standing_part(lifted: f32) -> f32 {
    let [low, high] = LIFTED;
    1.0 - smooth(((lifted - low) / (high - low)).clamp(0.0, 1.0))
}

/// Metres per model unit.
fn scale_of(world_from_model: &Mat4) -> f32 {
    world_from_model.transform_vector3(Vec3::Y).length()
}

/// Bends the legs of a pose.
pub fn apply(shown: &Between<'_>, legs: &Legs, skeleton: &Skeleton, world_from_model: &Mat4, pose: &mut LocalPose) {
    if [shown.before, shown.now].iter().all(|it| it.feet.stand == Stand::default()) {
        return;
    }
    let model_from_world = world_from_model.inverse();
    let scale = scale_of(world_from_model);
    let foot = |(at, leg): (usize, &TwoBone)| {
        let height = shown.value(|it| it.feet.stand.feet[at].height);
        let tilt = shown.value(|it| it.feet.stand.feet[at].tilt);
        let normal = model_from_world.transform_vector3(Vec3::new(-tilt, 1.0, 0.0));
        Foot { leg: *leg, ground: Some(Ground { height: height / scale, normal }) }
    };
    let feet: Vec<Foot> = (0..FEET).zip(&legs.legs).map(foot).collect();
    let limits = Limits { up: Vec3::Y, max_drop: metres(REACH) / scale, max_tilt: MAX_TILT };
    let drop = shown.value(|it| it.feet.stand.drop) / scale;
    place_lowered(skeleton, pose, legs.pelvis, drop, &feet, &limits);
}

/// Whether all ground near feet is at their height.
fn is_flat(stage: &Stage, feet: I64Vec2) -> bool {
    let near = I64Vec2::new(grains(FLAT_REACH), REACH);
    let around = Area { min: feet - near, max: feet + near };
    let is_other = |top: i64| top != feet.y && (around.min.y..=around.max.y).contains(&top);
    let boxes = stage.solids.iter().chain(&stage.platforms).filter(|area| area.overlaps_across(&around));
    let ramps = stage.ramps.iter().filter(|ramp| ramp.area.overlaps(&around));
    !boxes.map(|area| area.max.y).any(is_other) && ramps.count() == 0
}

/// The ground at an x: the highest surface within reach, in grains, of feet.
pub(in crate::game) fn contact_at(stage: &Stage, feet: I64Vec2, x: f32, reach: i64) -> Option<Contact> {
    let x = grains(x);
    let is_over = |area: &Area| (area.min.x..=area.max.x).contains(&x);
    let boxes = stage.solids.iter().chain(&stage.platforms).filter(|area| is_over(area)).map(|area| (area.max.y, 0.0));
    let ramps = stage.ramps.iter().filter(|ramp| is_over(&ramp.area)).map(|ramp| (ramp.height_at(x), ramp.tilt()));
    let within = boxes.chain(ramps).filter(|(top, _)| (feet.y - reach..=feet.y + reach).contains(top));
    let (top, tilt) = within.max_by_key(|(top, _)| *top)?;
    Some(Contact { height: metres(top - feet.y), tilt })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use keypose::anim::skeleton::Bone;
    use keypose::anim::transform::Transform;

    #[test]
    fn the_left_leg_is_the_first_in_any_order_of_bones() {
        for sides in [[("Left", 0.1), ("Right", -0.1)], [("Right", -0.1), ("Left", 0.1)]] {
            let bone = |name: String, parent, place| Bone { name, parent, rest: Transform::from_translation(place) };
            let mut bones = vec![bone("Hips".into(), None, Vec3::Y)];
            for (part, first, down) in [("UpLeg", None, 0.0), ("Leg", Some(1), -0.5), ("Foot", Some(3), -0.5)] {
                for ((side, x), at) in sides.into_iter().zip(0..) {
                    let parent = first.map_or(0, |first: u16| first + at);
                    let across = if first.is_none() { x } else { 0.0 };
                    bones.push(bone(format!("{side}{part}"), Some(parent), Vec3::new(across, down, 0.0)));
                }
            }
            let skeleton = Arc::new(Skeleton::new(bones).unwrap());
            let legs = Legs::of(&Model { skeleton: skeleton.clone(), ..Model::default() }).unwrap();
            let names = legs.limbs().iter().map(|leg| skeleton.bones()[usize::from(leg.tip)].name.as_str());
            assert_eq!(names.collect::<Vec<_>>(), ["LeftFoot", "RightFoot"]);
        }
    }
}
