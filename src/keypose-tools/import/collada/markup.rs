//! Limits of XML, checked before the parser runs: it calls itself for each level of elements, which would overflow the stack, and
//! compares each attribute with the others of its element, and each prefix with all namespaces.

/// Maximum depth of elements.
pub const MAX_DEPTH: usize = 512;
/// Maximum number of attributes of an element.
const MAX_ATTRIBUTES: usize = 128;
/// Maximum number of elements that declare namespaces.
const MAX_NAMESPACES: usize = 64;

/// Refuses text that the parser would take too long to read. Of text that is no XML, which the parser refuses, any answer is fine.
pub fn check(text: &str) -> Result<(), String> {
    let (mut depth, mut namespaces, mut rest) = (0_usize, 0_usize, text);
    while let Some((_, after)) = rest.split_once('<') {
        let skipped = [("!--", "-->"), ("![CDATA[", "]]>"), ("?", "?>"), ("!", ">")];
        if let Some((start, end)) = skipped.into_iter().find(|(start, _)| after.starts_with(start)) {
            let inside = after.get(start.len()..).unwrap_or_default();
            rest = inside.split_once(end).map_or("", |(_, after)| after);
            continue;
        }
        let Tag { text: tag, attributes, after } = split_tag(after);
        rest = after;
        if attributes > MAX_ATTRIBUTES {
            return Err(format!("an element has more than {MAX_ATTRIBUTES} attributes"));
        }
        if attributes > 0 && tag.contains("xmlns") {
            namespaces = namespaces.saturating_add(1);
        }
        if namespaces > MAX_NAMESPACES {
            return Err(format!("more than {MAX_NAMESPACES} elements declare namespaces"));
        }
        if tag.starts_with('/') {
            depth = depth.saturating_sub(1);
        } else if !tag.ends_with('/') {
            depth = depth.saturating_add(1);
            if depth > MAX_DEPTH {
                return Err(format!("elements are nested more than {MAX_DEPTH} deep"));
            }
        }
    }
    Ok(())
}

/// A tag without its angle brackets.
struct Tag<'a> {
    text: &'a str,
    /// Number of values in quotes.
    attributes: usize,
    after: &'a str,
}

/// Splits text behind the first angle bracket of a tag. Brackets in quotes don't end it.
fn split_tag(text: &str) -> Tag<'_> {
    let (mut quote, mut attributes) = (None, 0_usize);
    for (at, letter) in text.bytes().enumerate() {
        match (letter, quote) {
            (b'"' | b'\'', None) => {
                quote = Some(letter);
                attributes = attributes.saturating_add(1);
            }
            (_, Some(open)) if open == letter => quote = None,
            (b'>', None) => {
                let (tag, after) = text.split_at_checked(at).unwrap_or_default();
                return Tag { text: tag, attributes, after: after.get(1..).unwrap_or_default() };
            }
            _ => {}
        }
    }
    Tag { text, attributes, after: "" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_open_elements_count() {
        let flat = "<a b='>' c=\"<\"><!-- <x> --><![CDATA[<x>]]><?x <x> ?><b/></a>".repeat(2000);
        assert!(check(&flat).is_ok());
        assert!(check(&"<a>".repeat(MAX_DEPTH)).is_ok());
        assert!(check(&"<a>".repeat(MAX_DEPTH + 1)).is_err());
        assert!(check(&"<a x='/'>text".repeat(MAX_DEPTH + 1)).is_err());
    }

    #[test]
    fn attributes_and_namespaces_are_limited() {
        let with = |count: usize| format!("<a {}/>", (0..count).map(|at| format!("a{at}='' ")).collect::<String>());
        assert!(check(&with(MAX_ATTRIBUTES)).is_ok());
        assert!(check(&with(MAX_ATTRIBUTES + 1)).unwrap_err().contains("attributes"));
        let spaces = |count: usize| "<a xmlns:b='c'/>".repeat(count);
        assert!(check(&spaces(MAX_NAMESPACES)).is_ok());
        assert!(check(&spaces(MAX_NAMESPACES + 1)).unwrap_err().contains("namespaces"));
    }
}
