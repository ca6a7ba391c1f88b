//! Lines of a BVH file: a keyword and its arguments. Braces may share a line with others.

use crate::import::bvh::{fault, quoted};
use crate::import::error::Fault;

/// The lines that are not empty.
pub struct Lines<'a> {
    rest: std::iter::Enumerate<std::str::Lines<'a>>,
    /// A part of the last line that was not returned yet.
    pending: &'a str,
    /// The number of the last line, from 1.
    pub number: usize,
}

impl<'a> Lines<'a> {
    /// The lines of a text.
    pub fn new(text: &'a str) -> Lines<'a> {
        Lines { rest: text.trim_start_matches('\u{feff}').lines().enumerate(), pending: "", number: 0 }
    }

    /// The next line, trimmed. A brace is a line of its own.
    pub fn advance(&mut self) -> Option<&'a str> {
        while self.pending.is_empty() {
            let (index, line) = self.rest.next()?;
            (self.number, self.pending) = (index.saturating_add(1), line.trim());
        }
        let end = match self.pending.find(['{', '}']) {
            Some(0) => 1,
            Some(brace) => brace,
            None => self.pending.len(),
        };
        let (line, rest) = self.pending.split_at_checked(end)?;
        self.pending = rest.trim();
        Some(line.trim())
    }

    /// The arguments of the next line, which must begin with this keyword.
    pub fn expect(&mut self, keyword: &str) -> Result<&'a str, Fault> {
        let line = self.advance().unwrap_or_default();
        let arguments = arguments(line, keyword);
        arguments.ok_or_else(|| match line {
            "" => fault(self.number, format_args!("the file ends where {keyword} is expected")),
            line => fault(self.number, format_args!("{} where {keyword} is expected", quoted(line))),
        })
    }

    /// A number of this line.
    pub fn float(&self, word: &str) -> Result<f64, Fault> {
        let reason = match word.parse::<f64>() {
            Ok(number) if number.abs() < 1e30 => return Ok(number),
            Ok(number) if !number.is_nan() => "too large",
            Ok(_) | Err(_) => "not a number",
        };
        Err(fault(self.number, format_args!("{} is {reason}", quoted(word))))
    }
}

/// The text after a keyword, trimmed. `None` if the line begins with something else. Case is ignored.
pub fn arguments<'a>(line: &'a str, keyword: &str) -> Option<&'a str> {
    let (start, rest) = line.split_at_checked(keyword.len())?;
    let is_whole = rest.is_empty() || keyword.ends_with(':') || rest.starts_with(char::is_whitespace);
    (start.eq_ignore_ascii_case(keyword) && is_whole).then_some(rest.trim())
}
