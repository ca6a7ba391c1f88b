//! Events of a page, and their keys for the editor and for Dear ImGui.

use imgui::{Key, MouseButton};

use keypose_editor::editor::panels::window::input_order::InputKind;
use keypose_editor::editor::session::key_layout::Press;
use keypose_editor::editor::session::shortcuts::Modifiers;

/// An event of a page. Places are in points.
#[derive(Clone, Debug, PartialEq)]
pub enum PageEvent {
    Moved([f32; 2]),
    /// The mouse left the canvas.
    Left,
    /// A button was pressed or released, by the page's number: left 0, middle 1, right 2.
    Button(i16, bool),
    /// Notches to the right and upwards.
    Wheel([f32; 2]),
    Key(PageKey),
    Typed(String),
    /// The page lost the keyboard.
    Blurred,
}

/// A key that was pressed or released, by the names of UI Events.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PageKey {
    /// Such as "KeyQ".
    pub code: String,
    /// Such as "q" or "ArrowLeft".
    pub key: String,
    pub is_on_pad: bool,
    pub is_down: bool,
    pub is_repeat: bool,
    pub held: Modifiers,
}

impl PageKey {
    /// The character that it types.
    pub fn typed(&self) -> Option<char> {
        let mut characters = self.key.chars();
        characters.next().filter(|_| characters.next().is_none())
    }

    /// The order in which it is handled, with its stroke.
    fn kind(&self) -> InputKind {
        let typed = self.typed();
        let name = if typed == Some(' ') { "Space" } else { &self.key };
        let is_named = typed.is_none_or(|typed| typed == ' ');
        // Browsers don't tell what a key types alone, except that of a letter.
        let is_alone = !self.held.shift && !self.held.alt;
        let base =
            typed.filter(|typed| is_alone || typed.is_alphabetic()).and_then(|typed| typed.to_lowercase().next());
        let press = Press {
            place: Some(&self.code),
            name: is_named.then_some(name),
            base,
            typed,
            is_on_pad: self.is_on_pad,
            is_repeat: self.is_repeat,
            held: self.held,
        };
        press.stroke().filter(|_| self.is_down).map_or(InputKind::Other, InputKind::Stroke)
    }
}

impl PageEvent {
    /// The order in which it is handled.
    pub fn kind(&self) -> InputKind {
        match self {
            PageEvent::Moved(_) | PageEvent::Left => InputKind::Move,
            PageEvent::Button(..) => InputKind::Click,
            PageEvent::Key(key) => key.kind(),
            PageEvent::Wheel(_) | PageEvent::Typed(_) | PageEvent::Blurred => InputKind::Other,
        }
    }

    /// Passes it to Dear ImGui.
    pub fn pass(self, io: &mut imgui::Io) {
        match self {
            PageEvent::Moved(place) => io.add_mouse_pos_event(place),
            PageEvent::Left => io.add_mouse_pos_event([-f32::MAX; 2]),
            PageEvent::Button(number, is_down) => {
                let button = match number {
                    0 => MouseButton::Left,
                    1 => MouseButton::Middle,
                    2 => MouseButton::Right,
                    _ => return,
                };
                io.add_mouse_button_event(button, is_down);
            }
            PageEvent::Wheel(notches) => io.add_mouse_wheel_event(notches),
            PageEvent::Typed(text) => text.chars().for_each(|letter| io.add_input_character(letter)),
            PageEvent::Blurred => hold(io, Modifiers::default()),
            PageEvent::Key(key) => {
                hold(io, key.held);
                if let Some(name) = imgui_key(&key.code) {
                    io.add_key_event(name, key.is_down);
                }
            }
        }
    }
}

fn hold(io: &mut imgui::Io, Modifiers { ctrl, shift, alt }: Modifiers) {
    for (key, is_held) in [(Key::ModCtrl, ctrl), (Key::ModShift, shift), (Key::ModAlt, alt)] {
        io.add_key_event(key, is_held);
    }
}

/// Dear ImGui's key at a place; the editor asks it for no letters but those of text fields' shortcuts.
fn imgui_key(code: &str) -> Option<Key> {
    Some(match code {
        "Tab" => Key::Tab,
        "ArrowLeft" => Key::LeftArrow,
        "ArrowRight" => Key::RightArrow,
        "ArrowUp" => Key::UpArrow,
        "ArrowDown" => Key::DownArrow,
        "PageUp" => Key::PageUp,
        "PageDown" => Key::PageDown,
        "Home" => Key::Home,
        "End" => Key::End,
        "Insert" => Key::Insert,
        "Delete" => Key::Delete,
        "Backspace" => Key::Backspace,
        "Space" => Key::Space,
        "Enter" => Key::Enter,
        "NumpadEnter" => Key::KeypadEnter,
        "Escape" => Key::Escape,
        "ControlLeft" => Key::LeftCtrl,
        "ControlRight" => Key::RightCtrl,
        "ShiftLeft" => Key::LeftShift,
        "ShiftRight" => Key::RightShift,
        "AltLeft" => Key::LeftAlt,
        "AltRight" => Key::RightAlt,
        "KeyA" => Key::A,
        "KeyC" => Key::C,
        "KeyV" => Key::V,
        "KeyX" => Key::X,
        "KeyY" => Key::Y,
        "KeyZ" => Key::Z,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use keypose_editor::editor::session::shortcuts::{KeyName, Stroke};

    fn key(code: &str, key: &str, held: Modifiers) -> PageEvent {
        PageEvent::Key(PageKey { code: code.into(), key: key.into(), is_down: true, held, ..PageKey::default() })
    }

    #[test]
    fn keys_of_a_page_are_strokes() {
        let none = Modifiers::default();
        let shift = Modifiers { shift: true, ..none };
        let ctrl = Modifiers { ctrl: true, ..none };
        let cases = [
            (key("KeyG", "g", none), Stroke::new(KeyName::Char('G'))),
            (key("KeyD", "D", shift), Stroke::new(KeyName::Char('D')).shift()),
            (key("KeyS", "s", ctrl), Stroke::new(KeyName::Char('S')).ctrl()),
            (key("KeyQ", "a", none), Stroke::new(KeyName::Char('A'))),
            (key("Digit4", "$", shift), Stroke::new(KeyName::Char('4')).shift()),
            (key("Space", " ", none), Stroke::new(KeyName::Space)),
            (key("F5", "F5", none), Stroke::new(KeyName::F(5))),
            (key("ArrowLeft", "ArrowLeft", none), Stroke::new(KeyName::Left)),
        ];
        for (event, stroke) in cases {
            assert!(matches!(event.kind(), InputKind::Stroke(pressed) if pressed.stroke == stroke), "{event:?}");
        }
        assert_eq!(key("ShiftLeft", "Shift", shift).kind(), InputKind::Other);
    }
}
