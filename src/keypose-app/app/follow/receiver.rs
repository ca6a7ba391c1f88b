//! The game's side: finds an editor in follow mode, authenticates, and keeps the latest pose for the next frame.
//! Searches again when the editor ends.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use keypose::assets::named_pose::NamedPose;

use crate::app::follow::protocol::{self, MAX_BYTES};
use crate::app::follow::rendezvous::Rendezvous;
use crate::app::follow::sender::read_greeting;

/// Interval of searching for an editor.
const SEARCH_INTERVAL: Duration = Duration::from_millis(300);
/// An editor that sends nothing for this time is gone: it sends a message every second.
const TIMEOUT: Duration = Duration::from_secs(5);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(1);

const NOT_ANSWERED: &str =
    "the editor has too many followers or another version, or another program on its port failed to authenticate";

/// The state of follow mode in the game.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Followed {
    /// No editor is in follow mode.
    #[default]
    NoEditor,
    /// Why the editor can't be followed.
    Error(String),
    /// Connected; no pose was received yet.
    Waiting,
    /// The editor's pose.
    Pose(Arc<NamedPose>),
}

/// Follows editors until it is dropped.
#[derive(Debug)]
pub struct Receiver {
    shared: Arc<Mutex<Shared>>,
    /// Dropping it ends the thread.
    _stop: mpsc::Sender<()>,
}

#[derive(Debug, Default)]
struct Shared {
    followed: Followed,
    /// Whether it changed since it was taken.
    is_new: bool,
    stream: Option<TcpStream>,
    is_over: bool,
}

impl Receiver {
    /// Searches for an editor's rendezvous file in a folder. `notify` is called in another thread when the state
    /// changed.
    pub fn start(folder: PathBuf, notify: impl Fn() + Send + 'static) -> Receiver {
        let shared = Arc::new(Mutex::new(Shared::default()));
        let (stop, stopped) = mpsc::channel();
        let of_thread = shared.clone();
        std::thread::spawn(move || {
            let store = |followed| store(&of_thread, followed, &notify);
            loop {
                let end = follow(&folder, &of_thread, &store);
                store(end.err().map_or(Followed::NoEditor, Followed::Error));
                if stopped.recv_timeout(SEARCH_INTERVAL) == Err(RecvTimeoutError::Disconnected) {
                    return;
                }
            }
        });
        Receiver { shared, _stop: stop }
    }

    /// The state, if it changed since the last call.
    pub fn take(&self) -> Option<Followed> {
        let mut shared = lock(&self.shared);
        std::mem::take(&mut shared.is_new).then(|| shared.followed.clone())
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        let mut shared = lock(&self.shared);
        shared.is_over = true;
        if let Some(stream) = shared.stream.take() {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

/// Stores the state. Notifies once until it is taken, so that a slow game is not flooded.
fn store(shared: &Mutex<Shared>, followed: Followed, notify: &impl Fn()) {
    let is_first = {
        let mut shared = lock(shared);
        if shared.followed == followed {
            return;
        }
        shared.followed = followed;
        !std::mem::replace(&mut shared.is_new, true)
    };
    if is_first {
        notify();
    }
}

/// Follows an editor until it ends. The error says why that is not possible.
fn follow(folder: &Path, shared: &Mutex<Shared>, store: &impl Fn(Followed)) -> Result<(), String> {
    let Some(rendezvous) = Rendezvous::read(folder)? else { return Ok(()) };
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, rendezvous.port));
    // An editor that was killed leaves its file behind, which is not an error.
    let Ok(stream) = TcpStream::connect_timeout(&address, CONNECT_TIMEOUT) else { return Ok(()) };
    {
        let mut shared = lock(shared);
        if shared.is_over {
            return Ok(());
        }
        shared.stream = stream.try_clone().ok();
    }
    let ended = match meet(&stream, &rendezvous) {
        Ok(()) => receive(&stream, store),
        Err(_) => Err(NOT_ANSWERED.to_owned()),
    };
    let _ = stream.shutdown(Shutdown::Both);
    lock(shared).stream = None;
    ended
}

fn meet(mut stream: &TcpStream, rendezvous: &Rendezvous) -> io::Result<()> {
    stream.set_nodelay(true)?;
    stream.set_write_timeout(Some(CONNECT_TIMEOUT))?;
    stream.write_all(&protocol::greeting(&rendezvous.ask))?;
    let received = read_greeting(stream, TIMEOUT)?;
    if protocol::is_same(&received, &protocol::greeting(&rendezvous.answer)) {
        Ok(())
    } else {
        Err(io::ErrorKind::InvalidData.into())
    }
}

/// Receives poses until the editor ends. The error describes an invalid message.
fn receive(mut stream: &TcpStream, store: &impl Fn(Followed)) -> Result<(), String> {
    store(Followed::Waiting);
    if stream.set_read_timeout(Some(TIMEOUT)).is_err() {
        return Ok(());
    }
    let mut message = Vec::new();
    loop {
        let mut length = [0; 4];
        if stream.read_exact(&mut length).is_err() {
            return Ok(());
        }
        let length = u32::from_le_bytes(length) as usize;
        if length > MAX_BYTES {
            return Err(format!("the editor sent a message of {length} bytes; the maximum is {MAX_BYTES}"));
        }
        if length == 0 {
            continue;
        }
        message.resize(length, 0);
        if stream.read_exact(&mut message).is_err() {
            return Ok(());
        }
        let pose = protocol::read(&message).map_err(|reason| format!("invalid pose from the editor: {reason}"))?;
        store(Followed::Pose(Arc::new(pose)));
    }
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
