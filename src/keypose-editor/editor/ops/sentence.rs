//! Texts for people: error texts as sentences, counts, words that are searched.

/// The text of a value with a capital first letter.
pub fn sentence(value: &impl std::fmt::Display) -> String {
    let text = value.to_string();
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}", letters.as_str())
}

/// "1 bone", "2 bones".
pub fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
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

/// The number of letters of the longest start that a name shares with another one of a list.
pub fn shared_start<'n>(name: &str, all: impl IntoIterator<Item = &'n str>) -> usize {
    let shared = |other: &str| name.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    all.into_iter().filter(|other| *other != name).map(shared).max().unwrap_or(0)
}

/// Whether a text contains every word of a search, in any case.
pub fn has_words(text: &str, search: &str) -> bool {
    let text = text.to_lowercase();
    search.to_lowercase().split_whitespace().all(|word| text.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_a_list_share_a_start() {
        let all = ["1H_Melee_Chop", "1H_Melee_Stab", "Idle", "Idle_B"];
        assert_eq!(all.map(|name| shared_start(name, all)), [9, 9, 4, 4]);
    }
}
