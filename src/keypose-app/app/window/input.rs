//! Passes keyboard and mouse events to the panels in their order.

use winit::event::{ElementState, Ime, KeyEvent, WindowEvent};

use keypose_editor::editor::panels::window::composition::Composing;
use keypose_editor::editor::panels::window::input_order::InputKind;
use keypose_editor::editor::session::shortcuts::TypedStroke;

use crate::app::window::keys;
use crate::app::window::{AppWindow, Mode};

impl AppWindow {
    /// Passes an event to Dear ImGui. In the editor, keys and mouse events are queued for the next frames.
    pub(super) fn note(&mut self, event: WindowEvent) {
        match (&self.mode, &event) {
            // Pressed keys belong to the input method that composes with them.
            (Mode::Editor, WindowEvent::KeyboardInput { event: key, .. })
                if self.input.is_composing() && key.state == ElementState::Pressed => {}
            (Mode::Editor, WindowEvent::KeyboardInput { event: key, .. }) => {
                if let Some((place, printed)) = keys::printed(key) {
                    self.host.learn_key(place, printed);
                }
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

    /// Handles a key during the game. Returns true if Dear ImGui must not receive it.
    pub(super) fn game_key(&mut self, event: &KeyEvent) -> bool {
        let Mode::Game(game) = &mut self.mode else { return false };
        if let Some((place, printed)) = keys::printed(event) {
            self.host.learn_key(place, printed);
        }
        let request = game.key(event);
        self.perform(request);
        // Keys that were pressed before the game started must still be released.
        event.state == ElementState::Pressed
    }

    /// Passes the queued events of the next frame to Dear ImGui. Returns key strokes for the editor.
    pub(super) fn take_input(&mut self) -> Vec<TypedStroke> {
        if matches!(self.mode, Mode::Game(_)) {
            self.input.take_all().into_iter().for_each(|event| self.ui.handle(&self.window.window, event));
            return Vec::new();
        }
        let taken = self.input.take(self.host.dock.readiness(&self.ui.context, &self.host.editor.session));
        for event in taken.events {
            // A text field keeps its text until the window has the focus again.
            if matches!(event, WindowEvent::Focused(false)) && !self.ui.has_caret() {
                self.host.lose_focus();
            }
            match event {
                WindowEvent::Ime(ime) => {
                    if let Some(text) = self.composition.follow(composing(ime)) {
                        self.ui.type_text(&text);
                    }
                }
                event => self.ui.handle(&self.window.window, event),
            }
        }
        taken.strokes
    }
}

/// The kind of an event whose order matters, except key presses; `None` for others.
fn kind_of(event: &WindowEvent) -> Option<InputKind> {
    use WindowEvent::*;
    match event {
        CursorMoved { .. } | CursorLeft { .. } => Some(InputKind::Move),
        MouseInput { .. } => Some(InputKind::Click),
        Ime(ime) => Some(InputKind::Composing(composing(ime.clone()).continues())),
        ModifiersChanged(_) | CursorEntered { .. } | MouseWheel { .. } | Focused(_) => Some(InputKind::Other),
        _ => None,
    }
}

/// Converts an event of an input method. Switched on, it composes nothing yet.
fn composing(ime: Ime) -> Composing {
    match ime {
        Ime::Preedit(text, converted) => Composing::Changed(text, converted),
        Ime::Commit(text) => Composing::Committed(text),
        Ime::Enabled | Ime::Disabled => Composing::Ended,
    }
}
