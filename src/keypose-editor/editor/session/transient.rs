//! The short-lived part of the session: the mouse, the open popup and the open question.

use crate::editor::ops::state_clips::StateClipsChange;
use crate::editor::session::browser::Folders;
use crate::editor::session::notice::Notice;
use crate::editor::session::pointer::PointerState;
use crate::editor::session::scene::{PoseSource, Scene};
use crate::editor::session::springs::LiveSprings;
use crate::editor::session::{AfterClose, Popup, Question, Recovered};
use keypose::anim::skeleton::BoneIndex;
use keypose::assets::id::ClipId;

/// Something that a panel does once, in the next frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// Arrange the panels as the preferences say.
    ArrangePanels,
    /// Open the manual.
    ShowManual,
    /// Bring the clip check to the front.
    ShowClipCheck,
    /// Bring the inspector to the front, because something was added whose values it shows.
    ShowInspector,
    /// Put the keyboard focus into the row filter of the timeline.
    FocusRowFilter,
    /// Type the name of the active clip, which was just added.
    NameClip,
    /// Type the name of the active bone.
    NameBone,
    /// Type the name of the active model.
    NameModel,
    /// Type the name of the last pose of the library, which was just saved.
    NamePose,
    /// Scale the timeline to the selected keys, or to the whole clip.
    FitTimeline,
}

/// The short-lived part of the session.
#[derive(Clone, Debug, Default)]
pub struct Transient {
    /// The bone under the mouse, in any panel.
    pub hover: Option<BoneIndex>,
    /// The mouse over the viewport.
    pub pointer: PointerState,
    /// The folders of the file browser.
    pub folders: Folders,
    /// The scene in the viewport.
    pub scene: Scene,
    /// The source of the pose on screen.
    pub pose: PoseSource,
    /// The springs behind the paused pose, while they are shown.
    pub springs: Option<LiveSprings>,
    /// Whether the document that the program was started with is still being read.
    pub is_awaiting: bool,
    /// The recovered steps, while they can still be discarded.
    pub recovered: Option<Recovered>,
    /// The clip that the last undo step added, without a name yet.
    pub new_clip: Option<ClipId>,
    /// The open question, which hears the keys. What the user asks for replaces it; a model or files that arrive don't.
    pub question: Option<Question>,
    /// The open popup.
    pub popup: Option<Popup>,
    /// The next step after the running save.
    pub after_save: Option<AfterClose>,
    /// The notice on the screen.
    pub notice: Option<Notice>,
    /// The states whose clips the last undo step changed, until they are reported.
    pub state_clips: Option<StateClipsChange>,
    /// Requests to panels for the next frame.
    pub requests: Vec<Request>,
}
