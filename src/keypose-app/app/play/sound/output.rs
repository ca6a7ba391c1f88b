//! The system's output through rodio. A function that runs in a thread of its own.

#[cfg(target_os = "linux")]
use std::path::{Path, PathBuf};
use std::sync::mpsc::Receiver;
use std::time::Duration;

use rodio::{OutputStreamBuilder, Source};

use crate::app::play::sound::voice::Voice;

/// Plays voices until the sender is gone. Without a device, `report` gets the reason and the voices are dropped.
pub fn run(voices: &Receiver<Voice>, report: impl FnOnce(String)) {
    if !may_have_device() {
        return report("No sound: there is no sound device. Everything else works.".into());
    }
    let stream = OutputStreamBuilder::from_default_device()
        // Errors of a running device, such as one that was unplugged, end its sound and nothing else.
        .and_then(|builder| builder.with_error_callback(|_| ()).open_stream_or_fallback());
    let mut stream = match stream {
        Ok(stream) => stream,
        Err(error) => return report(format!("No sound: {error}. Everything else works.")),
    };
    stream.log_on_drop(false);
    voices.iter().for_each(|voice| stream.mixer().add(voice));
}

/// Whether there may be a device. On Linux, ALSA would write lines about a missing one to the terminal.
#[cfg(target_os = "linux")]
fn may_have_device() -> bool {
    let runtime = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from).unwrap_or_default();
    let servers = ["pulse/native", "pipewire-0"].map(|socket| runtime.join(socket));
    std::env::var_os("PULSE_SERVER").is_some()
        || servers.iter().map(PathBuf::as_path).chain([Path::new("/dev/snd")]).any(Path::exists)
}

#[cfg(not(target_os = "linux"))]
fn may_have_device() -> bool {
    true
}

impl Source for Voice {
    fn current_span_len(&self) -> Option<usize> {
        None
    }

    fn channels(&self) -> u16 {
        self.sound().channels.into()
    }

    fn sample_rate(&self) -> u32 {
        self.sound().rate
    }

    fn total_duration(&self) -> Option<Duration> {
        None
    }
}
