//! LEVL: a level of the side-scroller. Version 1 has no foes and nothing to reach, version 2 no spikes, version 3 no
//! natures of foes. See docs/wad-format.md, "LEVL".

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::assets::level::{Decor, DecorShape, FoeKind, FoeNature, FoePlace, Level, LevelLook, Rect};
use crate::wad::error::Fault;
use crate::wad::record::stored::{Invalid, Stored, record};
use crate::wad::record::{Input, Record, write_value};

/// A level and its index among the levels of the archive.
#[derive(Clone, Debug, PartialEq)]
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

/// Version 1 with foes and what is to be reached.
#[derive(Serialize, Deserialize)]
struct LevelRecordV2 {
    base: LevelRecordV1,
    kinds: Vec<FoeKindRecordV2>,
    foes: Vec<FoePlaceRecordV2>,
    checkpoints: Vec<[f32; 2]>,
    coins: Vec<[f32; 2]>,
    goal: Option<RectRecordV1>,
}

/// Version 2 with spikes.
#[derive(Serialize, Deserialize)]
struct LevelRecordV3 {
    base: LevelRecordV2,
    spikes: Vec<RectRecordV1>,
}

/// Version 3 with the natures of foes.
#[derive(Serialize, Deserialize)]
struct LevelRecordV4 {
    base: LevelRecordV3,
    /// One for each kind.
    natures: Vec<FoeNatureRecordV4>,
}

record! {
    struct FoeNatureRecordV4 of FoeNature { flies: bool, stabs: bool, poise: u16, becomes: String, below: f32 }
}

#[derive(Serialize, Deserialize)]
struct FoeKindRecordV2 {
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

impl Record for LevelRecordV2 {
    const MAX_BYTES: usize = 0x100_0000;
}

impl Record for LevelRecordV3 {
    const MAX_BYTES: usize = 0x100_0000;
}

impl Record for LevelRecordV4 {
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

impl Stored<LevelRecordV2> for OrderedLevel {
    fn to_record(&self) -> Result<LevelRecordV2, Invalid> {
        let Level {
            name,
            solids,
            platforms,
            ladders,
            spawn,
            player,
            decor,
            look,
            kinds,
            foes,
            checkpoints,
            coins,
            goal,
            // Version 3 has them beside this record.
            spikes: _,
        } = &*self.level;
        let base = LevelRecordV1 {
            name: name.clone(),
            order: self.order,
            solids: solids.to_record()?,
            platforms: platforms.to_record()?,
            ladders: ladders.to_record()?,
            spawn: spawn.to_record()?,
            player: player.clone(),
            decor: decor.to_record()?,
            look: look.to_record()?,
        };
        Ok(LevelRecordV2 {
            base,
            kinds: kinds.to_record()?,
            foes: foes.to_record()?,
            checkpoints: checkpoints.to_record()?,
            coins: coins.to_record()?,
            goal: goal.to_record()?,
        })
    }

    fn from_record(record: LevelRecordV2) -> Result<OrderedLevel, Invalid> {
        let LevelRecordV2 { base, kinds, foes, checkpoints, coins, goal } = record;
        let OrderedLevel { level, order } = of_version_1(base)?;
        let level = Level {
            kinds: Stored::from_record(kinds)?,
            foes: Stored::from_record(foes)?,
            checkpoints: Stored::from_record(checkpoints)?,
            coins: Stored::from_record(coins)?,
            goal: Stored::from_record(goal)?,
            ..Arc::unwrap_or_clone(level)
        };
        level.check()?;
        Ok(OrderedLevel { level: Arc::new(level), order })
    }
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

fn of_version_1(record: LevelRecordV1) -> Result<OrderedLevel, Invalid> {
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
        ..Level::default()
    };
    Ok(OrderedLevel { level: Arc::new(level), order })
}

/// The version that stores a level.
pub fn version_of(level: &OrderedLevel) -> u16 {
    let has_nature = level.level.kinds.iter().any(|kind| kind.nature != FoeNature::default());
    match level.level.spikes.is_empty() {
        _ if has_nature => 4,
        true => 2,
        false => 3,
    }
}

pub fn write(level: &OrderedLevel) -> Result<Vec<u8>, String> {
    match version_of(level) {
        2 => write_value::<LevelRecordV2>(level),
        3 => write_value::<LevelRecordV3>(level),
        _ => write_value::<LevelRecordV4>(level),
    }
}

pub fn read(input: Input<'_>) -> Result<OrderedLevel, Fault> {
    match input.version {
        1 => {
            let level = of_version_1(input.record()?)?;
            level.level.check()?;
            Ok(level)
        }
        2 => input.value::<LevelRecordV2, _>(),
        3 => input.value::<LevelRecordV3, _>(),
        _ => input.value::<LevelRecordV4, _>(),
    }
}

/// Whether both are the same shared level at the same index.
pub fn is_same(a: &OrderedLevel, b: &OrderedLevel) -> bool {
    Arc::ptr_eq(&a.level, &b.level) && a.order == b.order
}
