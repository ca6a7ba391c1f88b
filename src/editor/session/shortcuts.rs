//! Strokes of keys, and which command each one runs. The names of keys are our own: no windowing crate here.

use std::collections::BTreeMap;
use std::fmt;

use crate::editor::commands::{CATALOGUE, Scope};
use crate::editor::session::command::Command;

/// A key of the keyboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
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
#[allow(missing_docs)]
pub struct Modifiers {
    /// Ctrl; Command on macOS.
    pub ctrl: bool,
    pub shift: bool,
    pub alt: bool,
}

/// A key with the modifiers that are held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub struct Stroke {
    pub key: KeyName,
    pub held: Modifiers,
}

impl Stroke {
    /// Without modifiers.
    pub const fn new(key: KeyName) -> Stroke {
        Stroke { key, held: Modifiers { ctrl: false, shift: false, alt: false } }
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
        for (is_held, name) in [(self.held.ctrl, "Ctrl+"), (self.held.shift, "Shift+"), (self.held.alt, "Alt+")] {
            if is_held {
                f.write_str(name)?;
            }
        }
        self.key.fmt(f)
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
    let single = letters.next().filter(|_| letters.next().is_none());
    by_name.or_else(|| single.map(|letter| Char(letter.to_ascii_uppercase())))
}

/// Which strokes run which command, where that differs from the catalogue.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bindings {
    changed: BTreeMap<Command, Vec<Stroke>>,
}

impl Bindings {
    /// The strokes of a command.
    pub fn of(&self, command: Command) -> &[Stroke] {
        match self.changed.get(&command) {
            Some(strokes) => strokes,
            None => command.def().strokes,
        }
    }

    /// Gives a command other strokes; those of the catalogue are not kept as a change.
    pub fn set(&mut self, command: Command, strokes: Vec<Stroke>) {
        match strokes == command.def().strokes {
            true => self.changed.remove(&command),
            false => self.changed.insert(command, strokes),
        };
    }

    /// The commands that differ from the catalogue.
    pub fn changed(&self) -> &BTreeMap<Command, Vec<Stroke>> {
        &self.changed
    }

    /// The command of a stroke over a panel: the panel's own first, then those that work everywhere.
    pub fn find(&self, stroke: Stroke, scope: Scope) -> Option<Command> {
        let runs = |wanted: Scope| {
            let of_scope = CATALOGUE.iter().filter(move |def| def.scope == wanted);
            of_scope.map(|def| def.command).find(|&command| self.of(command).contains(&stroke))
        };
        runs(scope).or_else(|| runs(Scope::Anywhere))
    }

    /// The other commands that a stroke runs where those of this command work.
    pub fn others_on(&self, stroke: Stroke, command: Command) -> Vec<Command> {
        let scope = command.def().scope;
        let others = CATALOGUE.iter().filter(|def| def.scope == scope && def.command != command);
        others.map(|def| def.command).filter(|&other| self.of(other).contains(&stroke)).collect()
    }

    /// What a tooltip or menu entry shows: the first stroke, or nothing.
    pub fn text(&self, command: Command) -> String {
        self.of(command).first().map(Stroke::to_string).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stroke_is_written_and_read_the_same() {
        for def in CATALOGUE {
            for stroke in def.strokes {
                assert_eq!(stroke.to_string().parse::<Stroke>().as_ref(), Ok(stroke), "{stroke}");
            }
        }
        assert!("Ctrl+Nothing".parse::<Stroke>().is_err());
    }

    #[test]
    fn no_two_commands_share_a_stroke_in_a_scope() {
        for (at, a) in CATALOGUE.iter().enumerate() {
            for b in &CATALOGUE[at + 1..] {
                let shared = a.strokes.iter().find(|stroke| b.strokes.contains(stroke));
                assert!(a.scope != b.scope || shared.is_none(), "{:?} and {:?}: {shared:?}", a.command, b.command);
            }
        }
    }
}
