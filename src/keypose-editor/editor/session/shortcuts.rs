//! Strokes of keys, and which command each one runs. The names of keys are our own: no windowing crate here.

use std::collections::BTreeMap;
use std::fmt;

use crate::editor::session::command::Command;

/// A key of the keyboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KeyName {
    /// A letter or digit or sign on the main block, in upper case: 'G', '1', '[', ','.
    Char(char),
    /// A digit of the number pad.
    Pad(u8),
    /// The point of the number pad.
    PadPoint,
    /// F1 to F12.
    F(u8),
    Space,
    Enter,
    Escape,
    Tab,
    Backspace,
    Delete,
    Left,
    Right,
    Up,
    Down,
    Home,
    End,
}

/// Keys that are held while another is struck.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Modifiers {
    /// Ctrl; Command on macOS.
    pub ctrl: bool,
    pub shift: bool,
    pub alt: bool,
}

/// A key with the modifiers that are held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stroke {
    pub key: KeyName,
    pub held: Modifiers,
}

/// A stroke as it was made: which command it runs doesn't depend on the character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypedStroke {
    pub stroke: Stroke,
    /// The character that it types on the user's layout, if any.
    pub typed: Option<char>,
}

impl Stroke {
    /// Without modifiers.
    pub const fn new(key: KeyName) -> Stroke {
        let held = Modifiers { ctrl: false, shift: false, alt: false };
        Stroke { key, held }
    }

    /// With the character that it types.
    pub const fn typing(self, typed: Option<char>) -> TypedStroke {
        TypedStroke { stroke: self, typed }
    }

    /// With Ctrl.
    pub const fn ctrl(mut self) -> Stroke {
        self.held.ctrl = true;
        self
    }

    /// With Shift.
    pub const fn shift(mut self) -> Stroke {
        self.held.shift = true;
        self
    }

    /// With Alt.
    pub const fn alt(mut self) -> Stroke {
        self.held.alt = true;
        self
    }
}

impl TypedStroke {
    /// The letter, digit or sign for a text field that accepts these signs: the character of the layout if it is accepted, or else
    /// the key's own, so that digits also count with Shift or on a layout that has other signs on their keys.
    pub fn character(&self, signs: &str) -> Option<char> {
        let may_be = |letter: &char| letter.is_ascii_alphanumeric() || signs.contains(*letter);
        let own = if let KeyName::Char(letter) = self.stroke.key { Some(letter) } else { None };
        self.typed.filter(may_be).or(own)
    }
}

impl fmt::Display for KeyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KeyName::Char(letter) => write!(f, "{letter}"),
            KeyName::Pad(digit) => write!(f, "Num {digit}"),
            KeyName::PadPoint => write!(f, "Num ."),
            KeyName::F(number) => write!(f, "F{number}"),
            KeyName::Escape => write!(f, "Esc"),
            KeyName::Delete => write!(f, "Del"),
            other => write!(f, "{other:?}"),
        }
    }
}

impl fmt::Display for Stroke {
    /// "Ctrl+Shift+Z".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.held.fmt(f)?;
        self.key.fmt(f)
    }
}

impl fmt::Display for Modifiers {
    /// "Ctrl+Shift+"; nothing if none is held.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = [(self.ctrl, "Ctrl+"), (self.shift, "Shift+"), (self.alt, "Alt+")];
        all.into_iter().filter(|(is_held, _)| *is_held).try_for_each(|(_, name)| f.write_str(name))
    }
}

impl std::str::FromStr for Stroke {
    type Err = String;
    fn from_str(text: &str) -> Result<Stroke, String> {
        let mut held = Modifiers::default();
        let mut rest = text.trim();
        loop {
            let prefixes = [("ctrl+", &mut held.ctrl), ("shift+", &mut held.shift), ("alt+", &mut held.alt)];
            let found = prefixes.into_iter().find(|(name, _)| {
                rest.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name)) && rest.len() > name.len()
            });
            match found {
                Some((name, flag)) => (*flag, rest) = (true, &rest[name.len()..]),
                None => break,
            }
        }
        let key = key_named(rest).ok_or_else(|| format!("there is no key named \"{rest}\""))?;
        Ok(Stroke { key, held })
    }
}

fn key_named(name: &str) -> Option<KeyName> {
    use KeyName::*;
    let named = [Space, Enter, Escape, Tab, Backspace, Delete, Left, Right, Up, Down, Home, End, PadPoint];
    let functions = (1..=12).map(F);
    let digits = (0..=9).map(Pad);
    let mut keys = named.into_iter().chain(functions).chain(digits);
    let by_name =
        keys.find(|key| key.to_string().eq_ignore_ascii_case(name) || format!("{key:?}").eq_ignore_ascii_case(name));
    let mut letters = name.chars();
    by_name.or_else(|| match (letters.next(), letters.next()) {
        (Some(letter), None) => Some(Char(letter.to_ascii_uppercase())),
        _ => None,
    })
}

/// The keys that the user changed. [`crate::editor::commands`] has the defaults.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bindings {
    changed: BTreeMap<Command, Vec<Stroke>>,
}

impl Bindings {
    /// The commands whose keys differ from the defaults.
    pub fn changed(&self) -> &BTreeMap<Command, Vec<Stroke>> {
        &self.changed
    }

    /// Stores keys for a command; `None` returns to the defaults.
    pub fn change(&mut self, command: Command, strokes: Option<Vec<Stroke>>) {
        match strokes {
            Some(strokes) => self.changed.insert(command, strokes),
            None => self.changed.remove(&command),
        };
    }
}
