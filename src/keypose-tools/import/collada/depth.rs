//! The depth of elements, found before the parser runs: it calls itself for each level, and would overflow the stack.

/// Maximum depth of elements.
pub const MAX_DEPTH: usize = 512;

/// Whether elements are nested deeper than [`MAX_DEPTH`]. Of text that is no XML, which the parser refuses, any answer is fine.
pub fn is_too_deep(text: &str) -> bool {
    let (mut depth, mut rest) = (0_usize, text);
    while let Some((_, after)) = rest.split_once('<') {
        let skipped = [("!--", "-->"), ("![CDATA[", "]]>"), ("?", "?>"), ("!", ">")];
        if let Some((start, end)) = skipped.into_iter().find(|(start, _)| after.starts_with(start)) {
            let inside = after.get(start.len()..).unwrap_or_default();
            rest = inside.split_once(end).map_or("", |(_, after)| after);
            continue;
        }
        let (tag, after) = split_tag(after);
        rest = after;
        if tag.starts_with('/') {
            depth = depth.saturating_sub(1);
        } else if !tag.ends_with('/') {
            depth = depth.saturating_add(1);
            if depth > MAX_DEPTH {
                return true;
            }
        }
    }
    false
}

/// A tag without its angle bracket, and the text after it. Brackets in quotes don't end it.
fn split_tag(text: &str) -> (&str, &str) {
    let mut quote = None;
    for (at, letter) in text.bytes().enumerate() {
        match (letter, quote) {
            (b'"' | b'\'', None) => quote = Some(letter),
            (_, Some(open)) if open == letter => quote = None,
            (b'>', None) => {
                let tag = text.get(..at).unwrap_or_default();
                return (tag, text.get(at.saturating_add(1)..).unwrap_or_default());
            }
            _ => {}
        }
    }
    (text, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_open_elements_count() {
        let flat = "<a b='>' c=\"<\"><!-- <x> --><![CDATA[<x>]]><?x <x> ?><b/></a>".repeat(2000);
        assert!(!is_too_deep(&flat));
        assert!(!is_too_deep(&"<a>".repeat(MAX_DEPTH)));
        assert!(is_too_deep(&"<a>".repeat(MAX_DEPTH + 1)));
        assert!(is_too_deep(&"<a x='/'>text".repeat(MAX_DEPTH + 1)));
    }
}
