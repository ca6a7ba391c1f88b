//! The names of keys: what is stored, and what is shown.

use winit::keyboard::KeyCode as K;
use winit::keyboard::KeyCode;

use keypose_editor::editor::session::printed_keys::PrintedKeys;

/// The keys that can be chosen other than letters, with what is shown.
const LABELS: &[(KeyCode, &str)] = &[
    (K::ArrowLeft, "Left"),
    (K::ArrowRight, "Right"),
    (K::ArrowUp, "Up"),
    (K::ArrowDown, "Down"),
    (K::Space, "Space"),
    (K::Enter, "Enter"),
    (K::Tab, "Tab"),
    (K::Backspace, "Backspace"),
    (K::Delete, "Delete"),
    (K::Insert, "Insert"),
    (K::Home, "Home"),
    (K::End, "End"),
    (K::PageUp, "Page Up"),
    (K::PageDown, "Page Down"),
    (K::ShiftLeft, "Shift"),
    (K::ShiftRight, "Right Shift"),
    (K::ControlLeft, "Ctrl"),
    (K::ControlRight, "Right Ctrl"),
    (K::AltLeft, "Alt"),
    (K::AltRight, "Right Alt"),
    (K::Digit0, "0"),
    (K::Digit1, "1"),
    (K::Digit2, "2"),
    (K::Digit3, "3"),
    (K::Digit4, "4"),
    (K::Digit5, "5"),
    (K::Digit6, "6"),
    (K::Digit7, "7"),
    (K::Digit8, "8"),
    (K::Digit9, "9"),
    (K::Minus, "-"),
    (K::Equal, "="),
    (K::BracketLeft, "["),
    (K::BracketRight, "]"),
    (K::Semicolon, ";"),
    (K::Quote, "'"),
    (K::Comma, ","),
    (K::Period, "."),
    (K::Slash, "/"),
    (K::Backslash, "\\"),
    (K::Backquote, "`"),
    (K::IntlBackslash, "<"),
    (K::Numpad0, "Num 0"),
    (K::Numpad1, "Num 1"),
    (K::Numpad2, "Num 2"),
    (K::Numpad3, "Num 3"),
    (K::Numpad4, "Num 4"),
    (K::Numpad5, "Num 5"),
    (K::Numpad6, "Num 6"),
    (K::Numpad7, "Num 7"),
    (K::Numpad8, "Num 8"),
    (K::Numpad9, "Num 9"),
    (K::NumpadAdd, "Num +"),
    (K::NumpadSubtract, "Num -"),
    (K::NumpadMultiply, "Num *"),
    (K::NumpadDivide, "Num /"),
    (K::NumpadDecimal, "Num ."),
    (K::NumpadEnter, "Num Enter"),
    (K::F1, "F1"),
    (K::F2, "F2"),
    (K::F3, "F3"),
    (K::F4, "F4"),
    (K::F6, "F6"),
    (K::F7, "F7"),
    (K::F8, "F8"),
    (K::F9, "F9"),
    (K::F10, "F10"),
    (K::F11, "F11"),
    (K::F12, "F12"),
];

/// The letters of a US keyboard.
#[rustfmt::skip]
const LETTERS: [KeyCode; 26] = [
    K::KeyA, K::KeyB, K::KeyC, K::KeyD, K::KeyE, K::KeyF, K::KeyG, K::KeyH, K::KeyI, K::KeyJ, K::KeyK, K::KeyL, K::KeyM,
    K::KeyN, K::KeyO, K::KeyP, K::KeyQ, K::KeyR, K::KeyS, K::KeyT, K::KeyU, K::KeyV, K::KeyW, K::KeyX, K::KeyY, K::KeyZ,
];

/// The name of a key on a US keyboard; `None` if it can't be chosen.
pub fn label(code: KeyCode) -> Option<String> {
    let letter = LETTERS.iter().zip('A'..='Z').find(|(key, _)| **key == code).map(|(_, letter)| letter.to_string());
    letter.or_else(|| LABELS.iter().find(|(key, _)| *key == code).map(|(_, label)| (*label).to_owned()))
}

/// The name of a key as printed on the user's keyboard, as far as that is known.
pub fn printed(code: KeyCode, keys: &PrintedKeys) -> String {
    let label = label(code).unwrap_or_default();
    let mut letters = label.chars();
    match (letters.next(), letters.next()) {
        (Some(sign), None) if sign.is_ascii_alphabetic() || "[]".contains(sign) => keys.at(sign).to_string(),
        _ => label,
    }
}

/// The stored name of a key.
pub fn stored(code: KeyCode) -> String {
    format!("{code:?}")
}

/// The key of a stored name; `None` if it can't be chosen.
pub fn from_stored(name: &str) -> Option<KeyCode> {
    let all = LETTERS.into_iter().chain(LABELS.iter().map(|(key, _)| *key));
    all.into_iter().find(|code| stored(*code) == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_their_keys() {
        for code in LETTERS.into_iter().chain(LABELS.iter().map(|(key, _)| *key)) {
            assert_eq!(from_stored(&stored(code)), Some(code));
            assert!(label(code).is_some_and(|label| !label.is_empty()), "{code:?}");
        }
        assert_eq!((from_stored("Escape"), from_stored("F5"), from_stored("")), (None, None, None));
    }

    #[test]
    fn letters_have_the_names_of_the_users_layout() {
        let mut keys = PrintedKeys::default();
        assert_eq!(printed(K::KeyZ, &keys), "Z");
        keys.learn('Z', 'y');
        assert_eq!((printed(K::KeyZ, &keys), printed(K::Space, &keys)), ("Y".to_owned(), "Space".to_owned()));
    }
}
