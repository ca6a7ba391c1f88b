//! The only code that changes an editor: each kind of action is handled by one file.

use crate::editor::document::edit::{Edit, Label};
use crate::editor::posing::change::Change;
use crate::editor::session::Answer;
use crate::editor::session::command::Command;
use crate::editor::session::level::LevelAction;
use crate::editor::session::switch::Switch;
use crate::editor::state::Editor;
use crate::editor::state::action::{Action, ClipboardAction, DocumentAction, FileAction};
use crate::editor::state::effect::Effect;
use keypose::anim::time::Time;
use notices::{ask_if_free, error, info, offer, warning};

mod active;
mod added_files;
mod blend;
pub mod blocks;
mod bones;
mod browser;
mod clipboard;
pub mod clips;
mod contacts;
mod drops;
mod file_view;
pub mod files;
pub mod gesture;
pub mod ghosts;
pub mod keyframes;
pub mod lanes;
mod layers;
mod level_clipboard;
pub mod levels;
mod library;
pub mod machine;
pub mod materials;
mod models;
mod modes;
mod notices;
mod paint;
mod playback;
pub mod pose;
mod program;
mod reimports;
mod retargeting;
pub mod rig;
mod scalars;
pub mod select;
mod sockets;
mod sounds;
mod springs;
mod sprites;
mod state_clips;
mod templates;
pub mod timing;
mod tools;
pub mod transaction;
mod view;
mod volumes;

impl Editor {
    /// Handles an action; returns the effects that the program must perform outside the editor.
    pub fn update(&mut self, action: impl Into<Action>) -> Vec<Effect> {
        let added = self.history.added();
        update(self, action.into());
        springs::follow(self);
        state_clips::report(self);
        notices::report_step(self, added);
        let focus = &mut self.session.focus;
        focus.selection_history.note(&focus.selection.bones);
        if self.gesture.is_none() {
            ghosts::follow(self);
        }
        std::mem::take(&mut self.effects)
    }
}

/// Handles an action.
fn update(editor: &mut Editor, action: Action) {
    end_after_save(editor, &action);
    modes::leave(editor, &action);
    match action {
        Action::Tick(passed) => tick(editor, passed),
        Action::Run(command) => run(editor, command),
        Action::Document(action) => transaction::act(editor, action),
        Action::Clipboard(action) => clipboard::act(editor, action),
        Action::Clip(action) => clips::act(editor, action),
        Action::Keyframe(action) => keyframes::act(editor, action),
        Action::Pose(action) => pose::act(editor, action),
        Action::Model(action) => models::act(editor, action),
        Action::Poses(edit) => library::edit(editor, edit),
        Action::Bones(action) => bones::act(editor, action),
        Action::Material(action) => materials::act(editor, action),
        Action::Machine(action) => machine::act(editor, action),
        Action::Volume(action) => volumes::act(editor, action),
        Action::Contact(action) => contacts::act(editor, action),
        Action::Select(action) => select::act(editor, action),
        Action::Playback(action) => playback::act(editor, action),
        Action::Time(action) => timing::update(editor, action),
        Action::Tool(action) => tools::act(editor, action),
        Action::View(action) if levels::view(editor, action) => {}
        Action::View(action) => view::act(editor, action),
        Action::Gesture(action) => gesture::act(editor, action),
        Action::Bench(action) => modes::bench(editor, action),
        Action::Crowd(action) => modes::crowd(editor, action),
        Action::Level(action) => levels::act(editor, action),
        Action::Sprites(action) => sprites::act(editor, action),
        Action::Rig(action) => rig::act(editor, action),
        Action::Blend(action) => blend::act(editor, action),
        Action::Retarget(action) => retargeting::act(editor, action),
        Action::Socket(action) => sockets::act(editor, action),
        Action::Sound(action) => sounds::act(editor, action),
        Action::Browser(action) => browser::act(editor, action),
        Action::File(action) => files::act(editor, action),
        Action::Prefer(prefer) => program::prefer(editor, prefer),
        Action::Program(action) => program::act(editor, action),
    }
    program::advance_first_steps(editor);
}

impl Action {
    /// Whether the action pastes, so that the system's clipboard must be read first ([`ClipboardAction::Arrived`]).
    pub fn pastes(&self, editor: &Editor) -> bool {
        match self {
            Action::Run(command) => is_paste(&command.action(editor)),
            action => is_paste(action),
        }
    }
}

fn is_paste(action: &Action) -> bool {
    matches!(action, Action::Clipboard(ClipboardAction::Paste { .. }) | Action::Level(LevelAction::Paste(_)))
}

/// Runs a command, or shows the reason why it can't run.
fn run(editor: &mut Editor, command: Command) {
    notices::end_error(editor);
    match command.can_run(editor) {
        Ok(()) => update(editor, command.action(editor)),
        Err(reason) => info(editor, reason),
    }
}

/// Cancels the step after the running save, such as quitting, if the user continues to edit.
fn end_after_save(editor: &mut Editor, action: &Action) {
    if matches!(
        action,
        Action::Document(DocumentAction::Begin { .. } | DocumentAction::Edit { .. })
            | Action::File(FileAction::Save | FileAction::SaveAs(None) | FileAction::Answer(Answer::Cancel))
    ) {
        editor.session.transient.after_save = None;
    }
}

/// Advances playback, previews, springs and the turntable.
fn tick(editor: &mut Editor, passed: Time) {
    modes::tick(editor, passed);
    sprites::tick(editor, passed);
    if editor.session.is_on(Switch::Turntable) {
        editor.session.focus.camera.turn(passed.secs() as f32);
    }
    playback::tick(editor, passed);
    if let Some(springs) = &mut editor.session.transient.springs {
        springs.tick(passed);
    }
}

/// Makes an edit as one undo step.
pub fn step(editor: &mut Editor, label: impl Into<Label>, edit: impl Into<Edit>) {
    step_all(editor, label, vec![edit.into()]);
}

/// Makes several edits as one undo step.
pub fn step_all(editor: &mut Editor, label: impl Into<Label>, edits: Vec<Edit>) {
    transaction::edit(editor, label.into(), &Change::Edits(edits));
}
