//! Names pressed keys: letters by the keyboard layout, or by their position if the layout has no Latin letters; digits and brackets by
//! their position if the layout has other signs there. Places and named keys have the names of the W3C's UI Events, such as "KeyQ" and
//! "ArrowLeft", which windowing crates and browsers share.

use crate::editor::session::shortcuts::{KeyName, Modifiers, Stroke, TypedStroke};

/// A pressed key.
#[derive(Clone, Copy, Debug)]
pub struct Press<'a> {
    /// The place on the keyboard, if it is known.
    pub place: Option<&'a str>,
    /// The name, for keys that type nothing.
    pub name: Option<&'a str>,
    /// The character that it types alone, if that is known.
    pub base: Option<char>,
    /// The character that it types with what is held.
    pub typed: Option<char>,
    pub is_on_pad: bool,
    pub is_repeat: bool,
    pub held: Modifiers,
}

impl Press<'_> {
    /// Returns the stroke; `None` for modifiers alone, and for repeats of keys that don't repeat.
    pub fn stroke(&self) -> Option<TypedStroke> {
        let key = self.key()?;
        let may_repeat =
            matches!(key, KeyName::Left | KeyName::Right | KeyName::Up | KeyName::Down | KeyName::Backspace)
                || (self.held.ctrl && matches!(key, KeyName::Char('Z' | 'Y')))
                || matches!(key, KeyName::Char(',' | '.'));
        let stroke = Stroke { key, held: self.held }.typing(self.typed);
        (!self.is_repeat || may_repeat).then(|| shifted_point(stroke))
    }

    fn key(&self) -> Option<KeyName> {
        match (self.is_on_pad, self.place, self.name) {
            (true, Some(place), _) => on_pad(place),
            (_, _, Some(name)) => named(name),
            _ => on_layout(self.place, self.base, self.typed, self.held.ctrl).map(KeyName::Char),
        }
    }
}

/// A point that the layout has with Shift, as AZERTY, is the point and not the other sign of its key.
fn shifted_point(TypedStroke { mut stroke, typed }: TypedStroke) -> TypedStroke {
    let is_sign = matches!(stroke.key, KeyName::Char(sign) if !sign.is_ascii_alphanumeric());
    if is_sign && typed == Some('.') && stroke.held.shift {
        stroke.key = KeyName::Char('.');
        stroke.held.shift = false;
    }
    stroke.typing(typed)
}

/// Returns the sign on a key that types `base` alone, by its character on a US keyboard; `None` if shortcuts don't depend on it.
pub fn printed(place: &str, base: char) -> Option<(char, char)> {
    let sign = sign_at(place)?;
    let is_needed = match sign {
        '[' | ']' => on_layout(Some(place), Some(base), None, false) == Some(sign),
        _ => sign.is_ascii_alphabetic() && base.is_ascii_alphabetic(),
    };
    is_needed.then_some((sign, base))
}

/// The name of a key of the main block, from its place on the keyboard, the character that it types alone and the one
/// that it types now. Letters go by the layout; those that are not Latin, digits and brackets by their places where the
/// layout has something else there, as on AZERTY.
fn on_layout(place: Option<&str>, base: Option<char>, typed: Option<char>, ctrl: bool) -> Option<char> {
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

fn named(name: &str) -> Option<KeyName> {
    Some(match name {
        "Space" => KeyName::Space,
        "Enter" => KeyName::Enter,
        "Escape" => KeyName::Escape,
        "Tab" => KeyName::Tab,
        "Backspace" => KeyName::Backspace,
        "Delete" => KeyName::Delete,
        "ArrowLeft" => KeyName::Left,
        "ArrowRight" => KeyName::Right,
        "ArrowUp" => KeyName::Up,
        "ArrowDown" => KeyName::Down,
        "Home" => KeyName::Home,
        "End" => KeyName::End,
        name => {
            let function = name.strip_prefix('F')?.parse().ok()?;
            return (1..=12).contains(&function).then_some(KeyName::F(function));
        }
    })
}

fn on_pad(place: &str) -> Option<KeyName> {
    match place.strip_prefix("Numpad")? {
        "Decimal" => Some(KeyName::PadPoint),
        "Enter" => Some(KeyName::Enter),
        "Subtract" => Some(KeyName::Char('-')),
        digit => Some(KeyName::Pad(digit.parse().ok().filter(|digit| *digit < 10)?)),
    }
}

/// The letter, digit or bracket of a key on a US keyboard.
fn sign_at(place: &str) -> Option<char> {
    match place {
        "BracketLeft" => Some('['),
        "BracketRight" => Some(']'),
        place => place.strip_prefix("Key").or_else(|| place.strip_prefix("Digit"))?.chars().next(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_signs_are_reported_where_shortcuts_need_them() {
        let cases = [
            ("KeyQ", 'a', Some(('Q', 'a'))),
            ("BracketLeft", '^', Some(('[', '^'))),
            ("BracketLeft", 'ü', Some(('[', 'ü'))),
            ("BracketRight", '+', Some((']', '+'))),
            // Dvorak has its brackets elsewhere, and Russian keys also have their Latin letters.
            ("BracketLeft", '/', None),
            ("KeyG", 'п', None),
            ("Digit1", '&', None),
        ];
        for (place, base, expected) in cases {
            assert_eq!(printed(place, base), expected, "{place} {base}");
        }
    }

    #[test]
    fn a_point_with_shift_is_a_point() {
        let stroke = |key, typed| Stroke::new(KeyName::Char(key)).shift().typing(Some(typed));
        assert_eq!(shifted_point(stroke(';', '.')), Stroke::new(KeyName::Char('.')).typing(Some('.')));
        assert_eq!(shifted_point(stroke('.', '>')), stroke('.', '>'));
    }

    #[test]
    fn keys_are_found_on_every_layout() {
        let cases = [
            // US: shifted digits stay digits.
            ("Digit4", '4', '$', '4'),
            ("BracketLeft", '[', '[', '['),
            // AZERTY: digits with and without Shift, letters by the layout, brackets by place and with AltGr.
            ("Digit1", '&', '&', '1'),
            ("Digit1", '&', '1', '1'),
            ("Digit6", '-', '-', '6'),
            ("KeyQ", 'a', 'a', 'A'),
            ("BracketRight", '$', '$', ']'),
            ("Digit5", '(', '[', '['),
            // German.
            ("BracketLeft", 'ü', 'ü', '['),
            ("BracketRight", '+', '+', ']'),
            ("Digit8", '8', '[', '['),
            ("KeyY", 'z', 'z', 'Z'),
            // Dvorak keeps its own signs.
            ("BracketLeft", '/', '/', '/'),
            ("Minus", '[', '[', '['),
            // Russian and Greek letters by their places.
            ("KeyG", 'п', 'п', 'G'),
            ("BracketRight", 'ъ', 'ъ', ']'),
        ];
        for (place, base, typed, expected) in cases {
            assert_eq!(on_layout(Some(place), Some(base), Some(typed), false), Some(expected), "{place} {base}");
        }
        assert_eq!(on_layout(Some("BracketLeft"), None, None, false), Some('['), "a dead key");
        assert_eq!(on_layout(Some("BracketRight"), Some('+'), Some('+'), true), Some('+'), "Ctrl++ enlarges the UI");
    }

    #[test]
    fn keys_that_type_nothing_and_those_of_the_pad_have_names() {
        let press = Press {
            place: Some("Numpad7"),
            name: None,
            base: Some('7'),
            typed: Some('7'),
            is_on_pad: true,
            is_repeat: false,
            held: Modifiers::default(),
        };
        assert_eq!(press.stroke().unwrap().stroke.key, KeyName::Pad(7));
        let enter = Press { place: Some("NumpadEnter"), name: Some("Enter"), ..press };
        assert_eq!(enter.stroke().unwrap().stroke.key, KeyName::Enter);
        let function = Press { place: Some("F5"), name: Some("F5"), is_on_pad: false, ..press };
        assert_eq!(function.stroke().unwrap().stroke.key, KeyName::F(5));
        let left =
            Press { place: Some("ArrowLeft"), name: Some("ArrowLeft"), is_on_pad: false, is_repeat: true, ..press };
        assert_eq!(left.stroke().unwrap().stroke.key, KeyName::Left);
        assert_eq!(Press { is_repeat: true, ..function }.stroke(), None);
        assert_eq!(Press { name: Some("Shift"), ..function }.stroke(), None);
    }
}
