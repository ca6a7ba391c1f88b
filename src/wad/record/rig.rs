//! rIGN: bone groups, mirror pairs, Euler orders and other names. Bones are identified by name. Version 1 has no orders, version 2
//! no other names. See
//! docs/wad-format.md, "rIGN".

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::assets::euler_order::EulerOrder;
use crate::assets::rig_notes::{BoneGroup, RigNotes};
use crate::wad::error::Fault;
use crate::wad::record::stored::{Invalid, Stored, record};
use crate::wad::record::{Input, Record, write_value};

#[derive(Serialize, Deserialize)]
struct RigRecordV1 {
    groups: Vec<GroupRecordV1>,
    mirror: Vec<(String, String)>,
}

#[derive(Serialize, Deserialize)]
struct RigRecordV2 {
    groups: Vec<GroupRecordV1>,
    mirror: Vec<(String, String)>,
    orders: Vec<(String, EulerOrderRecordV2)>,
}

record! {
    struct RigRecordV3 of RigNotes {
        groups: Vec<GroupRecordV1>,
        mirror: Vec<(String, String)>,
        orders: Vec<(String, EulerOrderRecordV2)>,
        /// Name and bone.
        other_names: Vec<(String, String)>,
    }
}

record! { enum EulerOrderRecordV2 of EulerOrder { Xyz, Xzy, Yxz, Yzx, Zxy, Zyx } }

record! { struct GroupRecordV1 of BoneGroup { name: String, color: [u8; 3], bones: Vec<String> } }

/// Orders by bone, ascending.
impl Stored<Vec<(String, EulerOrderRecordV2)>> for BTreeMap<String, EulerOrder> {
    fn to_record(&self) -> Result<Vec<(String, EulerOrderRecordV2)>, Invalid> {
        self.iter().map(|(bone, order)| Ok((bone.to_record()?, order.to_record()?))).collect()
    }

    fn from_record(record: Vec<(String, EulerOrderRecordV2)>) -> Result<BTreeMap<String, EulerOrder>, Invalid> {
        let mut orders = BTreeMap::new();
        for (bone, order) in record {
            let order = EulerOrder::from_record(order)?;
            if let Some(_twice) = orders.insert(bone.clone(), order) {
                return Err(Invalid::new(format!("the bone \"{bone}\" has two orders")));
            }
        }
        Ok(orders)
    }
}

/// Bones by name, ascending.
impl Stored<Vec<(String, String)>> for BTreeMap<String, String> {
    fn to_record(&self) -> Result<Vec<(String, String)>, Invalid> {
        Ok(self.iter().map(|(name, bone)| (name.clone(), bone.clone())).collect())
    }

    fn from_record(record: Vec<(String, String)>) -> Result<BTreeMap<String, String>, Invalid> {
        let mut names = BTreeMap::new();
        for (name, bone) in record {
            if let Some(_twice) = names.insert(name.clone(), bone) {
                return Err(Invalid::new(format!("the name \"{name}\" is that of two bones")));
            }
        }
        Ok(names)
    }
}

impl Record for RigRecordV1 {
    const MAX_BYTES: usize = 0x10_0000;
}

impl Record for RigRecordV2 {
    const MAX_BYTES: usize = 0x10_0000;
}

impl Record for RigRecordV3 {
    const MAX_BYTES: usize = 0x10_0000;
}

pub fn write(rig: &RigNotes) -> Result<Vec<u8>, String> {
    write_value::<RigRecordV3>(rig)
}

pub fn read(input: Input<'_>) -> Result<RigNotes, Fault> {
    let rig: RigNotes = match input.version {
        1 => {
            let RigRecordV1 { groups, mirror } = input.record()?;
            RigNotes { groups: Stored::from_record(groups)?, mirror, ..RigNotes::default() }
        }
        2 => {
            let RigRecordV2 { groups, mirror, orders } = input.record()?;
            let (groups, orders) = (Stored::from_record(groups)?, Stored::from_record(orders)?);
            RigNotes { groups, mirror, orders, ..RigNotes::default() }
        }
        _ => input.value::<RigRecordV3, _>()?,
    };
    rig.check()?;
    Ok(rig)
}
