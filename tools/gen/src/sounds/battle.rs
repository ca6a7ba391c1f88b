//! The music of a fight with a guardian: four bars of drums under a bass that pushes and a short call, in A minor.

use super::synth::{LowPass, Noise, Track, fall, frequency, glide, pluck, sine, triangle};

/// Sample frames per second.
pub const RATE: u32 = 16_000;
/// Seconds of a beat: 132 of them in a minute.
const BEAT: f64 = 60.0 / 132.0;
/// The root of each bar, in semitones from A at 440 Hz.
const ROOTS: [i32; 4] = [-24, -24, -28, -26];
/// The call over the first and the third bar, and its answer: bar, beat, note.
const CALL: [(f64, f64, i32); 10] = [
    (0.0, 0.0, 0),
    (0.0, 1.5, 3),
    (0.0, 2.0, 2),
    (0.0, 3.0, -2),
    (1.0, 0.0, 0),
    (2.0, 0.0, 0),
    (2.0, 1.5, 5),
    (2.0, 2.0, 3),
    (2.0, 3.0, 2),
    (3.0, 0.0, -2),
];

/// The loop.
pub fn samples() -> Vec<i16> {
    let mut track = Track::silence(RATE, BEAT * 16.0);
    let (drum, snare, hat) = (drum(), snare(), hat());
    for (bar, root) in ROOTS.into_iter().enumerate() {
        let at = |beat: f64| (bar as f64 * 4.0 + beat) * BEAT;
        for beat in [0.0, 0.75, 2.0, 2.5] {
            track.add(&drum, at(beat), 0.9);
        }
        for beat in [1.0, 3.0] {
            track.add(&snare, at(beat), 0.5);
        }
        for half in 0..8 {
            track.add(&hat, at(f64::from(half) * 0.5), 0.14);
            let octave = if half % 4 == 3 { 12 } else { 0 };
            track.add(&bass(frequency(root + octave)), at(f64::from(half) * 0.5), 0.5);
        }
    }
    for (seed, (bar, beat, note)) in (1..).zip(CALL) {
        let string = |note: i32, seed: u32| pluck(RATE, frequency(note), 1.6 * BEAT, 0.7, seed * 6151);
        track.add(&string(note, seed), (bar * 4.0 + beat) * BEAT, 0.8);
        track.add(&string(note - 12, seed + 40), (bar * 4.0 + beat) * BEAT, 0.6);
    }
    track.finished(0.6)
}

fn drum() -> Track {
    Track::of(RATE, 0.3, |now| {
        let (phase, level) = glide(now, [120.0, 38.0], 0.3);
        sine(phase) * level
    })
}

fn snare() -> Track {
    let (mut noise, mut low) = (Noise::new(55), LowPass::default());
    Track::of(RATE, 0.2, |now| {
        low.next(noise.sample(), 0.6) * fall(now, 0.2) + 0.4 * sine(190.0 * now) * fall(now, 0.1)
    })
}

fn hat() -> Track {
    let (mut noise, mut low) = (Noise::new(9), LowPass::default());
    Track::of(RATE, 0.06, |now| {
        let sample = noise.sample();
        (sample - low.next(sample, 0.5)) * fall(now, 0.06)
    })
}

/// A short note.
fn bass(hertz: f64) -> Track {
    const SECS: f64 = 0.45 * BEAT;
    Track::of(RATE, SECS, |now| (0.6 * triangle(hertz * now) + 0.4 * sine(hertz * now)) * fall(now, SECS).sqrt())
}
