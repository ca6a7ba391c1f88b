//! Texts for people: error texts as sentences, counts, words that are searched.

/// The text of a value with a capital first letter.
pub fn sentence(value: &impl std::fmt::Display) -> String {
    let text = value.to_string();
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}", letters.as_str())
}

/// "1 bone", "2 bones", "2 meshes", "2 vertices".
pub fn counted(count: usize, what: &str) -> String {
    match what {
        _ if count == 1 => format!("1 {what}"),
        "mesh" => format!("{count} meshes"),
        "vertex" => format!("{count} vertices"),
        _ => format!("{count} {what}s"),
    }
}

/// "a, b and c".
pub fn listed(items: &[&str]) -> String {
    match items {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// A few names as a list in a sentence, or the count of many: `6 bones`.
pub fn listed_or_counted(names: &[&str], noun: &str) -> String {
    const MAX_LISTED: usize = 5;
    if names.len() > MAX_LISTED { counted(names.len(), noun) } else { listed(names) }
}

/// Whether a text contains every word of a search, in any case.
pub fn has_words(text: &str, search: &str) -> bool {
    let text = text.to_lowercase();
    search.to_lowercase().split_whitespace().all(|word| text.contains(word))
}
