//! The line of a key: bone, channel, value, and what differs from a key with computed automatic tangents.

use std::fmt::Write as _;

use glam::Vec4;

use crate::anim::bezier::{HERMITE, LENGTHS};
use crate::anim::key::{Channel, Ease, HandleKind, Key};
use crate::anim::scalar::MAX_SCALARS;
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::assets::line_text::{number, quoted, whole};

/// The interpolation of the first key, which the line of the keyframe has.
pub fn usual_ease(keys: &[Key]) -> Ease {
    keys.first().map_or(Ease::Linear, |key| key.ease)
}

/// The words of a key behind `key`. Computed tangents are left out.
pub fn write_key(key: &Key, usual: Ease, is_computed: bool, skeleton: &Skeleton) -> String {
    let mut line = format!("{} {}", bone_word(key.bone, skeleton), channel_words(key.bone, key.channel, skeleton));
    push_numbers(&mut line, key.value, key.channel);
    if key.ease != usual {
        let _ = write!(line, " {}", key.ease.name());
    }
    if key.handles != HandleKind::Auto {
        let _ = write!(line, " handles {}", key.handles.name());
    }
    if !is_computed {
        line += " in";
        push_numbers(&mut line, key.in_tangent, key.channel);
        line += " out";
        push_numbers(&mut line, key.out_tangent, key.channel);
    }
    let lengths = [key.in_length, key.out_length];
    if lengths != HERMITE {
        let _ = write!(line, " lengths {} {}", lengths[0], lengths[1]);
    }
    line
}

fn push_numbers(line: &mut String, value: Vec4, channel: Channel) {
    for number in &value.to_array()[..channel.width()] {
        let _ = write!(line, " {number}");
    }
}

/// The name of a bone, or the number of one that the skeleton lacks.
pub fn bone_word(bone: BoneIndex, skeleton: &Skeleton) -> String {
    skeleton.get(bone).map_or_else(|| format!("{MISSING} {bone}"), |bone| quoted(&bone.name))
}

/// The word before the number of a bone or value that the skeleton lacks.
pub const MISSING: &str = "missing";

/// The words of a channel. A value of another bone is one that the bone lacks.
fn channel_words(bone: BoneIndex, channel: Channel, skeleton: &Skeleton) -> String {
    match channel {
        Channel::Translation | Channel::Rotation | Channel::Scale => channel.name().to_owned(),
        Channel::Scalar(at) => match skeleton.scalar(at) {
            Some(scalar) if skeleton.find_scalar(bone, &scalar.name) == Some(at) => {
                format!("value {}", quoted(&scalar.name))
            }
            _ => format!("{MISSING}-value {at}"),
        },
    }
}

/// Reads the words of [`write_key`]. The second value is true if the line has tangents.
///
/// # Errors
///
/// The reason: a bone or value that the skeleton lacks, an unknown word, or a wrong number.
pub fn read_key(words: &[&str], usual: Ease, skeleton: &Skeleton) -> Result<(Key, bool), String> {
    let (bone, rest) = read_bone(words, skeleton)?;
    let (channel, rest) = read_channel(bone, rest, skeleton)?;
    let (value, mut rest) = read_numbers(rest, channel)?;
    let mut key = Key { ease: usual, ..Key::new(bone, channel, value) };
    let mut has_tangents = false;
    while let Some((&word, after)) = rest.split_first() {
        rest = match word {
            "in" => {
                has_tangents = true;
                let (tangent, after) = read_numbers(after, channel)?;
                key.in_tangent = tangent;
                after
            }
            "out" => {
                has_tangents = true;
                let (tangent, after) = read_numbers(after, channel)?;
                key.out_tangent = tangent;
                after
            }
            "handles" => {
                let (kind, after) = after.split_first().ok_or("expected handles KIND")?;
                key.handles = read_kind(kind)?;
                after
            }
            "lengths" => {
                let [into, out, after @ ..] = after else { return Err("expected lengths IN OUT".into()) };
                (key.in_length, key.out_length) = (read_length(into)?, read_length(out)?);
                after
            }
            ease => {
                key.ease = read_ease(ease)?;
                after
            }
        };
    }
    if key.is_valid() { Ok((key, has_tangents)) } else { Err("a rotation must have unit length".into()) }
}

fn read_bone<'a>(words: &'a [&'a str], skeleton: &Skeleton) -> Result<(BoneIndex, &'a [&'a str]), String> {
    match words {
        // The channel decides, because a bone can have this name.
        [MISSING, bone, rest @ ..] if rest.first().is_some_and(|word| is_channel(word)) && !is_channel(bone) => {
            Ok((whole(bone)?, rest))
        }
        [name, rest @ ..] => match skeleton.find(name) {
            Some(bone) => Ok((bone, rest)),
            None => Err(format!("the skeleton has no bone {name}")),
        },
        [] => Err("expected key BONE CHANNEL and numbers".into()),
    }
}

fn is_channel(word: &str) -> bool {
    ["position", "rotation", "scale", "value", "missing-value"].contains(&word)
}

fn read_channel<'a>(
    bone: BoneIndex,
    words: &'a [&'a str],
    skeleton: &Skeleton,
) -> Result<(Channel, &'a [&'a str]), String> {
    match words {
        ["value", name, rest @ ..] => match skeleton.find_scalar(bone, name) {
            Some(scalar) => Ok((Channel::Scalar(scalar), rest)),
            None => Err(format!("the bone has no value {name}")),
        },
        ["missing-value", at, rest @ ..] => match whole(at)? {
            at if usize::from(at) < MAX_SCALARS => Ok((Channel::Scalar(at), rest)),
            at => Err(format!("{at} is no number of a value: they are less than {MAX_SCALARS}")),
        },
        [word, rest @ ..] => match Channel::ALL.into_iter().find(|channel| channel.name() == *word) {
            Some(channel) => Ok((channel, rest)),
            None => Err(format!("unknown channel {word}: expected position, rotation, scale or value NAME")),
        },
        [] => Err("a channel is missing: position, rotation, scale or value NAME".into()),
    }
}

fn read_numbers<'a>(words: &'a [&'a str], channel: Channel) -> Result<(Vec4, &'a [&'a str]), String> {
    let width = channel.width();
    let (numbers, rest) =
        words.split_at_checked(width).ok_or_else(|| format!("a {} has {width} numbers", channel.name()))?;
    let mut value = [0.0; 4];
    for (component, word) in value.iter_mut().zip(numbers) {
        *component = number(word)?;
    }
    Ok((Vec4::from_array(value), rest))
}

/// Reads the name of an interpolation.
///
/// # Errors
///
/// The word is none.
pub fn read_ease(word: &str) -> Result<Ease, String> {
    let ease = Ease::named(word);
    ease.ok_or_else(|| format!("unknown word {word}: expected step, linear, cubic, handles, in, out or lengths"))
}

fn read_kind(word: &str) -> Result<HandleKind, String> {
    let kind = HandleKind::named(word);
    kind.ok_or_else(|| format!("unknown handles {word}: expected auto, flat, vector, aligned or free"))
}

fn read_length(word: &str) -> Result<f32, String> {
    let length = number(word)?;
    let (least, most) = (LENGTHS.start(), LENGTHS.end());
    let in_range = Some(length).filter(|length| LENGTHS.contains(length));
    in_range.ok_or_else(|| format!("a handle is {least} to {most} of the time to the next key long, not {word}"))
}
