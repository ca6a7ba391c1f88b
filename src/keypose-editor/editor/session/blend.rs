//! The preview of a blend of two clips: a machine of one state, as the runtime plays it.

use keypose::anim::machine::bound::BoundMachine;
use keypose::anim::machine::parameters::Parameters;
use keypose::anim::machine::play::{Machine, Scratch};
use keypose::anim::pose::LocalPose;
use keypose::assets::id::ClipId;
use keypose::assets::model::Model;
use std::sync::Arc;

/// A running preview of a blend.
#[derive(Clone, Debug)]
pub struct Blend {
    /// The two clips; they may be the same.
    pub clips: [ClipId; 2],
    /// The weight of the second clip, 0..=1.
    pub weight: f32,
    model: Arc<Model>,
    machine: Machine,
    parameters: Parameters,
    scratch: Scratch,
}

/// A change of the blend preview.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BlendAction {
    /// Blends the active clip with the next one, or ends the preview.
    Toggle,
    /// The weight of the second clip.
    Weight(f32),
    /// Blends these two clips.
    Clips([ClipId; 2]),
}

impl Blend {
    /// A preview on a bound machine that blends by [`WEIGHT`]; it continues the one before, if there is one.
    pub fn new(
        clips: [ClipId; 2],
        weight: f32,
        model: Arc<Model>,
        bound: Arc<BoundMachine>,
        before: Option<Blend>,
    ) -> Blend {
        let parameters = Parameters::new(bound.def());
        let machine = match before {
            Some(before) => before.machine.moved(bound),
            None => Machine::new(bound),
        };
        let mut blend = Blend { clips, weight, model, machine, parameters, scratch: Scratch::default() };
        blend.set_weight(weight);
        blend
    }

    /// Whether it was made for exactly this model.
    pub fn is_of(&self, model: &Arc<Model>) -> bool {
        Arc::ptr_eq(&self.model, model)
    }

    /// Continues on a model that has changed.
    pub fn rebind(&mut self, model: Arc<Model>, bound: Arc<BoundMachine>) {
        self.machine = self.machine.moved(bound);
        self.model = model;
    }

    /// Advances by `secs` seconds.
    pub fn advance(&mut self, secs: f32) {
        self.machine.update(secs, &mut self.parameters, &mut self.scratch);
    }

    /// Samples the current pose; does nothing if the model has another skeleton now.
    pub fn sample(&self, pose: &mut LocalPose) {
        if self.machine.bound().bones() == pose.len() {
            self.machine.sample(&mut Scratch::default(), pose);
        }
    }

    /// Sets the weight of the second clip, clamped to 0..=1.
    pub fn set_weight(&mut self, weight: f32) {
        self.weight = if weight.is_nan() { 0.0 } else { weight.clamp(0.0, 1.0) };
        // The only parameter, and it is a number.
        let _always = self.parameters.set_number(0, self.weight);
        self.machine.update(0.0, &mut self.parameters, &mut self.scratch);
    }
}

/// The blend parameter: 0 is the first clip, 1 the second.
pub const WEIGHT: &str = "weight";

/// Why no blend can be shown.
pub const NEEDS_TWO: &str = "A blend needs an active clip and a second clip.";
