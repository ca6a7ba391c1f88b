//! The clipboard as text, so that poses and keys can be pasted in another window, in another run of the program, or from
//! a mail. One line for each keyframe and key:
//!
//! ```text
//! Keypose clipboard 1
//! pose 141120000
//! key rotation cubic auto 0 0 0 1 0 0 0 0 0 0 0 0 0.33333334 0.33333334 upper_arm.L
//! ```
//!
//! Times are in flicks. A key has its channel, ease and kind of tangents, then value, in-tangent and out-tangent with 3
//! numbers each (rotations: 4, scalars: 1), then the lengths of both tangents, then the name of its scalar if it has one,
//! then the name of its bone. Names with spaces or other signs are in quotes.

use std::fmt::Write;

use glam::Vec4;

use crate::editor::session::clipboard::{Copied, CopiedKeyframe, NamedKey};
use keypose::anim::clip::KeyframeKind;
use keypose::anim::key::{Channel, Ease, HandleKind, Key};
use keypose::anim::time::Time;
use keypose::assets::level;
use keypose::assets::line_text::{number, quoted, split};

/// The start of the first line, before the version.
const HEADER: &str = "Keypose clipboard ";
/// The version that is written and read.
const VERSION: &str = "1";

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
    let names: Vec<String> = named.scalar.iter().chain([&named.bone]).map(|name| quoted(name)).collect();
    let (numbers, names) = (numbers.join(" "), names.join(" "));
    line(text, format_args!("key {channel} {ease} {handles} {numbers} {names}"));
}

/// Reads a clipboard; `None` if the text is not one of this program.
///
/// # Errors
///
/// If the text is of another version, or damaged: the number of the line and the reason, as a sentence.
pub fn parse(text: &str) -> Result<Option<Copied>, String> {
    let Some(version) = text.lines().next().and_then(|first| first.strip_prefix(HEADER)) else { return Ok(None) };
    if version.trim() != VERSION {
        return Err("The clipboard is of another version of Keypose.".to_owned());
    }
    let mut reader = Reader::default();
    for (number, line) in (1..).zip(text.lines()).skip(1) {
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
        let words = split(line)?;
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match (&words[..], &mut self.copied) {
            ([], _) => {}
            (["pose", duration], None) => {
                self.copied = Some(Copied::Pose { duration: time(duration)?, keys: Vec::new() });
            }
            (["keyframes"], None) => self.copied = Some(Copied::Keyframes(Vec::new())),
            (["keys"], None) => self.copied = Some(Copied::Keys(Vec::new())),
            (["keyframe", duration, kind], Some(Copied::Keyframes(columns))) => {
                let kind = named(kind, "kind of keyframe", KeyframeKind::ALL.map(|one| (one, one.name())))?;
                columns.push(CopiedKeyframe { duration: time(duration)?, kind, keys: Vec::new() });
            }
            (["at", at], Some(Copied::Keys(_))) => self.at = time(at)?,
            (["key", rest @ ..], Some(Copied::Pose { keys, .. })) => keys.push(key(rest)?),
            (["key", rest @ ..], Some(Copied::Keyframes(columns))) => {
                let column = columns.last_mut().ok_or("a key before the first keyframe")?;
                column.keys.push(key(rest)?);
            }
            (["key", rest @ ..], Some(Copied::Keys(keys))) => keys.push((self.at, key(rest)?)),
            ([word, ..], _) => return Err(format!("\"{word}\" is not expected here")),
        }
        Ok(())
    }
}

fn time(text: &str) -> Result<Time, String> {
    let flicks = text.parse().ok().map(Time);
    let inside = flicks.filter(|time| (Time::ZERO..=Time::LONGEST).contains(time));
    inside.ok_or_else(|| format!("\"{text}\" is not a time in flicks"))
}

fn key(words: &[&str]) -> Result<NamedKey, String> {
    let mut words = words.iter().copied();
    let mut next = || words.next().ok_or("the key has too few words");
    let [translation, rotation, scale] = Channel::ALL;
    let channels = [translation, rotation, scale, Channel::Scalar(0)].map(|one| (one, one.name()));
    let channel = named(next()?, "channel", channels)?;
    let ease = named(next()?, "ease", Ease::ALL.map(|one| (one, one.name())))?;
    let handles = named(next()?, "kind of handles", HandleKind::ALL.map(|one| (one, one.name())))?;
    let mut values = |count: usize| -> Result<Vec4, String> {
        let mut values = [0.0; 4];
        for value in &mut values[..count] {
            *value = number(next()?)?;
        }
        Ok(Vec4::from(values))
    };
    let width = channel.width();
    let (value, in_tangent, out_tangent, lengths) = (values(width)?, values(width)?, values(width)?, values(2)?);
    let (in_length, out_length) = (lengths.x, lengths.y);
    let key = Key { ease, in_tangent, out_tangent, in_length, out_length, handles, ..Key::new(0, channel, value) };
    let scalar = match channel {
        Channel::Scalar(_) => Some(next()?.to_owned()),
        Channel::Translation | Channel::Rotation | Channel::Scale => None,
    };
    let bone = next()?.to_owned();
    match (key.is_valid(), words.next()) {
        (false, _) => Err("the value is not valid".to_owned()),
        (true, Some(word)) => Err(format!("\"{word}\" is not expected here")),
        (true, None) => Ok(NamedKey { bone, scalar, key }),
    }
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
        let smile = NamedKey { scalar: Some("smile 1".into()), ..named("head", Key::scalar(0, 0, 0.5)) };
        vec![named("arm of\nthe \\ knight.L", free), named("hand", turned), smile]
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
            ("2\nwhatever", "The clipboard is of another version of Keypose."),
            ("1", "The clipboard is damaged: it ends after its first line."),
            ("1\npose -1", "The clipboard is damaged: line 2: \"-1\" is not a time in flicks."),
            ("1\nkeyframes\nkey", "The clipboard is damaged: line 3: a key before the first keyframe."),
            ("1\npose 0\nkey scale linear auto 1 1 x", "The clipboard is damaged: line 3: x is not a finite number."),
            (
                "1\npose 0\nkey scale linear auto 1 1 1 0 0 0 0 0 0 0.5 0.5 ",
                "The clipboard is damaged: line 3: the key has too few words.",
            ),
            (
                "1\npose 0\nkey scale linear auto 1 1 1 0 0 0 0 0 0 0.5 0.5 a b",
                "The clipboard is damaged: line 3: \"b\" is not expected here.",
            ),
            (
                "1\npose 0\nkey rotation linear auto 1 1 0 0 0 0 0 0 0 0 0 0 0.5 0.5 a",
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
