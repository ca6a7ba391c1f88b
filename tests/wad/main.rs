//! The archive: round trips, damage, refusals.

mod damage;
mod round_trip;
mod sample;
