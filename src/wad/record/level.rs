//! LEVL: a level of the side-scroller.

use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::assets::level::{Level, Rect};
use crate::wad::error::Fault;
use crate::wad::record::{Record, finite, from_bytes, to_bytes};
use crate::wad::sections::{join, split};

#[derive(Serialize, Deserialize)]
struct LevelRecordV1 {
    name: String,
    /// Its place among the levels.
    order: u32,
    solids: Vec<RectRecordV1>,
    platforms: Vec<RectRecordV1>,
    ladders: Vec<RectRecordV1>,
    spawn: [f32; 2],
    player: String,
}

/// min x, min y, max x, max y.
type RectRecordV1 = [f32; 4];

impl Record for LevelRecordV1 {
    const MOST_BYTES: usize = 0x100_0000;
}

pub fn write(level: &Level, order: u32) -> Result<Vec<u8>, String> {
    let record = LevelRecordV1 {
        name: level.name.clone(),
        order,
        solids: write_rects(&level.solids)?,
        platforms: write_rects(&level.platforms)?,
        ladders: write_rects(&level.ladders)?,
        spawn: finite(level.spawn.to_array(), "spawn")?,
        player: level.player.clone(),
    };
    join(&to_bytes(&record)?, &[])
}

/// The level and its place.
pub fn read(bytes: &[u8]) -> Result<(Level, u32), Fault> {
    let parts = split(bytes)?;
    let record: LevelRecordV1 = from_bytes(parts.record)?;
    parts.end()?;
    let level = Level {
        name: record.name,
        solids: read_rects(&record.solids)?,
        platforms: read_rects(&record.platforms)?,
        ladders: read_rects(&record.ladders)?,
        spawn: Vec2::from_array(finite(record.spawn, "spawn")?),
        player: record.player,
    };
    Ok((level, record.order))
}

fn write_rects(rects: &[Rect]) -> Result<Vec<RectRecordV1>, String> {
    let rect = |rect: &Rect| finite([rect.min.x, rect.min.y, rect.max.x, rect.max.y], "boxes");
    rects.iter().map(rect).collect()
}

fn read_rects(rects: &[RectRecordV1]) -> Result<Vec<Rect>, String> {
    let rect = |&rect: &RectRecordV1| {
        let [left, bottom, right, top] = finite(rect, "boxes")?;
        match left < right && bottom < top {
            true => Ok(Rect { min: Vec2::new(left, bottom), max: Vec2::new(right, top) }),
            false => Err(format!("the box {left} {bottom} {right} {top} has no area")),
        }
    };
    rects.iter().map(rect).collect()
}
