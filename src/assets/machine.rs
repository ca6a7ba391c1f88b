//! Which clip plays for which state of the character: data in the archive, a fallback by name. It decides how an action
//! looks, never what happens.

/// One row of the table: a state that the simulation knows, and the clip that shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct StateDef {
    /// "idle", "walk", "jump", …: a word of the simulation. Unique within the machine.
    pub state: String,
    /// The name of a clip of the model. A name that the model lacks falls back by the state's name.
    pub clip: String,
}

/// How the states of a character look. An empty table shows every state by its name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MachineDef {
    /// In the order in which they are shown.
    pub states: Vec<StateDef>,
}
