//! Follows the files of a game while it runs: each time one of them changes, what they hold now is read and verified in
//! a thread of its own and handed over. Where the system can't tell of changes, or says nothing, the files' times are
//! looked at instead.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant, SystemTime};

use notify::event::{AccessKind, AccessMode, ModifyKind, RenameMode};
use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use crate::app::files::Opened;
use crate::app::layers;
use crate::assets::character::Character;
use crate::assets::sharing::share;

/// After the last sign of a change the files are left alone for so long, for other programs write a file piece by piece. One that
/// was given its name when it was whole is read at once: that is how archives are saved.
const QUIET: Duration = Duration::from_millis(100);
/// After the first sign they are read at the latest.
const LATEST: Duration = Duration::from_millis(200);
/// How often the files' times are looked at while the system tells of changes: some file systems only seem to.
const LOOK: Duration = Duration::from_secs(1);
/// Two writes within so long may leave a file the same time.
const COARSE: Duration = Duration::from_millis(20);
/// How often where it does not.
const LOOK_ALONE: Duration = Duration::from_millis(100);

/// What the files hold since the last change.
#[derive(Debug)]
pub struct Change {
    /// What they hold, sharing what is equal with what they held before; or why that can't be read.
    pub opened: Result<Box<Opened>, String>,
    /// When the youngest of them was written.
    pub written: Option<SystemTime>,
}

/// What a watch starts from.
pub struct Known {
    /// The archive, then the patches over it; or a foreign file.
    pub files: Vec<PathBuf>,
    /// [`Opened::digest`] of what they held when they were read last.
    pub digest: u64,
    /// What was made of that.
    pub characters: Vec<Arc<Character>>,
}

/// A watch; it ends when it is dropped.
#[derive(Debug)]
pub struct Watch(Sender<Sign>);

impl Drop for Watch {
    fn drop(&mut self) {
        // The thread may have ended by itself.
        let _ = self.0.send(Sign::Stop);
    }
}

enum Sign {
    /// One of the files may have changed.
    Touched,
    /// Another file was given the name of one of them.
    Replaced,
    Stop,
}

/// Starts to watch. `tell` is called in the watch's own thread.
pub fn watch(known: Known, tell: impl FnMut(Change) + Send + 'static) -> Watch {
    let (sender, signs) = channel();
    let touched = sender.clone();
    std::thread::spawn(move || follow(known, touched, &signs, tell));
    Watch(sender)
}

fn follow(known: Known, touched: Sender<Sign>, signs: &Receiver<Sign>, mut tell: impl FnMut(Change)) {
    let Known { files, mut digest, mut characters } = known;
    let watcher = system_watcher(&files, touched);
    let patience = if watcher.is_some() { LOOK } else { LOOK_ALONE };
    // What changed since the files were read is not known: they are looked at once.
    let mut seen = Seen::default();
    let mut failure: Option<String> = None;
    loop {
        let waited = match signs.recv_timeout(patience) {
            Ok(Sign::Stop) | Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) if stamps(&files) == seen.stamps => continue,
            Ok(Sign::Replaced) => Wait::Whole,
            Ok(Sign::Touched) | Err(RecvTimeoutError::Timeout) => wait_for_quiet(signs),
        };
        // One change gives several signs, and the file may have been read after the first.
        let is_read = failure.is_none() && seen.is_settled && stamps(&files) == seen.stamps;
        let mut read = || {
            seen = Seen::now(&files);
            layers::open(&files)
        };
        let opened = match waited {
            Wait::Stopped => return,
            _ if is_read => continue,
            Wait::Quiet => read(),
            Wait::Whole => match read() {
                Ok(opened) => Ok(opened),
                // Another one may be about to change, too.
                Err(_) if wait_for_quiet(signs) == Wait::Stopped => return,
                Err(_) => read(),
            },
        };
        let written = seen.written();
        match opened {
            Ok(opened) if opened.digest == digest && failure.is_none() => {}
            Ok(mut opened) => {
                opened.characters = share(&opened.characters, &characters);
                opened.project.models = opened.characters.iter().map(|character| character.model.clone()).collect();
                characters.clone_from(&opened.characters);
                (digest, failure) = (opened.digest, None);
                tell(Change { opened: Ok(Box::new(opened)), written });
            }
            Err(reason) if failure.as_ref() == Some(&reason) => {}
            Err(reason) => {
                failure = Some(reason.clone());
                tell(Change { opened: Err(reason), written });
            }
        }
    }
}

#[derive(PartialEq)]
enum Wait {
    Quiet,
    Whole,
    Stopped,
}

/// Waits until nothing happened for a moment, or a whole file is there.
fn wait_for_quiet(signs: &Receiver<Sign>) -> Wait {
    let end = Instant::now() + LATEST;
    loop {
        match signs.recv_timeout(QUIET.min(end.saturating_duration_since(Instant::now()))) {
            Ok(Sign::Touched) => {}
            Ok(Sign::Replaced) => return Wait::Whole,
            Ok(Sign::Stop) | Err(RecvTimeoutError::Disconnected) => return Wait::Stopped,
            Err(RecvTimeoutError::Timeout) => return Wait::Quiet,
        }
    }
}

/// What the files were like just before they were read.
#[derive(Default)]
struct Seen {
    stamps: Vec<Stamp>,
    /// They had not been written to for a while: as long as their times stay, so do they.
    is_settled: bool,
}

/// Time and length of a file; `None` where it is not there.
type Stamp = Option<(SystemTime, u64)>;

impl Seen {
    fn now(files: &[PathBuf]) -> Seen {
        let mut seen = Seen { stamps: stamps(files), is_settled: false };
        let age = seen.written().and_then(|written| written.elapsed().ok());
        seen.is_settled = age.is_some_and(|age| age >= COARSE) && seen.stamps.iter().all(Option::is_some);
        seen
    }

    /// When the youngest was written.
    fn written(&self) -> Option<SystemTime> {
        self.stamps.iter().flatten().map(|(time, _)| *time).max()
    }
}

fn stamps(files: &[PathBuf]) -> Vec<Stamp> {
    let stamp = |path: &PathBuf| {
        let about = fs::metadata(path).ok()?;
        Some((about.modified().ok()?, about.len()))
    };
    files.iter().map(stamp).collect()
}

/// The system's own watcher on the folders of the files: a save gives a file of another name theirs, so the files
/// themselves are not enough. `None` where the system refuses.
fn system_watcher(files: &[PathBuf], touched: Sender<Sign>) -> Option<RecommendedWatcher> {
    // Both sides of a link: what it leads to is what a save replaces.
    let both = |path: &PathBuf| [std::path::absolute(path).ok(), fs::canonicalize(path).ok()];
    let mut paths: Vec<PathBuf> = files.iter().flat_map(both).flatten().collect();
    paths.sort();
    paths.dedup();
    let mut folders: Vec<PathBuf> = paths.iter().filter_map(|path| path.parent()).map(Path::to_owned).collect();
    folders.dedup();
    let names: Vec<_> = paths.iter().filter_map(|path| path.file_name()).map(|name| name.to_owned()).collect();
    let tell = move |event: notify::Result<notify::Event>| {
        let is_named = |path: &PathBuf| path.file_name().is_some_and(|name| names.iter().any(|n| n == name));
        let sign = match event {
            Ok(event) if is_only_looked_at(event.kind) => None,
            Ok(event) if event.need_rescan() => Some(Sign::Touched),
            Ok(event) if has_new_name(event.kind) && event.paths.last().is_some_and(is_named) => Some(Sign::Replaced),
            Ok(event) => event.paths.iter().any(is_named).then_some(Sign::Touched),
            Err(_) => Some(Sign::Touched),
        };
        // Nobody may be waiting any more.
        let _ = sign.map(|sign| touched.send(sign));
    };
    let mut watcher = notify::recommended_watcher(tell).ok()?;
    folders.iter().try_for_each(|folder| watcher.watch(folder, RecursiveMode::NonRecursive)).ok()?;
    Some(watcher)
}

fn has_new_name(kind: EventKind) -> bool {
    matches!(kind, EventKind::Modify(ModifyKind::Name(RenameMode::To | RenameMode::Both)))
}

/// Reading the files is seen, too.
fn is_only_looked_at(kind: EventKind) -> bool {
    matches!(kind, EventKind::Access(access) if access != AccessKind::Close(AccessMode::Write))
}
