//! What the simulation tells a character's machine on every tick. A parameter that the machine lacks is not told.

use crate::anim::machine::def::MachineDef;
use crate::anim::machine::parameters::Parameters;
use crate::assets::default_machine::{ATTACK, ATTACKING, CLIMB, CROUCHED, GROUND, JUMP, LADDER, LANDING, RISE, SPEED};
use crate::game::actor::{Actor, Footing, Stance};

/// What happened in one tick, as the machine is told it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Told {
    /// Metres a second along the ground.
    pub speed: f32,
    /// Metres a second up a ladder.
    pub climb: f32,
    /// An attack began.
    pub attacks: bool,
    /// A jump began.
    pub jumps: bool,
}

/// Where the parameters that the game sets stand in a machine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inputs {
    numbers: [Option<usize>; 3],
    switches: [Option<usize>; 5],
    triggers: [Option<usize>; 2],
}

impl Inputs {
    /// Finds them by name.
    pub fn of(def: &MachineDef) -> Inputs {
        Inputs {
            numbers: [SPEED, RISE, CLIMB].map(|name| def.parameter(name)),
            switches: [GROUND, LADDER, CROUCHED, LANDING, ATTACKING].map(|name| def.parameter(name)),
            triggers: [ATTACK, JUMP].map(|name| def.parameter(name)),
        }
    }

    /// Sets them. One that is of another kind in this machine, or not finite, stays as it is.
    pub fn tell(&self, actor: &Actor, told: &Told, parameters: &mut Parameters) {
        let is_on_ladder = matches!(actor.footing, Footing::Ladder(_));
        let is_on_ground = actor.footing == Footing::Ground;
        let numbers = [told.speed, actor.velocity.y, told.climb];
        let switches = [
            is_on_ground,
            is_on_ladder,
            actor.stance == Stance::Crouched,
            actor.timers.land > 0,
            actor.attack.is_some(),
        ];
        for (at, number) in self.numbers.iter().zip(numbers) {
            let _stays = at.map(|at| parameters.set_number(at, number));
        }
        for (at, is_on) in self.switches.iter().zip(switches) {
            let _stays = at.map(|at| parameters.set_switch(at, is_on));
        }
        for (at, _) in self.triggers.iter().zip([told.attacks, told.jumps]).filter(|(_, fires)| *fires) {
            let _stays = at.map(|at| parameters.fire(at));
        }
    }
}
