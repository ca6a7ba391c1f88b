//! Everything of the editor that is not saved with the document: what is active, how it is looked at, what is asked.

pub mod bench;
pub mod blend;
pub mod camera;
pub mod clipboard;
pub mod command;
pub mod display;
pub mod ghosts;
pub mod keying;
pub mod machine;
pub mod machine_preview;
pub mod notice;
pub mod place;
pub mod playhead;
pub mod pointer;
pub mod preferences;
pub mod selection;
pub mod selection_history;
pub mod shortcuts;
pub mod switch;
pub mod timing;
pub mod tool;

use crate::editor::session::switch::Switch;
use crate::editor::session::tool::Space;
use crate::editor::session::tool::Tool;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use glam::Vec2;

use crate::anim::key::Ease;
use crate::anim::skeleton::BoneIndex;
use crate::assets::id::ClipId;
use crate::editor::ops::limb::USUAL_JOINTS;
use crate::editor::session::bench::Bench;
use crate::editor::session::blend::Blend;
use crate::editor::session::camera::OrbitCamera;
use crate::editor::session::clipboard::Copied;
use crate::editor::session::display::{Display, ShownPose};
use crate::editor::session::ghosts::Ghosts;
use crate::editor::session::keying::{AutoKey, KeyMask};
use crate::editor::session::machine::MachineDesk;
use crate::editor::session::notice::Notice;
use crate::editor::session::playhead::Playhead;
use crate::editor::session::pointer::PointerState;
use crate::editor::session::preferences::Preferences;
use crate::editor::session::selection::Selection;
use crate::editor::session::selection_history::Trail;
use crate::editor::session::shortcuts::Bindings;
use crate::editor::session::timing::Timing;
use crate::editor::state::action::Action;
use crate::editor::state::first_steps::FirstSteps;

/// An action that waits until the user said what happens with unsaved changes.
#[derive(Clone, Debug)]
pub struct Prompt {
    /// What follows when they are saved or thrown away.
    pub then: Box<Action>,
}

/// Steps of the last session that were not saved and are there again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recovered {
    /// How many.
    pub steps: usize,
    /// Whether they are to be thrown away is being asked.
    pub is_asking: bool,
}

/// The answer to the question about unsaved changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Answer {
    Save,
    Discard,
    Cancel,
}

/// A small window that a command opens; which one, panels draw it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Popup {
    /// `K`: what to key.
    KeyMenu,
    /// How keys ease.
    EaseMenu,
    /// Who decides the tangents of keys.
    TangentMenu,
    /// Find any command.
    Finder,
    /// Keys and mouse.
    Shortcuts,
    /// Which bone is the other side of which.
    MirrorTable,
    /// Looks, size and keys.
    Preferences,
    /// What this program is.
    About,
}

/// Everything of the editor that is not saved with the document.
#[derive(Clone, Debug)]
pub struct Session {
    /// A place in the project's models; past the end where there are none.
    pub model: usize,
    /// The clip whose time line is shown; `None` is the rest pose.
    pub clip: Option<ClipId>,
    /// Where it stands.
    pub playhead: Playhead,
    /// How its panel shows it.
    pub timing: Timing,
    /// What is selected.
    pub selection: Selection,
    /// What was selected before.
    pub trail: Trail,
    /// The bone under the mouse, in whatever panel.
    pub hover: Option<BoneIndex>,
    /// Up to ten sets of bones.
    pub bone_sets: BTreeMap<u8, Vec<BoneIndex>>,
    /// Bones that are neither drawn nor picked.
    pub hidden: BTreeSet<BoneIndex>,
    /// Bones that stay where they are while those above their limbs move.
    pub pins: BTreeSet<BoneIndex>,
    /// How many joints above an end a drag of it turns.
    pub chain_joints: usize,
    /// A place in the model's materials: whose looks are shown; past the end where there are none.
    pub material: usize,
    /// A place in the model's reference images; past the end where there are none.
    pub reference: usize,
    /// An image that was dropped, while it is asked what it is for.
    pub dropped: Option<PathBuf>,
    /// The side-scroller bench, while the viewport shows it.
    pub bench: Option<Bench>,
    /// Two clips are mixed, in place of the clip.
    pub blend: Option<Box<Blend>>,
    /// The state machine as it is worked on.
    pub machine: MachineDesk,
    /// What was copied.
    pub copied: Option<Copied>,
    /// How the model shows.
    pub display: Display,
    /// Which poses stand behind it.
    pub ghosts: Ghosts,
    /// Bones whose motion trails show whether they are selected or not.
    pub trails: BTreeSet<BoneIndex>,
    /// What the mouse does.
    pub tool: Tool,
    /// Whose axes.
    pub space: Space,
    /// When posing makes keys.
    pub auto_key: AutoKey,
    /// Which channels are keyed.
    pub key_mask: KeyMask,
    /// How new keys ease.
    pub new_ease: Ease,
    /// How the model is looked at.
    pub camera: OrbitCamera,
    /// The viewport's size in pixels.
    pub viewport: Vec2,
    /// Pixels of the viewport in one point of the display: how large the gizmo is drawn.
    pub pixels_per_point: f32,
    /// The mouse over it.
    pub pointer: PointerState,
    /// What is switched on.
    pub switches: BTreeSet<Switch>,
    /// Which stroke runs which command.
    pub bindings: Bindings,
    /// What is kept between sessions.
    pub preferences: Preferences,
    /// How often an arrangement of the panels was asked for.
    pub arrangements_asked: u32,
    /// How often the clip check was asked for.
    pub checks_asked: u32,
    /// Those of the recent files that are not there (any more).
    pub missing: BTreeSet<PathBuf>,
    /// A document is being read that the program was started with: nothing else is offered meanwhile.
    pub is_awaiting: bool,
    /// The first steps are shown.
    pub first_steps: Option<FirstSteps>,
    /// What was recovered of the last session, while it can be thrown away.
    pub recovered: Option<Recovered>,
    /// The question that is open.
    pub prompt: Option<Prompt>,
    /// The small window that is open.
    pub popup: Option<Popup>,
    /// What follows when the save that runs is done.
    pub after_save: Option<Box<Action>>,
    /// What was told, oldest first.
    pub log: Vec<Notice>,
    /// What is shown on the screen now.
    pub notice: Option<Notice>,
}

impl Default for Session {
    fn default() -> Session {
        use switch::Switch::*;
        Session {
            model: 0,
            clip: None,
            playhead: Playhead::default(),
            timing: Timing::default(),
            selection: Selection::default(),
            trail: Trail::default(),
            hover: None,
            bone_sets: BTreeMap::new(),
            hidden: BTreeSet::new(),
            pins: BTreeSet::new(),
            chain_joints: USUAL_JOINTS,
            material: 0,
            reference: 0,
            dropped: None,
            bench: None,
            blend: None,
            machine: MachineDesk::default(),
            copied: None,
            display: Display::default(),
            ghosts: Ghosts::default(),
            trails: BTreeSet::new(),
            tool: Tool::default(),
            space: Space::default(),
            auto_key: AutoKey::default(),
            key_mask: KeyMask::ALL,
            new_ease: Ease::Cubic,
            camera: OrbitCamera::default(),
            viewport: Vec2::new(960.0, 540.0),
            pixels_per_point: 1.0,
            pointer: PointerState::default(),
            switches: [Skeleton, Grid, GhostNeighbours, Overlays, SnapTime, Repeat, OnlyKeyed, References].into(),
            bindings: Bindings::default(),
            preferences: Preferences::default(),
            arrangements_asked: 0,
            checks_asked: 0,
            missing: BTreeSet::new(),
            is_awaiting: false,
            first_steps: None,
            recovered: None,
            prompt: None,
            popup: None,
            after_save: None,
            log: Vec::new(),
            notice: None,
        }
    }
}

impl Session {
    /// True while something plays.
    pub fn is_in_motion(&self) -> bool {
        self.playhead.is_playing || self.machine.preview.is_some() || self.blend.is_some()
    }

    /// True while the picture changes by itself: something plays, or the camera turns.
    pub fn is_lively(&self) -> bool {
        self.is_in_motion() || self.is_on(Switch::Turntable)
    }

    /// True while the pose on screen is the clip's, whether it plays or not.
    pub fn shows_clip(&self) -> bool {
        self.display.pose == ShownPose::Clip && self.machine.preview.is_none() && self.blend.is_none()
    }

    /// True while the pose on screen is one to be worked on: nothing plays, and it is the clip's.
    pub fn is_posable(&self) -> bool {
        !self.playhead.is_playing && self.shows_clip()
    }

    /// True where something is switched on.
    pub fn is_on(&self, switch: Switch) -> bool {
        self.switches.contains(&switch)
    }
}
