//! Jobs of commands that show how much of them is done.

use std::io::{self, IsTerminal};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use crate::app::console;
use crate::app::files::progress::Progress;

/// How often the percentage is shown.
const EACH: Duration = Duration::from_millis(200);

/// Does a job, and shows on the terminal how much of it is done.
pub fn with_percentage<T>(job: impl FnOnce(&Progress) -> T) -> T {
    if !io::stderr().is_terminal() {
        return job(&Progress::default());
    }
    let progress = Progress::default();
    thread::scope(|scope| {
        let (done, is_done) = mpsc::channel::<()>();
        let shown = progress.clone();
        scope.spawn(move || {
            while is_done.recv_timeout(EACH) == Err(RecvTimeoutError::Timeout) {
                shown.fraction().into_iter().for_each(|part| console::show_percentage(Some(part)));
            }
            console::show_percentage(None);
        });
        let made = job(&progress);
        drop(done);
        made
    })
}
