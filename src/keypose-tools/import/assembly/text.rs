//! Text files: UTF-8, or the letters of older programs.

use std::borrow::Cow;

use crate::import::report::Report;

/// The letters of the bytes from 0x80 to 0x9F in Windows-1252; the later ones are those of Unicode.
const LETTERS: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}', '‘', '’',
    '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// The text of a file. Bytes that are not UTF-8 are reported and read as Windows-1252, so that different names stay different.
pub fn decoded<'b>(bytes: &'b [u8], file: &str, report: &mut Report) -> Cow<'b, str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    report.add(file, "letters that are not UTF-8; read as Windows-1252");
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|byte| letter(*byte)));
    }
    Cow::Owned(text)
}

fn letter(byte: u8) -> char {
    let early = usize::from(byte).checked_sub(0x80).and_then(|at| LETTERS.get(at));
    early.copied().unwrap_or(char::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_not_utf_8_become_letters_of_windows_1252() {
        let mut report = Report::default();
        assert_eq!(decoded("é\n".as_bytes(), "a", &mut report), "é\n");
        assert!(report.clone().into_lines().is_empty());
        assert_eq!(decoded(b"\x80 \xE9\x9F\n\xC3\xA9", "a", &mut report), "€ éŸ\né");
        assert_eq!(report.into_lines().len(), 1);
    }
}
