//! Edits: the closed list of changes to a document. An edit states the new value; it has no inverse.

use std::borrow::Cow;
use std::sync::Arc;

use glam::Vec4;
use thiserror::Error;

use crate::anim::clip::{Clip, ClipError, Event, LoopMode};
use crate::anim::key::{Channel, Ease, Key, TangentKind};
use crate::anim::skeleton::{BoneIndex, SkeletonError};
use crate::anim::time::{FrameRate, Time};
use crate::anim::transform::Transform;
use crate::assets::clip_notes::Derivation;
use crate::assets::id::ClipId;
use crate::assets::machine::AnimationTable;
use crate::assets::material::Material;
use crate::assets::model::{Model, Socket, Visibility};
use crate::assets::reference::Reference;
use crate::assets::rig_notes::RigNotes;
use crate::assets::saved_pose::SavedPose;
use crate::assets::texture::Texture;

/// The label of an undo step, for the Edit menu: "Undo Rotate bone".
pub type Label = Cow<'static, str>;

/// Refers to one key of a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyRef {
    /// The index of the keyframe.
    pub keyframe: usize,
    /// The bone.
    pub bone: BoneIndex,
    /// The channel.
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

/// What happens to the original of a moved key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Original {
    /// The original moves.
    Moves,
    /// The original stays, a copy moves.
    Stays,
}

/// What happens to the time of a deleted keyframe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gap {
    /// The previous keyframe becomes longer: nothing after it moves.
    Kept,
    /// The following keyframes move up.
    Closed,
}

/// One change of the document. `model` is an index into the project's models.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Edit {
    /// Appends a model; a taken name gets a number, its clips get new ids.
    AddModel {
        add: Box<Model>,
    },
    RenameModel {
        model: usize,
        name: String,
    },
    RemoveModel {
        model: usize,
    },
    SetVisibility {
        model: usize,
        mesh: usize,
        visibility: Visibility,
    },
    /// The transform of a bone where a clip has no key.
    SetRest {
        model: usize,
        bone: BoneIndex,
        transform: Transform,
    },
    SetMachine {
        model: usize,
        machine: AnimationTable,
    },
    /// Replaces the pose library.
    SetPoses {
        model: usize,
        poses: Vec<Arc<SavedPose>>,
    },
    /// Replaces bone groups and mirror pairs.
    SetRig {
        model: usize,
        rig: RigNotes,
    },
    /// Replaces a material; a taken name is an error.
    SetMaterial {
        model: usize,
        material: usize,
        with: Material,
    },
    /// Replaces the image of a material's texture for every material that shares it. Creates a texture if there is none.
    SetImage {
        model: usize,
        material: usize,
        image: Arc<Texture>,
    },
    /// Replaces all reference images of a model.
    SetReferences {
        model: usize,
        references: Vec<Arc<Reference>>,
    },
    SetSockets {
        model: usize,
        sockets: Vec<Socket>,
    },

    /// Inserts a clip at an index, or appends it if the index is too high; a taken name gets a number.
    AddClip {
        model: usize,
        at: usize,
        clip: Box<Clip>,
    },
    /// Inserts a copy, with its drafts, after the original.
    DuplicateClip {
        clip: ClipId,
    },
    /// Inserts a derived clip after its source; it updates with the source until it is unlocked.
    AddDerived {
        source: ClipId,
        how: Derivation,
    },
    /// Changes how a derived clip is generated.
    SetDerived {
        clip: ClipId,
        how: Derivation,
    },
    /// The clip keeps its contents and no longer follows its source.
    UnlockClip {
        clip: ClipId,
    },
    /// Empty for no folder.
    SetFolder {
        clip: ClipId,
        folder: String,
    },
    SetTags {
        clip: ClipId,
        tags: Vec<String>,
    },
    /// Also renames it in the animation table and the state machine.
    RenameClip {
        clip: ClipId,
        name: String,
    },
    /// Also deletes its drafts.
    DeleteClip {
        clip: ClipId,
    },
    /// Moves a clip to an index of the list without it.
    MoveClip {
        clip: ClipId,
        to: usize,
    },
    /// If the clip becomes looping, its last duration is zero and its end differs from its start, the last keyframe gets the
    /// mean duration.
    SetLoopMode {
        clip: ClipId,
        loop_mode: LoopMode,
    },
    SetFrameRate {
        clip: ClipId,
        frame_rate: FrameRate,
    },
    /// Replaces everything but the id: for operations on whole clips.
    ReplaceClip {
        clip: ClipId,
        with: Box<Clip>,
    },
    SetEvents {
        clip: ClipId,
        events: Vec<Event>,
    },

    /// Sets keys at a time: in the keyframe that starts there, else in a new one, which splits the keyframe that contains the
    /// time or extends the clip. Without keys it only splits.
    KeyAt {
        clip: ClipId,
        time: Time,
        keys: Vec<Key>,
    },
    /// Inserts a keyframe after another one; the following ones move.
    InsertAfter {
        clip: ClipId,
        keyframe: usize,
        duration: Time,
        keys: Vec<Key>,
    },
    /// Inserts a copy after the original; the following keyframes move.
    DuplicateKeyframe {
        clip: ClipId,
        keyframe: usize,
    },
    DeleteKeyframes {
        clip: ClipId,
        keyframes: Vec<usize>,
        gap: Gap,
    },
    /// Moves a keyframe to an index of the list without it.
    MoveKeyframe {
        clip: ClipId,
        from: usize,
        to: usize,
    },
    /// The following keyframes move; events and drafts move in proportion.
    SetDuration {
        clip: ClipId,
        keyframe: usize,
        duration: Time,
    },
    /// Adds keys to a keyframe, replacing keys of the same channels.
    SetKeys {
        clip: ClipId,
        keyframe: usize,
        keys: Vec<Key>,
    },
    /// Replaces all keys of a keyframe.
    ReplaceKeys {
        clip: ClipId,
        keyframe: usize,
        keys: Vec<Key>,
    },
    /// Sets the values of existing keys; rotations are normalised.
    SetValues {
        clip: ClipId,
        values: Vec<(KeyRef, Vec4)>,
    },
    /// Sets keys at several times, each as [`Edit::KeyAt`] does.
    KeysAt {
        clip: ClipId,
        keys: Vec<(Time, Key)>,
    },
    RemoveKeys {
        clip: ClipId,
        keys: Vec<KeyRef>,
    },
    /// Moves all at once; a key replaces the one at its destination. Keyframes that lose all keys stay.
    MoveKeys {
        clip: ClipId,
        moves: Vec<KeyMove>,
        original: Original,
    },
    SetEase {
        clip: ClipId,
        keys: Vec<KeyRef>,
        ease: Ease,
    },
    SetTangentKind {
        clip: ClipId,
        keys: Vec<KeyRef>,
        kind: TangentKind,
    },
    /// Sets tangents by hand: free, or broken if the two differ.
    SetTangents {
        clip: ClipId,
        key: KeyRef,
        in_tangent: Vec4,
        out_tangent: Vec4,
    },

    /// Adds keys to the draft at a time of a clip or of the rest pose, replacing keys of the same channels.
    SetDraft {
        model: usize,
        clip: Option<ClipId>,
        time: Time,
        keys: Vec<Key>,
    },
    DropDraft {
        model: usize,
        clip: Option<ClipId>,
        time: Time,
    },
    /// Removes channels from a draft; channels that it lacks are ignored.
    DropDraftKeys {
        model: usize,
        clip: Option<ClipId>,
        time: Time,
        channels: Vec<(BoneIndex, Channel)>,
    },
}

/// Why an edit failed.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)]
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
    #[error("a name can't be empty")]
    EmptyName,
    #[error("the name \"{name}\" is taken")]
    NameTaken { name: String },
    #[error("a time must be between 0 and 24 hours")]
    Time,
    #[error("{clip} is derived from {leader}: unlock it to edit it")]
    Follows { clip: String, leader: String },
    #[error("clip {clip}: {reason}")]
    Clip { clip: String, reason: ClipError },
    #[error("{reason}")]
    Skeleton { reason: SkeletonError },
    #[error("model {model}: {reason}")]
    Model { model: String, reason: String },
    #[error("bone {bone}: the {} is not finite", channel.name())]
    Value { bone: BoneIndex, channel: Channel },
}
