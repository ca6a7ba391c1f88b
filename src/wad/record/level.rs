//! LEVL: a level of the side-scroller.

use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::assets::level::{Decor, DecorShape, Level, LevelLook, Rect};
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
    decor: Vec<DecorRecordV1>,
    look: LookRecordV1,
}

#[derive(Serialize, Deserialize)]
struct DecorRecordV1 {
    shape: DecorShapeRecordV1,
    rect: RectRecordV1,
    z: f32,
    depth: f32,
    color: [u8; 3],
}

#[derive(Serialize, Deserialize)]
enum DecorShapeRecordV1 {
    Box,
    Pyramid,
    Round,
}

/// sRGB.
#[derive(Serialize, Deserialize)]
struct LookRecordV1 {
    sky_top: [u8; 3],
    sky_bottom: [u8; 3],
    solid: [u8; 3],
    ground: [u8; 3],
    wood: [u8; 3],
}

/// min x, min y, max x, max y.
type RectRecordV1 = [f32; 4];

impl Record for LevelRecordV1 {
    const MAX_BYTES: usize = 0x100_0000;
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
        decor: level.decor.iter().map(write_decor).collect::<Result<_, _>>()?,
        look: write_look(&level.look),
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
        decor: record.decor.into_iter().map(read_decor).collect::<Result<_, _>>()?,
        look: read_look(&record.look),
    };
    Ok((level, record.order))
}

fn write_rects(rects: &[Rect]) -> Result<Vec<RectRecordV1>, String> {
    rects.iter().map(write_rect).collect()
}

fn write_rect(rect: &Rect) -> Result<RectRecordV1, String> {
    finite([rect.min.x, rect.min.y, rect.max.x, rect.max.y], "boxes")
}

fn read_rects(rects: &[RectRecordV1]) -> Result<Vec<Rect>, String> {
    rects.iter().map(|&rect| read_rect(rect)).collect()
}

fn read_rect(rect: RectRecordV1) -> Result<Rect, String> {
    let [left, bottom, right, top] = finite(rect, "boxes")?;
    let rect = Rect::new(left, bottom, right, top);
    match rect.is_valid() {
        true => Ok(rect),
        false => Err(format!("the box {left} {bottom} {right} {top} has no area")),
    }
}

fn write_decor(decor: &Decor) -> Result<DecorRecordV1, String> {
    let [z, depth] = finite([decor.z, decor.depth], "decoration")?;
    let shape = match decor.shape {
        DecorShape::Box => DecorShapeRecordV1::Box,
        DecorShape::Pyramid => DecorShapeRecordV1::Pyramid,
        DecorShape::Round => DecorShapeRecordV1::Round,
    };
    Ok(DecorRecordV1 { shape, rect: write_rect(&decor.rect)?, z, depth, color: decor.color })
}

fn read_decor(record: DecorRecordV1) -> Result<Decor, String> {
    let [z, depth] = finite([record.z, record.depth], "decoration")?;
    if depth <= 0.0 {
        return Err(format!("a decoration is {depth} deep"));
    }
    let shape = match record.shape {
        DecorShapeRecordV1::Box => DecorShape::Box,
        DecorShapeRecordV1::Pyramid => DecorShape::Pyramid,
        DecorShapeRecordV1::Round => DecorShape::Round,
    };
    Ok(Decor { shape, rect: read_rect(record.rect)?, z, depth, color: record.color })
}

fn write_look(look: &LevelLook) -> LookRecordV1 {
    let LevelLook { sky_top, sky_bottom, solid, ground, wood } = *look;
    LookRecordV1 { sky_top, sky_bottom, solid, ground, wood }
}

fn read_look(record: &LookRecordV1) -> LevelLook {
    let LookRecordV1 { sky_top, sky_bottom, solid, ground, wood } = *record;
    LevelLook { sky_top, sky_bottom, solid, ground, wood }
}
