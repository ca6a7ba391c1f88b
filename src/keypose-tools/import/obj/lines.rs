//! Lines of OBJ and MTL files: their keyword and arguments. A backslash at the end continues a line. A comment is a
//! line that begins with a number sign, or follows numbers: names such as "Material #25" have number signs.

use std::borrow::Cow;
use std::fmt::Display;

use crate::assets::printable::printable;
use crate::import::error::Fault;

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Line<'a> {
    /// The number of its first line, from 1.
    pub number: usize,
    pub keyword: Cow<'a, str>,
    /// Text after the keyword, trimmed.
    pub rest: Cow<'a, str>,
}

/// The statements of a text, which may begin with a byte order mark.
pub fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut all = text.trim_start_matches('\u{feff}').lines().enumerate();
    std::iter::from_fn(move || {
        let (index, first) = all.next()?;
        let mut whole = Cow::Borrowed(statement(first));
        while whole.ends_with('\\') {
            let Some((_, next)) = all.next() else { break };
            let whole = whole.to_mut();
            whole.pop();
            whole.push(' ');
            whole.push_str(statement(next));
        }
        Some((index.saturating_add(1), whole))
    })
    .filter_map(|(number, whole)| {
        let (keyword, rest) = match &whole {
            Cow::Borrowed(text) => parts(text).map(|(keyword, rest)| (keyword.into(), rest.into()))?,
            Cow::Owned(text) => {
                parts(text).map(|(keyword, rest)| (keyword.to_owned().into(), rest.to_owned().into()))?
            }
        };
        Some(Line { number, keyword, rest })
    })
}

fn statement(line: &str) -> &str {
    if line.trim_start().starts_with('#') { "" } else { line.trim_end() }
}

fn parts(text: &str) -> Option<(&str, &str)> {
    let text = text.trim();
    let (keyword, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (!keyword.is_empty()).then_some((keyword, rest.trim()))
}

impl Line<'_> {
    /// The error for a fault in this line.
    pub fn fault(&self, reason: impl Display) -> Fault {
        Fault::at(format!("line {}", self.number), reason)
    }

    /// The words of a line of numbers, without a comment.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.rest.split('#').next().unwrap_or_default().split_whitespace()
    }

    /// The numbers of the line, at least `least`, at most `N`; missing ones are 0. Returns their count, too.
    pub fn numbers<const N: usize>(&self, least: usize) -> Result<([f32; N], usize), Fault> {
        let (mut numbers, mut count) = ([0.0; N], 0_usize);
        for (place, word) in numbers.iter_mut().zip(self.words()) {
            let number = word.parse::<f32>().ok().filter(|number| number.is_finite());
            *place = number.ok_or_else(|| self.fault(format!("\"{}\" is not a number", printable(word))))?;
            count = count.saturating_add(1);
        }
        if count >= least {
            Ok((numbers, count))
        } else {
            Err(self.fault(format!("{} needs {least} numbers, but has {count}", self.keyword)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_continued_often_costs_its_length() {
        // Copied once for each continuation, this would take hours.
        let text = format!("g a\\\n{}b", "\\\n".repeat(1 << 20));
        let all: Vec<_> = lines(&text).collect();
        assert_eq!(all.len(), 1);
        assert!(all[0].rest.starts_with('a') && all[0].rest.ends_with('b'));
    }

    #[test]
    fn comments_and_continued_lines_are_understood() {
        let text = "# a\\\n\nv 1 2 \\\n 3 # b\r\n  f\t1/2 2#c\nusemtl my stone #2";
        let all: Vec<_> =
            lines(text).map(|line| (line.number, line.keyword.into_owned(), line.rest.into_owned())).collect();
        let expected = [(3, "v", "1 2   3 # b"), (5, "f", "1/2 2#c"), (6, "usemtl", "my stone #2")];
        let words: Vec<String> = lines(text).map(|line| line.words().collect::<Vec<_>>().join(" ")).collect();
        assert_eq!(words[..2], ["1 2 3", "1/2 2"]);
        let expected = expected.map(|(number, keyword, rest)| (number, keyword.to_owned(), rest.to_owned()));
        assert_eq!(all, expected);
    }

    #[test]
    fn numbers_are_checked() {
        let line = |rest: &'static str| Line { number: 7, keyword: "v".into(), rest: rest.into() };
        assert_eq!(line("1 -2e1").numbers::<3>(2).unwrap(), ([1.0, -20.0, 0.0], 2));
        assert_eq!(line("1").numbers::<3>(2).unwrap_err().to_string(), "line 7: v needs 2 numbers, but has 1");
        assert_eq!(line("1 x").numbers::<3>(2).unwrap_err().to_string(), "line 7: \"x\" is not a number");
        assert!(line("nan 1").numbers::<3>(2).is_err());
    }
}
