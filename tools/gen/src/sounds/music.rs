//! A loop of music: eight bars of plucked strings over a bass, in A minor.

use super::synth::{Track, frequency, pluck, sine, triangle};

/// Sample frames per second: strings have little above 8 kHz.
const RATE: u32 = 16_000;
/// Seconds of a beat: 108 of them in a minute.
const BEAT: f64 = 60.0 / 108.0;

/// The chord of each bar: root and two notes above, in semitones from A at 440 Hz.
const CHORDS: [[i32; 3]; 8] = [
    [-12, -9, -5],   // A minor
    [-16, -12, -9],  // F
    [-21, -17, -14], // C
    [-14, -10, -7],  // G
    [-12, -9, -5],   // A minor
    [-16, -12, -9],  // F
    [-14, -10, -7],  // G
    [-12, -9, -5],   // A minor
];

/// The melody of each bar: beat, note and length in beats.
const MELODY: [&[(f64, i32, f64)]; 8] = [
    &[(0.0, 7, 1.5), (1.5, 3, 0.5), (2.0, 5, 1.0), (3.0, 3, 1.0)],
    &[(0.0, 0, 2.0), (2.5, 3, 0.5), (3.0, 5, 1.0)],
    &[(0.0, 7, 1.0), (1.0, 10, 1.0), (2.0, 7, 1.5), (3.5, 5, 0.5)],
    &[(0.0, 2, 2.0), (2.5, 2, 0.5), (3.0, 3, 1.0)],
    &[(0.0, 7, 1.5), (1.5, 8, 0.5), (2.0, 7, 1.0), (3.0, 3, 1.0)],
    &[(0.0, 5, 1.5), (1.5, 3, 0.5), (2.0, 0, 2.0)],
    &[(0.0, 2, 1.0), (1.0, 3, 1.0), (2.0, 2, 1.0), (3.0, -2, 1.0)],
    &[(0.0, 0, 3.0)],
];

/// The loop.
pub fn samples() -> (u32, Vec<i16>) {
    let mut track = Track::silence(RATE, BEAT * 4.0 * CHORDS.len() as f64);
    let mut seed = 1;
    let mut string = |track: &mut Track, beat: f64, note: i32, beats: f64, [bright, gain]: [f64; 2]| {
        seed += 1;
        track.add(&pluck(RATE, frequency(note), beats * BEAT, bright, seed * 7919), beat * BEAT, gain);
    };
    for (bar, (chord, melody)) in CHORDS.iter().zip(MELODY).enumerate() {
        let start = bar as f64 * 4.0;
        for (step, at) in [0, 1, 2, 1, 2, 1, 2, 1].into_iter().enumerate() {
            let octave = if step == 4 { 12 } else { 0 };
            string(&mut track, start + step as f64 * 0.5, chord[at] + octave, 1.6, [0.25, 0.5]);
        }
        for (beat, note, beats) in melody {
            string(&mut track, start + beat, *note, beats + 0.8, [0.6, 0.9]);
        }
        for (beat, beats) in [(0.0, 1.8), (2.0, 1.0), (3.0, 0.9)] {
            let bass = bass(frequency(chord[0] - 12), beats * BEAT);
            track.add(&bass, (start + beat) * BEAT, 0.55);
        }
    }
    (RATE, track.finished(0.6))
}

/// A soft note that fades.
fn bass(hertz: f64, secs: f64) -> Track {
    Track::of(RATE, secs, |now| {
        let left = 1.0 - now / secs;
        (0.8 * sine(hertz * now) + 0.2 * triangle(hertz * 2.0 * now)) * (now / 0.01).min(1.0) * left * left.sqrt()
    })
}
