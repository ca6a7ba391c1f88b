//! Edits: the closed list of changes to a document. An edit states the new value; it has no inverse.

use std::borrow::Cow;

use thiserror::Error;

use keypose::anim::clip::ClipError;
use keypose::anim::key::Channel;
use keypose::anim::skeleton::{BoneIndex, Skeleton, SkeletonError};
use keypose::anim::time::Time;
use keypose::assets::project::Project;

mod clip;
mod draft;
mod keys;
mod level;
mod model;
mod sound;

pub use clip::ClipEdit;
pub use draft::DraftEdit;
pub use keys::{Handles, KeyEdit};
pub use level::LevelEdit;
pub use model::ModelEdit;
pub use sound::SoundEdit;

/// The label of an undo step, for the Edit menu: "Undo Rotate bone".
pub type Label = Cow<'static, str>;

/// Refers to one key of a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyRef {
    /// The index of the keyframe.
    pub keyframe: usize,
    pub bone: BoneIndex,
    pub channel: Channel,
}

/// Moves one key in time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeyMove {
    /// The key as it is before any of the moves.
    pub from: KeyRef,
    /// The new time, not negative; if no keyframe starts there, one is created.
    pub to: Time,
}

/// The fate of the original of a moved key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Original {
    /// The original moves.
    Moves,
    /// The original stays, a copy moves.
    Stays,
}

/// The fate of the time of a deleted keyframe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gap {
    /// The previous keyframe becomes longer: nothing after it moves.
    Kept,
    /// The following keyframes move up.
    Closed,
}

/// The enum of all edits, each converted from its kind and applied by it.
macro_rules! edits {
    ($($kind:ident($inner:ident),)*) => {
        /// One change of the document.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Edit {
            $($kind($inner),)*
        }

        impl Edit {
            /// Applies the edit. If it fails, the project is in an unknown state and must be discarded.
            pub(super) fn apply(&self, project: &mut Project) -> Result<(), EditError> {
                match self {
                    $(Edit::$kind(edit) => edit.apply(project),)*
                }
            }
        }

        $(impl From<$inner> for Edit {
            fn from(edit: $inner) -> Edit {
                Edit::$kind(edit)
            }
        })*
    };
}

edits! {
    Model(ModelEdit),
    Clip(ClipEdit),
    Keys(KeyEdit),
    Draft(DraftEdit),
    Level(LevelEdit),
    Sound(SoundEdit),
}

/// Why an edit failed.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum EditError {
    #[error("there is no model {model}")]
    NoModel { model: usize },
    #[error("the clip no longer exists")]
    NoClip,
    #[error("clip {clip}: no keyframe {}", keyframe + 1)]
    NoKeyframe { clip: String, keyframe: usize },
    #[error("clip {clip}: bone {bone} has no {} key in keyframe {}", channel.name(), keyframe + 1)]
    NoKey { clip: String, keyframe: usize, bone: BoneIndex, channel: Channel },
    #[error("model {model}: no bone {bone}")]
    NoBone { model: String, bone: BoneIndex },
    #[error("model {model}: no mesh {mesh}")]
    NoMesh { model: String, mesh: usize },
    #[error("model {model}: no material {material}")]
    NoMaterial { model: String, material: usize },
    #[error("there is no level {level}")]
    NoLevel { level: usize },
    #[error("level {level}: it has no such thing, or it can't be removed")]
    NoThing { level: String },
    #[error("level {level}: {reason}")]
    Level { level: String, reason: String },
    #[error("there is no sound {sound}")]
    NoSound { sound: String },
    #[error("sound {sound}: {reason}")]
    Sound { sound: String, reason: String },
    #[error("a name can't be empty")]
    EmptyName,
    #[error("a name has {bytes} bytes, the maximum is {}", Skeleton::MAX_NAME_BYTES)]
    LongName { bytes: usize },
    #[error("the name \"{name}\" is taken")]
    NameTaken { name: String },
    #[error("a time must be between 0 and 24 hours")]
    Time,
    #[error("the clip {clip} follows {leader}: it has no keys of its own")]
    Follows { clip: String, leader: String },
    #[error("layer {layer}: {reason}")]
    Layer { layer: String, reason: &'static str },
    #[error("clip {clip}: {reason}")]
    Clip { clip: String, reason: ClipError },
    #[error("clip {clip}: {reason}")]
    Lanes { clip: String, reason: String },
    #[error("{reason}")]
    Skeleton { reason: SkeletonError },
    #[error("model {model}: {reason}")]
    Model { model: String, reason: String },
    #[error("bone {bone}: the {} is not finite", channel.name())]
    Value { bone: BoneIndex, channel: Channel },
    #[error(
        "model {model}: its {what} were saved by a newer version of Keypose; they are kept, and only that version can change them"
    )]
    Newer { what: &'static str, model: String },
}
