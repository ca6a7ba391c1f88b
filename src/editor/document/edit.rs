//! The closed list of changes to a document. An edit is a value that says what becomes; it has no inverse.

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

/// What a step is called in the Edit menu: "Undo rotate bone".
pub type Label = Cow<'static, str>;

/// Which key of a clip is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyRef {
    /// The keyframe's place in the clip.
    pub keyframe: usize,
    /// Whose channel.
    pub bone: BoneIndex,
    /// Which channel.
    pub channel: Channel,
}

/// Where a key goes on the time line of its clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeyMove {
    /// The key as it stands before any of the moves.
    pub from: KeyRef,
    /// Its new time; a keyframe is made there where none starts. Not negative.
    pub to: Time,
}

/// What happens to the original of a key that is moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Original {
    /// It goes.
    Moves,
    /// It stays, a copy goes.
    Stays,
}

/// What becomes of the time of a keyframe that is deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gap {
    /// The keyframe before takes it: nothing after moves.
    Kept,
    /// What follows moves up.
    Closed,
}

/// One change of the document. `model` is a place in the project's list of models.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Edit {
    /// At the end of the list; a taken name gets a number, its clips get ids.
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
    /// What the bone has where no key says otherwise.
    SetRest {
        model: usize,
        bone: BoneIndex,
        transform: Transform,
    },
    SetMachine {
        model: usize,
        machine: AnimationTable,
    },
    /// The whole pose library.
    SetPoses {
        model: usize,
        poses: Vec<Arc<SavedPose>>,
    },
    /// Groups of bones and mirror pairs.
    SetRig {
        model: usize,
        rig: RigNotes,
    },
    /// A name that is taken is refused.
    SetMaterial {
        model: usize,
        material: usize,
        with: Material,
    },
    /// The image of a material's texture, for every material that shares it. A material without one gets one.
    SetImage {
        model: usize,
        material: usize,
        image: Arc<Texture>,
    },
    /// All reference images of a model.
    SetReferences {
        model: usize,
        references: Vec<Arc<Reference>>,
    },
    SetSockets {
        model: usize,
        sockets: Vec<Socket>,
    },

    /// At a place of the list, or at the end where that lies behind it; a taken name gets a number.
    AddClip {
        model: usize,
        at: usize,
        clip: Box<Clip>,
    },
    /// The copy, drafts included, stands behind the original.
    DuplicateClip {
        clip: ClipId,
    },
    /// A clip made from another, behind it; it follows the other one's changes until it is unlocked.
    AddDerived {
        source: ClipId,
        how: Derivation,
    },
    /// A clip that follows another is made another way.
    SetDerived {
        clip: ClipId,
        how: Derivation,
    },
    /// The clip stays as it is and is edited by itself from now on.
    UnlockClip {
        clip: ClipId,
    },
    /// Empty for none.
    SetFolder {
        clip: ClipId,
        folder: String,
    },
    SetTags {
        clip: ClipId,
        tags: Vec<String>,
    },
    /// The table and the machine that name it follow.
    RenameClip {
        clip: ClipId,
        name: String,
    },
    /// Its drafts go with it.
    DeleteClip {
        clip: ClipId,
    },
    /// To a place of the list as it is without the clip.
    MoveClip {
        clip: ClipId,
        to: usize,
    },
    /// Turning to `Loop` a clip whose last duration is zero and whose end differs from its start gives the last
    /// keyframe the mean duration.
    SetLoopMode {
        clip: ClipId,
        loop_mode: LoopMode,
    },
    SetFrameRate {
        clip: ClipId,
        frame_rate: FrameRate,
    },
    /// Everything but the id: for operations on whole clips.
    ReplaceClip {
        clip: ClipId,
        with: Box<Clip>,
    },
    SetEvents {
        clip: ClipId,
        events: Vec<Event>,
    },

    /// Keys at a time: into the keyframe that starts there, else into a new one, which splits the keyframe in which
    /// the time lies or continues the clip. Without keys it is a bare split.
    KeyAt {
        clip: ClipId,
        time: Time,
        keys: Vec<Key>,
    },
    /// A new keyframe behind one; what follows moves.
    InsertAfter {
        clip: ClipId,
        keyframe: usize,
        duration: Time,
        keys: Vec<Key>,
    },
    /// The copy stands behind the original; what follows moves.
    DuplicateKeyframe {
        clip: ClipId,
        keyframe: usize,
    },
    DeleteKeyframes {
        clip: ClipId,
        keyframes: Vec<usize>,
        gap: Gap,
    },
    /// To a place of the list as it is without the keyframe.
    MoveKeyframe {
        clip: ClipId,
        from: usize,
        to: usize,
    },
    /// What follows moves; events and drafts go along in proportion.
    SetDuration {
        clip: ClipId,
        keyframe: usize,
        duration: Time,
    },
    /// Puts keys into a keyframe, over those that are there.
    SetKeys {
        clip: ClipId,
        keyframe: usize,
        keys: Vec<Key>,
    },
    /// Exactly these keys, no others.
    ReplaceKeys {
        clip: ClipId,
        keyframe: usize,
        keys: Vec<Key>,
    },
    /// New values of keys that are there; rotations are brought to unit length.
    SetValues {
        clip: ClipId,
        values: Vec<(KeyRef, Vec4)>,
    },
    /// Keys at several times, each as [`Edit::KeyAt`] does it.
    KeysAt {
        clip: ClipId,
        keys: Vec<(Time, Key)>,
    },
    RemoveKeys {
        clip: ClipId,
        keys: Vec<KeyRef>,
    },
    /// All at once; a key that lands on another replaces it. Keyframes stay, also those that lose their keys.
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
    /// Makes the key's tangents free, or broken where the two differ.
    SetTangents {
        clip: ClipId,
        key: KeyRef,
        in_tangent: Vec4,
        out_tangent: Vec4,
    },

    /// Puts keys into the draft at a time of a clip, or of the rest pose, over those that are there.
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
    /// Takes single channels out of a draft; those that it lacks do not matter.
    DropDraftKeys {
        model: usize,
        clip: Option<ClipId>,
        time: Time,
        channels: Vec<(BoneIndex, Channel)>,
    },
}

/// Why an edit cannot be done.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)]
pub enum EditError {
    #[error("there is no model {model}")]
    NoModel { model: usize },
    #[error("that clip is gone")]
    NoClip,
    #[error("clip {clip}: it has no keyframe {}", keyframe + 1)]
    NoKeyframe { clip: String, keyframe: usize },
    #[error("clip {clip}: there is no {} key of bone {bone} in keyframe {}", channel.name(), keyframe + 1)]
    NoKey { clip: String, keyframe: usize, bone: BoneIndex, channel: Channel },
    #[error("model {model}: it has no bone {bone}")]
    NoBone { model: String, bone: BoneIndex },
    #[error("model {model}: it has no mesh {mesh}")]
    NoMesh { model: String, mesh: usize },
    #[error("model {model}: it has no material {material}")]
    NoMaterial { model: String, material: usize },
    #[error("a name can't be empty")]
    EmptyName,
    #[error("the name \"{name}\" is taken")]
    NameTaken { name: String },
    #[error("a time can't be negative, nor longer than a day")]
    Time,
    #[error("{clip} follows {leader}: unlock it to change it by itself")]
    Follows { clip: String, leader: String },
    #[error("clip {clip}: {reason}")]
    Clip { clip: String, reason: ClipError },
    #[error("{reason}")]
    Skeleton { reason: SkeletonError },
    #[error("model {model}: {reason}")]
    Model { model: String, reason: String },
    #[error("the {} of bone {bone} is not a finite value", channel.name())]
    Value { bone: BoneIndex, channel: Channel },
}
