//! The actions that change the document.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use glam::Vec3;

use crate::editor::document::edit::{Gap, Label};
use crate::editor::gesture::poses::PoseLimit;
use crate::editor::ops::bone_groups::GroupEdit;
use crate::editor::posing::change::Change;
use crate::editor::posing::mixing::Mix;
use crate::editor::session::bone_map::MappedTo;
use crate::editor::session::clipboard::{Side, Subject};
use crate::editor::session::keying::{KeyMask, KeyWhat};
use crate::editor::session::selection::VolumePick;
use crate::editor::state::effect::{ImagePlace, ImageSearch};
use keypose::anim::clip::{KeyframeKind, LoopMode};
use keypose::anim::fit::Tolerance;
use keypose::anim::key::{Ease, HandleKind};
use keypose::anim::scalar::ScalarIndex;
use keypose::anim::skeleton::BoneIndex;
use keypose::anim::time::Time;
use keypose::assets::clip_notes::Derivation;
use keypose::assets::euler_order::EulerOrder;
use keypose::assets::reference::FilmSource;
use keypose::assets::texture::Texture;

/// Edits, gestures, undo and redo.
#[derive(Clone, Debug)]
pub enum DocumentAction {
    /// One undo step.
    Edit { label: Label, change: Change },
    /// Opens a gesture on the current document. An open one is committed first.
    Begin { label: Label },
    /// The whole change since `Begin`; replaces the previous preview. Ignored without `Begin`.
    Preview(Change),
    /// Makes the preview an undo step, if it changed anything.
    Commit,
    /// Restores the document as it was when the gesture began.
    Cancel,
    /// One step; ends an open gesture instead.
    Undo,
    /// One step; ignored while a gesture is open.
    Redo,
    /// Undoes or redoes until this many steps can be undone.
    GoToStep(usize),
}

/// Hit and hurt volumes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VolumeAction {
    /// Selects a volume: the gizmo moves it, until a bone is selected.
    Pick(Option<VolumePick>),
    /// Adds one on the active bone, fitted to the mesh: to the selected hit, otherwise to the hurt volumes of the model.
    Add,
    /// Fits the selected one to the mesh around its bone.
    Fit,
    /// Adds the mirror image of the selected one.
    Mirror,
    /// Moves the selected one to the active bone, where it stays in place in the pose on screen.
    SetBone,
    /// Deletes the selected one.
    Delete,
    /// Adds a fitted hurt volume for each large part of the model that has none.
    FitAll,
}

/// Copy, paste, duplicate and delete. Unless they say otherwise, they act on the kind of item that has the focus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClipboardAction {
    Copy(Subject),
    Paste {
        subject: Subject,
        side: Side,
    },
    /// The text of the system's clipboard, before a paste. Text of other programs is ignored.
    Arrived(String),
    Duplicate,
    /// Duplicates keyframes or keys, even if a clip has the focus.
    DuplicateInTimeline,
    Delete(Gap),
    /// Deletes keyframes or keys, even if a clip or bones have the focus.
    DeleteInTimeline(Gap),
}

/// Whole clips. All but `New` act on the open clip.
#[derive(Clone, Debug, PartialEq)]
pub enum ClipAction {
    /// Adds a clip and starts typing its name.
    New,
    /// Renames the clip; if it was just added, in the same undo step.
    Name(String),
    Duplicate,
    /// Deletes the clip, and the clips that are selected with it.
    Delete,
    SetLoopMode(LoopMode),
    /// Adds a clip that is computed from the open one and follows its changes.
    AddDerived(Derivation),
    /// Adds a layer over the open clip, and opens the clip with it.
    AddLayer,
    /// Limits the layer of the clip to bones; none for all.
    MaskLayer(Vec<BoneIndex>),
    /// Keys the weight of the layer, 0 to 1, at the playhead: the one that is shown if none is given.
    KeyLayerWeight(Option<f32>),
    /// Makes the clip with its layers one of its own, within a tolerance, which is fine if none is given.
    Flatten(Option<Tolerance>),
    /// Adds the loop section, or else the selected keyframes, as a clip that follows the open one.
    AddTrimmed,
    /// The clips no longer follow others.
    Unlock,
    /// Removes keys that the clip doesn't need to keep its shape.
    ReduceKeys,
    /// Keys the bones with springs as they swing.
    BakeSprings,
    /// Moves the motion of the body along the ground to the root.
    ExtractRootMotion,
    /// Starts to reduce clips to few poses.
    ReduceToPoses(Reduced),
    /// Continues the search for the poses of long clips by some milliseconds.
    SearchPoses,
    /// Sets the limit of the reduction that was started.
    LimitPoses(PoseLimit),
}

/// An action on the contacts of the open clip, and on what is between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactAction {
    /// Adds the ranges in which feet stand.
    Propose,
    /// Holds the bones of all contacts in place, or of the selected one.
    Clean,
    /// Adds an event at the start of each.
    AddEvents,
    /// Moves the body onto the ballistic arc between contacts: in the flight at the playhead, or in all.
    FollowArc,
}

/// The clips that are reduced to poses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduced {
    /// The open clip, and the clips that are selected with it.
    Selected,
    /// All clips of the model with a keyframe at almost every frame.
    Dense,
}

/// The keyframes that are selected, or else the one under the playhead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyframeAction {
    /// Splits the keyframe at the playhead, without keys; the motion stays the same.
    Split,
    /// Inserts a keyframe of the current pose after the one under the playhead.
    Append,
    /// Adds a keyframe of the current pose after the last one.
    Extend,
    /// Merges with the next keyframe, or merges the selected ones.
    Merge,
    /// Repeats the pose for the duration of the keyframe before the motion continues.
    Hold,
    /// Copies the keyframe after itself.
    Duplicate,
    /// Deletes keyframes; the keyframe before takes their time.
    Delete,
    /// Deletes the keys of the selected bones, or else of all bones, in the keyframe under the playhead.
    DeleteKeys,
    /// Ends the clip at the playhead.
    EndClip,
    /// Marks the selected keyframes, or the one under the playhead.
    SetKind(KeyframeKind),
    /// Moves keyframes together, before another one as they are now, and selects them.
    Reorder {
        keyframes: Range<usize>,
        /// The one behind them, or the number of keyframes.
        before: usize,
    },
}

/// Keying and changing the pose.
#[derive(Clone, Debug, PartialEq)]
pub enum PoseAction {
    /// Keys the pose at the playhead.
    Key(KeyWhat),
    /// Removes the draft at the playhead.
    DiscardDraft,
    /// Sets the interpolation of the selected keys.
    SetEase(Ease),
    /// Sets the tangents of the selected keys.
    SetHandleKind(HandleKind),
    /// Sets the lengths of the handles of the target keys, before and after each.
    SetHandleLengths([f32; 2]),
    /// Converts the channels of the target keys to handles of a third, with more keys.
    ToHermite,
    /// Gives channels of the selected bones their rest values.
    Clear(KeyMask),
    /// Mirrors the pose of the selected bones, or else of all.
    Mirror,
    /// Starts a gesture that mixes the pose with its neighbours, until a click, Enter or Esc.
    Mix(Mix),
    /// Starts a gesture that delays the selected bones, or all below the selected one, one after the other.
    DelayChain,
    /// Starts a gesture that draws the path of the active bone, until the button is released or Esc.
    DrawPath,
    /// Poses the active bone along a path through these points of the model's space.
    FollowPath(Vec<Vec3>),
}

/// The active model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelAction {
    /// Opens a field for its name.
    RequestRename,
    /// Removes it with its clips.
    Remove,
    /// Makes the pose on screen the rest pose of the selected bones, or of all.
    SetRestPose,
}

/// Visibility, pins, sets, groups and mirror pairs of bones.
#[derive(Clone, Debug, PartialEq)]
pub enum BoneAction {
    /// Hides or shows bones.
    SetHidden { bones: Vec<BoneIndex>, is_hidden: bool },
    /// Pins or unpins bones.
    SetPinned { bones: Vec<BoneIndex>, is_pinned: bool },
    /// Shows only the bones of the bone list whose names contain these words.
    Filter(String),
    /// Selects a stored set of bones, 0 to 9.
    RecallSet(u8),
    /// Stores the selected bones as a set, 0 to 9.
    StoreSet(u8),
    /// Groups of bones in the document.
    Group(GroupEdit),
    /// Overrides the mirror pair of a bone; a bone that is its own partner is on the middle plane.
    SetMirrorPair { bone: BoneIndex, partner: BoneIndex },
    /// Removes the override: the pair is found by names and positions again.
    ClearMirrorPair(BoneIndex),
    /// The order in which the rotations of bones are read.
    SetEulerOrder { bones: Vec<BoneIndex>, order: EulerOrder },
    /// Limits the joints of a humanoid to the normal ranges of motion.
    ProposeLimits,
    /// Chooses the bones that follow bones of other files, by their names there.
    Map(Vec<(String, MappedTo)>),
    /// Keys the values of scalars at the playhead.
    KeyScalars(Vec<ScalarIndex>),
    /// Angles that the user entered for bones at a time of the open clip, in degrees: they are shown as entered.
    NoteAngles { time: Time, angles: Vec<(BoneIndex, Vec3)> },
}

/// The use of a dropped image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DropPurpose {
    Texture,
    Reference,
}

/// Images that were found below a folder.
#[derive(Clone, Debug, Default)]
pub struct FoundImages {
    pub folder: PathBuf,
    /// With the wanted names.
    pub images: Vec<Arc<Texture>>,
    /// Why others can't be read.
    pub faults: Vec<String>,
}

/// Materials and reference images.
#[derive(Clone, Debug)]
pub enum MaterialAction {
    /// The material that the panel shows.
    Pick(usize),
    /// Reads an image for the texture of that material; asks for a path if none is given.
    ReplaceTexture(Option<PathBuf>),
    /// Finds images of the model that are missing, below a folder; asks for it if none is given.
    FindTextures(Option<PathBuf>),
    /// Images were searched (after `Effect::FindImages`).
    ImagesFound { search: ImageSearch, found: FoundImages },
    /// Removes the texture from that material.
    RemoveTexture,
    /// Reads a reference image; asks for a path if none is given.
    AddReference(Option<PathBuf>),
    /// Reads a reference film; asks for a path if none is given.
    AddFilm(Option<PathBuf>),
    /// Keeps the files of a reference's film in the archive.
    KeepFilm(usize),
    /// The reference image that the panel shows.
    PickReference(usize),
    /// An image was dropped on the window: asks for its use, if that is ambiguous.
    DropImage(PathBuf),
    /// The answer to that; `None` for nothing.
    AnswerDrop(Option<DropPurpose>),
    /// An image was read (after `Effect::ReadImage`).
    ImageRead { place: ImagePlace, image: Arc<Texture> },
    /// A film was read, with its first frame (after `Effect::ReadImage`).
    FilmRead { place: ImagePlace, image: Arc<Texture>, source: FilmSource },
}
