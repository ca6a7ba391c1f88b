//! The values that a game sets for one character's machine.

use thiserror::Error;

use crate::anim::machine::def::{MachineDef, Test};
use crate::anim::machine::parts::Value;

/// Why a value was not taken.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[allow(missing_docs)]
pub enum ParameterError {
    #[error("the machine has no parameter {0}")]
    Missing(usize),
    #[error("parameter {0} is of another kind")]
    Kind(usize),
    #[error("parameter {0} can't be {1}, which is not finite")]
    NotFinite(usize, f32),
}

/// One value for each parameter of a machine, always finite.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parameters {
    /// [`Value::Switch`] and [`Value::Trigger`] as 0 or 1.
    values: Vec<(Value, f32)>,
}

impl Parameters {
    /// The values that the definition gives, no trigger fired.
    pub fn new(def: &MachineDef) -> Parameters {
        let first = |value| match value {
            Value::Number(number) => number,
            Value::Switch(is_on) => f32::from(u8::from(is_on)),
            Value::Trigger => 0.0,
        };
        Parameters { values: def.parts().parameters.iter().map(|it| (it.value, first(it.value))).collect() }
    }

    /// The values of the parameters that the new definition has under the same name and kind; the others are as new.
    pub fn moved(&self, from: &MachineDef, to: &MachineDef) -> Parameters {
        let mut moved = Parameters::new(to);
        for (parameter, (kind, value)) in to.parts().parameters.iter().zip(&mut moved.values) {
            let before = from.parameter(&parameter.name).and_then(|at| self.values.get(at));
            if let Some((before, kept)) = before
                && std::mem::discriminant(before) == std::mem::discriminant(kind)
            {
                *value = *kept;
            }
        }
        moved
    }

    /// Sets a number. What is not finite is refused, and the value stays.
    pub fn set_number(&mut self, parameter: usize, number: f32) -> Result<(), ParameterError> {
        if !number.is_finite() {
            return Err(ParameterError::NotFinite(parameter, number));
        }
        match self.place(parameter)? {
            (Value::Number(_), value) => *value = number,
            _ => return Err(ParameterError::Kind(parameter)),
        }
        Ok(())
    }

    /// Turns a switch on or off.
    pub fn set_switch(&mut self, parameter: usize, is_on: bool) -> Result<(), ParameterError> {
        match self.place(parameter)? {
            (Value::Switch(_), value) => *value = f32::from(u8::from(is_on)),
            _ => return Err(ParameterError::Kind(parameter)),
        }
        Ok(())
    }

    /// Fires a trigger: it counts in the next update.
    pub fn fire(&mut self, parameter: usize) -> Result<(), ParameterError> {
        match self.place(parameter)? {
            (Value::Trigger, value) => *value = 1.0,
            _ => return Err(ParameterError::Kind(parameter)),
        }
        Ok(())
    }

    /// The value: a number, 1 for a switch that is on and a trigger that was fired, 0 otherwise and for one that is not there.
    pub fn get(&self, parameter: usize) -> f32 {
        self.values.get(parameter).map_or(0.0, |(_, value)| *value)
    }

    fn place(&mut self, parameter: usize) -> Result<(Value, &mut f32), ParameterError> {
        let place = self.values.get_mut(parameter).ok_or(ParameterError::Missing(parameter))?;
        Ok((place.0, &mut place.1))
    }

    pub(super) fn passes(&self, tests: &[(usize, Test)]) -> bool {
        tests.iter().all(|&(parameter, test)| match test {
            Test::Above(value) => self.get(parameter) > value,
            Test::Below(value) => self.get(parameter) < value,
            Test::On | Test::Fired => self.get(parameter) != 0.0,
            Test::Off => self.get(parameter) == 0.0,
        })
    }

    /// The triggers of a transition that was taken are used up.
    pub(super) fn consume(&mut self, tests: &[(usize, Test)]) {
        for (parameter, _) in tests.iter().filter(|(_, test)| *test == Test::Fired) {
            if let Some((_, value)) = self.values.get_mut(*parameter) {
                *value = 0.0;
            }
        }
    }

    /// The update is over: no trigger is fired any more.
    pub(super) fn settle(&mut self) {
        self.values.iter_mut().filter(|(kind, _)| *kind == Value::Trigger).for_each(|(_, value)| *value = 0.0);
    }
}
