//! The skeletons and clips that every bench plays, made from numbers alone: 2 s long; 67 joints stand in a box with a
//! diagonal of 1.3 m (11 levels), 256 in one of 2.1 m (12 levels).

use glam::{Quat, Vec3};
use keypose::anim::clip::{Clip, Keyframe, LoopMode};
use keypose::anim::key::Key;
use keypose::anim::skeleton::{Bone, Skeleton};
use keypose::anim::time::Time;
use keypose::anim::transform::Transform;

/// How a clip is keyed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// 30 keys a second on every bone and channel.
    Dense,
    /// 12 keyframes in 2 s, every bone and channel.
    Sparse,
    /// 12 keys for every bone and channel, each bone and channel at its own times.
    Jittered,
    /// As exporters write it: every rotation at 30 keys a second, the translation of the root and three more bones.
    Real,
}

impl Kind {
    pub const ALL: [Kind; 4] = [Kind::Dense, Kind::Sparse, Kind::Jittered, Kind::Real];
}

/// A number in -1..1 from a seed, always the same (the finaliser of MurmurHash3).
pub fn noise(seed: u32) -> f32 {
    let mut bits = seed.wrapping_mul(0x9E37_79B9) ^ 0x85EB_CA6B;
    bits = (bits ^ bits >> 16).wrapping_mul(0x85EB_CA6B);
    bits = (bits ^ bits >> 13).wrapping_mul(0xC2B2_AE35);
    (bits ^ bits >> 16) as f32 / u32::MAX as f32 * 2.0 - 1.0
}

/// A tree about as deep as a humanoid: the first bones hang on the root, every later one on the bone a row before it.
pub fn skeleton(bones: usize) -> Skeleton {
    let limbs = bones.div_ceil(11).max(1);
    let parents: Vec<Option<usize>> = (0..bones)
        .map(|bone| match bone {
            0 => None,
            bone if bone <= limbs => Some(0),
            bone => Some(bone - limbs),
        })
        .collect();
    let bone = |(index, parent): (usize, &Option<usize>)| {
        let seed = index as u32 * 8;
        let offset = Vec3::new(noise(seed) * 0.08, 0.1 + noise(seed + 1) * 0.03, noise(seed + 2) * 0.08);
        let rotation = Quat::from_rotation_z(noise(seed + 3) * 0.4);
        let rest = Transform { translation: offset, rotation, scale: Vec3::ONE };
        Bone { name: format!("bone{index}"), parent: parent.map(|parent| parent as u16), rest }
    };
    Skeleton::new(parents.iter().enumerate().map(bone).collect()).expect("level order")
}

/// Smooth motion: a few sines a channel, the same curve for every kind of keying.
fn pose(skeleton: &Skeleton, bone: usize, secs: f64) -> Transform {
    let rest = skeleton.bones()[bone].rest;
    let seed = bone as u32 * 64 + 1000;
    let wave = |offset: u32, swing: f64| {
        let (speed, phase) = (4.0 + 2.0 * f64::from(noise(seed + offset)), 3.0 * f64::from(noise(seed + offset + 1)));
        ((secs * speed + phase).sin() * swing) as f32
    };
    let axis = Vec3::new(noise(seed + 40), noise(seed + 41), noise(seed + 42) + 1.5).normalize();
    Transform {
        translation: rest.translation + Vec3::new(wave(0, 0.01), wave(4, 0.01), wave(8, 0.01)),
        rotation: (rest.rotation * Quat::from_axis_angle(axis, wave(12, 0.5))).normalize(),
        scale: Vec3::new(1.0 + wave(16, 0.02), 1.0 + wave(20, 0.02), 1.0 + wave(24, 0.02)),
    }
}

/// A clip of 2 s.
pub fn clip(skeleton: &Skeleton, kind: Kind) -> Clip {
    let frames = if matches!(kind, Kind::Dense | Kind::Real) { 61 } else { 12 };
    let end = 2 * Time::FLICKS_PER_SEC;
    let mut keys: Vec<(Time, Key)> = Vec::new();
    for bone in 0..skeleton.len() {
        for frame in 0..frames {
            for channel in 0..3 {
                let even = end / (frames - 1) * frame;
                let shift = noise((bone as i64 * 3 + channel) as u32 * 97 + frame as u32) * 0.3;
                let is_inner = frame > 0 && frame < frames - 1;
                let jitter = if kind == Kind::Jittered && is_inner {
                    (f64::from(shift) * (end / (frames - 1)) as f64) as i64
                } else {
                    0
                };
                let time = Time(even + jitter);
                let at = pose(skeleton, bone, time.secs());
                let few = kind == Kind::Real && (channel == 2 || channel == 0 && bone % 20 != 0);
                match channel {
                    _ if few => {}
                    0 => keys.push((time, Key::translation(bone as u16, at.translation))),
                    1 => keys.push((time, Key::rotation(bone as u16, at.rotation))),
                    _ => keys.push((time, Key::scale(bone as u16, at.scale))),
                }
            }
        }
    }
    keys.sort_by_key(|(time, key)| (*time, key.address()));
    let columns: Vec<&[(Time, Key)]> = keys.chunk_by(|a, b| a.0 == b.0).collect();
    let ends = columns.iter().skip(1).map(|column| column[0].0).chain([Time(end)]);
    let keyframes = columns.iter().zip(ends).map(|(column, end)| Keyframe {
        duration: end - column[0].0,
        keys: column.iter().map(|(_, key)| *key).collect(),
    });
    Clip { loop_mode: LoopMode::Once, keyframes: keyframes.collect(), ..Clip::new(format!("{kind:?}")) }
}
