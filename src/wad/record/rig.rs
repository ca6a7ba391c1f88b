//! rIGN: groups of bones and mirror pairs. Bones go by their names.

use serde::{Deserialize, Serialize};

use crate::assets::rig_notes::{BoneGroup, RigNotes};
use crate::wad::error::Fault;
use crate::wad::record::{Record, from_bytes, to_bytes};
use crate::wad::sections::{join, split};

#[derive(Serialize, Deserialize)]
struct RigRecordV1 {
    groups: Vec<GroupRecordV1>,
    mirror: Vec<(String, String)>,
}

#[derive(Serialize, Deserialize)]
struct GroupRecordV1 {
    name: String,
    color: [u8; 3],
    bones: Vec<String>,
}

impl Record for RigRecordV1 {
    const MAX_BYTES: usize = 0x10_0000;
}

pub fn write(rig: &RigNotes) -> Result<Vec<u8>, String> {
    let group = |group: &BoneGroup| {
        let BoneGroup { name, color, bones } = group.clone();
        GroupRecordV1 { name, color, bones }
    };
    let groups = rig.groups.iter().map(group).collect();
    join(&to_bytes(&RigRecordV1 { groups, mirror: rig.mirror.clone() })?, &[])
}

pub fn read(bytes: &[u8]) -> Result<RigNotes, Fault> {
    let parts = split(bytes)?;
    let record: RigRecordV1 = from_bytes(parts.record)?;
    parts.end()?;
    let group = |GroupRecordV1 { name, color, bones }| BoneGroup { name, color, bones };
    let rig = RigNotes { groups: record.groups.into_iter().map(group).collect(), mirror: record.mirror };
    rig.check().map_err(Fault::from)?;
    Ok(rig)
}
