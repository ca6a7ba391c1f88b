//! A playing state, on top of the states that are fading out.

use glam::DVec2;

use crate::anim::clip::LoopMode;
use crate::anim::machine::bound::BoundMachine;
use crate::anim::machine::parameters::Parameters;
use crate::anim::machine::parts::{Motion, Pace};
use crate::anim::machine::space::weights;
use crate::anim::pose::LocalPose;

/// Maximum loops per second: at higher speeds feet slide.
const MAX_LOOPS_PER_SEC: f64 = 3.4;
/// Maximum loops since a state started; more can only be an error.
const MAX_LOOPS: f64 = 1e9;

/// A value and its change in the last update, to interpolate between updates.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Stepped<T> {
    pub now: T,
    pub step: T,
}

impl Stepped<f64> {
    pub fn back(self, part: f64) -> f64 {
        self.now - self.step * part
    }
}

impl Stepped<DVec2> {
    pub fn back(self, part: f64) -> DVec2 {
        self.now - self.step * part
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Layer {
    pub state: usize,
    /// Loops of its clips since it started.
    pub loops: Stepped<f64>,
    /// In its blend space.
    pub place: Stepped<DVec2>,
    /// Blend weight over the layers below, 0..=1.
    pub weight: Stepped<f64>,
    /// Duration of its fade, in seconds.
    pub fade_secs: f64,
    /// The transition that led to this state.
    pub via: Option<usize>,
    /// The state before that transition.
    pub source: usize,
    /// The whole loops by which the layer below is ahead; it is kept at the same phase. `None` if it isn't kept so.
    pub matched: Option<f64>,
}

impl Layer {
    /// Starts a state, with a weight of 1.
    pub fn begin(bound: &BoundMachine, state: usize, parameters: &Parameters) -> Layer {
        let now = target_place(bound, state, parameters);
        let place = Stepped { now, step: DVec2::ZERO };
        let secs = bound.loop_secs(state, &weights(bound.motion(state), now));
        let start = f64::from(bound.def().parts().states[state].start_secs);
        let start = if secs > 0.0 { start / secs } else { 0.0 };
        let is_at_end = start <= 0.0 && is_backward(bound, state);
        let loops = Stepped { now: if is_at_end { 1.0 } else { start }, step: 0.0 };
        let weight = Stepped { now: 1.0, step: 0.0 };
        Layer { state, loops, place, weight, fade_secs: 0.0, via: None, source: state, matched: None }
    }

    /// Returns true while layers below are visible.
    pub fn is_fading(&self) -> bool {
        self.weight.now < 1.0
    }

    /// Returns true if the layers below were invisible for a whole update.
    pub fn covers(&self) -> bool {
        self.weight.now >= 1.0 && self.weight.step <= 0.0
    }

    /// Advances by `secs` seconds.
    pub fn advance(&mut self, bound: &BoundMachine, secs: f64, parameters: &Parameters) {
        let aim = target_place(bound, self.state, parameters);
        let damp = match bound.motion(self.state) {
            Motion::Clip(_) => 0.0,
            Motion::Line(line) => f64::from(line.damp_secs),
            Motion::Plane(plane) => f64::from(plane.damp_secs),
        };
        let part = if damp > 0.0 { secs / (secs + damp) } else { 1.0 };
        self.place.step = (aim - self.place.now) * part;
        self.place.now += self.place.step;
        let before = self.loops.now;
        self.loops.now = (before + self.rate(bound, parameters) * secs).clamp(-MAX_LOOPS, MAX_LOOPS);
        self.loops.step = self.loops.now - before;
        let before = self.weight.now;
        let rise = if self.fade_secs > 0.0 { secs / self.fade_secs } else { 1.0 };
        self.weight.now = (before + rise).min(1.0);
        self.weight.step = self.weight.now - before;
    }

    /// Loops per second.
    fn rate(&self, bound: &BoundMachine, parameters: &Parameters) -> f64 {
        let weights = weights(bound.motion(self.state), self.place.now);
        let given = bound.def().inputs(self.state).pace.map(|at| f64::from(parameters.get(at)));
        match bound.pace(self.state) {
            Pace::Time { speed, .. } => {
                let secs = bound.loop_secs(self.state, &weights);
                if secs > 0.0 { f64::from(*speed) * given.unwrap_or(1.0) / secs } else { 0.0 }
            }
            Pace::Distance { .. } => {
                let rate = given.unwrap_or(0.0) / bound.loop_metres(self.state, &weights);
                rate.clamp(-MAX_LOOPS_PER_SEC, MAX_LOOPS_PER_SEC)
            }
        }
    }

    /// Returns true if this many loops were played, or there is nothing to play.
    pub fn has_reached(&self, bound: &BoundMachine, loops: f32) -> bool {
        let weights = weights(bound.motion(self.state), self.place.now);
        let played = if is_backward(bound, self.state) { 1.0 - self.loops.now } else { self.loops.now };
        played >= f64::from(loops) || bound.loop_secs(self.state, &weights) <= 0.0
    }

    /// Starts at the phase of the layer below, which keeps it from now on.
    pub fn start_matched(&mut self, bound: &BoundMachine, below: &Layer) {
        let loops = below.loops.now - bound.lead(below.state) + bound.lead(self.state);
        // Ping-pong plays backwards in each second loop.
        let are_ping_pong = [below.state, self.state].map(|state| bound.mode(state)) == [LoopMode::PingPong; 2];
        let mut now = loops.rem_euclid(if are_ping_pong { 2.0 } else { 1.0 });
        if now >= 1.0 && !is_backward(bound, self.state) {
            // The way back is none of its own loops yet.
            now -= 2.0;
        }
        (self.loops, self.matched) = (Stepped { now, step: 0.0 }, Some(loops - now));
    }

    /// Takes the phase of a layer above that is matched to it.
    pub fn match_to(&mut self, bound: &BoundMachine, above: &Layer) {
        let Some(whole) = above.matched else { return };
        let loops = above.loops.now + whole - bound.lead(above.state) + bound.lead(self.state);
        self.loops = Stepped { now: loops, step: above.loops.step };
    }

    /// Samples the pose at a fraction `back` of an update ago.
    pub fn sample(&self, bound: &BoundMachine, back: f64, spare: &mut LocalPose, pose: &mut LocalPose) {
        bound.sample(self.state, self.loops.back(back), self.place.back(back), spare, pose);
    }
}

/// Whether a state plays backwards.
fn is_backward(bound: &BoundMachine, state: usize) -> bool {
    matches!(bound.pace(state), Pace::Time { speed, .. } if *speed < 0.0)
}

/// The position in a state's blend space that the parameters ask for.
fn target_place(bound: &BoundMachine, state: usize, parameters: &Parameters) -> DVec2 {
    let [x, y] = bound.def().inputs(state).place;
    let value = |at: Option<usize>| at.map_or(0.0, |at| f64::from(parameters.get(at)));
    DVec2::new(value(x), value(y))
}
