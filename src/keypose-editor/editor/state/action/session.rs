//! The actions that change only the session: nothing of them is saved or undone.

use std::ops::Range;

use glam::Vec2;

use crate::editor::document::edit::KeyRef;
use crate::editor::session::camera::{Lens, Look};
use crate::editor::session::display::{Shading, ShownPose};
use crate::editor::session::ghosts::Ghosts;
use crate::editor::session::keying::{AutoKey, KeyMask};
use crate::editor::session::opponent::OpponentChoice;
use crate::editor::session::pointer::{ModalKey, PointerEvent};
use crate::editor::session::selection::{ItemKind, Pick};
use crate::editor::session::switch::Switch;
use crate::editor::session::tool::{RotationReading, Space, Tool, TransformKind};
use keypose::anim::key::Ease;
use keypose::anim::skeleton::BoneIndex;
use keypose::anim::time::Time;
use keypose::assets::id::ClipId;

/// The active model and clip, and the selection.
#[derive(Clone, Debug, PartialEq)]
pub enum SelectAction {
    /// Opens a model, by its index in the document.
    Model(usize),
    /// Opens a clip; `None` shows the rest pose.
    Clip(Option<ClipId>),
    /// Selects exactly these clips in the list; the open clip stays open.
    Clips(Vec<ClipId>),
    /// A single bone becomes the active one.
    Bones { bones: Vec<BoneIndex>, pick: Pick },
    /// Several bones, such as a range of the bone list. The clicked bone, at one of its ends, becomes active.
    BoneRange { range: Vec<BoneIndex>, clicked: BoneIndex, pick: Pick },
    /// One keyframe, or a group; the playhead goes to the first.
    KeyframeGroup { keyframes: Range<usize>, pick: Pick },
    /// Selects exactly these keyframes. The playhead stays, and the keyframe that was picked last.
    KeyframeRange(Range<usize>),
    /// Bones and whole keyframes follow.
    Keys { keys: Vec<KeyRef>, pick: Pick },
    /// All keys of the keyframes in which a key is selected, or else of the keyframe under the playhead.
    Column,
    /// The kind of item that Copy, Delete and the like act on.
    Focus(ItemKind),
    /// The bone under the mouse.
    Hover(Option<BoneIndex>),
    /// All items of the kind that has the focus.
    All,
    /// All bones of the bone list; with a filter, the matching bones.
    Listed,
    /// No items of the kind that has the focus.
    None,
    /// The previous selection of bones.
    Back,
    /// The next selection of bones, after `Back`.
    Forward,
}

/// The playhead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PlaybackAction {
    /// Goes to a time of the clip.
    Seek(Time),
    /// Steps along the frames of the clip.
    StepFrames(i64),
    /// Goes to the previous keyframe if negative, else to the next.
    StepKeyframes(i64),
    /// Starts or stops playback.
    SetPlaying(bool),
    /// 1 is normal speed.
    SetSpeed(f64),
    /// Whether time runs backwards.
    SetReverse(bool),
    /// Reverses the direction and plays.
    ToggleReverse,
    /// The part of the clip that plays in a loop; `None` plays all of it.
    SetLoopSection(Option<(Time, Time)>),
}

/// Tools and settings for posing.
#[derive(Clone, Debug, PartialEq)]
pub enum ToolAction {
    /// The tool of the viewport.
    Set(Tool),
    /// The axes of the gizmo.
    SetSpace(Space),
    /// Sets the opponent that attacks are shown with.
    SetOpponent(OpponentChoice),
    /// When posing makes keys.
    SetAutoKey(AutoKey),
    /// Which channels are keyed.
    SetKeyMask(KeyMask),
    /// The interpolation of new keys.
    SetNewEase(Ease),
    /// Number of joints that IK rotates, counted from the end effector.
    SetChain(usize),
    /// How rotations are shown as numbers.
    SetRotationReading(RotationReading),
}

/// Camera, shading, overlays and ghosts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ViewAction {
    Toggle(Switch),
    SetShading(Shading),
    /// A pose other than the clip's is for display only.
    ShowPose(ShownPose),
    /// Ends the preview or the scene, or returns from the rest or bind pose.
    Leave,
    /// Which ghosts are shown, and how.
    SetGhosts(Ghosts),
    /// Shows the ghosts before and after the playhead.
    ShowGhostNeighbours,
    /// Pins the selected keyframes as ghosts; unpins them if all of them are pinned.
    PinGhosts,
    /// Unpins all keyframes.
    UnpinGhosts,
    /// Keeps the motion trails of the selected bones; if all of them are kept, releases them.
    PinTrails,
    /// Releases all kept motion trails.
    UnpinTrails,
    SetViewport {
        /// In pixels.
        size: Vec2,
        /// Pixels per point of the display.
        pixels_per_point: f32,
    },
    /// By a mouse movement in pixels.
    Orbit(Vec2),
    /// By a mouse movement in pixels.
    Pan(Vec2),
    /// By notches of the wheel; positive zooms in.
    Zoom(f32),
    LookFrom(Look),
    SetLens(Lens),
    FrameSelected,
    FrameAll,
}

/// Mouse and keys in the viewport.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GestureAction {
    /// The mouse: gizmo, picking and modal gestures.
    Pointer(PointerEvent),
    /// Starts a modal transform of the selected bones (G, R, S).
    Transform(TransformKind),
    /// A key during a modal gesture: axis locks, digits, confirm, cancel.
    Modal(ModalKey),
    /// The next drag selects bones by a box.
    BoxSelect,
}
