//! `keypose doctor`: what the graphics driver offers, in words for a bug report.

use std::process::ExitCode;

use keypose_editor::render::renderer::Renderer;
use keypose_editor::render::report;
use keypose_editor::render::shaders::Shaders;

use crate::app::console;
use crate::app::film::headless::{Checks, Driver, Headless, Interface};

/// Print features and limits of the graphics driver, for a bug report
#[derive(clap::Args)]
pub struct Arguments {}

/// Runs the command. The exit code is 1 if the editor and the game can't run with any driver that needs no window.
pub fn run(_arguments: &Arguments) -> Result<ExitCode, String> {
    let (system, processor) = (std::env::consts::OS, std::env::consts::ARCH);
    console::print(format_args!("Keypose {} on {system}, {processor}", env!("CARGO_PKG_VERSION")));
    let mut works = false;
    for interface in Interface::ALL {
        console::print("");
        console::print(format_args!("{} (--gl {})", interface.title(), interface.name()));
        let found = examine(interface);
        works |= found.is_ok() && interface == Interface::Gl33;
        let lines = found.unwrap_or_else(|reason| vec![format!("not available: {reason}")]);
        lines.iter().for_each(|line| console::print(format_args!("  {line}")));
    }
    Ok(if works { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The lines about an interface, or why it can't be used.
fn examine(interface: Interface) -> Result<Vec<String>, String> {
    let headless = Headless::open_as(interface, Driver::Any, Checks::Off)?;
    let mut lines = report::lines(&headless.context);
    lines.push(match Renderer::new(&headless.context, &Shaders::default()) {
        Ok(_) => "shaders: they compile".to_owned(),
        Err(reason) => format!("shaders: {reason}"),
    });
    Ok(lines)
}
