//! The end of a ladder: hands press down on it, the trunk bends over it, one leg follows and then the other, onto the
//! ground beside it if there is some. It is a function of the height, so it is seen up and down.

use glam::{Mat4, Quat, Vec2, Vec3};

use crate::game::pose::animator::{Animator, Between, approach};
use crate::game::rules::actor::{Actor, Footing};
use crate::game::rules::ladder::landing;
use crate::game::scene::smooth;
use crate::game::world::cast::Performer;
use crate::game::world::stage::Stage;
use crate::game::world::units::{metres, metres_of};
use crate::render::frame::scenery::LADDER_Z;
use keypose::anim::ik::two_bone::{Goal, TwoBone, solve};
use keypose::anim::pose::{LocalPose, ModelPose};
use keypose::anim::skeleton::{BoneIndex, Skeleton};

/// A climber whose feet are less than this below the end, in metres, reaches it.
const REACH: f32 = 1.9;
/// Change in a tick of how much of it is seen, and of what is left when one stands at the end and the clip of the climb fades.
const STEP: f32 = 0.17;
const LAST_STEP: f32 = 0.1;
/// The metres below the end between which hands take hold of it.
const HANDS: [f32; 2] = [1.85, 1.6];
/// Hands at straight arms are this far over the feet, in metres: on the way up they leave the end there.
const ARMS: f32 = 0.8;
/// The metres below the end between which the trunk bends and between which it straightens, and by how much, in radians.
const TRUNK: ([[f32; 2]; 2], f32) = ([[1.5, 0.85], [0.45, 0.0]], 0.65);
/// The same between which the first foot comes onto the end, and between which the second does.
const FEET: [[f32; 2]; 2] = [[1.0, 0.68], [0.4, 0.12]];
/// How far from the middle of a ladder its rails are held, and how far a foot is put before the body, in metres.
const ASIDE: f32 = 0.24;
const AHEAD: f32 = 0.28;
/// The metres below the end between which the body goes over to the ground beside it, and its change in a tick with and without a ladder.
const OVER: [f32; 2] = [0.5, 0.06];
const OVER_STEP: [f32; 2] = [0.25, 0.12];
/// The part of that at which the body turns.
const TURNED: f32 = 0.25;
/// The part of the way of the body by which the first foot is ahead of it.
const FIRST: f32 = 0.8;

/// The end of a ladder, and the climber below it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ledge {
    /// The middle of the end, in metres.
    place: Vec2,
    /// The feet are this far below it, in metres.
    depth: f32,
    /// How much of the motion is seen, 0 to 1.
    part: f32,
    /// How far the body is drawn to the right of its place, in metres.
    pub aside: f32,
    /// The way from the middle of the end to where one stands beside it, in metres, and how much of it is done.
    over: (f32, f32),
}

/// Follows the climber for one tick, after the simulation and the animation.
pub fn step(animator: &mut Animator, actor: &Actor, stage: &Stage) {
    let Ledge { place, depth, part, aside, over } = &mut animator.ledge;
    let ladder = match actor.footing {
        Footing::Ladder(hold) => stage.ladders.get(hold.ladder),
        _ => None,
    };
    let below = ladder.map(|ladder| metres(ladder.max.y - actor.feet.y)).filter(|below| *below < REACH);
    if let (Some(ladder), Some(below)) = (ladder, below) {
        *place = Vec2::new(metres(ladder.middle()), metres(ladder.max.y));
        *depth = below;
        let beside = landing(stage, ladder, actor.facing).map_or(place.x, metres);
        let done = between(below, OVER);
        *over = (beside - place.x, done);
        approach(aside, (beside - metres_of(actor.feet).x) * done, OVER_STEP[0]);
    } else {
        approach(aside, 0.0, OVER_STEP[1]);
    }
    let stands = actor.footing == Footing::Ground && actor.velocity.x == 0.0;
    let step = if below.is_none() && stands { LAST_STEP } else { STEP };
    approach(part, if below.is_some() { 1.0 } else { 0.0 }, step);
}

/// From 0 at the first depth to 1 at the second.
fn between(depth: f32, [from, to]: [f32; 2]) -> f32 {
    smooth(((depth - from) / (to - from)).clamp(0.0, 1.0))
}

/// The same, and back to 0 between two others.
fn within(depth: f32, [begin, end]: [[f32; 2]; 2]) -> f32 {
    between(depth, begin) * (1.0 - between(depth, end))
}

impl Ledge {
    /// Whether the climber has turned to the ground beside the end.
    pub fn is_turned(&self) -> bool {
        self.over.0 != 0.0 && self.over.1 > TURNED
    }
}

/// Bends the trunk, the arms and the legs of a pose.
pub fn apply(shown: &Between<'_>, performer: &Performer, world_from_model: &Mat4, pose: &mut LocalPose) {
    let Ledge { place, depth, over: (over, done), .. } = shown.now.ledge;
    // A climber who begins to reach the end has been at no depth before.
    let is_new = shown.before.ledge.part == 0.0;
    let depth = if is_new { depth } else { shown.value(|it| it.ledge.depth) };
    let part = shown.value(|it| it.ledge.part);
    let Some(legs) = performer.legs.as_ref().filter(|_| part > 0.0) else { return };
    let skeleton = &performer.playable.character.model.skeleton;
    if let Some(spine) = spine(skeleton, performer, legs.pelvis()) {
        bend(skeleton, pose, spine, TRUNK.1 * part * within(depth, TRUNK.0));
    }
    let model_from_world = world_from_model.inverse();
    let mut pull = |limb: &TwoBone, target: &dyn Fn(Vec3) -> Vec3, weight: f32| {
        if weight > 0.0 {
            let mut placed = ModelPose::default();
            placed.compute(skeleton, pose);
            let tip = world_from_model.transform_point3(placed.get(limb.tip).translation());
            let target = model_from_world.transform_point3(tip.lerp(target(tip), weight));
            solve(skeleton, pose, *limb, &Goal::at(target));
        }
    };
    let middle = place + Vec2::new(over * done, 0.0);
    let hands = part * between(depth, HANDS);
    for arm in &performer.arms {
        let rail = |tip: Vec3| {
            let side = ASIDE.copysign(tip.x - middle.x);
            let left = between(depth, [ARMS, 0.2]);
            (middle + Vec2::new(side, (ARMS - depth).max(0.04))).extend((LADDER_Z + 0.09) * (1.0 - left))
        };
        pull(arm, &rail, hands);
    }
    // The leg of the side to which it goes is the first.
    let mut limbs: Vec<(&TwoBone, f32)> = performer.ankles().collect();
    if over >= 0.0 {
        limbs.reverse();
    }
    for (((leg, ankle), steps), first) in limbs.into_iter().zip(FEET).zip([FIRST, 0.0]) {
        let ahead = AHEAD * between(depth, [0.1, 0.6]) * (1.0 - done);
        let beside = over * (1.0 - done) * first;
        let onto = |tip: Vec3| Vec3::new(tip.x + beside, place.y + ankle, -ahead);
        pull(leg, &onto, part * between(depth, steps));
    }
}

/// The bone of the trunk above the hips.
fn spine(skeleton: &Skeleton, performer: &Performer, pelvis: BoneIndex) -> Option<BoneIndex> {
    let &(head, _) = performer.neck.last()?;
    std::iter::successors(Some(head), |bone| skeleton.parent(*bone)).find(|bone| skeleton.parent(*bone) == Some(pelvis))
}

/// Bends a bone forwards, by radians about the side of the model.
fn bend(skeleton: &Skeleton, pose: &mut LocalPose, bone: BoneIndex, angle: f32) {
    let mut placed = ModelPose::default();
    placed.compute(skeleton, pose);
    let parent = skeleton.parent(bone).map_or(Quat::IDENTITY, |parent| {
        let (_, rotation, _) = placed.get(parent).to_mat4().to_scale_rotation_translation();
        rotation
    });
    let turn = parent.inverse() * Quat::from_rotation_x(angle) * parent;
    let mut local = pose.get(bone.into());
    local.rotation = turn * local.rotation;
    pose.set(bone.into(), &local);
}
