//! The archive: round trips, damage, errors.

mod baked;
mod damage;
mod difference;
mod fixtures;
mod forge;
mod import_options;
mod journaling;
mod layers;
mod python;
mod random;
mod round_trip;
mod salvaging;
mod versions;
