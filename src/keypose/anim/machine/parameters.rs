//! The parameters of one character's machine, which the game sets.

use thiserror::Error;

use crate::anim::machine::def::{MachineDef, Test};
use crate::anim::machine::parts::Value;

/// Why a parameter couldn't be set.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[allow(missing_docs)]
pub enum ParameterError {
    #[error("the machine has no parameter with index {0}")]
    Missing(usize),
    #[error("parameter {0} has another kind")]
    Kind(usize),
    #[error("parameter {0} can't be set to {1}: not finite")]
    NotFinite(usize, f32),
}

/// A value for each parameter of a machine, always finite.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parameters {
    /// [`Value::Switch`] and [`Value::Trigger`] as 0 or 1.
    values: Vec<(Value, f32)>,
}

impl Parameters {
    /// The initial values of a definition, with no trigger fired.
    pub fn new(def: &MachineDef) -> Parameters {
        let first = |value| match value {
            Value::Number(number) => number,
            Value::Switch(is_on) => f32::from(u8::from(is_on)),
            Value::Trigger => 0.0,
        };
        Parameters { values: def.parts().parameters.iter().map(|it| (it.value, first(it.value))).collect() }
    }

    /// The values of all parameters that have the same name and kind in a new definition; the others get their initial
    /// values.
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

    /// Sets a number.
    ///
    /// # Errors
    /// If it is not finite, or the parameter doesn't exist or has another kind; the value doesn't change.
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

    /// Fires a trigger for the next update.
    pub fn fire(&mut self, parameter: usize) -> Result<(), ParameterError> {
        match self.place(parameter)? {
            (Value::Trigger, value) => *value = 1.0,
            _ => return Err(ParameterError::Kind(parameter)),
        }
        Ok(())
    }

    /// The value: of a switch or trigger 1 for on or fired, else 0. 0 if there is no such parameter.
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

    /// Consumes the triggers of a transition that was taken.
    pub(super) fn consume(&mut self, tests: &[(usize, Test)]) {
        for (parameter, _) in tests.iter().filter(|(_, test)| *test == Test::Fired) {
            if let Some((_, value)) = self.values.get_mut(*parameter) {
                *value = 0.0;
            }
        }
    }

    /// Resets all triggers at the end of an update.
    pub(super) fn settle(&mut self) {
        self.values.iter_mut().filter(|(kind, _)| *kind == Value::Trigger).for_each(|(_, value)| *value = 0.0);
    }
}
