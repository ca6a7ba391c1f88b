//! The edits of keyframes and keys.

use glam::Vec4;

use crate::editor::document::apply::{change_channels, change_clip, retime};
use crate::editor::document::edit::{EditError, Gap, KeyMove, KeyRef, Original};
use crate::editor::document::{keyframes, keys};
use keypose::anim::clip::{Keyframe, KeyframeKind};
use keypose::anim::key::{Ease, HandleKind, Key};
use keypose::anim::time::Time;
use keypose::assets::id::ClipId;
use keypose::assets::project::Project;

/// An edit of the keyframes of a clip or of their keys.
#[derive(Clone, Debug, PartialEq)]
pub enum KeyEdit {
    /// Adds a keyframe without keys that starts at a time, if none does: splits the one that contains the time, or extends the clip.
    Split { clip: ClipId, time: Time },
    /// Inserts keyframes after another one, or into a clip without any; the following ones move.
    InsertAfter { clip: ClipId, keyframe: usize, new: Vec<Keyframe> },
    /// Inserts a copy after the original; the following keyframes move.
    DuplicateKeyframe { clip: ClipId, keyframe: usize },
    /// Deletes keyframes with their keys.
    DeleteKeyframes { clip: ClipId, keyframes: Vec<usize>, gap: Gap },
    /// Moves a keyframe to an index of the list without it.
    MoveKeyframe { clip: ClipId, from: usize, to: usize },
    /// Sets the kind of the keyframes that start at these times.
    SetKind { clip: ClipId, times: Vec<Time>, kind: KeyframeKind },
    /// Sets the durations of keyframes. The following ones move; events and drafts move in proportion, and handles that are set by hand follow.
    SetDurations { clip: ClipId, durations: Vec<(usize, Time)> },
    /// Replaces all keys of a keyframe.
    ReplaceKeys { clip: ClipId, keyframe: usize, keys: Vec<Key> },
    /// Sets the values of existing keys; rotations are normalised.
    SetValues { clip: ClipId, values: Vec<(KeyRef, Vec4)> },
    /// Sets keys at their times, replacing keys of the same channels. Adds keyframes as [`KeyEdit::Split`] does.
    KeysAt { clip: ClipId, keys: Vec<(Time, Key)> },
    /// Removes keys; keyframes without keys stay.
    RemoveKeys { clip: ClipId, keys: Vec<KeyRef> },
    /// Moves all at once; a key replaces the one at its destination. Keyframes that lose all keys stay.
    MoveKeys { clip: ClipId, moves: Vec<KeyMove>, original: Original },
    /// How keys blend to the next key of their channels.
    SetEase { clip: ClipId, keys: Vec<KeyRef>, ease: Ease },
    /// Aligned handles get the mean of both tangents.
    SetHandleKind { clip: ClipId, keys: Vec<KeyRef>, kind: HandleKind },
    /// Sets handles by hand: aligned, or free if the two tangents differ or the handles were free.
    SetHandles { clip: ClipId, handles: Vec<(KeyRef, Handles)> },
}

/// Both handles of a key: before it and after it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Handles {
    /// Units per second.
    pub tangents: [Vec4; 2],
    /// Fractions of the time to the neighbouring keys, in [`keypose::anim::bezier::LENGTHS`].
    pub lengths: [f32; 2],
}

impl Handles {
    /// The handles of a key.
    pub fn of(key: &Key) -> Handles {
        Handles { tangents: [key.in_tangent, key.out_tangent], lengths: [key.in_length, key.out_length] }
    }

    /// The handles with another one before the key (side 0) or after it (1). The other one stays in line, unless it is moved alone.
    pub fn with(self, side: usize, tangent: Vec4, length: f32, is_alone: bool) -> Handles {
        let mut handles = self;
        if !is_alone {
            handles.tangents = [tangent; 2];
        }
        (handles.tangents[side], handles.lengths[side]) = (tangent, length);
        handles
    }
}

impl KeyEdit {
    /// Applies the edit. If it fails, the project is in an unknown state and must be discarded.
    pub(in crate::editor::document) fn apply(&self, project: &mut Project) -> Result<(), EditError> {
        match self {
            KeyEdit::Split { clip, time } => {
                change_channels(project, *clip, std::iter::empty(), |clip| keyframes::ensure_all(clip, &[*time].into()))
            }
            KeyEdit::InsertAfter { clip, keyframe, new } => {
                retime(project, *clip, |clip| keyframes::insert_after(clip, *keyframe, new))
            }
            KeyEdit::DuplicateKeyframe { clip, keyframe } => {
                retime(project, *clip, |clip| keyframes::duplicate(clip, *keyframe))
            }
            KeyEdit::DeleteKeyframes { clip, keyframes, gap } => {
                let mut parts = keyframes::first_and_others(keyframes).into_iter().filter(|part| !part.is_empty());
                parts.try_for_each(|part| retime(project, *clip, |clip| keyframes::delete(clip, &part, *gap)))
            }
            KeyEdit::MoveKeyframe { clip, from, to } => {
                retime(project, *clip, |clip| keyframes::reorder(clip, *from, *to))
            }
            KeyEdit::SetKind { clip, times, kind } => {
                change_clip(project, *clip, |clip| keyframes::set_kind(clip, times, *kind))
            }
            KeyEdit::SetDurations { clip, durations } => {
                retime(project, *clip, |clip| keyframes::set_durations(clip, durations))
            }
            KeyEdit::ReplaceKeys { clip, keyframe, keys } => {
                change_clip(project, *clip, |clip| keys::replace(clip, *keyframe, keys))
            }
            KeyEdit::SetValues { clip, values } => {
                let channels = values.iter().map(|(key, _)| (key.bone, key.channel));
                change_channels(project, *clip, channels, |clip| keys::set_values(clip, values))
            }
            KeyEdit::KeysAt { clip, keys } => {
                let channels = keys.iter().map(|(_, key)| key.address());
                change_channels(project, *clip, channels, |clip| keys::set_at(clip, keys))
            }
            KeyEdit::RemoveKeys { clip, keys } => {
                let channels = keys.iter().map(|key| (key.bone, key.channel));
                change_channels(project, *clip, channels, |clip| keys::remove(clip, keys))
            }
            KeyEdit::MoveKeys { clip, moves, original } => {
                let channels = moves.iter().map(|one| (one.from.bone, one.from.channel));
                change_channels(project, *clip, channels, |clip| keys::move_in_time(clip, moves, *original))
            }
            KeyEdit::SetEase { clip, keys, ease } => {
                change_clip(project, *clip, |clip| keys::set_ease(clip, keys, *ease))
            }
            KeyEdit::SetHandleKind { clip, keys, kind } => {
                change_clip(project, *clip, |clip| keys::set_kind(clip, keys, *kind))
            }
            KeyEdit::SetHandles { clip, handles } => {
                let channels = handles.iter().map(|(key, _)| (key.bone, key.channel));
                change_channels(project, *clip, channels, |clip| keys::set_handles(clip, handles))
            }
        }
    }
}
