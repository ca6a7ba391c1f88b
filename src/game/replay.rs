//! A game to be played again: the archive that it was played with, the seed, the buttons and a digest of every tick.

use crate::game::input::Buttons;
use crate::game::step::step;
use crate::game::world::World;

/// What was played.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Replay {
    /// A hash of the archive, by whoever read it.
    pub archive_hash: u64,
    /// What chance followed from.
    pub seed: u64,
    /// The buttons of every tick.
    pub buttons: Vec<Buttons>,
    /// [`World::digest`] after every tick; as long as `buttons`.
    pub digests: Vec<u64>,
}

/// Where a replay and the game part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parting {
    /// The first tick that came out differently, from 0.
    pub tick: usize,
    /// What was recorded.
    pub recorded: u64,
    /// What came out.
    pub played: u64,
}

impl Replay {
    /// Plays the buttons from the start and notes the digests.
    pub fn record(mut world: World, archive_hash: u64, seed: u64, buttons: &[Buttons]) -> Replay {
        let digests = buttons.iter().map(|&held| {
            step(&mut world, held);
            world.digest()
        });
        Replay { archive_hash, seed, digests: digests.collect(), buttons: buttons.to_vec() }
    }

    /// Notes one tick that was just played.
    pub fn push(&mut self, held: Buttons, after: &World) {
        self.buttons.push(held);
        self.digests.push(after.digest());
    }

    /// Plays it again in a fresh world; `None` where every tick comes out the same.
    pub fn parting(&self, mut world: World) -> Option<Parting> {
        self.buttons.iter().zip(&self.digests).enumerate().find_map(|(tick, (&held, &recorded))| {
            step(&mut world, held);
            let played = world.digest();
            (played != recorded).then_some(Parting { tick, recorded, played })
        })
    }
}
