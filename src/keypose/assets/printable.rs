//! Text from files as it may be shown: names can't end a line, control a terminal, or reverse the order of letters.

use std::borrow::Cow;

/// The text with every character escaped (`\n`, `\u{202e}`) that acts instead of being seen: control characters, separators of
/// lines, controls of the writing direction, and invisible ones that make different names look alike. Escapes are not escaped
/// again.
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_unseen) {
        return text.into();
    }
    let escaped = |letter: char| if is_unseen(letter) { letter.escape_default().to_string() } else { letter.into() };
    text.chars().map(escaped).collect::<String>().into()
}

/// Whether a character acts instead of being seen, or isn't seen at all. Joiners are among them, although some scripts and emoji are
/// written with them: without, two names look the same.
pub fn is_unseen(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_acts_is_escaped_and_what_is_seen_stays() {
        let cases = [
            ("walk", "walk"),
            ("a\nb\tc\u{1b}[31m", "a\\nb\\tc\\u{1b}[31m"),
            ("exe\u{202e}daw.", "exe\\u{202e}daw."),
            ("\u{2066}x\u{2069}\u{85}\u{2028}", "\\u{2066}x\\u{2069}\\u{85}\\u{2028}"),
            ("Ünïcödé 走 🚀 שלום", "Ünïcödé 走 🚀 שלום"),
            ("wa\u{200d}lk\u{3164}", "wa\\u{200d}lk\\u{3164}"),
        ];
        for (text, shown) in cases {
            assert_eq!(printable(text), shown);
            assert_eq!(printable(shown), shown);
        }
    }
}
