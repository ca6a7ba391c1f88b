//! Versions 1 and 2 of a level: without foes and what is to be reached, and with them.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::assets::level::{Goal, Level};
use crate::wad::record::Record;
use crate::wad::record::level::OrderedLevel;
use crate::wad::record::level::parts::{DecorRecordV1, FoeKindRecordV2, FoePlaceRecordV2, LookRecordV1, RectRecordV1};
use crate::wad::record::stored::{Invalid, Stored};

#[derive(Serialize, Deserialize)]
pub struct LevelRecordV1 {
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
pub struct LevelRecordV2 {
    base: LevelRecordV1,
    kinds: Vec<FoeKindRecordV2>,
    foes: Vec<FoePlaceRecordV2>,
    checkpoints: Vec<[f32; 2]>,
    coins: Vec<[f32; 2]>,
    goal: Option<RectRecordV1>,
}

impl Record for LevelRecordV1 {
    const MAX_BYTES: usize = 0x100_0000;
}

impl Record for LevelRecordV2 {
    const MAX_BYTES: usize = 0x100_0000;
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
            // Versions 3, 6 and 7 have them beside this record.
            spikes: _,
            slopes: _,
            movers: _,
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
            goal: goal.as_ref().map(|goal| goal.rect).to_record()?,
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
            goal: Option::from_record(goal)?.map(Goal::open),
            ..Arc::unwrap_or_clone(level)
        };
        level.check()?;
        Ok(OrderedLevel { level: Arc::new(level), order })
    }
}

pub fn of_version_1(record: LevelRecordV1) -> Result<OrderedLevel, Invalid> {
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
