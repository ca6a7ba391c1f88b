//! The end of a ladder: hands press down on it, the trunk bends over it, one leg follows and then the other. It is a function of the
//! height, so it is seen up and down. Cosmetic: it is advanced in ticks, and never affects the simulation.

use glam::{Mat4, Quat, Vec2, Vec3};

use crate::anim::ik::two_bone::{Goal, TwoBone, solve};
use crate::anim::pose::{LocalPose, ModelPose};
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::game::actor::{Actor, Footing};
use crate::game::animator::{Animator, approach};
use crate::game::cast::Performer;
use crate::game::scene::smooth;
use crate::game::stage::Stage;
use crate::game::units::metres;
use crate::render::frame::scenery::LADDER_Z;

/// A climber whose feet are less than this below the end, in metres, reaches it.
const REACH: f32 = 1.9;
/// Change in a tick of how much of it is seen.
const STEP: f32 = 0.17;
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

/// The end of a ladder, and the climber below it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ledge {
    /// The middle of the end, in metres.
    place: Vec2,
    /// The feet are this far below it, in metres, and the change in the last tick.
    depth: [f32; 2],
    /// How much of the motion is seen, 0 to 1, and the change in the last tick.
    part: [f32; 2],
}

/// Follows the climber for one tick, after the simulation and the animation.
pub fn step(animator: &mut Animator, actor: &Actor, stage: &Stage) {
    let Ledge { place, depth, part } = &mut animator.ledge;
    let ladder = match actor.footing {
        Footing::Ladder(hold) => stage.ladders.get(hold.ladder),
        _ => None,
    };
    let below = ladder.map(|ladder| metres(ladder.max.y - actor.feet.y)).filter(|below| *below < REACH);
    if let (Some(ladder), Some(below)) = (ladder, below) {
        let before = if part[0] > 0.0 { depth[0] } else { below };
        *place = Vec2::new(metres(ladder.middle()), metres(ladder.max.y));
        *depth = [below, below - before];
    } else {
        depth[1] = 0.0;
    }
    approach(part, if below.is_some() { 1.0 } else { 0.0 }, STEP);
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
    /// Bends the trunk, the arms and the legs of a pose, `back` of a tick ago.
    pub fn apply(&self, performer: &Performer, world_from_model: &Mat4, back: f32, pose: &mut LocalPose) {
        let [depth, part] = [self.depth, self.part].map(|[now, change]| now - change * back);
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
        let [hands, scale] = [part * between(depth, HANDS), performer.playable.fit.scale];
        for arm in &performer.arms {
            let rail = |tip: Vec3| {
                let side = ASIDE.copysign(tip.x - self.place.x);
                let left = between(depth, [ARMS, 0.2]);
                (self.place + Vec2::new(side, (ARMS - depth).max(0.04))).extend((LADDER_Z + 0.09) * (1.0 - left))
            };
            pull(arm, &rail, hands);
        }
        for ((leg, rest), steps) in legs.limbs().iter().zip(legs.rest_heights()).rev().zip(FEET) {
            let ahead = AHEAD * between(depth, [0.1, 0.6]);
            let onto = |tip: Vec3| Vec3::new(tip.x, self.place.y + rest * scale, -ahead);
            pull(leg, &onto, part * between(depth, steps));
        }
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
