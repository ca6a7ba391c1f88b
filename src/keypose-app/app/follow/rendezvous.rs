//! How the game finds the editor: a file in the folder for application state that only the user can read, with the port
//! and two secrets.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::app::files::own_files::{self, Access};
use crate::app::files::regular_files;
use crate::app::follow::protocol::KEY_BYTES;

/// The first line, with the version of the file.
const TITLE: &str = "keypose follow 1";
/// A longer file was not written by Keypose.
const MAX_BYTES: u64 = 1024;

/// The content of the rendezvous file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendezvous {
    /// The port of the loopback interface on which the editor listens.
    pub port: u16,
    /// The secret that the game sends.
    pub ask: [u8; KEY_BYTES],
    /// The secret that the editor answers, which proves its identity.
    pub answer: [u8; KEY_BYTES],
}

/// The path of the file in a folder.
pub fn file(folder: &Path) -> PathBuf {
    folder.join("follow")
}

impl Rendezvous {
    /// Creates new secrets from the system's random source.
    pub fn new(port: u16) -> io::Result<Rendezvous> {
        let mut rendezvous = Rendezvous { port, ask: [0; KEY_BYTES], answer: [0; KEY_BYTES] };
        getrandom::fill(&mut rendezvous.ask)
            .and_then(|()| getrandom::fill(&mut rendezvous.answer))
            .map_err(io::Error::other)?;
        Ok(rendezvous)
    }

    /// Writes the file, replacing the file of another editor. Other users can never read it.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)?;
        own_files::replace(&file(folder), "new", Access::Private, |file| file.write_all(self.text().as_bytes()))
    }

    /// Reads the file. `None` if there is none, because no editor is in follow mode. The error is a sentence.
    pub fn read(folder: &Path) -> Result<Option<Rendezvous>, String> {
        let path = file(folder);
        let Ok(about) = fs::metadata(&path) else { return Ok(None) };
        let refused = |reason: &str| format!("{}: {reason}", path.display());
        #[cfg(unix)]
        if std::os::unix::fs::MetadataExt::mode(&about) & 0o077 != 0 {
            return Err(refused("other users can access it, so it is not used; delete it"));
        }
        if !about.is_file() || about.len() > MAX_BYTES {
            return Err(refused("not a rendezvous file; delete it"));
        }
        let text = regular_files::read_text(&path).map_err(|error| refused(&error.to_string()))?;
        Rendezvous::parse(&text).map(Some).ok_or_else(|| refused("written by another version of Keypose"))
    }

    /// Deletes the file if it is still this one.
    pub fn remove(&self, folder: &Path) {
        if Rendezvous::read(folder).ok().flatten().as_ref() == Some(self) {
            let _ = fs::remove_file(file(folder));
        }
    }

    fn text(&self) -> String {
        let hex = |key: &[u8]| key.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        let Rendezvous { port, ask, answer } = self;
        format!("{TITLE}\nport {port}\nask {}\nanswer {}\n", hex(ask), hex(answer))
    }

    fn parse(text: &str) -> Option<Rendezvous> {
        let mut lines = text.lines();
        if lines.next()? != TITLE {
            return None;
        }
        let port = lines.next()?.strip_prefix("port ")?.parse().ok().filter(|port| *port > 0)?;
        let (ask, answer) = (key(lines.next()?.strip_prefix("ask ")?)?, key(lines.next()?.strip_prefix("answer ")?)?);
        lines.next().is_none().then_some(Rendezvous { port, ask, answer })
    }
}

fn key(hex: &str) -> Option<[u8; KEY_BYTES]> {
    let mut out = [0; KEY_BYTES];
    if hex.len() != 2 * KEY_BYTES || !hex.bytes().all(|letter| letter.is_ascii_hexdigit()) {
        return None;
    }
    for (at, byte) in out.iter_mut().enumerate() {
        *byte = u8::from_str_radix(hex.get(2 * at..2 * at + 2)?, 16).ok()?;
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("keypose-rendezvous-{name}-{}", std::process::id()))
    }

    #[test]
    fn the_file_round_trips_and_is_only_accessible_to_the_user() {
        let folder = folder("round");
        let rendezvous = Rendezvous::new(4321).unwrap();
        assert_ne!(rendezvous.ask, rendezvous.answer);
        assert_ne!(rendezvous.ask, Rendezvous::new(4321).unwrap().ask, "secrets are used once");
        assert_eq!(Rendezvous::read(&folder), Ok(None));
        rendezvous.write(&folder).unwrap();
        assert_eq!(Rendezvous::read(&folder), Ok(Some(rendezvous.clone())));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
            assert_eq!(mode(&file(&folder)), 0o600);
            fs::set_permissions(file(&folder), fs::Permissions::from_mode(0o644)).unwrap();
            assert!(Rendezvous::read(&folder).unwrap_err().contains("other users"));
            fs::set_permissions(file(&folder), fs::Permissions::from_mode(0o600)).unwrap();
        }
        let other = Rendezvous::new(99).unwrap();
        other.write(&folder).unwrap();
        rendezvous.remove(&folder);
        assert_eq!(Rendezvous::read(&folder), Ok(Some(other.clone())), "another editor's file stays");
        other.remove(&folder);
        assert_eq!(Rendezvous::read(&folder), Ok(None));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn other_texts_are_refused() {
        let good = Rendezvous::new(7).unwrap().text();
        assert!(Rendezvous::parse(&good).is_some());
        let bad = [
            String::new(),
            good.replace("follow 1", "follow 2"),
            good.replace("port 7", "port 0"),
            good.replace("port 7", "port 70000"),
            good.replace("ask ", "ask +"),
            good.replacen("ask ", "ask é", 1),
            format!("{good}more\n"),
            good[..good.len() - 2].to_owned(),
        ];
        for text in bad {
            assert_eq!(Rendezvous::parse(&text), None, "{text}");
        }
    }
}
