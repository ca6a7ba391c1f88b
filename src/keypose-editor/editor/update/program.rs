//! Popups, shortcuts, preferences, notices, the first steps.

use crate::editor::session::first_steps::STEPS;
use crate::editor::session::preferences::Prefer;
use crate::editor::session::shortcuts::Bindings;
use crate::editor::session::transient::Request;
use crate::editor::state::Editor;
use crate::editor::state::action::ProgramAction;
use crate::editor::state::first_steps;
use crate::editor::update::{notices, state_clips};

/// Handles an action on the program itself.
pub fn act(editor: &mut Editor, action: ProgramAction) {
    let session = &mut editor.session;
    match action {
        ProgramAction::ShowPopup(popup) => session.transient.popup = popup,
        ProgramAction::ShowManual => session.transient.requests.push(Request::ShowManual),
        ProgramAction::CheckClips => session.transient.requests.push(Request::ShowClipCheck),
        ProgramAction::Bind { command, strokes } => session.workspace.bindings.set(command, strokes),
        ProgramAction::ResetKeys => session.workspace.bindings = Bindings::default(),
        ProgramAction::SetAwaiting(is_awaiting) => session.transient.is_awaiting = is_awaiting,
        ProgramAction::RecentFiles(files) => session.workspace.recent_files = files,
        ProgramAction::ShowFirstSteps(is_shown) => show_first_steps(editor, is_shown),
        ProgramAction::GoToFirstStep(step) => {
            editor.session.workspace.first_steps = Some(first_steps::at(step, editor))
        }
        ProgramAction::Notice(kind, text) => notices::report(editor, kind, &text),
        ProgramAction::Report(lines) => notices::report_all(editor, lines),
        ProgramAction::RequestsHandled => session.transient.requests.clear(),
        ProgramAction::AcceptOffer => state_clips::accept(editor),
        ProgramAction::DismissNotice => session.transient.notice = None,
    }
}

/// Changes a preference.
pub fn prefer(editor: &mut Editor, prefer: Prefer) {
    let preferences = &mut editor.session.workspace.preferences;
    match prefer {
        Prefer::Shade(shade) => preferences.shade = shade,
        Prefer::Scale(percent) => preferences.set_scale(percent),
        Prefer::Arrange(arrangement) => {
            preferences.arrangement = arrangement;
            editor.session.transient.requests.push(Request::ArrangePanels);
        }
        Prefer::AutoPerspective(is_on) => preferences.auto_perspective = is_on,
        Prefer::Remember(file) => preferences.remember(&file),
        Prefer::RememberFolder(folder) => preferences.remember_folder(&folder),
        Prefer::ToggleFavourite(folder) => preferences.toggle_favourite(&folder),
        Prefer::Muted(is_muted) => preferences.is_muted = is_muted,
        Prefer::Dialogs(dialogs) => preferences.dialogs = dialogs,
        Prefer::ModelFiles(files) => preferences.model_files = files,
        Prefer::ImportOptions(options) => preferences.import_options = *options,
        Prefer::Printed { place, printed } => {
            preferences.printed_keys.learn(place, printed);
        }
        Prefer::Forget(file) => preferences.recent.retain(|other| *other != file),
    }
}

/// Starts the first steps, or closes them for good.
fn show_first_steps(editor: &mut Editor, is_shown: bool) {
    editor.session.workspace.first_steps = is_shown.then(|| first_steps::at(0, editor));
    editor.session.workspace.preferences.knows_first_steps |= !is_shown;
}

/// Closes the first steps for good if only the last one, to play, was left.
pub fn end_first_steps(editor: &mut Editor) {
    if editor.session.workspace.first_steps.is_some_and(|steps| steps.step + 1 == STEPS.len()) {
        show_first_steps(editor, false);
    }
}

/// Shows the next of the first steps when the current one is done.
pub fn advance_first_steps(editor: &mut Editor) {
    editor.session.workspace.first_steps =
        editor.session.workspace.first_steps.map(|steps| first_steps::advanced(&steps, editor));
}
