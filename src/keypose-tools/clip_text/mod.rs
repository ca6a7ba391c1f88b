//! The text form of a clip: a line for each key, event and range, so that versions of a clip are compared and merged line by line.
//! [`read`] gives what [`write`] was given, bit for bit. See docs/clip-text.md.

use std::fmt::Write as _;

use crate::anim::clip::{Clip, Event, Keyframe, KeyframeKind};
use crate::anim::root_motion::RootMotion;
use crate::anim::skeleton::Skeleton;
use crate::anim::time::FrameRate;
use crate::assets::combat::Lanes;
use crate::assets::line_text::{TextError, quoted, read_lines};

mod key_line;
mod lane_line;
mod reader;
mod tangents;
mod time_word;

use crate::clip_text::key_line::{bone_word, usual_ease, write_key};
use crate::clip_text::reader::Reader;
use crate::clip_text::tangents::Computed;
use crate::clip_text::time_word::{Unit, time_word};

/// The first word of a text.
pub const HEAD: &str = "keypose-clip";
/// The version of the form that is written, and the only one that is read.
pub const VERSION: &str = "1";

/// Contents of a clip's text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClipText {
    /// The clip.
    pub clip: Clip,
    /// Combat lanes of the clip.
    pub lanes: Lanes,
    /// The folder in the list of clips; empty for the top level.
    pub folder: String,
    /// Tags to search for; none is empty or contains a space.
    pub tags: Vec<String>,
}

/// The text of a clip. Bones and values have the names of the skeleton.
pub fn write(text: &ClipText, skeleton: &Skeleton) -> String {
    let ClipText { clip, lanes, folder, tags } = text;
    let rate = clip.frame_rate;
    let mut out = format!("{HEAD} {VERSION}\nname {}\nloop {}\n", quoted(&clip.name), clip.loop_mode.name());
    let _ = match rate.per_secs() {
        1 => writeln!(out, "rate {}", rate.frames()),
        per_secs => writeln!(out, "rate {}/{per_secs}", rate.frames()),
    };
    if clip.root_motion != RootMotion::None {
        let _ = writeln!(out, "root {}", clip.root_motion.name());
    }
    if !folder.is_empty() {
        let _ = writeln!(out, "folder {}", quoted(folder));
    }
    for tag in tags {
        let _ = writeln!(out, "tag {}", quoted(tag));
    }
    for Event { time, name } in &clip.events {
        let _ = writeln!(out, "event {} {}", time_word(*time, rate, Unit::Frames), quoted(name));
    }
    for delay in &clip.delays {
        let (bone, by) = (bone_word(delay.bone, skeleton), time_word(delay.by, rate, Unit::Frames));
        let _ = writeln!(out, "delay {bone} {by}");
    }
    lane_line::write(lanes, rate, &mut out);
    let computed = Computed::of(clip);
    for (at, keyframe) in clip.keyframes.iter().enumerate() {
        write_keyframe(keyframe, rate, skeleton, |key| computed.has(at, key, &keyframe.keys[key]), &mut out);
    }
    out
}

/// A keyframe. The interpolation that its first key has is in its line, and in those of the keys that have another one.
fn write_keyframe(
    keyframe: &Keyframe,
    rate: FrameRate,
    skeleton: &Skeleton,
    is_computed: impl Fn(usize) -> bool,
    out: &mut String,
) {
    let ease = usual_ease(&keyframe.keys);
    let _ = write!(out, "\nkeyframe {} {}", time_word(keyframe.duration, rate, Unit::Frames), ease.name());
    out.push_str(match keyframe.kind {
        KeyframeKind::Plain => "\n",
        KeyframeKind::Extreme => " extreme\n",
        KeyframeKind::Breakdown => " breakdown\n",
    });
    for (at, key) in keyframe.keys.iter().enumerate() {
        let _ = writeln!(out, "  key {}", write_key(key, ease, is_computed(at), skeleton));
    }
}

/// Reads the text of a clip of this skeleton.
///
/// # Errors
///
/// The line and the reason, such as a bone that the skeleton lacks. Accepted clips pass [`Clip::check`]
/// and [`Lanes::check`].
pub fn read(text: &str, skeleton: &Skeleton) -> Result<ClipText, TextError> {
    let mut reader = Reader::new(skeleton);
    read_lines(text, |words| reader.line(words))?;
    reader.finish()
}
