//! The playback state of one character: [`Machine::update`] advances it, [`Machine::sample`] computes its pose.

use std::sync::Arc;

use crate::anim::blend::blend_onto;
use crate::anim::clip::Event;
use crate::anim::events::crossed;
use crate::anim::inertial::Inertia;
use crate::anim::machine::bound::{BoundMachine, MachineClip};
use crate::anim::machine::layer::{Layer, Stepped};
use crate::anim::machine::overlay::{Overlay, OverlayScratch};
use crate::anim::machine::parameters::Parameters;
use crate::anim::machine::parts::{FadeKind, Interrupt};
use crate::anim::machine::space::{Weights, weights};
use crate::anim::playback::clip_time;
use crate::anim::pose::LocalPose;
use crate::anim::root_motion::Motion;
use crate::anim::time::Time;

/// Maximum number of states that are blended at once; if there are more, the lowest two are frozen into one pose.
const MAX_LAYERS: usize = 4;
/// Maximum number of transitions per update. No state is entered twice in one update.
const MAX_STEPS: usize = 8;
/// Maximum duration of an update, in seconds; longer ones are clamped.
const LONGEST_UPDATE: f32 = 3600.0;

/// Buffers for poses. One can be shared by all characters that are updated one after the other.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    clip: LocalPose,
    layer: LocalPose,
    shown: [LocalPose; 2],
    target: LocalPose,
    overlay: OverlayScratch,
}

/// The playback state of one character: the active state, its time, and the states that are fading out.
#[derive(Clone, Debug, PartialEq)]
pub struct Machine {
    bound: Arc<BoundMachine>,
    /// From the bottom up; never empty.
    layers: Vec<Layer>,
    /// The pose below the lowest layer, if `has_frozen`.
    frozen: LocalPose,
    has_frozen: bool,
    inertia: Inertia,
    /// Seconds since the transition.
    inertia_secs: Stepped<f64>,
    passed: Option<Passed>,
    /// The movement of the states that the last update left, if it cut to another one.
    left: Option<Motion>,
    /// One for each layer of the machine.
    overlays: Vec<Overlay>,
}

/// The range of elapsed time of a clip that the last update passed.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Passed {
    state: usize,
    point: usize,
    from: Time,
    to: Time,
}

impl Machine {
    /// Starts in the initial state.
    pub fn new(bound: Arc<BoundMachine>) -> Machine {
        let mut layers = Vec::with_capacity(MAX_LAYERS + 1);
        let parameters = Parameters::new(bound.def());
        layers.push(Layer::begin(&bound, bound.def().start(), &parameters));
        Machine {
            layers,
            frozen: LocalPose::identity(bound.bones()),
            has_frozen: false,
            inertia: Inertia::with_room(bound.bones()),
            inertia_secs: Stepped::default(),
            passed: None,
            left: None,
            overlays: vec![Overlay::default(); bound.layers.len()],
            bound,
        }
    }

    /// Transfers the playback state to another definition, matched by the names of states: for clips and machines that
    /// change while they play. Starts in the initial state if the active state no longer exists. Fades continue if
    /// their states exist and the skeleton has the same number of bones.
    pub fn moved(&self, bound: Arc<BoundMachine>) -> Machine {
        let states = &self.bound.def().parts().states;
        let state_of = |layer: &Layer| bound.def().state(&states[layer.state].name);
        let is_same = bound.def() == self.bound.def();
        let moved = |layer: &Layer| {
            let state = state_of(layer)?;
            let via = if is_same { layer.via } else { None };
            Some(Layer { state, via, source: if is_same { layer.source } else { state }, ..layer.clone() })
        };
        let all: Option<Vec<Layer>> = self.layers.iter().map(moved).collect();
        let top = moved(self.top());
        let mut machine = Machine::new(bound);
        if is_same {
            machine.overlays.copy_from_slice(&self.overlays);
        }
        match (all, top) {
            (Some(layers), _) if machine.bound.bones() == self.bound.bones() => {
                machine.layers.clear();
                machine.layers.extend(layers);
                machine.frozen.copy_from(&self.frozen);
                machine.has_frozen = self.has_frozen;
                machine.inertia = self.inertia.clone();
                machine.inertia_secs = self.inertia_secs;
            }
            (_, Some(top)) => machine.layers[0] = Layer { weight: Stepped { now: 1.0, step: 0.0 }, ..top },
            _ => {}
        }
        machine
    }

    /// The machine that is played.
    pub fn bound(&self) -> &Arc<BoundMachine> {
        &self.bound
    }

    /// The index of the active state: the one that plays or is fading in.
    pub fn state(&self) -> usize {
        self.top().state
    }

    /// The name of the active state.
    pub fn state_name(&self) -> &str {
        &self.bound.def().parts().states[self.state()].name
    }

    /// Loops of the active state's clips since it started.
    pub fn loops(&self) -> f64 {
        self.top().loops.now
    }

    /// The weights of the active state's clips, in the order of its points.
    pub fn weights(&self) -> Weights {
        weights(self.bound.motion(self.state()), self.top().place.now)
    }

    /// The current transition, by its index, and its progress in 0..1.
    pub fn fade(&self) -> Option<(usize, f32)> {
        let top = self.top();
        if top.is_fading() {
            return top.via.map(|via| (via, top.weight.now as f32));
        }
        let via = top.via?;
        let fade = self.bound.def().parts().transitions[via].fade;
        let part = self.inertia_secs.now / f64::from(fade.secs);
        (fade.kind == FadeKind::Inertial && part < 1.0).then_some((via, part as f32))
    }

    /// The index of the transition by which the active state was entered; `None` for the initial state.
    pub fn entered_by(&self) -> Option<usize> {
        self.top().via
    }

    /// Advances by `secs` seconds, then takes the transitions whose conditions hold; triggers are consumed. Negative
    /// seconds and NaN count as 0. `parameters` must be of the same definition.
    pub fn update(&mut self, secs: f32, parameters: &mut Parameters, scratch: &mut Scratch) {
        let secs = if secs > 0.0 { f64::from(secs.min(LONGEST_UPDATE)) } else { 0.0 };
        self.left = None;
        self.advance(secs, parameters);
        let layers = self.bound.def().parts().layers.iter().zip(self.bound.def().layer_links()).zip(&self.bound.layers);
        for (overlay, ((def, link), bound)) in self.overlays.iter_mut().zip(layers) {
            overlay.advance(def, link, bound, secs, parameters);
        }
        let taken = self.choose(parameters);
        parameters.settle();
        if let Some(transition) = taken {
            self.enter(transition, secs as f32, parameters, scratch);
        }
    }

    /// Calls `meet` with every event that the last update passed, each once: the events of the active state's clip, or
    /// of the clip with the largest weight in a blend space, and the events of the clips of layers.
    pub fn for_each_event(&self, mut meet: impl FnMut(&Event)) {
        for (overlay, bound) in self.overlays.iter().zip(&self.bound.layers) {
            overlay.for_each_event(bound, &mut meet);
        }
        let Some(Passed { state, point, from, to }) = self.passed else { return };
        let Some(clip) = self.bound.clip(state, point) else { return };
        crossed(&clip.clip.events, clip.clip.length, self.bound.mode(state), from, to, |event, _| meet(event));
    }

    /// The movement of the character in the last update, in model units and relative to itself: that of the clips whose root motion
    /// is on, blended as their poses are. Poses stay in place.
    pub fn root_motion(&self, scratch: &mut Scratch) -> Motion {
        self.left.unwrap_or_else(|| self.motion(scratch))
    }

    /// The movement of the states.
    fn motion(&self, scratch: &mut Scratch) -> Motion {
        let mut sum = Motion::NONE;
        for (at, layer) in self.layers.iter().enumerate() {
            let loops = [layer.loops.back(1.0), layer.loops.now];
            let moved = self.bound.root_motion(layer.state, loops, layer.place.now, &mut scratch.clip);
            let weight = if at == 0 && !self.has_frozen { 1.0 } else { layer.weight.now.clamp(0.0, 1.0) };
            sum = sum.blend(moved, weight);
        }
        sum
    }

    /// Calls `meet` with every clip of the states that is visible between the last two updates (see [`Machine::sample_between`]): its
    /// clip time, and its weight in the pose. A pose that faded states were frozen into has no clip.
    pub fn for_each_clip(&self, alpha: f32, mut meet: impl FnMut(&MachineClip, Time, f32)) {
        let back = if alpha.is_nan() { 0.0 } else { f64::from(1.0 - alpha.clamp(0.0, 1.0)) };
        let mut rest = 1.0;
        for (at, layer) in self.layers.iter().enumerate().rev() {
            let is_lowest = at == 0 && !self.has_frozen;
            let weight = if is_lowest { 1.0 } else { layer.weight.back(back).clamp(0.0, 1.0) as f32 } * rest;
            rest -= weight;
            let points = weights(self.bound.motion(layer.state), layer.place.back(back));
            for (point, part) in points.into_iter().enumerate().filter(|(_, part)| *part > 0.0 && weight > 0.0) {
                let Some(clip) = self.bound.clip(layer.state, point) else { continue };
                let elapsed = self.bound.elapsed(layer.state, clip, layer.loops.back(back));
                let time = clip_time(elapsed, clip.clip.length, self.bound.mode(layer.state));
                meet(clip, time, weight * part);
            }
        }
    }

    /// Computes the pose after the last update.
    pub fn sample(&self, scratch: &mut Scratch, pose: &mut LocalPose) {
        self.sample_between(1.0, scratch, pose);
    }

    /// Computes the pose between the last two updates: `alpha` 0 is the one before last, 1 the last. For frames between
    /// two ticks.
    pub fn sample_between(&self, alpha: f32, scratch: &mut Scratch, pose: &mut LocalPose) {
        let back = if alpha.is_nan() { 0.0 } else { f64::from(1.0 - alpha.clamp(0.0, 1.0)) };
        self.sample_states(back, scratch, pose);
        let layers = self.bound.def().parts().layers.iter().zip(&self.bound.layers);
        for (overlay, (def, bound)) in self.overlays.iter().zip(layers) {
            overlay.apply(def, bound, back, &mut scratch.overlay, pose);
        }
    }

    /// The pose of the states, without layers, at a fraction `back` of an update ago.
    fn sample_states(&self, back: f64, scratch: &mut Scratch, pose: &mut LocalPose) {
        self.blend(self.layers.len(), back, &mut scratch.clip, &mut scratch.layer, pose);
        self.inertia.apply(self.inertia_secs.back(back).max(0.0) as f32, pose);
    }

    fn top(&self) -> &Layer {
        &self.layers[self.layers.len() - 1]
    }

    /// Blends the lowest `count` layers over the frozen pose.
    fn blend(&self, count: usize, back: f64, clip: &mut LocalPose, spare: &mut LocalPose, pose: &mut LocalPose) {
        let mut layers = &self.layers[..count];
        if self.has_frozen {
            pose.copy_from(&self.frozen);
        } else if let Some((lowest, rest)) = layers.split_first() {
            lowest.sample(&self.bound, back, clip, pose);
            layers = rest;
        }
        for layer in layers {
            let weight = layer.weight.back(back).clamp(0.0, 1.0) as f32;
            if weight > 0.0 {
                layer.sample(&self.bound, back, clip, spare);
                blend_onto(pose, spare, weight);
            }
        }
    }

    fn advance(&mut self, secs: f64, parameters: &Parameters) {
        self.layers.iter_mut().for_each(|layer| layer.advance(&self.bound, secs, parameters));
        for upper in (1..self.layers.len()).rev() {
            let (below, above) = self.layers.split_at_mut(upper);
            below[upper - 1].match_to(&self.bound, &above[0]);
        }
        self.inertia_secs = Stepped { now: self.inertia_secs.now + secs, step: secs };
        if let Some(covering) = self.layers.iter().rposition(Layer::covers) {
            self.has_frozen = false;
            self.layers.drain(..covering);
        }
        let top = self.top();
        let weights = self.weights();
        self.passed = self.bound.heaviest(top.state, &weights).map(|(point, clip)| {
            let at = |back| self.bound.elapsed(top.state, clip, top.loops.back(back));
            Passed { state: top.state, point, from: at(1.0), to: at(0.0) }
        });
    }

    /// The last transition of the chain that the parameters trigger. Consumes its triggers.
    fn choose(&self, parameters: &mut Parameters) -> Option<usize> {
        let (mut taken, mut been) = (None, [0; MAX_STEPS]);
        let mut current = self.state();
        for step in 0..MAX_STEPS {
            been[step] = current;
            let next = if step == 0 { self.first(parameters) } else { self.next(current, parameters) };
            let Some(next) = next else { break };
            let link = &self.bound.def().links()[next];
            if step > 0 && been[..=step].contains(&link.to) {
                break;
            }
            parameters.consume(&link.tests);
            (taken, current) = (Some(next), link.to);
        }
        taken
    }

    /// The transition to take from the active state, if the current fade can be interrupted.
    fn first(&self, parameters: &Parameters) -> Option<usize> {
        let transitions = &self.bound.def().parts().transitions;
        let top = self.top();
        let fading = self.fade().map(|(via, _)| (via, transitions[via].interrupt));
        let (own, source) = match fading {
            None | Some((_, Interrupt::Target)) => (true, None),
            Some((via, Interrupt::Source)) => (false, Some((top.source, via))),
            Some((via, Interrupt::Either)) => (true, Some((top.source, via))),
            Some((_, Interrupt::Never)) => return None,
        };
        let below = self.layers.iter().rev().nth(1);
        self.pick(top.state, parameters, |index, from| match from {
            None => Some(Some(top)),
            Some(from) if from == top.state && own => Some(Some(top)),
            Some(from) if source.is_some_and(|(state, via)| from == state && index < via) => Some(below),
            Some(_) => None,
        })
    }

    /// The transition to take from a state that was entered in this update.
    fn next(&self, current: usize, parameters: &Parameters) -> Option<usize> {
        let fresh = Layer::begin(&self.bound, current, parameters);
        self.pick(current, parameters, |_, from| from.is_none_or(|from| from == current).then_some(Some(&fresh)))
    }

    /// The first transition that holds. `layer_of` returns the layer that its exit time refers to, or `None` if the
    /// transition is not allowed. A state without a layer, such as the source of an inertial fade, plays no longer and reaches no
    /// exit time.
    fn pick<'a>(
        &self,
        current: usize,
        parameters: &Parameters,
        layer_of: impl Fn(usize, Option<usize>) -> Option<Option<&'a Layer>>,
    ) -> Option<usize> {
        let def = self.bound.def();
        let mut links = def.links().iter().zip(&def.parts().transitions).enumerate();
        let (index, (link, _)) = links.find(|(index, (link, transition))| {
            let layer = layer_of(*index, link.from);
            let has_reached = |layer: Option<&Layer>, loops| layer.is_some_and(|it| it.has_reached(&self.bound, loops));
            layer.is_some_and(|layer| transition.exit_time.is_none_or(|loops| has_reached(layer, loops)))
                && parameters.passes(&link.tests)
        })?;
        // A transition from any state to the active one: the state continues.
        (link.from.is_some() || link.to != current).then_some(index)
    }

    fn enter(&mut self, transition: usize, secs: f32, parameters: &Parameters, scratch: &mut Scratch) {
        let fade = self.bound.def().parts().transitions[transition].fade;
        let to = self.bound.def().links()[transition].to;
        let mut layer = Layer::begin(&self.bound, to, parameters);
        (layer.via, layer.source) = (Some(transition), self.state());
        if fade.kind == FadeKind::Matched {
            layer.start_matched(&self.bound, self.top());
        }
        if fade.secs <= 0.0 {
            self.cover(layer, scratch);
            self.inertia.clear();
        } else if fade.kind == FadeKind::Inertial {
            let mut shown = std::mem::take(&mut scratch.shown);
            self.sample_states(1.0, scratch, &mut shown[0]);
            self.sample_states(0.0, scratch, &mut shown[1]);
            self.cover(layer, scratch);
            self.top().sample(&self.bound, 0.0, &mut scratch.clip, &mut scratch.target);
            self.inertia.restart([&shown[0], &shown[1]], &scratch.target, secs, fade.secs);
            self.inertia_secs = Stepped::default();
            scratch.shown = shown;
        } else {
            if self.layers.len() == MAX_LAYERS {
                self.freeze(scratch);
            }
            layer.weight.now = 0.0;
            layer.fade_secs = f64::from(fade.secs);
            self.layers.push(layer);
        }
    }

    fn cover(&mut self, layer: Layer, scratch: &mut Scratch) {
        self.left = Some(self.motion(scratch));
        self.layers.clear();
        self.has_frozen = false;
        self.layers.push(layer);
    }

    /// Freezes the lowest two layers into one pose.
    fn freeze(&mut self, scratch: &mut Scratch) {
        self.blend(2, 0.0, &mut scratch.clip, &mut scratch.layer, &mut scratch.target);
        self.frozen.copy_from(&scratch.target);
        self.has_frozen = true;
        self.layers.drain(..2);
    }
}
