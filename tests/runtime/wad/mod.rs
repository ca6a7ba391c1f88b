//! The archive: round trips, damage, errors.

mod baked;
mod damage;
mod difference;
mod fixtures;
mod forge;
mod import_options;
mod journaling;
mod layers;
// On a page there are no other programs.
#[cfg(not(target_family = "wasm"))]
mod python;
#[cfg(not(target_family = "wasm"))]
mod random;
mod round_trip;
mod salvaging;
mod versions;
