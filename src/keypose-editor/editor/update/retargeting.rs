//! Clips of another model on the active one: a preview of both, side by side, and the clips that are added. The preview makes no
//! undo step.

use std::sync::Arc;

use crate::editor::document::edit::{ClipEdit, Edit, EditError};
use crate::editor::session::retargeting::{NEEDS_ANOTHER, RetargetAction, Retargeting};
use crate::editor::session::scene::PoseSource;
use crate::editor::state::Editor;
use crate::editor::update::{active, error, info, modes, step_all};
use keypose::anim::clip::{Clip, Event};
use keypose::anim::shared_list::SharedList;
use keypose::anim::skeleton::Skeleton;
use keypose::anim::time::Time;
use keypose::anim::track::Track;
use keypose::assets::clip_notes::Derivation;
use keypose::assets::id::ClipId;
use keypose::assets::model::Model;
use keypose_tools::clip_library::clips_for;
use keypose_tools::root_motion::rooted;

/// Handles an action of the preview.
pub fn act(editor: &mut Editor, action: RetargetAction) {
    match action {
        RetargetAction::Toggle if editor.session.transient.pose.retargeting().is_none() => begin(editor),
        RetargetAction::Toggle => modes::show(editor, PoseSource::default()),
        RetargetAction::Show(clip) => show(editor, clip),
        RetargetAction::Add => add(editor, |shown| vec![shown.source]),
        RetargetAction::AddAll => add(editor, all_of_model),
        RetargetAction::ConvertAgain(library) => convert_again(editor, library),
    }
}

fn begin(editor: &mut Editor) {
    let active = editor.session.focus.model;
    let others = editor.document.models.iter().enumerate().filter(|(at, _)| *at != active);
    let clips: Vec<ClipId> = others.filter_map(|(_, model)| Some(own_clips(model).first()?.to_owned())).collect();
    let found = clips.iter().find_map(|clip| Some((*clip, made(editor, *clip).ok()?)));
    match (found, clips.first()) {
        (Some((clip, made)), _) => show_made(editor, clip, made),
        (None, Some(first)) => show(editor, *first),
        (None, None) => info(editor, NEEDS_ANOTHER),
    }
}

/// The clips of a model that don't come from another model themselves.
pub fn own_clips(model: &Model) -> Vec<ClipId> {
    let is_own = |id: &ClipId| model.derived(*id).is_none_or(|derived| derived.how != Derivation::Retargeted);
    model.clips.iter().map(|slot| slot.id).filter(is_own).collect()
}

fn show(editor: &mut Editor, source: ClipId) {
    match made(editor, source) {
        Ok(made) => show_made(editor, source, made),
        Err(reason) => error(editor, reason.to_string()),
    }
}

/// A clip on the active model, with the model of its source and the active one.
type Made = (Arc<Clip>, [Arc<Model>; 2]);

fn show_made(editor: &mut Editor, source: ClipId, (clip, models): Made) {
    let before = editor.session.transient.pose.retargeting();
    let camera = before.map_or(editor.session.focus.camera, |shown| shown.camera);
    let is_other = before.is_none_or(|before| !Arc::ptr_eq(&before.models[0], &models[0]));
    let shown = Retargeting { source, clip, time: Time::ZERO, models, camera };
    modes::show_preview(editor, PoseSource::Retarget(Box::new(shown)));
    if is_other {
        editor.frame_all();
    }
}

/// Brings a clip onto the active model.
fn made(editor: &Editor, source: ClipId) -> Result<Made, EditError> {
    let at = editor.session.focus.model;
    let (owner, _) = editor.document.owner_of(source).ok_or(EditError::NoClip)?;
    let target = editor.document.models.get(at).ok_or(EditError::NoModel { model: at })?;
    let edit = ClipEdit::AddRetargeted { model: at, source }.into();
    let with = editor.document.with(&[edit])?;
    let slot = with.models.get(at).and_then(|model| model.clips.last()).ok_or(EditError::NoClip)?;
    Ok((slot.clip.clone(), [owner.clone(), target.clone()]))
}

fn all_of_model(shown: &Retargeting) -> Vec<ClipId> {
    own_clips(&shown.models[0])
}

/// Adds clips to the active model and opens the first of them.
fn add(editor: &mut Editor, clips: impl Fn(&Retargeting) -> Vec<ClipId>) {
    let Some(clips) = editor.session.transient.pose.retargeting().map(clips) else { return };
    // The camera stays: the source remains beside the clip that is added.
    editor.session.transient.pose = PoseSource::default();
    add_clips(editor, &clips);
}

/// Adds clips of another model, which follow them, and opens the first.
pub fn add_clips(editor: &mut Editor, sources: &[ClipId]) {
    let model = editor.session.focus.model;
    let count = editor.model().map_or(0, |model| model.clips.len());
    let edits: Vec<Edit> = sources.iter().map(|&source| ClipEdit::AddRetargeted { model, source }.into()).collect();
    let label = if sources.len() == 1 { "Add retargeted clip" } else { "Add retargeted clips" };
    step_all(editor, label, edits);
    let first = editor.model().and_then(|model| model.clips.get(count)).map(|slot| slot.id);
    if first.is_some() {
        active::select_clip(editor, first);
    }
}

/// Replaces the keys of the clips that came from a file.
fn convert_again(editor: &mut Editor, library: usize) {
    let (Some(library), Some(model)) = (editor.session.focus.libraries.get(library), editor.model()) else {
        return info(editor, "No clips of this file were added.");
    };
    let found = match clips_for(model, &library.model, library.fit) {
        Ok(found) => found,
        Err(reason) => return error(editor, format!("{}: {reason}", library.file)),
    };
    let mut edits: Vec<Edit> = Vec::new();
    for (clip, made) in library.clips.iter().copied().zip(found.clips) {
        let Some(old) = model.clip(clip) else { continue };
        let (loop_mode, is_other) = (old.loop_mode, old.loop_mode != made.loop_mode);
        let with = Box::new(with_keys_of(old, made, &model.skeleton));
        edits.push(ClipEdit::ReplaceClip { clip, with }.into());
        if is_other {
            edits.push(ClipEdit::SetLoopMode { clip, loop_mode }.into());
        }
    }
    step_all(editor, "Convert clips again", edits);
}

/// A clip with the keys and the loop mode of another one. If the first bone has its root motion, that bone gets the new one, too.
fn with_keys_of(clip: &Clip, made: Clip, skeleton: &Skeleton) -> Clip {
    let length = made.length();
    let events = clip.events.iter().map(|event| Event { time: event.time.min(length), ..event.clone() }).collect();
    let Clip { name, frame_rate, root_motion, delays, .. } = clip.clone();
    let with = Clip { name, frame_rate, root_motion, events, delays: SharedList::default(), ..made };
    let is_rooted = !Track::keyed(clip, |bone| bone == 0).is_empty();
    let with = if is_rooted { rooted(with, skeleton) } else { with };
    Clip { delays, ..with }
}

/// Advances the preview, with the clip made again if a model has changed; `None` if that fails.
pub fn advanced(editor: &Editor, mut shown: Box<Retargeting>, passed: Time) -> Option<Box<Retargeting>> {
    let now = editor.document.owner_of(shown.source).map(|(owner, _)| owner).zip(editor.model());
    let [source, target] = &shown.models;
    if !now.is_some_and(|(owner, model)| Arc::ptr_eq(owner, source) && Arc::ptr_eq(model, target)) {
        (shown.clip, shown.models) = made(editor, shown.source).ok()?;
    }
    shown.time = (shown.time + passed) % shown.clip.length();
    Some(shown)
}
