//! The clipboard as text, so that poses and keys can be pasted in another window, in another run of the program, or from
//! a mail. One line for each keyframe and key:
//!
//! ```text
//! Keypose clipboard 1
//! pose 141120000
//! key rotation cubic auto 0 0 0 1 0 0 0 0 0 0 0 0 upper_arm.L
//! ```
//!
//! Times are in flicks. A key has its channel, ease and kind of tangents, then value, in-tangent and out-tangent with 3
//! numbers each (rotations: 4), then the name of its bone.

use std::fmt::Write;

use glam::Vec4;

use crate::editor::session::clipboard::{Copied, CopiedKeyframe, NamedKey};
use keypose::anim::clip::KeyframeKind;
use keypose::anim::key::{Channel, Ease, HandleKind, Key};
use keypose::anim::time::Time;
use keypose::assets::level;

/// The start of the first line, before the version.
const HEADER: &str = "Keypose clipboard ";
/// The version that is written, and the highest one that is read.
const VERSION: u32 = 1;

/// Returns true if a text is a clipboard of this program, of any version: of poses and keys, or of things of a level.
pub fn is_ours(text: &str) -> bool {
    text.starts_with(HEADER) || is_level(text)
}

/// Returns true if a text is a level, the form in which things of levels are copied.
pub fn is_level(text: &str) -> bool {
    text.lines().next().is_some_and(|line| line.split(' ').next() == Some(level::text::HEAD))
}

/// The text of a clipboard.
pub fn print(copied: &Copied) -> String {
    let mut text = format!("{HEADER}{VERSION}\n");
    match copied {
        Copied::Pose { duration, keys } => {
            line(&mut text, format_args!("pose {}", duration.0));
            keys.iter().for_each(|key| print_key(&mut text, key));
        }
        Copied::Keyframes(columns) => {
            line(&mut text, format_args!("keyframes"));
            for CopiedKeyframe { duration, kind, keys } in columns {
                line(&mut text, format_args!("keyframe {} {}", duration.0, kind.name()));
                keys.iter().for_each(|key| print_key(&mut text, key));
            }
        }
        Copied::Keys(keys) => {
            line(&mut text, format_args!("keys"));
            for (time, key) in keys {
                line(&mut text, format_args!("at {}", time.0));
                print_key(&mut text, key);
            }
        }
    }
    text
}

/// Writing to a `String` can't fail.
fn line(text: &mut String, line: std::fmt::Arguments<'_>) {
    let _ = writeln!(text, "{line}");
}

fn print_key(text: &mut String, named: &NamedKey) {
    let Key { channel, ease, handles, value, in_tangent, out_tangent, in_length, out_length, .. } = named.key;
    let width = channel.width();
    let numbers = [value, in_tangent, out_tangent].map(|values| values.to_array());
    let numbers = numbers.iter().flat_map(|values| &values[..width]).chain([&in_length, &out_length]);
    let numbers: Vec<String> = numbers.map(f32::to_string).collect();
    let (channel, ease, handles) = (channel.name(), ease.name(), handles.name());
    let (numbers, bone) = (numbers.join(" "), escaped(&named.bone));
    match &named.scalar {
        None => line(text, format_args!("key {channel} {ease} {handles} {numbers} {bone}")),
        Some(scalar) => {
            let scalar = escaped(scalar).replace('\t', "\\t");
            line(text, format_args!("key {channel} {ease} {handles} {numbers} {scalar}\t{bone}"));
        }
    }
}

/// Names of bones may contain line breaks.
fn escaped(name: &str) -> String {
    name.replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "\\r")
}

fn unescaped(text: &str) -> String {
    let (mut name, mut letters) = (String::with_capacity(text.len()), text.chars());
    while let Some(letter) = letters.next() {
        name.push(match (letter, letter == '\\') {
            (_, true) => match letters.next() {
                Some('n') => '\n',
                Some('r') => '\r',
                Some('t') => '\t',
                Some(other) => other,
                None => '\\',
            },
            (letter, false) => letter,
        });
    }
    name
}

/// Reads a clipboard; `None` if the text is not one of this program.
///
/// # Errors
///
/// If the text is of a newer version, or damaged: the number of the line and the reason, as a sentence.
pub fn parse(text: &str) -> Result<Option<Copied>, String> {
    let Some(version) = text.lines().next().and_then(|first| first.strip_prefix(HEADER)) else { return Ok(None) };
    let version: u32 = version.trim().parse().map_err(|_| "The clipboard's first line has no version.".to_owned())?;
    if version > VERSION {
        return Err(format!("The clipboard is of a newer Keypose (version {version}; this one reads {VERSION})."));
    }
    let mut reader = Reader::default();
    for (number, line) in (1..).zip(text.lines()).skip(1).filter(|(_, line)| !line.trim().is_empty()) {
        reader.line(line).map_err(|reason| format!("The clipboard is damaged: line {number}: {reason}."))?;
    }
    reader.copied.map(Some).ok_or_else(|| "The clipboard is damaged: it ends after its first line.".to_owned())
}

/// The content read so far.
#[derive(Default)]
struct Reader {
    copied: Option<Copied>,
    /// The time of the next keys.
    at: Time,
}

impl Reader {
    fn line(&mut self, line: &str) -> Result<(), String> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match (word, &mut self.copied) {
            ("pose", None) => self.copied = Some(Copied::Pose { duration: time(rest)?, keys: Vec::new() }),
            ("keyframes", None) => self.copied = Some(Copied::Keyframes(Vec::new())),
            ("keys", None) => self.copied = Some(Copied::Keys(Vec::new())),
            ("keyframe", Some(Copied::Keyframes(columns))) => columns.push(keyframe(rest)?),
            ("at", Some(Copied::Keys(_))) => self.at = time(rest)?,
            ("key", Some(Copied::Pose { keys, .. })) => keys.push(key(rest)?),
            ("key", Some(Copied::Keyframes(columns))) => {
                let column = columns.last_mut().ok_or("a key before the first keyframe")?;
                column.keys.push(key(rest)?);
            }
            ("key", Some(Copied::Keys(keys))) => keys.push((self.at, key(rest)?)),
            (word, _) => return Err(format!("\"{word}\" is not expected here")),
        }
        Ok(())
    }
}

fn keyframe(text: &str) -> Result<CopiedKeyframe, String> {
    let (duration, kind) = text.split_once(' ').ok_or("a keyframe has a duration and a kind")?;
    let kind = named(kind, "kind of keyframe", KeyframeKind::ALL.map(|one| (one, one.name())))?;
    Ok(CopiedKeyframe { duration: time(duration)?, kind, keys: Vec::new() })
}

fn time(text: &str) -> Result<Time, String> {
    let flicks = text.trim().parse().ok().map(Time);
    let inside = flicks.filter(|time| (Time::ZERO..=Time::LONGEST).contains(time));
    inside.ok_or_else(|| format!("\"{text}\" is not a time in flicks"))
}

fn key(text: &str) -> Result<NamedKey, String> {
    let mut rest = text;
    let [translation, rotation, scale] = Channel::ALL;
    let channels = [translation, rotation, scale, Channel::Scalar(0)].map(|one| (one, one.name()));
    let channel = named(next(&mut rest), "channel", channels)?;
    let ease = named(next(&mut rest), "ease", Ease::ALL.map(|one| (one, one.name())))?;
    let handles = named(next(&mut rest), "kind of handles", HandleKind::ALL.map(|one| (one, one.name())))?;
    let mut values = |count: usize| -> Result<Vec4, String> {
        let mut values = [0.0; 4];
        for value in &mut values[..count] {
            let word = next(&mut rest);
            *value = word.parse().map_err(|_| format!("\"{word}\" is not a number"))?;
        }
        Ok(Vec4::from(values))
    };
    let width = channel.width();
    let (value, in_tangent, out_tangent, lengths) = (values(width)?, values(width)?, values(width)?, values(2)?);
    let (in_length, out_length) = (lengths.x, lengths.y);
    let key = Key { ease, in_tangent, out_tangent, in_length, out_length, handles, ..Key::new(0, channel, value) };
    let (scalar, rest) = match (channel, rest.split_once('\t')) {
        (Channel::Scalar(_), Some((scalar, bone))) => (Some(unescaped(scalar)), bone),
        (Channel::Scalar(_), None) => return Err("the key has no name of its value".to_owned()),
        _ => (None, rest),
    };
    match (key.is_valid(), rest.is_empty()) {
        (false, _) => Err("the value is not valid".to_owned()),
        (_, true) => Err("the key has no bone".to_owned()),
        (true, false) => Ok(NamedKey { bone: unescaped(rest), scalar, key }),
    }
}

/// Cuts the next word off a line.
fn next<'a>(rest: &mut &'a str) -> &'a str {
    let (word, after) = rest.split_once(' ').unwrap_or((rest, ""));
    *rest = after;
    word
}

fn named<T: Copy, const N: usize>(word: &str, what: &str, all: [(T, &str); N]) -> Result<T, String> {
    let found = all.iter().find(|(_, name)| *name == word).map(|(one, _)| *one);
    found.ok_or_else(|| format!("\"{word}\" is not a {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Quat, Vec3};

    fn keys() -> Vec<NamedKey> {
        let free =
            Key { ease: Ease::Cubic, handles: HandleKind::Aligned, ..Key::translation(7, Vec3::new(0.1, -2.0, 1e-9)) };
        let free = Key { bone: 0, in_tangent: Vec4::new(1.0, 2.0, 3.0, 0.0), out_tangent: Vec4::X, ..free };
        let turned = Key { bone: 0, ..Key::rotation(0, Quat::from_rotation_z(1.0)) };
        let named = |bone: &str, key| NamedKey { bone: bone.into(), scalar: None, key };
        vec![named("arm of\nthe \\ knight.L", free), named("hand", turned)]
    }

    #[test]
    fn what_is_written_is_read() {
        let frames = |count: i64| Time(count * 23_520_000);
        let all = [
            Copied::Pose { duration: frames(6), keys: keys() },
            Copied::Keyframes(vec![
                CopiedKeyframe { duration: frames(4), kind: KeyframeKind::Extreme, keys: keys() },
                CopiedKeyframe::default(),
            ]),
            Copied::Keys(keys().into_iter().zip(0..).map(|(key, at)| (frames(at), key)).collect()),
        ];
        for copied in all {
            let text = print(&copied);
            assert!(is_ours(&text));
            assert_eq!(parse(&text), Ok(Some(copied.clone())), "{text}");
            assert_eq!(parse(&text.replace('\n', "\r\n")), Ok(Some(copied)), "with the line ends of Windows");
        }
    }

    #[test]
    fn foreign_text_is_no_clipboard_and_damaged_text_is_refused_with_its_line() {
        for foreign in ["", "hello", "{\"pose\": 1}", "keypose", "\u{feff}", "pose 3\nkey"] {
            assert_eq!(parse(foreign), Ok(None), "{foreign}");
        }
        let cases = [
            ("2\nwhatever", "The clipboard is of a newer Keypose (version 2; this one reads 1)."),
            ("one", "The clipboard's first line has no version."),
            ("1", "The clipboard is damaged: it ends after its first line."),
            ("1\npose -1", "The clipboard is damaged: line 2: \"-1\" is not a time in flicks."),
            ("1\nkeyframes\nkey", "The clipboard is damaged: line 3: a key before the first keyframe."),
            ("1\npose 0\nkey scale linear auto 1 1 x", "The clipboard is damaged: line 3: \"x\" is not a number."),
            (
                "1\npose 0\nkey scale linear auto 1 1 1 0 0 0 0 0 0 0.5 0.5 ",
                "The clipboard is damaged: line 3: the key has no bone.",
            ),
            (
                "1\npose 0\nkey scale linear auto NaN 1 1 0 0 0 0 0 0 0.5 0.5 a",
                "The clipboard is damaged: line 3: the value is not valid.",
            ),
            ("1\nkeyframes\nkeyframe 5 big", "The clipboard is damaged: line 3: \"big\" is not a kind of keyframe."),
            ("1\npose 0\nat 3", "The clipboard is damaged: line 3: \"at\" is not expected here."),
        ];
        for (text, expected) in cases {
            assert_eq!(parse(&format!("{HEADER}{text}")), Err(expected.to_owned()), "{text}");
        }
    }
}
