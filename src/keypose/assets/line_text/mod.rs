//! Shared parts of the text forms: a line for each thing, made of words; an error names the line. Numbers are the shortest decimals
//! that give the same bits.

use std::str::FromStr;

use thiserror::Error;

mod words;

pub use words::{quoted, split};

/// The maximum size of a text.
pub const MAX_BYTES: usize = 16 << 20;

/// Why a text can't be read.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum TextError {
    /// A line can't be read.
    #[error("line {line}: {reason}")]
    Line {
        /// Counted from 1.
        line: usize,
        /// Part of a sentence: "an unknown word".
        reason: String,
    },
    /// Something is missing, or there is too much of it.
    #[error("{reason}")]
    Whole {
        /// Part of a sentence: "a line \"spawn …\" is missing".
        reason: String,
    },
}

impl TextError {
    /// Creates an error about the whole text.
    pub fn whole(reason: impl Into<String>) -> TextError {
        TextError::Whole { reason: reason.into() }
    }
}

/// Calls `read` with the words of each line, without comments. Lines without words are left out.
///
/// # Errors
///
/// The text is too large, a line is not made of words, or `read` refuses one.
pub fn read_lines(text: &str, mut read: impl FnMut(&[&str]) -> Result<(), String>) -> Result<(), TextError> {
    if text.len() > MAX_BYTES {
        return Err(TextError::whole(format!("the text has {} bytes; the maximum is {MAX_BYTES}", text.len())));
    }
    for (line, letters) in (1..).zip(text.strip_prefix('\u{feff}').unwrap_or(text).lines()) {
        let read = split(letters).and_then(|words| {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            if words.is_empty() { Ok(()) } else { read(&words) }
        });
        read.map_err(|reason| TextError::Line { line, reason })?;
    }
    Ok(())
}

/// Whether the first word of a text is this one.
pub fn has_head(text: &[u8], head: &str) -> bool {
    let text = std::str::from_utf8(text).unwrap_or_default();
    let lines = text.strip_prefix('\u{feff}').unwrap_or(text).lines();
    let mut words = lines.map(|line| split(line).unwrap_or_default()).filter(|words| !words.is_empty());
    words.next().is_some_and(|words| words[0] == head)
}

/// A finite number.
///
/// # Errors
///
/// The word is none.
pub fn number(word: &str) -> Result<f32, String> {
    let number = word.parse().ok().filter(|number: &f32| number.is_finite());
    number.ok_or_else(|| format!("{word} is not a finite number"))
}

/// A whole number.
///
/// # Errors
///
/// The word is none, or the number is out of range.
pub fn whole<T: FromStr>(word: &str) -> Result<T, String> {
    word.parse().map_err(|_| format!("{word} is not a whole number in range"))
}
