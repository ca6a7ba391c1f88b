//! Health, and what hits leave behind: standing still, stun, and a time in which nothing hits.

use keypose::assets::combat::Strike;

/// The player's health.
pub const PLAYER_HEALTH: u16 = 100;
/// Ticks without a hit after which a training dummy forgets what it took.
const DUMMY_MEMORY: u16 = 120;

/// The state of a character's body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vitals {
    /// Points that are left; not positive when dead.
    pub health: i32,
    /// Points at the start; 0 for a training dummy, which can't die.
    pub most: u16,
    /// Points of damage taken so far: knockback grows with them.
    pub taken: u32,
    /// Ticks for which it stands still.
    pub stop: u16,
    /// Ticks for which it can't act.
    pub stun: u16,
    /// Ticks for which it can't be hit.
    pub safe: u16,
    /// The hits that it took so far, modulo 2¹⁶.
    pub hits: u16,
    /// Ticks since the last hit.
    pub since_hit: u16,
    /// Ticks since its death.
    pub dead: u16,
}

impl Default for Vitals {
    fn default() -> Vitals {
        Vitals::new(PLAYER_HEALTH)
    }
}

impl Vitals {
    /// A whole body. 0 points for a training dummy.
    pub fn new(most: u16) -> Vitals {
        let since_hit = u16::MAX;
        Vitals { health: i32::from(most), most, taken: 0, stop: 0, stun: 0, safe: 0, hits: 0, since_hit, dead: 0 }
    }

    /// Whether this is a training dummy.
    pub fn is_dummy(&self) -> bool {
        self.most == 0
    }

    pub fn is_alive(&self) -> bool {
        self.is_dummy() || self.health > 0
    }

    /// Whether a hit counts.
    pub fn can_be_hit(&self) -> bool {
        self.is_alive() && self.safe == 0
    }

    pub fn can_act(&self) -> bool {
        self.is_alive() && self.stun == 0
    }

    /// The part of its health that is left, 0..=1.
    pub fn part(&self) -> f32 {
        if self.is_dummy() { 1.0 } else { (self.health.max(0) as f32 / f32::from(self.most)).min(1.0) }
    }

    /// Takes a hit.
    pub fn take(&mut self, strike: &Strike) {
        self.health -= i32::from(strike.damage);
        self.taken = self.taken.saturating_add(u32::from(strike.damage)).min(9_999);
        self.stop = self.stop.max(strike.stop);
        self.stun = strike.stun;
        self.hits = self.hits.wrapping_add(1);
        self.since_hit = 0;
    }

    /// Counts one tick down. Returns false while it stands still.
    pub fn tick(&mut self) -> bool {
        if self.stop > 0 {
            self.stop -= 1;
            return false;
        }
        self.stun = self.stun.saturating_sub(1);
        self.safe = self.safe.saturating_sub(1);
        self.since_hit = self.since_hit.saturating_add(1);
        self.dead = if self.is_alive() { 0 } else { self.dead.saturating_add(1) };
        if self.is_dummy() {
            self.health = 0;
            self.taken = if self.since_hit > DUMMY_MEMORY { 0 } else { self.taken };
        }
        true
    }
}
