//! The clipboard: copied poses, keyframes and keys, by bone name, so that they fit other clips and other models.

use keypose::anim::clip::KeyframeKind;
use keypose::anim::key::Key;
use keypose::anim::time::Time;

/// Whether a paste is mirrored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    #[default]
    Same,
    Mirrored,
}

/// The items that Copy and Paste act on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// Copy: the kind of item that was selected last. Paste: the kind that was copied.
    Focused,
    /// The pose at the playhead, even if other items were selected or copied last: over the viewport.
    Pose,
    /// Keyframes and keys: over the timeline. A pose is pasted as a keyframe.
    Timeline,
}

/// A key of a bone by name; its own bone index has no meaning.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedKey {
    pub bone: String,
    /// The name of the scalar, if it is a key of one; its own index has no meaning either.
    pub scalar: Option<String>,
    pub key: Key,
}

/// A keyframe with keys by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CopiedKeyframe {
    pub duration: Time,
    pub kind: KeyframeKind,
    pub keys: Vec<NamedKey>,
}

/// The contents of the clipboard.
#[derive(Clone, Debug, PartialEq)]
pub enum Copied {
    Pose {
        /// The duration of its keyframe; zero if there was none.
        duration: Time,
        /// Channel values.
        keys: Vec<NamedKey>,
    },
    /// Whole keyframes.
    Keyframes(Vec<CopiedKeyframe>),
    /// Keys with their times relative to the first one.
    Keys(Vec<(Time, NamedKey)>),
}

impl Copied {
    /// Converts to a pose: of several keyframes or keys, the first ones.
    pub fn as_pose(&self) -> Copied {
        match self {
            Copied::Pose { .. } => self.clone(),
            Copied::Keyframes(columns) => {
                let first = columns.iter().find(|column| !column.keys.is_empty()).or(columns.first());
                let CopiedKeyframe { duration, keys, .. } = first.cloned().unwrap_or_default();
                Copied::Pose { duration, keys }
            }
            Copied::Keys(keys) => {
                let first = keys.iter().map(|(time, _)| *time).min().unwrap_or_default();
                let keys = keys.iter().filter(|(time, _)| *time == first).map(|(_, key)| key.clone());
                Copied::Pose { duration: Time::ZERO, keys: keys.collect() }
            }
        }
    }

    /// Converts for the timeline: a pose becomes a keyframe with its duration.
    pub fn as_keyframes(&self) -> Copied {
        match self {
            Copied::Pose { duration, keys } => {
                let column = CopiedKeyframe { duration: *duration, keys: keys.clone(), ..CopiedKeyframe::default() };
                Copied::Keyframes(vec![column])
            }
            Copied::Keyframes(_) | Copied::Keys(_) => self.clone(),
        }
    }
}
