//! The sounds of the demo: effects and two loops of music, synthesised.

pub mod battle;
pub mod music;
pub mod synth;

use keypose::assets::sound::{Sound, SoundRepeat};

use synth::{LowPass, Noise, Track, fall, frequency, glide, pluck, sine, triangle};

/// Sample frames per second of effects.
const RATE: u32 = 22_050;

/// All sounds, sorted by name. The game knows what their names mean: docs/manual/sounds.md.
pub fn all() -> Vec<Sound> {
    let (rate, samples) = music::samples();
    let effect = |name, track: Track, volume| Sound { volume, ..Sound::new(name, RATE, 1, &track.finished(0.9)) };
    let mut all = vec![
        Sound { volume: 0.4, repeat: SoundRepeat::Loop, ..Sound::new("battle", battle::RATE, 1, &battle::samples()) },
        effect("checkpoint", chime(&[0, 4, 7, 12], 0.09, 0.7), 0.5),
        effect("clash", clash(), 0.6),
        effect("coin", chime(&[14, 19], 0.06, 0.35), 0.4),
        effect("death", slide([330.0, 70.0], 0.7), 0.6),
        effect("gate", gate(), 0.6),
        effect("goal", chime(&[0, 4, 7, 12, 7, 12, 16], 0.13, 1.0), 0.6),
        effect("growl", growl(), 0.45),
        effect("hit", thump(150.0, 0.16, 0.5), 0.8),
        effect("hurt", slide([240.0, 120.0], 0.22), 0.7),
        effect("jump", slide([190.0, 420.0], 0.16), 0.4),
        effect("land", thump(85.0, 0.14, 0.18), 0.5),
        effect("splash", splash(), 0.55),
        effect("step", thump(110.0, 0.07, 0.3), 0.3),
        effect("swing", swing(), 0.45),
        Sound { volume: 0.35, repeat: SoundRepeat::Loop, ..Sound::new("music", rate, 1, &samples) },
    ];
    all.sort_by(|a, b| a.name.cmp(&b.name));
    all
}

/// Bells of a chord, one after the other, in semitones above A at 880 Hz.
fn chime(notes: &[i32], step: f64, ring: f64) -> Track {
    let mut track = Track::silence(RATE, step * notes.len() as f64 + ring);
    for (at, note) in notes.iter().enumerate() {
        let hertz = frequency(note + 12);
        let bell = Track::of(RATE, ring, |now| {
            let tone = sine(hertz * now) + 0.35 * sine(hertz * 2.76 * now) * fall(now, ring * 0.4);
            tone * fall(now, ring)
        });
        track.add(&bell, at as f64 * step, 1.0);
    }
    track
}

/// A tone that glides.
fn slide(hertz: [f64; 2], secs: f64) -> Track {
    Track::of(RATE, secs, |now| {
        let (phase, level) = glide(now, hertz, secs);
        (triangle(phase) + 0.3 * sine(phase * 2.0)) * level
    })
}

/// A falling tone with noise: a blow, a step.
fn thump(hertz: f64, secs: f64, noisy: f64) -> Track {
    let (mut noise, mut low) = (Noise::new(77), LowPass::default());
    Track::of(RATE, secs, |now| {
        let (phase, level) = glide(now, [hertz * 1.8, hertz * 0.6], secs);
        let crack = low.next(noise.sample(), 0.35) * fall(now, secs * 0.5);
        sine(phase) * level * (1.0 - noisy) + crack * noisy * 2.0
    })
}

/// Noise that swells and fades: a blade in the air.
fn swing() -> Track {
    let (mut noise, mut low, mut lower) = (Noise::new(1234), LowPass::default(), LowPass::default());
    const SECS: f64 = 0.24;
    Track::of(RATE, SECS, |now| {
        let part = now / SECS;
        let swell = 4.0 * part * (1.0 - part);
        let sample = low.next(noise.sample(), 0.10 + 0.45 * swell);
        (sample - lower.next(sample, 0.06)) * swell * swell
    })
}

/// Water that is thrown up and falls back in drops.
fn splash() -> Track {
    let (mut noise, mut low, mut lower) = (Noise::new(4321), LowPass::default(), LowPass::default());
    const SECS: f64 = 0.6;
    Track::of(RATE, SECS, |now| {
        let level = fall(now, 0.16) + 0.5 * fall((now - 0.12).max(0.0), 0.3) * (now / 0.12).min(1.0);
        let sample = low.next(noise.sample(), 0.12 + 0.4 * fall(now, 0.2));
        (sample - lower.next(sample, 0.05)) * level
    })
}

/// A chain that is wound up, with a blow at the end.
fn gate() -> Track {
    let mut track = Track::silence(RATE, 1.3);
    for link in 0..9 {
        track.add(&thump(240.0 + 12.0 * f64::from(link), 0.08, 0.75), 0.1 * f64::from(link), 0.5);
    }
    track.add(&thump(70.0, 0.3, 0.2), 0.95, 1.0);
    track
}

/// A low voice that rises and breaks off: a foe that is about to strike.
fn growl() -> Track {
    let (mut noise, mut low) = (Noise::new(909), LowPass::default());
    const SECS: f64 = 0.34;
    Track::of(RATE, SECS, |now| {
        let (phase, _) = glide(now, [74.0, 118.0], SECS);
        // The throat flutters.
        let flutter = 0.7 + 0.3 * sine(now * 27.0);
        let breath = low.next(noise.sample(), 0.12);
        let level = (now / 0.05).min(1.0) * (1.0 - now / SECS).max(0.0).sqrt();
        (triangle(phase) + 0.5 * triangle(phase * 1.5) + breath) * flutter * level
    })
}

/// Metal on metal.
fn clash() -> Track {
    let mut track = thump(320.0, 0.1, 0.7);
    track.samples.resize((f64::from(RATE) * 0.6) as usize, 0.0);
    for (at, hertz) in [1_310.0, 2_170.0, 3_410.0, 4_930.0].into_iter().enumerate() {
        let ring = 0.55 - 0.09 * at as f64;
        let tone = Track::of(RATE, ring, |now| sine(hertz * now) * fall(now, ring));
        track.add(&tone, 0.0, 0.4 / (1.0 + at as f64 * 0.5));
    }
    track.add(&pluck(RATE, 880.0, 0.3, 1.0, 99), 0.0, 0.3);
    track
}
