//! A state machine with the clips of one model. Shared by all characters that play it.

use std::sync::Arc;

use glam::{DVec2, Vec3};

use crate::anim::bake::BakedClip;
use crate::anim::clip::LoopMode;
use crate::anim::machine::def::MachineDef;
use crate::anim::machine::overlay::BoundLayer;
use crate::anim::machine::parts::{Motion, Pace, Repeat, StateDef};
use crate::anim::machine::space::{Weights, weights};
use crate::anim::playback::clip_time;
use crate::anim::pose::LocalPose;
use crate::anim::root_motion::{self, Anchor, delta};
use crate::anim::skeleton::Skeleton;
use crate::anim::time::Time;

/// Metres per loop of a clip without a known distance.
const USUAL_STRIDE: f32 = 1.5;

/// A clip, with the distance and phase that a machine needs.
#[derive(Clone, Debug, PartialEq)]
pub struct MachineClip {
    /// As games sample it.
    pub clip: Arc<BakedClip>,
    /// Metres per loop; `None`, or not more than 0, if unknown.
    pub stride: Option<f32>,
    /// The phase, 0..1, at which the clip is in sync with the other clips of a blend space, such as when the first foot
    /// is farthest ahead.
    pub sync: f32,
    /// The root's movement per loop, in the model's units: removed from bones without parent.
    pub drift: Vec3,
    /// Where bones without parent stay while root motion moves the character ([`Machine::root_motion`]). `None` if they move as keyed.
    ///
    /// [`Machine::root_motion`]: crate::anim::machine::play::Machine::root_motion
    pub anchor: Option<Anchor>,
}

impl MachineClip {
    /// A clip with unknown distance, whose root motion moves the character.
    pub fn new(clip: Arc<BakedClip>) -> MachineClip {
        let anchor = Anchor::of(&clip, clip.root_motion);
        MachineClip { clip, stride: None, sync: 0.0, drift: Vec3::ZERO, anchor }
    }

    /// Keeps the pose of a time in place: moves the bones without parent back by the way of the clip.
    pub fn hold(&self, time: Time, roots: &[usize], pose: &mut LocalPose) {
        let fraction = time.fraction_of(self.clip.length) as f32;
        let drift = if self.drift.is_finite() { self.drift * fraction } else { Vec3::ZERO };
        if drift != Vec3::ZERO {
            let bones = pose.len();
            for &root in roots.iter().filter(|&&root| root < bones) {
                let mut transform = pose.get(root);
                transform.translation -= drift;
                pose.set(root, &transform);
            }
        }
        if let Some(anchor) = self.anchor {
            anchor.hold(roots, pose);
        }
    }
}

/// A machine with its clips.
#[derive(Clone, Debug, PartialEq)]
pub struct BoundMachine {
    def: Arc<MachineDef>,
    states: Vec<BoundState>,
    pub(super) layers: Vec<BoundLayer>,
    rest: LocalPose,
    /// Bones without parent.
    roots: Vec<usize>,
    findings: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
struct BoundState {
    /// One for each point; `None` shows the rest pose.
    clips: Vec<Option<MachineClip>>,
    mode: LoopMode,
}

impl BoundMachine {
    /// Looks up every clip by its state and name. A clip that is not found shows the rest pose; see
    /// [`BoundMachine::findings`].
    pub fn new(
        def: Arc<MachineDef>,
        skeleton: &Skeleton,
        mut find: impl FnMut(&StateDef, &str) -> Option<MachineClip>,
    ) -> BoundMachine {
        let mut findings = Vec::new();
        let mut states = Vec::with_capacity(def.parts().states.len());
        for state in &def.parts().states {
            let mut clip_of = |name: &str| {
                let found = if name.is_empty() { None } else { find(state, name) };
                if found.is_none() && !name.is_empty() {
                    findings.push(format!("the clip \"{name}\" of the state \"{}\" does not exist", state.name));
                }
                found
            };
            let clips: Vec<Option<MachineClip>> = state.motion.clips().map(&mut clip_of).collect();
            let own = clips.iter().flatten().next().map_or(LoopMode::Once, |first| first.clip.loop_mode);
            let mode = match (&state.pace, state.repeat) {
                (Pace::Distance { .. }, _) | (_, Repeat::Loop) if own == LoopMode::PingPong => own,
                (Pace::Distance { .. }, _) | (_, Repeat::Loop) => LoopMode::Loop,
                (_, Repeat::Once) => LoopMode::Once,
                (_, Repeat::AsClip) => own,
            };
            states.push(BoundState { clips, mode });
        }
        let (mut layers, mut boneless) = (Vec::new(), Vec::new());
        for (layer, link) in def.parts().layers.iter().zip(def.layer_links()) {
            let state = StateDef::new(layer.place(), Motion::Clip(layer.clip.clone()));
            let clip = if layer.clip.is_empty() { None } else { find(&state, &layer.clip) };
            if clip.is_none() && !layer.clip.is_empty() {
                findings.push(format!("the clip \"{}\" of the {} does not exist", layer.clip, state.name));
            }
            let (bound, has_bone) = BoundLayer::new(layer, link, skeleton, clip);
            layers.push(bound);
            if !has_bone {
                let (bone, place) = (&layer.bone, &state.name);
                boneless.push(format!("the bone \"{bone}\" of the {place} does not exist; the layer shows nothing"));
            }
        }
        findings.extend(boneless);
        BoundMachine { def, states, layers, rest: skeleton.rest_pose(), roots: skeleton.roots(), findings }
    }

    /// The definition of the machine.
    pub fn def(&self) -> &Arc<MachineDef> {
        &self.def
    }

    /// Each state with its clips, one after the other.
    pub fn clips(&self) -> impl Iterator<Item = (&StateDef, &MachineClip)> {
        let states = self.def.parts().states.iter().zip(&self.states);
        states.flat_map(|(def, state)| state.clips.iter().flatten().map(move |clip| (def, clip)))
    }

    /// The clips that were not found, and then the bones of layers that were not found: one sentence each.
    pub fn findings(&self) -> &[String] {
        &self.findings
    }

    /// The number of bones of a pose.
    pub fn bones(&self) -> usize {
        self.rest.len()
    }

    pub(super) fn motion(&self, state: usize) -> &Motion {
        &self.def.parts().states[state].motion
    }

    pub(super) fn pace(&self, state: usize) -> &Pace {
        &self.def.parts().states[state].pace
    }

    pub(super) fn mode(&self, state: usize) -> LoopMode {
        self.states[state].mode
    }

    /// The phase of the first clip, to which the other clips are aligned.
    pub(super) fn lead(&self, state: usize) -> f64 {
        self.states[state].clips.first().and_then(Option::as_ref).map_or(0.0, |clip| sane(clip.sync))
    }

    /// The weighted duration of one loop of a state's clips, in seconds; 0 if there is nothing to play.
    pub(super) fn loop_secs(&self, state: usize, weights: &Weights) -> f64 {
        self.mixed(state, weights, |clip| clip.clip.length.secs())
    }

    /// The weighted distance of one loop, in metres.
    pub(super) fn loop_metres(&self, state: usize, weights: &Weights) -> f64 {
        let stride = |clip: &MachineClip| clip.stride.filter(|it| it.is_finite() && *it > 0.0).unwrap_or(USUAL_STRIDE);
        self.mixed(state, weights, |clip| f64::from(stride(clip))).max(0.01)
    }

    fn mixed(&self, state: usize, weights: &Weights, of: impl Fn(&MachineClip) -> f64) -> f64 {
        let (mut sum, mut total) = (0.0, 0.0);
        for (clip, weight) in self.states[state].clips.iter().zip(weights) {
            let Some(clip) = clip.as_ref().filter(|clip| *weight > 0.0 && clip.clip.length > Time::ZERO) else {
                continue;
            };
            sum += of(clip) * f64::from(*weight);
            total += f64::from(*weight);
        }
        if total > 0.0 { sum / total } else { 0.0 }
    }

    /// The clip with the largest weight, and its index.
    pub(super) fn heaviest(&self, state: usize, weights: &Weights) -> Option<(usize, &MachineClip)> {
        let clips = self.states[state].clips.iter().zip(weights).enumerate();
        let clips = clips.filter_map(|(index, (clip, weight))| Some((index, clip.as_ref()?, *weight)));
        clips.max_by(|a, b| a.2.total_cmp(&b.2)).map(|(index, clip, _)| (index, clip))
    }

    /// The clip of a point.
    pub(super) fn clip(&self, state: usize, point: usize) -> Option<&MachineClip> {
        self.states.get(state)?.clips.get(point)?.as_ref()
    }

    /// The elapsed time of a clip after a number of loops of its state.
    pub(super) fn elapsed(&self, state: usize, clip: &MachineClip, loops: f64) -> Time {
        let phase = loops + sane(clip.sync) - self.lead(state);
        Time((phase * clip.clip.length.0 as f64) as i64)
    }

    /// Samples a state after a number of loops, at a position in its blend space.
    pub(super) fn sample(&self, state: usize, loops: f64, place: DVec2, spare: &mut LocalPose, pose: &mut LocalPose) {
        let weights = weights(self.motion(state), place);
        let mut total = 0.0;
        for (clip, weight) in self.states[state].clips.iter().zip(weights) {
            if weight <= 0.0 {
                continue;
            }
            total += weight;
            if total == weight {
                self.sample_clip(state, clip.as_ref(), loops, pose);
            } else {
                self.sample_clip(state, clip.as_ref(), loops, spare);
                crate::anim::blend::blend_onto(pose, spare, weight / total);
            }
        }
    }

    fn sample_clip(&self, state: usize, clip: Option<&MachineClip>, loops: f64, pose: &mut LocalPose) {
        let Some(clip) = clip else { return pose.copy_from(&self.rest) };
        let length = clip.clip.length;
        let time = clip_time(self.elapsed(state, clip, loops), length, self.mode(state));
        clip.clip.sample(time, pose);
        clip.hold(time, &self.roots, pose);
    }

    /// The root motion of a state between two numbers of loops, at a position in its blend space.
    pub(super) fn root_motion(
        &self,
        state: usize,
        loops: [f64; 2],
        place: DVec2,
        pose: &mut LocalPose,
    ) -> root_motion::Motion {
        let (mut sum, mut total) = (root_motion::Motion::NONE, 0.0);
        for (clip, weight) in self.states[state].clips.iter().zip(weights(self.motion(state), place)) {
            if weight <= 0.0 {
                continue;
            }
            total += weight;
            let moved = clip.as_ref().zip(clip.as_ref().and_then(|clip| clip.anchor));
            let moved = moved.map_or(root_motion::Motion::NONE, |(clip, anchor)| {
                let [from, to] = loops.map(|loops| self.elapsed(state, clip, loops));
                let root_at = |time| {
                    clip.clip.sample_portable(time, pose);
                    pose.get(0)
                };
                delta(root_at, clip.clip.length, self.mode(state), anchor.part(), from, to)
            });
            sum = sum.blend(moved, f64::from(weight / total));
        }
        sum
    }
}

fn sane(value: f32) -> f64 {
    if value.is_finite() { f64::from(value) } else { 0.0 }
}
