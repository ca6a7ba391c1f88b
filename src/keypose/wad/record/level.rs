//! LEVL: a level of the side-scroller. See docs/wad-format.md, "LEVL".

use std::sync::Arc;

use crate::assets::level::mover::Mover;
use crate::assets::level::slope::Slope;
use crate::assets::level::{Decor, DecorShape, FoeKind, FoeNature, FoePlace, Goal, Level, LevelLook, Rect};
use crate::wad::record::stored::{Invalid, Stored, record};

/// A level and its index among the levels of the archive.
#[derive(Clone, Debug, PartialEq)]
pub struct OrderedLevel {
    pub level: Arc<Level>,
    pub order: u32,
}

record! { struct OrderedLevelRecordV1 of OrderedLevel { order: u32, level: LevelRecordV1 } }

record! {
    struct LevelRecordV1 of Level checked {
        name: String,
        solids: Vec<RectRecordV1>,
        slopes: Vec<SlopeRecordV1>,
        platforms: Vec<RectRecordV1>,
        movers: Vec<MoverRecordV1>,
        spikes: Vec<RectRecordV1>,
        ladders: Vec<RectRecordV1>,
        spawn: [f32; 2],
        player: String,
        decor: Vec<DecorRecordV1>,
        look: LookRecordV1,
        kinds: Vec<FoeKindRecordV1>,
        foes: Vec<FoePlaceRecordV1>,
        checkpoints: Vec<[f32; 2]>,
        coins: Vec<[f32; 2]>,
        goal: Option<GoalRecordV1>,
    }
}

/// min x, min y, max x, max y.
type RectRecordV1 = [f32; 4];

record! { struct SlopeRecordV1 of Slope { rect: RectRecordV1, rises_left: bool } }
record! { struct MoverRecordV1 of Mover { rect: RectRecordV1, way: [f32; 2], secs: f32, pause: f32 } }
record! { struct GoalRecordV1 of Goal { rect: RectRecordV1, after: String } }

record! {
    struct DecorRecordV1 of Decor { shape: DecorShapeRecordV1, rect: RectRecordV1, z: f32, depth: f32, color: [u8; 3] }
}

record! { enum DecorShapeRecordV1 of DecorShape { Box, Pyramid, Round, Water, Banner, Grass, Flame, Birds } }

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

record! {
    struct FoeKindRecordV1 of FoeKind {
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
        nature: FoeNatureRecordV1,
    }
}

record! {
    struct FoeNatureRecordV1 of FoeNature { flies: bool, stabs: bool, poise: u16, becomes: String, below: f32 }
}

record! { struct FoePlaceRecordV1 of FoePlace { kind: String, place: [f32; 2], faces_left: bool } }

impl Stored<RectRecordV1> for Rect {
    fn to_record(&self) -> Result<RectRecordV1, Invalid> {
        [self.min.x, self.min.y, self.max.x, self.max.y].to_record()
    }

    fn from_record(record: RectRecordV1) -> Result<Rect, Invalid> {
        let [left, bottom, right, top] = Stored::from_record(record)?;
        let rect = Rect::new(left, bottom, right, top);
        if !rect.is_valid() {
            return Err(Invalid::new(format!("the box {left} {bottom} {right} {top} has no area")));
        }
        Ok(rect)
    }
}

/// Whether both are the same shared level at the same index.
pub fn is_same(a: &OrderedLevel, b: &OrderedLevel) -> bool {
    Arc::ptr_eq(&a.level, &b.level) && a.order == b.order
}
