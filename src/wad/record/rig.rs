//! rIGN: bone groups and mirror pairs. Bones are identified by name. See docs/wad-format.md, "rIGN".

use crate::assets::rig_notes::{BoneGroup, RigNotes};
use crate::wad::error::Fault;
use crate::wad::record::stored::record;
use crate::wad::record::{Input, Record, write_value};

record! {
    struct RigRecordV1 of RigNotes { groups: Vec<GroupRecordV1>, mirror: Vec<(String, String)> }
}

record! { struct GroupRecordV1 of BoneGroup { name: String, color: [u8; 3], bones: Vec<String> } }

impl Record for RigRecordV1 {
    const MAX_BYTES: usize = 0x10_0000;
}

pub fn write(rig: &RigNotes) -> Result<Vec<u8>, String> {
    write_value::<RigRecordV1>(rig)
}

pub fn read(input: Input<'_>) -> Result<RigNotes, Fault> {
    let rig: RigNotes = input.value::<RigRecordV1, _>()?;
    rig.check()?;
    Ok(rig)
}
