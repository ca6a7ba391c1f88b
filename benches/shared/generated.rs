//! The skeletons and clips of all benches, generated: a person of 67 joints, 1.8 m high, a rig of 256, and clips of 2
//! s.

use glam::{Quat, Vec3};
use keypose::anim::clip::{Clip, Keyframe, LoopMode};
use keypose::anim::key::Key;
use keypose::anim::skeleton::{Bone, Skeleton};
use keypose::anim::time::Time;
use keypose::anim::transform::Transform;

/// How a clip is keyed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// 30 keys per second on every bone and channel.
    Dense,
    /// 12 keyframes in 2 s, every bone and channel.
    Sparse,
    /// 12 keys for every bone and channel, each at its own times.
    Jittered,
    /// As exporters write it: every channel of every bone. Rotations, and the translation of the root and three more
    /// bones, at 30 keys per second; constant channels have a key at either end.
    Real,
}

impl Kind {
    pub const ALL: [Kind; 4] = [Kind::Dense, Kind::Sparse, Kind::Jittered, Kind::Real];
}

/// A number in -1..1 from a seed, always the same (the finalizer of MurmurHash3).
pub fn noise(seed: u32) -> f32 {
    let mut bits = seed.wrapping_mul(0x9E37_79B9) ^ 0x85EB_CA6B;
    bits = (bits ^ bits >> 16).wrapping_mul(0x85EB_CA6B);
    bits = (bits ^ bits >> 13).wrapping_mul(0xC2B2_AE35);
    (bits ^ bits >> 16) as f32 / u32::MAX as f32 * 2.0 - 1.0
}

/// A joint of the rigs: its parent's index in the list, and its position in metres; x to its left, y up, z ahead.
type Joint = (Option<usize>, Vec3);

/// A humanoid of 67 joints, 1.8 m high with its arms spread: spine, head with eyes, arms with five fingers of three
/// joints and a tip, legs with toes. 12 levels.
fn humanoid() -> Vec<Joint> {
    let mut joints: Vec<Joint> = vec![(None, Vec3::new(0.0, 1.0, 0.0))];
    let mut chain = |mut parent: usize, places: &[[f32; 3]]| {
        for place in places {
            joints.push((Some(parent), Vec3::from_array(*place)));
            parent = joints.len() - 1;
        }
        parent
    };
    let chest = chain(0, &[[0.0, 1.1, 0.0], [0.0, 1.22, 0.0], [0.0, 1.35, 0.0]]);
    let head = chain(chest, &[[0.0, 1.5, 0.0], [0.0, 1.58, 0.02]]);
    chain(head, &[[0.0, 1.8, 0.02]]);
    for side in [1.0, -1.0] {
        chain(head, &[[side * 0.032, 1.66, 0.1]]);
        let arm =
            [[side * 0.06, 1.45, 0.0], [side * 0.19, 1.45, 0.0], [side * 0.47, 1.45, 0.0], [side * 0.72, 1.45, 0.0]];
        let hand = chain(chest, &arm);
        for finger in 0..5 {
            let (ahead, start) = (0.04 - finger as f32 * 0.02, if finger == 0 { 0.75 } else { 0.81 });
            let joint = |at: usize| [side * (start + at as f32 * 0.028), 1.45, ahead];
            chain(hand, &[joint(0), joint(1), joint(2), joint(3)]);
        }
        let x = side * 0.1;
        chain(0, &[[x, 0.93, 0.0], [x, 0.5, 0.01], [x, 0.08, -0.02], [x, 0.02, 0.1], [x, 0.02, 0.17]]);
    }
    joints
}

/// The humanoid with a face of 45 joints and chains of four for hair and cloth: 256 joints with 36 chains.
fn rig(chains: u32) -> Vec<Joint> {
    let mut joints = humanoid();
    let (hips, chest, head) = (0, 3, 5);
    let place = |seed: u32, size: f32| Vec3::new(noise(seed), noise(seed + 1), noise(seed + 2)) * size;
    for at in 0..45 {
        joints.push((Some(head), joints[head].1 + Vec3::new(0.0, 0.06, 0.06) + place(9000 + at * 3, 0.06)));
    }
    for strand in 0..chains {
        let mut parent = [hips, chest, head][strand as usize % 3];
        let way = (place(9500 + strand * 3, 0.3) - Vec3::Y).normalize() * 0.08;
        for _ in 0..4 {
            joints.push((Some(parent), joints[parent].1 + way));
            parent = joints.len() - 1;
        }
    }
    joints
}

/// The first `bones` of the humanoid, or of the larger rig, level by level.
pub fn skeleton(bones: usize) -> Skeleton {
    let chains = (bones as u32).saturating_sub(112).div_ceil(4).max(36);
    let joints = if bones <= 67 { humanoid() } else { rig(chains) };
    let depth = |mut joint: usize| {
        let mut depth = 0;
        while let Some(parent) = joints[joint].0 {
            (joint, depth) = (parent, depth + 1);
        }
        depth
    };
    let mut order: Vec<usize> = (0..joints.len()).collect();
    order.sort_by_key(|&joint| depth(joint));
    let mut turned: Vec<Quat> = Vec::new();
    let bone = |(index, &joint): (usize, &usize)| {
        let parent = joints[joint].0.map(|parent| order.iter().position(|&joint| joint == parent).unwrap_or_default());
        let rotation = Quat::from_rotation_z(noise(index as u32 * 8 + 3) * 0.4);
        let (before, from) = parent.map_or((Quat::IDENTITY, Vec3::ZERO), |at| (turned[at], joints[order[at]].1));
        turned.push(before * rotation);
        let rest = Transform { translation: before.inverse() * (joints[joint].1 - from), rotation, scale: Vec3::ONE };
        Bone { name: format!("bone{index}"), parent: parent.map(|parent| parent as u16), rest }
    };
    let list = order.iter().enumerate().take(bones).map(bone).collect();
    Skeleton::new(list).expect("parents come first")
}

/// Smooth motion: a few sines per channel, the same curve for every kind of keying.
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
                let is_still = kind == Kind::Real && (channel == 2 || channel == 0 && bone % 20 != 0);
                let at = if is_still { skeleton.bones()[bone].rest } else { at };
                match channel {
                    _ if is_still && is_inner => {}
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
        ..Keyframe::default()
    });
    Clip { loop_mode: LoopMode::Once, keyframes: keyframes.collect(), ..Clip::new(format!("{kind:?}")) }
}
