//! The part of the session that is reset when another file is opened: active items, selection, playhead, camera.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::editor::session::bone_map::AddedLibrary;
use crate::editor::session::camera::OrbitCamera;
use crate::editor::session::entered_angles::EnteredAngles;
use crate::editor::session::level::LevelDesk;
use crate::editor::session::machine::Picked;
use crate::editor::session::opponent::OpponentChoice;
use crate::editor::session::playhead::Playhead;
use crate::editor::session::selection::Selection;
use crate::editor::session::selection_history::SelectionHistory;
use crate::editor::session::timing::Timing;
use keypose::anim::skeleton::{BoneIndex, Skeleton};
use keypose::assets::id::ClipId;

/// The items of the document that the user works on.
#[derive(Clone, Debug, Default)]
pub struct Focus {
    /// The index of the active model; out of range if the project has none.
    pub model: usize,
    /// The skeleton to which its bones belong, and the name of the model that has it.
    pub skeleton: Option<(String, Arc<Skeleton>)>,
    /// The active clip; `None` is the rest pose.
    pub clip: Option<ClipId>,
    /// The playhead of the active clip.
    pub playhead: Playhead,
    /// The state of the timeline panel.
    pub timing: Timing,
    pub selection: Selection,
    /// Previous selections of bones.
    pub selection_history: SelectionHistory,
    /// Up to ten stored sets of bones.
    pub bone_sets: BTreeMap<u8, Vec<BoneIndex>>,
    /// The filter of the bone list: words that the names must contain.
    pub bone_filter: String,
    /// Bones that are neither drawn nor picked.
    pub hidden: BTreeSet<BoneIndex>,
    /// Bones that keep their position while the bones above their limbs move.
    pub pins: BTreeSet<BoneIndex>,
    /// Files whose clips were added, oldest first: at most [`AddedLibrary::MAX`].
    pub libraries: Vec<AddedLibrary>,
    /// The index of the active material; out of range if the model has none.
    pub material: usize,
    /// The index of the active reference image; out of range if the model has none.
    pub reference: usize,
    /// The index of the active socket; if the model has fewer, the last one is active.
    pub socket: usize,
    /// The opponent that attacks are shown with.
    pub opponent: OpponentChoice,
    /// The name of the active sound; if there is none of this name, the first sound is active.
    pub sound: String,
    /// The selected item of the state machine.
    pub machine: Picked,
    /// Bones whose motion trails are shown even if they aren't selected.
    pub trails: BTreeSet<BoneIndex>,
    /// Angles that the user entered.
    pub entered_angles: EnteredAngles,
    /// The level that was open last, as it was left.
    pub level: Option<LevelDesk>,
    /// The camera of the viewport.
    pub camera: OrbitCamera,
    /// Whether a view along an axis made the camera parallel; orbiting then gives it perspective again.
    pub is_lens_automatic: bool,
}
