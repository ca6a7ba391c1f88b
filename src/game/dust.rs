//! Puffs of dust where feet leave the ground and come down. Only seen.

use glam::Vec2;

use crate::game::random::Random;
use crate::game::units::TICK_SECS;

/// Ticks that a puff lasts.
pub const LIFE_TICKS: u8 = 26;
/// More are not shown at once.
const MOST: usize = 48;

/// One puff.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Puff {
    /// Metres.
    pub place: Vec2,
    /// Metres a second.
    pub velocity: Vec2,
    /// Towards or away from the camera, metres.
    pub depth: f32,
    /// Ticks.
    pub age: u8,
}

/// The puffs in the air, the oldest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dust {
    /// At most 48.
    pub puffs: Vec<Puff>,
}

impl Dust {
    /// `count` puffs at a pair of feet.
    pub fn rise(&mut self, feet: Vec2, count: usize, random: &mut Random) {
        for _ in 0..count {
            let (side, up) = (random.signed(), random.signed());
            let velocity = Vec2::new(side * 1.7, 0.5 + 0.4 * up);
            let place = feet + Vec2::new(side * 0.15, 0.05);
            self.puffs.push(Puff { place, velocity, depth: random.signed() * 0.3, age: 0 });
        }
        let surplus = self.puffs.len().saturating_sub(MOST);
        self.puffs.drain(..surplus);
    }

    /// One tick.
    pub fn step(&mut self) {
        for puff in &mut self.puffs {
            puff.age += 1;
            puff.place += puff.velocity * TICK_SECS;
            puff.velocity *= 0.9;
        }
        self.puffs.retain(|puff| puff.age < LIFE_TICKS);
    }
}
