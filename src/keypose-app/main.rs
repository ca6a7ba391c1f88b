//! The `keypose` program. Everything is in [`keypose_app::app`].

use std::process::ExitCode;

fn main() -> ExitCode {
    keypose_app::app::run()
}
