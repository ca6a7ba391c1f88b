//! A duration that is typed over keyframes of the strip: characters in, what becomes of the keyframes out.

use crate::anim::clip::Clip;
use crate::anim::time::Time;
use crate::assets::id::ClipId;
use crate::editor::document::edit::Edit;
use crate::editor::ops::time_text;

/// More characters than any duration needs.
const LONGEST: usize = 16;

/// The text in hand and the keyframes that it is for.
#[derive(Clone, Debug, PartialEq)]
pub struct TypedDuration {
    /// Places in the open clip; not empty.
    pub keyframes: Vec<usize>,
    /// What was typed so far: "6", "120ms", "0.5s".
    pub text: String,
}

impl TypedDuration {
    /// A character more; what no duration has in it is left out.
    pub fn push(&mut self, letter: char) {
        if self.text.chars().count() < LONGEST && (letter.is_ascii_alphanumeric() || ".,-".contains(letter)) {
            self.text.push(letter.to_ascii_lowercase());
        }
    }

    /// The duration that the text says; else why it says none.
    pub fn read(&self, clip: &Clip) -> Result<Time, String> {
        time_text::parse(&self.text, clip.frame_rate)
    }

    /// The duration for every keyframe.
    pub fn edits(&self, clip: ClipId, duration: Time) -> Vec<Edit> {
        self.keyframes.iter().map(|&keyframe| Edit::SetDuration { clip, keyframe, duration }).collect()
    }
}
