//! The best results of each level, in a small JSON file in the folder for application state. A missing or damaged file is no
//! error: there are no results then.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use xxhash_rust::xxh3::xxh3_64;

use keypose::assets::level::{Level, text};

use crate::app::files::{folders, regular_files, save};

/// The number of levels whose results are kept: those that were played last.
const MAX_LEVELS: usize = 200;

/// The result of a game, or the best ones of several, each figure for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Results {
    /// The time in ticks of 1/60 s.
    pub ticks: u64,
    /// The hits that the player took.
    pub hits: u64,
    /// The coins that it collected.
    pub coins: u64,
}

impl Results {
    /// The better one of each figure.
    pub fn best(self, other: Results) -> Results {
        Results {
            ticks: self.ticks.min(other.ticks),
            hits: self.hits.min(other.hits),
            coins: self.coins.max(other.coins),
        }
    }
}

/// Adds the result of a game to the file. Returns the best ones before it. What can't be written is dropped.
pub fn add(file: &Path, level: &Level, result: Results) -> Option<Results> {
    let before = load(file, level);
    let best = before.map_or(result, |before| before.best(result));
    let mut all = entries(file);
    let check = check(level);
    all.retain(|entry| entry["check"] != json!(check));
    let Results { ticks, hits, coins } = best;
    all.push(json!({ "level": level.name, "check": check, "ticks": ticks, "hits": hits, "coins": coins }));
    let surplus = all.len().saturating_sub(MAX_LEVELS);
    let text = format!("{:#}\n", json!({ "levels": &all[surplus..] }));
    if let Some(folder) = file.parent() {
        let _ = fs::create_dir_all(folder).and_then(|()| save::replace(file, text.as_bytes()));
    }
    before
}

/// The user's file. `None` if the system has no home folder.
pub fn file() -> Option<PathBuf> {
    Some(folders::state()?.join("results.json"))
}

/// The best results of a level. A level that was changed is another one.
pub fn load(file: &Path, level: &Level) -> Option<Results> {
    let check = check(level);
    let entry = entries(file).into_iter().find(|entry| entry["check"] == json!(check))?;
    let figure = |name: &str| entry[name].as_u64();
    Some(Results { ticks: figure("ticks")?, hits: figure("hits")?, coins: figure("coins")? })
}

/// The results in the file, oldest first.
fn entries(file: &Path) -> Vec<Value> {
    let value = regular_files::read(file, regular_files::MAX_TEXT_BYTES).ok();
    let value = value.and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok());
    value.and_then(|value| value["levels"].as_array().cloned()).unwrap_or_default()
}

/// A checksum of everything in a level.
fn check(level: &Level) -> String {
    format!("{:016x}", xxh3_64(text::write(level).as_bytes()))
}

/// "1:02.5", of ticks.
pub fn time(ticks: u64) -> String {
    let tenths = ticks / 6;
    format!("{}:{:02}.{}", tenths / 600, tenths / 10 % 60, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_of_each_figure_is_kept() {
        let (fast, clean) = (Results { ticks: 100, hits: 5, coins: 1 }, Results { ticks: 200, hits: 0, coins: 4 });
        assert_eq!(fast.best(clean), Results { ticks: 100, hits: 0, coins: 4 });
    }

    #[test]
    fn results_are_added_and_a_damaged_file_is_no_error() {
        let folder = std::env::temp_dir().join(format!("keypose-results-{}", std::process::id()));
        let (file, level) = (folder.join("results.json"), Level { name: "mill".into(), ..Level::default() });
        let (first, second) = (Results { ticks: 100, hits: 5, coins: 1 }, Results { ticks: 90, hits: 6, coins: 1 });
        assert_eq!(add(&file, &level, first), None);
        assert_eq!(add(&file, &Level::default(), second), None, "another level");
        assert_eq!(add(&file, &level, second), Some(first));
        assert_eq!(load(&file, &level), Some(Results { ticks: 90, hits: 5, coins: 1 }));
        fs::write(&file, "{\"levels\": [3").unwrap();
        assert_eq!(load(&file, &level), None);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn times_are_minutes_seconds_and_tenths() {
        assert_eq!([0, 5, 6, 3599, 3600, 7266].map(time), ["0:00.0", "0:00.0", "0:00.1", "0:59.9", "1:00.0", "2:01.1"]);
    }

    #[test]
    fn results_belong_to_a_level_and_its_content() {
        let level = Level { name: "mill".into(), ..Level::default() };
        let changed = Level { spawn: glam::Vec2::ONE, ..level.clone() };
        assert_ne!(check(&level), check(&changed));
        let missing = Path::new("no such folder/results.json");
        assert_eq!(load(missing, &level), None);
    }
}
