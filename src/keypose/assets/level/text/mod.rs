//! The text form of a level: a line for each thing, so that versions of a level are compared and merged line by line. Numbers are
//! the shortest decimals that give the same bits; things of a kind are in the order of their lines. See docs/level-text.md.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::assets::level::thing::ThingKind;
use crate::assets::level::{FoeKind, Level};
use crate::assets::line_text::{TextError, quoted, read_lines};

mod line;

pub use line::{color_mut, color_of, kind_values, read_thing, set_kind_value, thing_line};

/// The first word of a text.
pub const HEAD: &str = "keypose-level";
/// The version of the form that is written, and the only one that is read.
pub const VERSION: &str = "1";
/// The text of a level. [`read`] gives the same level, bit for bit.
pub fn write(level: &Level) -> String {
    let mut text = format!("{HEAD} {VERSION}\nname {}\n", quoted(&level.name));
    if !level.player.is_empty() {
        let _ = writeln!(text, "player {}", quoted(&level.player));
    }
    for (name, color) in line::colors(&level.look) {
        let _ = writeln!(text, "color {name} {}", line::hex(color));
    }
    for kind in ThingKind::ALL {
        if kind == ThingKind::Foe {
            level.kinds.iter().for_each(|kind| write_kind(kind, &mut text));
        }
        let things = level.things().filter(|(at, _)| at.kind == kind).map(|(_, thing)| thing_line(&thing) + "\n");
        let lines: String = things.collect();
        if !lines.is_empty() {
            text.push('\n');
            text += &lines;
        }
    }
    text
}

fn write_kind(kind: &FoeKind, text: &mut String) {
    let _ = writeln!(text, "\nkind {}", quoted(&kind.name));
    for (name, value) in kind_values(kind) {
        let _ = writeln!(text, "  {name} {value}");
    }
}

/// Reads the text of a level.
///
/// # Errors
///
/// The line and the reason. Accepted levels pass [`Level::check`].
pub fn read(text: &str) -> Result<Level, TextError> {
    let mut reader = Reader::default();
    read_lines(text, |words| reader.line(words))?;
    for needed in [HEAD, "name", "spawn"] {
        if !reader.seen.contains(needed) {
            return Err(TextError::whole(format!("a line \"{needed} …\" is missing")));
        }
    }
    reader.level.check().map_err(TextError::whole)?;
    Ok(reader.level)
}

/// State of the reader.
#[derive(Default)]
struct Reader {
    level: Level,
    /// Words that may begin only one line, and did.
    seen: BTreeSet<String>,
    names: BTreeSet<String>,
}

impl Reader {
    fn line(&mut self, words: &[&str]) -> Result<(), String> {
        let Some((&first, rest)) = words.split_first() else { return Ok(()) };
        if !self.seen.contains(HEAD) && first != HEAD {
            return Err(format!("a level begins with \"{HEAD} {VERSION}\""));
        }
        match (first, rest) {
            (HEAD, [VERSION]) => self.once(HEAD),
            (HEAD, _) => Err(format!("this version of Keypose reads \"{HEAD} {VERSION}\"")),
            ("name", [name]) => {
                self.level.name = (*name).to_owned();
                self.once("name")
            }
            ("player", [model]) => {
                self.level.player = (*model).to_owned();
                self.once("player")
            }
            ("color", [name, value]) => {
                *line::color_mut(&mut self.level.look, name)? = color_of(value)?;
                self.once(&format!("color {name}"))
            }
            ("kind", [name]) => self.kind(name),
            ("name" | "player" | "kind", _) => Err(format!("expected {first} NAME")),
            ("color", _) => Err("expected color NAME RRGGBB".into()),
            _ if line::KIND_VALUES.contains(&first) => match self.level.kinds.last_mut() {
                Some(kind) => set_kind_value(kind, first, rest),
                None => Err(format!("{first} is a value of a kind of foe; a line \"kind NAME\" must come before it")),
            },
            _ => {
                let thing = read_thing(words)?;
                if thing.kind().is_single() {
                    self.once(thing.kind().name())?;
                }
                self.level.add_thing(thing);
                Ok(())
            }
        }
    }

    fn kind(&mut self, name: &str) -> Result<(), String> {
        if !self.names.insert(name.to_owned()) {
            return Err(format!("two kinds of foes have the name \"{name}\""));
        }
        self.level.kinds.push(FoeKind { name: name.to_owned(), ..FoeKind::default() });
        Ok(())
    }

    fn once(&mut self, what: &str) -> Result<(), String> {
        if self.seen.insert(what.to_owned()) { Ok(()) } else { Err(format!("a second line \"{what} …\"")) }
    }
}
