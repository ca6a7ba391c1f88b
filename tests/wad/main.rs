//! The archive: round trips, damage, refusals.

mod checksums;
mod damage;
mod fixtures;
mod forge;
mod python;
mod round_trip;
mod sample;
