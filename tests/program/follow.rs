//! Follow mode over real sockets: who may connect, what is refused, and that no follower blocks the editor. Waits for
//! events with a generous limit.

use std::cell::Cell;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver as Signals, channel};
use std::time::{Duration, Instant};

use keypose::anim::time::Time;
use keypose::anim::transform::Transform;
use keypose::assets::named_pose::NamedPose;
use keypose_app::app::follow::protocol::{GREETING_BYTES, greeting, message};
use keypose_app::app::follow::receiver::{Followed, Receiver};
use keypose_app::app::follow::rendezvous::Rendezvous;
use keypose_app::app::follow::sender::Sender;

use crate::folder::Folder;

const LIMIT: Duration = Duration::from_secs(60);

fn pose(time: i64) -> NamedPose {
    let bones = vec![("hips".into(), Transform::IDENTITY)];
    let scalars = vec![("hips".into(), "glow".into(), 0.5)];
    NamedPose { model: "knight".into(), clip: "walk".into(), time: Time(time), bones, scalars }
}

fn started(folder: &Path) -> Sender {
    Sender::start(folder, || {}).unwrap()
}

fn follower(folder: &Path) -> (Receiver, Signals<()>) {
    let (sender, signals) = channel();
    (
        Receiver::start(folder.to_owned(), move || {
            let _ = sender.send(());
        }),
        signals,
    )
}

/// Waits until what is followed is as wanted.
fn wait(follower: &(Receiver, Signals<()>), what: &str, is_wanted: impl Fn(&Followed) -> bool) -> Followed {
    let end = Instant::now() + LIMIT;
    let mut last = None;
    loop {
        if let Some(followed) = follower.0.take() {
            if is_wanted(&followed) {
                return followed;
            }
            last = Some(followed);
        }
        let left = end.saturating_duration_since(Instant::now());
        assert!(follower.1.recv_timeout(left).is_ok(), "{what}: the last was {last:?}");
    }
}

fn has(time: i64) -> impl Fn(&Followed) -> bool {
    move |followed| matches!(followed, Followed::Pose(pose) if pose.time == Time(time))
}

fn until(what: &str, is_done: impl Fn() -> bool) {
    let end = Instant::now() + LIMIT;
    while !is_done() {
        assert!(Instant::now() < end, "{what}");
        std::thread::yield_now();
    }
}

#[test]
fn a_game_gets_the_latest_pose_in_either_start_order() {
    let folder = Folder::new("order");
    let early = follower(&folder);
    let editor = started(&folder);
    wait(&early, "the editor is found", |followed| *followed == Followed::Waiting);
    editor.show(&pose(1));
    wait(&early, "a pose comes", has(1));
    let late = follower(&folder);
    wait(&late, "the last pose comes to who comes later", has(1));
    until("both are counted", || editor.followers() == 2);
    for time in 2..200 {
        editor.show(&pose(time));
    }
    let last = wait(&late, "the newest comes", has(199));
    assert_eq!(last, Followed::Pose(Arc::new(pose(199))));
    wait(&early, "to both", has(199));
    drop(late);
    editor.show(&pose(200));
    until("one is gone", || editor.followers() == 1);
    drop(editor);
    wait(&early, "the editor is gone", |followed| *followed == Followed::NoEditor);
    assert_eq!(Rendezvous::read(&folder), Ok(None), "and left nothing behind");
    let again = started(&folder);
    again.show(&pose(7));
    wait(&early, "another editor is found", has(7));
    drop(again);
}

/// Says something to the editor; what it answers until it hangs up.
fn answer_to(port: u16, bytes_sent: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
    stream.set_read_timeout(Some(LIMIT)).unwrap();
    // It may hang up while it is spoken to.
    let _ = stream.write_all(bytes_sent);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    answer
}

#[test]
fn strangers_get_nothing() {
    let folder = Folder::new("strangers");
    let editor = started(&folder);
    editor.show(&pose(1));
    let rendezvous = Rendezvous::read(&folder).unwrap().unwrap();
    let right = greeting(&rendezvous.ask);
    let mut almost = right;
    almost[GREETING_BYTES - 1] ^= 1;
    let mut other_version = right;
    other_version[8] ^= 1;
    let zeros = [0; GREETING_BYTES];
    let http = b"GET / HTTP/1.1\r\nHost: localhost\r\nAccept: text/html, and so on, long enough\r\n\r\n";
    let half = &right[..GREETING_BYTES / 2];
    let cases: [&[u8]; 6] = [&almost, &other_version, &zeros, http, half, &greeting(&rendezvous.answer)];
    for bytes_sent in cases {
        assert!(answer_to(rendezvous.port, bytes_sent).is_empty(), "{bytes_sent:?}");
    }
    assert_eq!(editor.followers(), 0);
    let friend = follower(&folder);
    wait(&friend, "who knows the secret is let in", has(1));
    drop(editor);
}

#[test]
fn strangers_who_send_nothing_do_not_lock_out_a_game() {
    let folder = Folder::new("silent");
    let sender = started(&folder);
    let port = Rendezvous::read(&folder).unwrap().unwrap().port;
    // Each connects again as soon as it is disconnected.
    let stranger = move || {
        while let Ok(mut stream) = TcpStream::connect((Ipv4Addr::LOCALHOST, port)) {
            let _ = stream.read(&mut [0]);
        }
    };
    let strangers: Vec<_> = (0..24).map(|_| std::thread::spawn(stranger)).collect();
    sender.show(&pose(1));
    let game = follower(&folder);
    wait(&game, "the pose", has(1));
    drop((game, sender));
    strangers.into_iter().for_each(|stranger| stranger.join().unwrap());
}

#[test]
fn a_follower_that_reads_nothing_blocks_no_other() {
    let folder = Folder::new("slow");
    let editor = started(&folder);
    let rendezvous = Rendezvous::read(&folder).unwrap().unwrap();
    let mut dead = TcpStream::connect((Ipv4Addr::LOCALHOST, rendezvous.port)).unwrap();
    dead.write_all(&greeting(&rendezvous.ask)).unwrap();
    until("it is let in", || editor.followers() == 1);
    let lively = follower(&folder);
    let bones = vec![("a bone with a name".to_owned(), Transform::IDENTITY); 10_000];
    let large = |time| NamedPose { time: Time(time), bones: bones.clone(), ..NamedPose::default() };
    // More than any buffer holds, until the editor gives the dead one up. `show` comes back each time, whatever happens.
    let number = Cell::new(0);
    until("the dead one is given up", || {
        number.set(number.get() + 1);
        editor.show(&large(number.get()));
        wait(&lively, "the lively one continues", has(number.get()));
        editor.followers() == 1
    });
    drop((dead, editor));
}

/// Something that says it is the editor, and is not, or sends what is no pose.
fn impostor(folder: &Path, says: impl Fn(&Rendezvous) -> Vec<u8> + Send + 'static) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let rendezvous = Rendezvous::new(listener.local_addr().unwrap().port()).unwrap();
    rendezvous.write(folder).unwrap();
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut bytes_sent = [0; GREETING_BYTES];
        let _ = stream.read_exact(&mut bytes_sent);
        let _ = stream.write_all(&says(&rendezvous));
        // Until the game hangs up.
        let _ = stream.read(&mut bytes_sent);
    });
}

#[test]
fn what_is_no_editor_and_what_is_no_pose_is_refused_with_a_reason() {
    let wrong = |_: &Rendezvous| greeting(&[1; 32]).to_vec();
    let after_greeting =
        |bytes: Vec<u8>| move |rendezvous: &Rendezvous| [&greeting(&rendezvous.answer)[..], &bytes].concat();
    let torn = {
        let mut bytes = message(&pose(1)).unwrap();
        let length = bytes.len();
        bytes[length - 2..].fill(0xff);
        bytes
    };
    let refused = |name: &str, word: &str, start: &dyn Fn(&Path)| {
        let folder = Folder::new(name);
        start(&folder);
        let game = follower(&folder);
        let trouble = wait(&game, name, |followed| matches!(followed, Followed::Error(_)));
        assert!(format!("{trouble:?}").contains(word), "{trouble:?}");
    };
    refused("impostor", "authenticate", &|folder| impostor(folder, wrong));
    refused("huge", "4294967295 bytes", &|folder| impostor(folder, after_greeting(vec![0xff; 64])));
    refused("garbage", "not a pose", &|folder| impostor(folder, after_greeting(vec![3, 0, 0, 0, 1, 2, 3])));
    refused("torn", "finite", &|folder| impostor(folder, after_greeting(torn.clone())));
}
