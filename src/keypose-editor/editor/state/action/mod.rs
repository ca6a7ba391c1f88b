//! Actions: the messages that [`crate::editor::state::Editor::update`] takes. Each kind has an enum of its own, which one
//! file of [`crate::editor::update`] matches completely.

mod editing;
mod program;
mod session;

use std::path::PathBuf;

use crate::editor::document::edit::{Edit, Label};
use crate::editor::posing::change::Change;
use crate::editor::posing::library::LibraryAction;
use crate::editor::session::bench::BenchAction;
use crate::editor::session::blend::BlendAction;
use crate::editor::session::browser::BrowserAction;
use crate::editor::session::command::Command;
use crate::editor::session::crowd::CrowdAction;
use crate::editor::session::level::LevelAction;
use crate::editor::session::machine::MachineAction;
use crate::editor::session::preferences::Prefer;
use crate::editor::session::retargeting::RetargetAction;
use crate::editor::session::rig::RigAction;
use crate::editor::session::sockets::SocketAction;
use crate::editor::session::sounds::SoundAction;
use crate::editor::session::sprites::SpriteAction;
use crate::editor::session::timing::TimeAction;
use keypose::anim::time::Time;

pub use editing::{
    BoneAction, ClipAction, ClipboardAction, ContactAction, DocumentAction, DropPurpose, FoundImages, KeyframeAction,
    MaterialAction, ModelAction, PoseAction, Reduced, VolumeAction,
};
pub use program::{DropAnswer, FileAction, ProgramAction, ReadFiles, ReimportAnswer};
pub use session::{GestureAction, PlaybackAction, SelectAction, ToolAction, ViewAction};

/// Where a loaded project came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// An archive, or a patch over archives: saving overwrites it.
    Archive {
        /// The base archive of a patch, then the patches between, in order; empty for an archive that is not a patch.
        below: Vec<PathBuf>,
        /// The archive or patch.
        path: PathBuf,
    },
    /// A foreign file, or the demo: saving asks for a path first.
    Imported(PathBuf),
    /// An empty document.
    New,
}

macro_rules! actions {
    ($($(#[$doc:meta])* $kind:ident($inner:ident),)*) => {
        /// A request of the user, or the result of an [`crate::editor::state::effect::Effect`].
        #[derive(Clone, Debug)]
        pub enum Action {
            /// Time has passed: advances playback and previews.
            Tick(Time),
            $($(#[$doc])* $kind($inner),)*
        }

        $(impl From<$inner> for Action {
            fn from(action: $inner) -> Action {
                Action::$kind(action)
            }
        })*
    };
}

actions! {
    /// Runs a command; if it can't run, shows the reason instead.
    Run(Command),
    /// Edits, gestures, undo and redo.
    Document(DocumentAction),
    /// Copy, paste, duplicate, delete.
    Clipboard(ClipboardAction),
    /// Whole clips.
    Clip(ClipAction),
    /// Keyframes of the open clip.
    Keyframe(KeyframeAction),
    /// Keying and changing the pose.
    Pose(PoseAction),
    /// The active model.
    Model(ModelAction),
    /// The pose library.
    Poses(LibraryAction),
    /// Visibility, pins, sets, groups and mirror pairs of bones.
    Bones(BoneAction),
    /// Materials and reference images.
    Material(MaterialAction),
    /// The state machine and its preview.
    Machine(MachineAction),
    /// Hit and hurt volumes.
    Volume(VolumeAction),
    /// Contacts of feet and hands.
    Contact(ContactAction),
    /// The active model and clip, and the selection.
    Select(SelectAction),
    /// The playhead.
    Playback(PlaybackAction),
    /// The timeline panel: its views, keys being dragged, events.
    Time(TimeAction),
    /// Tools and settings for posing.
    Tool(ToolAction),
    /// Camera, shading, overlays and ghosts.
    View(ViewAction),
    /// Mouse and keys in the viewport.
    Gesture(GestureAction),
    /// The side-scroller bench.
    Bench(BenchAction),
    /// The crowd view.
    Crowd(CrowdAction),
    /// The level mode.
    Level(LevelAction),
    /// The sprites mode.
    Sprites(SpriteAction),
    /// The rig mode, and edits of bones.
    Rig(RigAction),
    /// The preview of two blended clips.
    Blend(BlendAction),
    /// The preview of a clip of another model.
    Retarget(RetargetAction),
    /// The sockets of the active model.
    Socket(SocketAction),
    /// The sounds of the archive.
    Sound(SoundAction),
    /// The folders of the file browser.
    Browser(BrowserAction),
    /// Files, the game mode, quitting.
    File(FileAction),
    /// A preference of the user.
    Prefer(Prefer),
    /// Popups, keys, notices.
    Program(ProgramAction),
}

impl Action {
    /// Makes an edit as one undo step.
    pub fn edit(label: impl Into<Label>, edit: impl Into<Edit>) -> Action {
        DocumentAction::Edit { label: label.into(), change: Change::Edits(vec![edit.into()]) }.into()
    }
}
