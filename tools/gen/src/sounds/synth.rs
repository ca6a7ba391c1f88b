//! Oscillators, noise, envelopes and strings, one sample at a time. Only arithmetic that gives the same bits on every platform.

use crate::maths::sin_cos;

/// Samples from about -1 to 1, at a rate in sample frames per second.
#[derive(Clone, Debug, Default)]
pub struct Track {
    /// Sample frames per second.
    pub rate: u32,
    /// Mono.
    pub samples: Vec<f64>,
}

/// Noise of its own seed (xorshift of Marsaglia).
#[derive(Clone, Debug)]
pub struct Noise(u32);

impl Noise {
    /// The same seed gives the same noise. Not 0.
    pub fn new(seed: u32) -> Noise {
        Noise(seed.max(1))
    }

    /// From -1 to 1.
    pub fn sample(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        f64::from(self.0) / f64::from(u32::MAX) * 2.0 - 1.0
    }
}

/// A low-pass filter of first order: `part` (0 to 1) of each difference passes.
#[derive(Clone, Copy, Debug, Default)]
pub struct LowPass(f64);

impl LowPass {
    /// The next value.
    pub fn next(&mut self, sample: f64, part: f64) -> f64 {
        self.0 += (sample - self.0) * part;
        self.0
    }
}

impl Track {
    /// Silence of a length in seconds.
    pub fn silence(rate: u32, secs: f64) -> Track {
        Track { rate, samples: vec![0.0; (f64::from(rate) * secs).round() as usize] }
    }

    /// A track of a function of the time in seconds.
    pub fn of(rate: u32, secs: f64, mut at: impl FnMut(f64) -> f64) -> Track {
        let mut track = Track::silence(rate, secs);
        for (index, sample) in track.samples.iter_mut().enumerate() {
            *sample = at(index as f64 / f64::from(rate));
        }
        track
    }

    /// Adds another track from a time in seconds on. What is behind the end comes at the beginning, so that a loop has no seam.
    pub fn add(&mut self, other: &Track, secs: f64, gain: f64) {
        let start = (secs * f64::from(self.rate)).round() as usize;
        let length = self.samples.len();
        for (index, sample) in other.samples.iter().enumerate() {
            self.samples[(start + index) % length] += sample * gain;
        }
    }

    /// The samples as 16 bits, with this amplitude at the loudest place.
    pub fn finished(&self, loudest: f64) -> Vec<i16> {
        let peak = self.samples.iter().fold(1e-9, |peak: f64, sample| peak.max(sample.abs()));
        self.samples.iter().map(|sample| (sample / peak * loudest * 32_767.0).round() as i16).collect()
    }
}

/// The sine of a phase in periods.
pub fn sine(phase: f64) -> f64 {
    sin_cos((phase - phase.floor()) * 360.0).0
}

/// A triangle of a phase in periods.
pub fn triangle(phase: f64) -> f64 {
    let part = phase - phase.floor();
    1.0 - 4.0 * (part - 0.5).abs()
}

/// The phase in periods of a tone that glides evenly from one frequency to another, and its envelope: a fast attack, then a fall as
/// (1 - t)^3.
pub fn glide(secs: f64, [from, to]: [f64; 2], length: f64) -> (f64, f64) {
    let part = (secs / length).min(1.0);
    (from * secs + (to - from) * secs * part * 0.5, fall(secs, length))
}

/// An envelope: up in 4 ms, then down to 0 at `length`, as a cube.
pub fn fall(secs: f64, length: f64) -> f64 {
    let left = (1.0 - secs / length).max(0.0);
    (secs / 0.004).min(1.0) * left * left * left
}

/// The frequency of a note in Hz: semitones above A at 440 Hz, in equal temperament.
pub fn frequency(semitones: i32) -> f64 {
    // 2^(1/12), so that no power of the standard library is needed.
    const STEP: f64 = 1.059_463_094_359_295_3;
    let factor = (0..semitones.unsigned_abs()).fold(1.0, |factor, _| factor * STEP);
    if semitones < 0 { 440.0 / factor } else { 440.0 * factor }
}

/// A plucked string (Karplus and Strong, Digital Synthesis of Plucked-String and Drum Timbres, 1983). `bright` is 0 to 1.
pub fn pluck(rate: u32, frequency: f64, secs: f64, bright: f64, seed: u32) -> Track {
    let (mut noise, mut low) = (Noise::new(seed), LowPass::default());
    let period = f64::from(rate) / frequency - 0.5;
    let whole = period.floor();
    let part = period - whole;
    let length = whole as usize + 2;
    let mut string: Vec<f64> = (0..length).map(|_| low.next(noise.sample(), 0.2 + 0.8 * bright)).collect();
    let mut at = 0;
    Track::of(rate, secs, |now| {
        let back = |steps: usize| (at + length - steps) % length;
        let (near, far) = (string[back(whole as usize)], string[back(whole as usize + 1)]);
        let delayed = near + (far - near) * part;
        let sample = string[at];
        string[at] = (delayed + far) * 0.498;
        at = (at + 1) % length;
        // It ends in silence, wherever the string is.
        sample * ((secs - now) / 0.03).clamp(0.0, 1.0)
    })
}
