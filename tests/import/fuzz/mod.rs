//! A loop of mutations over the targets of `fuzz/`: none panics or needs more than 560 MiB, and accepted input is valid. The
//! inputs are the same on every machine. `KEYPOSE_FUZZ_RUNS` sets the number of runs of each target, `KEYPOSE_FUZZ_SEED` the
//! first seed, `KEYPOSE_FUZZ_TARGET` the only target to run.

mod mutate;
mod seeds;
#[path = "../../../fuzz/targets.rs"]
#[allow(dead_code)]
pub mod targets;

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use targets::{ALL, Target};

use crate::allocator;
use crate::editor_kit::dice::Dice;
use crate::root::root;

/// No input may take more at once: an image of the maximum size twice, while its pixels become RGBA.
const MAX_MEMORY: isize = 560 << 20;

fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// What all runs of a target came to.
#[derive(Default)]
struct Sum {
    runs: u64,
    accepted: u64,
    most_bytes: isize,
    longest: Duration,
}

impl Sum {
    /// Runs the target; what breaks a promise is kept in a file that the message names.
    fn try_one(&mut self, target: &Target, bytes: &[u8]) -> bool {
        let start = Instant::now();
        let (accepted, peak) = allocator::peak_of(|| catch_unwind(AssertUnwindSafe(|| (target.run)(bytes))));
        let took = start.elapsed();
        if took > self.longest {
            self.longest = took;
            if setting("KEYPOSE_FUZZ_RUNS").is_some() && took > Duration::from_millis(500) {
                println!("{}: {took:?} for {}", target.name, kept(target, "slow", bytes).display());
            }
        }
        self.runs += 1;
        self.most_bytes = self.most_bytes.max(peak);
        let Ok(accepted) = accepted else { panic!("it panics: {}", kept(target, "panic", bytes).display()) };
        assert!(peak <= MAX_MEMORY, "{peak} bytes of memory: {}", kept(target, "memory", bytes).display());
        self.accepted += u64::from(accepted);
        accepted
    }
}

fn kept(target: &Target, why: &str, bytes: &[u8]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz").join(target.name);
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(format!("{why}-{:08x}", targets::crc(bytes)));
    fs::write(&path, bytes).unwrap();
    path
}

fn fuzz(name: &str, runs: u64) {
    let target = ALL.iter().find(|target| target.name == name).unwrap();
    if std::env::var("KEYPOSE_FUZZ_TARGET").is_ok_and(|wanted| wanted != name) {
        return;
    }
    let runs = setting("KEYPOSE_FUZZ_RUNS").unwrap_or(runs);
    let mut dice = Dice(setting("KEYPOSE_FUZZ_SEED").unwrap_or(1));
    let (seeds, dictionary, mut sum) = (seeds::of(target), seeds::dictionary(target), Sum::default());
    // What is accepted is changed further, for a while.
    let mut pool = seeds.clone();
    for run in 0..runs {
        // The small ones more often: they are quick.
        let mut bytes = pool[dice.below(pool.len()).min(dice.below(pool.len()))].clone();
        if dice.below(12) == 0 {
            bytes = mutate::crossed(&mut dice, &bytes, &seeds[run as usize % seeds.len()]);
        }
        if dictionary.is_empty() || dice.below(4) == 0 {
            mutate::bytes(&mut dice, &mut bytes);
        } else {
            mutate::words(&mut dice, &mut bytes, &dictionary);
        }
        if dice.below(4) != 0 {
            (target.forge)(&mut bytes);
        }
        if sum.try_one(target, &bytes) && dice.below(8) == 0 && bytes.len() < 1 << 15 {
            if pool.len() < 64 {
                pool.push(bytes);
            } else {
                let place = seeds.len() + dice.below(64 - seeds.len());
                pool[place] = bytes;
            }
        }
    }
    let Sum { accepted, most_bytes, longest, .. } = sum;
    println!("{name}: {runs} runs, {accepted} accepted, at most {} KiB and {longest:?}", most_bytes >> 10);
    assert!(accepted < runs, "nothing was refused");
}

/// A test for each target, with the number of runs in a plain `cargo test`: some seconds each without optimisation.
macro_rules! fuzz_tests {
    ($($test:ident: $target:literal, $runs:literal;)*) => {
        $(
            #[test]
            fn $test() {
                fuzz($target, $runs);
            }
        )*
    };
}

fuzz_tests! {
    random_archives: "archive", 700;
    random_archives_are_salvaged: "salvage", 1000;
    random_records: "record", 1300;
    random_journals: "journal", 1300;
    random_gltf: "gltf", 1300;
    random_fbx: "fbx", 500;
    random_collada: "collada", 1000;
    random_obj: "obj", 3000;
    random_bvh: "bvh", 3000;
    random_images: "image", 1300;
    random_scripts: "script", 2000;
    random_patches: "patch", 1000;
    random_journals_are_recovered: "recovery", 300;
    random_messages: "follow", 20_000;
    random_preferences: "preferences", 4000;
    random_texts_of_levels: "level", 4000;
    random_texts_of_clips: "clip", 2000;
    random_sounds: "sound", 4000;
    random_machines_are_played: "machine", 700;
    random_films: "film", 1000;
    random_recordings: "recording", 4000;
}

/// Targets that play, draw or edit what they read.
const SLOW: [&str; 5] = ["film", "gltf", "machine", "patch", "script"];

/// Tries damage at every byte of small inputs and at every 61st of others, but not at far more than `places` of an input; `KEYPOSE_FULL=1`
/// tries all. Archives are tried in `tests/runtime/wad/forge.rs`.
fn damage(places: usize, is_chosen: impl Fn(&str) -> bool) {
    let is_full = std::env::var_os("KEYPOSE_FULL").is_some();
    let elsewhere = ["archive", "salvage", "recovery"];
    for target in ALL.iter().filter(|target| !elsewhere.contains(&target.name) && is_chosen(target.name)) {
        let (start, mut sum) = (Instant::now(), Sum::default());
        for good in seeds::of(target) {
            let step = match good.len() {
                _ if is_full => 1,
                length if length < 300 => (length / places).max(1),
                length => (length / places).max(61),
            };
            mutate::every(&good, step, |mut bytes| {
                sum.try_one(target, &bytes);
                let plain = bytes.clone();
                (target.forge)(&mut bytes);
                if bytes != plain {
                    sum.try_one(target, &bytes);
                }
            });
        }
        println!("{}: {} damages, {} accepted, in {:?}", target.name, sum.runs, sum.accepted, start.elapsed());
        assert!(sum.accepted < sum.runs);
    }
}

#[test]
fn every_small_damage() {
    damage(usize::MAX, |name| !SLOW.contains(&name));
}

#[test]
fn small_damage_of_what_is_played_drawn_or_edited() {
    damage(40, |name| SLOW.contains(&name));
}

#[test]
fn every_seed_is_accepted_and_forging_it_changes_nothing() {
    for target in &ALL {
        for (number, seed) in seeds::of(target).into_iter().enumerate() {
            assert!((target.run)(&seed), "{} {number}", target.name);
            let mut forged = seed.clone();
            (target.forge)(&mut forged);
            assert!(forged == seed, "{} {number}", target.name);
            if std::env::var_os("KEYPOSE_WRITE_SEEDS").is_some() {
                let folder = root().join("fuzz/seeds").join(target.name);
                fs::create_dir_all(&folder).unwrap();
                fs::write(folder.join(number.to_string()), &seed).unwrap();
            }
        }
    }
}

/// What fuzzing found once: `data/tests/bad/TARGET/NAME-OF-THE-FAULT`.
#[test]
fn nothing_that_was_found_is_bad_any_more() {
    let mut found = 0;
    for target in &ALL {
        let Ok(folder) = fs::read_dir(root().join("data/tests/bad").join(target.name)) else { continue };
        for entry in folder {
            let path = entry.unwrap().path();
            println!("{}", path.display());
            Sum::default().try_one(target, &fs::read(&path).unwrap());
            found += 1;
        }
    }
    assert!(found > 0, "data/tests/bad is empty");
}
