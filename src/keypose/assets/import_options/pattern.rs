//! Patterns of names: `*` is any text, `?` any letter.

/// Whether a name matches a pattern: the same text, or with `*` for any text and `?` for any letter. Case counts.
pub fn matches(pattern: &str, name: &str) -> bool {
    if pattern == name {
        return true;
    }
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    // After a failure the last `*` takes one letter more: linear in the product of the lengths.
    let (mut at, mut place, mut last) = (0, 0, None);
    while place < name.len() {
        match pattern.get(at) {
            Some('*') => {
                last = Some((at, place));
                at += 1;
            }
            Some(letter) if *letter == '?' || *letter == name[place] => (at, place) = (at + 1, place + 1),
            _ => {
                let Some((star, taken)) = last else { return false };
                (at, place, last) = (star + 1, taken + 1, Some((star, taken + 1)));
            }
        }
    }
    pattern[at..].iter().all(|letter| *letter == '*')
}
