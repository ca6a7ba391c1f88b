//! What panels write: actions, and the few ways in which a widget makes them.

use crate::editor::document::edit::Edit;
use crate::editor::document::edit::Label;
use crate::editor::ops::posed::Posed;
use crate::editor::panels::ui::widgets::Touch;
use crate::editor::posing::change::Change;
use crate::editor::session::command::Command;
use crate::editor::state::action::{Action, DocumentAction};

/// The actions of a frame, in order.
#[derive(Debug, Default)]
pub struct Out {
    /// What the editor is to do.
    pub actions: Vec<Action>,
}

impl Out {
    /// Any action.
    pub fn push(&mut self, action: impl Into<Action>) {
        self.actions.push(action.into());
    }

    /// A command of the catalogue.
    pub fn run(&mut self, command: Command) {
        self.push(command);
    }

    /// One step at once.
    pub fn edit(&mut self, label: impl Into<Label>, edits: Vec<Edit>) {
        self.push(DocumentAction::Edit { label: label.into(), change: Change::Edits(edits) });
    }

    /// A widget that is dragged or typed into: activated begins a gesture, edited previews the whole change since,
    /// deactivated commits it.
    pub fn gesture(&mut self, touch: Touch, label: &'static str, change: impl FnOnce() -> Change) {
        if touch.is_begun {
            self.push(DocumentAction::Begin { label: label.into() });
        }
        if touch.is_changed {
            self.push(DocumentAction::Preview(change()));
        }
        if touch.is_ended {
            self.push(DocumentAction::Commit);
        }
    }

    /// A pose at once.
    pub fn pose(&mut self, label: &'static str, posed: Vec<Posed>) {
        self.push(DocumentAction::Edit { label: label.into(), change: Change::Pose(posed) });
    }
}
