//! Converts the window's keys to the editor's names: letters by the keyboard layout, or by their position if the layout
//! has no Latin letters.

use winit::event::{ElementState, KeyEvent};
use winit::keyboard::{Key, KeyCode, KeyLocation, ModifiersState, NamedKey, PhysicalKey};
use winit::platform::modifier_supplement::KeyEventExtModifierSupplement;

use crate::editor::session::shortcuts::{KeyName, Modifiers, Stroke};

/// The held modifiers. Command counts as Ctrl on macOS.
pub fn modifiers(state: ModifiersState) -> Modifiers {
    let ctrl = state.control_key() || (cfg!(target_os = "macos") && state.super_key());
    Modifiers { ctrl, shift: state.shift_key(), alt: state.alt_key() }
}

/// The stroke of a pressed key. `None` for releases, for modifiers alone, and for repeats of keys that don't repeat.
pub fn stroke(event: &KeyEvent, held: ModifiersState) -> Option<Stroke> {
    let key = (event.state == ElementState::Pressed).then(|| name(event)).flatten()?;
    let may_repeat = matches!(key, KeyName::Left | KeyName::Right | KeyName::Up | KeyName::Down | KeyName::Backspace)
        || (modifiers(held).ctrl && matches!(key, KeyName::Char('Z' | 'Y')))
        || matches!(key, KeyName::Char(',' | '.'));
    (!event.repeat || may_repeat).then_some(Stroke { key, held: modifiers(held) })
}

fn name(event: &KeyEvent) -> Option<KeyName> {
    if let (KeyLocation::Numpad, PhysicalKey::Code(code)) = (event.location, event.physical_key) {
        return numpad(code);
    }
    match event.key_without_modifiers() {
        Key::Named(named) => named_key(named),
        Key::Character(text) => {
            let letter = text.chars().next()?;
            let by_place = match event.physical_key {
                PhysicalKey::Code(code) if !letter.is_ascii() => letter_at(code),
                _ => None,
            };
            Some(KeyName::Char(by_place.unwrap_or(letter.to_ascii_uppercase())))
        }
        _ => None,
    }
}

fn named_key(named: NamedKey) -> Option<KeyName> {
    use NamedKey as N;
    let functions = [N::F1, N::F2, N::F3, N::F4, N::F5, N::F6, N::F7, N::F8, N::F9, N::F10, N::F11, N::F12];
    if let Some(at) = functions.iter().position(|function| *function == named) {
        return Some(KeyName::F(at as u8 + 1));
    }
    Some(match named {
        N::Space => KeyName::Space,
        N::Enter => KeyName::Enter,
        N::Escape => KeyName::Escape,
        N::Tab => KeyName::Tab,
        N::Backspace => KeyName::Backspace,
        N::Delete => KeyName::Delete,
        N::ArrowLeft => KeyName::Left,
        N::ArrowRight => KeyName::Right,
        N::ArrowUp => KeyName::Up,
        N::ArrowDown => KeyName::Down,
        N::Home => KeyName::Home,
        N::End => KeyName::End,
        _ => return None,
    })
}

fn numpad(code: KeyCode) -> Option<KeyName> {
    use KeyCode as C;
    let digits = [
        C::Numpad0,
        C::Numpad1,
        C::Numpad2,
        C::Numpad3,
        C::Numpad4,
        C::Numpad5,
        C::Numpad6,
        C::Numpad7,
        C::Numpad8,
        C::Numpad9,
    ];
    match code {
        C::NumpadDecimal => Some(KeyName::PadPoint),
        C::NumpadEnter => Some(KeyName::Enter),
        C::NumpadSubtract => Some(KeyName::Char('-')),
        code => digits.iter().position(|digit| *digit == code).map(|digit| KeyName::Pad(digit as u8)),
    }
}

/// The letter of a key on a Latin keyboard.
fn letter_at(code: KeyCode) -> Option<char> {
    let name = format!("{code:?}");
    name.strip_prefix("Key").and_then(|letter| letter.chars().next())
}
