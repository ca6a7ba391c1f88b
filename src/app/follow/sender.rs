//! The editor's side: listens, lets in who knows the secret, and gives everyone the latest pose. What a follower misses
//! because it is slow it never gets; nobody can hold up the editor.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::app::follow::protocol::{self, GREETING_BYTES, STILL_HERE};
use crate::app::follow::rendezvous::Rendezvous;
use crate::assets::named_pose::NamedPose;

/// Connections at a time, strangers that did not prove themselves yet included.
const MOST_PEERS: usize = 8;
/// A greeting must be complete within this time.
const GREETING_TIME: Duration = Duration::from_secs(2);
/// A peer that takes nothing for so long is gone.
const WRITE_TIME: Duration = Duration::from_secs(2);
/// While nothing changes a follower hears this often that the editor is still there.
const BEAT: Duration = Duration::from_secs(1);

/// Shows poses to followers until it is dropped.
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
    peers: AtomicUsize,
    followers: AtomicUsize,
}

#[derive(Debug, Default)]
struct Latest {
    /// Counts the poses.
    number: u64,
    message: Arc<[u8]>,
}

impl Sender {
    /// Listens on a free port of the loopback interface, and leaves word of it in a folder. `told` is called, in another
    /// thread, when the number of followers changed. The error is a sentence.
    pub fn start(folder: &Path, told: impl Fn() + Send + Sync + 'static) -> Result<Sender, String> {
        let failed = |error: io::Error| format!("The pose can't be shown in a game: {error}");
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(failed)?;
        let rendezvous = Rendezvous::new(listener.local_addr().map_err(failed)?.port()).map_err(failed)?;
        rendezvous.write(folder).map_err(|error| format!("The pose can't be shown: {}: {error}", folder.display()))?;
        let shared = Arc::new(Shared {
            latest: Mutex::default(),
            changed: Condvar::new(),
            is_over: AtomicBool::new(false),
            peers: AtomicUsize::new(0),
            followers: AtomicUsize::new(0),
        });
        let (for_peers, secrets) = (shared.clone(), rendezvous.clone());
        std::thread::spawn(move || listen(&listener, &for_peers, &secrets, &Arc::new(told)));
        Ok(Sender { shared, rendezvous, folder: folder.to_owned() })
    }

    /// Shows a pose from now on. Waits for nobody. One that is too large to be sent is not shown.
    pub fn show(&self, pose: &NamedPose) {
        if let Some(message) = protocol::message(pose) {
            let mut latest = lock(&self.shared.latest);
            latest.number += 1;
            latest.message = message.into();
            self.shared.changed.notify_all();
        }
    }

    /// How many games follow now.
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
        // The listener waits for a connection; this is its last.
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, self.rendezvous.port));
        let _ = TcpStream::connect_timeout(&address, Duration::from_millis(200));
    }
}

fn listen<T: Fn() + Send + Sync + 'static>(
    listener: &TcpListener,
    shared: &Arc<Shared>,
    secrets: &Rendezvous,
    told: &Arc<T>,
) {
    for stream in listener.incoming() {
        if shared.is_over.load(Ordering::Relaxed) {
            return;
        }
        let Ok(stream) = stream else {
            // Too many open files, say: that passes, but not at once.
            std::thread::sleep(Duration::from_millis(50));
            continue;
        };
        let Some(place) = Counted::enter(shared, |shared| &shared.peers, MOST_PEERS) else { continue };
        let (shared, secrets, told) = (shared.clone(), secrets.clone(), told.clone());
        std::thread::spawn(move || {
            let _place = place;
            // Whatever ends it, there is nobody left to tell.
            let _ = serve(&stream, &shared, &secrets, &*told);
            let _ = stream.shutdown(Shutdown::Both);
        });
    }
}

/// One follower, from its greeting to its end.
fn serve(mut stream: &TcpStream, shared: &Arc<Shared>, secrets: &Rendezvous, told: &impl Fn()) -> io::Result<()> {
    stream.set_nodelay(true)?;
    stream.set_write_timeout(Some(WRITE_TIME))?;
    let said = read_greeting(stream, GREETING_TIME)?;
    if !protocol::is_same(&said, &protocol::greeting(&secrets.ask)) {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    stream.write_all(&protocol::greeting(&secrets.answer))?;
    let follower = Counted::enter(shared, |shared| &shared.followers, usize::MAX);
    told();
    let ended = feed(stream, shared);
    drop(follower);
    told();
    ended
}

/// Gives a follower each pose that it has time for.
fn feed(mut stream: &TcpStream, shared: &Shared) -> io::Result<()> {
    let mut seen = 0;
    loop {
        let message = {
            let latest = lock(&shared.latest);
            let is_idle = |latest: &mut Latest| latest.number == seen && !shared.is_over.load(Ordering::Relaxed);
            let waited = shared.changed.wait_timeout_while(latest, BEAT, is_idle);
            let (latest, waited) = waited.unwrap_or_else(PoisonError::into_inner);
            seen = latest.number;
            if waited.timed_out() { None } else { Some(latest.message.clone()) }
        };
        if shared.is_over.load(Ordering::Relaxed) {
            return Ok(());
        }
        stream.write_all(message.as_deref().unwrap_or(&STILL_HERE))?;
    }
}

/// A whole greeting, however slowly it drips, within a time.
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

/// A place among so many, given back when it is dropped.
struct Counted {
    shared: Arc<Shared>,
    count: fn(&Shared) -> &AtomicUsize,
}

impl Counted {
    fn enter(shared: &Arc<Shared>, count: fn(&Shared) -> &AtomicUsize, most: usize) -> Option<Counted> {
        let place = Counted { shared: shared.clone(), count };
        // Given back by the drop where there is none.
        (count(shared).fetch_add(1, Ordering::Relaxed) < most).then_some(place)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        (self.count)(&self.shared).fetch_sub(1, Ordering::Relaxed);
    }
}

fn lock(latest: &Mutex<Latest>) -> MutexGuard<'_, Latest> {
    latest.lock().unwrap_or_else(PoisonError::into_inner)
}
