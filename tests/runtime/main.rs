//! The game runtime: sampling, blending, skinning, the state machine and the archive. No window,
//! no GL. `tools/test-runtime` runs it for other processors.

mod any_input;
mod bake;
#[path = "../support/checksums.rs"]
mod checksums;
mod examples;
mod fit;
#[path = "../support/folder.rs"]
mod folder;
#[path = "../../benches/shared/generated.rs"]
#[allow(dead_code)]
mod generated;
mod levels;
mod machine;
mod machine_layers;
#[path = "../support/needs.rs"]
mod needs;
#[path = "../support/root.rs"]
mod root;
mod same_bits;
#[path = "../support/sample.rs"]
#[allow(dead_code)]
mod sample;
mod scenes;
mod simd;
mod skin;
mod springs;
mod wad;

use proptest::test_runner::{Config, RngSeed};

/// Settings for this many cases of arbitrary input, the same in every run.
pub fn cases(cases: u32) -> Config {
    Config { cases, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..Config::default() }
}
