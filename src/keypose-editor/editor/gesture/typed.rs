//! A number that is typed during a drag, in place of the mouse.

use crate::editor::gesture::Drag;
use crate::editor::session::pointer::ModalKey;

/// The maximum number of characters.
const MAX_CHARACTERS: usize = 12;

/// A number as it is typed; empty while the mouse decides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TypedNumber {
    text: String,
}

impl TypedNumber {
    /// Adds a digit, a decimal point or a comma; a minus changes the sign. Other characters are ignored.
    pub fn push(&mut self, character: char) {
        // A comma is a decimal point, too.
        match if character == ',' { '.' } else { character } {
            '-' if self.text.starts_with('-') => drop(self.text.remove(0)),
            '-' => self.text.insert(0, '-'),
            '.' if self.text.contains('.') => {}
            sign @ ('0'..='9' | '.') if self.text.len() < MAX_CHARACTERS => self.text.push(sign),
            _ => {}
        }
    }

    /// Handles a key of a gesture that only has a typed number. Returns the result of the gesture, or `None` after
    /// the text may have changed.
    pub fn key(&mut self, key: ModalKey) -> Option<Drag> {
        match key {
            ModalKey::Char(character) => self.push(character),
            ModalKey::Backspace => self.pop(),
            ModalKey::Confirm => return Some(Drag::Commit),
            ModalKey::Cancel => return Some(Drag::Cancel),
            ModalKey::Axis(_)
            | ModalKey::Plane(_)
            | ModalKey::AddJoint
            | ModalKey::RemoveJoint
            | ModalKey::Switch(_) => {
                return Some(Drag::Ignore);
            }
        }
        None
    }

    /// Removes the last character.
    pub fn pop(&mut self) {
        self.text.pop();
    }

    /// The number; `None` while the text is empty or incomplete.
    pub fn value(&self) -> Option<f64> {
        self.text.parse().ok().filter(|number: &f64| number.is_finite())
    }

    /// The text; `None` while nothing is typed.
    pub fn text(&self) -> Option<&str> {
        Some(self.text.as_str()).filter(|text| !text.is_empty())
    }

    /// The text at the end of a status line: " · typed 30".
    pub fn status(&self) -> String {
        self.text().map(|text| format!(" · typed {text}")).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_a_point_and_a_sign_make_a_number() {
        let cases = [
            ("30", Some(30.0)),
            ("30-", Some(-30.0)),
            ("-3-", Some(3.0)),
            ("1.2.5", Some(1.25)),
            ("1,5", Some(1.5)),
            ("x", None),
        ];
        for (typed, expected) in cases {
            let mut number = TypedNumber::default();
            typed.chars().for_each(|character| number.push(character));
            assert_eq!(number.value(), expected, "{typed}");
        }
    }
}
