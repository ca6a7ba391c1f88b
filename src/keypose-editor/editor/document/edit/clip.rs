//! The edits of clips.

use crate::editor::document::apply::{change, change_clip, clip_place};
use crate::editor::document::edit::EditError;
use crate::editor::document::{clips, follow};
use keypose::anim::clip::{Clip, Event, LoopMode};
use keypose::anim::delay::Delay;
use keypose::anim::root_motion::RootMotion;
use keypose::anim::shared_list::SharedList;
use keypose::anim::time::FrameRate;
use keypose::assets::clip_notes::{ClipNotes, Derivation, LayerBlend};
use keypose::assets::combat::Lanes;
use keypose::assets::id::ClipId;
use keypose::assets::project::Project;

/// An edit of the clip list or of a whole clip.
#[derive(Clone, Debug, PartialEq)]
pub enum ClipEdit {
    /// Inserts a clip with tags at an index, or appends it if the index is too high; a taken name gets a number.
    AddClip { model: usize, at: usize, clip: Box<Clip>, tags: Vec<String> },
    /// Inserts a copy, with its drafts, after the original.
    DuplicateClip { clip: ClipId },
    /// Inserts a derived clip after its source; it updates with the source until it is unlocked.
    AddDerived { source: ClipId, how: Derivation },
    /// Inserts a clip without keys after its source, and after both the source with that clip as a layer over it.
    AddLayer { source: ClipId, blend: LayerBlend },
    /// Appends a clip of another model, fitted to this one; it updates with its source until it is unlocked.
    AddRetargeted { model: usize, source: ClipId },
    /// Changes how a derived clip is generated.
    SetDerived { clip: ClipId, how: Derivation },
    /// The clip keeps its contents and no longer follows its source.
    UnlockClip { clip: ClipId },
    /// Empty for no folder.
    SetFolder { clip: ClipId, folder: String },
    /// Replaces the tags; spaces separate them.
    SetTags { clip: ClipId, tags: Vec<String> },
    /// Limits the clip as a layer to bones, by their names; none for all.
    SetMask { clip: ClipId, bones: Vec<String> },
    /// Also renames it in the animation table and the state machine.
    RenameClip { clip: ClipId, name: String },
    /// Also deletes its drafts.
    DeleteClip { clip: ClipId },
    /// Moves a clip to an index of the list without it.
    MoveClip { clip: ClipId, to: usize },
    /// If the clip becomes looping, its last duration is zero and its end differs from its start, the last keyframe gets the
    /// mean duration.
    SetLoopMode { clip: ClipId, loop_mode: LoopMode },
    /// The grid of its times changes; the times stay.
    SetFrameRate { clip: ClipId, frame_rate: FrameRate },
    /// Sets the part of the root's motion that moves the character in a game.
    SetRootMotion { clip: ClipId, root_motion: RootMotion },
    /// Replaces everything but the id: for operations on whole clips.
    ReplaceClip { clip: ClipId, with: Box<Clip> },
    /// Replaces the events, which are sorted by time.
    SetEvents { clip: ClipId, events: SharedList<Event> },
    /// Replaces the delays of its bones; zero ones are left out.
    SetDelays { clip: ClipId, delays: Vec<Delay> },
    /// Replaces all of its lanes: what hits, what can be hit, cancels. They are sorted.
    SetLanes { clip: ClipId, lanes: Box<Lanes> },
}

impl ClipEdit {
    /// Applies the edit. If it fails, the project is in an unknown state and must be discarded.
    pub(in crate::editor::document) fn apply(&self, project: &mut Project) -> Result<(), EditError> {
        match self {
            ClipEdit::AddClip { model, at, clip, tags } => clips::add(project, *model, *at, clip, tags),
            ClipEdit::DuplicateClip { clip } => clips::duplicate(project, *clip),
            ClipEdit::AddDerived { source, how } => follow::add(project, *source, *how),
            ClipEdit::AddLayer { source, blend } => follow::add_layer(project, *source, *blend),
            ClipEdit::AddRetargeted { model, source } => follow::add_retargeted(project, *model, *source),
            ClipEdit::SetDerived { clip, how } => follow::set(project, *clip, *how),
            ClipEdit::UnlockClip { clip } => clips::note(project, *clip, |notes| notes.derived = None),
            ClipEdit::SetFolder { clip, folder } => {
                clips::note(project, *clip, |notes| notes.folder = folder.trim().to_owned())
            }
            ClipEdit::SetTags { clip, tags } => {
                clips::note(project, *clip, |notes| notes.tags = ClipNotes::tags_of(&tags.join(" ")))
            }
            ClipEdit::SetMask { clip, bones } => clips::note(project, *clip, |notes| notes.mask.clone_from(bones)),
            ClipEdit::RenameClip { clip, name } => clips::rename(project, *clip, name),
            ClipEdit::DeleteClip { clip } => clips::delete(project, *clip),
            ClipEdit::MoveClip { clip, to } => clips::reorder(project, *clip, *to),
            ClipEdit::SetLoopMode { clip, loop_mode } => {
                let (model, at) = clip_place(project, *clip)?;
                let skeleton = model.skeleton.clone();
                change(model, at, |clip| clips::set_loop_mode(clip, &skeleton, *loop_mode))
            }
            ClipEdit::SetFrameRate { clip, frame_rate } => change_clip(project, *clip, |clip| {
                clip.frame_rate = *frame_rate;
                Ok(())
            }),
            ClipEdit::SetRootMotion { clip, root_motion } => change_clip(project, *clip, |clip| {
                clip.root_motion = *root_motion;
                Ok(())
            }),
            ClipEdit::ReplaceClip { clip, with } => clips::replace(project, *clip, with),
            ClipEdit::SetEvents { clip, events } => change_clip(project, *clip, |clip| {
                clip.events = events.clone();
                clip.events.sort_by_key(|event| event.time);
                Ok(())
            }),
            ClipEdit::SetDelays { clip, delays } => change_clip(project, *clip, |clip| {
                clip.set_delays(delays.clone());
                Ok(())
            }),
            ClipEdit::SetLanes { clip, lanes } => clips::set_lanes(project, *clip, lanes),
        }
    }
}
