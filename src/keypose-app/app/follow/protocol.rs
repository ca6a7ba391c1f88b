//! The protocol of follow mode: greetings and poses. Reading never panics and allocates at most as much as it receives.

use glam::{Quat, Vec3};

use keypose::anim::time::Time;
use keypose::anim::transform::Transform;
use keypose::assets::named_pose::NamedPose;

/// The version of the protocol.
pub const VERSION: u16 = 1;
/// Length of a secret in bytes.
pub const KEY_BYTES: usize = 32;
/// Length of a greeting in bytes.
pub const GREETING_BYTES: usize = MARK.len() + 2 + KEY_BYTES;
/// Maximum length of a message in bytes.
pub const MAX_BYTES: usize = 1 << 20;
/// An empty message, which shows that the editor is alive.
pub const HEARTBEAT: [u8; 4] = [0; 4];

const MARK: &[u8; 8] = b"kpfollow";
/// The first byte of a pose.
const POSE: u8 = b'P';

/// The greeting of either side, with the secret that authenticates it.
pub fn greeting(key: &[u8; KEY_BYTES]) -> [u8; GREETING_BYTES] {
    let mut out = [0; GREETING_BYTES];
    out[..MARK.len()].copy_from_slice(MARK);
    out[MARK.len()..MARK.len() + 2].copy_from_slice(&VERSION.to_le_bytes());
    out[MARK.len() + 2..].copy_from_slice(key);
    out
}

/// Compares all bytes, so that the time doesn't reveal how many are equal.
pub fn is_same(a: &[u8; GREETING_BYTES], b: &[u8; GREETING_BYTES]) -> bool {
    a.iter().zip(b).fold(0, |different, (a, b)| different | (a ^ b)) == 0
}

/// Encodes a pose with its length. `None` if it is too large.
pub fn message(pose: &NamedPose) -> Option<Vec<u8>> {
    let mut out = vec![0; 4];
    out.push(POSE);
    put_name(&mut out, &pose.model)?;
    put_name(&mut out, &pose.clip)?;
    out.extend(pose.time.0.to_le_bytes());
    out.extend(u16::try_from(pose.bones.len()).ok()?.to_le_bytes());
    for (name, Transform { translation, rotation, scale }) in &pose.bones {
        put_name(&mut out, name)?;
        let numbers = translation.to_array().into_iter().chain(rotation.to_array()).chain(scale.to_array());
        numbers.for_each(|number| out.extend(number.to_le_bytes()));
    }
    out.extend(u16::try_from(pose.scalars.len()).ok()?.to_le_bytes());
    for (bone, name, value) in &pose.scalars {
        put_name(&mut out, bone)?;
        put_name(&mut out, name)?;
        out.extend(value.to_le_bytes());
    }
    let length = out.len() - 4;
    out[..4].copy_from_slice(&u32::try_from(length).ok()?.to_le_bytes());
    (length <= MAX_BYTES).then_some(out)
}

fn put_name(out: &mut Vec<u8>, name: &str) -> Option<()> {
    out.extend(u16::try_from(name.len()).ok()?.to_le_bytes());
    out.extend(name.as_bytes());
    Some(())
}

/// Decodes a message without its length. The error is a part of a sentence.
pub fn read(message: &[u8]) -> Result<NamedPose, &'static str> {
    let mut rest = message;
    if take::<1>(&mut rest)? != [POSE] {
        return Err("not a pose");
    }
    let (model, clip) = (take_name(&mut rest)?, take_name(&mut rest)?);
    let time = Time(i64::from_le_bytes(take(&mut rest)?));
    let count = usize::from(u16::from_le_bytes(take(&mut rest)?));
    // Minimum size of a bone: an empty name and ten numbers.
    if count > rest.len() / 42 {
        return Err("too few bones");
    }
    let mut bones = Vec::with_capacity(count);
    for _ in 0..count {
        bones.push((take_name(&mut rest)?, take_transform(&mut rest)?));
    }
    let scalars = take_scalars(&mut rest)?;
    if rest.is_empty() {
        Ok(NamedPose { model, clip, time, bones, scalars })
    } else {
        Err("unexpected data after the last value")
    }
}

fn take_scalars(rest: &mut &[u8]) -> Result<Vec<(String, String, f32)>, &'static str> {
    let count = usize::from(u16::from_le_bytes(take(rest)?));
    // Minimum size of a scalar: two empty names and a number.
    if count > rest.len() / 8 {
        return Err("too few values");
    }
    let mut scalars = Vec::with_capacity(count);
    for _ in 0..count {
        let (bone, name, value) = (take_name(rest)?, take_name(rest)?, f32::from_le_bytes(take(rest)?));
        if !value.is_finite() {
            return Err("a number is not finite");
        }
        scalars.push((bone, name, value));
    }
    Ok(scalars)
}

fn take<const N: usize>(rest: &mut &[u8]) -> Result<[u8; N], &'static str> {
    let (taken, left) = rest.split_first_chunk::<N>().ok_or("unexpected end")?;
    *rest = left;
    Ok(*taken)
}

fn take_name(rest: &mut &[u8]) -> Result<String, &'static str> {
    let length = usize::from(u16::from_le_bytes(take(rest)?));
    let (name, left) = rest.split_at_checked(length).ok_or("unexpected end in a name")?;
    *rest = left;
    String::from_utf8(name.to_vec()).map_err(|_| "a name is not UTF-8")
}

fn take_transform(rest: &mut &[u8]) -> Result<Transform, &'static str> {
    let mut numbers = [0.0; 10];
    for number in &mut numbers {
        *number = f32::from_le_bytes(take(rest)?);
    }
    let [x, y, z, qx, qy, qz, qw, sx, sy, sz] = numbers;
    let rotation = Quat::from_xyzw(qx, qy, qz, qw);
    let transform = Transform { translation: Vec3::new(x, y, z), rotation, scale: Vec3::new(sx, sy, sz) };
    if !transform.is_finite() {
        return Err("a number is not finite");
    }
    if !(0.5..2.0).contains(&rotation.length_squared()) {
        return Err("a rotation is not a unit quaternion");
    }
    Ok(Transform { rotation: rotation.normalize(), ..transform })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pose() -> NamedPose {
        let turned = Transform { rotation: Quat::from_rotation_y(0.5), ..Transform::from_translation(Vec3::X) };
        let bones = vec![("hips".into(), turned), ("Kopf ä".into(), Transform::IDENTITY), (String::new(), turned)];
        let scalars = vec![("hips".into(), "glow ü".into(), 0.5), (String::new(), String::new(), -3.0)];
        NamedPose { model: "knight".into(), clip: String::new(), time: Time(-5), bones, scalars }
    }

    #[test]
    fn a_pose_round_trips() {
        let sent = message(&pose()).unwrap();
        assert_eq!(u32::from_le_bytes(sent[..4].try_into().unwrap()) as usize, sent.len() - 4);
        let read = read(&sent[4..]).unwrap();
        assert_eq!((&read.model, &read.clip, read.time), (&pose().model, &pose().clip, pose().time));
        for ((name, got), (expected_name, expected)) in read.bones.iter().zip(&pose().bones) {
            assert!(name == expected_name && got.distance(expected) < 1e-6, "{name}");
        }
        assert_eq!(read.scalars, pose().scalars);
        assert_eq!(super::read(&message(&NamedPose::default()).unwrap()[4..]), Ok(NamedPose::default()));
    }

    #[test]
    fn poses_that_are_too_large_are_not_sent() {
        let long = |letters: usize| NamedPose { model: "x".repeat(letters), ..NamedPose::default() };
        assert!(message(&long(60_000)).is_some() && message(&long(70_000)).is_none());
        let bone = ("a bone with a long name".to_owned(), Transform::IDENTITY);
        assert!(message(&NamedPose { bones: vec![bone; 60_000], ..NamedPose::default() }).is_none());
    }

    #[test]
    fn malformed_bytes_are_refused_and_never_panic() {
        let good = message(&pose()).unwrap().split_off(4);
        for length in 0..good.len() {
            assert!(read(&good[..length]).is_err(), "cut to {length}");
        }
        for at in 0..good.len() {
            for value in [0, 1, 0x7f, 0x80, 0xff, good[at] ^ 1] {
                let mut bad = good.clone();
                bad[at] = value;
                if let Ok(pose) = read(&bad) {
                    assert!(pose.bones.iter().all(|(_, transform)| transform.is_finite()));
                }
            }
        }
        let with = |numbers: [f32; 10]| {
            let mut bytes = message(&NamedPose::default()).unwrap().split_off(4);
            // The counts of bones and of scalars are last.
            let count = bytes.len() - 4;
            bytes.truncate(count);
            bytes.extend([1, 0, 0, 0]);
            numbers.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
            bytes.extend([0, 0]);
            read(&bytes)
        };
        let rest = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0];
        assert!(with(rest).is_ok());
        for (at, number) in [(0, f32::NAN), (9, f32::INFINITY), (6, 0.0), (6, 1e9), (3, f32::NAN)] {
            let mut numbers = rest;
            numbers[at] = number;
            assert!(with(numbers).is_err(), "{number} at {at}");
        }
        assert!(read(&[good.clone(), vec![0]].concat()).is_err(), "a byte too many");
    }

    #[test]
    fn greetings_differ_by_their_key() {
        let mut key = [7; KEY_BYTES];
        let right = greeting(&key);
        assert!(is_same(&right, &greeting(&key)));
        for at in [0, KEY_BYTES / 2, KEY_BYTES - 1] {
            key[at] ^= 0x10;
            assert!(!is_same(&right, &greeting(&key)));
            key[at] ^= 0x10;
        }
    }
}
