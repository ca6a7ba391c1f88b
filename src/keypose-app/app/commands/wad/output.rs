//! Output of the commands: text or JSON on stdout, and on a terminal a progress line on stderr.

use std::io::{IsTerminal, Write};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::Value;

use keypose::assets::printable::printable;

use crate::app::console;

/// Faster work shows no progress.
const DELAY: Duration = Duration::from_millis(500);
/// Interval of updating the progress line.
const INTERVAL: Duration = Duration::from_millis(200);

/// The output of a command.
pub struct Output {
    is_json: bool,
    ticker: Option<Ticker>,
}

impl Output {
    /// Shows progress on a terminal only.
    pub fn new(is_json: bool) -> Output {
        let ticker = std::io::stderr().is_terminal().then(Ticker::start);
        Output { is_json, ticker }
    }

    /// Prints a line of text, unless JSON is requested.
    pub fn line(&self, text: impl std::fmt::Display) {
        if !self.is_json {
            self.erase();
            console::print(text);
        }
    }

    /// Prints the result, if JSON is requested.
    pub fn json(&self, value: impl FnOnce() -> Value) {
        if self.is_json {
            self.erase();
            console::print_json(&value());
        }
    }

    /// Prints fixed problems to stderr as text. JSON contains them elsewhere.
    pub fn findings(&self, findings: &[String]) {
        if !self.is_json {
            self.erase();
            findings.iter().for_each(|finding| console::warn(format_args!("keypose: {finding}")));
        }
    }

    /// Sets the current stage of the progress and its file.
    pub fn stage(&self, verb: &'static str, file: &Path) {
        if let Some(ticker) = &self.ticker {
            let name = printable(&file.file_name().unwrap_or_default().to_string_lossy()).into_owned();
            let mut stage = ticker.shared.lock();
            (stage.verb, stage.name, stage.count) = (verb, name, None);
        }
    }

    /// Sets the progress within the stage.
    pub fn count(&self, done: usize, of: usize) {
        if let Some(ticker) = &self.ticker {
            ticker.shared.lock().count = Some((done, of));
        }
    }

    fn erase(&self) {
        if let Some(ticker) = &self.ticker {
            erase(&mut ticker.shared.lock());
        }
    }
}

/// Prints the progress line repeatedly until it is dropped.
struct Ticker {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    stage: Mutex<Stage>,
    ended: Condvar,
}

/// The content of the progress line.
#[derive(Default)]
struct Stage {
    verb: &'static str,
    name: String,
    count: Option<(usize, usize)>,
    /// Letters of the visible line.
    shown: usize,
    is_over: bool,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Stage> {
        self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ticker {
    fn start() -> Ticker {
        let shared = Arc::new(Shared::default());
        let for_thread = shared.clone();
        let thread = std::thread::spawn(move || {
            let start = Instant::now();
            let mut stage = for_thread.lock();
            while !stage.is_over {
                if start.elapsed() >= DELAY && !stage.verb.is_empty() {
                    erase(&mut stage);
                    let line = line(&stage, start.elapsed());
                    stage.shown = line.chars().count();
                    eprint!("{line}");
                    let _ = std::io::stderr().flush();
                }
                stage = for_thread.ended.wait_timeout(stage, INTERVAL).unwrap_or_else(PoisonError::into_inner).0;
            }
            erase(&mut stage);
        });
        Ticker { shared, thread: Some(thread) }
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        self.shared.lock().is_over = true;
        self.shared.ended.notify_all();
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// "verifying base.wad: 12 of 40, 3 s".
fn line(stage: &Stage, elapsed: Duration) -> String {
    let Stage { verb, name, count, .. } = stage;
    let count = count.map(|(done, of)| format!(": {done} of {of}")).unwrap_or_default();
    format!("{verb} {name}{count}, {} s", elapsed.as_secs())
}

fn erase(stage: &mut Stage) {
    let shown = std::mem::take(&mut stage.shown);
    if shown > 0 {
        eprint!("\r{:shown$}\r", "");
        let _ = std::io::stderr().flush();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_shows_stage_and_progress() {
        let mut stage = Stage { verb: "verifying", name: "base.wad".into(), ..Stage::default() };
        assert_eq!(line(&stage, Duration::from_millis(3_999)), "verifying base.wad, 3 s");
        stage.count = Some((12, 40));
        assert_eq!(line(&stage, Duration::from_secs(61)), "verifying base.wad: 12 of 40, 61 s");
    }

    #[test]
    fn a_ticker_ends_when_it_is_dropped() {
        let out = Output { is_json: true, ticker: Some(Ticker::start()) };
        out.stage("reading", Path::new("x/a.wad"));
        out.count(1, 2);
        let shared = out.ticker.as_ref().unwrap().shared.clone();
        let stage = shared.lock();
        assert_eq!((stage.name.as_str(), stage.count), ("a.wad", Some((1, 2))));
        drop(stage);
        drop(out);
        assert!(shared.lock().is_over);
    }
}
