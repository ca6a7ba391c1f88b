//! VOLS: the volumes of a model and the lanes of its clips. Clips are identified by their lumps, because ids are not saved;
//! bones by their names. See docs/wad-format.md, "VOLS".

use std::collections::BTreeSet;

use crate::assets::combat::lanes::{Cancel, CancelWhen, Contact, Hit, Hurt, Lanes, Range, Strike};
use crate::assets::combat::volume::{Volume, check_all};
use crate::wad::error::Fault;
use crate::wad::record::stored::{Invalid, Stored, record};
use crate::wad::record::{Input, value};

/// The combat of a model, with clips as lump names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NamedVolumes {
    pub hurt: Vec<Volume>,
    pub lanes: Vec<(String, Lanes)>,
}

record! { struct VolumesRecordV1 of NamedVolumes { hurt: Vec<VolumeRecordV1>, lanes: Vec<(String, LanesRecordV1)> } }

record! {
    struct VolumeRecordV1 of Volume { name: String, bone: String, from: [f32; 3], to: [f32; 3], radius: f32 }
}

record! {
    struct LanesRecordV1 of Lanes {
        hits: Vec<HitRecordV1>,
        hurts: Vec<HurtRecordV1>,
        cancels: Vec<CancelRecordV1>,
        invulnerable: Vec<RangeRecordV1>,
        contacts: Vec<ContactRecordV1>,
    }
}

/// Start and end in flicks.
type RangeRecordV1 = [i64; 2];

record! {
    struct HitRecordV1 of Hit {
        range: RangeRecordV1,
        volumes: Vec<VolumeRecordV1>,
        group: u8,
        again: u16,
        strike: StrikeRecordV1,
    }
}

record! {
    struct StrikeRecordV1 of Strike {
        damage: u16,
        angle: f32,
        knockback: f32,
        growth: f32,
        stop: u16,
        stun: u16,
        block_stun: u16,
        priority: u8,
        mask: u32,
    }
}

record! {
    struct HurtRecordV1 of Hurt { range: RangeRecordV1, volume: String, replaced: Option<VolumeRecordV1> }
}

record! { struct CancelRecordV1 of Cancel { range: RangeRecordV1, into: Vec<String>, when: CancelWhenRecordV1 } }

record! { struct ContactRecordV1 of Contact { range: RangeRecordV1, bone: String } }

record! { enum CancelWhenRecordV1 of CancelWhen { Always, Hit, Miss } }

impl Stored<RangeRecordV1> for Range {
    fn to_record(&self) -> Result<RangeRecordV1, Invalid> {
        [self.start, self.end].to_record()
    }

    fn from_record(record: RangeRecordV1) -> Result<Range, Invalid> {
        let [start, end] = Stored::from_record(record)?;
        Ok(Range { start, end })
    }
}

pub fn read(input: Input<'_>) -> Result<NamedVolumes, Fault> {
    let volumes: NamedVolumes = value::<VolumesRecordV1, _>(input)?;
    check_all(&volumes.hurt)?;
    let mut clips = BTreeSet::new();
    for (clip, lanes) in &volumes.lanes {
        if !clips.insert(clip) {
            return Err(Fault::from(format!("clip {clip} has two sets of lanes")));
        }
        lanes.check().map_err(|reason| Fault::from(format!("clip {clip}: {reason}")))?;
    }
    Ok(volumes)
}
