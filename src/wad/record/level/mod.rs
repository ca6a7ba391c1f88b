//! LEVL: a level of the side-scroller. A level is stored as the first version that has all of it. See docs/wad-format.md, "LEVL".

use std::sync::Arc;

use crate::assets::level::{DecorShape, FoeNature, Level};
use crate::wad::error::Fault;
use crate::wad::record::level::birds::LevelRecordV9;
use crate::wad::record::level::first::{LevelRecordV2, of_version_1};
use crate::wad::record::level::later::{LevelRecordV3, LevelRecordV4, LevelRecordV5, LevelRecordV6, LevelRecordV7};
use crate::wad::record::level::shapes::{LevelRecordV8, is_moving};
use crate::wad::record::{Input, write_value};

mod birds;
mod first;
mod later;
mod parts;
mod shapes;

/// A level and its index among the levels of the archive.
#[derive(Clone, Debug, PartialEq)]
pub struct OrderedLevel {
    pub level: Arc<Level>,
    pub order: u32,
}

/// The version that stores a level.
pub fn version_of(level: &OrderedLevel) -> u16 {
    let Level { decor, goal, kinds, movers, slopes, spikes, .. } = &*level.level;
    let since = |version: u16, is_needed: bool| if is_needed { version } else { 2 };
    let needed = [
        since(3, !spikes.is_empty()),
        since(4, kinds.iter().any(|kind| kind.nature != FoeNature::default())),
        since(5, goal.as_ref().is_some_and(|goal| !goal.after.is_empty())),
        since(6, !slopes.is_empty()),
        since(7, !movers.is_empty()),
        since(8, decor.iter().any(|decor| is_moving(decor.shape))),
        since(9, decor.iter().any(|decor| decor.shape == DecorShape::Birds)),
    ];
    needed.into_iter().max().unwrap_or(2)
}

pub fn write(level: &OrderedLevel) -> Result<Vec<u8>, String> {
    match version_of(level) {
        2 => write_value::<LevelRecordV2>(level),
        3 => write_value::<LevelRecordV3>(level),
        4 => write_value::<LevelRecordV4>(level),
        5 => write_value::<LevelRecordV5>(level),
        6 => write_value::<LevelRecordV6>(level),
        7 => write_value::<LevelRecordV7>(level),
        8 => write_value::<LevelRecordV8>(level),
        _ => write_value::<LevelRecordV9>(level),
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
        4 => input.value::<LevelRecordV4, _>(),
        5 => input.value::<LevelRecordV5, _>(),
        6 => input.value::<LevelRecordV6, _>(),
        7 => input.value::<LevelRecordV7, _>(),
        8 => input.value::<LevelRecordV8, _>(),
        _ => input.value::<LevelRecordV9, _>(),
    }
}

/// Whether both are the same shared level at the same index.
pub fn is_same(a: &OrderedLevel, b: &OrderedLevel) -> bool {
    Arc::ptr_eq(&a.level, &b.level) && a.order == b.order
}
