//! Syncs steps to the disk shortly after they were written, on a thread of its own.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::app::files::own_files;

/// Maximum time from an append to its sync: the edits that a power failure can cost, plus the disk's own delay.
const SYNC_AFTER: Duration = Duration::from_millis(200);

/// Syncs what it is given. When it is dropped, everything is synced.
#[derive(Debug)]
pub(super) struct Syncer {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
    /// Makes the base.
    job: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    files: Vec<Arc<File>>,
    /// Files with a new name; their folders are synced.
    named: Vec<PathBuf>,
    error: Option<String>,
    is_ending: bool,
}

impl Syncer {
    pub fn start() -> Syncer {
        let shared = Arc::<Shared>::default();
        let thread = {
            let shared = shared.clone();
            std::thread::spawn(move || shared.work())
        };
        Syncer { shared, thread: Some(thread), job: None }
    }

    /// Syncs what was written to a file, within [`SYNC_AFTER`].
    pub fn add(&self, file: &Arc<File>) {
        let mut state = self.shared.lock();
        if !state.files.iter().any(|known| Arc::ptr_eq(known, file)) {
            state.files.push(file.clone());
        }
        drop(state);
        self.shared.changed.notify_one();
    }

    /// Syncs the new name of a file, within [`SYNC_AFTER`].
    pub fn add_name(&self, path: &Path) {
        self.shared.lock().named.push(path.to_owned());
        self.shared.changed.notify_one();
    }

    /// Does something on a thread. Its error is returned like those of syncs.
    pub fn run(&mut self, job: impl FnOnce() -> io::Result<()> + Send + 'static) {
        let shared = self.shared.clone();
        self.job = Some(std::thread::spawn(move || {
            if let Err(error) = job() {
                shared.lock().error = Some(not_confirmed(&error));
            }
        }));
    }

    /// The thread of [`Syncer::run`], to wait for its end.
    pub fn job(&mut self) -> Option<JoinHandle<()>> {
        self.job.take()
    }

    /// Ends without waiting: what is not synced yet is deleted.
    pub fn forget(&mut self) {
        *self.shared.lock() = State { is_ending: true, ..State::default() };
        self.shared.changed.notify_one();
        (self.thread, self.job) = (None, None);
    }

    /// Why the disk did not confirm a sync, once.
    pub fn error(&self) -> Option<String> {
        self.shared.lock().error.take()
    }

    /// Whether the disk did not confirm a sync, and [`Syncer::error`] has not returned the reason yet.
    pub fn has_failed(&self) -> bool {
        self.shared.lock().error.is_some()
    }

    /// Notes that the disk did not confirm a sync.
    pub fn report(&self, error: &io::Error) {
        self.shared.lock().error = Some(not_confirmed(error));
    }

    /// Syncs everything, and closes all files. An error stays until it is read.
    pub fn restart(&mut self) {
        let error = self.finish();
        *self = Syncer::start();
        self.shared.lock().error = error;
    }

    /// Syncs everything. Returns why the disk did not confirm it.
    pub fn finish(&mut self) -> Option<String> {
        self.shared.lock().is_ending = true;
        self.shared.changed.notify_one();
        for thread in [self.thread.take(), self.job.take()].into_iter().flatten() {
            let _ = thread.join();
        }
        self.error()
    }
}

impl Drop for Syncer {
    fn drop(&mut self) {
        let _ = self.finish();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn work(&self) {
        while let Some((files, named)) = self.next() {
            let files = files.iter().map(|file| file.sync_data());
            let folders = named.iter().map(|path| own_files::sync_folder_of(path));
            // All of them are synced before the first failure is looked for.
            let done: Vec<io::Result<()>> = files.chain(folders).collect();
            if let Some(reason) = done.into_iter().find_map(Result::err) {
                self.lock().error = Some(not_confirmed(&reason));
            }
        }
    }

    /// Waits for files to sync, and a moment more; `None` at the end.
    fn next(&self) -> Option<(Vec<Arc<File>>, Vec<PathBuf>)> {
        let is_idle = |state: &mut State| state.files.is_empty() && state.named.is_empty() && !state.is_ending;
        let state = self.changed.wait_while(self.lock(), is_idle);
        let state = state.unwrap_or_else(std::sync::PoisonError::into_inner);
        let waited = self.changed.wait_timeout_while(state, SYNC_AFTER, |state| !state.is_ending);
        let (mut state, _) = waited.unwrap_or_else(std::sync::PoisonError::into_inner);
        let work = (std::mem::take(&mut state.files), std::mem::take(&mut state.named));
        (!work.0.is_empty() || !work.1.is_empty() || !state.is_ending).then_some(work)
    }
}

fn not_confirmed(error: &io::Error) -> String {
    format!("the disk did not confirm them ({error})")
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    /// The system refuses to sync this file.
    fn unsyncable() -> Arc<File> {
        Arc::new(File::open("/dev/null").unwrap())
    }

    fn syncable() -> Arc<File> {
        Arc::new(File::open(std::env::current_exe().unwrap()).unwrap())
    }

    #[test]
    fn every_file_is_synced_whatever_waits_before_it() {
        for bad in 0..4 {
            let mut syncer = Syncer::start();
            (0..4).for_each(|at| syncer.add(&if at == bad { unsyncable() } else { syncable() }));
            let error = syncer.finish();
            assert!(error.is_some_and(|error| error.contains("did not confirm")), "{bad}");
        }
    }

    #[test]
    fn names_are_synced_and_what_is_deleted_is_not() {
        let mut syncer = Syncer::start();
        syncer.add_name(Path::new("/nowhere/at all"));
        assert!(syncer.finish().is_some());
        let mut syncer = Syncer::start();
        syncer.add(&unsyncable());
        syncer.forget();
        assert_eq!(syncer.finish(), None);
    }
}
