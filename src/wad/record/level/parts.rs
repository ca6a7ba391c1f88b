//! What levels of all versions are made of: boxes, decor, colours, foes.

use serde::{Deserialize, Serialize};

use crate::assets::level::{Decor, DecorShape, FoeKind, FoeNature, FoePlace, LevelLook, Rect};
use crate::wad::record::stored::{Invalid, Stored, record};

/// min x, min y, max x, max y.
pub type RectRecordV1 = [f32; 4];

record! {
    struct DecorRecordV1 of Decor { shape: DecorShapeRecordV1, rect: RectRecordV1, z: f32, depth: f32, color: [u8; 3] }
}

/// Version 8 has the others beside it.
#[derive(Serialize, Deserialize)]
pub enum DecorShapeRecordV1 {
    Box,
    Pyramid,
    Round,
}

impl Stored<DecorShapeRecordV1> for DecorShape {
    fn to_record(&self) -> Result<DecorShapeRecordV1, Invalid> {
        Ok(match self {
            DecorShape::Pyramid => DecorShapeRecordV1::Pyramid,
            DecorShape::Round => DecorShapeRecordV1::Round,
            DecorShape::Box
            | DecorShape::Water
            | DecorShape::Banner
            | DecorShape::Grass
            | DecorShape::Flame
            | DecorShape::Birds => DecorShapeRecordV1::Box,
        })
    }

    fn from_record(record: DecorShapeRecordV1) -> Result<DecorShape, Invalid> {
        Ok(match record {
            DecorShapeRecordV1::Box => DecorShape::Box,
            DecorShapeRecordV1::Pyramid => DecorShape::Pyramid,
            DecorShapeRecordV1::Round => DecorShape::Round,
        })
    }
}

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

record! {
    struct FoeNatureRecordV4 of FoeNature { flies: bool, stabs: bool, poise: u16, becomes: String, below: f32 }
}

#[derive(Serialize, Deserialize)]
pub struct FoeKindRecordV2 {
    name: String,
    model: String,
    size: f32,
    health: u16,
    patrol: f32,
    notice: f32,
    reach: f32,
    pause: u16,
    speed: f32,
    chase: f32,
    mask: u32,
}

impl Stored<FoeKindRecordV2> for FoeKind {
    fn to_record(&self) -> Result<FoeKindRecordV2, Invalid> {
        let number = |name: &str, value: f32| value.to_record().map_err(|error: Invalid| error.within(name));
        // Version 4 has the nature beside it.
        let FoeKind { name, model, size, health, patrol, notice, reach, pause, speed, chase, mask, nature: _ } = self;
        Ok(FoeKindRecordV2 {
            name: name.clone(),
            model: model.clone(),
            size: number("size", *size)?,
            health: *health,
            patrol: number("patrol", *patrol)?,
            notice: number("notice", *notice)?,
            reach: number("reach", *reach)?,
            pause: *pause,
            speed: number("speed", *speed)?,
            chase: number("chase", *chase)?,
            mask: *mask,
        })
    }

    fn from_record(record: FoeKindRecordV2) -> Result<FoeKind, Invalid> {
        let number = |name: &str, value: f32| Stored::from_record(value).map_err(|error: Invalid| error.within(name));
        let FoeKindRecordV2 { name, model, size, health, patrol, notice, reach, pause, speed, chase, mask } = record;
        Ok(FoeKind {
            name,
            model,
            size: number("size", size)?,
            health,
            patrol: number("patrol", patrol)?,
            notice: number("notice", notice)?,
            reach: number("reach", reach)?,
            pause,
            speed: number("speed", speed)?,
            chase: number("chase", chase)?,
            mask,
            nature: FoeNature::default(),
        })
    }
}

record! { struct FoePlaceRecordV2 of FoePlace { kind: String, place: [f32; 2], faces_left: bool } }
