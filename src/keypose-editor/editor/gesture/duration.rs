//! A duration that is typed over keyframes of the pose strip.

use crate::editor::document::Document;
use crate::editor::document::edit::{Edit, KeyEdit};
use crate::editor::gesture::Drag;
use crate::editor::ops::sentence::sentence;
use crate::editor::ops::time_text;
use crate::editor::posing::change::Change;
use crate::editor::session::pointer::ModalKey;
use keypose::anim::time::Time;
use keypose::assets::id::ClipId;

/// The maximum number of characters.
const MAX_CHARACTERS: usize = 24;

/// The typed text and the keyframes that it applies to.
#[derive(Clone, Debug, PartialEq)]
pub struct DurationEntry {
    /// Indices in the open clip; not empty.
    pub keyframes: Vec<usize>,
    /// The text typed so far: "6", "120ms", "0.5s", "6f+120ms".
    pub text: String,
}

impl DurationEntry {
    /// Handles a key. A valid duration is previewed at once; an invalid one is refused only when it is confirmed.
    pub fn key(&mut self, base: &Document, clip: Option<ClipId>, key: ModalKey) -> Drag {
        match key {
            ModalKey::Char(character) => self.push(character),
            ModalKey::Backspace => drop(self.text.pop()),
            ModalKey::Cancel => return Drag::Cancel,
            ModalKey::Confirm if self.text.is_empty() => return Drag::Cancel,
            ModalKey::Confirm => return self.edits(base, clip).map_or_else(Drag::Refuse, |_| Drag::Commit),
            ModalKey::Axis(_)
            | ModalKey::Plane(_)
            | ModalKey::AddJoint
            | ModalKey::RemoveJoint
            | ModalKey::Switch(_) => {
                return Drag::Ignore;
            }
        }
        Drag::Preview(Change::Edits(self.edits(base, clip).unwrap_or_default()))
    }

    fn push(&mut self, character: char) {
        let is_part = character.is_ascii_alphanumeric() || "+-*/=().,".contains(character);
        if is_part && self.text.chars().count() < MAX_CHARACTERS {
            self.text.push(character.to_ascii_lowercase());
        }
    }

    /// The edits that set the typed duration, or change that of each keyframe (`+5`, `*2`).
    ///
    /// # Errors
    /// A sentence that says why the duration can't be set.
    pub fn edits(&self, base: &Document, clip: Option<ClipId>) -> Result<Vec<Edit>, String> {
        let id = clip.ok_or("No clip is open.")?;
        let slot = base.clip(id).ok_or("The clip no longer exists.")?;
        let (keyframes, rate) = (&slot.clip.keyframes, slot.clip.frame_rate);
        let typed = |&keyframe: &usize| -> Result<(usize, Time), String> {
            let before = keyframes.get(keyframe).map_or(Time::ZERO, |keyframe| keyframe.duration);
            let duration = time_text::changed(&self.text, before, rate)?;
            if duration < Time::ZERO {
                return Err("A duration can't be negative.".to_owned());
            }
            if duration == Time::ZERO && keyframe + 1 < keyframes.len() {
                return Err("Only the last keyframe of a clip can have a duration of zero.".to_owned());
            }
            Ok((keyframe, duration))
        };
        let durations = self.keyframes.iter().map(typed).collect::<Result<Vec<_>, _>>()?;
        let edits = vec![KeyEdit::SetDurations { clip: id, durations }.into()];
        base.with(&edits).map(|_| edits).map_err(|error| sentence(&error))
    }
}
