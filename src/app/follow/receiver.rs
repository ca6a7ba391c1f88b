//! The game's side: looks for an editor that shows its pose, proves who it is, and keeps the latest pose for the next
//! frame. When the editor ends it looks again.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::app::follow::protocol::{self, MOST_BYTES};
use crate::app::follow::rendezvous::Rendezvous;
use crate::app::follow::sender::read_greeting;
use crate::assets::named_pose::NamedPose;

/// Between two looks for an editor.
const LOOK: Duration = Duration::from_millis(300);
/// An editor that says nothing for so long is gone: it tells every second that it is there.
const SILENCE: Duration = Duration::from_secs(5);
const CONNECT_TIME: Duration = Duration::from_secs(1);

/// What is followed now.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Followed {
    /// No editor shows its pose.
    #[default]
    NoEditor,
    /// Why an editor, or what says that it is one, can't be followed.
    Error(String),
    /// The editor is there; it has not shown a pose yet.
    Waiting,
    /// The editor's pose.
    Pose(Arc<NamedPose>),
}

/// Follows until it is dropped.
#[derive(Debug)]
pub struct Receiver {
    shared: Arc<Mutex<Shared>>,
    /// Its end is the thread's.
    _stop: mpsc::Sender<()>,
}

#[derive(Debug, Default)]
struct Shared {
    followed: Followed,
    /// It changed since it was taken.
    is_new: bool,
    stream: Option<TcpStream>,
    is_over: bool,
}

impl Receiver {
    /// Looks in a folder for word of an editor. `told` is called, in another thread, when there is something to take.
    pub fn start(folder: PathBuf, told: impl Fn() + Send + 'static) -> Receiver {
        let shared = Arc::new(Mutex::new(Shared::default()));
        let (stop, stopped) = mpsc::channel();
        let of_thread = shared.clone();
        std::thread::spawn(move || {
            let tell = |followed| tell(&of_thread, followed, &told);
            loop {
                let end = follow(&folder, &of_thread, &tell);
                tell(end.err().map_or(Followed::NoEditor, Followed::Error));
                if stopped.recv_timeout(LOOK) == Err(RecvTimeoutError::Disconnected) {
                    return;
                }
            }
        });
        Receiver { shared, _stop: stop }
    }

    /// What is followed now, where that changed since the last call.
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

/// Keeps what is followed. Told once until it is taken, so that a slow game is not flooded.
fn tell(shared: &Mutex<Shared>, followed: Followed, told: &impl Fn()) {
    let is_first = {
        let mut shared = lock(shared);
        if shared.followed == followed {
            return;
        }
        shared.followed = followed;
        !std::mem::replace(&mut shared.is_new, true)
    };
    if is_first {
        told();
    }
}

/// Follows an editor to its end; an error says why that can't be.
fn follow(folder: &Path, shared: &Mutex<Shared>, tell: &impl Fn(Followed)) -> Result<(), String> {
    let Some(rendezvous) = Rendezvous::read(folder)? else { return Ok(()) };
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, rendezvous.port));
    // An editor that was killed leaves its file behind: that is no trouble.
    let Ok(stream) = TcpStream::connect_timeout(&address, CONNECT_TIME) else { return Ok(()) };
    {
        let mut shared = lock(shared);
        if shared.is_over {
            return Ok(());
        }
        shared.stream = stream.try_clone().ok();
    }
    let met = meet(&stream, &rendezvous);
    let ended = match met {
        Ok(()) => receive(&stream, tell),
        Err(_) => Err("what listens in the editor's place does not know the answer; it is not followed".to_owned()),
    };
    let _ = stream.shutdown(Shutdown::Both);
    lock(shared).stream = None;
    ended
}

fn meet(mut stream: &TcpStream, rendezvous: &Rendezvous) -> io::Result<()> {
    stream.set_nodelay(true)?;
    stream.set_write_timeout(Some(CONNECT_TIME))?;
    stream.write_all(&protocol::greeting(&rendezvous.ask))?;
    let said = read_greeting(stream, SILENCE)?;
    if protocol::is_same(&said, &protocol::greeting(&rendezvous.answer)) {
        Ok(())
    } else {
        Err(io::ErrorKind::InvalidData.into())
    }
}

/// Takes poses until the editor ends; an error says what it sent that is none.
fn receive(mut stream: &TcpStream, tell: &impl Fn(Followed)) -> Result<(), String> {
    tell(Followed::Waiting);
    if stream.set_read_timeout(Some(SILENCE)).is_err() {
        return Ok(());
    }
    let mut message = Vec::new();
    loop {
        let mut length = [0; 4];
        if stream.read_exact(&mut length).is_err() {
            return Ok(());
        }
        let length = u32::from_le_bytes(length) as usize;
        if length > MOST_BYTES {
            return Err(format!("the editor sent {length} bytes at once, at most {MOST_BYTES} are taken"));
        }
        if length == 0 {
            continue;
        }
        message.resize(length, 0);
        if stream.read_exact(&mut message).is_err() {
            return Ok(());
        }
        let pose = protocol::read(&message).map_err(|reason| format!("the editor's pose can't be read: {reason}"))?;
        tell(Followed::Pose(Arc::new(pose)));
    }
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
