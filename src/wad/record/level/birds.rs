//! Version 9 of a level: version 8 with birds.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::assets::level::{DecorShape, Level};
use crate::wad::record::Record;
use crate::wad::record::level::OrderedLevel;
use crate::wad::record::level::shapes::LevelRecordV8;
use crate::wad::record::stored::{Invalid, Stored};

/// Version 8 with the decor that is a flock of birds, which is a box there.
#[derive(Serialize, Deserialize)]
pub struct LevelRecordV9 {
    base: LevelRecordV8,
    /// Indices into the decor, rising.
    birds: Vec<u32>,
}

impl Record for LevelRecordV9 {
    const MAX_BYTES: usize = 0x100_0000;
}

impl Stored<LevelRecordV9> for OrderedLevel {
    fn to_record(&self) -> Result<LevelRecordV9, Invalid> {
        let decor = self.level.decor.iter().zip(0_u32..);
        let birds = decor.filter(|(decor, _)| decor.shape == DecorShape::Birds).map(|(_, at)| at);
        Ok(LevelRecordV9 { base: self.to_record()?, birds: birds.collect() })
    }

    fn from_record(record: LevelRecordV9) -> Result<OrderedLevel, Invalid> {
        let OrderedLevel { level, order } = Stored::from_record(record.base)?;
        let mut level: Level = Arc::unwrap_or_clone(level);
        let mut last = None;
        for at in record.birds {
            let is_next = last.replace(at).is_none_or(|last| last < at);
            let decor = usize::try_from(at).ok().and_then(|at| level.decor.get_mut(at));
            let Some(decor) = decor.filter(|decor| is_next && decor.shape == DecorShape::Box) else {
                return Err(Invalid::new(format!("the birds of decor {at} are out of order, or that is no box")));
            };
            decor.shape = DecorShape::Birds;
        }
        level.check()?;
        Ok(OrderedLevel { level: Arc::new(level), order })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assets::level::{Decor, Rect};

    #[test]
    fn birds_are_by_rising_index_and_of_boxes() {
        use DecorShape::{Birds, Box, Grass};
        let rect = Rect::new(0.0, 0.0, 1.0, 1.0);
        let decor = |shape: DecorShape| Decor { shape, rect, depth: 1.0, ..Decor::default() };
        let level = Level { decor: [Box, Grass, Birds].map(decor).to_vec(), ..Level::default() };
        let level = OrderedLevel { level: Arc::new(level), order: 3 };
        let record = || -> LevelRecordV9 { level.to_record().unwrap() };
        let read = |record| -> Result<OrderedLevel, Invalid> { Stored::from_record(record) };
        assert_eq!(record().birds, [2]);
        assert_eq!(read(record()).unwrap(), level);
        for birds in [&[1][..], &[0, 0], &[2, 0], &[3], &[u32::MAX]] {
            assert!(read(LevelRecordV9 { birds: birds.to_vec(), ..record() }).is_err(), "{birds:?}");
        }
    }
}
