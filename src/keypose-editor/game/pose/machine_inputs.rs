//! The parameters that the simulation sets in a character's state machine on every tick. Missing parameters are
//! skipped.

use crate::game::rules::actor::{Actor, Footing, Stance};
use keypose::anim::machine::def::MachineDef;
use keypose::anim::machine::parameters::Parameters;
use keypose::assets::default_machine::{
    ATTACK, ATTACK_NUMBER, ATTACKING, CLIMB, CROUCHED, DEAD, GROUND, HIT, HURT, JUMP, LADDER, LANDING, RISE, ROLLING,
    RUN_ATTACK, SPEED, STILL_SECS, WON,
};
use keypose::assets::machine::State;

/// The player's activity in one tick.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Activity {
    /// Speed along the ground in metres per second.
    pub speed: f32,
    /// Speed up a ladder in metres per second.
    pub climb: f32,
    pub attack_started: bool,
    pub jump_started: bool,
    /// Whether it was hit.
    pub is_hit: bool,
    /// The time in seconds for which it has stood still.
    pub still_secs: f32,
    /// Whether it reached the goal.
    pub has_won: bool,
}

/// The indices of the game's parameters in a state machine.
#[derive(Clone, Debug, PartialEq)]
pub struct MachineInputs {
    /// The size of the character: the steps of a larger one are longer, so that its machine sees a lower speed.
    size: f32,
    numbers: [Option<usize>; 5],
    switches: [Option<usize>; 10],
    triggers: [Option<usize>; 3],
}

impl MachineInputs {
    /// Finds the parameters by name, for a character of a size.
    pub fn of(def: &MachineDef, size: f32) -> MachineInputs {
        MachineInputs {
            size,
            numbers: [SPEED, RISE, CLIMB, ATTACK_NUMBER, STILL_SECS].map(|name| def.parameter(name)),
            switches: [GROUND, LADDER, CROUCHED, LANDING, ATTACKING, HURT, DEAD, ROLLING, RUN_ATTACK, WON]
                .map(|name| def.parameter(name)),
            triggers: [ATTACK, JUMP, HIT].map(|name| def.parameter(name)),
        }
    }

    /// Sets the parameters. One of another type, or a value that is not finite, is ignored.
    pub fn apply(&self, actor: &Actor, activity: &Activity, parameters: &mut Parameters) {
        let is_on_ladder = matches!(actor.footing, Footing::Ladder(_));
        let is_on_ground = actor.footing == Footing::Ground || actor.flies;
        let attack = actor.action.map_or(1.0, |action| attack_number(action.state));
        let [speed, climb] = [activity.speed, activity.climb].map(|speed| speed / self.size);
        let numbers = [speed, actor.velocity.y, climb, attack, activity.still_secs];
        let switches = [
            is_on_ground,
            is_on_ladder,
            actor.stance == Stance::Crouched,
            actor.timers.land > 0,
            actor.action.is_some_and(|action| action.state != State::Roll && !action.runs),
            actor.vitals.stun > 0,
            !actor.vitals.is_alive(),
            actor.is_rolling(),
            actor.action.is_some_and(|action| action.runs),
            activity.has_won,
        ];
        for (at, number) in self.numbers.iter().zip(numbers) {
            let _ignored = at.map(|at| parameters.set_number(at, number));
        }
        for (at, is_on) in self.switches.iter().zip(switches) {
            let _ignored = at.map(|at| parameters.set_switch(at, is_on));
        }
        let fired = [activity.attack_started, activity.jump_started, activity.is_hit];
        for (at, _) in self.triggers.iter().zip(fired).filter(|(_, fires)| *fires) {
            let _ignored = at.map(|at| parameters.fire(at));
        }
    }
}

/// The value of [`ATTACK_NUMBER`] in an attack.
fn attack_number(state: State) -> f32 {
    match state {
        State::Attack2 => 2.0,
        State::Attack3 => 3.0,
        State::Stab => 4.0,
        State::AirAttack => 5.0,
        _ => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use keypose::assets::model::Model;
    use keypose::assets::playable::default_machine;

    #[test]
    fn a_larger_character_takes_as_much_longer_steps() {
        let def = default_machine(&Model::default());
        let speed = def.parameter(SPEED).unwrap();
        for (size, expected) in [(1.0, 3.0), (2.0, 1.5)] {
            let mut parameters = Parameters::new(&def);
            let activity = Activity { speed: 3.0, ..Activity::default() };
            MachineInputs::of(&def, size).apply(&Actor::default(), &activity, &mut parameters);
            assert_eq!(parameters.get(speed), expected);
        }
    }
}
