//! The `keypose` program. Everything is in [`keypose::app`].

use std::process::ExitCode;

fn main() -> ExitCode {
    keypose::app::run()
}
