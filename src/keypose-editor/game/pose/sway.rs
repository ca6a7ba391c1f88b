//! Plumes and cloth swing behind the body: the tip of each of their chains hangs on a spring.

use glam::{Mat4, Vec3};

use crate::game::pose::animator::Animator;
use crate::game::rules::actor::Actor;
use crate::game::scene::world_from_model;
use crate::game::world::cast::Performer;
use crate::game::world::units::{TICK_SECS, metres_of};
use keypose::anim::ik::look::{Aim, solve};
use keypose::anim::pose::{LocalPose, ModelPose};
use keypose::anim::skeleton::{BoneIndex, Skeleton};
use keypose::assets::model::Model;

/// Parts of the names of bones that swing, in small letters, with the largest angle in radians: a plume is fixed along a helmet.
const NAMES: [(&str, f32); 12] = [
    ("plume", 0.2),
    ("crest", 0.2),
    ("feather", 0.3),
    ("tabard", 0.5),
    ("skirt", 0.4),
    ("cape", 0.7),
    ("cloak", 0.7),
    ("scarf", 0.8),
    ("ribbon", 0.8),
    ("braid", 0.6),
    ("hair", 0.4),
    ("tail", 0.5),
];
/// Maximum number of chains of a model.
const MAX_STRANDS: usize = 16;
/// Acceleration per metre of offset, in 1/s²: about 3 swings a second.
const STIFFNESS: f32 = 380.0;
/// Deceleration per speed, in 1/s.
const DAMPING: f32 = 12.0;
/// A tip that moves by more than this in a tick, in metres, has been put elsewhere.
const TELEPORT: f32 = 1.0;
/// An offset in metres and a speed in metres per second that are not seen.
const STILL: (f32, f32) = (0.0005, 0.01);

/// A chain of bones that swings as one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strand {
    root: BoneIndex,
    tip: BoneIndex,
    max_angle: f32,
}

/// The chains of a skeleton that swing: bones named after plumes, cloth and the like, each with the last of its first children.
pub fn strands(model: &Model) -> Vec<Strand> {
    let skeleton = &*model.skeleton;
    let angle_of = |bone: BoneIndex| {
        let name = skeleton.get(bone)?.name.to_lowercase();
        NAMES.iter().find(|(part, _)| name.contains(part)).map(|(_, angle)| *angle)
    };
    let strand = |root: BoneIndex| {
        let max_angle = angle_of(root)?;
        let is_first = skeleton.parent(root).is_some_and(|parent| angle_of(parent).is_none());
        let tip = std::iter::successors(Some(root), |bone| skeleton.children(*bone).next()).last()?;
        (is_first && tip != root).then_some(Strand { root, tip, max_angle })
    };
    skeleton.indices().filter_map(strand).take(MAX_STRANDS).collect()
}

/// A tip on its spring.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bob {
    /// Where the clip has it, in metres.
    clip: Vec3,
    /// Where it is relative to that, and the change in the last tick.
    offset: [Vec3; 2],
    /// In metres per second.
    velocity: Vec3,
}

/// The tips of all strands of a character.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sway {
    bobs: Vec<Bob>,
}

/// Advances by one tick, after the simulation and the animation.
pub fn step(animator: &mut Animator, actor: &Actor, performer: Option<&Performer>) {
    let Some(performer) = performer.filter(|performer| !performer.strands.is_empty()) else { return };
    if actor.is_held {
        return animator.sway.bobs.iter_mut().for_each(|bob| bob.offset[1] = Vec3::ZERO);
    }
    let Some(pose) = animator.model_pose(performer) else { return };
    let placed = world_from_model(animator, &performer.playable.fit, metres_of(actor.drawn_feet()), 1.0);
    let tips = performer.strands.iter().map(|strand| placed.transform_point3(pose.get(strand.tip).translation()));
    let bobs = &mut animator.sway.bobs;
    bobs.resize(performer.strands.len(), Bob { clip: Vec3::INFINITY, offset: [Vec3::ZERO; 2], velocity: Vec3::ZERO });
    bobs.iter_mut().zip(tips).for_each(|(bob, tip)| bob.step(tip));
}

impl Bob {
    fn step(&mut self, clip: Vec3) {
        let way = clip - self.clip;
        // A place that is not finite starts again, too.
        if !way.length().le(&TELEPORT) {
            *self = Bob { clip, offset: [Vec3::ZERO; 2], velocity: Vec3::ZERO };
            return;
        }
        let [before, _] = self.offset;
        let carried = before - way;
        let relative = self.velocity - way / TICK_SECS;
        self.velocity -= (carried * STIFFNESS + relative * DAMPING) * TICK_SECS;
        let mut now = carried + self.velocity * TICK_SECS;
        if now.length() < STILL.0 && (self.velocity - way / TICK_SECS).length() < STILL.1 {
            (now, self.velocity) = (Vec3::ZERO, way / TICK_SECS);
        }
        (self.clip, self.offset) = (clip, [now, now - before]);
    }
}

impl Sway {
    /// Swings the strands of a pose, `back` of a tick ago.
    pub fn apply(
        &self,
        strands: &[Strand],
        skeleton: &Skeleton,
        world_from_model: &Mat4,
        back: f32,
        pose: &mut LocalPose,
    ) {
        let shown = |bob: &Bob| bob.offset[0] - bob.offset[1] * back;
        if self.bobs.iter().all(|bob| shown(bob) == Vec3::ZERO) {
            return;
        }
        let model_from_world = world_from_model.inverse();
        let mut placed = ModelPose::default();
        placed.compute(skeleton, pose);
        for (strand, bob) in strands.iter().zip(&self.bobs) {
            let [root, tip] = [strand.root, strand.tip].map(|bone| placed.get(bone));
            let target = tip.translation() + model_from_world.transform_vector3(shown(bob));
            let axis = root.to_mat4().inverse().transform_point3(tip.translation());
            let aim = Aim { target, axis, max_angle: strand.max_angle };
            solve(skeleton, pose, &[(strand.root, 1.0)], &aim);
        }
    }
}
