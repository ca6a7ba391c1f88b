//! The words of a line: separated by spaces, names with other characters in double quotes with escapes, a comment after `#`.

use crate::assets::printable::is_unseen;

/// A name as one word: in quotes unless it is plain.
pub fn quoted(name: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_' | '.');
    if !name.is_empty() && name.chars().all(is_plain) {
        return name.to_owned();
    }
    let escaped = |letter: char| match letter {
        '"' | '\\' => format!("\\{letter}"),
        letter if is_unseen(letter) => letter.escape_default().to_string(),
        letter => letter.to_string(),
    };
    format!("\"{}\"", name.chars().map(escaped).collect::<String>())
}

/// Maximum number of words of a line. No thing has as many.
const MAX_WORDS: usize = 64;

/// Splits a line into its words, without its comment.
///
/// # Errors
///
/// A quote that isn't closed, an unknown escape, or more than 64 words.
pub fn split(line: &str) -> Result<Vec<String>, String> {
    let (mut words, mut letters) = (Vec::new(), line.chars().peekable());
    while let Some(&first) = letters.peek() {
        if words.len() > MAX_WORDS {
            return Err(format!("it has more than {MAX_WORDS} words"));
        }
        match first {
            '#' => break,
            '"' => {
                letters.next();
                words.push(in_quotes(&mut letters)?);
            }
            space if space.is_whitespace() => drop(letters.next()),
            _ => {
                let mut word = String::new();
                while let Some(letter) = letters.next_if(|letter| !letter.is_whitespace() && *letter != '"') {
                    word.push(letter);
                }
                words.push(word);
            }
        }
    }
    Ok(words)
}

/// The rest of a word in quotes, up to the closing one.
fn in_quotes(letters: &mut impl Iterator<Item = char>) -> Result<String, String> {
    let mut word = String::new();
    loop {
        match letters.next().ok_or("a closing quote is missing")? {
            '"' => return Ok(word),
            '\\' => word.push(escape(letters)?),
            letter => word.push(letter),
        }
    }
}

fn escape(letters: &mut impl Iterator<Item = char>) -> Result<char, String> {
    match letters.next() {
        Some('n') => Ok('\n'),
        Some('r') => Ok('\r'),
        Some('t') => Ok('\t'),
        Some(letter @ ('"' | '\\')) => Ok(letter),
        Some('u') => {
            let code: String =
                letters.take_while(|letter| *letter != '}').skip_while(|letter| *letter == '{').collect();
            let letter = u32::from_str_radix(&code, 16).ok().and_then(char::from_u32);
            letter.ok_or_else(|| format!("\\u{{{code}}} is not a character"))
        }
        _ => Err("unknown escape: \\\", \\\\, \\n, \\r, \\t and \\u{…} are known".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_one_word_and_comes_back() {
        let names = [
            "walk",
            "",
            "two words",
            "a\"b\\c",
            "#7",
            "line\nend\u{202e}\u{0}",
            "\u{feff}x",
            "Ünï 走",
            "-",
            "\u{2028}",
        ];
        for name in names {
            let line = format!("name {} 1 # one", quoted(name));
            assert!(line.lines().count() == 1, "{line}");
            assert_eq!(split(&line), Ok(vec!["name".into(), name.into(), "1".into()]), "{line}");
        }
    }

    #[test]
    fn broken_quotes_are_errors() {
        for line in
            ["name \"x", "name \"\\x\"", "name \"\\u{110000}\"", "name \"\\u{d800}\"", "name \"\\u{}\"", "name \"\\"]
        {
            assert!(split(line).is_err(), "{line}");
        }
        assert_eq!(split("   # nothing"), Ok(vec![]));
        assert_eq!(split(&"a ".repeat(MAX_WORDS)).map(|words| words.len()), Ok(MAX_WORDS));
        assert!(split(&"a ".repeat(MAX_WORDS + 2)).is_err());
    }
}
