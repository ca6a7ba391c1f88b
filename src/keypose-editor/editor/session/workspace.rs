//! The part of the session that is kept when another file is opened: tools, settings, keys, the log.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use glam::Vec2;

use crate::editor::ops::limb::DEFAULT_JOINTS;
use crate::editor::session::clipboard::Copied;
use crate::editor::session::display::Display;
use crate::editor::session::first_steps::FirstSteps;
use crate::editor::session::ghosts::{Ghosts, PinnedKeyframes};
use crate::editor::session::keying::{AutoKey, KeyMask};
use crate::editor::session::level::Snap;
use crate::editor::session::notice::Notice;
use crate::editor::session::preferences::Preferences;
use crate::editor::session::recent_file::RecentFile;
use crate::editor::session::shortcuts::Bindings;
use crate::editor::session::switch::Switch;
use crate::editor::session::tool::{RotationReading, Space, Tool};
use crate::editor::session::unsaved_work::UnsavedWork;
use keypose::anim::key::Ease;
use keypose::assets::level::Level;

/// The part of the session that is kept when another file is opened.
#[derive(Clone, Debug)]
pub struct Workspace {
    /// The maximum number of joints above an effector that dragging it rotates.
    pub chain_joints: usize,
    /// The clipboard.
    pub copied: Option<Copied>,
    /// The things of a level that were copied last, as a level.
    pub copied_things: Option<Arc<Level>>,
    /// How dragged things of a level snap.
    pub level_snap: Snap,
    /// How the model is shaded.
    pub display: Display,
    /// Which ghosts are shown, and how they look.
    pub ghosts: Ghosts,
    /// Keyframes that are shown as ghosts at any time.
    pub pinned_ghosts: Option<PinnedKeyframes>,
    /// The active tool.
    pub tool: Tool,
    /// The orientation of the gizmo.
    pub space: Space,
    /// How rotations are shown as numbers.
    pub rotation_reading: RotationReading,
    /// When posing makes keys.
    pub auto_key: AutoKey,
    /// The channels that keying includes.
    pub key_mask: KeyMask,
    /// The ease of new keys.
    pub new_ease: Ease,
    /// The size of the viewport in pixels.
    pub viewport: Vec2,
    /// Pixels of the viewport per point of the display: the scale of the gizmo.
    pub pixels_per_point: f32,
    /// The settings that are on.
    pub switches: BTreeSet<Switch>,
    /// The keys that the user changed.
    pub bindings: Bindings,
    /// Settings that are stored between runs of the program.
    pub preferences: Preferences,
    /// The recent files with their sizes and times, once they were looked for.
    pub recent_files: Vec<RecentFile>,
    /// The unsaved work that the start screen lists, once it was looked for.
    pub unsaved_work: Option<Vec<UnsavedWork>>,
    /// The first-steps panel, while it is shown.
    pub first_steps: Option<FirstSteps>,
    /// All notices, oldest first.
    pub log: Vec<Notice>,
}

impl Workspace {
    /// Whether a recent file no longer exists.
    pub fn is_missing(&self, file: &Path) -> bool {
        self.recent_files.iter().any(|recent| recent.path == file && recent.stamp.is_none())
    }
}

impl Default for Workspace {
    fn default() -> Workspace {
        use Switch::{
            GhostNeighbours, Grid, JointLimits, OnlyKeyed, Overlays, References, Repeat, Skeleton, SnapTime,
            SourceBeside, Springs, Volumes,
        };
        Workspace {
            chain_joints: DEFAULT_JOINTS,
            copied: None,
            copied_things: None,
            level_snap: Snap::default(),
            display: Display::default(),
            ghosts: Ghosts::default(),
            pinned_ghosts: None,
            tool: Tool::default(),
            space: Space::default(),
            rotation_reading: RotationReading::default(),
            auto_key: AutoKey::default(),
            key_mask: KeyMask::ALL,
            new_ease: Ease::Cubic,
            viewport: Vec2::new(960.0, 540.0),
            pixels_per_point: 1.0,
            switches: [
                Skeleton,
                Grid,
                GhostNeighbours,
                Overlays,
                SnapTime,
                JointLimits,
                Springs,
                Repeat,
                OnlyKeyed,
                References,
                SourceBeside,
                Volumes,
            ]
            .into(),
            bindings: Bindings::default(),
            preferences: Preferences::default(),
            recent_files: Vec::new(),
            unsaved_work: None,
            first_steps: None,
            log: Vec::new(),
        }
    }
}

impl Workspace {
    /// The workspace for another document: without the ghosts that belong to this one.
    pub fn for_another_document(&self) -> Workspace {
        let mut kept = self.clone();
        (kept.pinned_ghosts, kept.ghosts.clip) = (None, None);
        kept
    }
}
