//! A preview of the state machine: the model plays through it, with parameters set by hand. Not saved, not undone.

use std::collections::BTreeMap;
use std::sync::Arc;

use keypose::anim::machine::parameters::Parameters;
use keypose::anim::machine::parts::Value;
use keypose::anim::machine::play::{Machine, Scratch};
use keypose::anim::pose::LocalPose;
use keypose::assets::character::Character;
use keypose::assets::model::Model;
use keypose::assets::playable::PlayableCharacter;

/// A running preview.
#[derive(Clone, Debug)]
pub struct Preview {
    /// The model that it was made from.
    model: Arc<Model>,
    playable: PlayableCharacter,
    /// The running machine.
    pub machine: Machine,
    /// The values of the parameters.
    pub parameters: Parameters,
    scratch: Scratch,
    /// Seconds since it started, and in the current state.
    clock: [f64; 2],
    /// The transitions that were taken, by their index: the state before, the time, and the seconds before it in that state.
    taken: BTreeMap<usize, (String, [f64; 2])>,
}

impl Preview {
    /// Starts the machine of a model; `None` if it has none.
    pub fn new(model: &Arc<Model>) -> Option<Preview> {
        let playable = perform(model, None)?;
        let machine = Machine::new(playable.machine.clone());
        let parameters = Parameters::new(playable.machine.def());
        let (scratch, clock, taken) = Default::default();
        Some(Preview { model: model.clone(), playable, machine, parameters, scratch, clock, taken })
    }

    /// Advances by `secs` seconds with the model as it is now. Returns false if the model no longer has a machine.
    pub fn tick(&mut self, model: &Arc<Model>, secs: f32) -> bool {
        if !self.follow(model) {
            return false;
        }
        let before = self.machine.state_name().to_owned();
        self.machine.update(secs, &mut self.parameters, &mut self.scratch);
        self.clock = self.clock.map(|clock| clock + f64::from(secs));
        if self.machine.state_name() != before {
            let transition = self.machine.entered_by();
            self.taken.extend(transition.map(|transition| (transition, (before, self.clock))));
            self.clock[1] = 0.0;
        }
        true
    }

    /// When a transition was last taken: from which state, how many seconds ago, and after how many seconds in that state.
    pub fn last_time(&self, transition: usize) -> Option<(&str, [f64; 2])> {
        let (from, [at, after]) = self.taken.get(&transition)?;
        Some((from, [self.clock[0] - at, *after]))
    }

    /// Continues on a changed model, by the names of states and parameters.
    fn follow(&mut self, model: &Arc<Model>) -> bool {
        let (Some(before), Some(now)) = (&self.model.machine.graph, &model.machine.graph) else { return false };
        if Arc::ptr_eq(&self.model, model) {
            return true;
        }
        let clips = self.model.clips.iter().zip(&model.clips);
        let is_same = Arc::ptr_eq(&before.def, &now.def)
            && Arc::ptr_eq(&self.model.skeleton, &model.skeleton)
            && self.model.clips.len() == model.clips.len()
            && clips.into_iter().all(|(a, b)| Arc::ptr_eq(&a.clip, &b.clip));
        if !is_same && let Some(playable) = perform(model, Some(&self.playable.character)) {
            self.parameters = self.parameters.moved(self.machine.bound().def(), playable.machine.def());
            self.machine = self.machine.moved(playable.machine.clone());
            self.playable = playable;
        }
        if before.def.parts().transitions != now.def.parts().transitions {
            self.taken.clear();
        }
        self.model = model.clone();
        true
    }

    /// Samples the current pose; does nothing if the model has another skeleton now.
    pub fn sample(&self, pose: &mut LocalPose) {
        if self.machine.bound().bones() == pose.len() {
            self.machine.sample(&mut Scratch::default(), pose);
        }
    }

    /// Sets a number, or a switch as 0 or 1.
    pub fn set(&mut self, name: &str, value: f32) {
        let def = self.machine.bound().def();
        let Some(at) = def.parameter(name) else { return };
        // A refused value changes nothing.
        let _refused = match def.parts().parameters[at].value {
            Value::Number(_) => self.parameters.set_number(at, value),
            Value::Switch(_) => self.parameters.set_switch(at, value != 0.0),
            Value::Trigger => self.parameters.fire(at),
        };
    }

    /// The value of a parameter.
    pub fn value(&self, name: &str) -> Option<f32> {
        self.machine.bound().def().parameter(name).map(|at| self.parameters.get(at))
    }
}

/// The playable form of a model's machine, with only the clips that it plays: the others need no bake.
fn perform(model: &Arc<Model>, before: Option<&Character>) -> Option<PlayableCharacter> {
    model.machine.graph.as_ref()?;
    let mut needed = Model::clone(model);
    needed.clips.retain(|slot| model.machine.players_of(&slot.clip.name).next().is_some());
    Some(PlayableCharacter::new(&Character::bake(&Arc::new(needed), before)))
}
