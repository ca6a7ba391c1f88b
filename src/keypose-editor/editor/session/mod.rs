//! The session: everything of the editor that is not saved with the document.

pub mod bench;
pub mod blend;
pub mod bone_map;
pub mod browser;
pub mod camera;
pub mod clipboard;
pub mod command;
pub mod crowd;
pub mod display;
pub mod dropped;
pub mod entered_angles;
pub mod file_view;
pub mod first_steps;
pub mod focus;
pub mod ghosts;
pub mod key_layout;
pub mod keying;
pub mod level;
pub mod machine;
pub mod machine_preview;
pub mod notice;
pub mod opponent;
pub mod paint;
pub mod place;
pub mod playhead;
pub mod pointer;
pub mod preferences;
pub mod printed_keys;
pub mod recent_file;
pub mod reimport;
pub mod retargeting;
pub mod rig;
pub mod scene;
pub mod selection;
pub mod selection_history;
pub mod shortcuts;
pub mod sockets;
pub mod sounds;
pub mod springs;
pub mod sprites;
pub mod switch;
pub mod timing;
pub mod tool;
pub mod transient;
pub mod unsaved_work;
pub mod volumes;
pub mod workspace;

use crate::editor::session::display::ShownPose;
use crate::editor::session::dropped::DroppedFiles;
use crate::editor::session::focus::Focus;
use crate::editor::session::reimport::PendingReimport;
use crate::editor::session::rig::PendingDelete;
use crate::editor::session::scene::PoseSource;
use crate::editor::session::springs::LiveSprings;
use crate::editor::session::switch::Switch;
use crate::editor::session::transient::Transient;
use crate::editor::session::workspace::Workspace;
use std::path::PathBuf;

/// The next step after the document is closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AfterClose {
    /// An empty document.
    New,
    /// Opens a file.
    Open(PathBuf),
    OpenDemo,
    /// Opens the readable part of a damaged archive.
    OpenSalvaged(PathBuf),
    /// Quits the program.
    Quit,
}

/// A question to the user, in a dialog.
#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    /// Whether unsaved changes are saved before this step.
    UnsavedChanges(AfterClose),
    /// How a dropped image is used.
    DroppedImage(PathBuf),
    /// Whether dropped files, archives among them, are opened or added.
    DroppedFiles(DroppedFiles),
    /// Whether a changed model replaces the active one.
    Reimport(Box<PendingReimport>),
    /// Whether bones are deleted although clips lose keys.
    DeletedBones(Box<PendingDelete>),
    /// Which unsaved work of the workspace is opened.
    UnsavedWork,
}

/// Unsaved steps of the previous run that were recovered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recovered {
    /// The number of steps.
    pub steps: usize,
    /// Whether the user is asked to confirm that they are discarded.
    pub is_asking: bool,
}

/// The answer to the question about unsaved changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    Save,
    Discard,
    Cancel,
}

/// A popup that a command opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Popup {
    /// The channels to key (`K`).
    KeyMenu,
    /// The ease of keys.
    EaseMenu,
    /// The tangent kind of keys.
    HandlesMenu,
    /// The command search.
    Finder,
    /// The list of shortcuts.
    Shortcuts,
    /// The table of mirror pairs.
    MirrorTable,
    /// The bones of others, and the bone that follows each.
    BoneMap,
    /// The models whose weights the active one can take.
    TransferWeights,
    /// Theme, scale, layout and keys.
    Preferences,
    /// Version and licence.
    About,
}

/// Everything of the editor that is not saved with the document, by how long it lasts.
#[derive(Clone, Debug, Default)]
pub struct Session {
    /// Kept when another file is opened: tools, settings, keys, the log.
    pub workspace: Workspace,
    /// Reset when another file is opened: the active items, the selection, the playhead, the camera.
    pub focus: Focus,
    /// Short-lived: the mouse, open popups and prompts, requests to panels.
    pub transient: Transient,
}

impl Session {
    /// Whether a clip or a preview plays.
    pub fn is_in_motion(&self) -> bool {
        self.focus.playhead.is_playing || self.transient.pose.is_preview()
    }

    /// Whether the viewport changes without input: something plays or swings, or the turntable is on.
    pub fn is_lively(&self) -> bool {
        let plays_sprites = self.transient.scene.sprites().is_some_and(|desk| desk.playing.is_some());
        let swings = self.transient.springs.as_ref().is_some_and(LiveSprings::is_moving);
        self.is_in_motion() || self.is_on(Switch::Turntable) || plays_sprites || swings
    }

    /// Whether the pose on screen is the clip's, playing or not.
    pub fn shows_clip(&self) -> bool {
        matches!(self.transient.pose, PoseSource::Model(ShownPose::Clip)) && self.transient.scene.rig().is_none()
    }

    /// Whether the pose on screen can be edited: nothing plays, and it is the clip's.
    pub fn is_posable(&self) -> bool {
        !self.focus.playhead.is_playing && self.shows_clip()
    }

    /// Whether a setting is on.
    pub fn is_on(&self, switch: Switch) -> bool {
        self.workspace.switches.contains(&switch)
    }
}
