//! The archive: round trips, damage, refusals.

mod checksums;
mod damage;
mod fixtures;
mod forge;
mod round_trip;
mod sample;
