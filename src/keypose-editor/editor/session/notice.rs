//! Notices: lines of the log, shown on the screen for a while.

use std::path::PathBuf;

use crate::editor::session::clipboard::Side;
use keypose::assets::id::ClipId;
use keypose::assets::level::thing::ThingRef;
use keypose::assets::machine::State;
use keypose::assets::printable::printable;

/// The severity of a notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeKind {
    Info,
    Warning,
    Error,
}

/// Something that a notice offers to do, as a button.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Offer {
    /// Game states keep the clips that they played before a name changed.
    KeepStateClips(Vec<(State, ClipId)>),
    /// A number of clips with a keyframe at every frame are reduced to poses.
    ReduceClips(usize),
    /// A changed model is imported again.
    Reimport(PathBuf),
    /// Bones that were not found are chosen by hand.
    BoneMap,
    /// Images that were not found are searched below a folder.
    FindTextures,
    /// The step that the notice is about is undone.
    Undo,
    /// The saved pose with this index is applied to all bones.
    ApplyToAll(usize, Side),
    /// The active clip, which is derived, gets keys of its own.
    OwnKeys,
    /// A thing of the level with this index is selected in the level mode.
    ShowThing(usize, ThingRef),
    /// The readable part of a damaged archive is opened as a new document.
    Salvage(PathBuf),
}

impl Offer {
    /// The label of the button.
    pub fn label(&self) -> String {
        match self {
            Offer::KeepStateClips(states) if states.len() == 1 => "Keep previous clip".to_owned(),
            Offer::KeepStateClips(_) => "Keep previous clips".to_owned(),
            Offer::Reimport(_) => "Re-import…".to_owned(),
            Offer::BoneMap => "Bone map…".to_owned(),
            Offer::FindTextures => "Find textures…".to_owned(),
            Offer::Undo => "Undo".to_owned(),
            Offer::ApplyToAll(..) => "Apply to all bones".to_owned(),
            Offer::OwnKeys => "Make own keys".to_owned(),
            Offer::ShowThing(_, thing) => format!("Show {thing}"),
            Offer::Salvage(_) => "Salvage".to_owned(),
            Offer::ReduceClips(1) => "Reduce clip…".to_owned(),
            Offer::ReduceClips(clips) => format!("Reduce {clips} clips…"),
        }
    }
}

/// A line of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    pub kind: NoticeKind,
    pub text: String,
    pub offer: Option<Offer>,
    /// Lines that the log shows when it is unfolded.
    pub details: Vec<String>,
    /// How often it was reported in this session.
    pub count: u32,
}

impl Notice {
    /// Maximum number of lines of a report on an import.
    pub const MAX_REPORTED: usize = 10;

    /// A notice. Its text may contain names from files, so it is made printable.
    pub fn new(kind: NoticeKind, text: &str, offer: Option<Offer>) -> Notice {
        Notice { kind, text: printable(text).into_owned(), offer, details: Vec::new(), count: 1 }
    }

    /// A notice with lines that the log shows when it is unfolded.
    pub fn with_details(kind: NoticeKind, text: &str, details: &[String]) -> Notice {
        let details = details.iter().map(|line| printable(line).into_owned()).collect();
        Notice { details, ..Notice::new(kind, text, None) }
    }

    /// Whether it disappears after a while. An error stays until the next command, and an offer that needs a decision until the next undo step.
    pub fn is_brief(&self) -> bool {
        self.kind != NoticeKind::Error && self.offer.as_ref().is_none_or(|offer| *offer == Offer::Undo)
    }
}
