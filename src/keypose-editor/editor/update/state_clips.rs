//! Reports game states that play other clips because names changed, and restores the previous clips on request.

use crate::editor::document::Document;
use crate::editor::document::edit::ModelEdit;
use crate::editor::ops::state_clips;
use crate::editor::posing::library::LibraryAction;
use crate::editor::session::Popup;
use crate::editor::session::notice::Offer;
use crate::editor::session::selection::Pick;
use crate::editor::state::Editor;
use crate::editor::state::action::{ClipAction, FileAction, MaterialAction, Reduced};
use crate::editor::update::{clips, files, levels, library, materials, select, step, transaction};
use keypose::assets::id::ClipId;
use keypose::assets::machine::State;

/// Compares the active model with its state before an undo step.
pub fn note(editor: &mut Editor, before: &Document) {
    let model = before.models.get(editor.session.focus.model);
    let change = model.zip(editor.model()).and_then(|(before, after)| state_clips::change(before, after));
    if change.is_some() {
        editor.session.transient.state_clips = change;
    }
}

/// Reports changed state clips of the last undo step, with the offer to restore them.
pub fn report(editor: &mut Editor) {
    let Some(change) = editor.session.transient.state_clips.take() else { return };
    let offer = (!change.previous.is_empty()).then_some(Offer::KeepStateClips(change.previous));
    super::offer(editor, &change.text, offer);
}

/// Accepts the offer of the notice on the screen, and hides it.
pub fn accept(editor: &mut Editor) {
    let offer = editor.session.transient.notice.take().and_then(|notice| notice.offer);
    match offer {
        Some(Offer::KeepStateClips(states)) => keep(editor, &states),
        Some(Offer::Reimport(file)) => files::act(editor, FileAction::Reimport(Some(file))),
        Some(Offer::FindTextures) => materials::act(editor, MaterialAction::FindTextures(None)),
        Some(Offer::BoneMap) => editor.session.transient.popup = Some(Popup::BoneMap),
        Some(Offer::ReduceClips(_)) => clips::reduce_to_poses(editor, Reduced::Dense),
        Some(Offer::Undo) => transaction::undo(editor),
        Some(Offer::ApplyToAll(at, side)) => {
            select::bones(editor, &[], Pick::Only);
            library::edit(editor, LibraryAction::Apply { at, side, amount: 1.0 });
        }
        Some(Offer::OwnKeys) => clips::act(editor, ClipAction::Unlock),
        Some(Offer::ShowThing(level, thing)) => levels::show(editor, level, thing),
        Some(Offer::Salvage(file)) => files::act(editor, FileAction::OpenSalvaged(file)),
        None => {}
    }
}

/// Enters the clips in the animation table.
fn keep(editor: &mut Editor, states: &[(State, ClipId)]) {
    let Some(model) = editor.model() else { return };
    let mut machine = model.machine.clone();
    for (state, clip) in states {
        if let Some(clip) = model.clip(*clip) {
            machine.set_clip(*state, &clip.name);
        }
    }
    let edit = ModelEdit::SetMachine { model: editor.session.focus.model, machine };
    step(editor, "Keep state clips", edit);
}
