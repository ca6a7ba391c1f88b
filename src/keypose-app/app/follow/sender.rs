//! The editor's side: listens, authenticates followers, and sends each the latest pose. Slow followers skip poses and
//! can't delay the editor.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use keypose::assets::named_pose::NamedPose;

use crate::app::follow::protocol::{self, GREETING_BYTES};
use crate::app::follow::rendezvous::Rendezvous;

/// Maximum followers.
const MAX_FOLLOWERS: usize = 8;
/// Maximum connections that are not authenticated yet. One more ends the oldest of them, so that strangers who send nothing can't
/// lock out a game, which sends its greeting at once.
const MAX_WAITING: usize = 32;
/// Maximum time for receiving a greeting.
const GREETING_TIME: Duration = Duration::from_secs(2);
/// A follower that accepts no data for this time is disconnected.
const WRITE_TIME: Duration = Duration::from_secs(2);
/// Interval of messages while the pose doesn't change.
const HEARTBEAT: Duration = Duration::from_secs(1);

/// Sends poses to followers until it is dropped.
#[derive(Debug)]
pub struct Sender {
    shared: Arc<Shared>,
    rendezvous: Rendezvous,
    folder: PathBuf,
}

#[derive(Debug)]
struct Shared {
    latest: Mutex<Latest>,
    changed: Condvar,
    is_over: AtomicBool,
    waiting: Mutex<VecDeque<Arc<TcpStream>>>,
    followers: AtomicUsize,
}

#[derive(Debug, Default)]
struct Latest {
    /// Counts the poses.
    number: u64,
    /// The pose as it is sent; `None` before the first one.
    message: Option<Arc<[u8]>>,
}

impl Sender {
    /// Listens on a free port of the loopback interface and writes the rendezvous file to a folder. `notify` is called
    /// in another thread when the count of followers changes. The error is a sentence.
    pub fn start(folder: &Path, notify: impl Fn() + Send + Sync + 'static) -> Result<Sender, String> {
        let failed = |error: io::Error| format!("Follow mode is not available: {error}");
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(failed)?;
        let rendezvous = Rendezvous::new(listener.local_addr().map_err(failed)?.port()).map_err(failed)?;
        rendezvous
            .write(folder)
            .map_err(|error| format!("Follow mode is not available: {}: {error}", folder.display()))?;
        let shared = Arc::new(Shared {
            latest: Mutex::default(),
            changed: Condvar::new(),
            is_over: AtomicBool::new(false),
            waiting: Mutex::default(),
            followers: AtomicUsize::new(0),
        });
        let (for_peers, secrets) = (shared.clone(), rendezvous.clone());
        std::thread::spawn(move || listen(&listener, &for_peers, &secrets, &Arc::new(notify)));
        Ok(Sender { shared, rendezvous, folder: folder.to_owned() })
    }

    /// Sends a pose without waiting. One that is too large is skipped.
    pub fn show(&self, pose: &NamedPose) {
        if let Some(message) = protocol::message(pose) {
            let mut latest = lock(&self.shared.latest);
            latest.number += 1;
            latest.message = Some(message.into());
            self.shared.changed.notify_all();
        }
    }

    /// Count of followers.
    pub fn followers(&self) -> usize {
        self.shared.followers.load(Ordering::Relaxed)
    }
}

impl Drop for Sender {
    fn drop(&mut self) {
        self.rendezvous.remove(&self.folder);
        {
            let _latest = lock(&self.shared.latest);
            self.shared.is_over.store(true, Ordering::Relaxed);
        }
        self.shared.changed.notify_all();
        // Unblocks the listener, which waits for a connection.
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, self.rendezvous.port));
        let _ = TcpStream::connect_timeout(&address, Duration::from_millis(200));
    }
}

fn listen<T: Fn() + Send + Sync + 'static>(
    listener: &TcpListener,
    shared: &Arc<Shared>,
    secrets: &Rendezvous,
    notify: &Arc<T>,
) {
    for stream in listener.incoming() {
        if shared.is_over.load(Ordering::Relaxed) {
            return;
        }
        let Ok(stream) = stream else {
            // Too many open files, for example: this may pass, but not at once.
            std::thread::sleep(Duration::from_millis(50));
            continue;
        };
        let stream = Arc::new(stream);
        shared.wait(&stream);
        let (shared, secrets, notify) = (shared.clone(), secrets.clone(), notify.clone());
        std::thread::spawn(move || {
            // An error just ends the connection.
            let _ = serve(&stream, &shared, &secrets, &*notify);
            shared.stop_waiting(&stream);
            let _ = stream.shutdown(Shutdown::Both);
        });
    }
}

impl Shared {
    /// Adds a connection that is not authenticated yet. If there are too many, the oldest ends.
    fn wait(&self, stream: &Arc<TcpStream>) {
        let mut waiting = lock(&self.waiting);
        waiting.push_back(stream.clone());
        if waiting.len() > MAX_WAITING
            && let Some(oldest) = waiting.pop_front()
        {
            // A greeting that came is still read, however many strangers came after it.
            let _ = oldest.shutdown(Shutdown::Read);
        }
    }

    /// Removes a connection that has sent its greeting or ended.
    fn stop_waiting(&self, stream: &Arc<TcpStream>) {
        lock(&self.waiting).retain(|other| !Arc::ptr_eq(other, stream));
    }
}

/// Serves a follower until it disconnects.
fn serve(stream: &Arc<TcpStream>, shared: &Arc<Shared>, secrets: &Rendezvous, notify: &impl Fn()) -> io::Result<()> {
    stream.set_nodelay(true)?;
    stream.set_write_timeout(Some(WRITE_TIME))?;
    let received = read_greeting(stream, GREETING_TIME);
    shared.stop_waiting(stream);
    if !protocol::is_same(&received?, &protocol::greeting(&secrets.ask)) {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    let follower = Follower::enter(shared).ok_or(io::ErrorKind::ResourceBusy)?;
    (&**stream).write_all(&protocol::greeting(&secrets.answer))?;
    notify();
    let ended = feed(stream, shared);
    drop(follower);
    notify();
    ended
}

/// Sends the latest pose whenever the follower is ready.
fn feed(mut stream: &TcpStream, shared: &Shared) -> io::Result<()> {
    let mut seen = 0;
    loop {
        let message = {
            let latest = lock(&shared.latest);
            let is_idle = |latest: &mut Latest| latest.number == seen && !shared.is_over.load(Ordering::Relaxed);
            let waited = shared.changed.wait_timeout_while(latest, HEARTBEAT, is_idle);
            let (latest, waited) = waited.unwrap_or_else(PoisonError::into_inner);
            seen = latest.number;
            if waited.timed_out() { None } else { latest.message.clone() }
        };
        if shared.is_over.load(Ordering::Relaxed) {
            return Ok(());
        }
        stream.write_all(message.as_deref().unwrap_or(&protocol::HEARTBEAT))?;
    }
}

/// Reads a whole greeting within a time, however slowly it arrives.
pub(super) fn read_greeting(mut stream: &TcpStream, time: Duration) -> io::Result<[u8; GREETING_BYTES]> {
    let end = Instant::now() + time;
    let mut out = [0; GREETING_BYTES];
    let mut filled = 0;
    while filled < out.len() {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        stream.set_read_timeout(Some(left))?;
        match stream.read(&mut out[filled..])? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => filled += read,
        }
    }
    Ok(out)
}

/// One of a limited number of followers, until it is dropped.
struct Follower(Arc<Shared>);

impl Follower {
    fn enter(shared: &Arc<Shared>) -> Option<Follower> {
        let follower = Follower(shared.clone());
        // If there are too many, dropping it decrements the count.
        (shared.followers.fetch_add(1, Ordering::Relaxed) < MAX_FOLLOWERS).then_some(follower)
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        self.0.followers.fetch_sub(1, Ordering::Relaxed);
    }
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
