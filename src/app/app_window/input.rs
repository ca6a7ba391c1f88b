//! What happens with keys and the mouse, told to the panels in its order.

use winit::event::{ElementState, KeyEvent, WindowEvent};

use crate::app::app_window::{AppWindow, Mode};
use crate::app::keys;
use crate::app::play_mode::PlayRequest;
use crate::editor::panels::window::input_order::InputKind;
use crate::editor::session::shortcuts::Stroke;

impl AppWindow {
    /// An event that Dear ImGui is to know of: in the editing mode keys and the mouse wait for their frame.
    pub(super) fn note(&mut self, event: WindowEvent) {
        match (&self.mode, &event) {
            (Mode::Editor, WindowEvent::KeyboardInput { event: key, .. }) => {
                let kind = keys::stroke(key, self.held).map_or(InputKind::Other, InputKind::Stroke);
                self.input.push(kind, event);
            }
            (Mode::Editor, _) => match kind_of(&event) {
                Some(kind) => self.input.push(kind, event),
                None => self.ui.handle(&self.window.window, event),
            },
            (Mode::Game(_), _) => self.ui.handle(&self.window.window, event),
        }
    }

    /// A key went down or up while the game is shown. True where the game took it, so that Dear ImGui does not see it.
    pub(super) fn game_key(&mut self, event: &KeyEvent) -> bool {
        let Mode::Game(game) = &mut self.mode else { return false };
        if game.key(event) == PlayRequest::Leave {
            self.leave_game();
        }
        // Keys that went down before the game began are still to go up.
        event.state == ElementState::Pressed
    }

    /// Tells Dear ImGui what the next frame is to know of what happened; the strokes are for the editor.
    pub(super) fn take_input(&mut self) -> Vec<Stroke> {
        if matches!(self.mode, Mode::Game(_)) {
            self.input.take_all().into_iter().for_each(|event| self.ui.handle(&self.window.window, event));
            return Vec::new();
        }
        let taken = self.input.take(self.ui.readiness(self.host.awaits_text()));
        for event in taken.events {
            // What is typed into a field is there when the window has the keyboard again.
            if matches!(event, WindowEvent::Focused(false)) && !self.ui.has_caret() {
                self.host.lose_focus();
            }
            self.ui.handle(&self.window.window, event);
        }
        taken.strokes
    }
}

/// What counts in its order, beside keys that go down; `None` for what does not.
fn kind_of(event: &WindowEvent) -> Option<InputKind> {
    use WindowEvent::*;
    match event {
        CursorMoved { .. } | CursorLeft { .. } => Some(InputKind::Move),
        MouseInput { .. } => Some(InputKind::Click),
        ModifiersChanged(_) | Ime(_) | CursorEntered { .. } | MouseWheel { .. } | Focused(_) => Some(InputKind::Other),
        _ => None,
    }
}
