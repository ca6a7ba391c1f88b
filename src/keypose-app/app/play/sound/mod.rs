//! Sound: a thread that owns the system's output and mixes voices. Without a device, or without the feature `sound`, everything
//! else works as before, in silence.

#[cfg(feature = "sound")]
mod output;
pub mod voice;

use std::sync::mpsc::Sender;
#[cfg(feature = "sound")]
use std::sync::mpsc::channel;
use std::sync::{Arc, Weak};

use keypose::assets::sound::{Sound, SoundRepeat};

use crate::app::play::sound::voice::{Level, Voice, VoiceControl};

/// Maximum number of voices at once; further ones are dropped.
const MAX_VOICES: usize = 32;

/// Plays sounds. The thread starts with the first sound and ends when this is dropped.
pub struct Speaker {
    level: Arc<Level>,
    voices: Vec<Weak<VoiceControl>>,
    /// The voice of the editor's preview.
    preview: Weak<VoiceControl>,
    output: Output,
    report: Option<Report>,
}

/// Gets a sentence.
type Report = Box<dyn FnOnce(String) + Send>;

enum Output {
    /// Nothing was played yet.
    Unused,
    /// Takes voices. Voices that arrive after an error of the device are dropped.
    #[cfg_attr(not(feature = "sound"), allow(dead_code))]
    Open(Sender<Voice>),
    /// There is none.
    Silent,
}

impl Speaker {
    /// `report` gets a sentence if sound is not available; called at most once, from any thread.
    pub fn new(report: impl FnOnce(String) + Send + 'static) -> Speaker {
        Speaker {
            level: Arc::default(),
            voices: Vec::new(),
            preview: Weak::new(),
            output: Output::Unused,
            report: Some(Box::new(report)),
        }
    }

    /// Mutes everything, or ends it.
    pub fn mute(&self, is_muted: bool) {
        self.level.mute(is_muted);
    }

    /// Halts all voices, or lets them continue.
    pub fn pause(&self, is_paused: bool) {
        self.level.pause(is_paused);
    }

    /// Ends all voices.
    pub fn stop(&mut self) {
        self.voices.drain(..).filter_map(|voice| voice.upgrade()).for_each(|voice| voice.stop());
        self.pause(false);
    }

    /// Plays a sound, at a factor of its volume.
    pub fn play(&mut self, sound: &Arc<Sound>, gain: f32) {
        self.start(sound.clone(), gain);
    }

    /// Plays a sound once for the editor, in place of the last one. A sound that plays already ends instead.
    pub fn preview(&mut self, sound: &Arc<Sound>) {
        let before = self.preview.upgrade();
        if let Some(before) = &before {
            before.stop();
        }
        if before.is_some_and(|before| before.is_of(&sound.samples)) {
            return;
        }
        let once = Arc::new(Sound { repeat: SoundRepeat::Once, ..Sound::clone(sound) });
        self.preview = self.start(once, 1.0).map_or(Weak::new(), |voice| Arc::downgrade(&voice));
    }

    fn start(&mut self, sound: Arc<Sound>, gain: f32) -> Option<Arc<VoiceControl>> {
        self.voices.retain(|voice| voice.strong_count() > 0);
        if self.voices.len() >= MAX_VOICES || gain <= 0.0 {
            return None;
        }
        if matches!(self.output, Output::Unused) {
            self.output = open(self.report.take().unwrap_or_else(|| Box::new(drop)));
        }
        let Output::Open(sender) = &self.output else { return None };
        let voice = Voice::new(sound, gain, self.level.clone());
        let control = voice.control().clone();
        match sender.send(voice) {
            Ok(()) => {
                self.voices.push(Arc::downgrade(&control));
                Some(control)
            }
            Err(_) => {
                self.output = Output::Silent;
                None
            }
        }
    }
}

/// Starts the thread of the output.
#[cfg(feature = "sound")]
fn open(report: Report) -> Output {
    let (sender, voices) = channel();
    let run = move || output::run(&voices, report);
    match std::thread::Builder::new().name("sound".into()).spawn(run) {
        Ok(_) => Output::Open(sender),
        Err(_) => Output::Silent,
    }
}

#[cfg(not(feature = "sound"))]
fn open(report: Report) -> Output {
    report("This build of Keypose has no sound.".into());
    Output::Silent
}
