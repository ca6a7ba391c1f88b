//! rIGN: bone groups, mirror pairs, Euler orders and other names of bones. Bones are identified by name. See
//! docs/wad-format.md, "rIGN".

use std::collections::BTreeMap;

use crate::assets::euler_order::EulerOrder;
use crate::assets::rig_notes::{BoneGroup, RigNotes};
use crate::wad::error::Fault;
use crate::wad::record::stored::{Invalid, Stored, record};
use crate::wad::record::{Input, Record, write_value};

record! {
    struct RigRecordV1 of RigNotes {
        groups: Vec<GroupRecordV1>,
        mirror: Vec<(String, String)>,
        orders: Vec<(String, EulerOrderRecordV1)>,
        /// Name and bone.
        other_names: Vec<(String, String)>,
    }
}

record! { enum EulerOrderRecordV1 of EulerOrder { Xyz, Xzy, Yxz, Yzx, Zxy, Zyx } }

record! { struct GroupRecordV1 of BoneGroup { name: String, color: [u8; 3], bones: Vec<String> } }

/// Orders by bone, or bones by name: ascending, each key once.
impl<R, T: Stored<R>> Stored<Vec<(String, R)>> for BTreeMap<String, T> {
    fn to_record(&self) -> Result<Vec<(String, R)>, Invalid> {
        self.iter().map(|(name, value)| Ok((name.clone(), value.to_record()?))).collect()
    }

    fn from_record(record: Vec<(String, R)>) -> Result<BTreeMap<String, T>, Invalid> {
        let mut values = BTreeMap::new();
        for (name, value) in record {
            if values.insert(name.clone(), T::from_record(value)?).is_some() {
                return Err(Invalid::new(format!("\"{name}\" is listed twice")));
            }
        }
        Ok(values)
    }
}

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
