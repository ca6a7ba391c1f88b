//! Everything of the editor that is not saved with the document: what is active, how it is looked at, what is asked.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use glam::Vec2;

use crate::anim::key::Ease;
use crate::anim::skeleton::BoneIndex;
use crate::assets::id::ClipId;
use crate::editor::action::Action;
use crate::editor::bench::Bench;
use crate::editor::blend::Blend;
use crate::editor::camera::OrbitCamera;
use crate::editor::clipboard::Copied;
use crate::editor::display::{Display, ShownPose};
use crate::editor::effect::Notice;
use crate::editor::first_steps::FirstSteps;
use crate::editor::gesture::pointer::PointerState;
use crate::editor::ghosts::Ghosts;
use crate::editor::keying::{AutoKey, KeyMask};
use crate::editor::limb::USUAL_JOINTS;
use crate::editor::machine::MachineDesk;
use crate::editor::playhead::Playhead;
use crate::editor::preferences::Preferences;
use crate::editor::selection::Selection;
use crate::editor::shortcuts::Bindings;
use crate::editor::timing::Timing;
use crate::editor::trail::Trail;

/// What the left mouse button does in the viewport, beside picking.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Tool {
    Select,
    Move,
    #[default]
    Rotate,
    Scale,
    /// Drags the end of a limb or chain, and the pole of its joint.
    Reach,
}

/// Whose axes a transform follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Space {
    /// The bone's own.
    #[default]
    Local,
    /// The bone's parent's.
    Parent,
    /// The model's.
    Model,
    /// The screen's: right, up, towards the eye.
    View,
}

impl Space {
    /// All, in the order in which they are shown.
    pub const ALL: [Space; 4] = [Space::Local, Space::Parent, Space::Model, Space::View];

    /// The word for panels.
    pub fn name(self) -> &'static str {
        match self {
            Space::Local => "Local",
            Space::Parent => "Parent",
            Space::Model => "Model",
            Space::View => "View",
        }
    }
}

/// What of the viewport can be switched on and off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Switch {
    /// The skeleton over the mesh.
    Skeleton,
    Grid,
    /// Names beside the bones.
    BoneNames,
    /// The axes of every bone.
    BoneAxes,
    /// How much there is of the model.
    Stats,
    /// Ghosts of whatever is asked for.
    OnionSkin,
    /// Ghosts of what lies before and after the playhead.
    GhostNeighbours,
    /// A ghost of the mirrored pose.
    GhostMirror,
    /// A ghost of the last saved version.
    GhostSaved,
    /// The ways of the selected bones, and of those that keep theirs, through the clip.
    Trails,
    /// Everything that is drawn over the mesh.
    Overlays,
    /// A pose given to one side is given to the other, mirrored.
    LiveMirror,
    /// Times are rounded to the clip's frames when dragged.
    SnapTime,
    /// Clips that play once start again in the preview.
    Repeat,
    /// The preview plays to and fro, whatever the clip does at its end.
    PingPong,
    /// Games that run beside the editor show its pose.
    Follow,
    /// The end of any limb that is dragged turns as it did in the model, not a foot alone.
    HoldTurn,
    /// The dope sheet shows the selected bones only.
    OnlySelected,
    /// The dope sheet shows bones that have keys only.
    OnlyKeyed,
    /// Each curve is as high as the panel.
    Normalised,
    /// The model's reference images.
    References,
    /// The camera circles about the model.
    Turntable,
    /// Several bones turn and scale about the middle between them, not each about its own origin.
    SharedPivot,
}

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
        use Switch::*;
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
