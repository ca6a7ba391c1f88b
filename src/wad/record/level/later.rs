//! Versions 3 to 7 of a level: each one has the version before it as its base, and something beside it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::assets::level::Level;
use crate::assets::level::mover::Mover;
use crate::assets::level::slope::Slope;
use crate::wad::record::Record;
use crate::wad::record::level::OrderedLevel;
use crate::wad::record::level::first::LevelRecordV2;
use crate::wad::record::level::parts::{FoeNatureRecordV4, RectRecordV1};
use crate::wad::record::stored::{Invalid, Stored, record};

/// Version 2 with spikes.
#[derive(Serialize, Deserialize)]
pub struct LevelRecordV3 {
    base: LevelRecordV2,
    spikes: Vec<RectRecordV1>,
}

/// Version 3 with the natures of foes.
#[derive(Serialize, Deserialize)]
pub struct LevelRecordV4 {
    base: LevelRecordV3,
    /// One for each kind.
    natures: Vec<FoeNatureRecordV4>,
}

/// Version 4 with a condition of the goal.
#[derive(Serialize, Deserialize)]
pub struct LevelRecordV5 {
    base: LevelRecordV4,
    /// The name of the kind of foe that keeps the goal closed; not empty.
    after: String,
}

/// Version 5 with slopes, and without one of its conditions: the goal may be open.
#[derive(Serialize, Deserialize)]
pub struct LevelRecordV6 {
    base: LevelRecordV4,
    /// The name of the kind of foe that keeps the goal closed; empty for none, and without a goal.
    after: String,
    slopes: Vec<SlopeRecordV6>,
}

/// Version 6 with platforms that move.
#[derive(Serialize, Deserialize)]
pub struct LevelRecordV7 {
    base: LevelRecordV6,
    movers: Vec<MoverRecordV7>,
}

record! { struct MoverRecordV7 of Mover { rect: RectRecordV1, way: [f32; 2], secs: f32, pause: f32 } }

record! { struct SlopeRecordV6 of Slope { rect: RectRecordV1, rises_left: bool } }

impl Record for LevelRecordV3 {
    const MAX_BYTES: usize = 0x100_0000;
}

impl Record for LevelRecordV4 {
    const MAX_BYTES: usize = 0x100_0000;
}

impl Record for LevelRecordV5 {
    const MAX_BYTES: usize = 0x100_0000;
}

impl Record for LevelRecordV6 {
    const MAX_BYTES: usize = 0x100_0000;
}

impl Record for LevelRecordV7 {
    const MAX_BYTES: usize = 0x100_0000;
}

impl Stored<LevelRecordV3> for OrderedLevel {
    fn to_record(&self) -> Result<LevelRecordV3, Invalid> {
        Ok(LevelRecordV3 { base: self.to_record()?, spikes: self.level.spikes.to_record()? })
    }

    fn from_record(record: LevelRecordV3) -> Result<OrderedLevel, Invalid> {
        let OrderedLevel { level, order } = Stored::from_record(record.base)?;
        let level = Level { spikes: Stored::from_record(record.spikes)?, ..Arc::unwrap_or_clone(level) };
        level.check()?;
        Ok(OrderedLevel { level: Arc::new(level), order })
    }
}

impl Stored<LevelRecordV4> for OrderedLevel {
    fn to_record(&self) -> Result<LevelRecordV4, Invalid> {
        let natures = self.level.kinds.iter().map(|kind| kind.nature.to_record()).collect::<Result<_, _>>()?;
        Ok(LevelRecordV4 { base: self.to_record()?, natures })
    }

    fn from_record(record: LevelRecordV4) -> Result<OrderedLevel, Invalid> {
        let OrderedLevel { level, order } = Stored::from_record(record.base)?;
        let mut level = Arc::unwrap_or_clone(level);
        if level.kinds.len() != record.natures.len() {
            let (natures, kinds) = (record.natures.len(), level.kinds.len());
            return Err(Invalid::new(format!("{natures} natures of {kinds} kinds of foes")));
        }
        for (kind, nature) in level.kinds.iter_mut().zip(record.natures) {
            kind.nature = Stored::from_record(nature)?;
        }
        level.check()?;
        Ok(OrderedLevel { level: Arc::new(level), order })
    }
}

impl Stored<LevelRecordV5> for OrderedLevel {
    fn to_record(&self) -> Result<LevelRecordV5, Invalid> {
        Ok(LevelRecordV5 { base: self.to_record()?, after: after(&self.level) })
    }

    fn from_record(record: LevelRecordV5) -> Result<OrderedLevel, Invalid> {
        if record.after.is_empty() {
            return Err(Invalid::new("a condition of the goal without a name"));
        }
        guarded(Stored::from_record(record.base)?, record.after)
    }
}

impl Stored<LevelRecordV6> for OrderedLevel {
    fn to_record(&self) -> Result<LevelRecordV6, Invalid> {
        let slopes = self.level.slopes.to_record()?;
        Ok(LevelRecordV6 { base: self.to_record()?, after: after(&self.level), slopes })
    }

    fn from_record(record: LevelRecordV6) -> Result<OrderedLevel, Invalid> {
        let OrderedLevel { level, order } = guarded(Stored::from_record(record.base)?, record.after)?;
        let level = Level { slopes: Stored::from_record(record.slopes)?, ..Arc::unwrap_or_clone(level) };
        level.check()?;
        Ok(OrderedLevel { level: Arc::new(level), order })
    }
}

impl Stored<LevelRecordV7> for OrderedLevel {
    fn to_record(&self) -> Result<LevelRecordV7, Invalid> {
        Ok(LevelRecordV7 { base: self.to_record()?, movers: self.level.movers.to_record()? })
    }

    fn from_record(record: LevelRecordV7) -> Result<OrderedLevel, Invalid> {
        let OrderedLevel { level, order } = Stored::from_record(record.base)?;
        let level = Level { movers: Stored::from_record(record.movers)?, ..Arc::unwrap_or_clone(level) };
        level.check()?;
        Ok(OrderedLevel { level: Arc::new(level), order })
    }
}

fn after(level: &Level) -> String {
    level.goal.as_ref().map(|goal| goal.after.clone()).unwrap_or_default()
}

/// A level whose goal waits for a kind of foe, if the name is not empty.
fn guarded(ordered: OrderedLevel, after: String) -> Result<OrderedLevel, Invalid> {
    if after.is_empty() {
        return Ok(ordered);
    }
    let mut level = Arc::unwrap_or_clone(ordered.level);
    match &mut level.goal {
        Some(goal) => goal.after = after,
        None => return Err(Invalid::new("a condition of the goal without a goal")),
    }
    Ok(OrderedLevel { level: Arc::new(level), order: ordered.order })
}
