//! The panel that has the keys. The one place that decides what a letter means; the table of commands has the letters themselves.
//!
//! The panel under the mouse has its keys. A key that means nothing there, or whose command can't run now, poses the selected bones – or edits
//! the level. Keys that delete work only over the panel that was clicked last, if it shows what they delete.

use crate::editor::commands::{Menu, Scope};
use crate::editor::panels::window::layout::Panel;
use crate::editor::session::Session;
use crate::editor::session::command::Command;
use crate::editor::session::notice::NoticeKind;
use crate::editor::session::scene::Scene;
use crate::editor::session::shortcuts::Stroke;
use crate::editor::state::Editor;
use crate::editor::state::action::{Action, ProgramAction};

/// The panels that get keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeyFocus {
    hovered: Option<Panel>,
    /// The panel that was clicked last; the viewport if none was.
    clicked: Option<Panel>,
    is_level_open: bool,
}

/// The mouse in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mouse {
    /// The panel under the mouse.
    pub over: Option<Panel>,
    /// Whether a button was pressed in this frame.
    pub is_pressed: bool,
    /// Whether a button is down.
    pub is_down: bool,
}

impl KeyFocus {
    /// Follows the mouse. While a button is down, the panel where it was pressed keeps the keys.
    pub fn follow(&mut self, mouse: Mouse, session: &Session) {
        let is_level_open = session.transient.scene.level().is_some();
        if std::mem::replace(&mut self.is_level_open, is_level_open) != is_level_open {
            self.clicked = None;
        }
        if !mouse.is_down || mouse.over.is_some() {
            self.hovered = mouse.over;
        }
        if mouse.is_pressed && mouse.over.is_some() {
            self.clicked = mouse.over;
        }
    }

    /// The panel under the mouse.
    pub fn hovered(self) -> Option<Panel> {
        self.hovered
    }

    /// The command that a key runs.
    pub fn command(self, editor: &Editor, stroke: Stroke) -> Option<Command> {
        let command = editor.session.workspace.bindings.find(stroke, scope(self.hovered), editor)?;
        (self.is_over_time() || works_in(&editor.session.transient.scene, command)).then_some(command)
    }

    /// The action of a key: a command, or the reason why it doesn't delete.
    pub fn action(self, editor: &Editor, stroke: Stroke) -> Option<Action> {
        let command = self.command(editor, stroke)?;
        let Some(panel) = self.hovered.filter(|_| command.row().deletes) else { return Some(Action::Run(command)) };
        let text = if !has_deletable(panel) {
            format!("{}: not available over the panel {}.", command.label(), panel.name())
        } else if !self.was_clicked(panel) {
            format!("{}: click in the panel first ({}).", command.label(), panel.name())
        } else {
            return Some(Action::Run(command));
        };
        Some(ProgramAction::Notice(NoticeKind::Info, text).into())
    }

    /// Whether keys pose and animate: not in the level mode and the sprites mode, which don't show what they would change.
    pub fn edits_model(self, session: &Session) -> bool {
        let scene = &session.transient.scene;
        scene.sprites().is_none() && (scene.level().is_none() || self.is_over_time())
    }

    /// Whether the mouse is over the timeline or the state machine, whose keys also work in the level and the rig mode.
    fn is_over_time(self) -> bool {
        matches!(scope(self.hovered), Scope::Timeline | Scope::Machine)
    }

    /// Whether the last click was over a panel with the keys of this one.
    fn was_clicked(self, panel: Panel) -> bool {
        scope(Some(panel)) == scope(self.clicked.or(Some(Panel::Viewport)))
    }
}

/// Whether keys delete what is selected in a panel, and not what is selected in another one.
fn has_deletable(panel: Panel) -> bool {
    use Panel::{Bones, Clips, Inspector, Machine, Strip, Viewport};
    matches!(panel, Viewport | Inspector | Bones | Strip | Clips | Machine)
}

/// The scope of the keys over a panel.
fn scope(panel: Option<Panel>) -> Scope {
    match panel {
        Some(Panel::Viewport | Panel::Inspector | Panel::Poses) => Scope::Viewport,
        Some(Panel::Bones) => Scope::Bones,
        Some(Panel::Strip) => Scope::Timeline,
        Some(Panel::Clips) => Scope::Clips,
        Some(Panel::Machine) => Scope::Machine,
        _ => Scope::Anywhere,
    }
}

/// Whether a key of a command works in a scene: not those that pose, animate, copy or delete what isn't shown.
fn works_in(scene: &Scene, command: Command) -> bool {
    use Command as C;
    let (is_level, is_rig) = match scene {
        Scene::Model | Scene::Bench(_) | Scene::Crowd(_) => return true,
        Scene::Level(_) => (true, false),
        Scene::Rig(_) => (false, true),
        Scene::Sprites(_) => (false, false),
    };
    match command.row().menu {
        Menu::Pose | Menu::Clip | Menu::Keys => false,
        Menu::Rig => is_rig,
        Menu::Edit => match command {
            C::Undo | C::Redo | C::FindCommand | C::Preferences => true,
            C::Copy | C::Paste | C::Duplicate | C::Delete => is_level,
            C::SelectAll | C::SelectNone | C::BoxSelect => is_level || is_rig,
            C::PasteMirrored | C::DeleteRipple => false,
            _ => is_rig,
        },
        Menu::File | Menu::View | Menu::Level | Menu::Game | Menu::Help => true,
    }
}
