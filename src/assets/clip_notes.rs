//! What the list of clips knows of a clip beside the clip itself: its folder, its tags, and which clip it follows.

use crate::anim::time::Time;
use crate::assets::id::ClipId;

/// Notes about a clip.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClipNotes {
    /// Where it stands in the list; empty for the top.
    pub folder: String,
    /// Words to find it by; none is empty or holds a space.
    pub tags: Vec<String>,
    /// What it is made from, as long as it follows that.
    pub derived: Option<Derived>,
}

/// A clip that is made from another one of its model, and again whenever that one changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Derived {
    /// The other one.
    pub source: ClipId,
    /// How it is made.
    pub how: Derivation,
}

/// How a clip is made from another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Derivation {
    /// What one side did, the other does.
    Mirrored,
    /// The last pose first.
    Reversed,
    /// Its durations, in percent of those of the source: 1 to 10,000.
    Retimed(u32),
    /// From one time of the source to a later one.
    Trimmed(Time, Time),
}

impl Derivation {
    /// The word for panels and names.
    pub fn name(self) -> &'static str {
        match self {
            Derivation::Mirrored => "mirrored",
            Derivation::Reversed => "reversed",
            Derivation::Retimed(_) => "retimed",
            Derivation::Trimmed(..) => "trimmed",
        }
    }

    /// Why it can't be done, if it can't.
    pub fn check(self) -> Result<(), String> {
        match self {
            Derivation::Retimed(percent) if !(1..=10_000).contains(&percent) => {
                Err(format!("{percent} % is no duration: from 1 to 10,000 is"))
            }
            Derivation::Trimmed(from, to) if from < Time::ZERO || from >= to || to > Time::LONGEST => {
                Err(format!("from {from} to {to} is no part of a clip"))
            }
            _ => Ok(()),
        }
    }
}

impl ClipNotes {
    /// True where nothing is said.
    pub fn is_empty(&self) -> bool {
        *self == ClipNotes::default()
    }

    /// Words between spaces as tags, each once.
    pub fn tags_of(text: &str) -> Vec<String> {
        let mut tags: Vec<String> = Vec::new();
        for word in text.split_whitespace().map(|word| word.trim_start_matches('#')) {
            if !word.is_empty() && !tags.iter().any(|tag| tag == word) {
                tags.push(word.to_owned());
            }
        }
        tags
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_words() {
        assert_eq!(ClipNotes::tags_of(" #air  loop air # "), ["air", "loop"]);
    }

    #[test]
    fn what_is_no_part_or_duration_is_refused() {
        let bad = [
            Derivation::Retimed(0),
            Derivation::Retimed(20_000),
            Derivation::Trimmed(Time(5), Time(5)),
            Derivation::Trimmed(Time(-1), Time(5)),
        ];
        assert!(bad.into_iter().all(|how| how.check().is_err()));
        assert!(
            [Derivation::Mirrored, Derivation::Retimed(50), Derivation::Trimmed(Time(0), Time(5))]
                .into_iter()
                .all(|how| how.check().is_ok())
        );
    }
}
