//! Arguments to [`keypose::app`].

use std::process::ExitCode;

fn main() -> ExitCode {
    keypose::app::run()
}
