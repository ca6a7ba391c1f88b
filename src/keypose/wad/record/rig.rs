//! rIGN: bone groups, mirror pairs, Euler orders, joint limits, IK chains, springs, masses, humanoid and bone map. Bones are identified by name. See
//! docs/wad-format.md, "rIGN".

use std::collections::BTreeMap;

use crate::anim::ik::chain::Solver;
use crate::anim::ik::limit::Limit;
use crate::anim::spring::Swing;
use crate::assets::euler_order::EulerOrder;
use crate::assets::rig_notes::{BoneGroup, IkChain, RigNotes};
use crate::assets::spring_notes::{Spring, SpringNotes, SpringTip};
use crate::wad::record::stored::{Invalid, Stored, record};
use crate::wad::record::volumes::VolumeRecordV1;

record! {
    struct RigRecordV1 of RigNotes checked {
        groups: Vec<GroupRecordV1>,
        mirror: Vec<(String, String)>,
        orders: Vec<(String, EulerOrderRecordV1)>,
        limits: Vec<(String, LimitRecordV1)>,
        chains: Vec<(String, IkChainRecordV1)>,
        springs: SpringNotesRecordV1,
        /// Percent of the mass.
        masses: Vec<(String, f32)>,
        gravity: Option<f32>,
        /// Name of a part, and its bone.
        humanoid: Vec<(String, String)>,
        /// Name of a bone in other files, and the bone.
        bone_map: Vec<(String, String)>,
    }
}

record! { enum EulerOrderRecordV1 of EulerOrder { Xyz, Xzy, Yxz, Yzx, Zxy, Zyx } }

record! {
    struct LimitRecordV1 of Limit {
        zero: [f32; 4],
        axis: [f32; 3],
        min: f32,
        max: f32,
        /// None for a hinge.
        swing: Option<f32>,
    }
}

record! { struct IkChainRecordV1 of IkChain { joints: u8, solver: SolverRecordV1 } }

record! {
    struct SpringNotesRecordV1 of SpringNotes {
        bones: Vec<(String, SpringRecordV1)>,
        colliders: Vec<VolumeRecordV1>,
        wind: [f32; 3],
    }
}

record! {
    struct SpringRecordV1 of Spring { swing: SwingRecordV1, tip: SpringTipRecordV1, center: Option<String>, colliders: Vec<String> }
}

record! { struct SwingRecordV1 of Swing { stiffness: f32, drag: f32, gravity: [f32; 3], radius: f32 } }

record! { enum SpringTipRecordV1 of SpringTip { Bone(name: String), Point(point: [f32; 3]) } }

record! { enum SolverRecordV1 of Solver { Ccd, Fabrik } }

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
