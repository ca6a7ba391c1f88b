//! Floor 5: the only place that touches the world: window, GL context, files, clock, dialogs, command line.

mod commands;

pub use commands::run;
