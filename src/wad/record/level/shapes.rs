//! Version 8 of a level: version 7 with decor that moves.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::assets::level::{DecorShape, Level};
use crate::wad::record::Record;
use crate::wad::record::level::OrderedLevel;
use crate::wad::record::level::later::LevelRecordV7;
use crate::wad::record::stored::{Invalid, Stored};

/// Version 7 with the shapes of decor that moves, which is a box there.
#[derive(Serialize, Deserialize)]
pub struct LevelRecordV8 {
    base: LevelRecordV7,
    /// By rising index.
    shapes: Vec<MovingRecordV8>,
}

/// A piece of decor that moves.
#[derive(Serialize, Deserialize)]
struct MovingRecordV8 {
    /// Index into the decor.
    at: u32,
    shape: MovingShapeRecordV8,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
enum MovingShapeRecordV8 {
    Water,
    Banner,
    Grass,
    Flame,
}

impl Record for LevelRecordV8 {
    const MAX_BYTES: usize = 0x100_0000;
}

/// Whether versions before this one can't store a shape.
pub fn is_moving(shape: DecorShape) -> bool {
    moving(shape).is_some()
}

fn moving(shape: DecorShape) -> Option<MovingShapeRecordV8> {
    match shape {
        DecorShape::Box | DecorShape::Pyramid | DecorShape::Round | DecorShape::Birds => None,
        DecorShape::Water => Some(MovingShapeRecordV8::Water),
        DecorShape::Banner => Some(MovingShapeRecordV8::Banner),
        DecorShape::Grass => Some(MovingShapeRecordV8::Grass),
        DecorShape::Flame => Some(MovingShapeRecordV8::Flame),
    }
}

impl Stored<LevelRecordV8> for OrderedLevel {
    fn to_record(&self) -> Result<LevelRecordV8, Invalid> {
        let shapes = self.level.decor.iter().zip(0_u32..);
        let shapes = shapes.filter_map(|(decor, at)| Some(MovingRecordV8 { at, shape: moving(decor.shape)? }));
        Ok(LevelRecordV8 { base: self.to_record()?, shapes: shapes.collect() })
    }

    fn from_record(record: LevelRecordV8) -> Result<OrderedLevel, Invalid> {
        let OrderedLevel { level, order } = Stored::from_record(record.base)?;
        let mut level: Level = Arc::unwrap_or_clone(level);
        let mut last = None;
        for MovingRecordV8 { at, shape } in record.shapes {
            let is_next = last.replace(at).is_none_or(|last| last < at);
            let decor = usize::try_from(at).ok().and_then(|at| level.decor.get_mut(at));
            let Some(decor) = decor.filter(|decor| is_next && decor.shape == DecorShape::Box) else {
                return Err(Invalid::new(format!("the shape of decor {at} is out of order, or that is no box")));
            };
            decor.shape = match shape {
                MovingShapeRecordV8::Water => DecorShape::Water,
                MovingShapeRecordV8::Banner => DecorShape::Banner,
                MovingShapeRecordV8::Grass => DecorShape::Grass,
                MovingShapeRecordV8::Flame => DecorShape::Flame,
            };
        }
        level.check()?;
        Ok(OrderedLevel { level: Arc::new(level), order })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assets::level::{Decor, Rect};

    fn record(shapes: &[DecorShape], indices: &[u32]) -> LevelRecordV8 {
        let rect = Rect::new(0.0, 0.0, 1.0, 1.0);
        let decor = shapes.iter().map(|&shape| Decor { shape, rect, depth: 1.0, ..Decor::default() }).collect();
        let level = OrderedLevel { level: Arc::new(Level { decor, ..Level::default() }), order: 0 };
        let record: LevelRecordV8 = level.to_record().unwrap();
        let shape = MovingShapeRecordV8::Grass;
        LevelRecordV8 { shapes: indices.iter().map(|&at| MovingRecordV8 { at, shape }).collect(), ..record }
    }

    #[test]
    fn shapes_are_by_rising_index_and_of_boxes() {
        use DecorShape::{Box, Grass, Round};
        let read = |record| -> Result<OrderedLevel, Invalid> { Stored::from_record(record) };
        let level = read(record(&[Box, Round, Grass], &[2])).unwrap();
        assert_eq!(level.level.decor.iter().map(|decor| decor.shape).collect::<Vec<_>>(), [Box, Round, Grass]);
        for indices in [&[1][..], &[0, 0], &[2, 0], &[3], &[u32::MAX]] {
            assert!(read(record(&[Box, Round, Box], indices)).is_err(), "{indices:?}");
        }
    }
}
