//! The characters on the user's keys. No system reports the layout to every program, so it is learned from keys that are
//! pressed. Letters and digits of shortcuts follow the layout anyway; brackets are found by their places where the layout
//! has other signs there, and then need another name.

use std::collections::BTreeMap;

use crate::editor::session::shortcuts::{KeyName, Stroke};

/// The keys that have another character than on a US keyboard: from the character there to the printed one, in upper case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PrintedKeys(BTreeMap<char, char>);

impl PrintedKeys {
    /// Notes the character printed on a letter or bracket key of a US keyboard. Returns whether that is new.
    pub fn learn(&mut self, place: char, printed: char) -> bool {
        let [place, printed] = [place, printed].map(|letter| letter.to_uppercase().next().unwrap_or(letter));
        let is_bracket = matches!(place, '[' | ']');
        let is_named = !is_bracket || self.name(KeyName::Char(place)) == printed.to_string();
        let known = self.at(place) == printed && is_named;
        let is_elsewhere = self.0.iter().any(|(other, sign)| *other != place && *sign == printed);
        if known && !is_elsewhere {
            return false;
        }
        if self.0.contains_key(&place) || is_elsewhere || (is_bracket && place == printed) {
            // Another layout: of its other keys, nothing is known.
            self.0.clear();
        }
        if place != printed {
            self.0.insert(place, printed);
        }
        true
    }

    /// The character on a key, as far as it is known.
    pub fn at(&self, place: char) -> char {
        self.0.get(&place).copied().unwrap_or(place)
    }

    pub fn pairs(&self) -> impl Iterator<Item = (char, char)> {
        self.0.iter().map(|(place, printed)| (*place, *printed))
    }

    /// The name of a key as printed on it. A bracket that was not pressed yet is known from the letters of its layout.
    pub fn name(&self, key: KeyName) -> String {
        match key {
            KeyName::Char(bracket @ ('[' | ']')) => {
                let usual = match (self.at('Q'), self.at('Y'), bracket) {
                    ('A', _, '[') => '^',
                    ('A', _, _) => '$',
                    (_, 'Z', '[') => 'Ü',
                    (_, 'Z', _) => '+',
                    _ => bracket,
                };
                self.0.get(&bracket).copied().unwrap_or(usual).to_string()
            }
            other => other.to_string(),
        }
    }

    /// A stroke with its key as printed on it: "Alt+^".
    pub fn text(&self, stroke: Stroke) -> String {
        format!("{}{}", stroke.held, self.name(stroke.key))
    }
}

impl FromIterator<(char, char)> for PrintedKeys {
    fn from_iter<T: IntoIterator<Item = (char, char)>>(pairs: T) -> PrintedKeys {
        PrintedKeys(pairs.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_have_the_names_of_their_keys() {
        let brackets = |keys: &PrintedKeys| ['[', ']'].map(|bracket| keys.name(KeyName::Char(bracket))).concat();
        let mut keys = PrintedKeys::default();
        assert_eq!(brackets(&keys), "[]");
        assert!(keys.learn('Q', 'a') && !keys.learn('Q', 'a') && !keys.learn('E', 'e'));
        assert_eq!(brackets(&keys), "^$");
        assert!(keys.learn(']', '*') && keys.learn('A', 'q'));
        assert_eq!(brackets(&keys), "^*");
        assert_eq!(keys.text(Stroke::new(KeyName::Char(']')).alt()), "Alt+*");
        assert_eq!(keys.text(Stroke::new(KeyName::Char('Q')).ctrl()), "Ctrl+Q", "letters follow the layout");
        assert!(keys.learn('Q', 'q') && keys.learn('Y', 'z'));
        assert_eq!(brackets(&keys), "Ü+", "another layout");
        assert_eq!(keys.pairs().collect::<PrintedKeys>(), keys);
        assert!(keys.learn('[', '['));
        assert_eq!(brackets(&keys), "[]", "the first key that another layout has elsewhere");
        assert!(keys.learn('Q', 'a') && keys.learn('A', 'a'));
        assert_eq!(brackets(&keys), "[]", "no layout has a letter twice");
    }
}
