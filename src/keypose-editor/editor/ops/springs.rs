//! Springs of a rig: chains and colliders in its notes, their motion in a clip, and that motion as keys.

use glam::{Quat, Vec3};

use keypose::anim::clip::{Clip, LoopMode};
use keypose::anim::fit;
use keypose::anim::key::{Channel, Ease, Key};
use keypose::anim::playback::clip_time;
use keypose::anim::pose::{LocalPose, ModelPose};
use keypose::anim::root_motion;
use keypose::anim::skeleton::{BoneIndex, Skeleton};
use keypose::anim::spring::{Place, STEP_SECS, Springs, Swing, Swinging};
use keypose::anim::time::Time;
use keypose::anim::track::Track;
use keypose::assets::combat::volume::Volume;
use keypose::assets::fit::fit as fit_of;
use keypose::assets::model::Model;
use keypose::assets::rig_notes::RigNotes;
use keypose::assets::spring_notes::{DEFAULT_LENGTH, Spring, SpringTip};
use keypose_tools::even_times;
use keypose_tools::loop_travel::travel_of;

/// Stiffness per length of a bone: it swings about three times a second.
const STIFFNESS: f32 = 6.0;
/// The drag of a new chain: a swing dies after about a second.
const DRAG: f32 = 0.2;
/// The gravity of a new chain in metres per second: that of the earth in the first step.
const GRAVITY: f32 = 9.81 * STEP_SECS;
/// Time before a moment of a clip for which springs have to swing until they look as if they always did.
const LEAD_STEPS: i64 = 120;
/// Maximum number of loops until the motion of a loop repeats.
const MAX_ROUNDS: usize = 60;
/// The maximum number of steps in a clip, and in its loops until they repeat: an hour. The springs of a longer one swing more slowly.
const MAX_STEPS: usize = 216_000;
/// The difference of two loops, in components of quaternions, that is spread over the loop.
const REPEATS: f32 = 1e-5;
/// The maximum error of baked keys, in radians.
const BAKE_ERROR: f32 = 1e-3;

/// The spring of a bone; `None` if it follows the pose.
pub fn spring_of(model: &Model, bone: BoneIndex) -> Option<&Spring> {
    model.rig.springs.bones.get(&model.skeleton.get(bone)?.name)
}

/// The notes with a chain from a bone down through first children.
pub fn with_chain(model: &Model, start: BoneIndex) -> RigNotes {
    let (mut rig, skeleton) = (model.rig.clone(), &*model.skeleton);
    let metre = fit_of(model).scale.recip();
    let scales = skeleton.bone_scales();
    let chain: Vec<BoneIndex> = std::iter::successors(Some(start), |bone| skeleton.children(*bone).next()).collect();
    for (at, bone) in chain.iter().enumerate() {
        let Some(of) = skeleton.get(*bone) else { continue };
        let scale = scales[usize::from(*bone)];
        let (tip, length) = match chain.get(at + 1).and_then(|child| skeleton.get(*child)) {
            Some(child) => (SpringTip::Bone(child.name.clone()), child.rest.translation.length() * scale),
            None => {
                // As far as the bone is from its parent, straight on.
                let onward = of.rest.rotation.inverse() * of.rest.translation / of.rest.scale;
                let has_length = onward.is_finite() && onward.length() * scale > 1e-6;
                let onward = if has_length { onward } else { Vec3::Y * DEFAULT_LENGTH * metre / scale };
                (SpringTip::Point(onward), onward.length() * scale)
            }
        };
        let gravity = Vec3::NEG_Y * GRAVITY * metre;
        let swing = Swing { stiffness: STIFFNESS * length, drag: DRAG, gravity, radius: length * 0.1 };
        let spring = Spring { swing, tip, center: None, colliders: Vec::new() };
        rig.springs.bones.insert(of.name.clone(), spring);
    }
    rig
}

/// The notes with the springs of a bone and of those after it in its chain changed, or removed if `change` returns false.
pub fn changed_from(model: &Model, bone: BoneIndex, mut change: impl FnMut(&mut Spring) -> bool) -> RigNotes {
    let mut rig = model.rig.clone();
    for bone in rig.springs.chain(&model.skeleton, bone) {
        let Some(name) = model.skeleton.get(bone).map(|bone| &bone.name) else { continue };
        if !rig.springs.bones.get_mut(name).is_some_and(&mut change) {
            rig.springs.bones.remove(name);
        }
    }
    rig
}

/// The notes with a new collider on a bone: a sphere of a part of the body's height, or a capsule up to the next joint.
pub fn with_collider(model: &Model, bone: BoneIndex) -> Option<RigNotes> {
    let of = model.skeleton.get(bone)?;
    let mut rig = model.rig.clone();
    let names: Vec<&str> = rig.springs.colliders.iter().map(|collider| collider.name.as_str()).collect();
    // The second one of "spine.003" is not "spine.001", which is another bone.
    let free = |number: usize| if number == 1 { of.name.clone() } else { format!("{} {number}", of.name) };
    let name = (1..).map(free).find(|name| !names.contains(&name.as_str()))?;
    let end = model.skeleton.children(bone).next().and_then(|child| model.skeleton.get(child));
    let end = end.map_or(Vec3::ZERO, |child| child.rest.translation);
    let scale = model.skeleton.bone_scales()[usize::from(bone)];
    let radius = (end.length() * scale * 0.25).max(0.05 / fit_of(model).scale);
    rig.springs.colliders.push(Volume { name, bone: of.name.clone(), from: Vec3::ZERO, to: end, radius });
    Some(rig)
}

/// A clip whose springs are simulated, with the model at the world's origin; each round of a loop starts where the one before ends.
pub struct Motion<'a> {
    pub springs: &'a Springs,
    pub skeleton: &'a Skeleton,
    pub clip: &'a Clip,
    /// The pose of the clip at a time.
    pub sample: &'a dyn Fn(Time, &mut LocalPose),
}

/// A run of the simulation.
struct Run {
    swinging: Swinging,
    placed: ModelPose,
    /// The way to the next round of the loop.
    travel: root_motion::Motion,
}

impl Run {
    fn new(of: &Motion<'_>) -> Run {
        let travel = travel_of(of.skeleton, of.clip, |time| {
            let mut pose = of.skeleton.rest_pose();
            (of.sample)(time, &mut pose);
            pose
        });
        Run { swinging: Swinging::default(), placed: ModelPose::default(), travel }
    }
}

impl Motion<'_> {
    /// Replaces a pose of the clip by the one with springs, as they swing after some seconds of it, and returns their state.
    pub fn pose(&self, time: Time, pose: &mut LocalPose) -> Swinging {
        let mut run = Run::new(self);
        for step in (0..LEAD_STEPS).rev() {
            let (time, length) = (time - Time::from_ticks(step), self.clip.length());
            (self.sample)(clip_time(time, length, self.clip.loop_mode), pose);
            self.step(&mut run, time.0.div_euclid(length.0.max(1)), pose);
        }
        run.swinging
    }

    /// The next step, in a round of the loop.
    fn step(&self, run: &mut Run, round: i64, pose: &mut LocalPose) {
        let way = run.travel.times(round);
        let place = Place { rotation: way.rotation.as_quat(), translation: way.translation.as_vec3() };
        run.placed.compute(self.skeleton, pose);
        self.springs.step(self.skeleton, &place, &mut run.swinging, pose, &mut run.placed);
    }

    /// The rotations of all bones with springs at each of `steps` + 1 times of the clip. Those of a loop repeat: it runs until they do,
    /// and the remainder is spread over it.
    fn rotations(&self, steps: usize) -> Vec<Vec<Quat>> {
        let (mut run, mut pose, length) = (Run::new(self), self.skeleton.rest_pose(), self.clip.length());
        let mut at = |step: usize, round: i64| {
            (self.sample)(Time((length.0 as i128 * step as i128 / steps as i128) as i64), &mut pose);
            self.step(&mut run, round, &mut pose);
            self.springs.bones().map(|bone| pose.get(usize::from(bone)).rotation).collect::<Vec<Quat>>()
        };
        let mut all = vec![at(0, 0)];
        if self.clip.loop_mode != LoopMode::Loop {
            all.extend((1..=steps).map(|step| at(step, 0)));
            return all;
        }
        for round in 0..(MAX_STEPS / steps).clamp(1, MAX_ROUNDS) {
            let last = all.pop().unwrap_or_default();
            all = std::iter::once(last).chain((1..=steps).map(|step| at(step, round as i64))).collect();
            let apart = all[0].iter().zip(&all[steps]).map(|(a, b)| difference(*a, *b));
            if apart.fold(0.0, f32::max) <= REPEATS {
                break;
            }
        }
        close(&mut all);
        all
    }

    /// The clip with keys that rotate the bones with springs as they swing. `None` if the clip has no length.
    pub fn baked(&self) -> Option<Clip> {
        let length = self.clip.length();
        let steps = (length.secs() / f64::from(STEP_SECS)).round().clamp(0.0, MAX_STEPS as f64) as usize;
        if steps == 0 {
            return None;
        }
        let all = self.rotations(steps);
        let is_loop = self.clip.loop_mode == LoopMode::Loop;
        // A loop without a closing keyframe leads back to the first.
        let is_closed = self.clip.keyframes.last().is_some_and(|last| last.duration == Time::ZERO);
        let times = even_times::frames(self.clip.frame_rate, [Time::ZERO, length]).filter(|time| *time < length);
        let times: Vec<Time> = times.chain((!is_loop || is_closed).then_some(length)).collect();
        let track = |(at, bone): (usize, BoneIndex)| {
            let key = |time: &Time| {
                let place = time.fraction_of(length) * steps as f64;
                let before = (place as usize).min(steps - 1);
                let rotation = all[before][at].slerp(all[before + 1][at], (place - before as f64) as f32);
                (*time, Key { ease: Ease::Linear, ..Key::rotation(bone, rotation) })
            };
            let keys = times.iter().map(key).collect();
            let track = Track { bone, channel: Channel::Rotation, keys, seam: is_loop.then_some(length) };
            fit::reduce(&track, BAKE_ERROR)
        };
        let swung = self.springs.bones().enumerate().map(track);
        Some(self.clip.with_replaced(swung))
    }
}

/// Makes the last rotations equal to the first: each takes its part of the remainder.
fn close(all: &mut [Vec<Quat>]) {
    let steps = all.len() - 1;
    for bone in 0..all[0].len() {
        let remainder = all[steps][bone].inverse() * all[0][bone];
        for (step, rotations) in all.iter_mut().enumerate() {
            let part = Quat::IDENTITY.slerp(remainder, step as f32 / steps as f32);
            rotations[bone] = (rotations[bone] * part).normalize();
        }
    }
}

/// The largest difference of two rotations in a component of their quaternions.
pub fn difference(a: Quat, b: Quat) -> f32 {
    let b = if a.dot(b) < 0.0 { -b } else { b };
    (a - b).to_array().into_iter().fold(0.0, |most, part| most.max(part.abs()))
}

/// The words of a spring, as scripts write them.
pub fn words(spring: Option<&Spring>) -> String {
    let Some(Spring { swing, colliders, .. }) = spring else { return "none".to_owned() };
    let Swing { stiffness, drag, gravity, radius } = swing;
    let list = colliders.iter().map(|name| format!(" \"{name}\"")).collect::<String>();
    format!("stiffness {stiffness:.2} drag {drag:.2} gravity {:.2} radius {radius:.2}{list}", -gravity.y)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use keypose::anim::clip::Keyframe;
    use keypose::anim::skeleton::Bone;
    use keypose::anim::transform::Transform;

    #[test]
    fn a_chain_swings_alike_whatever_the_scale_of_its_root() {
        let chain = |scale: f32| {
            let rest = |y: f32| Transform::from_translation(Vec3::new(0.0, y / scale, 0.0));
            let bone = |name: &str, parent, rest| Bone { name: name.into(), parent, rest };
            let root = Transform { scale: Vec3::splat(scale), ..Transform::IDENTITY };
            let bones = vec![bone("root", None, root), bone("a", Some(0), rest(1.0)), bone("b", Some(1), rest(0.5))];
            let model = Model { skeleton: Arc::new(Skeleton::new(bones).unwrap()), ..Model::default() };
            let springs = with_chain(&model, 1).springs.bones;
            ["a", "b"].map(|name| springs[name].swing)
        };
        for (one, hundred) in chain(1.0).iter().zip(chain(100.0)) {
            assert!((one.stiffness / hundred.stiffness - 1.0).abs() < 1e-4, "{one:?} {hundred:?}");
            assert!((one.radius / hundred.radius - 1.0).abs() < 1e-4, "{one:?} {hundred:?}");
        }
    }

    /// A root that travels 1.5 units in a second, at one speed, and a chain behind it.
    #[test]
    fn a_chain_hangs_still_in_a_loop_that_travels_at_one_speed() {
        let rest = |y: f32| Transform::from_translation(Vec3::new(0.0, y, 0.0));
        let bone = |name: &str, parent, rest| Bone { name: name.into(), parent, rest };
        let bones = vec![bone("root", None, rest(0.0)), bone("a", Some(0), rest(1.0)), bone("b", Some(1), rest(-0.5))];
        let model = Model { skeleton: Arc::new(Skeleton::new(bones).unwrap()), ..Model::default() };
        let notes = with_chain(&model, 1);
        let keyframe = |duration, z: f32| Keyframe {
            duration,
            keys: vec![Key::translation(0, Vec3::Z * z)].into(),
            ..Keyframe::default()
        };
        let keyframes = [keyframe(Time::SECOND, 0.0), keyframe(Time::ZERO, 1.5)].into_iter().collect();
        let clip = Clip { loop_mode: LoopMode::Loop, keyframes, ..Clip::new("walk") };
        let sample = |time: Time, pose: &mut LocalPose| {
            pose.copy_from(&crate::editor::ops::pose::sample(&clip, &model.skeleton, time));
        };
        let springs = notes.springs.of(&model.skeleton);
        let motion = Motion { springs: &springs, skeleton: &model.skeleton, clip: &clip, sample: &sample };
        let rotations = motion.rotations(60);
        assert!(difference(rotations[0][0], Quat::IDENTITY) > 0.01, "it hangs behind");
        for all in &rotations {
            assert!(difference(all[0], rotations[0][0]) < 1e-3, "{} {}", all[0], rotations[0][0]);
        }
    }
}
