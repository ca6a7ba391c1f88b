//! Converts the window's keys to the editor's names: letters by the keyboard layout, or by their position if the layout
//! has no Latin letters; digits and brackets by their position if the layout has other signs there.

use winit::event::{ElementState, KeyEvent};
use winit::keyboard::{Key, KeyCode, KeyLocation, ModifiersState, NamedKey, PhysicalKey};
use winit::platform::modifier_supplement::KeyEventExtModifierSupplement;

use keypose_editor::editor::session::shortcuts::{KeyName, Modifiers, Stroke};

/// The held modifiers. Command counts as Ctrl on macOS.
pub fn modifiers(state: ModifiersState) -> Modifiers {
    let ctrl = state.control_key() || (cfg!(target_os = "macos") && state.super_key());
    Modifiers { ctrl, shift: state.shift_key(), alt: state.alt_key() }
}

/// The stroke of a pressed key. `None` for releases, for modifiers alone, and for repeats of keys that don't repeat.
pub fn stroke(event: &KeyEvent, held: ModifiersState) -> Option<Stroke> {
    let key = (event.state == ElementState::Pressed).then(|| name(event, modifiers(held).ctrl)).flatten()?;
    let may_repeat = matches!(key, KeyName::Left | KeyName::Right | KeyName::Up | KeyName::Down | KeyName::Backspace)
        || (modifiers(held).ctrl && matches!(key, KeyName::Char('Z' | 'Y')))
        || matches!(key, KeyName::Char(',' | '.'));
    let stroke = Stroke { held: modifiers(held), ..Stroke::new(key).typing(character(&event.logical_key)) };
    (!event.repeat || may_repeat).then(|| shifted_point(stroke))
}

/// A point that the layout has with Shift, as AZERTY, is the point and not the other sign of its key.
fn shifted_point(mut stroke: Stroke) -> Stroke {
    let is_sign = matches!(stroke.key, KeyName::Char(sign) if !sign.is_ascii_alphanumeric());
    if is_sign && stroke.typed.0 == Some('.') && stroke.held.shift {
        stroke.key = KeyName::Char('.');
        stroke.held.shift = false;
    }
    stroke
}

/// Returns the sign on a pressed letter or bracket, by its character on a US keyboard.
pub fn printed(event: &KeyEvent) -> Option<(char, char)> {
    let PhysicalKey::Code(code) = event.physical_key else { return None };
    if event.state != ElementState::Pressed {
        return None;
    }
    let base = match event.key_without_modifiers() {
        Key::Dead(sign) => sign,
        key => character(&key),
    };
    printed_at(code, base?)
}

/// Returns the sign on a key that types `base` alone; `None` if shortcuts don't depend on it.
fn printed_at(code: KeyCode, base: char) -> Option<(char, char)> {
    let place = sign_at(code)?;
    let is_needed = match place {
        '[' | ']' => on_layout(Some(code), Some(base), None, false) == Some(place),
        _ => place.is_ascii_alphabetic() && base.is_ascii_alphabetic(),
    };
    is_needed.then_some((place, base))
}

/// The first character that a key types.
fn character(key: &Key) -> Option<char> {
    if let Key::Character(text) = key { text.chars().next() } else { None }
}

fn name(event: &KeyEvent, ctrl: bool) -> Option<KeyName> {
    let place = if let PhysicalKey::Code(code) = event.physical_key { Some(code) } else { None };
    if let (KeyLocation::Numpad, Some(code)) = (event.location, place) {
        return numpad(code);
    }
    match event.key_without_modifiers() {
        Key::Named(named) => named_key(named),
        base => on_layout(place, character(&base), character(&event.logical_key), ctrl).map(KeyName::Char),
    }
}

/// The name of a key of the main block, from its place on the keyboard, the character that it types alone and the one
/// that it types now. Letters go by the layout; those that are not Latin, digits and brackets by their places where the
/// layout has something else there, as on AZERTY.
fn on_layout(place: Option<KeyCode>, base: Option<char>, typed: Option<char>, ctrl: bool) -> Option<char> {
    if let Some(bracket @ ('[' | ']')) = typed {
        return Some(bracket);
    }
    let base = base.map(|letter| letter.to_ascii_uppercase());
    let at_place = place.and_then(sign_at);
    match (base, at_place) {
        (Some(base), Some('0'..='9')) if base.is_ascii_digit() => Some(base),
        (_, Some(digit @ '0'..='9')) => Some(digit),
        (Some(base), Some('[' | ']')) if base.is_ascii_alphanumeric() || ctrl || "/=,.;'-".contains(base) => Some(base),
        (_, Some(bracket @ ('[' | ']'))) => Some(bracket),
        (Some(base), _) if base.is_ascii() => Some(base),
        (base, at_place) => at_place.or(base),
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

/// The letter, digit or bracket of a key on a US keyboard.
fn sign_at(code: KeyCode) -> Option<char> {
    let name = format!("{code:?}");
    let letter = || name.strip_prefix("Key").or_else(|| name.strip_prefix("Digit"))?.chars().next();
    match code {
        KeyCode::BracketLeft => Some('['),
        KeyCode::BracketRight => Some(']'),
        _ => letter(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_signs_are_reported_where_shortcuts_need_them() {
        use KeyCode as C;
        let cases = [
            (C::KeyQ, 'a', Some(('Q', 'a'))),
            (C::BracketLeft, '^', Some(('[', '^'))),
            (C::BracketLeft, 'ü', Some(('[', 'ü'))),
            (C::BracketRight, '+', Some((']', '+'))),
            // Dvorak has its brackets elsewhere, and Russian keys also have their Latin letters.
            (C::BracketLeft, '/', None),
            (C::KeyG, 'п', None),
            (C::Digit1, '&', None),
        ];
        for (code, base, expected) in cases {
            assert_eq!(printed_at(code, base), expected, "{code:?} {base}");
        }
    }

    #[test]
    fn a_point_with_shift_is_a_point() {
        let stroke = |key, typed| Stroke::new(KeyName::Char(key)).shift().typing(Some(typed));
        assert_eq!(shifted_point(stroke(';', '.')), Stroke::new(KeyName::Char('.')));
        assert_eq!(shifted_point(stroke('.', '>')), Stroke::new(KeyName::Char('.')).shift());
    }

    #[test]
    fn keys_are_found_on_every_layout() {
        use KeyCode as C;
        let cases = [
            // US: shifted digits stay digits.
            (C::Digit4, '4', '$', '4'),
            (C::BracketLeft, '[', '[', '['),
            // AZERTY: digits with and without Shift, letters by the layout, brackets by place and with AltGr.
            (C::Digit1, '&', '&', '1'),
            (C::Digit1, '&', '1', '1'),
            (C::Digit6, '-', '-', '6'),
            (C::KeyQ, 'a', 'a', 'A'),
            (C::BracketRight, '$', '$', ']'),
            (C::Digit5, '(', '[', '['),
            // German.
            (C::BracketLeft, 'ü', 'ü', '['),
            (C::BracketRight, '+', '+', ']'),
            (C::Digit8, '8', '[', '['),
            (C::KeyY, 'z', 'z', 'Z'),
            // Dvorak keeps its own signs.
            (C::BracketLeft, '/', '/', '/'),
            (C::Minus, '[', '[', '['),
            // Russian and Greek letters by their places.
            (C::KeyG, 'п', 'п', 'G'),
            (C::BracketRight, 'ъ', 'ъ', ']'),
        ];
        for (place, base, typed, expected) in cases {
            assert_eq!(on_layout(Some(place), Some(base), Some(typed), false), Some(expected), "{place:?} {base}");
        }
        assert_eq!(on_layout(Some(C::BracketLeft), None, None, false), Some('['), "a dead key");
        assert_eq!(on_layout(Some(C::BracketRight), Some('+'), Some('+'), true), Some('+'), "Ctrl++ enlarges the UI");
    }
}
