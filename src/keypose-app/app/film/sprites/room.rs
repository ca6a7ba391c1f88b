//! Whether the frames that are drawn can still fit in the atlas and in memory; those that can't aren't drawn to the end.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use keypose::assets::sprite_recipe::SpriteRecipe;
use keypose_tools::sprites::ink::Ink;
use xxhash_rust::xxh3::xxh3_128;

/// Frames may still become equal or a little smaller when their colours are reduced, so only pictures of this many times the area of
/// the atlas are certain not to fit.
const CERTAIN: u64 = 2;

/// The maximum memory of all frames, with their layers.
const MAX_BYTES: u64 = 512 << 20;
/// Frames have similar sizes, so if all would take this many times the memory by the mean of the first ones, of at least this many, no
/// more are drawn.
const FAR_MORE: u64 = 4;
const FIRST_FRAMES: usize = 16;

/// The pictures so far, the area in pixels of those that differ, and their memory.
#[derive(Default)]
struct Taken {
    known: BTreeSet<u128>,
    area: u64,
    bytes: u64,
}

/// The room for the frames of a sheet.
pub struct Room {
    taken: Mutex<Taken>,
    max_side: u32,
}

impl Room {
    /// Room for the atlas of a recipe.
    pub fn new(recipe: &SpriteRecipe) -> Room {
        Room { taken: Mutex::default(), max_side: recipe.max_side }
    }

    /// Adds a picture, which takes this memory with its layers.
    pub fn take(&self, ink: &Ink, bytes: usize) {
        let Some(image) = ink.to_bitmap() else { return };
        let hash = xxh3_128(image.pixels());
        let taken = &mut *self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.bytes += bytes as u64;
        if taken.known.insert(hash) {
            taken.area += u64::from(image.width()) * u64::from(image.height());
        }
    }

    /// An error once the pictures can't fit. `count` of `all` frames are drawn.
    pub fn check(&self, count: usize, all: usize) -> Result<(), String> {
        let side = self.max_side;
        let Taken { area, bytes, .. } = &*self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let reason = if *area > CERTAIN * u64::from(side) * u64::from(side) {
            format!("don't fit in an atlas of {side} × {side} pixels")
        } else if *bytes > MAX_BYTES {
            format!("take more than {} MiB with their layers", MAX_BYTES >> 20)
        } else if count >= FIRST_FRAMES && bytes / count as u64 * all as u64 > FAR_MORE * MAX_BYTES {
            let [taken, most] = [*bytes, MAX_BYTES].map(|bytes| bytes >> 20);
            format!("take {taken} MiB with their layers, so all would take far more than {most} MiB")
        } else {
            return Ok(());
        };
        let help = "make the sprites smaller or choose fewer clips, directions or frames";
        Err(format!("the first {count} of {all} different frames {reason}; {help}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_twice_as_large_as_the_atlas_is_refused() {
        let room = Room::new(&SpriteRecipe { max_side: 64, ..SpriteRecipe::default() });
        let filled = |shade: u8| Ink { width: 64, height: 64, pixels: vec![Some([shade; 3]); 64 * 64] };
        for shade in [1, 2, 1, 2, 2] {
            room.take(&filled(shade), 100);
        }
        assert_eq!(room.check(5, 9), Ok(()), "two different pictures");
        room.take(&filled(3), 100);
        assert!(room.check(6, 9).is_err_and(|error| error.contains("the first 6 of 9 different frames don't fit")));
        let room = Room::new(&SpriteRecipe::default());
        room.take(&filled(1), 512 << 20);
        assert_eq!(room.check(1, 9), Ok(()));
        room.take(&filled(1), 1);
        assert!(room.check(2, 9).is_err_and(|error| error.contains("take more than 512 MiB")));
        let room = Room::new(&SpriteRecipe::default());
        room.take(&filled(1), 100 << 20);
        assert_eq!(room.check(16, 300), Ok(()), "frames may be smaller");
        assert!(room.check(16, 400).is_err_and(|error| error.contains("take 100 MiB with their layers, so all would")));
    }
}
