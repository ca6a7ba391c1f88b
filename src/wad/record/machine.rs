//! MACH: which clip shows which state.

use serde::{Deserialize, Serialize};

use crate::assets::machine::{MachineDef, StateDef};
use crate::wad::error::Fault;
use crate::wad::record::{Record, from_bytes, to_bytes};
use crate::wad::sections::{join, split};

#[derive(Serialize, Deserialize)]
struct MachineRecordV1 {
    states: Vec<StateRecordV1>,
}

#[derive(Serialize, Deserialize)]
struct StateRecordV1 {
    state: String,
    /// The display name of a clip of the model.
    clip: String,
}

impl Record for MachineRecordV1 {
    const MOST_BYTES: usize = 0x10_0000;
}

pub fn write(machine: &MachineDef) -> Result<Vec<u8>, String> {
    let state = |def: &StateDef| StateRecordV1 { state: def.state.clone(), clip: def.clip.clone() };
    join(&to_bytes(&MachineRecordV1 { states: machine.states.iter().map(state).collect() })?, &[])
}

pub fn read(bytes: &[u8]) -> Result<MachineDef, Fault> {
    let parts = split(bytes)?;
    let record: MachineRecordV1 = from_bytes(parts.record)?;
    parts.end()?;
    let state = |record: StateRecordV1| StateDef { state: record.state, clip: record.clip };
    Ok(MachineDef { states: record.states.into_iter().map(state).collect() })
}
