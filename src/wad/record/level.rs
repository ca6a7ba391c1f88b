//! LEVL: a level of the side-scroller. See docs/wad-format.md, "LEVL".

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::assets::level::{Decor, DecorShape, Level, LevelLook, Rect};
use crate::wad::error::Fault;
use crate::wad::record::stored::{Invalid, Stored, record};
use crate::wad::record::{Input, Record, write_value};

/// A level and its index among the levels of the archive.
#[derive(Clone, Debug)]
pub struct OrderedLevel {
    pub level: Arc<Level>,
    pub order: u32,
}

#[derive(Serialize, Deserialize)]
struct LevelRecordV1 {
    name: String,
    order: u32,
    solids: Vec<RectRecordV1>,
    platforms: Vec<RectRecordV1>,
    ladders: Vec<RectRecordV1>,
    spawn: [f32; 2],
    player: String,
    decor: Vec<DecorRecordV1>,
    look: LookRecordV1,
}

/// min x, min y, max x, max y.
type RectRecordV1 = [f32; 4];

record! {
    struct DecorRecordV1 of Decor { shape: DecorShapeRecordV1, rect: RectRecordV1, z: f32, depth: f32, color: [u8; 3] }
}

record! { enum DecorShapeRecordV1 of DecorShape { Box, Pyramid, Round } }

record! {
    /// sRGB.
    struct LookRecordV1 of LevelLook {
        sky_top: [u8; 3],
        sky_bottom: [u8; 3],
        solid: [u8; 3],
        ground: [u8; 3],
        wood: [u8; 3],
    }
}

impl Record for LevelRecordV1 {
    const MAX_BYTES: usize = 0x100_0000;
}

impl Stored<RectRecordV1> for Rect {
    fn to_record(&self) -> Result<RectRecordV1, Invalid> {
        [self.min.x, self.min.y, self.max.x, self.max.y].to_record()
    }

    fn from_record(record: RectRecordV1) -> Result<Rect, Invalid> {
        let [left, bottom, right, top] = Stored::from_record(record)?;
        let rect = Rect::new(left, bottom, right, top);
        match rect.is_valid() {
            true => Ok(rect),
            false => Err(Invalid::new(format!("the box {left} {bottom} {right} {top} has no area"))),
        }
    }
}

impl Stored<LevelRecordV1> for OrderedLevel {
    fn to_record(&self) -> Result<LevelRecordV1, Invalid> {
        let Level { name, solids, platforms, ladders, spawn, player, decor, look } = &*self.level;
        Ok(LevelRecordV1 {
            name: name.clone(),
            order: self.order,
            solids: solids.to_record()?,
            platforms: platforms.to_record()?,
            ladders: ladders.to_record()?,
            spawn: spawn.to_record()?,
            player: player.clone(),
            decor: decor.to_record()?,
            look: look.to_record()?,
        })
    }

    fn from_record(record: LevelRecordV1) -> Result<OrderedLevel, Invalid> {
        let LevelRecordV1 { name, order, solids, platforms, ladders, spawn, player, decor, look } = record;
        let level = Level {
            name,
            solids: Stored::from_record(solids)?,
            platforms: Stored::from_record(platforms)?,
            ladders: Stored::from_record(ladders)?,
            spawn: Stored::from_record(spawn)?,
            player,
            decor: Stored::from_record(decor)?,
            look: Stored::from_record(look)?,
        };
        match level.decor.iter().find(|decor| decor.depth <= 0.0) {
            Some(decor) => Err(Invalid::new(format!("the depth of a decoration is {}, not positive", decor.depth))),
            None => Ok(OrderedLevel { level: Arc::new(level), order }),
        }
    }
}

pub fn write(level: &OrderedLevel) -> Result<Vec<u8>, String> {
    write_value::<LevelRecordV1>(level)
}

pub fn read(input: Input<'_>) -> Result<OrderedLevel, Fault> {
    input.value::<LevelRecordV1, _>()
}

/// Whether both are the same shared level at the same index.
pub fn is_same(a: &OrderedLevel, b: &OrderedLevel) -> bool {
    Arc::ptr_eq(&a.level, &b.level) && a.order == b.order
}
