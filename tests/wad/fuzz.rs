//! A mutation loop over archives, salvage and journals, forged and not: nothing panics, hangs or accepts nonsense.
//! `KEYPOSE_FUZZ_RUNS` says how often (20,000 by default), `KEYPOSE_FUZZ_SEED` from where.

use keypose::wad::decode;
use keypose::wad::journal::{Event, Place, delta, head, read, record, replay};
use keypose::wad::salvage::{decode_salvaged, salvage};

use crate::checksums::forge;
use crate::forge::play;
use crate::sample::{compressed, encode, every_form, rich, small};

/// SplitMix64.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    fn below(&mut self, count: usize) -> usize {
        (self.roll() % count.max(1) as u64) as usize
    }

    /// One to four changes of bytes, numbers, ranges or the length.
    fn mutate(&mut self, bytes: &mut Vec<u8>) {
        for _ in 0..=self.below(4) {
            let at = self.below(bytes.len());
            let width = [1, 2, 4, 8][self.below(4)].min(bytes.len() - at);
            let value = match self.below(4) {
                0 => 0,
                1 => u64::MAX,
                2 => self.below(300) as u64,
                _ => self.roll(),
            };
            match self.below(8) {
                0 => bytes[at] ^= 1 << self.below(8),
                1 => bytes[at] = bytes[at].wrapping_add(1),
                2 => bytes[at] = bytes[at].wrapping_sub(1),
                3..=5 => bytes[at..at + width].copy_from_slice(&value.to_le_bytes()[..width]),
                6 => {
                    let (from, length) = (self.below(bytes.len()), self.below(64));
                    let length = length.min(bytes.len() - at).min(bytes.len() - from);
                    bytes.copy_within(from..from + length, at);
                }
                _ if self.below(4) == 0 => bytes.truncate(at.max(1)),
                _ => bytes.insert(at, value as u8),
            }
        }
    }
}

fn runs() -> (u64, u64) {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    (number("KEYPOSE_FUZZ_RUNS").unwrap_or(20_000), number("KEYPOSE_FUZZ_SEED").unwrap_or(1))
}

#[test]
fn mutated_archives_are_refused_or_valid() {
    let (runs, seed) = runs();
    let seeds = [encode(&small()), encode(&small()), encode(&rich()), compressed(), every_form(&rich()).0];
    let (mut dice, mut accepted) = (Dice(seed), 0);
    for run in 0..runs {
        let mut bytes = seeds[dice.below(seeds.len())].clone();
        dice.mutate(&mut bytes);
        let is_forged = run % 4 != 0;
        if is_forged {
            forge(&mut bytes);
        }
        if let Ok(decoded) = decode(&bytes) {
            assert!(is_forged || seeds.contains(&bytes), "run {run}: a damaged archive was accepted");
            decoded.project.models.iter().for_each(|model| model.check().unwrap());
            if decoded.findings.is_empty() {
                decoded.characters.iter().for_each(|character| play(character));
            }
            accepted += 1;
        } else if run % 16 == 1 {
            let _ = decode_salvaged(&salvage(&bytes));
        }
    }
    println!("{runs} archives, {accepted} of them valid");
}

#[test]
fn mutated_journals_are_cut_or_replayed() {
    let (runs, seed) = runs();
    let (before, base) = (small(), encode(&small()));
    let mut after = before.clone();
    after.models.push(rich().models[1].clone());
    let lumps = delta(&before, &after).unwrap();
    let step = Event::Step { label: "add".into(), before: Place::default(), after: Place::default(), lumps };
    let events = [step, Event::Position { done: 0, place: Place::default() }, Event::Place(Place::default())];
    let records = events.iter().zip(0..).map(|(event, sequence)| record(event, sequence, 7).unwrap());
    let good = [head()].into_iter().chain(records).collect::<Vec<_>>().concat();
    let mut dice = Dice(seed);
    for _ in 0..runs / 4 {
        let mut bytes = good.clone();
        dice.mutate(&mut bytes);
        if let Ok(told) = read(&bytes) {
            assert!(events.starts_with(&told.events));
            let mut told = told.events;
            // What a forger would say: whole events in another order.
            let (a, b) = (dice.below(told.len()), dice.below(told.len()));
            if !told.is_empty() {
                told.swap(a, b);
            }
            let _ = replay(&base, told);
        }
    }
}
