//! The edits of drafts.

use crate::editor::document::apply::model_mut;
use crate::editor::document::edit::EditError;
use crate::editor::document::{drafts, follow};
use keypose::anim::clip::KeyframeKind;
use keypose::anim::key::{Channel, Key};
use keypose::anim::skeleton::BoneIndex;
use keypose::anim::time::Time;
use keypose::assets::id::ClipId;
use keypose::assets::project::Project;

/// An edit of a draft: of a pose that is not keyed yet.
#[derive(Clone, Debug, PartialEq)]
pub enum DraftEdit {
    /// Adds keys to the draft at a time of a clip or of the rest pose, replacing keys of the same channels.
    SetDraft { model: usize, clip: Option<ClipId>, time: Time, keys: Vec<Key> },
    /// Sets the kind of the keyframe that a draft becomes, if there is one.
    MarkDraft { model: usize, clip: Option<ClipId>, time: Time, kind: KeyframeKind },
    /// Removes a draft, if there is one.
    DiscardDraft { model: usize, clip: Option<ClipId>, time: Time },
    /// Removes channels from a draft; channels that it lacks are ignored.
    DropDraftKeys { model: usize, clip: Option<ClipId>, time: Time, channels: Vec<(BoneIndex, Channel)> },
}

impl DraftEdit {
    /// Applies the edit. If it fails, the project is in an unknown state and must be discarded.
    pub(in crate::editor::document) fn apply(&self, project: &mut Project) -> Result<(), EditError> {
        match self {
            DraftEdit::SetDraft { model, clip, time, keys } => {
                let model = model_mut(project, *model)?;
                if let Some(at) = clip.and_then(|clip| model.clip_index(clip)) {
                    follow::require_posable(model, at, *time, keys)?;
                }
                drafts::set(model, *clip, *time, keys)
            }
            DraftEdit::MarkDraft { model, clip, time, kind } => {
                drafts::mark(model_mut(project, *model)?, *clip, *time, *kind);
                Ok(())
            }
            DraftEdit::DiscardDraft { model, clip, time } => {
                model_mut(project, *model)?.drafts.retain(|draft| (draft.clip, draft.time) != (*clip, *time));
                Ok(())
            }
            DraftEdit::DropDraftKeys { model, clip, time, channels } => {
                drafts::drop_keys(model_mut(project, *model)?, *clip, *time, channels);
                Ok(())
            }
        }
    }
}
