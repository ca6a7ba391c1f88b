//! Random numbers from a seed. The generator is part of the world's state, so that replays repeat it.

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Random(u64);

impl Random {
    /// Any seed is valid.
    pub fn from_seed(seed: u64) -> Random {
        Random(seed)
    }

    /// The state from which the next numbers follow.
    pub fn state(self) -> u64 {
        self.0
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number in -1..1.
    pub fn signed(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / (1_u64 << 23) as f32 - 1.0
    }
}
