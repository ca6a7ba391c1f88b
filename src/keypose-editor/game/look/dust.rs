//! Puffs of dust at the feet when jumping, landing and walking.

use glam::Vec2;

use crate::game::world::news::News;
use crate::game::world::random::Random;
use crate::game::world::units::TICK_SECS;

/// Lifetime of a puff in ticks.
pub const LIFE_TICKS: u8 = 26;
/// Maximum count of puffs.
const MAX_PUFFS: usize = 48;

/// A puff of dust.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Puff {
    /// Position in metres.
    pub place: Vec2,
    /// Velocity in metres per second.
    pub velocity: Vec2,
    /// Position towards or away from the camera, in metres.
    pub depth: f32,
    /// Age in ticks.
    pub age: u8,
}

/// The puffs in the air, oldest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dust {
    /// At most 48.
    pub puffs: Vec<Puff>,
    random: Random,
}

impl Dust {
    /// Adds `count` puffs at a position of feet.
    pub fn rise(&mut self, feet: Vec2, count: usize, random: &mut Random) {
        for _ in 0..count {
            let (side, up) = (random.signed(), random.signed());
            let velocity = Vec2::new(side * 1.7, 0.5 + 0.4 * up);
            let place = feet + Vec2::new(side * 0.15, 0.05);
            self.puffs.push(Puff { place, velocity, depth: random.signed() * 0.3, age: 0 });
        }
        let surplus = self.puffs.len().saturating_sub(MAX_PUFFS);
        self.puffs.drain(..surplus);
    }

    /// Shows what events of clips ask for: a little at footsteps. It has random numbers of its own, since these are cosmetic.
    pub fn follow(&mut self, news: &[News]) {
        let mut random = self.random;
        for item in news {
            match item {
                News::Footstep { place } => self.rise(*place, 2, &mut random),
                News::Effect { name, place } if &**name == "dust" => self.rise(*place, 7, &mut random),
                _ => {}
            }
        }
        self.random = random;
    }

    /// Advances by one tick.
    pub fn step(&mut self) {
        for puff in &mut self.puffs {
            puff.age += 1;
            puff.place += puff.velocity * TICK_SECS;
            puff.velocity *= 0.9;
        }
        self.puffs.retain(|puff| puff.age < LIFE_TICKS);
    }
}
