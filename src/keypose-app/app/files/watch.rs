//! Watches the files of a running game. When one changes, a thread reads and verifies them. If the system's file
//! watcher is not available or misses changes, time stamps are compared.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant, SystemTime};

use notify::event::{AccessKind, AccessMode, ModifyKind, RenameMode};
use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use keypose::assets::character::Character;
use keypose_editor::editor::session::preferences::ModelFiles;
use keypose_tools::sharing::share;

use crate::app::files::layers;
use crate::app::files::{Opened, Opening};
use crate::app::work::header_at;

/// Time without changes before files are read, because other programs write piece by piece. A file that was renamed to
/// its name is read at once: Keypose saves archives that way.
const QUIET_TIME: Duration = Duration::from_millis(100);
/// Maximum time between the first change and reading.
const MAX_DELAY: Duration = Duration::from_millis(200);
/// Interval of comparing time stamps in addition to the system's watcher, because some file systems don't report
/// changes.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// Two writes within this time may leave the same time stamp.
const STAMP_RESOLUTION: Duration = Duration::from_millis(20);
/// Interval of comparing time stamps without the system's watcher.
const POLL_ONLY_INTERVAL: Duration = Duration::from_millis(100);

/// A change of the files.
#[derive(Debug)]
pub struct Change {
    /// The content of the files, which shares unchanged parts with the previous one, or the error.
    pub opened: Result<Box<Opened>, String>,
    /// When the newest of them was written.
    pub written: Option<SystemTime>,
}

/// The files to watch, and their known content.
pub struct WatchedFiles {
    /// The archive and its patches, or an imported file.
    pub files: Vec<PathBuf>,
    /// [`Opened::digest`] of the known content.
    pub digest: u64,
    /// The files that an imported model may refer to.
    pub model_files: ModelFiles,
    /// The characters made from it.
    pub characters: Vec<Arc<Character>>,
}

/// A watch. It ends when it is dropped.
#[derive(Debug)]
pub struct Watch(Sender<Signal>);

impl Drop for Watch {
    fn drop(&mut self) {
        // The thread may have ended already.
        let _ = self.0.send(Signal::Stop);
    }
}

enum Signal {
    /// A file may have changed.
    Touched,
    /// A file was replaced by renaming.
    Replaced,
    Stop,
}

/// Starts to watch. `notify` is called in the watch's thread.
pub fn watch(known: WatchedFiles, notify: impl FnMut(Change) + Send + 'static) -> Watch {
    let (sender, signs) = channel();
    let touched = sender.clone();
    std::thread::spawn(move || Follower::new(known, notify).follow(touched, &signs));
    Watch(sender)
}

/// The watch's thread.
struct Follower<N> {
    known: WatchedFiles,
    /// The files that an imported one refers to. Their time stamps are compared; the system's watcher doesn't know them.
    referred: Vec<PathBuf>,
    /// The state of the files when they were read or checked. At first it is unknown, so they are checked once.
    snapshot: Snapshot,
    /// The error of the last read.
    failure: Option<String>,
    notify: N,
}

impl<N: FnMut(Change)> Follower<N> {
    fn new(known: WatchedFiles, notify: N) -> Self {
        Follower { known, referred: Vec::new(), snapshot: Snapshot::default(), failure: None, notify }
    }

    /// Reads the files after each change, until the watch ends.
    fn follow(&mut self, touched: Sender<Signal>, signs: &Receiver<Signal>) {
        let watcher = system_watcher(&self.known.files, touched);
        let patience = if watcher.is_some() { POLL_INTERVAL } else { POLL_ONLY_INTERVAL };
        loop {
            let waited = match signs.recv_timeout(patience) {
                Ok(Signal::Stop) | Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) if self.has_known_stamps() => continue,
                Ok(Signal::Replaced) => Wait::Whole,
                Ok(Signal::Touched) | Err(RecvTimeoutError::Timeout) => wait_for_quiet(signs),
            };
            // One change gives several signals, and the files may have been read after the first.
            let is_read = self.failure.is_none() && self.snapshot.is_settled && self.has_known_stamps();
            let opened = match waited {
                Wait::Stopped => return,
                _ if is_read || self.has_known_headers() => continue,
                Wait::Quiet => self.read(),
                Wait::Whole => match self.read() {
                    Ok(opened) => Ok(opened),
                    // Another file may be about to change as well.
                    Err(_) if wait_for_quiet(signs) == Wait::Stopped => return,
                    Err(_) => self.read(),
                },
            };
            self.report(opened);
        }
    }

    fn has_known_stamps(&self) -> bool {
        self.stamps() == self.snapshot.stamps
    }

    /// Whether the headers of archives have the hashes of the known content: then reading it again would only take time and memory.
    fn has_known_headers(&mut self) -> bool {
        let snapshot = Snapshot::of(self.stamps());
        let headers = self.known.files.iter().map(|path| header_at(path).ok().flatten());
        let hashes: Option<Vec<u64>> = headers.map(|header| header.map(|header| header.hash)).collect();
        let is_known = self.failure.is_none() && hashes.is_some_and(|all| layers::digest(&all) == self.known.digest);
        if is_known {
            self.snapshot = snapshot;
        }
        is_known
    }

    fn stamps(&self) -> Vec<Stamp> {
        self.known.files.iter().chain(&self.referred).map(|path| stamp(path)).collect()
    }

    fn read(&mut self) -> Result<Opened, String> {
        self.snapshot = Snapshot::of(self.stamps());
        let opening = Opening { model_files: self.known.model_files, ..Opening::default() };
        layers::open(&self.known.files, &opening).inspect(|opened| self.referred.clone_from(&opened.referred))
    }

    /// Reports new content or a new error.
    fn report(&mut self, opened: Result<Opened, String>) {
        let opened = match opened {
            Ok(opened) if opened.digest == self.known.digest && self.failure.is_none() => return,
            Ok(mut opened) => {
                opened.characters = share(&opened.characters, &self.known.characters);
                opened.project.models = opened.characters.iter().map(|character| character.model.clone()).collect();
                self.known.characters.clone_from(&opened.characters);
                (self.known.digest, self.failure) = (opened.digest, None);
                Ok(Box::new(opened))
            }
            Err(reason) if self.failure.as_ref() == Some(&reason) => return,
            Err(reason) => {
                self.failure = Some(reason.clone());
                Err(reason)
            }
        };
        (self.notify)(Change { opened, written: self.snapshot.written() });
    }
}

#[derive(PartialEq)]
enum Wait {
    Quiet,
    Whole,
    Stopped,
}

/// Waits until no file changed for a moment, or a file was replaced.
fn wait_for_quiet(signs: &Receiver<Signal>) -> Wait {
    let end = Instant::now() + MAX_DELAY;
    loop {
        match signs.recv_timeout(QUIET_TIME.min(end.saturating_duration_since(Instant::now()))) {
            Ok(Signal::Touched) => {}
            Ok(Signal::Replaced) => return Wait::Whole,
            Ok(Signal::Stop) | Err(RecvTimeoutError::Disconnected) => return Wait::Stopped,
            Err(RecvTimeoutError::Timeout) => return Wait::Quiet,
        }
    }
}

/// The state of the files just before they were read.
#[derive(Default)]
struct Snapshot {
    stamps: Vec<Stamp>,
    /// Whether they had not been written to recently: then unchanged time stamps mean unchanged content.
    is_settled: bool,
}

/// Time stamp and length of a file; `None` if it doesn't exist.
type Stamp = Option<(SystemTime, u64)>;

impl Snapshot {
    fn of(stamps: Vec<Stamp>) -> Snapshot {
        let mut snapshot = Snapshot { stamps, is_settled: false };
        let age = snapshot.written().and_then(|written| written.elapsed().ok());
        snapshot.is_settled =
            age.is_some_and(|age| age >= STAMP_RESOLUTION) && snapshot.stamps.iter().all(Option::is_some);
        snapshot
    }

    /// When the newest was written.
    fn written(&self) -> Option<SystemTime> {
        self.stamps.iter().flatten().map(|(time, _)| *time).max()
    }
}

fn stamp(path: &Path) -> Stamp {
    let about = fs::metadata(path).ok()?;
    Some((about.modified().ok()?, about.len()))
}

/// The system's watcher on the folders of the files, because saving replaces files by renaming. `None` if it is not
/// available.
fn system_watcher(files: &[PathBuf], touched: Sender<Signal>) -> Option<RecommendedWatcher> {
    // A link and its target: saving replaces the target.
    let both = |path: &PathBuf| [std::path::absolute(path).ok(), fs::canonicalize(path).ok()];
    let mut paths: Vec<PathBuf> = files.iter().flat_map(both).flatten().collect();
    paths.sort();
    paths.dedup();
    let mut folders: Vec<PathBuf> = paths.iter().filter_map(|path| path.parent()).map(Path::to_owned).collect();
    folders.dedup();
    let names: Vec<_> = paths.iter().filter_map(|path| path.file_name()).map(|name| name.to_owned()).collect();
    let handler = move |event: notify::Result<notify::Event>| {
        let is_named = |path: &PathBuf| path.file_name().is_some_and(|name| names.iter().any(|n| n == name));
        let sign = match event {
            Ok(event) if is_only_looked_at(event.kind) => None,
            Ok(event) if event.need_rescan() => Some(Signal::Touched),
            Ok(event) if has_new_name(event.kind) && event.paths.last().is_some_and(is_named) => Some(Signal::Replaced),
            Ok(event) => event.paths.iter().any(is_named).then_some(Signal::Touched),
            Err(_) => Some(Signal::Touched),
        };
        // The receiver may have ended already.
        let _ = sign.map(|sign| touched.send(sign));
    };
    let mut watcher = notify::recommended_watcher(handler).ok()?;
    folders.iter().try_for_each(|folder| watcher.watch(folder, RecursiveMode::NonRecursive)).ok()?;
    Some(watcher)
}

fn has_new_name(kind: EventKind) -> bool {
    matches!(kind, EventKind::Modify(ModifyKind::Name(RenameMode::To | RenameMode::Both)))
}

/// Reading a file is reported too.
fn is_only_looked_at(kind: EventKind) -> bool {
    matches!(kind, EventKind::Access(access) if access != AccessKind::Close(AccessMode::Write))
}
